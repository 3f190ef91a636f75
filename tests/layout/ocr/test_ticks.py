"""Boxes to tick on page images: OCR reads the words beside them as if they were not there, and Chinese as it is."""

import pytest

from docparse.layout.ocr.bullets import with_bullets
from docparse.layout.ocr.ticks import boxes_of_form

PAGE = "#set page(width: 420pt, height: 120pt, margin: 30pt)\n#set text(font: {font}, size: 10pt)\n{body}"
BOX = "#box(width: 10pt, height: 10pt, stroke: 0.7pt)"
CROSS = "#place(line(end: (10pt, 10pt)))#place(line(start: (10pt, 0pt), end: (0pt, 10pt)))"
CROSSED = f"#box(width: 10pt, height: 10pt, stroke: 0.7pt)[{CROSS}]"
LATIN = '"Libertinus Serif"'


def drawn(draw, body, font=LATIN):
    return draw(PAGE.replace("{font}", font).replace("{body}", body))


@pytest.mark.parametrize("gap", ["2pt", "6pt"], ids=["right before its word", "apart"])
def test_words_beside_boxes_are_read_without_them(draw, ocr, gap):
    form = rf"The child is at home now: #h(4pt) {BOX}#h({gap})Yes #h(20pt) {CROSSED}#h({gap})No, it is away"
    image = drawn(draw, form)
    words = ocr.read(image).words
    assert " ".join(word.text for word in words) == "The child is at home now: Yes No, it is away"
    assert max(word.size for word in words) < 1.2 * min(word.size for word in words)
    marked = sorted(with_bullets(words, image), key=lambda word: word.box.x0)
    assert " ".join(word.text for word in marked) == "The child is at home now: ☐ Yes ☑ No, it is away"


def test_boxes_of_lines_set_solid_stay_apart(draw, ocr):
    lines = r" \ ".join(f"{BOX} #h(6pt) {word} to the others" for word in ("Referred", "Collected", "Supervised"))
    image = drawn(draw, f"#set par(leading: 3.2pt)\n{lines}")
    words = with_bullets(ocr.read(image).words, image)
    assert sum(word.text == "☐" for word in words) == 3


@pytest.mark.parametrize(
    "body", ["只有一个人口的国家，人口在国内增长。", "国家的人口。 \\ 国内的人口。 \\ 国外的人口。", f"One {BOX} alone"]
)
def test_characters_with_four_sides_and_a_box_alone_stay(draw, body):
    image = drawn(draw, body, '"Noto Sans CJK SC"')
    assert boxes_of_form(image) == []
