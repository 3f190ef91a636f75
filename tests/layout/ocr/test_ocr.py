"""OCR: what is printed is read, and every word stands where its ink is."""

import re
import socket
from types import SimpleNamespace

import cv2
import numpy as np
import pypdfium2
import pytest
from readings import reading

from docparse.layout.ocr.detector import LineBox
from docparse.layout.ocr.engine import OcrEngine
from docparse.pdf.content import PageImage
from docparse.types import Box

PAGE = "#set page(width: 420pt, height: 420pt, margin: 40pt)\n#set text(size: 11pt, hyphenate: false)\n"
LINES = [
    "The quick brown fox jumps over the lazy dog.",
    "Pack my box with five dozen liquor jugs!",
    "In 1998, 42% said no.",
]


def text_of(words):
    return " ".join(word.text for word in words)


REVERSED = "#box(fill: black, inset: 12pt, text(fill: white)[Printed in reverse])"


def test_a_clean_page_is_read_exactly_with_models_from_the_disk(draw, monkeypatch):
    image = draw(PAGE + "\n\n".join([*LINES, REVERSED]))
    monkeypatch.setattr(socket, "socket", lambda *a, **k: pytest.fail("opened a socket"))
    assert text_of(OcrEngine().read(image).words) == " ".join([*LINES, "Printed in reverse"])


@pytest.mark.parametrize("shape", [(400, 300), (1, 1), (2, 900), (900, 2), (33, 33)])
def test_a_blank_page_or_one_too_small_for_text_has_no_words(ocr, shape):
    image = PageImage(np.full((*shape, 3), 255, np.uint8), 2.0)
    assert ocr.read(image).words == [] and ocr.finder.spines(image.pixels, 5) == []


def test_words_stand_on_their_ink(typst_pdf, draw, ocr):
    """Against the boxes that the PDF itself gives: within a point, at every size."""
    source = PAGE + "#text(8pt)[Small type here] \\ \n#text(11pt)[Running words along] \\ \n#text(24pt)[Large heading]"
    with pypdfium2.PdfDocument(typst_pdf(source, "engines")) as document:
        page = document[0].get_textpage()
        text, height = page.get_text_range(), document[0].get_height()
        truth = [(m.group(), m.start(), m.end() - 1) for m in re.finditer(r"[A-Za-z]+", text)]
        inks = {t: Box(page.get_charbox(a)[0], height - max(page.get_charbox(i)[3] for i in range(a, b + 1)),
                       page.get_charbox(b)[2], height - min(page.get_charbox(i)[1] for i in range(a, b + 1)))
                for t, a, b in truth}  # fmt: skip
    words = {word.text: word for word in ocr.read(draw(source)).words}
    assert set(words) == set(inks)
    for name, ink in inks.items():
        box = words[name].box
        assert abs(box.x0 - ink.x0) < 1.2 and abs(box.x1 - ink.x1) < 1.2, name
        assert ink.inside(box) > 0.85, name


@pytest.mark.parametrize("size", [8, 11, 18])
def test_size_and_baseline_do_not_depend_on_the_letters(draw, ocr, size):
    lines = ["no ascenders see nor hear", "Typography by Happy Penguins", "HELLO WORLD 2024", "our own sea can soar"]
    places = {text: 60 * number for number, text in enumerate(lines, 1)}
    placed = (
        f'#place(top + left, dy: {down}pt, text(size: {size}pt, top-edge: "baseline")[{text}])'
        for text, down in places.items()
    )
    found = ocr.read(draw(PAGE + "\n".join(placed))).words
    assert text_of(found) == " ".join(lines)
    baselines = [40 + down for text, down in places.items() for _ in text.split()]
    assert [word.baseline for word in found] == pytest.approx(baselines, abs=0.8)
    assert [word.size for word in found] == pytest.approx([size] * len(found), rel=0.15)


def test_reading_order_is_top_down_and_left_to_right(draw, ocr):
    image = draw(PAGE + "#table(columns: (1fr, 1fr), stroke: none)[North][South][East][West]")
    words = ocr.read(image).words
    assert [word.text for word in words] == ["North", "South", "East", "West"]
    assert [word.index for word in words] == [0, 1, 2, 3]


def test_a_dash_before_a_line_is_read_in_the_type_of_its_line(draw, ocr):
    """The detector leaves lone strokes out."""
    words = ocr.read(draw(PAGE + "\n\n".join(f"#box(width: 40pt)[—]{line}" for line in LINES))).words
    dashes = [word for word in words if word.text == "–"]
    assert text_of(words) == " ".join(f"– {line}" for line in LINES)
    assert [word.box.x0 for word in dashes] == pytest.approx([40] * len(LINES), abs=3)
    for dash in dashes:
        after = words[dash.index + 1]
        assert dash.baseline == pytest.approx(after.baseline, abs=0.8)
        assert dash.size == pytest.approx(after.size, rel=0.05)


