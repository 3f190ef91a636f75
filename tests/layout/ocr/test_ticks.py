"""Boxes to tick on page images: OCR reads the words beside them as if they were not there, and Chinese as it is."""

import pytest

from docparse.layout.ocr.bullets import with_bullets
from docparse.layout.ocr.ticks import boxes_of_form

PAGE = '#set page(width: 420pt, height: 120pt, margin: 30pt)\n#set text(font: "Libertinus Serif", size: 10pt)\n'
BOX = "#box(width: 10pt, height: 10pt, stroke: 0.7pt)"
CROSS = "#place(line(end: (10pt, 10pt)))#place(line(start: (10pt, 0pt), end: (0pt, 10pt)))"
CROSSED = f"#box(width: 10pt, height: 10pt, stroke: 0.7pt)[{CROSS}]"


def drawn(draw, body):
    return draw(PAGE + body)


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


@pytest.mark.parametrize("size", [9, 10, 12])
@pytest.mark.parametrize("text", ["口 口、口 口", "国 口 国 口", "田 口 因 口"])
def test_characters_with_four_sides_stay(draw, text, size):
    assert boxes_of_form(drawn(draw, "".join(character(each, size) for each in text))) == []


def character(text, size):
    """Strokes of a character, which no font of the tests has: the sides of it reach below the lower stroke."""
    at = {
        "口": [(0, 0, 0, 10), (9, 0, 9, 10), (0, 0, 9, 0), (0, 9, 9, 9)],
        "国": [(2, 2.5, 7, 2.5), (2, 4.5, 7, 4.5), (2, 7, 7, 7), (4.5, 2.5, 4.5, 7)],
        "田": [(0, 4.5, 9, 4.5), (4.5, 0, 4.5, 9)],
        "因": [(2, 3, 7, 3), (4.5, 1.5, 4.5, 3), (4.5, 3, 2, 8), (4.5, 3, 7, 8)],
    }
    strokes = [*at.get(text, []), *(at["口"] if text in at else [])]
    ends = ((f"({x0 * size / 10}pt, {y0 * size / 10}pt)", f"({x1 * size / 10}pt, {y1 * size / 10}pt)")
            for x0, y0, x1, y1 in strokes)  # fmt: skip
    lines = "".join(f"#place(line(start: {start}, end: {end}, stroke: 0.8pt))" for start, end in ends)
    return f"#box(width: {size}pt, height: {size}pt)[{lines}]#h(4pt)"


@pytest.mark.parametrize("side", [7.2, 9, 11.3])
def test_boxes_of_all_sizes_are_those_of_a_form_but_one_alone(draw, side):
    box = f"box(width: {side}pt, height: {side}pt, stroke: 0.5pt)"
    assert len(boxes_of_form(drawn(draw, f"#for _ in range(10) {{ {box}; h(8.3pt) }}"))) == 10
    assert boxes_of_form(drawn(draw, f"One #{box} alone")) == []


@pytest.mark.parametrize("sign, count", [("✓", 3), ("✔", 3), *((each, 2) for each in "147AFJKVYZ")])
@pytest.mark.parametrize("size", [10, 12])
def test_boxes_with_check_marks_are_those_of_a_form_but_with_letters_and_figures_not(draw, sign, count, size):
    box = f"#box(width: {size}pt, height: {size}pt, stroke: 0.6pt)"
    printed = f'#align(center + horizon, text({0.8 * size}pt, font: "DejaVu Sans Mono")[{sign}])'
    assert len(boxes_of_form(drawn(draw, f"{box} yes #h(1em) {box} no #h(1em) {box}[{printed}] sure"))) == count
