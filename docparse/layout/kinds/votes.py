"""What a group is told from the others of its page: headings that are none, and items and texts that are more."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from docparse.layout.kinds.classify import FLUSH, SMALLER, figures_of, is_counted, is_low_print
from docparse.layout.kinds.headings import ENDINGS, NUMBERED
from docparse.layout.kinds.style import COLOURED, PageStyle
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import OFF, SCRIPT, Line
from docparse.layout.text.markers import readings
from docparse.layout.text.side_heads import side_heads
from docparse.layout.text.wording import SENTENCE, SENTENCE_END, count_words, ends_sentence, has_words
from docparse.layout.text.words import Word
from docparse.types import Category

CROWD, CROWDED = 3, 1.5  # headings, and em between them: of a form, an address or a title page
WHITE = 0.5  # em by which the white over a heading is more than that between lines of a form, which stand evenly
TOUCH, DROP = 2.0, 0.35  # points, and em under the baseline, by which the stroke of an underlined line may be off
OVER, HEADLINE = 3.0, 1.8  # em from such a line to its text; times the size of a kicker
CLOSING = '”"»'  # of a title that is something said
ALIKE, LARGER = 0.08, 1.05  # share by which sizes of one type differ, measured ones too; times the size of text


def crowds(groups: Sequence[Group], categories: Sequence[Category], below: Sequence[Sequence[Group]]) -> set[int]:
    """Return the headings, by index, that stand in one type close under each other, three or more: they head nothing
    and are the lines of a form or an address. The last, where more white parts it from the others than these from each
    other, heads what is under it. Centred at the top, in larger type than all else, they are a title. `below` are the
    `followers` of the groups."""
    headings = {id(group): i for i, group in enumerate(groups) if categories[i] is Category.SECTION_HEADER}
    under = {i: headings.get(id(others[0])) for i, others in enumerate(below) if others}
    found: set[int] = set()
    for i in headings.values():
        crowd = [i]
        while (after := under.get(crowd[-1])) is not None and _goes_with(groups[crowd[-1]], groups[after]):
            crowd.append(after)
        if len(crowd) >= CROWD and not _is_title([groups[k] for k in crowd], groups):
            found.update(crowd[: -1 if _is_apart([groups[k] for k in crowd]) else None])
    return found


def _goes_with(upper: Group, lower: Group) -> bool:
    """In one type, and close under it."""
    sized, close = abs(upper.size - lower.size) < 0.03 * upper.size, lower.box.y0 - upper.box.y1 < CROWDED * upper.size
    return sized and close and upper.is_bold == lower.is_bold


def _is_title(crowd: Sequence[Group], groups: Sequence[Group]) -> bool:
    """Whether lines are centred on each other over all others, which are smaller."""
    first, *rest = crowd
    centred = all(abs(line.box.center[0] - first.box.center[0]) < FLUSH * line.size for line in rest)
    ragged = any(abs(line.box.x0 - first.box.x0) > FLUSH * line.size for line in rest)
    others = [group for group in groups if not any(group is line for line in crowd)]
    return centred and ragged and all(o.size < first.size and o.box.y0 > first.box.y0 for o in others)


def _is_apart(crowd: Sequence[Group]) -> bool:
    """Whether the last of them stands further from the one over it than any other, by half an em."""
    *white, last = (lower.box.y0 - upper.box.y1 for upper, lower in pairwise(crowd))
    return last > max(white) + WHITE * crowd[-1].size


def outvoted(groups: Sequence[Group], categories: Sequence[Category], below: Sequence[Sequence[Group]]) -> set[int]:
    """Return the headings, by index, whose like are terms more often: bold lines in one type and at one margin, with as
    much white over them, over text that is as far in. `below` are the `followers` of the groups."""
    styles, white = {}, {}
    for i, (group, others) in enumerate(zip(groups, below, strict=True)):
        if categories[i] in (Category.SECTION_HEADER, Category.TEXT) and len(group.lines) == 1 and group.is_bold:
            em, box = group.size, group.box
            indent = others[0].box.x0 - box.x0 if others else 0.0
            styles[i] = (group.lines[0].main.font, round(em, 1), round(box.x0 / em), indent > FLUSH * em)
            over = (other.box.y1 for other in groups if other.box.y0 < box.y0 and other.box.overlap_x(box) > 0)
            white[i] = (box.y0 - max(over, default=-np.inf)) / em
    found = set()
    for i, style in styles.items():
        like = [categories[j] for j in styles if styles[j] == style and white[j] > white[i] - FLUSH]
        if categories[i] is Category.SECTION_HEADER and like.count(Category.TEXT) > like.count(Category.SECTION_HEADER):
            found.add(i)
    return found


def in_series(groups: Sequence[Group], categories: Sequence[Category], style: PageStyle) -> set[int]:
    """Return the items, by index, that are headings: single lines, whose numbers go with those of headings in their
    type and of no other items; beside one heading alone, figures may as well count items. On pixels, where the weight
    of a few letters is rough, type larger than text is one."""
    numbers: dict[tuple[str, int], list[int]] = {}
    for i, (group, category) in enumerate(zip(groups, categories, strict=True)):
        if group.marker is not None and category in (Category.SECTION_HEADER, Category.LIST_ITEM):
            for reading in readings(group.marker.text):
                numbers.setdefault(reading, []).append(i)

    def is_head(i: int, reading: tuple[str, int]) -> bool:
        kind, number = reading
        beside = [j for near in (number - 1, number + 1) for j in numbers.get((kind, near), ())]
        heads = [categories[j] is Category.SECTION_HEADER and _is_set_like(groups[i], groups[j], style) for j in beside]
        near = (j for n in range(number - 2, number + 3) for j in numbers.get((kind, n), ()))
        several = "1" not in kind or sum(categories[j] is Category.SECTION_HEADER for j in near) > 1
        return number > 0 and bool(heads) and all(heads) and several

    lone = {(i, reading) for reading, found in numbers.items() for i in found if len(groups[i].lines) == 1}
    return {i for i, reading in lone if not ends_sentence(groups[i].text) and is_head(i, reading)}


def _is_set_like(item: Group, heading: Group, style: PageStyle) -> bool:
    """Whether an item is in the type of a heading."""
    one, other = (group.lines[0].main for group in (item, heading))
    alike = abs(one.size - other.size) < ALIKE * other.size and one.font == other.font
    return alike and (one.bold == other.bold or (style.noisy and one.size > LARGER * style.prose))


def counted(groups: Sequence[Group], categories: Sequence[Category], below: Sequence[Sequence[Group]]) -> set[int]:
    """Return the headings, by index, that are items: they count on from the item right over them. `below` are the
    `followers`."""
    headings = {id(group): i for i, group in enumerate(groups) if categories[i] is Category.SECTION_HEADER}
    pairs = (
        (group, others)
        for group, others, kind in zip(groups, below, categories, strict=True)
        if kind is Category.LIST_ITEM
    )
    return {
        headings[id(others[0])] for group, others in pairs if is_counted(group, others) and id(others[0]) in headings
    }


def in_margin(groups: Sequence[Group], categories: Sequence[Category]) -> set[int]:
    """Return the texts, by index, that are headings in the margin beside what they head."""
    lines = [line for group in groups for line in group.lines]
    first = {id(lines[i]) for i in side_heads(lines)}
    return {i for i, group in enumerate(groups) if categories[i] is Category.TEXT and id(group.lines[0]) in first}


def underlined(
    groups: Sequence[Group], categories: Sequence[Category], below: Sequence[Sequence[Group]], lines: np.ndarray
) -> set[int]:
    """Return the texts, by index, that are headings as typists made them: one line, underlined from end to end, and
    text that is not under it. `lines`, float [n, 4], are the strokes under words; `below` the `followers`."""

    def is_ruled(group: Group) -> bool:
        x0, x1, drop = lines[:, 0], lines[:, 2], lines[:, 1] - group.lines[-1].baseline
        over = (abs(x0 - group.box.x0) < TOUCH) & (abs(x1 - group.box.x1) < TOUCH)
        return len(group.lines) == 1 and bool((over & (drop > 0) & (drop < DROP * group.size)).any())

    found = set()
    for i, (group, others) in enumerate(zip(groups, below, strict=True)):
        plain = categories[i] is Category.TEXT and group.share("tinted") < COLOURED and is_ruled(group)
        said = has_words(group.text) and not group.text.endswith(ENDINGS)
        near = others[:1] and others[0].box.y0 - group.box.y1 < OVER * group.size and not is_ruled(others[0])
        if plain and said and near:
            found.add(i)
    return found


def kickers(groups: Sequence[Group], categories: Sequence[Category], below: Sequence[Sequence[Group]]) -> set[int]:
    """Return the headings, by index, of a word or two right over a headline in far larger type, which say what kind of
    article it is: "INTERVIEW". "Chapter 2" is none. `below` are the `followers`."""
    headings = {id(group) for group, category in zip(groups, categories, strict=True) if category.is_heading}
    found = set()
    for i, (group, others) in enumerate(zip(groups, below, strict=True)):
        if id(group) in headings and others and id(others[0]) in headings and len(group.lines) == 1:
            title = others[0]
            over = title.size > HEADLINE * group.size and title.box.y0 - group.box.y1 < title.size
            if over and not NUMBERED.match(group.text) and not any(map(str.isdecimal, group.text)):
                found.add(i)
    return found


def called_notes(groups: Sequence[Group], categories: Sequence[Category], style: PageStyle) -> set[int]:
    """Return the items, by index, that are notes: small print low on the page, under the text, with the numbers that
    raised figures in it call. What a heading stands over is a list of references."""
    called = {
        word.text for group in groups for line in group.lines for word in line.words[1:] if _is_raised(word, line)
    }
    found: set[int] = set()
    over: list[int] = []
    for i in sorted(range(len(groups)), key=lambda i: groups[i].box.y0):
        group = groups[i]
        above = next((j for j in reversed(over) if groups[j].box.overlap_x(group.box) > 0), None)
        text = above is not None and categories[above] in (Category.TEXT, Category.CAPTION)
        number = figures_of(group.marker.text) if group.marker else ""
        is_note = categories[i] is Category.LIST_ITEM and number in called and is_low_print(group, style)
        found.update({i} if is_note and (text or above in found) else ())
        over.append(i)
    return found


def _is_raised(word: Word, line: Line) -> bool:
    small, raised = word.size <= SCRIPT * line.size, line.baseline - word.baseline > OFF * line.size
    return small and raised and word.text.isdecimal()


def pulled(groups: Sequence[Group], categories: Sequence[Category]) -> set[int]:
    """Return the headings, by index, that are pull quotes: in larger type than the text of the page, and so many words
    that it says them, too. A notice in smaller type, of how to cite an article, says its title; what stands over all
    text, and is no sentence, is a title that the text says again."""
    texts = [group for group, category in zip(groups, categories, strict=True) if category is Category.TEXT]
    usual = max((group.size for group in texts), key=lambda size: _characters_in(texts, size), default=0.0)
    text = " ".join(_letters(group) for group in texts if group.size > SMALLER * usual)
    headings = (i for i, category in enumerate(categories) if category is Category.SECTION_HEADER)
    large = (i for i in headings if groups[i].size * SMALLER > usual)
    long = (i for i in large if count_words(groups[i].text) >= SENTENCE)
    top = min((group.box.y0 for group in texts), default=0.0)
    amid = (i for i in long if groups[i].box.y0 > top or groups[i].text.rstrip(CLOSING).endswith(SENTENCE_END))
    return {i for i in amid if _letters(groups[i]) in text}


def _characters_in(groups: Sequence[Group], size: float) -> int:
    return sum(group.characters for group in groups if group.size == size)


def _letters(group: Group) -> str:
    """The letters and digits of a group, whatever its lines and hyphens."""
    return "".join(char for char in group.text.casefold() if char.isalnum())
