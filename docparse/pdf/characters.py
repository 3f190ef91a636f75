"""From pdfium's characters in user space to `Characters` in page space: boxes, clean text, distinct styles.

Fonts' own ascents lie, so across the baseline a box reaches from 0.8 above to 0.2 below, in font sizes. Glyphs of
extension fonts (big brackets, sums) hang below their baseline, and other math fonts have them in many heights: they
have the box of their ink instead, and a baseline that centres them on the line.
"""

from __future__ import annotations

import numpy as np

from docparse.pdf.codes import among
from docparse.pdf.content import Characters, Font
from docparse.pdf.marks import ROOT
from docparse.pdf.measured import of_one_glyph
from docparse.pdf.printed import STROKE, are_drawing, are_heads, codes_of, strike_out, surrogates, unify
from docparse.pdf.slants import turned_slants
from docparse.pdf.space import PageSpace
from docparse.pdf.textlayer import PIECES, UNTOLD, RawText, grows, quadrants, slanted
from docparse.pdf.typefaces import fonts_of, tinted

ASCENT, DESCENT = 0.8, 0.2  # the em box around the baseline, in font sizes
BRACKETS = "()[]{}⌊⌋⌈⌉⟨⟩"  # of any height they take the room along the line that their font gives them
GROWN = 1.15  # font sizes: taller ink is that of a bracket or an operator that grew with what it stands by
HANGS = 0.4  # font sizes below the baseline: symbols that reach deeper hang from it, as in TeX's extension fonts
ACCENTS = "`´ˆ˜¯˘˙¨˚˝ˇ¸˛"  # TeX prints them over letters, some as wide: glyphs of their own in one box
AXIS = 0.25  # font sizes from the baseline up to the line on which brackets and sums are centred


def place(raw: RawText, space: PageSpace, bold: np.ndarray) -> Characters | None:
    """Characters in page space; `bold` (bool [m]) marks text objects drawn more than once.

    Control characters and repeated characters are left out; None where nothing stays.
    """
    raw = turned_slants(raw)
    angle = (quadrants(raw) + space.rotation // 90) % 4
    box, baseline = _boxes(raw, space, angle)
    code, keep = codes_of(raw)
    keep &= ~strike_out(code, box, baseline)
    drawing = are_drawing(raw)
    if drawing.any():
        heads = are_heads(code, raw, drawing)
        keep &= ~drawing | heads
        lowered = AXIS * raw.size[raw.run[heads]]  # the baseline of these is the line that they are the head of
        baseline[heads] += lowered
        box[heads, 1::2] += lowered[:, None]
    for again in reversed(unify(code, raw)):
        keep[again] = False
        box[again - 1, 2:] = np.maximum(box[again - 1, 2:], box[again, 2:])
    level = np.flatnonzero(among(code, BRACKETS) & (angle[raw.run] % 2 == 0))
    box[level, ::2] = space.boxes(raw.box[level])[:, ::2]
    stroke = np.flatnonzero((code == ord(STROKE)) & (angle[raw.run] == 0))
    box[stroke, 2] = box[stroke, 0]
    halves = np.flatnonzero(surrogates(raw.code))
    box[halves, :2] = np.minimum(box[halves, :2], box[halves + 1, :2])
    box[halves, 2:] = np.maximum(box[halves, 2:], box[halves + 1, 2:])
    twice, doubled = _drawn_twice(raw, box, keep)
    keep &= ~twice
    bold = bold.copy()
    bold[raw.run[doubled]] = True
    if not keep.any():
        return None
    code = np.where(raw.untold, _as_told(raw.code), code)
    fonts, font = fonts_of(raw, angle, bold)
    return Characters(
        text=code[keep].astype("<u4").tobytes().decode("utf-32-le"),
        box=box[keep].astype(np.float32),
        baseline=baseline[keep].astype(np.float32),
        font=font[raw.run[keep]],
        generated=(raw.generated | ~raw.drawn)[keep],
        fonts=fonts,
        piece=raw.piece[raw.run[keep]] if raw.piece is not None else None,
        tinted=tinted(raw)[raw.run[keep]],
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
    known = np.isfinite(raw.ink[:, 0]) & raw.of_style(
        lambda style: not style.name
    )  # fonts without a name say nothing of their height
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
    extension = raw.of_style(lambda style: style.extension)
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
