"""Paper that did not lie flat: its lines are made level, and where nothing bends smoothly nothing is moved."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from docparse.layout.ocr.bends import POINTS, bend_on, find_bend, unbent
from docparse.layout.ocr.detector import LineFinder
from docparse.pdf.content import PageContent, PageImage, TextQuality, no_boxes

WIDTH, HEIGHT, LINE = 800, 1000, 20
ROWS = range(100, 900, 40)
ENDS = 100, 700


def curl(x, y):
    """How much lower a page is that falls into its fold at the left, the more so at its foot."""
    return 30 * (1 - x / WIDTH) ** 3 * (1 + y / HEIGHT)


def perspective(x, y):
    return (x / WIDTH - 0.5) * (y / HEIGHT - 0.5) * 60


def spines(fall, ends=ENDS):
    x = np.linspace(*ends, POINTS)
    return [np.stack([x, y + fall(x, y)], axis=1) for y in ROWS]


def page(fall):
    """A page of strokes, drawn where their lines are."""
    pixels = np.full((HEIGHT, WIDTH, 3), 250, np.uint8)
    for spine in spines(fall):
        cv2.polylines(pixels, [np.round(spine).astype(np.int32)], False, (20, 20, 20), 5)
    image = PageImage(pixels, 1.0)
    return PageContent(1, WIDTH, HEIGHT, 0, None, TextQuality.NONE, no_boxes(), (), lambda dpi: image)


def climbs(content):
    """How many pixels each stroke rises or falls on the page as it is drawn."""
    ink = content.render(72).pixels[:, ENDS[0] + 5 : ENDS[1] - 5, 0] < 128
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    assert count == 1 + len(ROWS)
    return stats[1:, cv2.CC_STAT_HEIGHT] - 5


@pytest.mark.parametrize("fall", [curl, perspective])
def test_lines_that_bend_together_are_drawn_level(fall):
    bent = page(fall)
    assert climbs(bent).max() >= LINE
    assert climbs(unbent(bent, find_bend(spines(fall), (HEIGHT, WIDTH), LINE))).max() <= 4


def test_a_bend_is_told_by_most_lines_and_not_by_two_that_were_taken_for_one():
    seen = spines(curl)
    seen[5][6:, 1] += 40
    level = unbent(page(curl), find_bend(seen, (HEIGHT, WIDTH), LINE))
    assert np.sort(climbs(level))[-2] <= 4


@pytest.mark.parametrize(
    "seen",
    [
        spines(lambda x, y: 0.1 * curl(x, y)),
        spines(curl)[:5],
        spines(lambda x, y: (x - 400) * (0.06 if y // 40 % 2 else -0.06)),
    ],
    ids=["hardly bent", "few lines", "each at its own slant"],
)
def test_other_pages_stay_as_they_are(seen):
    assert find_bend(seen, (HEIGHT, WIDTH), LINE) is None
    before = page(curl)
    assert unbent(before, None) is before


def test_a_page_that_curls_is_seen_to_and_a_flat_one_is_not(prose, ocr):
    assert bend_on(prose, ocr.finder) is None
    height, width = prose.pixels.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    curled = cv2.remap(prose.pixels, x, y - 60 * (1 - x / width) ** 3, cv2.INTER_LINEAR, borderValue=(255,) * 3)
    seen = bend_on(PageImage(curled, prose.scale), ocr.finder)
    assert seen is not None
    level = seen.flattened(PageImage(curled, prose.scale))
    assert bend_on(level, ocr.finder) is None


@pytest.mark.parametrize("speck", [(2, 7), (2, 12), (1, 1)])
def test_a_speck_is_no_long_line(speck):
    seen = np.zeros((40, 100), np.uint8)
    seen[10:13, 10:90] = 1
    seen[30 : 30 + speck[0], 50 : 50 + speck[1]] = 1
    contours = cv2.findContours(seen, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]
    finder = SimpleNamespace(_map=lambda pixels: SimpleNamespace(contours=contours, scale_x=1.0, scale_y=1.0))
    [middle] = LineFinder.spines(finder, seen, 5)
    np.testing.assert_allclose(middle[:, 1], 11)
