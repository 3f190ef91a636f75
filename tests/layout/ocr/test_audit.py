"""An OCR layer is believed only if it says what the pixels say, as far as that can be told."""

import pytest
from msgspec.structs import replace
from typeset import row, word

from docparse.layout.ocr.audit import is_faithful
from docparse.layout.ocr.result import OcrLine, OcrResult

LINES = ["The natives soon had reason to", "suspect the viceroy and his men,", "for about this time the friars built"]
POOR = ["the natives soon had reason to", "suspect the viceroy and his men", "for about this time the friars buiit"]
RUSSIAN = ["Утренний поезд опять опоздал", "и никто на платформе не возражал", "потому что вышло солнце и ветер стих"]


def layer(texts):
    return [word for r, text in enumerate(texts) for word in row(text, 50, 108 + 14 * r)]


def ocr(texts, confidence=0.99):
    words = layer(texts)
    found = tuple(OcrLine(text, confidence, 0.4 * len(text)) for text in texts)
    return lambda boxes: OcrResult([word for word in words if any(box.holds(*word.box.center) for box in boxes)], found)


# OCR drops letters that it does not know, and is sure of the full stops that are left
STOPS = [word(".", each.box.x0, each.baseline, width=each.box.width) for each in layer(RUSSIAN)]
DROPPED = OcrResult(STOPS, (OcrLine(" .  ,", 0.96, 15.0),) * 3)
CASES = {
    "it agrees": (LINES, ocr(LINES), True),
    "full of errors": ([line.replace("e", "c").replace("i", "l") for line in LINES], ocr(LINES), False),
    "without capitals and commas": (POOR, ocr([line.upper() for line in LINES]), False),
    "torn words": ([line.replace("e", "e ").replace("s", " s") for line in LINES], ocr(LINES), False),
    "words run together": ([line.replace(" ", "") for line in LINES], ocr(LINES), False),
    "OCR is unsure": ([line.replace("e", "c") for line in LINES], ocr(LINES, 0.6), True),
    "OCR reads nothing": (LINES, lambda boxes: OcrResult([]), True),
    "nothing to test": (["a", "b"], ocr(["a"]), False),
    "a script that OCR cannot read": (RUSSIAN, lambda boxes: DROPPED, True),
    "the same in lines too short to test": (["Поезд опоздал", "Все вышли"], ocr([]), True),
    "the wrong script": (RUSSIAN, ocr(LINES), False),
}


@pytest.mark.parametrize("printed, read, kept", CASES.values(), ids=CASES)
def test_a_layer_is_kept_unless_ocr_surely_reads_something_else(printed, read, kept):
    assert is_faithful(layer(printed), read) is kept


def test_only_a_sample_is_read():
    asked = []
    is_faithful(layer(LINES * 20), lambda boxes: asked.extend(boxes) or OcrResult([]))
    assert len(asked) == 8


def test_lines_without_height_are_not_looked_at():
    """Some files give the letters under a scan no size."""
    asked = []
    first = layer(LINES[:1])
    flat = [replace(each, box=replace(each.box, y1=each.box.y0)) for each in first]
    is_faithful([*flat, *layer(LINES)[len(first) :]], lambda boxes: asked.extend(boxes) or OcrResult([]))
    assert len(asked) == 2 and all(box.height > 0 for box in asked)


GIBBERISH = ["".join(chr(33 + 7 * i % 31) for i in range(len(line))) for line in LINES]
BITMAP_CASES = {
    "most letters": (POOR, ocr(LINES), True),
    "most letters, and OCR is unsure": (POOR, ocr(LINES, 0.6), True),
    "other letters": ([line[::-1] for line in LINES], ocr(LINES), False),
    "gibberish, in boxes that show OCR parts of lines": (
        GIBBERISH,
        ocr(["natives", "pect the vic", "bout"], 0.6),
        False,
    ),
    "gibberish, and OCR reads nothing": (GIBBERISH, lambda boxes: OcrResult([]), False),
    "a script that OCR cannot read": (RUSSIAN, lambda boxes: DROPPED, True),
}


@pytest.mark.parametrize("printed, read, kept", BITMAP_CASES.values(), ids=BITMAP_CASES)
def test_codes_of_fonts_without_names_are_letters_where_most_are_those_that_are_seen(printed, read, kept):
    assert is_faithful(layer(printed), read, broken=True) is kept


GARBLED = ["Xq zw vv kk jj pp ww yy zz", "wholly another text stands here", LINES[2]]


@pytest.mark.parametrize("printed, kept", [(POOR, True), (GARBLED, False)])
def test_most_of_what_a_model_corrects_must_agree(printed, kept):
    assert is_faithful(layer(printed), ocr(LINES), draft=True) is kept


def test_of_what_a_model_corrects_few_lines_are_read():
    asked = []
    is_faithful(layer(LINES * 20), lambda boxes: asked.extend(boxes) or OcrResult([]), draft=True)
    assert [box.y0 - asked[0].y0 for box in asked] == [0, 14 * 20, 14 * 40]
