"""Letters of fonts that do not say what they are: what OCR sees in their places, in most lines, they are."""

from dataclasses import replace

import numpy as np
import pytest

from docparse.layout.ocr.result import OcrResult
from docparse.layout.ocr.unnamed import has_unnamed, with_letters
from docparse.layout.text.word_finding import words_of
from docparse.pdf import open_document

TEXT = (
    "Rain, wind, and snow; more of it! Then (at 12:30) sun, and some rain, or 45 hail; nobody knows, at 12 or at 30. "
    * 3
)
HIDDEN = {",": "!", ";": '"', "1": "#", "2": "$", "3": "%"}


@pytest.fixture(scope="module")
def layer(typst_pdf):
    with open_document(typst_pdf(f"#set page(width: 260pt, height: 300pt)\n{TEXT}", "weather"), name="x") as document:
        return document.page(1).characters


def hidden(layer):
    """The layer with some letters that no font tells."""
    glyph = np.array([[*HIDDEN].index(char) if char in HIDDEN else -1 for char in layer.text], np.int32)
    return replace(layer, text="".join(HIDDEN.get(char, char) for char in layer.text), glyph=glyph)


def seeing(layer, misread=str):
    """OCR that reads the words of a layer in the boxes it gets; `misread` changes the text of each."""

    def read(boxes):
        words = [word for word in words_of(layer) if any(box.holds(*word.box.center) for box in boxes)]
        return OcrResult([type(word)(text=misread(word.text), box=word.box, baseline=word.baseline, size=word.size)
                          for word in words])  # fmt: skip

    return read


def test_letters_of_a_font_without_names_are_those_that_ocr_sees(layer):
    assert has_unnamed(hidden(layer)) and not has_unnamed(layer)
    found = with_letters(hidden(layer), seeing(layer))
    assert found.text == layer.text and not has_unnamed(found)


def test_a_letter_that_ocr_misreads_here_and_there_is_what_it_mostly_sees(layer):
    counts = iter(range(10_000))
    wrong = seeing(layer, lambda text: text.replace(",", ".") if next(counts) % 5 == 0 else text)
    assert with_letters(hidden(layer), wrong).text == layer.text


def test_marks_of_chinese_type_are_seen_too(layer):
    seen = seeing(layer, lambda text: text.replace(",", "，").replace(";", "…"))
    assert with_letters(hidden(layer), seen).text == layer.text.replace(";", "…")


def test_letters_that_ocr_does_not_see_stay_as_they_are(layer):
    blind = with_letters(hidden(layer), lambda boxes: OcrResult([]))
    assert blind.text == hidden(layer).text


def test_a_mark_as_wide_as_a_letter_of_chinese_type_is_one_of_it(layer):
    commas = np.array([char == "," for char in layer.text])
    box = layer.box.copy()
    box[commas, 2] = box[commas, 0] + 0.9 * layer.fonts[0].size
    wide = replace(hidden(layer), box=box)
    assert with_letters(wide, seeing(layer)).text == layer.text.replace(",", "，")
