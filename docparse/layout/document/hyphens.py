"""Hyphens at line ends: does one divide a word ("exam-ple"), or does it belong there ("self-contained")?

A page alone cannot tell. Where lines are joined, a soft hyphen marks the place, and the words of the whole document
decide: those that occur elsewhere, joined or with the hyphen, and how often its lines end in a hyphen at all. Of 212
line ends in 92 documents with known text, dropping every hyphen is right for 154, the page's own words for 189, the
document's for 204.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, pairwise

import msgspec

from docparse.types import Block, Spans

SOFT = "\u00ad"
RARE = 0.003  # hyphens at line ends for each word: who divides words has more, from 0.004 to 0.04
ENDING = 0.125  # of the compounds in a text that divides no words end a line with their hyphen, at most
COMPOUND = ("self", "well")  # before whole words: "self-reported"
CLOSED = re.compile(  # one word, though both parts are words of most texts
    r"(?:some|any|every)(?:body|how|one|thing|times?|where)|no(?:body|thing|where)|(?:with|through)(?:in|out)"
    r"|(?:in|out)side|(?:how|what|when|where|which|who)ever|elsewhere|cannot"
)
TAIL = re.compile(  # ends of words that are none by themselves
    r"ings?|[st]ions?|[st]ional(?:ly)?|ments?|ness|ities|ity|ically|ously|fully|ences?|ances?"
)
LARGEST = 200_000  # words that are remembered

_HYPHEN = re.compile(r"[-\u2010\u2011]")
_PLACE = re.compile(rf"([^\W\d_]*){SOFT}([^\W\d_]*)(?=({_HYPHEN.pattern})?)")
_WORD = re.compile(rf"[^\W\d_]+(?:{_HYPHEN.pattern}[^\W\d_]+)*")


class Hyphens:
    """Learns the words of a document block by block, then settles its blocks and their cells."""

    def __init__(self) -> None:
        self._words: Counter[str] = Counter()
        self._total = 0
        self._compounds = 0
        self._seams = 0

    def add(self, block: Block) -> None:
        cells = block.table.cells if block.table else ()
        for span in chain(block.spans, *(cell.spans for cell in cells)):
            if span.math:
                continue
            self._seams += span.text.count(SOFT)
            for word in _WORD.findall(_PLACE.sub(" ", span.text)):
                self._total += 1
                parts = _HYPHEN.split(word.lower())
                self._compounds += len(parts) > 1 and not span.code  # names such as options are no compounds
                if len(self._words) < LARGEST:
                    self._words.update(parts)
                    self._words.update(f"{a}-{b}" for a, b in pairwise(parts))

    def settle(self, block: Block) -> Block:
        """Return the block with every mark replaced by a hyphen or by nothing."""
        if block.table:
            cells = [msgspec.structs.replace(cell, spans=self._settled(cell.spans)) for cell in block.table.cells]
            block = msgspec.structs.replace(block, table=msgspec.structs.replace(block.table, cells=tuple(cells)))
        return msgspec.structs.replace(block, spans=self._settled(block.spans))

    def _settled(self, spans: Spans) -> Spans:
        return tuple(msgspec.structs.replace(span, text=_PLACE.sub(self._joined, span.text)) for span in spans)

    def _joined(self, place: re.Match[str]) -> str:
        before, after, next_hyphen = place.groups()
        if is_name(before) and is_name(after):  # "TraceMonkey" and "Anglo-Saxon"
            return before + after if self._words[f"{before}{after}".lower()] else f"{before}-{after}"
        chain = next_hyphen is not None and len(before) > 2  # "out-of-date", but "vi-sion-language"
        compound = chain or (len(before) > 1 and before.isupper())  # "CPU-bound"
        belongs = self._belongs(before.lower(), after.lower(), compound=compound)
        return f"{before}-{after}" if belongs else before + after

    def _belongs(self, before: str, after: str, *, compound: bool) -> bool:
        if len(before) <= 1 or not after or self._words[before + after]:
            return len(before) == 1 and bool(after)  # "p-value": no one leaves a single letter on a line
        if CLOSED.fullmatch(before + after) or TAIL.fullmatch(after):
            return False
        if compound or (before in COMPOUND and len(after) > 4):
            return True
        known = min(len(before), len(after)) > 2 and self._words[before] and self._words[after]
        return bool(self._words[f"{before}-{after}"] or known) or not self._divides

    @property
    def _divides(self) -> bool:
        """Whether more lines end in a hyphen than compounds alone would end."""
        return self._seams >= max(RARE * self._total, ENDING * self._compounds)


def is_name(text: str) -> bool:
    """Return whether a word begins with a capital and goes on in small letters."""
    return text.isalpha() and text[0].isupper() and text[1:].islower()


def divided(block: Block) -> Block:
    """Return the block with every mark taken as the division of a word: for who does not know the document."""
    return Hyphens().settle(block)
