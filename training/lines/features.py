"""What can be said of a line of text in numbers, without pixels: its type, its place, its shape, its neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from docparse.layout.text.lines import Line
from docparse.layout.text.markers import BULLETS, is_marker
from docparse.layout.text.stacks import Columns, lines_above, usual_leading
from docparse.types import Box, union

FAR = 12.0  # em: distances are cut off here, so that one wide gap says no more than another
PROSE = 25  # characters: a line at least this long is running text
ABSENT = -9.0  # a neighbour that is not there
NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\[\d{1,3}\]")
SECTION = re.compile(r"\d{1,2}(?:\.\d{1,3})+\.?|\d{1,2}")
LABEL = re.compile(  # "Figure 3."
    r"\(?[^\W\d]{3,12}\.?\s*\(?\d{1,3}\)?\s*(?:[.:|–—-]|$)|[^\W\d]{3,12}\.?\s\d{1,3}\s"
)
LEADER = re.compile(r"(?:[.·…_‥]\s?){4,}|…")
ENDS = (".", ":", ",", ";?!", "-–—", ")”\"'")
CODE = "{}[]()=<>_;/\\|$#@&*+\"'`"

OWN = (
    "size", "prose", "bold", "italic", "mono", "math", "font", "styled", "length", "words", "width", "left", "right",
    "centre", "column", "stack", "x0", "x1", "y0", "y1", "first", "last", "beside", "aligned", "above", "below",
    "leading", "looser", "letters", "capitals", "digits", "punctuation", "code", "begins", "bullet", "number",
    "section", "label", "leader", "end", "title", "raised", "tab", "stroke_over", "stroke_under", "filled",
    "float_over", "float_under", "short",
)  # fmt: skip
NEAR = (
    "size", "bold", "italic", "mono", "styled", "length", "left", "right", "begins", "bullet", "number", "end",
    "leader", "capitals", "code", "section", "label",
)  # fmt: skip
BETWEEN = ("gap", "indent", "reach", "larger", "same", "hang", "filled")
STEPS = (-2, -1, 1, 2)  # lines further up and down the same stack
NAMES = OWN + tuple(f"{name}{step:+d}" for step in STEPS for name in (*NEAR, *BETWEEN))


def features(
    lines: Sequence[Line], page: Box, strokes: np.ndarray, floats: Sequence[Box], fills: np.ndarray
) -> tuple[np.ndarray, list[int | None]]:
    """float32 [n, len(NAMES)], and for every line the one above it in its stack.

    `lines` are sorted by their top edge; `strokes` and `fills` are float32 [m, 4].
    """
    above = lines_above(lines)
    own = _own(lines, above, page, strokes, floats, fills)
    column = {name: own[:, OWN.index(name)] for name in OWN}
    near = own[:, [OWN.index(name) for name in NEAR]]
    up = np.array([-1 if a is None else a for a in above], int)
    down = np.full(len(lines), -1)
    for i in range(len(lines) - 1, -1, -1):  # the nearest of those that stand under a line comes first
        if up[i] >= 0:
            down[up[i]] = i
    parts = [own]
    places = _places(lines)
    for step in STEPS:
        link = up if step < 0 else down
        other = link if abs(step) == 1 else np.where(link >= 0, link[link], -1)
        there = (other >= 0)[:, None]
        parts.append(np.where(there, near[other], ABSENT))
        parts.append(np.where(there, _between(places, other, column), ABSENT))
    return np.hstack(parts).astype(np.float32), above


def _places(lines: Sequence[Line]) -> np.ndarray:
    """[n, 5]: left and right edge, baseline, size, and where the text behind a first word begins."""
    rows = []
    for line in lines:
        second = next((word.box.x0 for word in line.words[1:] if not word.glued), line.box.x1)
        rows.append((line.box.x0, line.box.x1, line.baseline, line.size, second))
    return np.array(rows, float).reshape(-1, 5)


def _between(places: np.ndarray, other: np.ndarray, own: dict[str, np.ndarray]) -> np.ndarray:
    """How each line stands to another one, in em."""
    x0, x1, y, size, second = places.T
    em = np.maximum(size, 0.1)
    same = np.abs(size - size[other]) < 0.03 * em
    for style in ("bold", "italic", "mono"):
        same &= own[style].round() == own[style][other].round()
    upper_second = np.where(y > y[other], second[other] - x0, second - x0[other])
    return np.column_stack(
        [
            np.clip(np.abs(y - y[other]) / em, 0, FAR),
            np.clip((x0 - x0[other]) / em, -FAR, FAR),
            np.clip((x1 - x1[other]) / em, -FAR, FAR),
            size / np.maximum(size[other], 0.1),
            same,
            np.clip(upper_second / em, -FAR, FAR),  # does the lower line hang under the upper one's text?
            own["filled"][other],
        ]
    )


def _own(
    lines: Sequence[Line],
    above: Sequence[int | None],
    page: Box,
    strokes: np.ndarray,
    floats: Sequence[Box],
    fills: np.ndarray,
) -> np.ndarray:
    n = len(lines)
    boxes = np.array([(b.x0, b.y0, b.x1, b.y1) for b in (line.box for line in lines)], float).reshape(-1, 4)
    x0, y0, x1, y1 = boxes.T
    size = np.maximum([line.size for line in lines], 0.1)
    base = np.array([line.baseline for line in lines])
    length = np.array([line.characters for line in lines], float)
    shares = {style: np.array([line.share(style) for line in lines]) for style in ("bold", "italic", "mono", "math")}
    running = np.where(length >= PROSE, length, 0) if (length >= PROSE).any() else length
    body = _middle(size, running)
    common = [s for s in np.unique(size) if running[np.abs(size - s) < 0.03 * s].sum() > 0.2 * running.sum()]
    fonts = np.array([line.main.font for line in lines])
    styles = np.char.add(fonts, np.char.mod("%.1f", size))
    content = union(line.box for line in lines)
    columns = Columns(lines, above)
    margins = np.array([columns.of(i)[:3] for i in range(n)], float).reshape(-1, 3)
    leading = usual_leading(lines, above)
    usual = np.array([leading.get(i, 1.2) for i in range(n)])
    over = np.array([FAR if a is None else min(FAR, (base[i] - base[a]) / size[i]) for i, a in enumerate(above)])
    under = np.full(n, FAR)
    for i, a in enumerate(above):
        if a is not None:
            under[a] = min(under[a], (base[i] - base[a]) / size[a])
    level = np.abs(base[:, None] - base[None, :]) < 0.4 * np.minimum(size[:, None], size[None, :])
    rank = np.searchsorted(np.sort(y0), y0)
    shape = np.array([_shape(line) for line in lines], float).reshape(n, -1).T
    left, right, stack = margins.T
    return np.column_stack(
        [
            size / body,
            size / max([body, *common]),
            shares["bold"], shares["italic"], shares["mono"], shares["math"],
            _weights(fonts, length), _weights(styles, length),
            np.log1p(length),
            np.log1p([len(line.words) for line in lines]),
            (x1 - x0) / page.width,
            np.clip((x0 - left) / size, -FAR, 3 * FAR),
            np.clip((right - x1) / size, -FAR, 3 * FAR),
            np.clip(np.abs((x0 + x1) - (left + right)) / 2 / size, 0, FAR),
            (right - left) / page.width,
            np.minimum(stack, 20),
            (x0 - content.x0) / max(1.0, content.width), (content.x1 - x1) / max(1.0, content.width),
            y0 / page.height, y1 / page.height,
            np.minimum(rank, 6), np.minimum(n - 1 - rank, 6),
            np.minimum(level.sum(axis=1) - 1, 6),
            (np.abs(x0[:, None] - x0[None, :]) < 1.5).mean(axis=1),
            over, under,
            usual,
            over / usual,
            *shape[:8],
            *shape[8:15],
            *_stroke_distances(boxes, size, strokes),
            _filled(boxes, fills, page),
            *_float_distances(boxes, size, floats),
            np.clip((right - x1) / np.maximum(right - left, 1), 0, 1),
        ]
    )  # fmt: skip


def _middle(values: np.ndarray, weights: np.ndarray) -> float:
    rank = np.argsort(values, kind="stable")
    return float(values[rank][np.searchsorted(np.cumsum(weights[rank]), weights.sum() / 2)])


def _weights(kinds: np.ndarray, length: np.ndarray) -> np.ndarray:
    """The share of the page's characters that have the kind of each line."""
    _, index = np.unique(kinds, return_inverse=True)
    return (np.bincount(index, length) / max(1.0, length.sum()))[index]


