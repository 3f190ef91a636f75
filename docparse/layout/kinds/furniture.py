"""Furniture: running headers, footers, page numbers and stamps, which are not part of the text.

On a single page nothing repeats. What tells them there (place, room, type, words) was learned from documents of many
pages, whose running lines repeat (`training/furniture.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.kinds.edges import DOTTED, FAR, STAMP, Edge, EdgeRow, edge_rows
from docparse.layout.kinds.forest import shipped_forest
from docparse.layout.kinds.running_heads import is_head
from docparse.layout.text.groups import Group
from docparse.layout.text.items import raised_mark
from docparse.layout.text.wording import CAPTION, CUT, NOTE, PAGE_NUMBER, YEAR
from docparse.pdf.content import NO_STROKES
from docparse.pdf.slants import HUGE
from docparse.types import Box, Category, union

# the probability from which a row is furniture, by `Edge.later`: headings that are lost cost more than what is kept,
# and first pages, and those without a number, may have the date of a letter there
LIKELY = {1: 0.75, 0: 0.85, -1: 0.9}
EVIDENT = 0.5  # the same for rows of several pieces, with the words of publishers, or that a stroke sets off
OUTERMOST = 0.04  # of the height of a sheet, in which browsers print and writers do not
COVER, TITLE = 12, 1.5  # lines: a page with fewer, and type so many times as large as its text, is a cover
BESIDE = 4.0  # em between the number of a page in a row with its title and the margin
DEEPEST = 4  # rows from the edge inwards that may be furniture
LARGER = 1.15  # times the size of the text: numbers of pages are no larger where there is another one
SLIDE = 1.05  # times the size of the text: titles of slides are larger, their running heads are not
ABREAST = 4  # pieces of a running line: left, middle, right, and a number
FILLED = 0.7  # share of the page height: a foot without the number of a page stands below that
REFERENCE = re.compile(r"\[\d{1,3}\] \w")
EQUATES = re.compile(r"[＝≈≤≥]|\s=\s")
PLAIN, NEAR = 0.1, 1.0  # in excess of the text's size, or share of its words; em from a line to the stroke under it
STACK, LEADING, FLUSH = 4, 0.5, 0.2  # lines of a text; em between two at most, and between their margins
CENTRED = 0.5  # em between the middle of a title and that of its column
ASIDE, BOUND = 0.1, 0.12  # share of the page width in which text that runs up or down it is a stamp; large, or Chinese
DRAWN = 0.5  # share of the page that a drawing fills at least, where such text is its title
BINDING = frozenset("密封线装订内不要答题")  # "do not write beyond this line", where papers are bound
STACKED, AROUND = 2, 2.0  # so many of these characters, em around


def find_furniture(
    groups: Sequence[Group],
    others: Sequence[Box],
    page: Box,
    body: float,
    strokes: np.ndarray = NO_STROKES,
    number: int = 0,
) -> dict[int, Category]:
    """Return which groups (by position) are running headers or footers. `others` are tables, pictures, listings and
    displayed formulas, never furniture; `body` is the size of most text and `strokes` are float [n, 4], in points;
    `number` is that of the page in its file, 0 if it is not known."""
    found = {i: Category.PAGE_HEADER for i in _stamped(groups, others, page, body)}
    for i, group in enumerate(groups):
        if CUT.fullmatch(group.text):
            found[i] = Category.PAGE_FOOTER if group.box.center[1] > page.center[1] else Category.PAGE_HEADER
    positions = {id(group): i for i, group in enumerate(groups)}
    for edge in page_edges(groups, others, page, body, strokes, number):
        category = Category.PAGE_FOOTER if edge.foot else Category.PAGE_HEADER
        found |= {positions[id(group)]: category for group in _numbers_beside(edge)}
        for index, row in enumerate(edge.rows[:DEEPEST]):
            printed = index == 0 and _is_of_browser(edge)
            if not printed and (is_named(row, foot=edge.foot) or not _is_furniture(edge, index)):
                break
            found |= {positions[id(group)]: category for group in row.groups}
    if len(found) == len(groups) and not others:  # nothing would be left of the page
        return {i: category for i, category in found.items() if PAGE_NUMBER.fullmatch(groups[i].text)}
    return found


def page_edges(
    groups: Sequence[Group], others: Sequence[Box], page: Box, body: float, strokes: np.ndarray, number: int = 0
) -> list[Edge]:
    """Return the top and the bottom edge of a page, empty if it has no upright text. `number` is that of the page in
    its file, 0 if it is not known: on the first one what is printed has to stand alone, as "modèle 160" is no page."""
    upright = [group for group in groups if group.lines[0].main.angle == 0]
    if not upright:
        return []
    content = union([*(group.box for group in groups), *others])
    lines = sum(len(group.lines) for group in groups)
    rows = {foot: edge_rows(upright, foot=foot) for foot in (False, True)}
    outermost = [row for each in rows.values() for row in each[:2]]
    printed = [said for row in outermost for said in row.page_numbers(alone=number == 1)]
    later = 0 if not printed else 1 if max(printed) > 1 else -1
    em = max(1.0, body)  # some files say that their letters have no size
    numbered = PAGE_NUMBER.fullmatch(rows[True][0].text) is not None
    return [Edge(foot, rows[foot], page, content, others, strokes, em, lines, later, numbered) for foot in rows]


def is_named(row: EdgeRow, *, foot: bool) -> bool:
    """Return whether a row says what it is: a caption, a note, an item, a reference, an entry of contents, a scale."""
    beside = not foot and len(row.groups) > 1  # "§ 12.4" and the title of a code: no note
    noted = any(NOTE.match(group.text) for group in row.groups) and not beside
    raised = foot and any(raised_mark(group.lines[0]).isdecimal() for group in row.groups)
    headed = DOTTED.match(row.text) is not None or (beside and bool(row.numbers))  # "第7章" begins items too
    listed = row.groups[0].is_item and not PAGE_NUMBER.fullmatch(row.text) and (foot or not headed)
    scale = len(row.numbers) > len({group.text for group in row.numbers})
    named = any(group.is_entry or CAPTION.match(group.text) or REFERENCE.match(group.text) for group in row.groups)
    return noted or raised or listed or scale or named


def _is_furniture(edge: Edge, index: int) -> bool:
    """Return whether a row is furniture if all beyond it are. Covers and drawings have but stamps and the numbers of
    pages."""
    row = edge.rows[index]
    if index == 0 and _is_over_sentence(edge):
        return True
    if _is_of_chapter(edge, row) or (
        edge.foot and not edge.later and row.box.y1 < edge.page.y0 + FILLED * edge.page.height
    ):
        return False  # the end of a text, with white under it
    measures = edge.measures(index, outer=index)
    plain = (not measures["stamp"] and not row.numbers) or YEAR.fullmatch(row.text)
    cover = edge.lines < COVER and (edge.later < 1 or max(each.size for each in edge.rows) > TITLE * edge.body)
    least = SLIDE if edge.lines >= COVER else 1 / SLIDE  # one with a picture alone has no text but its title
    slide = edge.page.width > edge.page.height and row.size > least * edge.body
    across = len(row.groups) > 1 and max(measures["left"], measures["right"]) < 1  # from margin to margin
    titled = measures["over a float"] and edge.later < 1 and not across
    if plain and (cover or (not edge.foot and (slide or titled))):
        return False  # a word of a drawing, the title of a slide or a table
    last = edge.foot and not measures["stamp"] and (EQUATES.search(row.text) or _ends_text(edge, index))
    if last or (not edge.foot and (_heads_columns(row, edge.inner(index)) or _is_under_head(edge, index))):
        return False
    if index == 0 and not edge.foot and edge.later > 0 and _is_ruled_off(row, measures):
        return True
    stamped = measures["stamp"] and row.lines == 1
    numbered = edge.foot and measures["number"] and not YEAR.fullmatch(row.text)
    evident = stamped or numbered or 1 < len(row.groups) <= ABREAST or measures["stroke"] < FAR
    likely = shipped_forest("furniture").probability(measures)
    return likely > (EVIDENT if evident else LIKELY[edge.later])


def _is_of_chapter(edge: Edge, row: EdgeRow) -> bool:
    """Return whether a row at the head has the number of a chapter: in much larger type than the text, or alone in
    larger type where that of the page stands at the foot."""
    alone = edge.numbered and PAGE_NUMBER.fullmatch(row.text)
    return not edge.foot and bool(row.numbers) and row.size > (LARGER if alone else TITLE) * edge.body


def _is_of_browser(edge: Edge) -> bool:
    """Return whether the outermost row stands at the very edge and holds an address and something else, as browsers
    print."""
    row = edge.rows[0]
    addressed = any(re.match(r"https?://", group.text) for group in row.groups)
    beside = len(row.groups) > 1 and row.lines == 1  # in a picture of a page, a note beside paragraphs is cut as close
    return addressed and beside and edge.measures(0, 0)["outside"] < OUTERMOST


def _is_ruled_off(row: EdgeRow, measures: dict[str, float]) -> bool:
    """Return whether a line in the type of the text stands right on a wide stroke: headings over theirs are set
    apart."""
    plain = max(measures["size"] - 1, measures["bold"], measures["tinted"]) < PLAIN
    return row.lines == 1 and measures["stroke"] < NEAR and plain


def _is_under_head(edge: Edge, index: int) -> bool:
    """Return whether a row is in much larger type than the running head with the page's number over it, as the title of
    a part of a form is, or in bold as that is not."""
    outer = edge.rows[:index]
    numbered = any(each.page_numbers(alone=False) for each in outer)
    bold = edge.rows[index].share("bold") > max((each.share("bold") for each in outer), default=0) + 1 - PLAIN
    return numbered and (bold or edge.rows[index].size > TITLE * max(each.size for each in outer))


def _heads_columns(row: EdgeRow, inner: EdgeRow | None) -> bool:
    """Return whether every piece of a row stands over the middle of a column of its own: titles of sections, as the
    pieces of a running line stand at the margins and in the middle of the page."""
    if inner is None or not 1 < len(row.groups) == len(inner.groups):
        return False
    pairs = [(piece, group.box) for piece, group in zip(row.groups, inner.groups, strict=True)]
    apart = all(sum(piece.box.overlap_x(group.box) > 0 for group in inner.groups) == 1 for piece in row.groups)
    return apart and all(
        piece.box.width < box.width and abs(box.center[0] - piece.box.center[0]) < CENTRED * piece.size
        for piece, box in pairs
    )


def _numbers_beside(edge: Edge) -> list[Group]:
    """The number of a page that ends the outermost row, at the margin and in smaller type than the title before it."""
    *before, last = edge.rows[0].groups
    at_margin = edge.content.x1 - last.box.x1 < BESIDE * edge.body
    numbered = re.fullmatch(r"\d{1,3}", last.text) and at_margin and not edge.foot  # longer ones are of an invoice
    return [last] if before and numbered and last.size < min(group.size for group in before) / TITLE else []


def _is_over_sentence(edge: Edge) -> bool:
    """Return whether the text goes on under the outermost row in the middle of a sentence."""
    row, inner = edge.rows[0], edge.inner(0)
    if edge.foot or inner is None or row.lines > 1:
        return False
    return is_head([group.lines[0] for group in row.groups], inner.groups[0].lines)


def _ends_text(edge: Edge, index: int) -> bool:
    """Return whether a line at the foot is the last of several in the type of the text, at one margin and as close as
    lines are, as that of an address: white sets off what runs along the pages."""
    row = edge.rows[index]
    last = row.groups[0]
    if len(row.groups) > 1 or row.numbers or row.size < edge.body:
        return False
    lines = 1
    inwards = (group for inner in edge.rows[index + 1 :] for group in inner.groups)
    for over in (group for group in inwards if group.box.overlap_x(last.box) > 0):
        flush = abs(over.box.x0 - last.box.x0) < FLUSH * row.size
        if not flush or over.size != last.size or last.box.y0 - over.box.y1 > LEADING * row.size:
            break
        lines, last = lines + len(over.lines), over
    return lines >= STACK


def _stamped(groups: Sequence[Group], others: Sequence[Box], page: Box, body: float) -> list[int]:
    """Return which groups are stamps that run up or down the edge of the page, or watermarks, in huge type, over it. A
    drawing that fills the page has its title there, in large type; where papers are bound Chinese stands upright."""
    few = sum(len(group.lines) for group in groups) < COVER
    drawn = few and any(box.area > DRAWN * page.area for box in others)
    found = []
    for i, group in enumerate(groups):
        left, right = group.box.x1 / page.width, 1 - group.box.x0 / page.width
        titled = drawn and group.size >= body and not STAMP.search(group.text)
        aside = min(left, right) < (BOUND if group.size > LARGER * body else ASIDE)
        turned = group.lines[0].main.angle and (group.size > HUGE * body or (aside and not titled))
        if turned or (min(left, right) < BOUND and is_stacked(group) and _is_bound(group, groups, body)):
            found.append(i)
    return found


def _is_bound(group: Group, groups: Sequence[Group], body: float) -> bool:
    """Return whether stacked characters have but others over and under them, among them those where papers are bound,
    and no text beside them, as the marker of an item has."""
    strip = [other for other in groups if other.box.overlap_x(group.box) > 0]
    told = all(map(is_stacked, strip)) and sum(char in BINDING for other in strip for char in other.text) >= STACKED
    level = (other.box for other in groups if other.box.overlap_y(group.box) > 0)
    return told and not any(0 <= box.gap_x(group.box) < AROUND * body for box in level)


def is_of_binding(group: Group) -> bool:
    """Return whether it is Chinese characters one under the other, some of those that stand where papers are bound."""
    return is_stacked(group) and any(char in BINDING for char in group.text)


def is_stacked(group: Group) -> bool:
    """Return whether it is Chinese characters, one under the other."""
    return all(len(text) == 1 and is_cjk(text) for text in (line.text.strip() for line in group.lines))
