"""An OCR layer is believed only if it says what the pixels say, as far as that can be told."""

from __future__ import annotations

from docparse.layout.ocr.audit import is_faithful
from docparse.layout.ocr.result import OcrLine, OcrResult
from docparse.layout.text.words import Word
from docparse.types import Box

LINES = ["The natives soon had reason to", "suspect the viceroy and his men,", "for about this time the friars built"]


def layer(lines: list[str], confidence: float = 1.0) -> list[Word]:
    words = []
    for r, text in enumerate(lines):
        x = 50.0
        for part in text.split():
            box = Box(x, 100 + 14 * r, x + 5 * len(part), 110 + 14 * r)
            words.append(
                Word(text=part, box=box, baseline=108 + 14 * r, size=10, index=len(words), confidence=confidence)
            )
            x = box.x1 + 3
    return words


def reader_of(lines: list[str], confidence: float):
    words = layer(lines, confidence)
    found = tuple(OcrLine(text, confidence, 0.4 * len(text)) for text in lines)

    def read(boxes):
        return OcrResult([word for word in words if any(box.holds(*word.box.center) for box in boxes)], found)

    return read


def test_a_layer_that_agrees_with_the_pixels_is_kept() -> None:
    assert is_faithful(layer(LINES), reader_of(LINES, 0.99))


def test_a_layer_full_of_errors_is_not() -> None:
    wrong = [line.replace("e", "c").replace("i", "l") for line in LINES]
    assert not is_faithful(layer(wrong), reader_of(LINES, 0.99))


def test_a_layer_without_capitals_and_commas_is_not() -> None:
    poor = ["the natives soon had reason to", "suspect the viceroy and his men", "for about this time the friars buiit"]
    assert not is_faithful(layer(poor), reader_of([line.upper() for line in LINES], 0.99))


def test_where_ocr_itself_is_unsure_the_layer_is_kept() -> None:
    wrong = [line.replace("e", "c") for line in LINES]
    assert is_faithful(layer(wrong), reader_of(LINES, 0.6))
    assert is_faithful(layer(LINES), lambda boxes: OcrResult([]))


def test_a_layer_with_nothing_to_test_is_not_kept() -> None:
    assert not is_faithful(layer(["a", "b"]), reader_of(["a"], 0.99))


def test_only_a_sample_is_read() -> None:
    asked = []
    is_faithful(layer(LINES * 20), lambda boxes: asked.extend(boxes) or OcrResult([]))
    assert len(asked) == 8


RUSSIAN = ["Утренний поезд опять опоздал", "и никто на платформе не возражал", "потому что вышло солнце и ветер стих"]


def test_a_layer_in_a_script_that_ocr_cannot_read_is_kept() -> None:
    """OCR drops letters it does not know, and is sure of the full stops that are left."""
    stops = [Word(text=".", box=word.box, baseline=108, size=10) for word in layer(RUSSIAN)]
    found = tuple(OcrLine(" .  ,", 0.96, 15.0) for _ in RUSSIAN)
    assert is_faithful(layer(RUSSIAN), lambda boxes: OcrResult(stops, found))
    assert is_faithful(layer(["Поезд опоздал", "Все вышли"]), reader_of([], 1.0))  # lines too short to test


def test_a_layer_in_the_wrong_script_is_not() -> None:
    assert not is_faithful(layer(RUSSIAN), reader_of(LINES, 0.99))
