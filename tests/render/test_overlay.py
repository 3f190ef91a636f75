"""The layout picture shows every page, upright, with its blocks where they are."""

import numpy as np
import pypdfium2
import pytest
from blocks import block, page

from docparse.errors import PageError
from docparse.pdf.content import PageContent, PageImage, TextQuality
from docparse.render.overlay import COLOURS, draw_layout, write_layout_pdf
from docparse.types import Box, Category


class Sheets:
    """A document of blank sheets, 200 x 300 points, with a black mark in the top left corner."""

    def __init__(self, rotation=0):
        self.rotation, self.asked = rotation, []

    def page(self, number, *, text_layer=True):
        self.asked.append(number)
        if number == 13:
            raise PageError("page 13: damaged")
        return PageContent(number, 200, 300, self.rotation, None, TextQuality.NONE, np.zeros((0, 4)), (), self._draw)

    def _draw(self, dpi):
        pixels = np.full((300 * dpi // 72, 200 * dpi // 72, 3), 255, dtype=np.uint8)
        pixels[: 30 * dpi // 72, : 20 * dpi // 72] = 0
        return PageImage(pixels, dpi / 72)


def sheet(number, *blocks, width=200, height=300, **fields):
    return page(number, *blocks, width=width, height=height, **fields)


@pytest.fixture
def pictures(tmp_path):
    def draw(sheets, *pages, **how):
        write_layout_pdf(sheets, iter(pages), tmp_path / "layout.pdf", **how)
        with pypdfium2.PdfDocument(tmp_path / "layout.pdf") as pdf:
            return [page.render(scale=1).to_numpy()[..., ::-1] for page in pdf]

    return draw


def test_blocks_are_drawn_where_they_are(pictures):
    plain, drawn = pictures(Sheets(), sheet(1), sheet(2, block("Table", box=Box(40, 100, 160, 250))), dpi=72)
    assert plain.shape == drawn.shape == (300, 200, 3)
    assert plain[200, 100].min() > 250
    assert drawn[10, 10].max() < 60  # the page itself is there
    edge = drawn[170:180, 38:43].astype(int)
    assert np.abs(edge - np.array(COLOURS[Category.TABLE])).sum(axis=2).min() < 90
    assert drawn[200, 100, 1] < 250  # tinted inside
    assert drawn[280, 20].min() > 250  # untouched outside


@pytest.mark.parametrize("turn, corner", [(90, (10, 290)), (180, (290, 190)), (270, (190, 10))])
def test_a_page_the_layout_turned_is_turned(pictures, turn, corner):
    width, height = (200, 300) if turn == 180 else (300, 200)
    [picture] = pictures(Sheets(90), sheet(1, width=width, height=height, rotation=(90 + turn) % 360))
    assert picture.shape[:2] == (height, width)
    assert picture[corner].max() < 60


def test_failed_pages_are_sheets_and_are_not_opened_again(pictures):
    sheets = Sheets()
    first, second = pictures(sheets, sheet(5, failed="crash"), sheet(13))
    assert sheets.asked == [13]
    assert first.min() < 100  # the banner
    assert second.min() > 250


def test_boxes_beyond_the_page_are_clipped():
    small = page(1, block("Text", box=Box(-50, -50, 500, 500)), block("Text", box=Box(19, 29, 3, 2)),
                 width=20, height=30)  # fmt: skip
    assert draw_layout(small, PageImage(np.full((30, 20, 3), 255, dtype=np.uint8), 1.0)).size == (20, 30)
