"""What happens to a page of the pipeline, in order: `STAGES`.

A stage takes a `PageState` and returns the next one. It groups, names and orders what the page holds, and takes no
word away. Where one fails, its `fallback` stands in: the page goes on without what the stage would have added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from docparse.layout.audit import is_faithful
from docparse.layout.blocks import (
    code_block,
    crops,
    formula_block,
    picture_block,
    table_block,
    text_block,
    with_image_names,
)
from docparse.layout.classify import categorise, followers, marker_of, page_style
from docparse.layout.code import find_code
from docparse.layout.contents import entries_apart
from docparse.layout.engines import Engines
from docparse.layout.fallbacks import (
    all_text,
    line_by_line,
    no_images,
    pictures_without_labels,
    plain_lines,
    plain_texts,
    plain_words,
    top_down,
    unchanged,
    word_by_word,
)
from docparse.layout.formula import find_formulas, find_scanned_formulas, parted
from docparse.layout.frames import cards_of, frames_of, panels_from_image, parted_by
from docparse.layout.furniture import find_furniture
from docparse.layout.groups import EXACT, NOISY, Group, groups_of
from docparse.layout.inside import code_inside, inside_items
from docparse.layout.items import without_item_marker, without_marker
from docparse.layout.lines import EXACT_SPACING, NOISY_SPACING, Line, lines_of, snapped, steadied
from docparse.layout.marks import with_marks
from docparse.layout.order import Words, ranked, reading_order
from docparse.layout.pictures import find_pictures, labels_apart
from docparse.layout.scripts import foreign_script, unreadable
from docparse.layout.stacked import gathered
from docparse.layout.state import PageState
from docparse.layout.tables import find_tables, rulings_from_image
from docparse.layout.tables.cells import cell_edges
from docparse.layout.tagged.code import code_lines_apart
from docparse.layout.tagged.grouping import cut_at_units, lines_by_unit, unit_groups
from docparse.layout.tagged.naming import block_of, category_of, without_tagged
from docparse.layout.tagged.ordering import tagged_order
from docparse.layout.tagged.plan import plan_of
from docparse.layout.tagged.tables import holds_together, tagged_tables
from docparse.layout.tagged.trust import believed, objection
from docparse.layout.turned import turned_lines
from docparse.layout.upright import levelled, straightened, turned
from docparse.layout.words import Word, words_of
from docparse.pdf.content import PageContent, TextQuality
from docparse.pdf.structure import NONE
from docparse.settings import Settings
from docparse.types import Block, Box, Category

SNAP_OCR, SNAP_LAYER = 0.2, 0.35  # by what share measured sizes jitter: our OCR, OCR layers found in files


def first_state(content: PageContent, settings: Settings) -> PageState:
    """Return the page before its first stage, with what the settings and the triage say of OCR."""
    wanted = content.quality is not TextQuality.GOOD and not _audited(content)
    if settings.ocr == "force" or settings.text_layer == "off":
        wanted = True
    if settings.ocr == "off" or settings.text_layer == "only":
        wanted = False
    return PageState(content=content, settings=settings, ocr=wanted)


def _always(state: PageState) -> bool:
    return True


@dataclass(frozen=True)
class Stage:
    """One thing that happens to a page. `needed` says whether it happens to this one; `run` does it and may use the
    models; `fallback` returns the state to go on with where `run` fails, and cannot fail itself."""

    name: str
    run: Callable[[PageState, Engines], PageState]
    fallback: Callable[[PageState], PageState] = unchanged
    needed: Callable[[PageState], bool] = _always


def _audited(content: PageContent) -> bool:
    """Whether a text layer of doubtful worth is compared with the pixels before OCR replaces it."""
    if content.characters is None:
        return False
    broken = content.quality is TextQuality.BROKEN and bool(foreign_script(content.characters.text))
    return broken or content.quality is TextQuality.OCR_LAYER


def _has_foreign_ocr(state: PageState) -> bool:
    """Whether the page has an OCR layer that the file brought along."""
    return state.content.quality is TextQuality.OCR_LAYER and state.content.characters is not None


def _may_choose(state: PageState) -> bool:
    """Whether the settings leave open what the words are read from."""
    return state.settings.ocr == "auto" and state.settings.text_layer == "auto"


def _is_tagged(state: PageState) -> bool:
    """Whether a tagged PDF says what the words are that are about to be read."""
    read = state.source != "ocr" and state.content.quality is TextQuality.GOOD
    return read and state.content.structure is not None and state.content.characters is not None


def _may_have_pictures(state: PageState) -> bool:
    drawn = bool(state.content.images) or len(state.content.drawings) > 0
    return drawn or any(region.category is Category.PICTURE for region in state.regions)


def _lines(state: PageState) -> list[Line]:
    if not state.noisy:
        return lines_of(state.upright, EXACT_SPACING)
    found = [steadied(line) for line in lines_of(state.upright, NOISY_SPACING)]
    return snapped(found, SNAP_OCR if state.source == "ocr" else SNAP_LAYER)


def _top(line: Line) -> tuple[float, float]:
    return line.box.y0, line.box.x0


def _marked(group: Group, category: Category, state: PageState) -> Block:
    if state.plan is not None and not category.is_furniture:
        said = block_of(group, category, state, state.plan)
        if said is not None:
            return said
    marker = "" if category.is_furniture else marker_of(group, category)
    if marker and category is Category.LIST_ITEM:
        bare = replace(group, lines=(without_item_marker(group.lines[0], marker), *group.lines[1:]))
        block = text_block(bare, category, state)
        return msgspec.structs.replace(block, marker="◦" if marker == "o" else marker, box=group.box.rounded())
    block = text_block(group, category, state)
    return msgspec.structs.replace(block, marker=marker, spans=without_marker(block.spans, marker))


def _body_size(words: Sequence[Word]) -> float:
    """Size in points of most characters; 10 where there are none."""
    weight: dict[float, int] = {}
    for word in words:
        weight[word.size] = weight.get(word.size, 0) + len(word.text)
    return max(weight, key=lambda size: (weight[size], size), default=10.0)


# ---- the words


def audit(state: PageState, engines: Engines) -> PageState:
    """Is the OCR layer that somebody put under the scan what the scan says? Where it is not, OCR replaces it."""
    content = state.content
    assert content.characters is not None  # only then the stage is needed
    faithful = is_faithful(words_of(content.characters), lambda boxes: engines.read(content, boxes))
    return replace(state, ocr=not faithful)


def orientation(state: PageState, engines: Engines) -> PageState:
    """Turn a page that is read from its pixels and straighten it; straighten a scan whose text layer is believed."""
    from docparse.layout.orientation import DESKEW_DPI, deskew_angle
    from docparse.layout.resolution import small_dpi

    content = state.content
    if not state.ocr:
        return replace(state, content=levelled(content, deskew_angle(content.render(DESKEW_DPI).pixels)))
    content = turned(content, engines.orientation.angle(content.render(small_dpi(content))))
    return replace(state, content=straightened(content, deskew_angle(content.render(DESKEW_DPI).pixels)))


def ocr(state: PageState, engines: Engines) -> PageState:
    """Read the words from the pixels; say so where they cannot be read."""
    result = engines.read(state.content)
    characters = state.content.characters
    said = unreadable(result.lines, characters.text if characters is not None else "")
    return replace(state, words=result.words, source="ocr", unreadable=said, unread_lines=result.unread)


def structure(state: PageState, engines: Engines) -> PageState:
    """See what the structure tree of a tagged PDF says of the text, and whether the page bears it out."""
    content = state.content
    assert content.structure is not None and content.characters is not None  # only then the stage is needed
    plan = plan_of(content.structure, content.characters)
    if against := objection(plan, content.characters):
        return replace(state, structure=f"ignored: {against}")
    return replace(state, plan=believed(plan, content.characters), structure="tagged")


def words(state: PageState, engines: Engines) -> PageState:
    """Read the words from the text layer: also where OCR was wanted and failed."""
    characters = state.content.characters
    if characters is None:
        return replace(state, words=())
    if state.plan is not None:  # the tree has the items, whatever is drawn before them
        return replace(state, words=words_of(characters, state.plan.wholes))
    found = words_of(characters)
    return replace(state, words=found if state.noisy else with_marks(found, state.content.marks))


# ---- regions, tables, pictures, formulas: what takes words before they are running text


def layout(state: PageState, engines: Engines) -> PageState:
    """Ask PP-StructureV3 what it sees where."""
    return replace(state, regions=engines.regions(state.content))


def rulings(state: PageState, engines: Engines) -> PageState:
    """Take the strokes of the file; find them in the pixels of a scan."""
    content, found = state.content, state.content.rulings
    if state.noisy and len(found) == 0:
        found = rulings_from_image(content.render(engines.ocr_dpi(content)))
    panels = panels_from_image(content.render(engines.ocr_dpi(content))) if state.noisy else content.panels
    return replace(state, rulings=found, frames=frames_of(panels, found))


def named_tables(state: PageState, engines: Engines) -> PageState:
    """Take the tables that the structure tree names."""
    assert state.plan is not None  # only then the stage is needed
    found = tagged_tables(state.plan, state.upright, state.source, scripts=state.settings.formulas)
    taken = {id(word) for table in found for word in table.words}
    return replace(
        state,
        tables=[table.block for table in found],
        places=[(table.block, table.place) for table in found],
        words=[word for word in state.words if id(word) not in taken],
    )


def code(state: PageState, engines: Engines) -> PageState:
    """Take listings and commands: lines in monospaced type, with their line breaks and indentation."""
    plan = state.plan
    loose = [word for word in state.upright if plan is None or plan.is_loose(word)]
    found = find_code(loose, state.rulings)
    taken = {id(word) for block in found for word in block.words}
    return replace(
        state,
        code=[code_block(block, state.source) for block in found],
        words=[word for word in state.words if id(word) not in taken],
    )


def tables(state: PageState, engines: Engines) -> PageState:
    """Rebuild tables; their words are no running text."""
    upright, found, taken = state.upright, [], set()
    strokes = np.concatenate([state.rulings, cell_edges(state.content.panels, state.rulings)])
    for part in parted_by(cards_of(state.frames, upright), upright):
        tables = find_tables(part, strokes, state.content.box)
        if state.plan is not None:
            tables = [table for table in tables if not holds_together(state.plan, part, table.words)]
        taken |= {id(part[i]) for table in tables for i in table.words}
        found += tables
    return replace(
        state,
        tables=[*state.tables, *(table_block(table, state.source) for table in found)],
        words=[word for word in state.words if id(word) not in taken],
    )


def pictures(state: PageState, engines: Engines) -> PageState:
    """Find the figures; which words are printed in them is decided line by line, later."""
    boxes = [block.box for block in (*state.tables, *state.code)]
    drawings = [Box(*map(float, box)) for box in state.content.drawings]
    found = find_pictures(state.regions, state.content.images, drawings, boxes, _lines(state), state.content.box)
    return replace(state, pictures=found)


def formulas(state: PageState, engines: Engines) -> PageState:
    """Read displayed formulas outside figures: as LaTeX where boxes and sizes are exact, else as pictures."""
    upright = [word for word in state.upright if not any(box.holds(*word.box.center) for box in state.pictures)]
    if state.plan is not None:
        upright = [word for word in upright if state.plan.may_be_formula(word)]
    if state.noisy:
        found = find_scanned_formulas(upright, state.regions)
    else:
        found = find_formulas(upright, state.rulings, _body_size(upright))
    taken = {id(upright[i]) for formula in found for i in formula.words}
    return replace(
        state,
        formulas=[formula_block(formula, upright, state.source) for formula in found],
        words=[word for word in state.words if id(word) not in taken],
    )


# ---- running text: lines, groups, categories


def lines(state: PageState, engines: Engines) -> PageState:
    """Put the words that are left into lines."""
    if state.plan is None:
        return replace(state, lines=_lines(state))
    code, rest = code_lines_apart(state.upright, state.plan)
    return replace(
        state, lines=sorted([*code, *cut_at_units(_lines(replace(state, words=rest)), state.plan)], key=_top)
    )


def stacked(state: PageState, engines: Engines) -> PageState:
    """Gather fractions, limits and other small stacks into the line of text that they belong to."""
    return replace(state, lines=gathered(state.lines, state.rulings))


def labels(state: PageState, engines: Engines) -> PageState:
    """Part the words printed in figures from the running text."""
    named: Sequence[Line] = ()
    loose = state.lines
    if state.plan is not None:
        held, loose = lines_by_unit(state.lines, state.plan)
        named = [line for lines in held.values() for line in lines]
    running, found = labels_apart(loose, state.pictures)
    if named:
        running = sorted([*named, *running], key=_top)
    figures = [picture_block(*pair) for pair in zip(state.pictures, found, strict=True)]
    return replace(state, lines=running, figures=figures)


def groups(state: PageState, engines: Engines) -> PageState:
    """Group the lines of one paragraph, heading or item."""
    named: list[Group] = []
    loose = state.lines
    if state.plan is not None:
        held, loose = lines_by_unit(state.lines, state.plan)
        named = unit_groups(held, state.plan)
    found = groups_of(loose, state.frames, NOISY if state.noisy else EXACT)
    return replace(state, groups=[*named, *found])


def entries(state: PageState, engines: Engines) -> PageState:
    """Part groups where a formula stands between their lines, and at the entries of a table of contents."""
    return replace(state, groups=entries_apart(parted(state.groups, [formula.box for formula in state.formulas])))


def sideways(state: PageState, engines: Engines) -> PageState:
    """Add the lines that run up, down or upside down."""
    return replace(state, groups=[*state.groups, *(Group([line]) for line in turned_lines(state.words))])


def style(state: PageState, engines: Engines) -> PageState:
    """Measure what is normal on this page."""
    return replace(state, style=page_style(state.groups, state.content.box, noisy=state.noisy))


def furniture(state: PageState, engines: Engines) -> PageState:
    """Tell running headers and footers."""
    page, body = state.content.box, state.page_style.body
    found = find_furniture(state.groups, state.floats, page, body, state.rulings)
    if state.plan is not None:
        found = without_tagged(found, state.groups, state.floats, state.plan)
    return replace(state, furniture=found)


def categories(state: PageState, engines: Engines) -> PageState:
    """Say of every group what it is."""
    below = followers(state.groups)
    named = [
        state.furniture.get(i) or categorise(group, state.page_style, state.floats, state.rulings, below[i])
        for i, group in enumerate(state.groups)
    ]
    if state.plan is not None:
        pairs = zip(state.groups, named, strict=True)
        named = [seen if seen.is_furniture else category_of(group, seen, state.plan) for group, seen in pairs]
    return replace(state, categories=named)


def texts(state: PageState, engines: Engines) -> PageState:
    """Join the lines of every group: hyphens mended, emphasis and formulas marked, the marker of an item apart."""
    inside = inside_items(state.groups, state.categories)
    found = [_marked(*pair, state) for pair in zip(state.groups, state.categories, strict=True)]
    found = [
        block if block.level_known or i not in inside else msgspec.structs.replace(block, level=1)
        for i, block in enumerate(found)
    ]
    items = [group for group in state.groups if group.is_item]
    return replace(state, texts=found, code=code_inside(state.code, items))


# ---- the page


def _places(body: Sequence[Block], state: PageState) -> list[tuple[int, int] | None]:
    """Where each block stands in the order of the structure tree; None where the tree does not know it."""
    plan = state.plan
    assert plan is not None  # nobody asks without one
    known = {id(block): place for block, place in state.places}
    for group, block in zip(state.groups, state.texts, strict=True):
        if plan.of_group(group) != NONE:
            known[id(block)] = plan.start(group.lines)
    return [known.get(id(block)) for block in body]


def order(state: PageState, engines: Engines) -> PageState:
    """Put everything into reading order: headers, body, footers."""
    body = state.body
    rtl = sum(line.rtl for line in state.lines) > len(state.lines) / 2
    strokes = state.rulings
    for box in (table.box.padded(2) for table in state.tables):  # strokes inside tables part nothing
        inside = (strokes >= (box.x0, box.y0, box.x0, box.y0)) & (strokes <= (box.x1, box.y1, box.x1, box.y1))
        strokes = strokes[~inside.all(axis=1)]
    boxes = [block.box for block in body]
    words = [Words(b.text, b.category is Category.SECTION_HEADER, b.category is Category.LIST_ITEM) for b in body]
    em = state.page_style.body
    found = reading_order(boxes, em=em, rtl=rtl, strokes=strokes, frames=state.frames, words=words)
    found = ranked(boxes, found, state.regions)
    if state.plan is not None:
        found = tagged_order(boxes, _places(body, state), found)
    return replace(state, blocks=state.framed([body[i] for i in found]))


def images(state: PageState, engines: Engines) -> PageState:
    """Cut out pictures, and formulas that could not be read."""
    content = state.content
    blocks = with_image_names(state.blocks, content.number)
    return replace(state, blocks=blocks, assets=crops(blocks, lambda: content.render(state.settings.dpi)))


STAGES = (
    Stage("audit", audit, needed=lambda state: _audited(state.content) and _may_choose(state)),
    Stage("orientation", orientation, needed=lambda state: state.ocr or _has_foreign_ocr(state)),
    Stage("ocr", ocr, needed=lambda state: state.ocr),
    Stage("structure", structure, needed=_is_tagged),
    Stage("words", words, plain_words, needed=lambda state: state.source != "ocr"),
    Stage("layout", layout, needed=lambda state: state.settings.layout_engine != "none"),
    Stage("rulings", rulings),
    Stage("named tables", named_tables, needed=lambda state: state.plan is not None),
    Stage("code", code, needed=lambda state: not state.noisy),
    Stage("tables", tables),
    Stage("pictures", pictures, needed=_may_have_pictures),
    Stage("formulas", formulas, needed=lambda state: state.settings.formulas),
    Stage("lines", lines, plain_lines),
    Stage("stacked", stacked, needed=lambda state: state.settings.formulas and not state.noisy),
    Stage("labels", labels, pictures_without_labels),
    Stage("groups", groups, line_by_line),
    Stage("entries", entries),
    Stage("sideways", sideways, word_by_word),
    Stage("style", style),
    Stage("furniture", furniture),
    Stage("categories", categories, all_text),
    Stage("texts", texts, plain_texts),
    Stage("order", order, top_down),
    Stage("images", images, no_images, needed=lambda state: state.settings.images != "none"),
)

TEXT_ALONE = (
    Stage("words", words, plain_words),
    Stage("lines", lines, plain_lines),
    Stage("groups", groups, line_by_line),
    Stage("sideways", sideways, word_by_word),
    Stage("categories", lambda state, engines: all_text(state)),
    Stage("texts", lambda state, engines: plain_texts(state)),
    Stage("order", order, top_down),
)
"""The words of the text layer as paragraphs: for a page that nothing else could be done with."""
