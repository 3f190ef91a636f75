"""HunyuanOCR's layout coordinates: `(x0,y0),(x1,y1)` at the end of a line, in thousandths of the picture.

A line of nothing else is where a figure stands; behind words they are the place of those. The authors' own reader
(`inference/utils/output_utils.py` of Tencent-Hunyuan/HunyuanOCR) drops both, but keeps those in tables and formulas;
the scale is that of `inference/utils/tasks.py`.
"""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from docparse.models.dialects.reader import BlockReader
from docparse.models.family import Frame, Reading
from docparse.types import Block, Box, Category, union

GRID = 1000
_PAIR = r"\((\d{1,4}),(\d{1,4})\),\((\d{1,4}),(\d{1,4})\)"
_PLACE = re.compile(rf"{_PAIR}(?:[ \t,，]*+{_PAIR})*+(?=[ \t\r]*+$)", re.MULTILINE)
_OF_THE_PAGE = (Category.TABLE, Category.FORMULA, Category.CODE)  # coordinates in these are printed


def read_with_points(text: str, frame: Frame) -> Reading:
    """The blocks of Markdown with such coordinates, which are no words of it."""
    reading = BlockReader(text, frame.box).read()
    printed = bytearray(len(text))  # whether a character is one of these
    for block, (start, end) in zip(reading.blocks, reading.extents, strict=True):
        if block.category in _OF_THE_PAGE:
            printed[start:end] = b"\1" * (end - start)
    places = {place.start(): place for place in _PLACE.finditer(text) if not printed[place.start()]}
    if not places:
        return reading
    blank = _PLACE.sub(lambda place: " " * len(place[0]) if place.start() in places else place[0], text)
    reading = BlockReader(blank, frame.box).read()
    ends = {end: i for i, (_, end) in enumerate(reading.extents)}
    blocks, added = list(reading.blocks), []
    for place in places.values():
        boxes = [_box(pair, frame) for pair in re.findall(_PAIR, place[0])]
        before = text.rfind("\n", 0, place.start()) + 1
        if not blank[before : place.start()].strip(" \t,，"):
            added.append((place.span(), Block(category=Category.PICTURE, box=union(boxes), source="vlm")))
        elif (at := ends.get(len(blank[before : place.start()].rstrip()) + before)) is not None:
            blocks[at] = msgspec.structs.replace(blocks[at], box=union(boxes))
    pairs = sorted([*zip(reading.extents, blocks, strict=True), *added], key=lambda pair: pair[0])
    return replace(reading, blocks=tuple(block for _, block in pairs), extents=tuple(extent for extent, _ in pairs))


def _box(pair: tuple[str, ...], frame: Frame) -> Box:
    x0, y0, x1, y1 = (min(GRID, int(value)) for value in pair)
    return Frame(frame.box, GRID, GRID).to_page(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
