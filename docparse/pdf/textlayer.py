"""The text layer: one pass over pdfium's characters, three calls each, everything after that in numpy.

What is the same for all characters of a text object (font, size, matrix, render mode) is asked once per object: the
object's matrix also gives the baseline, and the loose (advance) box gives the extent along it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from docparse.pdf.cambria import named_by_glyph
from docparse.pdf.codes import among
from docparse.pdf.fonts import Style, read_style
from docparse.pdf.measured import joined, monospaced, setting_variables, setting_words, size_by_ink, small_capitals
from docparse.pdf.native import Handles, ask, fill, native
from docparse.pdf.objects import colors_of

HYPHENS = "\x02\ufffe"  # pdfium's marker for a hyphen at a line end, newer and older releases
MAX_CHARACTERS = 300_000  # of a page: a newspaper has 60,000, and each costs about a kilobyte on its way
EXPERT = 0xF720  # in Adobe's glyph list
INVISIBLE = 3  # text render mode: neither fill nor stroke
UNTOLD = 0x100000  # further than their codes are those of glyphs whose fonts do not say what letters they are
LINE_GAP = 3.0  # points between the baselines of different lines
PHI = "φϕ"  # Unicode has both forms, and fonts call either phi
RTL = 0x590, 0x8FF  # Hebrew and Arabic letters, whose boxes overlap in any case
PIECES = "⎛⎜⎝⎞⎟⎠⎡⎢⎣⎤⎥⎦⎧⎨⎩⎪⎫⎬⎭┌⎷⏞⏟"  # of tall brackets, radicals and braces that lie
GROWING = "()[]{}|∣‖∥⌊⌋⌈⌉⟨⟩√∑∏∐∫∬∭∮⋀⋁⋂⋃⨀⨁⨂⨄⨆" + PIECES
SMALL_CAPITALS = "-SC"  # at the end of the name of a font that prints small letters so
FAKE_BOLD = 2  # text render mode: fill, then stroke
LEVEL = 1e-4  # of a letter's width: so little Word turns the objects that it inserts
CHARACTERS = ("code", "box", "run", "drawn", "generated", "unmapped", "ink")  # arrays of `RawText` with a row for each
OBJECTS = ("handle", "matrix", "size", "mode", "style", "color")


@dataclass(slots=True)
class RawText:
    """The text layer as pdfium has it, in user space. Arrays of characters have length n, arrays of text objects length
    m.

    `code` is uint32 [n], `box` float64 [n, 4] (left, bottom, right, top of the advance box), `run` int64 [n] (index of
    the text object), `drawn` bool [n] (has an advance box: not inserted by pdfium), `unmapped` bool [n].
    `handle` is uint64 [m] and `objects` the same to ask pdfium about, `matrix` float64 [m, 6], `size` float64 [m] (on
    the page), `mode` int32 [m] (-1 without an object), `style` int64 [m] into `styles`, `color` int32 [m, 4] (red,
    green, blue, alpha of the fill). `ink` is float64 [n, 4], the glyph's own box, asked only where the font says
    nothing about it (else nan). `left_out` counts the characters beyond `MAX_CHARACTERS`. `piece` is int32 [m], the
    piece of the structure tree that each text object belongs to, -1 for none; None where there is no tree.
    """

    code: np.ndarray
    box: np.ndarray
    run: np.ndarray
    drawn: np.ndarray
    generated: np.ndarray
    unmapped: np.ndarray
    handle: np.ndarray
    objects: Handles
    matrix: np.ndarray
    size: np.ndarray
    mode: np.ndarray
    style: np.ndarray
    styles: tuple[Style, ...]
    ink: np.ndarray
    color: np.ndarray
    left_out: int = 0
    piece: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.code)

    @property
    def inked(self) -> np.ndarray:
        """bool [n]: characters that leave a mark: drawn and not a space."""
        return self.drawn & (self.code > 0x20) & (self.code != 0xA0) & (self.code != 0x3000)

    @property
    def untold(self) -> np.ndarray:
        """bool [n]: glyphs whose fonts do not say what letters they are."""
        return self.code >= UNTOLD

    def of_objects(self, judge: Callable[[Style], bool]) -> np.ndarray:
        """Return bool [m]: what is said of the style of each text object."""
        return np.array([judge(style) for style in self.styles], bool)[self.style]

    def of_style(self, judge: Callable[[Style], bool]) -> np.ndarray:
        """Return bool [n]: what is said of the style of each character."""
        return self.of_objects(judge)[self.run]

    def size_along(self) -> np.ndarray:
        """Return float64 [m]: the size that letters have along their line, which is stretched or narrowed."""
        a, b, c, d = self.matrix[:, :4].T
        area = np.abs(a * d - b * c)
        return self.size * np.where(area > 0, np.hypot(a, b) ** 2 / np.where(area > 0, area, 1), 1)

    def without(self, left_out: np.ndarray) -> RawText:
        """Return the text less the characters that `left_out` (bool [n]) marks; the text objects stay as they are."""
        return self.taken(np.flatnonzero(~left_out))

    def taken(self, index: np.ndarray) -> RawText:
        """Return the characters at `index` (int64 [k]), in its order."""
        return replace(self, **{name: getattr(self, name)[index] for name in CHARACTERS})


def read_raw(text_page: int) -> RawText | None:
    """Read everything from a pdfium text page; None where it has no characters."""
    pdf = native()
    total = pdf.Text_CountChars(text_page)
    if total <= 0:
        return None
    count = min(total, MAX_CHARACTERS)
    every = range(count)
    code = _codes(text_page, count)
    owner = ask(pdf.Text_GetTextObject, np.uint64, text_page, every)
    boxes = np.zeros((count, 4), np.float32)
    fill(pdf.Text_GetLooseCharBox, boxes, text_page, every)
    box = boxes[:, [0, 3, 2, 1]].astype(np.float64)  # FS_RECTF is left, top, right, bottom
    drawn = (box[:, 0] != box[:, 2]) | (box[:, 1] != box[:, 3])
    generated = np.zeros(count, bool)
    points = np.flatnonzero(~drawn)
    generated[points] = ask(pdf.Text_IsGenerated, bool, text_page, points.tolist())
    run, first, handle = _runs(owner, drawn)
    matrices = np.zeros((len(first), 6), np.float32)
    fill(pdf.Text_GetMatrix, matrices, text_page, first.tolist())
    matrix = matrices.astype(np.float64)
    matrix[handle == 0] = (1, 0, 0, 1, 0, 0)
    _straighten(box, matrix[run], drawn & ~((code >= RTL[0]) & (code <= RTL[1])))
    size = ask(pdf.Text_GetFontSize, np.float64, text_page, first.tolist())
    matrix[size < 0, :4] *= -1  # a negative size turns the text half around
    size = np.abs(size) * _height(matrix)
    objects = Handles(handle.tolist())
    font = ask(pdf.TextObj_GetFont, np.uint64, objects)
    fonts, style = numbered(font)
    styles = tuple(read_style(value) for value in fonts)
    unmapped = _unmapped(text_page, code, font[run], drawn)
    numbers, code = code, named_by_glyph(code, style[run], styles)
    unmapped &= code == numbers
    nameless_or_large = np.array([not s.name or s.extension for s in styles])[style][run]
    ink = _ink(text_page, drawn & (nameless_or_large | grows(code) | unmapped | among(code, PHI + HYPHENS)))
    nameless = np.where(np.array([not s.name for s in styles])[style], style, -1)
    turned = np.abs(matrix[:, 1]) > np.abs(matrix[:, 0])
    size_by_ink(size, ink, code, run, nameless, turned)
    advance = np.where(turned[run], np.abs(box[:, 3] - box[:, 1]), box[:, 2] - box[:, 0])
    measured = monospaced(code, advance, run, style, size, styles)
    joining = set(style[run[joined(code, box, run)]].tolist())  # the ligature of Nimbus Mono is a cell wide
    measured |= {k: styles[k].mono and measured.get(k, False) for k in joining}
    wordy, variables = setting_words(code, style[run], styles), setting_variables(code, style[run], styles)
    styles = tuple(
        _settled(own, measured.get(k, own.mono), own.name in wordy, k in variables) for k, own in enumerate(styles)
    )
    mode = ask(pdf.TextObj_GetTextRenderMode, np.int32, objects)
    small = small_capitals(code, _tops(text_page, code, run, matrix, size, mode), run, style)
    for k in {int(k) for k in style[small] if styles[k].name}:
        style[small & (style == k)] = len(styles)
        styles += (styles[k]._replace(name=styles[k].name + SMALL_CAPITALS),)
    color = colors_of(pdf.PageObj_GetFillColor, objects)
    of_characters = code, box, run, drawn, generated, unmapped
    return RawText(*of_characters, handle, objects, matrix, size, mode, style, styles, ink, color, total - count)


def _settled(style: Style, mono: bool, wordy: bool, variables: bool) -> Style:
    """A style as the page tells: whether it is `mono` by its widths, and sets words, or `variables`."""
    math = (style.math and not wordy) or variables
    return style._replace(mono=mono and not variables, math=math, italic=style.italic or variables)


def _codes(text_page: int, count: int) -> np.ndarray:
    """uint32 [n]: from the page's text as a whole, unless that leaves characters out, as control characters are.

    Small capitals and old-style digits of expert fonts are what they print: Adobe's glyph list has them at U+F721 and
    on, in the order of Latin-1.
    """
    pdf = native()
    text = np.zeros(count + 1, np.uint16)
    if pdf.Text_GetText(text_page, 0, count, text.ctypes.data) == count + 1:
        code = np.where(text[:-1] == 0xFFFE, 0x02, text[:-1]).astype(np.uint32)  # the two marks of a hyphen
    else:
        code = ask(pdf.Text_GetUnicode, np.uint32, text_page, range(count))
    for index in np.flatnonzero((code > EXPERT) & (code <= EXPERT + 0xDF)).tolist():
        code[index] = ord(chr(code[index] & 0xFF).upper())
    return code


def _ink(text_page: int, wanted: np.ndarray) -> np.ndarray:
    """float64 [n, 4]: left, bottom, right, top of the wanted glyphs, nan elsewhere."""
    ink = np.full((len(wanted), 4), np.nan)
    index = np.flatnonzero(wanted).tolist()
    box = np.full((len(index), 4), np.nan)  # left, right, bottom, top
    fill(native().Text_GetCharBox, box, text_page, index)
    ink[index] = box[:, [0, 2, 1, 3]]
    return ink


def _tops(
    text_page: int, code: np.ndarray, run: np.ndarray, matrix: np.ndarray, size: np.ndarray, mode: np.ndarray
) -> np.ndarray:
    """float64 [n]: how far level small letters reach over their baselines, in font sizes, nan elsewhere."""
    level = (matrix[:, 0] > 0) & (matrix[:, 1] == 0) & (mode != INVISIBLE) & (size > 0)
    ink = _ink(text_page, (code >= ord("a")) & (code <= ord("z")) & level[run])
    return (ink[:, 3] - matrix[run, 5]) / np.maximum(size, 1e-9)[run]


def grows(code: np.ndarray) -> np.ndarray:
    """bool [n]: brackets, roots and operators, which math fonts have in several heights under one code."""
    return among(code, GROWING)


def _straighten(box: np.ndarray, matrix: np.ndarray, drawn: np.ndarray) -> None:
    """Take from the boxes (in place) of level text the width that a slant of its matrix (synthetic italics) adds: they
    go around a leaning parallelogram and overlap, so that no gap is left between words. `matrix` is float64 [n, 6]."""
    level = np.abs(matrix[:, 1]) <= LEVEL * np.abs(matrix[:, 0])
    leaning = drawn & level & (matrix[:, 2] != 0) & (matrix[:, 3] != 0)
    if leaning.any():
        own, (_, _, c, d, _, base) = box[leaning], matrix[leaning].T
        shift = c[:, None] / d[:, None] * (own[:, [1, 3]] - base[:, None])
        own[:, 0] -= shift.min(axis=1)
        own[:, 2] -= shift.max(axis=1)
        box[leaning] = own


def numbered(font: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Return the addresses of fonts in the order in which a page uses them, which is the same each time it is read, and
    the number of each of `font` (uint64 [n]) among them, int64 [n]."""
    fonts, first, place = np.unique(font, return_index=True, return_inverse=True)
    order = first.argsort()
    return fonts[order].tolist(), order.argsort()[place]


