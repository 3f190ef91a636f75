"""The layout model: names and places of regions on pages whose layout is known."""

import socket

import numpy as np
import pytest

from docparse.layout.detect import LayoutDetector
from docparse.pdf.content import PageImage
from docparse.types import Box, Category

SOURCE = """
#set page(width: 595pt, height: 842pt, margin: 70pt)
#set par(justify: true)
= Results of the Survey
#lorem(90)

#figure(caption: [Counts of the birds seen by year and region.], kind: table,
  table(columns: (1fr, 1fr, 1fr, 1fr), [Year], [North], [South], [Both], ..range(32).map(i => [#(i * 37)])))

== Discussion of the Results
#lorem(120)
"""


@pytest.fixture(scope="module")
def detector():
    return LayoutDetector(threads=1)


def test_text_and_table_are_found_where_they_are(draw, detector):
    regions = detector.detect(draw(SOURCE))
    by_category = {c: [r for r in regions if r.category is c] for c in Category}
    assert len(by_category[Category.TABLE]) == 1
    table = by_category[Category.TABLE][0].box
    texts = [region.box for region in by_category[Category.TEXT] if region.box.height > 30]
    assert len(texts) == 2
    above, below = sorted(texts, key=lambda box: box.y0)
    assert above.y1 < table.y0 + 5 and table.y1 < below.y0 + 5
    assert 60 < above.x0 < 80 and 515 < above.x1 < 535
    assert by_category[Category.SECTION_HEADER]


def test_boxes_do_not_depend_on_the_resolution(draw, detector):
    coarse, fine = (
        next(r.box for r in detector.detect(draw(SOURCE, dpi)) if r.category is Category.TABLE) for dpi in (100, 200)
    )
    assert (coarse & fine).area > 0.85 * max(coarse.area, fine.area)


def test_a_blank_page_has_no_regions(detector):
    assert detector.detect(PageImage(np.full((800, 600, 3), 255, np.uint8), 1.0)) == []


def test_a_scan_is_not_one_big_figure(detector):
    """A dark noisy scan of nothing: the model may call the whole page a figure, we do not."""
    noise = np.random.default_rng(0).integers(60, 200, (40, 30, 3), np.uint8).repeat(20, 0).repeat(20, 1)
    page = Box(0, 0, 600, 800)
    regions = detector.detect(PageImage(noise, 1.0))
    assert not [r for r in regions if r.category is Category.PICTURE and r.box.area > 0.75 * page.area]


def test_regions_are_on_the_page_with_probabilities(draw, detector):
    for region in detector.detect(draw(SOURCE)):
        assert 0 <= region.box.x0 < region.box.x1 <= 595.5 and 0 <= region.box.y0 < region.box.y1 <= 842.5
        assert 0.4 < region.score <= 1


def test_the_model_comes_from_the_disk_never_the_network(draw, monkeypatch):
    image = draw(SOURCE)
    monkeypatch.setattr(socket, "socket", lambda *a, **k: pytest.fail("opened a socket"))
    assert LayoutDetector().detect(image)
