"""Characters of a text layer to words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np

from docparse.layout.text.letters import put_together, spelled
from docparse.layout.text.word_gaps import TATWEEL, Pairs, is_mathematical
from docparse.layout.text.words import SMALLEST, Word
from docparse.pdf.codes import among, codes_of
from docparse.pdf.content import Characters
from docparse.types import Box

VARIANTS = 0xFE00, 0xFE0F  # say which shape of the character before them is meant
SPACES = "\t\n\v\f\r \xa0" + "".join(map(chr, range(0x2000, 0x200C))) + "\u202f\u205f\u3000\ufeff"
JOINERS = "\u200c\u200d"
TILDES = "∼˜"


def words_of(characters: Characters, whole: np.ndarray | None = None) -> list[Word]:
    """Cut a text layer into words at spaces, gaps, line breaks and changes of style; O(n), vectorised.

    `whole` is int32 [n], what a tagged PDF holds together: characters with different numbers share no word.
    """
    if len(characters) == 0:
        return []
    codes = codes_of(characters.text)
    blank = among(codes, SPACES)
    variants = (codes >= VARIANTS[0]) & (codes <= VARIANTS[1])
    drawn = ~(blank | characters.generated | (codes == TATWEEL) | variants | _stray_joiners(codes))
    text = list(characters.text)
    ink = put_together(text, np.flatnonzero(drawn), codes, characters)
    if len(ink) == 0:
        return []
    drawn[ink] = False  # what is left are accents that went to their letters
    pairs = Pairs(characters, codes, blank, ink, moved=drawn)
    separate, restyled = pairs.separate, pairs.restyled
    if whole is not None:
        restyled |= np.diff(whole[ink]) != 0
    starts = np.flatnonzero(np.concatenate([[True], separate | restyled]))
    glued = np.concatenate([[False], ~separate | pairs.divided])[starts]
    letters = list(map(text.__getitem__, ink.tolist()))
    texts = ["".join(letters[start:end]) for start, end in pairwise([*starts.tolist(), len(ink)])]
    styled = is_mathematical(codes[ink[starts]]).tolist()
    return _with_tildes(_written(characters, ink, starts, texts, glued.tolist(), styled))


def _written(
    characters: Characters,
    ink: np.ndarray,
    starts: np.ndarray,
    texts: Sequence[str],
    glued: Sequence[bool],
    styled: Sequence[bool],
) -> list[Word]:
    """The words that begin at `starts` among the inked characters; a word is in the style of its first one."""
    boxes, first = characters.box[ink], ink[starts]
    low = np.minimum.reduceat(boxes[:, :2], starts, axis=0)
    high = np.maximum.reduceat(boxes[:, 2:], starts, axis=0)
    corners = np.hstack([low, high]).round(2).tolist()
    baselines = characters.baseline[first].round(2).tolist()
    fonts = characters.font[first].tolist()
    tinted = characters.tinted[first].tolist() if characters.tinted is not None else [False] * len(first)
    words = []
    for k, text in enumerate(texts):
        font = characters.fonts[fonts[k]]
        words.append(
            Word(
                text=spelled(text, mono=font.mono),
                box=Box(*corners[k]),
                baseline=baselines[k],
                size=font.size or max(SMALLEST, corners[k][3] - corners[k][1]),
                glued=glued[k],
                bold=font.weight >= 600,
                italic=font.italic,
                math=font.math or styled[k],
                mono=font.mono,
                tinted=tinted[k],
                angle=font.angle,
                index=int(first[k]),
                font=font.name,
            )
        )
    return words


def _with_tildes(words: list[Word]) -> list[Word]:
    """The words with the tilde of an address as such: TeX prints a relation, www.example.org/∼name."""
    for k, (before, word) in enumerate(pairwise(words), 1):
        if word.glued and word.text[0] in TILDES and before.text.endswith("/") and "." in before.text:
            style = {"math": before.math, "mono": before.mono, "italic": before.italic, "font": before.font}
            words[k] = msgspec.structs.replace(word, text="~" + word.text[1:], **style)
    return words


def _stray_joiners(codes: np.ndarray) -> np.ndarray:
    """bool [n]: joiners and non-joiners that do not stand between letters of scripts that join, or signs: they mean
    nothing there, and programs leave them behind."""
    joining = ((codes >= 0x590) & (codes < 0x1E00)) | (codes >= 0x2190)
    between = np.append(False, joining[:-1]) & np.append(joining[1:], False)
    return np.asarray(among(codes, JOINERS) & ~between)
