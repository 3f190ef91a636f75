"""Marks on letters, and glyphs that stand for several characters: each behind the letter that it belongs to.

pdfium lists a mark where its glyph is painted, maybe some words away, and spells ligatures backwards where it turns
right-to-left text around.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

import numpy as np

from docparse.hyphenation import SOUTH_EAST
from docparse.pdf.codes import among, within
from docparse.pdf.measured import of_one_glyph
from docparse.pdf.textlayer import RawText

FIRST = 0x483  # combining marks before it are those of Latin and of formulas
SPACES = "\t\n\r \xa0\u3000"
NON_JOINER = 0x200C
LIGATURE = 6  # characters that one glyph stands for
SLACK = 0.1  # em between the sides of boxes of one glyph's characters
WINDOW = 300  # characters around a mark among which pdfium may have put its letter
LAM, ALEF = ord("ل"), frozenset(map(ord, "اأإآ"))


@dataclass(frozen=True, slots=True)
class Kinds:
    """What each character of a page is, bool [n] each."""

    mark: np.ndarray
    rtl: np.ndarray  # letters only
    ltr: np.ndarray
    digit: np.ndarray
    unspaced: np.ndarray


def has_ink(raw: RawText) -> np.ndarray:
    """bool [n]: characters that leave a mark, those too that the file does not name."""
    return raw.drawn & ~among(raw.code, SPACES)


def kinds_of(code: np.ndarray) -> Kinds:
    values, inverse = np.unique(code, return_inverse=True)
    category = [unicodedata.category(chr(value)) if value < 0x110000 else "Cn" for value in values.tolist()]
    direction = [unicodedata.bidirectional(chr(value)) if value < 0x110000 else "" for value in values.tolist()]
    mark = np.array([c[0] == "M" for c in category]) & (values >= FIRST) & ((values < 0x20D0) | (values > 0x20FF))
    rtl = np.array([d in ("R", "AL") for d in direction])
    ltr = np.array([d == "L" for d in direction]) & ~mark
    digit = np.array([c == "Nd" for c in category])
    return Kinds(*(kind[inverse] for kind in (mark, rtl, ltr & ~digit, digit, within(values, SOUTH_EAST))))


def _glyphs(raw: RawText) -> list[np.ndarray]:
    """The characters of each glyph that stands for several, in pdfium's order."""
    index = np.flatnonzero(raw.drawn)
    sides = np.column_stack([raw.run[index], raw.box[index]])
    order = np.lexsort((index, *sides.T))
    index, sides = index[order], sides[order]
    same = (sides[1:] == sides[:-1]).all(axis=1)
    parts = np.split(index, np.flatnonzero(~same) + 1)
    return [part for part in parts if 1 < len(part) <= LIGATURE]


def ligatures_turned(raw: RawText, kinds: Kinds) -> RawText:
    """The text with right-to-left ligatures in order: pdfium turns them around, but lam-alef not always."""
    raw = _in_one_place(raw)
    code = raw.code.copy()
    for glyph in _glyphs(raw):
        if (kinds.rtl[glyph] | kinds.mark[glyph] | (code[glyph] == NON_JOINER)).all() and kinds.rtl[glyph].any():
            lam_alef = code[glyph[0]] == LAM and int(code[glyph[1]]) in ALEF
            code[glyph] = code[glyph] if lam_alef else code[glyph][::-1]
    return replace(raw, code=code)


def _in_one_place(raw: RawText) -> RawText:
    """The text with one box for a lam and an alef of one glyph, for which pdfium may have two that are nearly alike."""
    lam, alef = raw.code == LAM, among(raw.code, "".join(map(chr, ALEF)))
    pair = (lam[:-1] & alef[1:]) | (alef[:-1] & lam[1:])
    pair &= raw.drawn[1:] & raw.drawn[:-1] & (raw.run[1:] == raw.run[:-1])
    box = raw.box.copy()
    for i in np.flatnonzero(pair).tolist():
        if (np.abs(raw.box[i, [0, 2]] - raw.box[i + 1, [0, 2]]) < SLACK * raw.size[raw.run[i]]).all():
            box[i : i + 2, :2] = raw.box[i : i + 2, :2].min(axis=0)
            box[i : i + 2, 2:] = raw.box[i : i + 2, 2:].max(axis=0)
    return replace(raw, box=box)


