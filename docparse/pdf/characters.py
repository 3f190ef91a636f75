"""From pdfium's characters in user space to `Characters` in page space: boxes, clean text, distinct styles.

Text is kept as pdfium maps it; pdfium itself writes Latin ligatures as their letters. A soft hyphen (U+00AD) that is
drawn is a plain "-": some fonts have one glyph for both, and files name it by the wrong one. Control characters are
dropped (a line end is one "\n"), a hyphen that pdfium recognises as one at the end of a line becomes a plain "-" (no
"\n" follows it), a tab becomes a space, surrogate pairs become one character.

Fonts' own ascents lie, so across the baseline a box reaches from 0.8 above to 0.2 below, in font sizes. Glyphs of
extension fonts (big brackets, sums) hang below their baseline, and other math fonts have them in many heights: they
have the box of their ink instead, and a baseline that centres them on the line.
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.content import Characters, Font
from docparse.pdf.glyphs import mapped, symbols
from docparse.pdf.graphics import Painted
from docparse.pdf.ligatures import whole_ligatures
from docparse.pdf.measured import of_one_glyph
from docparse.pdf.native import fill, native
from docparse.pdf.objects import IDENTITY, multiply
from docparse.pdf.roots import ROOT
from docparse.pdf.slants import turned_slants
from docparse.pdf.space import PageSpace
from docparse.pdf.textlayer import (
    FAKE_BOLD,
    HYPHENS,
    INVISIBLE,
    PHI,
    PIECES,
    UNTOLD,
    RawText,
    grows,
    quadrants,
    slanted,
)

ASCENT, DESCENT = 0.8, 0.2  # the em box around the baseline, in font sizes
BRACKETS = "()[]{}⌊⌋⌈⌉⟨⟩"  # of any height they take the room along the line that their font gives them
GROWN = 1.15  # font sizes: taller ink is that of a bracket or an operator that grew with what it stands by
HANGS = 0.4  # font sizes below the baseline: symbols that reach deeper hang from it, as in TeX's extension fonts
SOFT_HYPHEN = "\u00ad"
STROKE = "\u0338"  # TeX's `\\not` takes no room: the relation that it strikes out is printed over it
MINUS = "\u2212"
TIMES, BRACKET = "×["  # stand at the code of pdfium's marker for a hyphen in TeX's fonts; empty maps are read as that
SLASH = "/"
ACCENTS = "`´ˆ˜¯˘˙¨˚˝ˇ¸˛"  # TeX prints them over letters, some as wide: glyphs of their own in one box
OGONEK = "ǫ"
LINE_FONT = re.compile(r"l(ine|circle)w?\d+$", re.I)
APART = 2  # font sizes between the heads of two arrows that are signs; those of a drawing stand closer
NEAR = 0.12  # font sizes between a text object and its repetition
LOOK_BACK = 5  # text objects; pdfium looks as far back for repetitions
COLOURED = 50  # of 255 by which the channels of a colour differ, and one from another
LIGHT, DARK = 200, 128  # of 255: white letters and faint ones, and those that are printed on white
STEM = 0.59  # font sizes above the baseline: only letters with a stem are higher
AXIS = 0.25  # font sizes from the baseline up to the line on which brackets and sums are centred


def place(raw: RawText, space: PageSpace, bold: np.ndarray) -> Characters | None:
    """Characters in page space; `bold` (bool [m]) marks text objects drawn more than once.

    Control characters and repeated characters are left out; None where nothing stays.
    """
    raw = turned_slants(raw)
    angle = (quadrants(raw) + space.rotation // 90) % 4
    box, baseline = _boxes(raw, space, angle)
    # what TeX's fonts have at the codes of control characters, and of the space where it leaves ink
    unmapped = (raw.unmapped | (raw.code < 32) | ((raw.code == 32) & np.isfinite(raw.ink[:, 0]))) & raw.drawn
    names, style = tuple(s.name for s in raw.styles), raw.style[raw.run]
    code = mapped(raw.code, unmapped, style, names)
    control = raw.unmapped & (code < 0x20) & (code != 0x0A)
    marker = raw.code == ord(HYPHENS[0])
    code = np.where((control | (marker & (code == ord(TIMES)))) & _are_bars(raw), np.uint32(ord(MINUS)), code)
    code = np.where(marker & (code == ord(BRACKET)) & _are_upright_strokes(raw), np.uint32(ord("|")), code)
    sign = raw.unmapped & _is_nameless(raw) & (code == ord(HYPHENS[0]))  # one of its own, no hyphen
    code = np.where(sign, np.uint32(0), code)
    code = whole_ligatures(_as_printed(code, raw), raw)
    code = np.where(raw.drawn & (code == ord(SOFT_HYPHEN)), np.uint32(ord("-")), code)
    code, keep = _clean(symbols(code, style, names))
    keep &= ~_strike_out(code, box, baseline)
    drawing = _are_drawing(raw, names)
    if drawing.any():
        heads = _are_heads(code, raw, drawing)
        keep &= ~drawing | heads
        lowered = AXIS * raw.size[raw.run[heads]]  # the baseline of these is the line that they are the head of
        baseline[heads] += lowered
        box[heads, 1::2] += lowered[:, None]
    for again in reversed(_unify(code, raw)):
        keep[again] = False
        box[again - 1, 2:] = np.maximum(box[again - 1, 2:], box[again, 2:])
    level = np.flatnonzero(among(code, BRACKETS) & (angle[raw.run] % 2 == 0))
    box[level, ::2] = space.boxes(raw.box[level])[:, ::2]
    stroke = np.flatnonzero((code == ord(STROKE)) & (angle[raw.run] == 0))
    box[stroke, 2] = box[stroke, 0]
    halves = np.flatnonzero(_surrogates(raw.code))
    box[halves, :2] = np.minimum(box[halves, :2], box[halves + 1, :2])
    box[halves, 2:] = np.maximum(box[halves, 2:], box[halves + 1, 2:])
    twice, doubled = _drawn_twice(raw, box, keep)
    keep &= ~twice
    bold = bold.copy()
    bold[raw.run[doubled]] = True
    if not keep.any():
        return None
    code = np.where(raw.untold, _as_told(raw.code), code)
    fonts, font = _fonts(raw, angle, bold)
    return Characters(
        text=code[keep].astype("<u4").tobytes().decode("utf-32-le"),
        box=box[keep].astype(np.float32),
        baseline=baseline[keep].astype(np.float32),
        font=font[raw.run[keep]],
        generated=(raw.generated | ~raw.drawn)[keep],
        fonts=fonts,
        piece=raw.piece[raw.run[keep]] if raw.piece is not None else None,
        tinted=_tinted(raw)[raw.run[keep]],
        glyph=_glyphs(raw)[keep] if raw.untold.any() else None,
    )


def _as_told(code: np.ndarray) -> np.ndarray:
    """uint32 [n]: what the fonts say of glyphs that they do not tell, which is better than nothing where no OCR can."""
    said = code - np.uint32(UNTOLD)  # those of others wrap around
    return np.where((said <= 0x20) | (said >= 0x7F) & (said <= 0xA0), 0xFFFD, said).astype(np.uint32)


def _glyphs(raw: RawText) -> np.ndarray:
    """int32 [n]: a number for every glyph that its font does not tell, -1 for the others."""
    glyph = np.full(len(raw), -1, np.int32)
    key = raw.style[raw.run[raw.untold]].astype(np.int64) << 32 | raw.code[raw.untold]
    glyph[raw.untold] = np.unique(key, return_inverse=True)[1]
    return glyph


def place_plainly(raw: RawText, space: PageSpace) -> Characters:
    """Return the text as the library gives it, every character in its own box, in one style: where `place` fails."""
    code = np.where(raw.untold, _as_told(raw.code), raw.code).astype(np.uint32)
    code[~(raw.inked & ((code < 0xD800) | (code >= 0xE000)) & (code <= 0x10FFFF))] = ord(" ")
    box = np.nan_to_num(space.boxes(raw.box)).astype(np.float32)
    size = max(1.0, float(np.median(box[:, 3] - box[:, 1]))) if len(box) else 1.0
    font = Font(name="", size=size, weight=400, italic=False, mono=False, math=False, invisible=False, angle=0)
    return Characters(
        text=code.astype("<u4").tobytes().decode("utf-32-le"),
        box=box,
        baseline=box[:, 3].copy(),
        font=np.zeros(len(code), np.int32),
        generated=~raw.inked,
        fonts=(font,),
    )


def _boxes(raw: RawText, space: PageSpace, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    box = _shared(space.boxes(raw.box), raw, angle[raw.run])
    origin = space.points(raw.matrix[:, 4:6])[raw.run]
    angle, size = angle[raw.run], raw.size[raw.run]
    upright = angle % 2 == 0  # baseline horizontal, so it is a y
    across = np.where(upright, 1, 0)  # the axis across the baseline
    base = np.where(upright, origin[:, 1], origin[:, 0])
    known = np.isfinite(raw.ink[:, 0]) & _is_nameless(raw)  # fonts without a name say nothing of their height
    seen = np.where(known[:, None], space.boxes(raw.ink), box)
    low, high = np.where(upright, seen[:, 1], seen[:, 0]), np.where(upright, seen[:, 3], seen[:, 2])
    descends = (angle == 0) | (angle == 3)  # descenders lie at larger coordinates
    # inserted characters sit on the line before them; vertical writing and odd matrices leave the object's baseline
    middle = (low + high) / 2
    stray = (np.abs(middle - base) > 2 * size) | (size <= 0)
    own_base = np.where(raw.drawn, np.where(descends, high - DESCENT * (high - low), low + DESCENT * (high - low)), low)
    base = np.where(stray | ~raw.drawn, own_base, base)
    start = np.where(descends, base - ASCENT * size, base - DESCENT * size)
    end = start + (ASCENT + DESCENT) * size
    keep_own = (stray & raw.drawn) | slanted(raw)[raw.run]
    np.put_along_axis(box, across[:, None], np.where(keep_own, low, start)[:, None], 1)
    np.put_along_axis(box, across[:, None] + 2, np.where(keep_own, high, end)[:, None], 1)
    extension = np.array([style.extension for style in raw.styles])[raw.style][raw.run]
    ink = np.where(upright, raw.ink[:, 3] - raw.ink[:, 1], raw.ink[:, 2] - raw.ink[:, 0])
    depth = np.where(raw.matrix[raw.run, 1] == 0, raw.matrix[raw.run, 5] - raw.ink[:, 1], 0)
    grown = grows(raw.code) & ((ink > GROWN * size) | (depth > HANGS * size)) | among(raw.code, ROOT + PIECES)
    hanging = np.isfinite(ink) & (extension | grown)
    if hanging.any():
        box[hanging] = space.boxes(raw.ink[hanging])
        low, high = (np.take_along_axis(box, across[:, None] + k, 1)[:, 0] for k in (0, 2))
        base = np.where(hanging, (low + high) / 2 + np.where(descends, AXIS, -AXIS) * size, base)
    return box, base


def _shared(box: np.ndarray, raw: RawText, angle: np.ndarray) -> np.ndarray:
    """Divide the box of one glyph among the characters it stands for: pdfium writes the ligature fi as f and i."""
    start, accent = np.ones(len(raw), bool), among(raw.code, ACCENTS)
    start[1:] = ~of_one_glyph(raw.box, raw.run) | ~raw.drawn[1:]
    start[1:] |= accent[1:] | accent[:-1]
    if start.all():
        return box
    group = np.cumsum(start) - 1
    parts = np.bincount(group)[group]
    part = np.arange(len(raw)) - np.flatnonzero(start)[group]
    part = np.where(angle >= 2, parts - 1 - part, part)  # these run against the axis
    along = (angle % 2)[:, None]
    low, high = np.take_along_axis(box, along, 1)[:, 0], np.take_along_axis(box, along + 2, 1)[:, 0]
    width = (high - low) / parts
    np.put_along_axis(box, along, (low + part * width)[:, None], 1)
    np.put_along_axis(box, along + 2, (low + (part + 1) * width)[:, None], 1)
    return box


def _is_nameless(raw: RawText) -> np.ndarray:
    """bool [n]: set in a Type 3 font."""
    return np.array([not style.name for style in raw.styles])[raw.style][raw.run]


def _are_bars(raw: RawText) -> np.ndarray:
    """bool [n]: glyphs whose ink is known that are a level bar above the baseline, as a minus is."""
    left, bottom, right, top = raw.ink.T
    size, base = raw.size[raw.run], raw.matrix[raw.run, 5]
    wide, high, middle = right - left, top - bottom, (top + bottom) / 2 - base
    bar = (wide > 0.3 * size) & (wide < size) & (high < 0.2 * wide) & (middle > 0.1 * size) & (middle < 0.5 * size)
    return np.asarray(bar)


def _are_upright_strokes(raw: RawText) -> np.ndarray:
    """bool [n]: glyphs whose ink is known that are a piece of a tall bar."""
    left, bottom, right, top = raw.ink.T
    return np.asarray((right - left < 0.1 * raw.size[raw.run]) & (top - bottom > 0.5 * raw.size[raw.run]))


def _are_drawing(raw: RawText, names: tuple[str, ...]) -> np.ndarray:
    """bool [n]: pieces of lines and circles, of which LaTeX makes drawings."""
    own = [k for k, name in enumerate(names) if LINE_FONT.match(name)]
    return raw.drawn & np.isin(raw.style, own)[raw.run]


def _are_heads(code: np.ndarray, raw: RawText, drawing: np.ndarray) -> np.ndarray:
    """bool [n]: heads of arrows by themselves among the `drawing` (bool [n]): such arrows stand between formulas."""
    heads = drawing & among(code, "→←") & (raw.matrix[raw.run, 1] == 0)
    for index in np.flatnonzero(heads).tolist():
        near = np.abs(raw.box[drawing, :2] - raw.box[index, :2]).max(axis=1) < APART * raw.size[raw.run[index]]
        heads[index] = near.sum() == 1
    return heads


def _as_printed(code: np.ndarray, raw: RawText) -> np.ndarray:
    """`code` (uint32 [n]) with each phi of a math font as it is printed: the straight one (U+03D5) is as high as other
    letters with a stem, the one written in a single stroke (U+03C6) is not. TeX's fonts call the straight one phi,
    Unicode the other one. They call epsilon epsilon1, which some programs take for a letter with an ogonek."""
    rise = (raw.ink[:, 3] - raw.matrix[raw.run, 5]) / raw.size[raw.run]
    math = np.array([style.math for style in raw.styles])[raw.style][raw.run]
    told = among(code, PHI) & math & np.isfinite(rise) & (raw.matrix[raw.run, 1] == 0)
    code = np.where((code == ord(OGONEK)) & math, np.uint32(ord("ϵ")), code)
    return np.where(told, np.where(rise > STEM, np.uint32(ord("ϕ")), np.uint32(ord("φ"))), code)


def _clean(code: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes fit for a Python string and which of them to keep."""
    code = code.copy()
    code[among(code, HYPHENS)] = ord("-")
    code[code == 0x09] = ord(" ")
    keep = np.ones(len(code), bool)
    pair = np.flatnonzero(_surrogates(code))
    if len(pair):
        code[pair] = 0x10000 + ((code[pair] - 0xD800) << 10) + (code[pair + 1] - 0xDC00)
        keep[pair + 1] = False
    code[((code >= 0xD800) & (code < 0xE000)) | (code > 0x10FFFF)] = 0xFFFD
    control = (code < 0x20) & (code != 0x0A) | (code >= 0x7F) & (code < 0xA0) | (code == 0xFEFF) | (code == 0xFFFF)
    return code, keep & ~control


