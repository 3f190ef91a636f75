"""Tables of contents and indexes: an entry and its page numbers in one item each, with an ellipsis for the dots
between them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from docparse.hyphenation import CJK
from docparse.layout.chained import chained
from docparse.layout.text.groups import Group
from docparse.layout.text.items import marker_alone
from docparse.layout.text.lines import Line
from docparse.layout.text.stacks import BaselineRows
from docparse.layout.text.wording import INDEX_ENTRY, PART, page_of
from docparse.layout.text.words import LEVEL, Word
from docparse.types import Box, union

LEADER = re.compile(r"[.·…‥-]+")  # a word of nothing else may be part of a leader
SECTION = re.compile(r"\d+(\.\d+)*\.?|[A-Z](\.\d+)+|[IVX]+\.|第\s*[\d一二三四五六七八九十]+\s*[章節节部]")
HANGS = 4.0  # em from the number of a section to its title at most
ROWS = 3  # titles with page numbers, at least, where no leaders join them
MIN_DOTS = 4  # dots: fewer are an ellipsis
FEW_DOTS = 2  # are left of a leader behind a long title
TAIL = 5  # words behind the dots that a sentence left out
ENDS_IN_DOTS = re.compile(r"(?:[.·…‥-]\s*){4,}$|…$")
COMPLETE = re.compile(r"[.·…]\s*[.·…]\s*\d+$")
DOTS = re.compile(r"[.·…‥-]\s*[.·…‥-]|…")  # a line without this has no leader
ELLIPSIS = re.compile(rf"(?<={CJK.pattern})\.{{6}}(?!\.|\s*\d)")  # as Chinese has it, on a keyboard without one
FIRST_DOTS = re.compile(r"(?:[.·…‥]{2,}|…)$")  # of a leader, at the end of its title
CLOSED = re.compile(r".*\w{3}[.·]")  # a word with a dot behind it that is no number of a section
PAGES = re.compile(r"(?:^|, )\d{1,4}(?:[–-]\d{1,4})?[fn]{0,2}$")  # "apprentices, 119–26", "131n"
INDEXED, INDEX = 8, 0.4  # lines that are a word and its pages where a page is an index, at least, and their share
TRAILING = re.compile(r"(.*?[^.·…]|)[.·…]{3,}([^.·…]*)")  # dots glued to the words around them


def entries_apart(groups: Sequence[Group]) -> list[Group]:
    """Return the groups, those with dot leaders cut into one group per entry, with "…" in place of the dots, and those
    of an index behind the page numbers of each entry."""
    result: list[Group] = []
    every = [line for group in groups for line in group.lines]
    edges = _edges(every)
    paged = sum(PAGES.search(line.text) is not None and INDEX_ENTRY.search(line.text) is not None for line in every)
    if paged >= max(INDEXED, INDEX * len(every)):
        groups = [entry for group in groups for entry in _index_entries(group)]
    for group in groups:
        lines = [shortened(line, FEW_DOTS if _ends_with_others(line, edges) else MIN_DOTS) for line in group.lines]
        same = all(new is old for new, old in zip(lines, group.lines, strict=True))
        result += [group] if same else _entries(group.lines, lines)
    return result


def _index_entries(group: Group) -> list[Group]:
    """The group cut behind the pages of each entry; one line or more without pages is none."""
    entries = chained(group.lines, lambda entry, _: not PAGES.search(entry[-1].text))
    if len(entries) == 1 and not PAGES.search(group.lines[-1].text):
        return [group]
    return [Group(tuple(entry), marker_alone(entry[0]), is_entry=True) for entry in entries]


def _edges(lines: Iterable[Line]) -> list[float]:
    """Return where lines end that have a leader and a number."""
    return [line.box.x1 for line in lines if COMPLETE.search(line.text)]


def _ends_with_others(line: Line, edges: Sequence[float]) -> bool:
    """Ends it in a number where the entries of a table of contents do?"""
    end, near = line.box.x1, LEVEL * line.size
    return line.text[-1:].isdecimal() and sum(abs(end - edge) < near for edge in edges) >= ROWS


def numbered_rows(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, sorted by their top edge, with the titles and the page numbers on their right as one line each,
    with dots between.

    Three or more rows under each other whose numbers end at one edge and do not fall are a table of contents that has
    no leaders; where leaders and numbers are stored apart, each row is one.
    """
    numbers = [j for j, line in enumerate(lines) if page_of(line.text)]
    edges = _edges(lines)
    if not (numbers or edges):
        return list(lines)
    places = BaselineRows(lines)
    edges += [lines[j].box.x1 for j in numbers if (i := places.before(j)) is not None and _ends_in_dots(lines[i])]
    known = {j for j in numbers if _ends_with_others(lines[j], edges)}
    rows = [(i, j) for j in numbers if (i := _title(lines, j, places, known=j in known)) is not None]
    runs = chained(rows, lambda run, row: _goes_on(lines, run[-1], row), back=len(rows))  # those of columns alternate
    listed = [row for run in runs if len(run) >= ROWS for row in run]
    known |= {j for j in numbers if any(_ends_under(lines[j], lines[k]) for _, k in listed)}  # of another list
    pages = dict(listed) | {i: j for i, j in rows if j in known or _ends_in_dots(lines[i])}
    titles = [*pages, *(i for i, line in enumerate(lines) if i not in pages and COMPLETE.search(line.text))]
    sections = {i: j for i in titles if (j := _section(lines, i, places)) is not None and j not in pages.values()}
    whole = {i: _entry(line, lines[pages[i]]) if i in pages else line for i, line in enumerate(lines)}
    whole |= {i: Line((*lines[j].words, *whole[i].words)) for i, j in sections.items()}
    gone = {*pages.values(), *sections.values()}
    return [line for i, line in whole.items() if i not in gone]


