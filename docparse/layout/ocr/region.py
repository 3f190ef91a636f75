"""What a layout detector says: here is a region, of this category, this sure."""

from __future__ import annotations

import msgspec

from docparse.types import Box, Category


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """A detected region of a page, in page space (points). `score` is the detector's confidence, 0..1.

    `order` is the reading position where the detector gives one (PP-StructureV3), else -1. `content` is the text or
    markup the detector itself read, where it reads.
    """

    category: Category
    box: Box
    score: float = 1.0
    order: int = -1
    content: str = ""
