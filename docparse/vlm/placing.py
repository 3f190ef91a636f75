"""A model's blocks with everything the pipeline knows of them: boxes, sizes of type, crops, running headers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from docparse.layout.blocks import crops
from docparse.layout.text.items import without_marker
from docparse.models.dialects.reader import between
from docparse.models.family import ParsedOutput
from docparse.pdf.content import PageImage
from docparse.types import BULLETS, SIGNS, Block, Box, Category, Span, Table, union
from docparse.vlm.matching import GRAM, UNWORDED, matches, words_of

SAME = 0.7  # share of each of two boxes in the other from which one crop does for both
UNSAID = (Category.CAPTION, Category.FOOTNOTE, Category.PAGE_HEADER, Category.PAGE_FOOTER)  # in plain Markdown
WHOLE = (Category.TITLE, Category.SECTION_HEADER, Category.CODE)  # one even where a blank line parts it
RUNNING = (Category.TEXT, Category.LIST_ITEM)
ADDED = (Category.PICTURE, Category.PAGE_HEADER, Category.PAGE_FOOTER)  # kept where the markup has no word for them


@dataclass(frozen=True)
class Known:
    """The findings of the pipeline on page `number` of the size `box`: its blocks in reading order and its crops.
    `draw` gives the page to cut more crops from, `pictures` says whether anybody wants them."""

    number: int
    box: Box
    blocks: Sequence[Block]
    assets: dict[str, bytes]
    draw: Callable[[], PageImage]
    pictures: bool = True


@dataclass(frozen=True)
class Placed:
    """Blocks in the model's order, those the pipeline adds among them, and the crops they name."""

    blocks: Sequence[Block]
    assets: dict[str, bytes]


def placed(written: Sequence[Block], known: Known, reading: ParsedOutput) -> Placed:
    """Return the model's blocks on the page; `reading` says what its markup has words for.

    A dialect without boxes gives each block the box of what it stands for, and takes from the pipeline what such markup
    does not tell. With boxes the model is believed, but for the levels of headings where it tells none.
    """
    boxed = reading.boxed
    found = matches(written, known.blocks, boxed=boxed)
    written, found = _joined(written, found, reading, known.blocks)
    blocks = [
        _told(block, [known.blocks[k] for k in indices], reading) for block, indices in zip(written, found, strict=True)
    ]
    if not boxed:
        blocks = _with_added(blocks, found, known.blocks)
    return with_crops(blocks, known)


def _joined(
    written: Sequence[Block], found: Sequence[tuple[int, ...]], reading: ParsedOutput, known: Sequence[Block]
) -> tuple[list[Block], list[tuple[int, ...]]]:
    """The blocks, and what they stand for, with texts as one that are lines of one text of the pipeline."""
    blocks: list[Block] = []
    indices: list[tuple[int, ...]] = []
    for i, (block, its) in enumerate(zip(written, found, strict=True)):
        whole = known[indices[-1][0]] if i and len(indices[-1]) == 1 else None
        parted = WHOLE if not reading.boxed and not reading.headings else ()
        line = None
        if whole and (i in reading.below or whole.category in parted) and _follows(blocks[-1], block, whole):
            line = _line(block, whole) if its == indices[-1] or (not its and _next(blocks[-1], block, whole)) else None
        if whole and line:
            blocks[-1] = joined(blocks[-1], line, "\n" if whole.category is Category.CODE else None)
        else:
            blocks.append(block)
            indices.append(its)
    return blocks, indices


def _follows(before: Block, block: Block, whole: Block) -> bool:
    """Return whether a line may go on with the one before it: an item mid-sentence, a heading no longer than the
    pipeline's."""
    if whole.category in UNWORDED or before.category not in RUNNING or block.category not in RUNNING:
        return False
    if whole.category.is_heading:
        return len(words_of(before) + words_of(block)) <= 1.2 * len(words_of(whole))
    ended = before.category is Category.LIST_ITEM or before.text.endswith((".", ":", ";", "!", "?"))
    return block.category is Category.TEXT or not ended or whole.category is Category.CODE


def _next(before: Block, line: Block, whole: Block) -> bool:
    """Return whether a line too short to be matched is what comes next in `whole`."""
    words = words_of(line)
    return (words != "" or whole.category is Category.CODE) and words_of(before)[-2 * GRAM :] + words in words_of(whole)


def _line(block: Block, whole: Block) -> Block | None:
    """A block as a line of `whole`: an item with its marker, None where that does not stand there."""
    if block.category is Category.TEXT:
        return block
    start, text = " ".join(block.text.split()[:2]), " ".join(whole.text.split())
    signs = tuple(SIGNS) if block.marker in BULLETS else (block.marker,)
    sign = next((sign for sign in signs if f"{sign} {start}" in text), None)
    spans = (Span(f"{sign} "), *block.spans)
    return msgspec.structs.replace(block, category=Category.TEXT, marker="", level=0, spans=spans) if sign else None


