"""The running text: the words that are left become lines, and lines become groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from docparse.layout.blocks import picture_block
from docparse.layout.formula.gathered import gathered
from docparse.layout.kinds.contents import entries_apart, numbered_rows
from docparse.layout.kinds.running_heads import foot_apart, head_apart
from docparse.layout.order.frames import cards_of
from docparse.layout.pictures.find import labels_apart
from docparse.layout.state import PageState
from docparse.layout.tagged.code import code_lines_apart
from docparse.layout.tagged.grouping import lines_by_unit, unit_groups, units_in
from docparse.layout.text.endings import joined_endings, with_ends_of_proofs
from docparse.layout.text.fields import joined_fields
from docparse.layout.text.groups import EXACT, NOISY, Group, groups_of
from docparse.layout.text.items import joined_bullets, points_behind_numbers
from docparse.layout.text.line_finding import EXACT_SPACING, NOISY_SPACING, lines_of
from docparse.layout.text.lines import Line, downward, snapped, steadied
from docparse.layout.text.turned import turned_lines
from docparse.layout.text.words import Word
from docparse.types import Block

RASTER = 0.9  # share of a figure that is one raster image, and of that
SNAP_OCR, SNAP_LAYER = 0.2, 0.35  # by what share measured sizes jitter: our OCR, OCR layers found in files


def lines(state: PageState) -> PageState:
    """Put the words that are left into lines."""
    code, rest = code_lines_apart(state.upright, state.plan)
    return replace(state, lines=downward([*code, *lines_on(state, rest)]))


def stacked(state: PageState) -> PageState:
    """Gather fractions, limits and other small stacks into the line of text that they belong to."""
    return replace(state, lines=gathered(state.lines, state.rulings))


def labels(state: PageState) -> PageState:
    """Part the words printed in figures from the running text."""
    held, loose = lines_by_unit(state.lines, state.plan)
    for unit in units_in(state.pictures, held, state.plan):
        loose += held.pop(unit)
    running, found = labels_apart(loose, state.pictures, [*state.charts, *state.captioned])
    _, turned = labels_apart(turned_lines(state.words), state.pictures)
    found = [[*upright, *along] for upright, along in zip(found, turned, strict=True)]
    figures = [picture_block(*pair) for pair in zip(state.pictures, found, strict=True)]
    named = [line for lines in held.values() for line in lines]
    return replace(state, lines=downward([*named, *running]), figures=figures)


def may_have_excerpts(state: PageState) -> bool:
    """Return whether a picture of a page that is not read by OCR may show text, and OCR is allowed."""
    bare = any(not figure.spans for figure in state.figures)
    return bare and len(state.content.images) > 0 and not state.noisy and state.settings.may_read_pixels


def excerpts(state: PageState, read: Callable[[PageState], Sequence[Block]]) -> PageState:
    """Put the text and the tables that raster images show in the place of these; `read` makes blocks of a page."""
    from docparse.layout.pictures.excerpts import DPI, excerpt, may_be_print, shown_text

    def shown(figure: Block) -> list[Block]:
        box = figure.box
        raster = any(image.inside(box) > RASTER and box.inside(image) > RASTER for image in state.content.images)
        if figure.spans or not raster or not may_be_print(state.content.render(DPI), box):
            return [figure]
        page = PageState(content=excerpt(state.content, box), engines=state.engines, ocr=True)
        return shown_text(read(page), figure)

    return replace(state, figures=[block for figure in state.figures for block in shown(figure)])


def groups(state: PageState) -> PageState:
    """Group the lines of one paragraph, heading or item."""
    lines = numbered_rows(state.lines) if state.plan.units else state.lines  # a number may be a unit of its own
    held, loose = lines_by_unit(lines, state.plan)
    sides = [(x, card.y0, x, card.y1) for card in cards_of(state.frames, state.upright) for x in (card.x0, card.x1)]
    strokes = np.concatenate([state.rulings, np.array(sides, np.float32).reshape(-1, 4)])
    loose = joined_endings(joined_fields(numbered_rows(points_behind_numbers(joined_bullets(loose))), strokes))
    found = groups_of(loose, NOISY) if state.noisy else groups_of(loose, EXACT, state.rulings)
    loose_groups = with_ends_of_proofs(foot_apart(head_apart(found)))
    return replace(state, groups=[*unit_groups(held, state.plan), *loose_groups])


def entries(state: PageState) -> PageState:
    """Part groups at the entries of a table of contents."""
    return replace(state, groups=entries_apart(state.groups))


def sideways(state: PageState) -> PageState:
    """Add the lines that run up, down or upside down, but for those that are labels of figures."""
    running, _ = labels_apart(turned_lines(state.words), [figure.box for figure in state.figures])
    return replace(state, groups=[*state.groups, *map(Group, ([line] for line in running))])


def lines_on(state: PageState, words: Sequence[Word]) -> list[Line]:
    """Upright words of the page as lines, in steady sizes where they were measured on pixels."""
    if not state.noisy:
        return lines_of(words, EXACT_SPACING, state.rulings)
    found = [steadied(line) for line in lines_of(words, NOISY_SPACING, state.rulings)]
    return snapped(found, SNAP_OCR if state.source == "ocr" else SNAP_LAYER)
