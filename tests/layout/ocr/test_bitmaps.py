"""Fonts of TeX's bitmaps, which have no name to look their letters up by."""

from dataclasses import replace

from docparse.layout.stages.words import is_bitmap_type
from docparse.pdf import open_document


def test_fonts_are_bitmaps_if_most_letters_are_of_fonts_without_a_name(typst_pdf):
    with open_document(typst_pdf("The tide came in late."), name="page.pdf") as document:
        characters = document.page(1).characters
    nameless = tuple(replace(font, name="") for font in characters.fonts)
    assert not is_bitmap_type(characters)
    assert is_bitmap_type(replace(characters, fonts=nameless))