def joined(first: Block, second: Block, gap: str | None = None) -> Block:
    """Return two pieces of a text as one."""
    return msgspec.structs.replace(
        first,
        spans=(*first.spans, Span(between(first.text, second.text) if gap is None else gap), *second.spans),
        tokens=first.tokens + second.tokens,
        draft_tokens=first.draft_tokens + second.draft_tokens,
    )


def _told(block: Block, others: Sequence[Block], reading: ParsedOutput) -> Block:
    """One block with what the blocks it stands for say about it."""
    if not others:
        return block
    first, boxed = others[0], reading.boxed
    unmarked = not reading.headings and not boxed
    if unmarked and len(others) == 1 and first.category.is_heading and block.category is Category.LIST_ITEM:
        block = _line(block, first) or block
    changes: dict[str, object] = {"font_size": block.font_size or first.font_size, "bold": block.bold or first.bold}
    if block.table and first.table:
        changes["table"] = with_header(block.table, first.table)
    if not boxed:
        changes["box"] = union(other.box for other in others)
    category = first.category if not boxed and block.category is Category.TEXT else block.category
    unmarked = unmarked and block.category is Category.TEXT and _alike(block, first)
    if unmarked and category is Category.CODE:
        known = {line.strip(): line for line in first.text.split("\n")}  # with the indentation
        code = "\n".join(known.get(line, line) for line in block.text.split("\n"))
        changes |= {"category": category, "spans": (Span(code),)}
    unleveled = block.category.is_heading and not block.level  # some models call every heading a title
    if first.category.is_heading and (unleveled or (unmarked and category.is_heading)):
        changes |= {"category": first.category, "level": first.level, "level_known": first.level_known}
    if category in UNSAID and category is first.category and not block.marker:
        changes |= {"category": category, "marker": first.marker, "spans": without_marker(block.spans, first.marker)}
    if block.category is Category.PICTURE and first.category is Category.PICTURE:
        changes["spans"] = block.spans or first.spans
        if not boxed or min(block.box.inside(first.box), first.box.inside(block.box)) >= SAME:
            changes |= {"box": first.box, "image": first.image}
    return msgspec.structs.replace(block, **changes)


def _alike(block: Block, other: Block) -> bool:
    """Return whether a block is not much more than the one it stands for."""
    return len(words_of(block)) <= 2 * len(words_of(other))


def with_header(written: Table, known: Table) -> Table:
    """Return which cells are headers, where the model says of none and the pipeline saw the same grid."""
    if (written.rows, written.columns) != (known.rows, known.columns) or any(cell.header for cell in written.cells):
        return written
    headers = {(cell.row, cell.column) for cell in known.cells if cell.header}
    cells = (msgspec.structs.replace(cell, header=(cell.row, cell.column) in headers) for cell in written.cells)
    return msgspec.structs.replace(written, cells=tuple(cells))


def _with_added(blocks: Sequence[Block], found: Sequence[tuple[int, ...]], known: Sequence[Block]) -> list[Block]:
    """The pipeline's pictures and running headers that no block stands for, each behind what precedes it there."""
    taken = {k for indices in found for k in indices}
    behind: dict[int, list[Block]] = {}
    for k, block in enumerate(known):
        if k not in taken and block.category in ADDED:
            earlier = [i for i, indices in enumerate(found) if indices and max(indices) < k]
            place = len(blocks) - 1 if block.category is Category.PAGE_FOOTER else max(earlier, default=-1)
            behind.setdefault(place, []).append(block)
    result = behind.get(-1, [])
    for i, block in enumerate(blocks):
        result += [block, *behind.get(i, [])]
    return result


def with_crops(blocks: Sequence[Block], known: Known) -> Placed:
    """Crops of the pipeline where a block has one, new ones for pictures that only the model saw. A picture without a
    place on the page, of which a model wrote only that it is there, gets none."""
    used = {block.image for block in blocks if block.image}
    names = (f"page-{known.number:04d}-figure-{n}.png" for n in range(1, len(used) + len(blocks) + 1))
    free = (name for name in names if name not in used)

    def named(block: Block) -> Block:
        bare = block.category is Category.PICTURE and not block.image and _has_place(block.box, known)
        return msgspec.structs.replace(block, image=next(free)) if bare else block

    result = [named(block) for block in blocks] if known.pictures else blocks
    fresh = [block for block in result if block.image and block.image not in used]
    kept = {name: png for name, png in known.assets.items() if name in used}
    return Placed(result, kept | crops(fresh, known.draw))


def _has_place(box: Box, known: Known) -> bool:
    """Some of it is on the page, and it is not the whole page, which stands for no box at all."""
    part = box & known.box
    return box != known.box and min(part.width, part.height) >= 1
