"""What takes words before they are running text: tables, code, pictures, formulas, and the strokes around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

import msgspec
import numpy as np

from docparse.layout.blocks import code_block, formula_block, lines_block, table_block
from docparse.layout.chained import without
from docparse.layout.code.algorithms import LEAST, NAME, find_algorithms, whole_lines
from docparse.layout.code.any_font import code_blocks
from docparse.layout.code.listing import CodeBlock, share_of_mono
from docparse.layout.code.monospaced import TYPED, TYPEWRITER, find_code, look_coded
from docparse.layout.engines import FINER
from docparse.layout.formula import FoundFormula, find_formulas
from docparse.layout.formula.cases import with_cases
from docparse.layout.geometry import boxes_of
from docparse.layout.order import frames
from docparse.layout.pictures.axes import plots_by_axes
from docparse.layout.pictures.charts import bar_charts, with_labels
from docparse.layout.pictures.drawn import drawn_from_image
from docparse.layout.pictures.figures import captioned_figures
from docparse.layout.pictures.find import PAGE_SHARE, find_pictures
from docparse.layout.pictures.scales import charts_by_scales
from docparse.layout.stages.text import lines_on
from docparse.layout.state import PageState
from docparse.layout.tables import FoundTable, find_tables, with_those_drawn
from docparse.layout.tables.cells import cell_edges, stripe_edges, without_shading
from docparse.layout.tables.rules import without_underlines
from docparse.layout.tagged.inserted import inserted_displays
from docparse.layout.tagged.tables import holds_together, tagged_tables
from docparse.layout.text.blanks import with_blanks
from docparse.layout.text.turned import turned_lines
from docparse.layout.text.words import Word, usual_size
from docparse.pdf.content import no_boxes
from docparse.pdf.structure import NONE
from docparse.types import Block, Box, Category

CHANCE = 2  # lines
SHEET = 12  # words of a sheet of paper at least
HELD = 0.5  # of a word lies in a box
PARTS = 0.6  # of the height or width of a block that a stroke runs through


def layout(state: PageState) -> PageState:
    """Ask PP-StructureV3 what it sees where."""
    return replace(state, regions=state.engines.regions(state.content))


def rulings(state: PageState) -> PageState:
    """Take the strokes and the coloured boxes of the file; find strokes and frames in the pixels of a scan."""
    found = state.content.rulings
    panels = framing = without_shading(state.content.panels)
    shapes = no_boxes()
    if state.noisy:
        image = state.image()
        found = with_those_drawn(found, image)
        boxes, filled = frames.panels_from_image(image), frames.tinted_from_image(image)
        edges = frames.bar_edges(boxes, found), stripe_edges(filled)
        found = np.concatenate([found, *edges])
        shapes = np.concatenate([boxes, filled])
        framing = without_shading(shapes[(shapes[:, 2:] - shapes[:, :2]).min(axis=1, initial=np.inf) > frames.SEEN])
    framed = frames.frames_of(framing)
    pages = frames.spread_of(state.content.box, state.upright, found, framed)
    return replace(state, rulings=found, panels=panels, shapes=shapes, frames=[*framed, *pages])


def may_have_plots(state: PageState) -> bool:
    content = state.content
    drawn = len(content.drawings) + len(content.panels) + len(content.images) + len(state.rulings)
    return state.noisy or drawn > 0


def plots(state: PageState) -> PageState:
    """Take the drawings of the file, but for shapes around a line; find its bar charts."""
    content = state.content
    bars = bar_charts(state.panels, content.rulings, state.upright)
    drawn = boxes_of(content.drawings)
    if state.noisy:
        drawn += drawn_from_image(state.image(), state.words, state.rulings)
    drawn = [box for box in drawn if not frames.is_badge(box, state.upright)]
    shapes = np.concatenate([state.shapes, state.panels, state.rulings])
    scaled = charts_by_scales(state.upright, [*drawn, *bars, *boxes_of(shapes)])
    lines, turned = lines_on(state, state.upright), turned_lines(state.words)
    axes = [] if state.noisy else plots_by_axes(content.rulings, lines)
    plots = [*drawn, *bars, *scaled, *axes]
    images = [image & content.box for image in content.images if image.area < PAGE_SHARE * content.box.area]
    captioned = captioned_figures(lines, turned, [*plots, *images], state.panels, state.rulings)
    return replace(state, plots=plots, captioned=captioned, charts=with_labels(axes, state.words))


def named_tables(state: PageState) -> PageState:
    """Take the tables that the structure tree names."""
    found = tagged_tables(state.plan, state.upright, state.source, scripts=state.settings.formulas)
    rest = _without(state, (word for table in found for word in table.words))
    places = [(table.block, table.place) for table in found]
    return replace(rest, tables=[table.block for table in found], places=places)


def knows_monospaced(state: PageState) -> bool:
    """Return whether words tell of their fonts; those of OCR layers in files are set in any."""
    return not state.noisy or state.source == "ocr"


def code(state: PageState) -> PageState:
    """Take listings and commands: lines in monospaced type, with their line breaks and indentation."""
    loose = [word for word in state.upright if state.plan.is_loose(word)]
    found = find_code(loose, TYPED if state.noisy else TYPEWRITER, state.rulings)
    found = [block for block in found if not _is_in_cells(block, state.rulings)]
    typed = state.noisy and share_of_mono(state.upright) > TYPED
    if state.noisy and (typed or not look_coded(found)):  # even type may be a chance in a line or two, or an address
        found = [block for block in found if len(block.rows) > CHANCE]
    read = code_blocks(without(loose, (word for block in found for word in block.words)))
    found += [block for block in read if not _is_in_cells(block, state.rulings)]
    rest = _without(state, (word for block in found for word in block.words))
    if state.noisy:  # a typewritten page is so throughout; elsewhere it is too uncertain to tell tables and names by
        rest = replace(rest, words=[msgspec.structs.replace(word, mono=typed) for word in rest.words])
    return replace(rest, code=[code_block(block, state.source) for block in found])


def may_have_algorithms(state: PageState) -> bool:
    """Return whether a word names one, and no tree says what the lines are."""
    return not state.is_tagged and any(NAME.fullmatch(word.text) for word in state.upright)


def algorithms(state: PageState) -> PageState:
    """Take the algorithms that papers print between rules, with their line breaks and indentation."""
    blocks: list[Block] = []
    taken: list[Word] = []
    for found in find_algorithms(state.upright, state.rulings):
        held = [[word for word in state.upright if word.box.inside(box) > HELD] for box in (found.name, found.lines)]
        named, lines = (whole_lines(lines_on(state, words)) for words in held)
        if named and len(lines) >= LEAST:
            blocks += [lines_block(named, Category.CAPTION, state), lines_block(lines, Category.TEXT, state)]
            taken += [*held[0], *held[1]]
    return replace(_without(state, taken), code=[*state.code, *blocks])


def _is_in_cells(block: CodeBlock, rulings: np.ndarray) -> bool:
    """Return whether strokes part a block: down through most of it, between its words, or across it, between its
    rows."""
    box = block.box
    x0, y0, x1, y1 = rulings.T
    down = (x1 - x0 < y1 - y0) & (x0 > box.x0) & (x1 < box.x1)
    down &= np.minimum(y1, box.y1) - np.maximum(y0, box.y0) > PARTS * box.height
    across = (x1 - x0 > y1 - y0) & (y0 > box.y0) & (y1 < box.y1)
    across &= np.minimum(x1, box.x1) - np.maximum(x0, box.x0) > PARTS * box.width
    words = [word.box for word in block.words]
    between = (all(not word.x0 < x < word.x1 for word in words) for x in x0[down].tolist())
    under = (all(not word.y0 < y < word.y1 for word in words) for y in y0[across].tolist())
    return any(between) or any(under)


def tables(state: PageState) -> PageState:
    """Rebuild tables; their words are no running text."""
    blocks, taken, places = [], [], list(state.places)
    rulings = state.rulings if state.noisy else without_underlines(state.rulings, state.upright)
    strokes = np.concatenate([rulings, cell_edges(state.panels, rulings), stripe_edges(state.panels)])
    for part in frames.parted_by(frames.cards_of(state.frames, state.upright), state.words):
        tables = find_tables(part, strokes, state.content.box, [*state.plots, *state.captioned])
        tables = [table for table in tables if not holds_together(state.plan, part, table.words)]
        tables = [t for t in tables if not any(named.box.inside(t.box) > 0.5 for named in state.tables)]
        tables = _with_formulas(state, tables, part, strokes)
        for table in tables:
            words = [part[i] for i in table.words]
            known = [state.plan.place(word) for word in words if state.plan.of(word) != NONE]
            blocks.append(table_block(table, state.source))
            places += [(blocks[-1], min(known))] if known else []
            taken += words
    return replace(_without(state, taken), tables=[*state.tables, *blocks], places=places)


def _with_formulas(
    state: PageState, tables: list[FoundTable], words: Sequence[Word], strokes: np.ndarray
) -> list[FoundTable]:
    """The tables with the formulas in their cells as the pixels have them, where they keep their rows and columns with
    them: their words are taken before the formulas in the running text of a scan are read."""
    if not tables or not may_have_inline_formulas(state):
        return tables
    from docparse.layout.formula.scanned_inline import with_inline_formulas
    from docparse.layout.formula.suspects import may_hold_formulas

    if not may_hold_formulas(state.upright):
        return tables
    own = [words[i] for table in tables for i in table.words]
    read = with_inline_formulas(own, state.image(FINER), state.engines.symbols, usual_size(own))

    def read_again(found: FoundTable) -> FoundTable:
        inside = [word for word in read if found.box.holds(*word.box.center)]
        again, old = find_tables(inside, strokes, state.content.box), found.table
        if len(again) != 1 or len(again[0].words) < len(inside):
            return found
        new = again[0].table
        alike = (new.rows, new.columns) == (old.rows, old.columns)
        return msgspec.structs.replace(found, table=new) if alike else found

    return list(map(read_again, tables))


def blanks(state: PageState) -> PageState:
    """Take the strokes to write on as words: what stands on either side of one is one line."""
    return replace(state, words=with_blanks(state.words, state.rulings))


def may_have_pictures(state: PageState) -> bool:
    drawn = bool(state.content.images) or bool(state.plots) or bool(state.captioned)
    return drawn or any(region.category is Category.PICTURE for region in state.regions)


def pictures(state: PageState) -> PageState:
    """Find the figures; which words are printed in them is decided line by line, later."""
    boxes = [block.box for block in (*state.tables, *state.code)]
    content = state.content
    drawn = with_labels(state.plots, state.words)
    printed = partial(lines_on, state, state.upright)
    images = [box for box in content.images if not _is_sheet(box, state, drawn)]
    found = find_pictures(state.regions, images, drawn, state.captioned, boxes, printed, content.box)
    return replace(state, pictures=found)


def _is_sheet(image: Box, state: PageState, drawn: Sequence[Box]) -> bool:
    """Return whether an image is a sheet of paper, such as a receipt, however small: OCR read all words of the page on
    it, and it has one ground, letters all over it, and no drawing."""
    from docparse.layout.pictures.excerpts import DPI, may_be_print

    read = state.words if state.source == "ocr" else ()
    if len(read) < SHEET or any(word.box.inside(image) <= 0.5 for word in read):
        return False
    return not any(box.meets(image) for box in drawn) and may_be_print(state.content.render(DPI), image)


def fractions(state: PageState) -> PageState:
    """Put the fractions in the lines of a scan together, where OCR met signs of formulas."""
    from docparse.layout.formula.scanned_fractions import with_fractions
    from docparse.layout.formula.suspects import may_hold_formulas

    words = _outside_pictures(state, state.words)  # a fraction of two digits is as high as a word that runs down
    if not may_hold_formulas(words):
        return state
    found = with_fractions(words, state.image(FINER), usual_size(words))
    return replace(state, words=[*_without(state, words).words, *found])


def formulas(state: PageState) -> PageState:
    """Read displayed formulas outside figures: as LaTeX where boxes and sizes are exact, else as pictures."""
    typeset = not state.noisy
    state = replace(state, words=with_cases(state.words, state.rulings)) if typeset else state
    words = [word for word in _outside_pictures(state, state.upright) if state.plan.may_be_formula(word)]
    told = inserted_displays(words, state.plan, state.rulings) if state.is_tagged else []
    blocks = [formula_block(formula, words, state.source) for formula in told]
    held = [[words[i] for i in formula.words] for formula in told]
    places = [(block, min(map(state.plan.place, own))) for block, own in zip(blocks, held, strict=True)]
    taken = [word for own in held for word in own]
    words = without(words, taken)
    found = find_formulas(words, state.rulings, usual_size(words)) if typeset else _scanned_formulas(state, words)
    blocks += [formula_block(formula, words, state.source) for formula in found]
    taken += [words[i] for formula in found for i in formula.words]
    return replace(_without(state, taken), formulas=blocks, places=[*state.places, *places])


def _scanned_formulas(state: PageState, words: Sequence[Word]) -> list[FoundFormula]:
    """Formulas that a layout detector saw, and where OCR met signs of them, those in the pixels."""
    from docparse.layout.formula.scanned import detected_formulas, find_scanned_formulas, has_signs, running_text

    found = detected_formulas(words, state.regions)
    held = {i for formula in found for i in formula.words}
    rest = [i for i in range(len(words)) if i not in held]
    others = [words[i] for i in rest]
    text = running_text(others)
    if state.settings.ocr == "off" or not has_signs(others, text):
        return found
    closed = [*state.pictures, *(block.box for block in state.tables), *(formula.box for formula in found)]
    more = find_scanned_formulas(others, text, state.image(FINER), state.engines.symbols, closed, usual_size(words))
    return [*found, *(replace(formula, words=tuple(rest[i] for i in formula.words)) for formula in more)]


def may_have_inline_formulas(state: PageState) -> bool:
    """Return whether a text layer has no exact sizes and baselines, and pixels may be read."""
    return state.noisy and state.settings.formulas and state.settings.ocr != "off"


def inline_formulas(state: PageState) -> PageState:
    """Read the formulas within the running text of a scan from its pixels."""
    from docparse.layout.formula.scanned_inline import with_inline_formulas
    from docparse.layout.formula.suspects import may_hold_formulas

    words = _outside_pictures(state, state.upright)
    if not may_hold_formulas(words):
        return state
    read = with_inline_formulas(words, state.image(FINER), state.engines.symbols, usual_size(words))
    return replace(state, words=[*_without(state, words).words, *read])


def _outside_pictures(state: PageState, words: Sequence[Word]) -> list[Word]:
    return [word for word in words if not any(box.holds(*word.box.center) for box in state.pictures)]


def _without(state: PageState, taken: Iterable[Word]) -> PageState:
    """The page without words that have found their place."""
    return replace(state, words=without(state.words, taken))