def _shape(line: Line) -> tuple[float, ...]:
    """Coarse shape of the text; nothing of what it says."""
    text, words, size = line.text, line.words, max(0.1, line.size)
    n = max(1, line.characters)
    rest = next((i for i, word in enumerate(words) if i and not word.glued), len(words))
    first = "".join(word.text for word in words[:rest])  # a marker may change its font before its stop: "1" "."
    several = rest < len(words)
    head = text[0]
    begins = 0 if head.islower() else 1 if head.isupper() else 2 if head.isdigit() else 3 if head in BULLETS else 4
    if head in "([{":
        begins = 5
    number = NUMBER.fullmatch(first) is not None and several
    dots = SECTION.fullmatch(first.rstrip(".")) if several else None
    capitalised = [word.text[0] for word in words if word.text[0].isalpha()]
    raised = words[0].size / size if several else 1.0
    tab = (words[rest].box.x0 - words[rest - 1].box.x1) / size if several else 0.0
    return (
        sum(map(str.isalpha, text)) / n,
        sum(map(str.isupper, text)) / n,
        sum(map(str.isdigit, text)) / n,
        sum(not char.isalnum() and not char.isspace() for char in text) / n,
        sum(map(CODE.__contains__, text)) / n,
        begins,
        float(is_marker(first) and not number and several),
        float(number),
        0.0 if dots is None else 1.0 + dots[0].count("."),
        float(LABEL.match(text) is not None),
        float(LEADER.search(text) is not None),
        next((i for i, signs in enumerate(ENDS) if text[-1] in signs), 6 if text[-1].isdigit() else 7),
        sum(map(str.isupper, capitalised)) / max(1, len(capitalised)),
        raised,
        min(tab, 4.0),
    )


