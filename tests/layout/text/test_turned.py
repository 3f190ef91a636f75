"""Turned text: whole lines, whichever way they run."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import word

from docparse.layout.ocr.result import OcrResult
from docparse.layout.stages.words import ocr
from docparse.layout.state import PageState
from docparse.layout.text.turned import is_vertical, turned_lines
from docparse.layout.text.words import Word
from docparse.pdf.content import PageContent, PageImage, TextQuality, no_boxes
from docparse.types import Box

TEXT = ["Downloaded", "from", "a", "library"]


def words(angle, column=20.0):
    """The words of TEXT along one line, each 40 points long with spaces of 4."""
    result = []
    for i, part in enumerate(TEXT):
        start, end = 44.0 * i, 44.0 * i + 40
        box = {
            90: Box(column, 100 + start, column + 10, 100 + end),
            270: Box(column, 600 - end, column + 10, 600 - start),
            180: Box(400 - end, column, 400 - start, column + 10),
        }[angle]
        result.append(Word(text=part, box=box, baseline=column + 8, size=10, angle=angle))
    return result


@given(st.permutations(words(90) + words(270, 400.0) + words(180)))
def test_words_of_a_turned_line_are_one_line_in_reading_order_whatever_theirs_is(shuffled):
    assert [line.text for line in turned_lines(shuffled)] == [" ".join(TEXT)] * 3


FAR = words(90)[::3]


@pytest.mark.parametrize(
    "found, count", [(words(90) + words(90, 32.0), 2), (FAR, 2), ([word("upright")], 0)],
    ids=["side by side", "far apart", "upright"],
)  # fmt: skip
def test_other_words_are_no_part_of_a_turned_line(found, count):
    assert len(turned_lines(found)) == count


def test_columns_of_chinese_are_vertical_writing_and_a_label_beside_text_is_not():
    column = Word(text="故諺言曰心悲名曰志", box=Box(60, 140, 90, 770), baseline=88, size=26, angle=270)
    text = Word(text="下水所由生水宗者積水也", box=Box(60, 80, 300, 94), baseline=92, size=12)
    assert is_vertical([column])
    assert not is_vertical([column, text])
    assert not is_vertical(words(270))


def scan(found):
    """A scanned page of 400 by 600 points on which OCR found these words."""

    def draw(dpi):
        return PageImage(np.full((600, 400, 3), 255, np.uint8), 1.0)

    content = PageContent(1, 400, 600, 0, None, TextQuality.NONE, no_boxes(), (), draw)
    engines = SimpleNamespace(settings=None, ocr_dpi=lambda _: 72, read=lambda _: OcrResult(found))
    return ocr(PageState(content=content, engines=engines, ocr=True))


@pytest.mark.parametrize("angle", [90, 270])
def test_a_scan_of_chinese_in_columns_is_turned_so_that_they_are_lines_in_their_order(angle):
    def column(text, x):
        baseline = x + (4 if angle == 90 else 16)
        return Word(text=text, box=Box(x, 100, x + 20, 300), baseline=baseline, size=20, angle=angle)

    page = word("第三頁", x=180, baseline=588)
    after = scan([page, column("水宗者積水也", 200), column("下水所由生", 240)])
    assert (after.content.width, after.content.height, after.content.rotation) == (600, 400, 270)
    label, second, first = after.words
    assert (first.angle, first.box, first.baseline) == (0, Box(100, 140, 300, 160), 156)
    assert (second.angle, second.box, second.baseline) == (0, Box(100, 180, 300, 200), 196)
    assert label.angle == 270 and label.box.x0 > 500


def test_a_scan_with_a_label_that_runs_down_is_not_turned():
    label = Word(text="水宗者", box=Box(10, 100, 30, 160), baseline=14, size=20, angle=90)
    after = scan([word("several words of text", x=60, baseline=100), label])
    assert after.content.width == 400 and [each.angle for each in after.words] == [0, 90]
