"""The layout picture shows every page, upright, with its blocks where they are."""

import numpy as np
import pypdfium2
import pytest

from docparse.errors import PageError
from docparse.pdf.content import PageContent, PageImage, TextQuality
from docparse.render.overlay import COLOURS, draw_layout, write_layout_pdf
from docparse.types import Block, Box, Category, Page


class Sheets:
    """A document of blank sheets, 200 x 300 points, with a black mark in the top left corner."""

    def __init__(self, rotation: int = 0) -> None:
        self.rotation = rotation
        self.asked: list[int] = []

    def page(self, number: int, *, text_layer: bool = True) -> PageContent:
        self.asked.append(number)
        if number == 13:
            raise PageError("page 13: damaged")
        return PageContent(number, 200, 300, self.rotation, None, TextQuality.NONE, np.zeros((0, 4)), (), self._draw)

    def _draw(self, dpi: int) -> PageImage:
        pixels = np.full((300 * dpi // 72, 200 * dpi // 72, 3), 255, dtype=np.uint8)
        pixels[: 30 * dpi // 72, : 20 * dpi // 72] = 0
        return PageImage(pixels, dpi / 72)


def pictures(path) -> list[np.ndarray]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.render(scale=1).to_numpy()[..., ::-1] for page in pdf]


def test_blocks_are_drawn_where_they_are(tmp_path):
    block = Block(category=Category.TABLE, box=Box(40, 100, 160, 250))
    pages = (Page(number=n, width=200, height=300, blocks=(block,) * (n == 2)) for n in (1, 2))
    out = tmp_path / "layout.pdf"
    write_layout_pdf(Sheets(), pages, out, dpi=72)
    plain, drawn = pictures(out)
    assert plain.shape == drawn.shape == (300, 200, 3)
    assert plain[200, 100].min() > 250
    assert drawn[10, 10].max() < 60  # the page itself is there
    edge = drawn[170:180, 38:43].astype(int)
    assert np.abs(edge - np.array(COLOURS[Category.TABLE])).sum(axis=2).min() < 90
    assert drawn[200, 100, 1] < 250  # tinted inside
    assert drawn[280, 20].min() > 250  # untouched outside


@pytest.mark.parametrize(("turn", "corner"), [(90, (10, 290)), (180, (290, 190)), (270, (190, 10))])
def test_a_page_the_layout_turned_is_turned(tmp_path, turn, corner):
    size = (200, 300) if turn == 180 else (300, 200)
    write_layout_pdf(Sheets(90), [Page(number=1, width=size[0], height=size[1], rotation=(90 + turn) % 360)],
                     tmp_path / "x.pdf")  # fmt: skip
    (picture,) = pictures(tmp_path / "x.pdf")
    assert picture.shape[:2] == size[::-1]
    assert picture[corner].max() < 60


def test_failed_pages_are_sheets_and_are_not_opened_again(tmp_path):
    sheets = Sheets()
    failed = Page(number=5, width=200, height=300, status="failed", error_category="crash")
    write_layout_pdf(sheets, [failed, Page(number=13, width=200, height=300)], tmp_path / "x.pdf")
    assert sheets.asked == [13]
    first, second = pictures(tmp_path / "x.pdf")
    assert first.min() < 100  # the banner
    assert second.min() > 250


def test_boxes_beyond_the_page_are_clipped():
    page = Page(
        number=1,
        width=20,
        height=30,
        blocks=(
            Block(category=Category.TEXT, box=Box(-50, -50, 500, 500)),
            Block(category=Category.TEXT, box=Box(19, 29, 3, 2)),
        ),
    )
    assert draw_layout(page, PageImage(np.full((30, 20, 3), 255, dtype=np.uint8), 1.0)).size == (20, 30)