def _stroke_distances(boxes: np.ndarray, size: np.ndarray, strokes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """To the next horizontal stroke over and under each line, in em."""
    far = np.full(len(boxes), FAR)
    flat = strokes[np.abs(strokes[:, 1] - strokes[:, 3]) < 1] if len(strokes) else strokes
    if len(flat) == 0 or len(boxes) == 0:
        return far, far
    shared = np.minimum(boxes[:, None, 2], flat[None, :, 2]) - np.maximum(boxes[:, None, 0], flat[None, :, 0])
    crosses = shared > 0.3 * np.minimum(boxes[:, 2:3] - boxes[:, 0:1], (flat[:, 2] - flat[:, 0])[None])
    middle = (boxes[:, 1:2] + boxes[:, 3:4]) / 2
    up = np.where(crosses & (flat[None, :, 1] < middle), middle - flat[None, :, 1], np.inf).min(axis=1)
    down = np.where(crosses & (flat[None, :, 1] >= middle), flat[None, :, 1] - middle, np.inf).min(axis=1)
    return np.minimum(up / size, FAR), np.minimum(down / size, FAR)


def _filled(boxes: np.ndarray, fills: np.ndarray, page: Box) -> np.ndarray:
    """0 on the bare page; else the share of the page's width that the smallest filled box around the line has."""
    result = np.zeros(len(boxes))
    if len(fills) == 0 or len(boxes) == 0:
        return result
    area = (fills[:, 2] - fills[:, 0]) * (fills[:, 3] - fills[:, 1])
    fills = fills[area < 0.8 * page.area][:200]
    if len(fills) == 0:
        return result
    x, y = (boxes[:, 0] + boxes[:, 2])[:, None] / 2, (boxes[:, 1] + boxes[:, 3])[:, None] / 2
    inside = (fills[None, :, 0] < x) & (x < fills[None, :, 2]) & (fills[None, :, 1] < y) & (y < fills[None, :, 3])
    width = np.where(inside, (fills[:, 2] - fills[:, 0])[None] / page.width, np.inf).min(axis=1)
    return np.where(np.isfinite(width), width, 0.0)


def _float_distances(boxes: np.ndarray, size: np.ndarray, floats: Sequence[Box]) -> tuple[np.ndarray, np.ndarray]:
    """To the next table or picture over and under each line, in em."""
    over, under = np.full(len(boxes), FAR), np.full(len(boxes), FAR)
    for box in floats:
        beside = (np.minimum(boxes[:, 2], box.x1) - np.maximum(boxes[:, 0], box.x0)) > 0
        up, down = (boxes[:, 1] - box.y1) / size, (box.y0 - boxes[:, 3]) / size
        over = np.where(beside & (up > -1), np.minimum(over, np.maximum(up, 0)), over)
        under = np.where(beside & (down > -1), np.minimum(under, np.maximum(down, 0)), under)
    return over, under