def _title(lines: Sequence[Line], j: int, places: BaselineRows, *, known: bool) -> int | None:
    """The words to the left of a number: an em away, or with a leader up to it, or it is `known` to be a page's."""
    i, page = places.before(j), lines[j]
    if i is None or lines[i].rtl:
        return None
    if page.box.x0 - lines[i].box.x1 < page.size and not (known or _ends_in_dots(lines[i])):
        return None
    return i if any(char.isalpha() for char in lines[i].text) else None


def _ends_in_dots(line: Line) -> bool:
    return ENDS_IN_DOTS.search(line.text) is not None


def _ends_under(lower: Line, upper: Line) -> bool:
    """A number over a list ends where its numbers do too: that of the page, in the running head."""
    return lower.baseline > upper.baseline and abs(lower.box.x1 - upper.box.x1) < LEVEL * lower.size


def _section(lines: Sequence[Line], i: int, places: BaselineRows) -> int | None:
    """The number of a section that hangs before its title."""
    j, title = places.before(i), lines[i]
    if j is None or title.box.x0 - lines[j].box.x1 > HANGS * title.size:
        return None
    return j if SECTION.fullmatch(lines[j].text) or PART.fullmatch(lines[j].text) else None


def _goes_on(lines: Sequence[Line], row: tuple[int, int], following: tuple[int, int]) -> bool:
    """Return whether one entry follows another: the next number is not smaller and under it, at most one line
    between."""
    title, page = lines[following[0]], lines[following[1]]
    above = lines[row[1]]
    if abs(above.box.x1 - page.box.x1) > LEVEL * page.size or page_of(page.text) < page_of(above.text):
        return False
    between = [line for line in lines if above.baseline + 1 < line.baseline < page.baseline - 1]
    return sum(line.box.overlap_x(title.box) > 0 for line in between) <= 1 and above.baseline < page.baseline


def _entry(title: Line, page: Line) -> Line:
    last, first = title.words[-1], page.words[0]
    box = Box(last.box.x1, first.box.y0, first.box.x0, first.box.y1)
    end = msgspec.structs.replace(last, text=FIRST_DOTS.sub("", last.text))
    words = (*title.words[:-1], end) if end.text else title.words[:-1]
    return Line((*words, msgspec.structs.replace(first, text=MIN_DOTS * ".", box=box), *page.words))


def _entries(before: Sequence[Line], after: Sequence[Line]) -> list[Group]:
    """An entry ends with the line that has a leader; lines without one begin an entry too long for its line."""
    known = set(map(id, before))
    entries = chained(after, lambda entry, _: id(entry[-1]) in known)
    led = (id(entry[-1]) not in known and entry[-1].words[0].text != "…" for entry in entries)
    return [Group(entry, marker_alone(entry[0]), is_led) for entry, is_led in zip(entries, led, strict=True)]


def shortened(line: Line, least: int = MIN_DOTS) -> Line:
    """Return the line with its run of `least` dots as one word "…"; the same line where it has none."""
    if not DOTS.search(ELLIPSIS.sub("", line.text)):
        return line
    words: list[Word] = []
    for dotted, group in groupby(line.words, lambda word: LEADER.fullmatch(word.text) is not None):
        run = list(group)
        words += _ellipsis(run, least) if dotted else [part for word in run for part in _without_dots(word)]
    same = len(words) == len(line.words) and all(new is old for new, old in zip(words, line.words, strict=True))
    goes_on = len(line.words) > TAIL and not any(LEADER.fullmatch(word.text) for word in words[-TAIL:])
    return line if same or goes_on else Line(tuple(_parted(words)))


def _parted(words: Sequence[Word]) -> list[Word]:
    """The words without the first and the last dot of a leader where these stand at the title and at the number."""
    result = list(words)
    for k, word in enumerate(words):
        before, behind = (words[j].text if 0 <= j < len(words) else "" for j in (k - 1, k + 1))
        if word.text == "…" and CLOSED.fullmatch(before):
            result[k - 1] = msgspec.structs.replace(words[k - 1], text=before[:-1])
        if word.text == "…" and behind.lstrip(".").isdecimal():
            result[k + 1] = msgspec.structs.replace(words[k + 1], text=behind.lstrip("."))
    return result


def _ellipsis(run: list[Word], least: int) -> list[Word]:
    if sum(len(word.text) for word in run) < least:
        return run
    return [msgspec.structs.replace(run[0], text="…", box=union(word.box for word in run), glued=False)]


def _without_dots(word: Word) -> list[Word]:
    """Three words out of "Prices......12"; all keep the box of the whole."""
    parts = TRAILING.fullmatch(word.text)
    if not parts or len(word.text) < MIN_DOTS + 1 or word.text.count(".") + word.text.count("·") < MIN_DOTS:
        return [word]
    head, tail = parts.groups()
    texts = [text for text in (head, "…", tail) if text]
    return [msgspec.structs.replace(word, text=text, glued=word.glued and i == 0) for i, text in enumerate(texts)]
