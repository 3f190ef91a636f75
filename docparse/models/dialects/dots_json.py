"""dots.ocr's JSON: a list of elements with `bbox`, `category` and `text`, on one line.

`[{"bbox": [140, 141, 536, 175], "category": "Section-header", "text": "## ABSTRACT"}, {"bbox": ..., "category":
"Picture"}]`: keys in this order, a space after every comma and colon, whole pixels of the resized picture, Unicode
unescaped, no `text` for pictures, LaTeX without dollar signs for formulas, HTML for tables, Markdown for the rest
(the prompt of the model card; outputs kept as test data by docling). A `List-item` element may hold a whole list.
Not verified: whether formulas and the HTML of tables carry line breaks.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docparse.models.dialects.elements import read_element
from docparse.models.dialects.jsonlist import read_elements
from docparse.models.dialects.labelled import ElementReader, lists_together
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.dialects.tables import HtmlStyle
from docparse.models.family import Draft, Frame, Reading
from docparse.types import Block, Category, union

_CATEGORIES = {category.value.lower(): category for category in Category}
_UNSAID = {Category.CODE: Category.TEXT}  # no category of the model's
_MARKDOWN = MarkdownDialect(
    math=("$", "$", "", ""), html=HtmlStyle(header_cells=True, sections=True), bullet="*", furniture=True
)


@dataclass(frozen=True)
class DotsJson:
    """dots.ocr's layout with text. Neighbouring list items share an element, as the model writes them."""

    markdown: MarkdownDialect = _MARKDOWN

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        text = "["
        starts: list[int] = []
        for part in lists_together(blocks):
            text += ", " if starts else ""
            element, inner_starts = self._element(part, frame)
            starts += [len(text) + start for start in inner_starts]
            text += element
        return Draft(text + "]", tuple(blocks), tuple(starts))

    def _element(self, blocks: Sequence[Block], frame: Frame) -> tuple[str, list[int]]:
        """The element of one block, or of the items of a list, and where in it each begins."""
        category = blocks[0].category
        box = [round(value) for value in frame.to_pixels(union(block.box for block in blocks))]
        head = f'{{"bbox": {box}, "category": {json.dumps(_UNSAID.get(category, category).value)}'
        if category is Category.PICTURE:
            return head + "}", [0]
        draft = self.markdown.write(blocks, frame)
        head += ', "text": "'
        begins = {id(block): start for block, start in zip(draft.blocks, draft.starts, strict=True)}
        starts = [len(head) + len(_quoted(draft.text[: begins.get(id(block), 0)])) for block in blocks]
        return f'{head}{_quoted(draft.text)}"}}', [0, *starts[1:]]

    def read(self, text: str, frame: Frame) -> Reading:
        reader = ElementReader(text, frame)
        elements, reader.problems = read_elements(text)
        for element in elements:
            box = frame.to_page(*element.bbox) if element.bbox else frame.box
            category = _CATEGORIES.get(element.category.lower(), Category.TEXT)
            inner = read_element(element.text, category, box, items_in_text=False)
            begins = tuple((element.offsets[start], element.end) for start, _ in inner.extents)
            reader.take(replace(inner, extents=begins), element.start, element.end)
        return reader.read()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]
