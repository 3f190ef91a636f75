"""The text layer: one pass over pdfium's characters, three calls each, everything after that in numpy.

What is the same for all characters of a text object (font, size, matrix, render mode) is asked once per object: the
object's matrix also gives the baseline, and the loose (advance) box gives the extent along it. Fonts' own ascents
lie, so across the baseline a box reaches from 0.8 above to 0.2 below, in font sizes.

Text is kept as the PDF maps it, ligatures and soft hyphens included, with these exceptions: control characters are
dropped (a line end is one "\\n"), a hyphen that pdfium recognises as one at the end of a line becomes a plain "-" (no
"\\n" follows it), surrogate pairs become one character, and a space of any width that pdfium writes stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from docparse.pdf.content import Characters, Font
from docparse.pdf.fonts import Style, read_style
from docparse.pdf.native import ask, fill, native
from docparse.pdf.space import PageSpace

ASCENT, DESCENT = 0.8, 0.2  # the em box around the baseline, in font sizes
HYPHENS = (0x02, 0xFFFE)  # pdfium's marker for a hyphen at a line end, newer and older releases
INVISIBLE = 3  # text render mode: neither fill nor stroke
FAKE_BOLD = 2  # text render mode: fill, then stroke


@dataclass(slots=True)
class RawText:
    """What pdfium says, in user space. Arrays of characters have length n, arrays of text objects length m.

    `code` is uint32 [n], `box` float64 [n, 4] (left, bottom, right, top of the advance box), `run` int64 [n] (index of
    the text object), `drawn` bool [n] (has an advance box: not inserted by pdfium), `unmapped` bool [n].
    `handle` is uint64 [m], `matrix` float64 [m, 6], `size` float64 [m] (on the page), `mode` int32 [m] (-1 without an
    object), `style` int64 [m] into `styles`.
    """

    code: np.ndarray
    box: np.ndarray
    run: np.ndarray
    drawn: np.ndarray
    generated: np.ndarray
    unmapped: np.ndarray
    handle: np.ndarray
    matrix: np.ndarray
    size: np.ndarray
    mode: np.ndarray
    style: np.ndarray
    styles: tuple[Style, ...]

    def __len__(self) -> int:
        return len(self.code)

    @property
    def inked(self) -> np.ndarray:
        """bool [n]: characters that leave a mark: drawn and not a space."""
        return self.drawn & (self.code > 0x20) & (self.code != 0xA0) & (self.code != 0x3000)


def read_raw(text_page: int) -> RawText | None:
    """Read everything from a pdfium text page; None where it has no characters."""
    pdf = native()
    count = pdf.Text_CountChars(text_page)
    if count <= 0:
        return None
    every = range(count)
    code = ask(pdf.Text_GetUnicode, np.uint32, text_page, every)
    owner = ask(pdf.Text_GetTextObject, np.uint64, text_page, every)
    boxes = fill(pdf.Text_GetLooseCharBox, np.zeros((count, 4), np.float32), text_page, every)
    box = boxes[:, [0, 3, 2, 1]].astype(np.float64)  # FS_RECTF is left, top, right, bottom
    drawn = (box[:, 0] != box[:, 2]) | (box[:, 1] != box[:, 3])
    generated = np.zeros(count, bool)
    points = np.flatnonzero(~drawn)
    generated[points] = ask(pdf.Text_IsGenerated, bool, text_page, points.tolist())
    run, first, handle = _runs(owner, drawn)
    matrix = fill(pdf.Text_GetMatrix, np.zeros((len(first), 6), np.float32), text_page, first.tolist())
    matrix = matrix.astype(np.float64)
    matrix[handle == 0] = (1, 0, 0, 1, 0, 0)
    size = ask(pdf.Text_GetFontSize, np.float64, text_page, first.tolist()) * _height(matrix)
    real = handle[handle != 0].tolist()
    mode = np.full(len(handle), -1, np.int32)
    mode[handle != 0] = ask(pdf.TextObj_GetTextRenderMode, np.int32, real)
    font = np.zeros(len(handle), np.uint64)
    font[handle != 0] = ask(pdf.TextObj_GetFont, np.uint64, real)
    fonts, style = np.unique(font, return_inverse=True)
    return RawText(
        code=code,
        box=box,
        run=run,
        drawn=drawn,
        generated=generated,
        unmapped=_unmapped(text_page, code, font[run], drawn),
        handle=handle,
        matrix=matrix,
        size=size,
        mode=mode,
        style=style,
        styles=tuple(read_style(value) for value in fonts.tolist()),
    )


def _runs(owner: np.ndarray, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Text objects by their handle: index per character, one character that can speak for each, the handles.

    A character that pdfium inserted has an identity matrix, so a drawn one speaks where there is one. Characters
    without an object take the object before them (after them at the start of the page).
    """
    known = np.where(owner != 0, np.arange(len(owner)), -1)
    last = np.maximum.accumulate(known)
    start = int(np.argmax(owner != 0))  # 0 where no character has an object
    owner = owner[np.where(last < 0, start, last)]
    handle, run = np.unique(owner, return_inverse=True)
    speaker = np.full(len(handle), len(owner), np.int64)
    np.minimum.at(speaker, run[drawn], np.flatnonzero(drawn))
    silent = speaker == len(owner)
    if silent.any():
        any_of = np.zeros(len(handle), np.int64)
        any_of[run[::-1]] = np.arange(len(owner))[::-1]
        speaker[silent] = any_of[silent]
    return run, speaker, handle


