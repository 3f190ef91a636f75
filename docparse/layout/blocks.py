"""Blocks made of what the stages found: groups of lines, formulas, pictures; and the crops that blocks name."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from docparse.layout.code.algorithms import line_starts
from docparse.layout.code.listing import CodeBlock
from docparse.layout.document.hyphens import SOFT
from docparse.layout.document.levels import SIZED
from docparse.layout.formula import SURE, FoundFormula
from docparse.layout.state import NO_PARAGRAPHS, PageState
from docparse.layout.tables import FoundTable
from docparse.layout.text.groups import Group
from docparse.layout.text.inline import spans_of
from docparse.layout.text.line_ends import ended_lines
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.pdf.content import PageImage
from docparse.types import Block, Box, Category, Source, Span, Spans, plain

KEYBOARD = str.maketrans("−‐", "--")
CROP_MARGIN = 2.0  # points around a picture or formula
FULL = 1.2  # em from the end of a line of Chinese to the margin, at most: a mark that may not begin a line moves down
INDENT = 3.0  # em that a paragraph begins farther in, at most
CROPPED = {Category.PICTURE: "figure", Category.FORMULA: "formula"}


def text_block(group: Group, category: Category, state: PageState) -> Block:
    """Return a group of lines as a block, with emphasis and formulas within the text."""
    ended = ended_lines(group, state.groups, state.floats) if category is Category.TEXT else {}
    lettered = state.has_variables and not category.is_heading  # there italics are often the style of all
    return _written(group, category, state, ended, lettered=lettered)


def formula_as_text(block: Block) -> Block:
    """Return the block, as text if it looks like a heading and is a formula alone: a heading has a word."""
    bare = block.category is Category.SECTION_HEADER and not any(s.text.strip() and not s.math for s in block.spans)
    return msgspec.structs.replace(block, category=Category.TEXT) if bare else block


def lines_block(lines: Sequence[Line], category: Category, state: PageState) -> Block:
    """Return lines as a block; those of text keep their breaks and their indentation."""
    ended = line_starts(lines) if category is Category.TEXT else {}
    return _written(Group(tuple(lines)), category, state, ended, lettered=True)


def _written(group: Group, category: Category, state: PageState, ended: Mapping[int, str], *, lettered: bool) -> Block:
    """Lines as a block; `ended` and `lettered` are those of `spans_of`."""
    scripts = state.settings.formulas and not state.noisy
    spans = spans_of(group.lines, scripts, state.rulings, SOFT, ended, lettered)
    spans = _upright(spans) if category.is_heading else spans
    return _text(group, category, spans, state.source, state.paragraphs)


def _upright(spans: Spans) -> Spans:
    """Spans of a heading; italics that all of its words have are its style and no emphasis."""
    if not all(span.italic or span.math or not any(map(str.isalnum, span.text)) for span in spans):
        return spans
    return tuple(msgspec.structs.replace(span, italic=False) for span in spans)


def plain_block(group: Group, category: Category, source: Source) -> Block:
    """Return a group of lines as a block of its words and nothing else."""
    return _text(group, category, (Span(group.text),), source)


def _text(
    group: Group, category: Category, spans: Spans, source: Source, paragraphs: np.ndarray = NO_PARAGRAPHS
) -> Block:
    size, ends = round(group.type_size, 2), [line.box.x1 for line in group.lines]
    # of two lines the longer one tells no margin
    told = ends if len(ends) > 2 else [*ends[:-1], *_ends_in_column(group, paragraphs)]
    full = bool(abs(max(told, default=float("inf")) - ends[-1]) < FULL * size)  # boxes of OCR are of NumPy
    return _block(category, group, source, spans=spans, font_size=size, bold=group.is_bold, full=full)


def _ends_in_column(group: Group, paragraphs: np.ndarray) -> list[float]:
    """Return where the paragraphs in the type of a group end that begin where it does, or it is set in from."""
    em, (start, end, size) = group.size, paragraphs.T
    before = group.box.x0 - start
    alike = (np.abs(size - em) < SIZED * em) & (before > -FULL * em) & (before < INDENT * em)
    return end[alike].tolist()


def _block(category: Category, found: Group | FoundTable | FoundFormula, source: Source, **said: Any) -> Block:
    """Return what was found, with what it says, as a block."""
    confidence = round(found.confidence, 3)
    return Block(category=category, box=found.box.rounded(), confidence=confidence, source=source, **said)


def table_block(found: FoundTable, source: Source) -> Block:
    """Return a table as a block."""
    return _block(Category.TABLE, found, source, table=found.table)


def code_block(found: CodeBlock, source: Source) -> Block:
    """Return code as a block; a minus or hyphen that type shows there is the one of the keyboard."""
    box, size = found.box.rounded(), round(found.rows[0].size, 2)
    spans = (Span(found.text.translate(KEYBOARD)),)
    return Block(category=Category.CODE, box=box, spans=spans, font_size=size, source=source)


def formula_block(formula: FoundFormula, words: Sequence[Word], source: Source) -> Block:
    """Return LaTeX where the formula could be read, else its words as plain text, which go beside a picture of it."""
    if formula.latex is not None:
        spans: Spans = (Span(formula.latex, math=True),)
    else:
        spans = (Span(" ".join(words[i].text for i in formula.words)),) if formula.words else ()
    return _block(Category.FORMULA, formula, source, spans=spans)


def picture_block(box: Box, labels: Sequence[Line]) -> Block:
    """Return a picture with the words printed in it."""
    words = unicodedata.normalize("NFKC", plain(spans_of(labels, scripts=False)))  # 𝐸 in a plot is an E
    spans = (Span(words),) if words else ()
    return Block(category=Category.PICTURE, box=box.rounded(), spans=spans, source="layout")


def with_image_names(blocks: Sequence[Block], page: int) -> tuple[Block, ...]:
    """Return the blocks, each that needs a crop with the name of its image file."""
    counts: dict[str, int] = {}

    def named(block: Block) -> Block:
        kind = CROPPED.get(block.category)
        if not kind or (block.confidence >= SURE and any(span.math for span in block.spans)):
            return block
        counts[kind] = counts.get(kind, 0) + 1
        return msgspec.structs.replace(block, image=f"page-{page:04d}-{kind}-{counts[kind]}.png")

    return tuple(named(block) for block in blocks)


def without_images(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the blocks without names of image files."""
    return tuple(msgspec.structs.replace(block, image="") if block.image else block for block in blocks)


def crops(blocks: Sequence[Block], image: Callable[[], PageImage]) -> dict[str, bytes]:
    """Return PNG bytes of every picture and every formula whose LaTeX is not sure, by the name its block carries."""
    named = [block for block in blocks if block.image]
    return {block.image: _png(image().crop(block.box.padded(CROP_MARGIN))) for block in named}


def _png(pixels: np.ndarray) -> bytes:
    """PNG bytes of uint8 RGB pixels."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()