def without_repeats(raw: RawText) -> RawText:
    """The text less glyphs that say the same as one at their place: some say letter and mark with both glyphs."""
    repeated = np.zeros(len(raw), bool)
    seen: dict[tuple[int, ...], list[np.ndarray]] = {}
    marked = kinds_of(raw.code).mark
    for glyph in sorted(_glyphs(raw), key=lambda glyph: raw.box[glyph[0], 0] - raw.box[glyph[0], 2]):
        if not marked[glyph].any():
            continue
        others = seen.setdefault(tuple(sorted(raw.code[glyph].tolist())), [])
        repeated[glyph] = any(_stands_in(raw, glyph[0], other[0]) for other in others)
        others.append(glyph)
    return raw.without(repeated)


def _stands_in(raw: RawText, one: int, other: int) -> bool:
    """Return whether the middle of a character is over or under another one on its line."""
    rise = abs(float(raw.matrix[raw.run[one], 5] - raw.matrix[raw.run[other], 5]))
    return rise < raw.size[raw.run[one]] and raw.box[other, 0] <= raw.box[one, [0, 2]].mean() <= raw.box[other, 2]


def with_marks(raw: RawText) -> RawText:
    """The text with each mark right behind the letter that it stands on, in the same place and style."""
    kinds, inked = kinds_of(raw.code), np.flatnonzero(has_ink(raw))
    mark, rtl = kinds.mark, kinds.rtl | kinds.mark & (raw.code < 0x900)
    letter = inked[(kinds.mark | kinds.rtl | kinds.ltr)[inked]]
    box, run, order = raw.box.copy(), raw.run.copy(), np.arange(len(raw), dtype=np.float64)
    first = np.maximum.accumulate(np.where(np.append(True, ~of_one_glyph(raw.box, raw.run)), np.arange(len(raw)), 0))
    alone = mark & has_ink(raw) & ((first == np.arange(len(raw))) | mark[first])
    for i in np.flatnonzero(alone).tolist():
        at = int(np.searchsorted(letter, i))
        base = _base(raw, i, letter[max(0, at - WINDOW) : at + WINDOW], mark, bool(rtl[i]))
        if base < 0:
            continue
        if not rtl[base]:  # vowel signs of India have room beside the letter
            box[base, 0], box[base, 2] = min(box[base, 0], box[i, 0]), max(box[base, 2], box[i, 2])
        box[i], run[i] = box[base], run[base]
        box[i, [0, 2]] = box[base, 0 if rtl[base] else 2]
        order[i] = order[base] + 1e-3 if base < i else base + 1e-3
    return replace(raw, box=box, run=run).taken(np.argsort(order, kind="stable"))


def _base(raw: RawText, i: int, around: np.ndarray, mark: np.ndarray, rtl: bool) -> int:
    """The letter under or over a mark, of those `around` it: the one before it, but where pdfium has turned the text
    around; -1 where none is near."""
    before = around[around < i]
    if not rtl and len(before) and _is_by(raw, i, int(before[-1])):
        return int(before[-1])
    around = around[(around != i) & (~mark[around] | (around < i))]
    middle, size = raw.box[i, [0, 2]].mean(), raw.size[raw.run[around]]
    apart = np.maximum(0, np.maximum(raw.box[around, 0] - middle, middle - raw.box[around, 2]))
    rise = np.abs(raw.matrix[raw.run[around], 5] - raw.matrix[raw.run[i], 5])
    near = (apart < 0.5 * size) & (rise < size)
    if not near.any():
        return -1
    around, apart = around[near], apart[near]
    other = (raw.box[around] != raw.box[i]).any(axis=1)
    best = np.lexsort((around > i, np.abs(around - i), other, np.round(apart)))[0]
    return int(around[best])


def _is_by(raw: RawText, i: int, k: int) -> bool:
    """Return whether a mark stands on the character before it: the file says so, or its middle does."""
    middle, size = raw.box[i, [0, 2]].mean(), raw.size[raw.run[k]]
    slack = size / 2 if raw.run[i] == raw.run[k] else 0.05 * size
    rise = abs(float(raw.matrix[raw.run[i], 5] - raw.matrix[raw.run[k], 5]))
    return bool(raw.box[k, 0] - slack < middle < raw.box[k, 2] + slack and rise < size)