def _height(matrix: np.ndarray) -> np.ndarray:
    """How much a text matrix stretches across the baseline; a slant (synthetic italics) does not count."""
    a, b, c, d = matrix[:, 0], matrix[:, 1], matrix[:, 2], matrix[:, 3]
    along = np.hypot(a, b)
    return np.where(along > 0, np.abs(a * d - b * c) / np.where(along > 0, along, 1), np.hypot(c, d))


def _unmapped(text_page: int, code: np.ndarray, font: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Whether the font maps the character to Unicode, asked once per font and code."""
    _, font = np.unique(font, return_inverse=True)
    key = font.astype(np.int64) << 21 | np.minimum(code, 0x1FFFFF).astype(np.int64)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    errors = ask(native().Text_HasUnicodeMapError, np.int32, text_page, first.tolist()) == 1
    return errors[inverse] & drawn


def quadrants(raw: RawText) -> np.ndarray:
    """int64 [m]: clockwise quarter turns of each text object in user space (0..3), by its baseline.

    Mirrored text goes by its up direction: flipped letters on an upright line stay upright.
    """
    a, b, c, d = raw.matrix[:, :4].T
    mirrored = a * d - b * c < 0
    degrees = np.degrees(np.where(mirrored, np.arctan2(-c, d), np.arctan2(b, a)))
    return np.round(-degrees / 90).astype(np.int64) % 4


def dominant_quadrant(raw: RawText) -> int:
    """The turn that most marks on the page share, 0..3."""
    return int(np.bincount(quadrants(raw)[raw.run[raw.inked]], minlength=4).argmax())


def place(raw: RawText, space: PageSpace, bold_runs: np.ndarray) -> Characters | None:
    """Characters in page space; `bold_runs` (bool [m]) marks text objects drawn more than once.

    Characters outside the visible page, control characters and repeated characters are left out; None where nothing
    stays.
    """
    angle = (quadrants(raw) + space.rotation // 90) % 4
    box, baseline = _boxes(raw, space, angle)
    code, keep = _clean(raw.code)
    width, height = space.size
    x, y = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    keep &= (x >= 0) & (x <= width) & (y >= 0) & (y <= height)
    twice, doubled = _drawn_twice(raw, box, keep)
    keep &= ~twice
    bold = bold_runs.copy()
    bold[raw.run[doubled]] = True
    if not keep.any():
        return None
    fonts, font = _fonts(raw, angle, bold)
    return Characters(
        text=code[keep].astype("<u4").tobytes().decode("utf-32-le"),
        box=box[keep].astype(np.float32),
        baseline=baseline[keep].astype(np.float32),
        font=font[raw.run[keep]],
        generated=(raw.generated | ~raw.drawn)[keep],
        fonts=fonts,
    )


def _boxes(raw: RawText, space: PageSpace, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    box = space.boxes(raw.box)
    origin = space.points(raw.matrix[:, 4:6])[raw.run]
    angle, size = angle[raw.run], raw.size[raw.run]
    upright = angle % 2 == 0  # baseline horizontal, so it is a y
    across = np.where(upright, 1, 0)  # the axis across the baseline
    base = np.where(upright, origin[:, 1], origin[:, 0])
    low = np.take_along_axis(box, across[:, None], 1)[:, 0]
    high = np.take_along_axis(box, across[:, None] + 2, 1)[:, 0]
    descends = (angle == 0) | (angle == 3)  # descenders lie at larger coordinates
    # inserted characters sit on the line before them; vertical writing and odd matrices leave the object's baseline
    middle = (low + high) / 2
    stray = (np.abs(middle - base) > 2 * size) | (size <= 0)
    own_base = np.where(raw.drawn, np.where(descends, high - DESCENT * (high - low), low + DESCENT * (high - low)), low)
    base = np.where(stray | ~raw.drawn, own_base, base)
    start = np.where(descends, base - ASCENT * size, base - DESCENT * size)
    end = start + (ASCENT + DESCENT) * size
    keep_own = (stray & raw.drawn) | _slanted(raw)[raw.run]
    np.put_along_axis(box, across[:, None], np.where(keep_own, low, start)[:, None], 1)
    np.put_along_axis(box, across[:, None] + 2, np.where(keep_own, high, end)[:, None], 1)
    return box, base


def _slanted(raw: RawText) -> np.ndarray:
    """bool [m]: baselines more than 10 degrees off the axes, where the box around the turned advance box is kept."""
    turn = np.degrees(np.arctan2(raw.matrix[:, 1], raw.matrix[:, 0])) % 90
    return np.minimum(turn, 90 - turn) > 10


def _clean(code: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Codes fit for a Python string and which of them to keep."""
    code = code.copy()
    code[np.isin(code, HYPHENS)] = ord("-")
    code[code == 0x09] = ord(" ")
    keep = np.ones(len(code), bool)
    high, low = (code >= 0xD800) & (code < 0xDC00), (code >= 0xDC00) & (code < 0xE000)
    if (high | low).any():
        pair = np.flatnonzero(high[:-1] & low[1:])
        code[pair] = 0x10000 + ((code[pair] - 0xD800) << 10) + (code[pair + 1] - 0xDC00)
        keep[pair + 1] = False
    code[((code >= 0xD800) & (code < 0xE000)) | (code > 0x10FFFF)] = 0xFFFD
    control = (code < 0x20) & (code != 0x0A) | (code >= 0x7F) & (code < 0xA0) | (code == 0xFEFF) | (code == 0xFFFF)
    return code, keep & ~control


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
    near = np.abs(box[here, :2] - box[there, :2]).max(axis=1) < 0.1 * size[order[1:]]
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
    fonts = []
    for run in first.tolist():
        style = raw.styles[raw.style[run]]
        fonts.append(
            Font(
                name=style.name,
                size=round(float(raw.size[run]), 2),
                weight=max(style.weight, 700) if bold[run] else style.weight,
                italic=style.italic or bool(italic[run]),
                mono=style.mono,
                math=style.math,
                invisible=bool(raw.mode[run] == INVISIBLE),
                angle=int(angle[run]) * 90,
            )
        )
    return tuple(fonts), inverse.astype(np.int32)
