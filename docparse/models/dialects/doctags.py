"""DocTags, the markup of granite-docling: an element for every block, its box first, in steps of 1/500 of the picture.

    <doctag><section_header_level_1><loc_67><loc_36><loc_253><loc_44>1 Introduction</section_header_level_1>
    <unordered_list><list_item><loc_66><loc_47><loc_431><loc_77>• one</list_item>
    </unordered_list>

Tags: `docling_core/types/doc/tokens.py` of docling-project/docling-core. Tables are OTSL, captions may stand in the
element they belong to, code begins with its language (`<_Python_>`), a picture with its kind (`<bar_chart>`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec

from docparse.models.dialects.elements import ElementReader, category_of, label_of, lists_together, on_grid
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Draft, Frame, ParsedOutput
from docparse.render.markdown import heading_level
from docparse.render.tables import HtmlStyle
from docparse.types import Block, Box, Category, Span

GRID = 500
_LABELS = {
    Category.TITLE: "title",
    Category.SECTION_HEADER: "section_header_level_",
    Category.TABLE: "otsl",
    Category.PAGE_HEADER: "page_header",
    Category.PAGE_FOOTER: "page_footer",
    Category.LIST_ITEM: "list_item",
}
_LISTS = "ordered_list|unordered_list"
_TAG = re.compile(
    rf"<(?P<close>/?)(?P<label>doctag|{_LISTS}|list_item|text|paragraph|title|section_header_level_\d|otsl|table|caption"
    r"|formula|code|picture|chart|page_header|page_footer|footnote|document_index|reference|form|group|inline"
    r"|key_value_region|checkbox_(?:un)?selected|page_break)>(?P<box>(?:<loc_\d+>)*)"
)
_DEEPEST = 4  # elements within elements
_KIND = re.compile(r"(?:<[a-z_]+>)?", re.IGNORECASE)
_BOXES = {"checkbox_selected": "☑ ", "checkbox_unselected": "☐ "}
_MARKDOWN = MarkdownDialect(
    tables="otsl",
    math=("$", "$", "", ""),
    html=HtmlStyle(header_cells=True),
    bullet="•",
    headings=False,
    emphasis=False,
    furniture=True,
)


@dataclass(frozen=True)
class DocTags:
    """granite-docling after `Convert this page to docling.` Lists are flat."""

    markdown: MarkdownDialect = _MARKDOWN

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        text = "<doctag>"
        starts: list[int] = []
        for group in lists_together(blocks):
            items = group[0].category is Category.LIST_ITEM
            kind = "ordered_list" if group[0].marker[:1].isdigit() else "unordered_list"
            text += f"<{kind}>" * items
            for block in group:
                starts.append(len(text))
                text += self._element(block, frame) + "\n"
            text += f"</{kind}>\n" * items
        return Draft(text + "</doctag>", tuple(blocks), tuple(starts))

    def _element(self, block: Block, frame: Frame) -> str:
        label = label_of(block.category, _LABELS)
        if block.category is Category.SECTION_HEADER:
            label += str(max(1, heading_level(block) - 1))
        box = "".join(f"<loc_{value}>" for value in on_grid(block.box, frame, GRID))
        words = f"<_unknown_>{block.text}" if block.category is Category.CODE else self.markdown.block(block)
        return f"<{label}>{box}{words}</{label}>"

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        reader = ElementReader(text, frame, GRID)
        elements: list[tuple[str, Box]] = []  # those that are open, outermost first
        for tag, end in reader.pieces(_TAG, "tag"):
            if not tag["close"]:
                box = reader.box(tag["box"])
                elements.append((tag["label"], box or (elements[-1][1] if elements else frame.box)))
            elif any(label == tag["label"] for label, _ in elements[-_DEEPEST:]):
                while elements.pop()[0] != tag["label"]:
                    pass
            _take(reader, tag, end, elements[-1] if elements else None)
        return reader.read()


def _take(reader: ElementReader, tag: re.Match[str], end: int, element: tuple[str, Box] | None) -> None:
    """The block that stands between `tag` and the next one, in the innermost element that is open."""
    label, box = element or ("", reader.frame.box)
    category, start = category_of(label) if label.split("_")[-1] != "list" else None, tag.end()
    if category in (Category.PICTURE, Category.CODE) and (kind := _KIND.match(reader.text, start, end)):
        start = kind.end()
    if not reader.text[start:end].strip() and (category is not Category.PICTURE or tag["close"]):
        return
    if category is Category.CODE:  # a fence in it is printed
        return reader.add(category, box, tag.start(), end, (Span(reader.text[start:end].strip("\n")),))
    inner = reader.inside(start, end, category or Category.TEXT, box)
    blocks = inner.blocks
    if category in (Category.TITLE, Category.SECTION_HEADER):
        level = 1 + int(label[-1]) if label[-1].isdecimal() else 1
        blocks = tuple(msgspec.structs.replace(block, level=level) for block in blocks)
    if label in _BOXES:
        blocks = tuple(msgspec.structs.replace(b, spans=(Span(_BOXES[label]), *b.spans)) for b in blocks)
    reader.take(replace(inner, blocks=blocks), tag.start(), end)
