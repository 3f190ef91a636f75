"""Pictures: where the figures of a page are, from the PDF's own images and drawings and from the layout detector.

The detector is believed where nothing is printed. It was trained on papers and calls cards, forms and narrow columns
figures too, and their words would be lost to a reader.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median_low

from docparse.layout.chained import without
from docparse.layout.ocr.region import Region
from docparse.layout.text.lines import Line
from docparse.layout.text.wording import PART_CAPTION, count_words
from docparse.types import BULLETS, Box, Category

SMALLEST = 30.0  # points: logos' dots and bullets drawn as images are not figures
PAGE_SHARE = 0.7  # an image larger than this is the page itself
SEAM = 1.5  # points between the tiles of one image
SURE = 0.5  # score from which the detector is believed
INSIDE = 0.7  # share of a line that lies in the picture it belongs to
EDGE = 0.1  # share of a line that lies over a picture, or beside it
SENTENCE = 6  # words: labels have fewer
TOUCH = 0.5  # em between two left edges that are one
BOLD = 0.9  # of the characters of a heading
DISPLAY = 1.4  # times the usual size: words so large are set over a picture, not in it


def find_pictures(
    regions: Sequence[Region],
    images: Sequence[Box],
    drawings: Sequence[Box],
    captioned: Sequence[Box],
    tables: Sequence[Box],
    lines: Callable[[], Sequence[Line]],
    page: Box,
) -> list[Box]:
    """Return boxes of figures, none inside another, none over a table, none that is the paper under printed text.

    `captioned` are figures by their captions, whatever is printed in them. `lines` gives the lines of the page; it is
    called only where a box may be a figure.
    """

    def may_be(box: Box) -> bool:
        over = any(box.inside(table) > 0.5 or table.inside(box) > 0.5 for table in tables)
        return min(box.width, box.height) > SMALLEST and box.area < PAGE_SHARE * page.area and not over

    detected = [r.box for r in regions if r.category is Category.PICTURE and r.score > SURE and may_be(r.box)]
    whole = joined([box & page for box in images], lambda box: (box.y0, box.x0), _continues)
    drawn = list(filter(may_be, [*whole, *drawings]))
    named = list(filter(may_be, captioned))
    if not detected and not drawn:
        return _merged(named)
    printed = lines()
    bare = [box for box in detected if not any(line.box.inside(box) > INSIDE for line in printed)]
    return _merged([*named, *(box for box in [*bare, *drawn] if not is_background(box, printed))])


def is_background(box: Box, lines: Sequence[Line]) -> bool:
    """Return whether lines of prose are printed over it: a scan, a tinted panel, a watermark larger than the column."""
    written = [line for line in lines if line.box.inside(box) > INSIDE and count_words(line.text) >= SENTENCE]
    prose = [line for line in written if is_prose(line, box)]
    return len(written) >= 8 or len(prose) >= 4


def is_prose(line: Line, around: Box) -> bool:
    """Return whether it is a line of text that fills most of what it stands in: a picture, a column."""
    return line.box.width > 0.6 * around.width and count_words(line.text) >= SENTENCE


def _continues(first: Box, second: Box) -> bool:
    """Return whether the boxes share a whole edge, as the strips and tiles do into which some writers cut an image."""
    stacked = abs(first.x0 - second.x0) + abs(first.x1 - second.x1) < SEAM and abs(second.y0 - first.y1) < SEAM
    abreast = abs(first.y0 - second.y0) + abs(first.y1 - second.y1) < SEAM and abs(second.x0 - first.x1) < SEAM
    return stacked or abreast


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes that overlap are one figure: an image and its detected region."""
    return joined(boxes, lambda box: (-box.area,), lambda other, box: box.inside(other.padded(4)) > 0.4)


def joined(
    boxes: Sequence[Box], order: Callable[[Box], tuple[float, ...]], belongs: Callable[[Box, Box], bool]
) -> list[Box]:
    """Return the boxes, in an order, each in one with the first before it that it `belongs` to, until none does."""
    result: list[Box] = []
    for box in sorted(boxes, key=order):
        at = next((i for i, other in enumerate(result) if belongs(other, box)), None)
        if at is None:
            result.append(box)
        else:
            result[at] |= box
    return result if len(result) == len(boxes) else joined(result, order, belongs)


