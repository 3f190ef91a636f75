"""Tables of contents: entries with dot leaders, one item per entry, the dots shortened to an ellipsis."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from docparse.layout.text.groups import Group
from docparse.layout.text.items import marker_alone
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word

LEADER = re.compile(r"[.·…_‥-]+")  # a word of nothing else may be part of a leader
MIN_DOTS = 4  # dots: fewer are an ellipsis
DOTS = re.compile(r"[.·…_‥-]\s*[.·…_‥-]|…")  # a line without this has no leader
TRAILING = re.compile(r"(.*?[^.·…])[.·…]{3,}([^.·…]*)")  # dots glued to the words around them


def entries_apart(groups: Sequence[Group]) -> list[Group]:
    """Return the groups, those with dot leaders cut into one group per entry, with "…" in place of the dots."""
    result: list[Group] = []
    for group in groups:
        lines = [shortened(line) for line in group.lines]
        if all(new is old for new, old in zip(lines, group.lines, strict=True)):
            result.append(group)
        else:
            result += [Group(entry, marker_alone(entry[0])) for entry in _entries(group.lines, lines)]
    return result


def has_leader(group: Group) -> bool:
    """True for an entry of a table of contents, as `entries_apart` leaves them."""
    return any(word.text == "…" for line in group.lines for word in line.words[1:])


def _entries(before: Sequence[Line], after: Sequence[Line]) -> list[list[Line]]:
    """An entry ends with the line that has a leader; lines without one begin an entry too long for its line."""
    entries: list[list[Line]] = [[]]
    for old, new in zip(before, after, strict=True):
        entries[-1].append(new)
        if new is not old:
            entries.append([])
    return [entry for entry in entries if entry]


def shortened(line: Line) -> Line:
    """Return the line with its run of dots as one word "…"; the same line where it has none."""
    if not DOTS.search(line.text):
        return line
    words: list[Word] = []
    run: list[Word] = []
    for word in (*line.words, None):
        if word is not None and LEADER.fullmatch(word.text):
            run.append(word)
            continue
        words += _ellipsis(run)
        run = []
        if word is not None:
            words += _without_dots(word)
    same = len(words) == len(line.words) and all(new is old for new, old in zip(words, line.words, strict=True))
    return line if same else Line(tuple(words))


def _ellipsis(run: list[Word]) -> list[Word]:
    if sum(len(word.text) for word in run) < MIN_DOTS:
        return run
    box = run[0].box
    for word in run[1:]:
        box = box | word.box
    return [msgspec.structs.replace(run[0], text="…", box=box, glued=False)]


def _without_dots(word: Word) -> list[Word]:
    """Three words out of "Prices......12"; all keep the box of the whole."""
    parts = TRAILING.fullmatch(word.text)
    if not parts or len(word.text) < MIN_DOTS + 1 or word.text.count(".") + word.text.count("·") < MIN_DOTS:
        return [word]
    head, tail = parts.groups()
    texts = [text for text in (head, "…", tail) if text]
    return [msgspec.structs.replace(word, text=text, glued=word.glued and i == 0) for i, text in enumerate(texts)]
