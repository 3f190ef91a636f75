"""What the ink of bitmap fonts says of their words."""

from dataclasses import replace

import msgspec
import pytest

from docparse.layout.ocr.engine import with_bold_words
from docparse.layout.stages.words import is_bitmap_type
from docparse.layout.text.words import words_of
from docparse.pdf import open_document
from docparse.types import Box

TEXT = "The tide came in late and the harbour lay dry until noon, so that no boat could leave. "
SOURCE = f"#set page(width: 400pt, height: 300pt)\n{TEXT * 4}\n\n*Heavy words among the others*\n\n{TEXT}"


@pytest.fixture(scope="module")
def content(typst_pdf):
    with open_document(typst_pdf(SOURCE), name="page.pdf") as document:
        page = document.page(1)
        return page, page.render(144)


def test_their_bold_words_are_those_with_heavy_strokes(content):
    page, image = content
    words = [msgspec.structs.replace(word, bold=False, font="") for word in words_of(page.characters)]
    flat = msgspec.structs.replace(words[0], box=Box(10, 5, 60, 5), baseline=5.0, text="flat", index=-1)
    words = [flat, *words]  # such boxes have the fonts of some files
    bold = [word.text for word in with_bold_words(words, image) if word.bold]
    assert bold == ["Heavy", "words", "among", "the", "others"]


def test_fonts_are_bitmaps_if_most_letters_are_of_fonts_without_a_name(content):
    page, _ = content
    nameless = tuple(replace(font, name="") for font in page.characters.fonts)
    assert not is_bitmap_type(page.characters)
    assert is_bitmap_type(replace(page.characters, fonts=nameless))