def labels_apart(
    lines: Sequence[Line], pictures: Sequence[Box], charts: Sequence[Box] = ()
) -> tuple[list[Line], list[list[Line]]]:
    """Running text, and for each picture the lines that are its labels.

    Prose, paragraphs, items, display type and the captions of parts over a picture stay in the text, lines that go on
    from these, the heading of the prose under a picture, and all that is printed on a banner, so nothing that a person
    reads is lost. What is printed at the axes of `charts` is a label in type of any size.
    """
    if not pictures:
        return list(lines), []
    running: list[Line] = []
    labels: list[list[Line]] = [[] for _ in pictures]
    large = DISPLAY * median_low([line.size for line in lines for _ in range(line.characters)] or [10.0])
    banners = [_is_banner([line for line in lines if line.box.inside(box) > INSIDE], large) for box in pictures]
    for line in lines:
        home = next((i for i, picture in enumerate(pictures) if line.box.inside(picture) > INSIDE), None)
        charted = any(line.box.inside(chart) > INSIDE for chart in charts)
        display = line.size > large and count_words(line.text) > 1 and not charted
        scale = charted and not any(map(str.isalpha, line.text))
        printed = display or PART_CAPTION.match(line.text) is not None or _is_item(line) or _heads_one(line, lines)
        if home is None or banners[home] or printed or (is_prose(line, pictures[home]) and not scale):
            running.append(line)
        else:
            labels[home].append(line)
    for picture, own in zip(pictures, labels, strict=True):
        over = (line for line in running if line.box.inside(picture) > EDGE)
        text = [line for line in over if line.size > large or count_words(line.text) >= SENTENCE]
        while near := [line for line in own if _is_over(line, running) or any(goes_on(line, other) for other in text)]:
            text += near
            running += near
            own[:] = without(own, near)
    return sorted(running, key=lambda line: (line.box.y0, line.box.x0)), labels


def _is_item(line: Line) -> bool:
    """Return whether it is an item of a list: a bullet before more words than the key of a chart has."""
    return line.text[0] in BULLETS and count_words(line.text) >= SENTENCE


def _heads_one(line: Line, lines: Sequence[Line]) -> bool:
    """Return whether a few bold words stand at the left edge of prose in smaller type, right over it."""
    bold = line.share("bold") >= BOLD and count_words(line.text) > 1
    return bold and any(_is_under(other, line) for other in lines)


def _is_under(line: Line, head: Line) -> bool:
    """Return whether a line of several words begins right under a larger one, at its left edge."""
    flush = abs(line.box.x0 - head.box.x0) < TOUCH * line.size
    near = 0 <= line.box.center[1] - head.box.y1 < head.size
    return flush and near and line.size < head.size and count_words(line.text) >= SENTENCE


def _is_banner(over: Sequence[Line], large: float) -> bool:
    """Return whether the lines over a picture are a heading and what belongs to it: the first in display type, others
    in smaller type, and every row of them begins at one left edge; the labels of a drawing stand all over it."""
    first = min(over, key=lambda line: line.box.y0, default=None)
    if first is None or first.size <= large or all(line.size >= first.size for line in over):
        return False
    begun = [line.box for line in over if abs(line.box.x0 - first.box.x0) < TOUCH * line.size]
    return all(any(line.box.overlap_y(box) > 0 for box in begun) for line in over)


def _is_over(line: Line, running: Sequence[Line]) -> bool:
    """Return whether it is a line of text that goes on right under it, from one edge and as far as the other: where the
    edge of a picture was found too low."""

    def is_next(other: Line) -> bool:
        (x0, x1), em = (line.box.x0 - other.box.x0, line.box.x1 - other.box.x1), line.size
        under = line.box.y0 < other.box.y0 and count_words(other.text) >= SENTENCE
        return under and abs(x0) < TOUCH * em and abs(x1) < em and goes_on(line, other, TOUCH)

    return count_words(line.text) >= SENTENCE and any(map(is_next, running))


def goes_on(line: Line, other: Line, leading: float = 1.0) -> bool:
    """Return whether it is the next or last line of the same text, `leading` em away at most."""
    alike = line is not other and abs(line.size - other.size) < 0.05 * other.size
    return alike and line.box.gap_y(other.box) < leading * other.size and line.box.overlap_x(other.box) > 0