def _strike_out(code: np.ndarray, box: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """Negate (in place) the relations that a slash is printed over, as TeX's `\\notin` is; return bool [n], these
    slashes."""
    gone = np.zeros(len(code), bool)
    for index in np.flatnonzero(code == ord(SLASH)).tolist():
        for other in (index + 1, index - 1):
            if not 0 <= other < len(code) or baseline[other] != baseline[index] or code[other] < 0x20:
                continue
            negated = unicodedata.normalize("NFC", chr(code[other]) + STROKE)
            if len(negated) == 1 and box[other, 0] < box[index, 0] and box[index, 2] < box[other, 2]:
                code[other], gone[index] = ord(negated), True
                break
    return gone


def _unify(code: np.ndarray, raw: RawText) -> list[int]:
    """Write (in place) ideographs for the radicals and doublets of Unicode that look like them, by which macOS names
    its glyphs; return the indices of those that it names twice, by both."""
    doublet = ((code >= 0x2F00) & (code < 0x2FE0)) | ((code >= 0xF900) & (code < 0xFB00))
    for index in np.flatnonzero(doublet).tolist():
        code[index] = ord(unicodedata.normalize("NFKC", chr(code[index])))
    one_glyph = (raw.box[1:] == raw.box[:-1]).all(axis=1) & (raw.run[1:] == raw.run[:-1]) & raw.drawn[1:]
    again = (doublet[1:] | doublet[:-1]) & one_glyph & (code[1:] == code[:-1])
    return [int(index) + 1 for index in np.flatnonzero(again)]


def _surrogates(code: np.ndarray) -> np.ndarray:
    """bool [n - 1]: the first half of a character that pdfium writes, and boxes, in two halves."""
    return (code[:-1] >= 0xD800) & (code[:-1] < 0xDC00) & (code[1:] >= 0xDC00) & (code[1:] < 0xE000)


def _drawn_twice(raw: RawText, box: np.ndarray, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Marks drawn again at nearly the same place: (the repetitions, all characters that have one), bool [n] each.

    pdfium leaves out most repetitions itself; these come from repetitions cut differently into text objects.
    """
    twice, doubled = np.zeros(len(raw), bool), np.zeros(len(raw), bool)
    index = np.flatnonzero(raw.inked & keep)
    if len(index) < 2:
        return twice, doubled
    code, size = raw.code[index].astype(np.int64), raw.size[raw.run[index]]
    order = np.lexsort((index, np.round(box[index, 0]), np.round(box[index, 1]), code))
    here, there = index[order[1:]], index[order[:-1]]
    x, y = np.abs(box[here, :2] - box[there, :2]).T
    near = np.maximum(x, y) < 0.1 * size[order[1:]]
    near &= (raw.code[here] == raw.code[there]) & (raw.run[here] != raw.run[there])
    here, there = here[near], there[near]
    twice[np.maximum(here, there)] = True
    doubled[np.minimum(here, there)] = True
    return twice, doubled


def _fonts(raw: RawText, angle: np.ndarray, bold: np.ndarray) -> tuple[tuple[Font, ...], np.ndarray]:
    """The distinct styles of the page and, int32 [m], which of them each text object has."""
    a, b, c, d = raw.matrix[:, :4].T
    skew = (a * c + b * d) / np.where(a * d - b * c == 0, 1, a * d - b * c)  # tangent of the slant
    italic = (skew > 0.1) & (skew < 1)
    bold = bold | (raw.mode == FAKE_BOLD)
    size = np.round(raw.size * 100).astype(np.int64)
    key = raw.style.astype(np.int64)
    for part, values in ((size, 1 << 24), (angle, 4), (italic, 2), (bold, 2), (raw.mode == INVISIBLE, 2)):
        key = key * values + np.clip(part.astype(np.int64), 0, values - 1)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    fonts: dict[Font, int] = {}  # different font objects may come to the same
    numbers = [fonts.setdefault(_font(raw, run, angle, bold, italic), len(fonts)) for run in first.tolist()]
    return tuple(fonts), np.array(numbers, np.int32)[inverse]


def _tinted(raw: RawText) -> np.ndarray:
    """bool [m]: text objects in a colour, not a shade of grey, that is not the usual one, and those that are light,
    where it is dark: they stand on a bar or a panel."""
    colors = raw.color[:, :3]
    weight = np.bincount(raw.run[raw.inked], minlength=len(colors))
    values, which = np.unique(colors, axis=0, return_inverse=True)
    usual = values[np.bincount(which.ravel(), weight).argmax()]
    light = (colors.min(axis=1) >= LIGHT) & (usual.max() < DARK)
    return light | ((np.ptp(colors, axis=1) >= COLOURED) & (np.abs(colors - usual).max(axis=1) >= COLOURED))


def _font(raw: RawText, run: int, angle: np.ndarray, bold: np.ndarray, italic: np.ndarray) -> Font:
    style = raw.styles[raw.style[run]]
    return Font(
        name=style.name,
        size=round(float(raw.size[run]), 2),
        weight=max(style.weight, 700) if bold[run] else style.weight,
        italic=style.italic or bool(italic[run]),
        mono=style.mono,
        math=style.math,
        invisible=bool(raw.mode[run] == INVISIBLE),
        angle=int(angle[run]) * 90,
    )


def bold_runs(raw: RawText, painted: Painted) -> np.ndarray:
    """Return bool [m]: text objects that a left-out object, painted soon after, repeats a hair's breadth away, which is
    fake bold. pdfium's text page keeps such text only once."""
    bold = np.zeros(len(raw.handle), bool)
    if not painted.left_out or not painted.order:
        return bold
    handles, outers, before = zip(*painted.left_out, strict=True)
    matrices = np.zeros((len(handles), 6), np.float32)
    fill(native().PageObj_GetMatrix, matrices, handles)
    matrix = matrices.astype(np.float64)
    for index, outer in enumerate(outers):
        if outer != IDENTITY:
            matrix[index] = multiply(tuple(matrix[index]), outer)
    painted_runs = np.searchsorted(raw.handle, np.array(list(painted.order), np.uint64))
    for step in range(1, LOOK_BACK + 1):
        place = np.array(before) - step
        original = painted_runs[np.maximum(place, 0)]
        gap = np.abs(raw.matrix[original, 4:6] - matrix[:, 4:6]).max(axis=1)
        same = np.abs(raw.matrix[original, :4] - matrix[:, :4]).max(axis=1) < 1e-3
        bold[original[same & (place >= 0) & (gap < NEAR * raw.size[original])]] = True
    return bold
