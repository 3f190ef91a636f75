"""PP-StructureV3: every label it can give, its results in our terms, and one line where it cannot run.

Runs where the extra `paddle` is installed; needs none of its models.
"""

import importlib
import socket
import sys

import numpy as np
import pytest

from docparse.errors import EnvironmentProblem, ExitCode
from docparse.layout.ocr.paddle import CATEGORIES, PaddleLayout, category_of, regions_of
from docparse.pdf.content import PageImage
from docparse.types import Box, Category

PAGE = PageImage(np.full((1600, 1200, 3), 255, np.uint8), 2.0)  # 600 x 800 points


@pytest.fixture
def layout_block():
    """PP-StructureV3's own class of result."""
    pytest.importorskip("paddleocr", reason="the extra paddle is not installed")
    from paddlex.inference.pipelines.layout_parsing.layout_objects import LayoutBlock

    return LayoutBlock


def fails(match, **how):
    with pytest.raises(EnvironmentProblem, match=match) as caught:
        PaddleLayout(**how).detect(PAGE)
    assert caught.value.exit_code is ExitCode.ENVIRONMENT


def test_without_paddleocr_the_error_is_one_line_that_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "paddleocr", None)
    fails(r"pip install -e '\.\[paddle\]'")


def test_without_network_and_models_the_error_says_how_to_get_them(monkeypatch, tmp_path):
    pytest.importorskip("paddleocr", reason="the extra paddle is not installed")
    hub = importlib.import_module("paddlex.inference.utils.official_models")
    monkeypatch.setattr(type(hub.official_models), "_save_dir", tmp_path)
    monkeypatch.setattr(socket.socket, "connect", lambda *a: pytest.fail("looked for the network while offline"))
    fails("official_models", offline=True)


def test_blocks_become_regions_in_reading_order(layout_block):
    blocks = [
        layout_block("doc_title", [200, 100, 1000, 160], "A Title"),
        layout_block("text", [100, 200, 580, 900], " First column.\n"),
        layout_block("table", [620, 200, 1100, 500], "<html><body><table><tr><td>1</td></tr></table></body></html>"),
        layout_block("formula", [620, 520, 1100, 600], "E = mc^2"),
        layout_block("figure_title", [620, 700, 1100, 740], "Figure 1. A cat."),
        layout_block("number", [580, 1540, 620, 1570], "3"),
        layout_block("chart", [0, 0, 100, 100], {"result": 1}),  # the chart model may hand over a dictionary
        layout_block("image", [-10, -10, 5000, 400]),  # clipped to the page
        layout_block("text", [1300, 10, 1400, 20], "outside"),  # dropped
    ]
    for index, block in enumerate(blocks):
        block.index = index
    detection = {"boxes": [{"label": "doc_title", "score": 0.75, "coordinate": [200.4, 100.9, 1000.2, 160.7]}]}
    regions = regions_of({"parsing_res_list": blocks, "layout_det_res": detection}, PAGE)
    assert [(region.order, region.category) for region in regions] == list(enumerate((
        Category.TITLE, Category.TEXT, Category.TABLE, Category.FORMULA, Category.CAPTION, Category.PAGE_FOOTER,
        Category.PICTURE, Category.PICTURE,
    )))  # fmt: skip
    assert (regions[0].box, regions[0].score, regions[7].box) == (Box(100, 50, 500, 80), 0.75, Box(0, 0, 600, 200))
    assert [regions[i].content for i in (1, 3, 6)] == ["First column.", "E = mc^2", ""]
    assert regions[2].content.startswith("<html>")


def test_every_label_of_the_installed_release_is_known():
    pytest.importorskip("paddleocr", reason="the extra paddle is not installed")
    from paddlex.inference.pipelines.layout_parsing.setting import BLOCK_LABEL_MAP

    labels = {label for group in BLOCK_LABEL_MAP.values() for label in group}
    assert labels - set(CATEGORIES) == {"number"}


@pytest.mark.parametrize(
    "label, y, category",
    [("number", 20, Category.PAGE_HEADER), ("number", 780, Category.PAGE_FOOTER), ("hologram", 400, Category.TEXT)],
)
def test_a_page_number_belongs_to_the_nearer_edge_and_an_unknown_label_is_text(label, y, category):
    assert category_of(label, Box(290, y, 310, y + 10), Box(0, 0, 600, 800)) is category
