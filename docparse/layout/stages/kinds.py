"""What every group of lines is, and what it says."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from docparse.layout.blocks import formula_as_text, text_block
from docparse.layout.kinds import classify
from docparse.layout.kinds.furniture import find_furniture
from docparse.layout.kinds.headings import headings_among, introduces, is_label
from docparse.layout.kinds.legends import legends, titles_of_labels, words_of_drawings
from docparse.layout.kinds.measures import measures_of, neighbours_of
from docparse.layout.kinds.notes import called_notes, figures_of
from docparse.layout.kinds.style import page_style
from docparse.layout.state import PageState
from docparse.layout.tables.rules import without_underlines
from docparse.layout.tagged.naming import block_of, category_of, without_tagged
from docparse.layout.text.groups import Group
from docparse.layout.text.items import printed, without_item_marker, without_marker
from docparse.types import Block, Category


def style(state: PageState) -> PageState:
    """Measure what is normal on this page."""
    return replace(state, style=page_style(state.groups, state.content.box))


def furniture(state: PageState) -> PageState:
    """Tell running headers and footers."""
    page, body = state.content.box, state.page_style.body
    others = [*state.floats, *(block.box for block in (*state.code, *state.formulas))]
    found = find_furniture(state.groups, others, page, body, state.rulings, state.content.number)
    return replace(state, furniture=without_tagged(found, state.groups, state.floats, body, state.plan))


def categories(state: PageState) -> PageState:
    """Say of every group what it is."""
    found = []
    strokes = state.rulings if state.noisy else without_underlines(state.rulings, state.upright)
    beside = neighbours_of(state.groups)
    measures = measures_of(state.groups, beside, state.page_style, state.rulings, state.panels, noisy=state.noisy)
    formulas = [block.box for block in state.formulas]
    headed = [
        heads and not introduces(group, formulas, state.page_style)
        for group, heads in zip(state.groups, headings_among(state.groups, beside, measures), strict=True)
    ]
    for i, group in enumerate(state.groups):
        named = state.furniture.get(i)
        label = headed[i] and is_label(group, state.pictures, state.page_style.body)
        named = named or (Category.CAPTION if label else None)
        seen = named or classify.categorise(group, state.page_style, state.floats, strokes, heads=headed[i])
        found.append(seen if seen.is_furniture else category_of(group, seen, state.plan))
    if not state.plan.units:
        for i in called_notes(state.groups, found, state.page_style, strokes):
            found[i] = Category.FOOTNOTE
        captions = legends(state.groups, found, state.pictures, state.page_style)
        captions |= titles_of_labels(state.groups, beside, found)
        for i in captions | words_of_drawings(state.groups, beside, found, [*state.plots, *state.frames]):
            found[i] = Category.CAPTION
    return replace(state, categories=found)


def texts(state: PageState) -> PageState:
    """Join the lines of every group: hyphens mended, emphasis and formulas marked, the marker of an item apart."""
    inside = classify.inside_items(state.groups, state.categories)
    found = [_block(*pair, state) for pair in zip(state.groups, state.categories, strict=True)]
    for i in inside:
        if not found[i].level_known:
            found[i] = msgspec.structs.replace(found[i], level=1)
    return replace(state, texts=found, code=classify.code_inside(state.code, state.groups))


def _block(group: Group, category: Category, state: PageState) -> Block:
    said = None if category.is_furniture else block_of(group, category, state, state.plan)
    if said is not None:
        return said
    marker = classify.marker_of(group, category)
    typed = group.marker.text if group.marker else ""
    if marker and marker in (typed, figures_of(typed)):
        bare = replace(group, lines=(without_item_marker(group.lines[0], typed), *group.lines[1:]))
        block = text_block(bare, category, state)
        return msgspec.structs.replace(block, marker=printed(marker), box=group.box.rounded())
    block = formula_as_text(text_block(group, category, state))
    return msgspec.structs.replace(block, marker=marker, spans=without_marker(block.spans, marker))
