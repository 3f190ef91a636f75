"""Hyphens at line ends: does one divide a word ("exam-ple"), or does it belong there ("self-contained")?

A page alone cannot tell. Where lines are joined, a soft hyphen marks the place, and the words of the whole document
decide: those that occur elsewhere, joined or with the hyphen, and how often its lines end in a hyphen at all. Of 212
line ends in 92 documents with known text, dropping every hyphen is right for 154, the page's own words for 189, the
document's for 204. What is still open the words say that most compounds of papers begin or end with.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from itertools import chain, pairwise

import msgspec

from docparse.types import Block, Span, Spans

SOFT = "\u00ad"
RARE = 0.003  # hyphens at line ends for each word: who divides words has more, from 0.004 to 0.04
ENDING = 0.125  # of the compounds in a text that divides no words end a line with their hyphen, at most
# What compounds begin and end with, and hardly ever a simple word that is divided there: most chosen on 97 papers
HEADS = re.compile(
    r"self|well|two|three|single|double|large|fine|worst|first|second|third|fixed|full|open|user|client|fault|error"
    r"|\w{3,}(?:al|e)ly"
)
DOUBTFUL = re.compile(  # what many simple words begin with, too: before a word of the document
    r"non|high(?:er|ly)?|low(?:er)?|real|four|long|short|best|semi|cross|\w{4,}(?:tion|ness)"
)
ENDS = re.compile(
    r"based|level|scale|specific|oriented|known|defined|specified|supplied|world|purpose|dimensional|grained|driven"
    r"|sized|structured|threaded|valued|coupled|replicated|preserving|consuming|blocking|sensitive|intensive|aware"
    r"|resistant|tolerant|tolerance|independent|dependent|shaped|varying|latency|order|case|term|style|distance|strength"
)
PREFIX = re.compile(r"inter|over|under|out|pre|sub|dis|mis|trans|intra")  # that is one with a whole word
CLOSED = re.compile(  # one word, though both parts are words of most texts
    r"(?:some|any|every)(?:body|how|one|thing|times?|where)|no(?:body|thing|where)|(?:with|through)(?:in|out)"
    r"|(?:in|out)side|(?:how|what|when|where|which|who)ever|elsewhere|cannot"
)
TAIL = re.compile(  # ends of words that are none by themselves
    r"able|istic|al(?:ity|i[sz]\w+)|i[sz]ations?|ships?|ings?|[st]ions?|[st]ional(?:ly)?|ments?|ness|ities|ity|ically|ously|fully"
    r"|ences?|ances?"
)
ADVERB = re.compile(r"\w{2,}(?:al|ant|ar|ed|ent|ing|ive|ous|ward)ly")  # few compounds end with one
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
        self._parted: set[tuple[str, str]] = set()  # what stands before and behind seams

    def add(self, block: Block) -> None:
        cells = block.table.cells if block.table else ()
        for span in chain(block.spans, *(cell.spans for cell in cells)):
            if span.math:
                continue
            self._seams += span.text.count(SOFT)
            if len(self._parted) < LARGEST:
                self._parted.update((before.lower(), after.lower()) for before, after, _ in _PLACE.findall(span.text))
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
        def settled(span: Span) -> str:
            return _PLACE.sub(lambda place: self._joined(place, code=span.code), span.text)

        return tuple(msgspec.structs.replace(span, text=settled(span)) for span in spans)

    def _joined(self, place: re.Match[str], *, code: bool = False) -> str:
        before, after, next_hyphen = place.groups()
        if are_names(before, after) and not before.isupper():  # "TraceMonkey" and "Anglo-Saxon"
            return before + after if self._words[f"{before}{after}".lower()] else f"{before}-{after}"
        chain = next_hyphen is not None and len(before) > 2  # "out-of-date", but "vi-sion-language"
        # "emacs-nox" and "CPU-bound", while capitals alone may be those of a heading: "ASSESSMENT"
        compound = code or chain or (len(before) > 1 and before.isupper() and not after.isupper())
        belongs = self._belongs(before.lower(), after.lower(), compound=compound)
        return f"{before}-{after}" if belongs else before + after

    def _belongs(self, before: str, after: str, *, compound: bool) -> bool:
        if len(before) <= 1 or not after:
            return len(before) == 1 and bool(after)  # "p-value": no one leaves a single letter on a line
        joined, hyphenated = self._words[before + after], self._words[f"{before}-{after}"]
        if joined or hyphenated:
            return hyphenated > joined
        if CLOSED.fullmatch(before + after) or TAIL.fullmatch(after):
            return False
        if compound or self._is_compound(before, after):
            return True
        known = self._words[before], self._words[after]
        if ADVERB.fullmatch(after) and not known[1]:
            return False
        whole = min(len(before), len(after)) > 2 and PREFIX.fullmatch(before) is None
        return (all(known) and whole) or not (self._divides or (self._has_divided and not any(known)))

    def _is_compound(self, before: str, after: str) -> bool:
        """Return whether two parts of a word are a word each, as one of them says and the document, or both."""
        begins, known = HEADS.fullmatch(before), self._words[after] > 0
        if len(after) > 4 and (begins or (known and DOUBTFUL.fullmatch(before))):
            return True
        ends = len(before) > 2 and ENDS.fullmatch(after) is not None and PREFIX.fullmatch(before) is None
        told = len(after) > 5 and self._words[before] > 0  # "time-varying", but "bookcase"
        return ends and bool(known or told or begins or DOUBTFUL.fullmatch(before))

    @property
    def _divides(self) -> bool:
        """Return whether more lines end in a hyphen than compounds alone would end."""
        return self._seams >= max(RARE * self._total, ENDING * self._compounds)

    @cached_property
    def _has_divided(self) -> bool:
        """Return whether a line ends in a hyphen within a word that occurs whole; for behind the last `add`. Where both
        parts are words of the document, that may be a compound that is written in two ways: "on-line" and "online"."""
        words = self._words
        return any(words[before + after] and not (words[before] and words[after]) for before, after in self._parted)


def are_names(before: str, after: str) -> bool:
    """Return whether two words begin with a capital and go on in small letters, or are in capitals both."""
    names = all(text.isalpha() and text[0].isupper() and text[1:].islower() for text in (before, after))
    return names or (min(len(before), len(after)) > 1 and before.isupper() and after.isupper())


def divided(block: Block) -> Block:
    """Return the block with every mark taken as the division of a word: for who does not know the document."""
    return Hyphens().settle(block)