def test_strokes_behind_lines_and_those_of_a_drawing_say_nothing(draw, ocr):
    strokes = [f"#place(top + left, dx: {40 * i + 90}pt, dy: {7 * i}pt, line(length: 9pt))" for i in range(6)]
    drawn = [f"#place(top + left, dx: {70 + i * 37 % 260}pt, dy: {90 + i * 3}pt, line(length: 8pt))" for i in range(80)]
    behind = [f"{line} #h(30pt) —" for line in LINES]
    assert text_of(ocr.read(draw(PAGE + "\n\n".join(behind))).words) == " ".join(LINES)
    marked = PAGE + "".join(strokes + drawn) + "Level #v(90pt) Upper line #v(90pt) Lower line"
    assert text_of(ocr.read(draw(marked)).words) == "Level Upper line Lower line"


def test_letters_apart_are_read(draw, ocr):
    letters = PAGE + "\n\n".join("#h(20pt)".join("ABCD") for _ in range(3))
    assert text_of(ocr.read(draw(letters)).words) == " ".join("ABCD" * 3)


def test_type_that_is_squeezed_is_read(draw, ocr):
    image = draw(PAGE + "\n\n".join(LINES))
    squeezed = cv2.resize(image.pixels, None, fx=0.4, fy=1.0, interpolation=cv2.INTER_AREA)
    assert text_of(ocr.read(PageImage(squeezed, image.scale)).words) == " ".join(LINES)


def test_noise_is_read_from_wider_pictures_for_less_than_its_time_again(monkeypatch):
    widths = []

    def read(picture):
        widths.append(picture.shape[1])
        return reading("noise", 0.3)

    def time_of(wider):
        monkeypatch.setattr("docparse.layout.ocr.engine.WIDER", wider)
        widths.clear()
        engine.read(page, boxes=[Box(20, 20 * k, 280, 20 * k + 14) for k in range(1, 20)])
        return sum(widths)

    engine, page = OcrEngine(), PageImage(np.full((800, 600, 3), 255, np.uint8), 2.0)
    monkeypatch.setitem(vars(engine), "reader", SimpleNamespace(read=read))
    monkeypatch.setattr(engine, "_in_other_alphabets", lambda lines: {})
    assert time_of(()) < time_of((1.5, 2.0)) < 2 * time_of(())


def test_lines_known_beforehand_are_read_and_no_others(draw, ocr):
    image = draw(PAGE + "Upper line of text #v(200pt) Lower line of text")
    assert text_of(ocr.read(image, boxes=[Box(36, 255, 140, 273)]).words) == "Lower line of text"


def test_a_leaning_scan_is_read_with_words_on_their_lines(draw, ocr, leaning):
    image = draw(PAGE + "\n\n".join(LINES))
    words = ocr.read(PageImage(leaning(image, 2.0), image.scale)).words
    assert text_of(words) == " ".join(LINES)
    first = words[: len(LINES[0].split())]
    slope = np.polyfit([word.box.center[0] for word in first], [word.baseline for word in first], 1)[0]
    assert np.degrees(np.arctan(slope)) == pytest.approx(2.0, abs=0.4)


@pytest.mark.parametrize("angle", [90, 180, 270])
def test_turned_text_is_read_with_its_angle(draw, ocr, angle):
    words = ocr.read(draw(PAGE + f"#rotate({angle}deg, reflow: true)[Stamped along the margin]")).words
    assert {word.angle for word in words} == {angle}
    assert sorted(word.text for word in words) == ["Stamped", "along", "margin", "the"]
    along = [word.box.center[angle != 180] for word in words]
    assert along == sorted(along, reverse=angle > 90)


@pytest.mark.parametrize(
    "upright, sideways, expected",
    [
        (("2", 0.8), "2", ("2", 0)),
        (("2", 0.1), "N", ("N", 90)),
        (("2", 0.8), "Names", ("Names", 90)),
        (("Z", 0.8), "N", ("N", 90)),
    ],
)
def test_a_figure_alone_stands_upright_if_it_can_be_read_so(monkeypatch, upright, sideways, expected):
    """A tall box is tried upright and on both sides, where the figure may look surer."""
    ways = iter([upright, (sideways, 0.95), ("Z", 0.9)])
    engine = OcrEngine()

    def read(picture):
        return reading(*next(ways))

    monkeypatch.setitem(vars(engine), "reader", SimpleNamespace(read=read))
    image = PageImage(np.full((60, 60, 3), 255, np.uint8), 2.0)
    best = engine._read_line(image, LineBox(30, 30, 10, 22, 0.0), 1.0, mark=False)
    assert (best.reading.text, best.angle) == expected


def test_words_heavier_than_the_page_are_bold(draw, ocr):
    """Larger type is not bold for being large; a figure before a bold word is bold with it."""
    filler = "Some words of prose that run on for a while so that the page has a weight of its own. " * 4
    source = f"#text(weight: 700)[1 Introduction]\n\n{filler}\n\n#text(18pt)[Large letters]\n\n*Clock.* {filler}"
    bold = [word.text for word in ocr.read(draw(PAGE + source)).words if word.bold]
    assert bold == ["1", "Introduction", "Clock."]


def test_a_page_of_one_weight_has_no_bold_words(draw, ocr):
    words = ocr.read(draw(PAGE + "*" + "Every word on this page is set in the same heavy face. " * 6 + "*")).words
    assert len(words) > 50
    assert not any(word.bold for word in words)
