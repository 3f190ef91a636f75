"""Families that read single elements; what and where they are, a layout model says."""

from __future__ import annotations

from typing import Literal

from docparse.models.dialects.elements import RegionDialect
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Dialect
from docparse.models.native import NativeFamily
from docparse.types import Category

INSTRUCTIONS = {Category.TABLE: "Table Recognition:", Category.FORMULA: "Formula Recognition:"}


class ElementFamily(NativeFamily):
    """Tables and formulas have instructions of their own, the same in PaddleOCR-VL's and GLM-OCR's model cards; all
    else is text, which `page_instruction` asks for."""

    reads: Literal["page", "regions"] = "regions"
    dialect: MarkdownDialect

    def region_instruction(self, category: Category) -> str:
        return INSTRUCTIONS.get(category, self.page_instruction)

    def region_dialect(self, category: Category) -> Dialect:
        return RegionDialect(category, self.dialect)