def _runs(owner: np.ndarray, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Text objects by their handle: index per character, one character that can speak for each, the handles.

    A character that pdfium inserted has an identity matrix, so a drawn one speaks where there is one. Characters
    without an object take the object before them (after them at the start of the page).
    """
    known = np.where(owner != 0, np.arange(len(owner)), -1)
    last = np.maximum.accumulate(known)
    start = int(np.argmax(owner != 0))  # 0 where no character has an object
    owner = owner[np.where(last < 0, start, last)]
    handle, first, run = np.unique(owner, return_index=True, return_inverse=True)
    speaker = np.full(len(handle), len(owner), np.int64)
    np.minimum.at(speaker, run[drawn], np.flatnonzero(drawn))
    return run, np.where(speaker < len(owner), speaker, first), handle


def _height(matrix: np.ndarray) -> np.ndarray:
    """Return how much a text matrix stretches across the baseline; a slant (synthetic italics) does not count."""
    a, b, c, d = matrix[:, 0], matrix[:, 1], matrix[:, 2], matrix[:, 3]
    along = np.hypot(a, b)
    return np.where(along > 0, np.abs(a * d - b * c) / np.where(along > 0, along, 1), np.hypot(c, d))


def _unmapped(text_page: int, code: np.ndarray, font: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return whether the font maps the character to Unicode, asked once per font and code."""
    _, font = np.unique(font, return_inverse=True)
    key = font.astype(np.int64) << 21 | np.minimum(code, 0x1FFFFF).astype(np.int64)
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    errors = ask(native().Text_HasUnicodeMapError, np.int32, text_page, first.tolist()) == 1
    return errors[inverse] & drawn


def quadrants(raw: RawText) -> np.ndarray:
    """int64 [m]: clockwise quarter turns of each text object in user space (0..3), by its baseline.

    Mirrored text goes by its up direction: flipped letters on an upright line stay upright. Nameless (Type 3) fonts
    turn their letters over once more, as those of dvips do.
    """
    a, b, c, d = raw.matrix[:, :4].T
    mirrored = (a * d - b * c < 0) & raw.of_objects(lambda style: bool(style.name))
    degrees = np.degrees(np.where(mirrored, np.arctan2(-c, d), np.arctan2(b, a)))
    return np.round(-degrees / 90).astype(np.int64) % 4


def slanted(raw: RawText) -> np.ndarray:
    """Return bool [m]: baselines more than 10 degrees off the axes: boxes there go around turned advance boxes."""
    turn = np.degrees(np.arctan2(raw.matrix[:, 1], raw.matrix[:, 0])) % 90
    return np.minimum(turn, 90 - turn) > 10


def dominant_quadrant(raw: RawText) -> tuple[int, int, float]:
    """Return the turn of most marks on the page (0..3), on how many lines these stand, and their share of all."""
    run = raw.run[raw.inked]
    turns = quadrants(raw)
    counts = np.bincount(turns[run], minlength=4)
    turn = int(counts.argmax())
    own = np.unique(run[turns[run] == turn])
    across = raw.matrix[own, 5 if turn % 2 == 0 else 4]
    lines = 1 + int((np.diff(np.sort(across)) > LINE_GAP).sum())
    return turn, lines, float(counts[turn] / counts.sum())
