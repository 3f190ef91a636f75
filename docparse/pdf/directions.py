"""The order in which a line in two directions is read: what Unicode's algorithm (UAX #9) did, backwards.

A line is what is seen from left to right, the character of each glyph, a space between words, and `FAR` between what
stands apart, as in a table. Latin words and numbers within it stay as they are seen: "I_R(V2, R1)", "Python 3".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import groupby, takewhile

from docparse.pdf.textlayer import HYPHENS

SPACE, FAR = " ", "\t"
OPENING, CLOSING = "([{«‹", ")]}»›"
SEPARATORS = ".,:/\u066b\u066c"  # in numbers; hyphens, too, but not in Arabic
PERCENT, ENDS, BEGINS = "%٪‰", ".,:;!?،؛؟", "@#$"
GROUP = 3  # digits between the spaces of thousands; two numbers of a text side by side are hardly ever so long
UNIT = 2  # letters: "10 GB" is a number and its unit, "Python 3" a name and its number


def read(seen: Sequence[str], rtl: bool) -> list[list[tuple[int, str]]]:
    """Return the words, the place in `seen` and the character of each glyph, in the order in which they are read in a
    line that begins at the right (`rtl`) or left. Brackets open before a word and close behind it."""
    line = _Line(seen)
    words: list[list[tuple[int, str]]] = []
    for apart, part in groupby(range(len(seen))[:: -1 if rtl else 1], lambda k: seen[k] == FAR):
        places = list(part)
        turned = [] if apart else line.leftward(places) if rtl else line.rightward(places)
        for space, word in groupby(turned, lambda k: seen[k] == SPACE):
            if not space:
                places = list(word)
                own = "R" in line.kind and (rtl or any(line.kind[k] == "R" for k in places))
                words.append(line.mirrored(places) if own else [(k, seen[k]) for k in places])
    return words


def _kind(char: str) -> str:
    """Letters from right to left are "R", others "L", digits "D", the rest ""."""
    if unicodedata.category(char) == "Nd":
        return "D"
    return {"R": "R", "AL": "R", "L": "L"}.get(unicodedata.bidirectional(char), "")


class _Line:
    def __init__(self, seen: Sequence[str]) -> None:
        self.seen, self.kind = seen, list(map(_kind, seen))
        arabic = any(kind == "R" and char >= "\u0600" for kind, char in zip(self.kind, seen, strict=True))
        self.open = 0  # brackets
        self.joining = SEPARATORS + ("" if arabic else "-+\u2212")

    def rightward(self, places: Sequence[int]) -> list[int]:
        """Return `places`, which go to the right, with what is read to the left turned."""
        result: list[int] = []
        run: list[int] = []  # from its first such letter
        for k in places:
            if self.kind[k] == "L":
                result, run = result + self._turned(run), []
            (run if run or self.kind[k] == "R" else result).append(k)
        return result + self._turned(run)

    def _turned(self, run: Sequence[int]) -> list[int]:
        last = max((i for i, k in enumerate(run) if self.kind[k] == "R"), default=-1) + 1
        return self.leftward(run[:last][::-1]) + list(run[last:])

    def leftward(self, places: Sequence[int]) -> list[int]:
        """Return `places`, which go to the left, with what is read to the right, numbers and Latin words, turned."""
        result: list[int] = []
        k = 0
        while k < len(places):
            end = self._run_end(places, k)
            run = list(places[k:end][::-1])
            while run and result and self._follows(run, result):
                run.append(result.pop())
            if run and self._begins(places[end : end + 2]):
                run.insert(0, places[end])
                end += 1
            result += run or [places[k]]
            k = max(end, k + 1)
        return result

    def _run_end(self, places: Sequence[int], start: int) -> int:
        """Behind the run that begins here: letters or digits, and what joins them."""
        end, latin = start, False
        for k in range(start, len(places)):
            kind = self.kind[places[k]]
            if kind == "R" or (not kind and end == start):
                break
            if kind:
                if end > start and not latin and not self._is_one(places, start, end, k):
                    break
                latin, end = latin or kind == "L", k + 1
        return end

    def _is_one(self, places: Sequence[int], start: int, end: int, k: int) -> bool:
        """Return whether a number, up to `end`, goes on with what stands left of it, at `k`: digits, or the word it
        follows. A number in a list has its point at its left, "Python .1"."""
        between = [self.seen[i] for i in places[end:k]]
        if between == [SPACE] and self._is_grouped(places, end, k):
            return True
        if self.kind[places[k]] == "D" or SPACE not in between:
            listed = between in ([SPACE, ","], [SPACE, ";"])  # "1, 0", not "0 ,1"
            return listed or all(sign in self.joining for sign in between) or self.kind[places[k]] == "L"
        if set(between) > {SPACE}:
            paired = between[0] in OPENING + CLOSING and start > 0 and self.seen[places[start - 1]] in OPENING + CLOSING
            return paired or between[0] not in ENDS + OPENING + CLOSING
        word = ""
        for i in places[k:]:
            if self.seen[i] == SPACE or self.kind[i] == "R":
                break
            word = self.seen[i] + word
        return not (word.isalpha() and len(word) <= UNIT + (not word.isupper()))

    def _is_grouped(self, places: Sequence[int], end: int, k: int) -> bool:
        """Return whether a space stands between thousands: three digits right of it, up to `end`, and as many or fewer
        left of it, from `k` on."""
        right = len(list(takewhile(lambda i: self.kind[i] == "D", reversed(places[:end]))))
        return right == GROUP >= len(list(takewhile(lambda i: self.kind[i] == "D", places[k:]))) > 0

    def _follows(self, run: Sequence[int], before: Sequence[int]) -> bool:
        """Return whether the last sign right of a run belongs behind it: a per cent sign, what no word begins with, or
        the end of what is in brackets or quoted in it."""
        sign, latin = self.seen[before[-1]], any(self.kind[k] == "L" for k in run)
        if sign in PERCENT:
            return True
        pair = OPENING + CLOSING if sign in OPENING + CLOSING else sign if sign in "\"'" else ""
        if pair:
            return sum(self.seen[k] in pair for k in run) % 2 == 1
        word = "".join(self.seen[k] for k in before).rsplit(SPACE, 1)[-1]
        begins = not any(char.isalnum() for char in word)
        return begins and sign in (ENDS + HYPHENS + "-" if latin else ENDS) and sign != SPACE

    def _begins(self, left: Sequence[int]) -> bool:
        """Return whether the sign left of a run, the first of two places there, begins its word: "@name"."""
        return bool(left) and self.seen[left[0]] in BEGINS and all(self.seen[k] == SPACE for k in left[1:])

    def mirrored(self, word: Sequence[int]) -> list[tuple[int, str]]:
        """The brackets of a word open before it and close behind it, whichever way they are stored; others close what
        is open in the line."""
        text = [self.seen[k] for k in word]
        worded = [i for i, char in enumerate(text) if char.isalnum()] or [-1]
        for i, char in enumerate(text):
            if char in OPENING + CLOSING:
                opens = self.open <= 0 if worded[0] <= i <= worded[-1] or worded[0] < 0 else i < worded[0]
                text[i] = (OPENING if opens else CLOSING)[(OPENING + CLOSING).index(char) % len(OPENING)]
                self.open = max(0, self.open + (1 if opens else -1))
        return list(zip(word, text, strict=True))
