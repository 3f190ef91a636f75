"""What the methods wrote of the one page that is shown, word by word beside what plain decoding wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from docparse.bench.rows import AR
from docparse.bench.traces import Trace

WORDS = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True)
class Piece:
    """A stretch of text: `same` in both, `del` only plain decoding's, `ins` only the method's."""

    kind: str
    text: str


@dataclass(frozen=True)
class Written:
    """A method's text as pieces; one piece where it is plain decoding's own."""

    method: str
    pieces: tuple[Piece, ...]

    @property
    def same(self) -> bool:
        return all(piece.kind == "same" for piece in self.pieces)


def written(trace: Trace) -> list[Written]:
    """Of every method of the trace, plain decoding first; empty for a report that does not have the texts."""
    texts = {each.method: each.text for each in trace.methods}
    plain = texts.get(AR, "")
    return [Written(name, tuple(_pieces(plain, text))) for name, text in texts.items()] if plain else []


def _pieces(plain: str, text: str) -> Iterator[Piece]:
    """The shortest edit from one to the other, in words, blanks and signs."""
    from rapidfuzz.distance import Levenshtein

    before, after = WORDS.findall(plain), WORDS.findall(text)
    for each in Levenshtein.opcodes(before, after):
        old = "".join(before[each.src_start : each.src_end])
        new = "".join(after[each.dest_start : each.dest_end])
        if each.tag == "equal":
            yield Piece("same", old)
            continue
        if old:
            yield Piece("del", old)
        if new:
            yield Piece("ins", new)
