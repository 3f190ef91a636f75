"""Scales: numbers that grow evenly along a line. What is drawn beside one is a chart, from its axis to its end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from docparse.layout.chained import chained
from docparse.layout.geometry import corners_of
from docparse.layout.pictures.charts import ChartPiece, pieces_of
from docparse.layout.pictures.find import SMALLEST, joined
from docparse.layout.text.words import Word
from docparse.types import Box, union

VALUE = re.compile(r"([(\-−–]*)\D{0,3}?(\d[\d,]*(?:\.\d+)?|\.\d+)\s*\D{0,3}")
NUMBERS = 4  # of a scale, at least
EVEN = 0.12  # share by which the steps of a scale may differ: OCR places words to a point or two
ALIGNED = 0.5  # em by which the numbers over one another may be out of line
REACH = 3.0  # em from a scale to what is drawn, and between its parts
THIN = 2.0  # points: a stroke, which alone is no chart
WITHIN = 0.15  # em around a word that its characters may reach
PRINTED = 0.12  # share of a chart that its words fill; the cells of a table fill more


def charts_by_scales(words: Sequence[Word], drawn: Sequence[Box]) -> list[Box]:
    """Return the boxes of the charts that stand beside a scale, with it. `words` are upright; `drawn` are strokes,
    bars and curves, in points; boxes that are seen in characters are none."""
    numbers = [(value, piece) for piece in pieces_of(words) if (value := _value(piece)) is not None]
    found: list[Box] = []
    upright, level = dict.fromkeys(_upright(numbers)), _level(numbers)  # numbers as wide have both edges in line
    drawn = _unprinted(drawn, words) if upright or level else []
    for way in (1, -1):
        turned = [_turned(box, way) for box in drawn] if upright else []
        for scale in upright:
            chart = _grown(_turned(scale, way), turned)
            found += [] if chart is None else [_turned(chart, way)]
    laid = list(map(_laid, drawn)) if level else []
    for scale in (scale for scale in level if not _is_in_cells(scale, drawn)):
        chart = _grown(_laid(scale), laid)
        found += [] if chart is None else [_laid(chart)]
    charts = [box for box in found if sum(word.box.intersection(box) for word in words) <= PRINTED * box.area]
    return joined(charts, lambda box: (box.y0, box.x0), lambda other, box: other.intersection(box) > 0)


def _unprinted(drawn: Sequence[Box], words: Sequence[Word]) -> list[Box]:
    """Return the boxes that do not lie in a word."""
    around = corners_of(word.box.padded(WITHIN * word.size) for word in words)
    tallest = float((around[:, 3] - around[:, 1]).max(initial=0.0))

    def is_printed(box: Box) -> bool:
        inner = (around[:, :2] < (box.x0, box.y0)).all(axis=1) & (around[:, 2:] > (box.x1, box.y1)).all(axis=1)
        return bool(inner.any())

    return [box for box in drawn if box.height >= tallest or not is_printed(box)]


def _value(piece: ChartPiece) -> float | None:
    """Return what a piece of text says where it is a number, with a sign, a currency or a unit."""
    match = VALUE.fullmatch(piece.text)
    if match is None:
        return None
    grouped = re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", match[2])
    number = match[2].replace(",", "" if grouped else ".")
    return None if number.count(".") > 1 else float(number) * (-1 if match[1] else 1)


def _upright(numbers: Sequence[tuple[float, ChartPiece]]) -> list[Box]:
    """Return the boxes of the scales that grow upwards."""
    found = []
    for side in (lambda box: box.x0, lambda box: box.x1):
        places = [(side(piece.box), -piece.box.center[1], value, piece) for value, piece in numbers]
        found += _scales(places)
    return found


def _level(numbers: Sequence[tuple[float, ChartPiece]]) -> list[Box]:
    """Return the boxes of the scales that grow to the right; several as wide, right under one another, are rows of a
    questionnaire."""
    found = _scales([(piece.box.y1, piece.box.center[0], value, piece) for value, piece in numbers])

    def is_row(one: Box, other: Box) -> bool:
        ends = max(abs(one.x0 - other.x0), abs(one.x1 - other.x1))
        return other is not one and max(ends, abs(one.y0 - other.y0) / REACH) < one.height

    return [scale for scale in found if not any(is_row(scale, other) for other in found)]


def _scales(places: Iterable[tuple[float, float, float, ChartPiece]]) -> list[Box]:
    """Return the boxes of numbers in one line that grow evenly; each comes as its place across the line and along it,
    its value and its piece."""
    across = sorted(places, key=lambda place: place[0])
    found = []
    for line in chained(across, lambda line, place: place[0] - line[0][0] < ALIGNED * place[3].size):
        line.sort(key=lambda place: place[1])
        run = line[:1]
        for before, place in pairwise(line):
            if len(run) > 1 and not _goes_on(run, place):
                found.append(run)
                run = [before]
            run = [*run, place] if place[2] > run[-1][2] else [place]
        found.append(run)
    return [union(place[3].box for place in run) for run in found if len(run) >= NUMBERS]


def _is_in_cells(scale: Box, drawn: Sequence[Box]) -> bool:
    """Return whether strokes run through a level scale, between its numbers: answers to choose from, in a table."""
    between = (box for box in drawn if box.width < THIN and scale.x0 < box.center[0] < scale.x1)
    return sum(box.y0 < scale.y0 and box.y1 > scale.y1 for box in between) >= NUMBERS - 1


def _goes_on(
    run: Sequence[tuple[float, float, float, ChartPiece]], place: tuple[float, float, float, ChartPiece]
) -> bool:
    step = (run[-1][2] - run[0][2]) / max(run[-1][1] - run[0][1], 1.0)
    return abs((place[2] - run[-1][2]) / max(place[1] - run[-1][1], 1.0) - step) < EVEN * step


def _grown(scale: Box, drawn: Sequence[Box]) -> Box | None:
    """Return an upright scale with what is drawn to the right of it, between its ends; None where there is nothing but
    strokes along it."""
    em = min(12.0, max(6.0, scale.width))
    inside = [box for box in drawn if box.y0 > scale.y0 - em and box.y1 < scale.y1 + em and box.x1 > scale.x1 - em]
    solid = sorted((box for box in inside if box.height > THIN), key=lambda box: box.x0)
    end = max((box.x1 for box in inside if box.x0 < scale.x1 + em), default=scale.x1)  # the axes, and lines of a grid
    for box in solid:
        end = max(end, box.x1) if box.x0 < end + REACH * em else end
    kept = [box for box in inside if box.x0 < end and box.overlap_x(Box(scale.x0, 0, end, 0)) > 0.5 * box.width]
    if end - scale.x1 < SMALLEST or not any(min(box.width, box.height) > THIN for box in kept):
        return None
    return union([scale, *kept])


def _turned(box: Box, way: int) -> Box:
    return box if way > 0 else Box(-box.x1, box.y0, -box.x0, box.y1)


def _laid(box: Box) -> Box:
    """Return a box with x and y exchanged, upside down: what was over it is to the right."""
    return Box(-box.y1, -box.x1, -box.y0, -box.x0)
