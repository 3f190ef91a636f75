"""From a line's characters to words: where to cut, how large the type is, where the baseline runs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from docparse.hyphenation import CJK, is_cjk, is_korean
from docparse.layout.ocr.recogniser import HEIGHT, Reading
from docparse.layout.ocr.spaces import respaced, white_between
from docparse.layout.text.wording import is_rtl
from docparse.pdf.directions import read

# Ink extents in em above and below the baseline: Times, Helvetica and Computer Modern on average, and the medians of 46
# fonts with Hebrew, 55 with Arabic and 47 with Korean letters.
ASCENT, X_HEIGHT, DESCENT = 0.69, 0.47, 0.21
CROWNED, ABOVE = 0.86, 230  # É, Ü and the like; Unicode's class of marks that stand over their letter
FEET = 0.16  # of д, ц and щ: the median of ten upright faces
CJK_ASCENT, CJK_DESCENT = 0.84, 0.08
KOREAN_ASCENT, KOREAN_DESCENT = 0.8, 0.1
HEBREW, LAMED = 0.58, 0.76  # but for Lamed no letter rises
ARABIC, ALEF, TAIL = 0.45, 0.73, 0.36
MAX_SLOPE = 0.025  # the line image is already level to about a degree; more is a decoration taken for ink
FEW, COMMON = 6, 0.3  # characters of a Chinese line that may hold strays, and share of them that reaches as high
SPACE = 0.15  # of a line's height between a number and a word: the recogniser often leaves such a space out
FOREIGN = 0.5  # of a line's height: a gap before its first character and after its last that a detection reaches over
NUMBERED = re.compile(r"(\[\d+\]|[(]?\d+(?:\.\d+)*[).]?)(?:[(（]?[^\W\d_]{2}|[A-Z]\.)")  # "1History", "[1]G. M."
_OTHER = CJK.pattern.replace("[", r"[^\s", 1)
SYMBOLS = re.compile(rf"{_OTHER}*[\u0370-\u03ff=<>≤≥≠≡∈∉⊂⊆∩∪→⇒∀∃∅∇∂√∑∏∫∞×±]{_OTHER}*")  # a formula in Chinese text
LOW = "acegmnopqrsuvwxyzавгдежзиклмнопрстухцчшщъыьэюяєαγεηικμνοπρςστυχω"
DEEP = "gjpqyQ,;()[]{}|ßруфјўβγζημξρφχψןףץקبپتثرزژنوؤيیىڑں"
RISES = (
    dict.fromkeys(LOW, X_HEIGHT) | dict.fromkeys("אבגדהוזחטיךכםמןנסעףפץצקרשת", HEBREW) | {"ל": LAMED}
    | dict.fromkeys("بپتثجچحخدذرزژسشصضعغفقمنهةوؤيیىئںھہے", ARABIC) | dict.fromkeys("اأإآلكکگطظٹڈڑ", ALEF)
)  # fmt: skip
HANGS = dict.fromkeys(DEEP, DESCENT) | dict.fromkeys("дцщ", FEET) | dict.fromkeys("جچحخعغم", TAIL)
ZEROS = ("٠", "۰")  # of Arabic figures
TOUCHING = 0.1  # the weight of ink at the very edge of a line's picture: of the line above or below, or cut off
FLOATING = frozenset("-–—_.,:;'’‘\"“”`´^~*°·•=+<>…#@/\\|()[]{}$&%§†‡")  # tell nothing reliable about the type's size


@dataclass(frozen=True, slots=True)
class Token:
    """A word inside a line image: its text, confidence and ink extents in pixels of the line image, and the middles of
    its characters there; `raised` says that it is a raised figure."""

    text: str
    confidence: float
    left: float
    right: float
    glued: bool = False  # no space stands before it
    centers: Sequence[float] = ()
    raised: bool = False


@dataclass(frozen=True, slots=True)
class LineType:
    """Size of the type and its baseline `y = baseline + slope * x`, in pixels of the line image."""

    size: float
    baseline: float
    slope: float


def cut(reading: Reading, ink: np.ndarray, advance: float = 0.0) -> list[Token]:
    """Return the words of a line with the extents of their ink; `advance` is the width of every character in pixels
    where the line is monospaced, else 0."""
    columns = np.asarray(ink.any(axis=0))
    reading = respaced(reading, columns, advance)
    seams = _seams(reading.text)
    if not (spans := _spans(reading.text, seams)):
        return []
    spans = _parted(spans, reading, columns)
    middles = ((reading.centers[end - 1], reading.centers[start]) for (_, end), (start, _) in pairwise(spans))
    gaps = [white_between(columns, *pair) for pair in middles]
    first, last = _own_ink(columns, reading.centers)
    left, right = [first, *(end for _, end in gaps)], [*(start for start, _ in gaps), last]
    return [
        Token(
            reading.text[a:b],
            float(reading.confidences[a:b].mean()),
            x0,
            max(x0 + 1.0, x1),
            a in seams,
            tuple(reading.centers[a:b].tolist()),
        )
        for (a, b), x0, x1 in zip(spans, left, right, strict=True)
    ]


def as_read(words: Sequence[str]) -> list[tuple[int, str]]:
    """Return the places of a line's words, which are given from left to right as they are seen, in the order in which
    they are read, each with its spelling."""
    if not is_rtl("".join(words)):
        return list(enumerate(words))
    words = [_as_point(word, ends=k == len(words) - 1) for k, word in enumerate(words)]
    place = [k for k, word in enumerate(words) for _ in f"{word} "]
    return [(place[word[0][0]], "".join(char for _, char in word)) for word in read(" ".join(words), rtl=True)]


def _as_point(word: str, *, ends: bool) -> str:
    """The zero of Arabic figures alone is a bullet, at the right end of its line, or a point between words."""
    return ("•" if ends else "·") if word in ZEROS else word


def _own_ink(columns: np.ndarray, centers: np.ndarray) -> tuple[float, float]:
    """Return where the ink of the characters begins and ends: what stands past a wide gap is the next column's."""
    inked = np.flatnonzero(columns)
    if not len(inked):
        return 0.0, float(len(columns))
    jumps = np.flatnonzero(np.diff(inked) > FOREIGN * HEIGHT)
    starts, ends = inked[jumps + 1], inked[jumps] + 1
    starts, ends = starts[starts <= centers[0]], ends[ends >= centers[-1]]
    first = starts[-1] if len(starts) else inked[0]
    return float(first), float(ends[0] if len(ends) else inked[-1] + 1)


def _seams(text: str) -> set[int]:
    ends = {k for match in SYMBOLS.finditer(text) for k in match.span()}
    return {k for k in ends if 0 < k < len(text) and not text[k - 1].isspace() and not text[k].isspace()}


def _spans(text: str, seams: set[int]) -> list[tuple[int, int]]:
    found = [match.span() for match in re.finditer(r"\S+", text)]
    return [part for start, end in found for part in pairwise([start, *sorted(seams & {*range(start + 1, end)}), end])]


def _parted(spans: list[tuple[int, int]], reading: Reading, columns: np.ndarray) -> list[tuple[int, int]]:
    """The same, with the number that a line begins with apart from the word behind it, where white tells so."""
    found = NUMBERED.match(reading.text, spans[0][0], spans[0][1])
    if found is None:
        return spans
    start, end = found.span(1)
    gap = white_between(columns, reading.centers[end - 1], reading.centers[end])
    if gap[1] - gap[0] < SPACE * HEIGHT:
        return spans
    return [(start, end), (end, spans[0][1]), *spans[1:]]


def measure(tokens: list[Token], ink: np.ndarray) -> LineType:
    """Fit size, baseline and slope to the ink of all words, knowing which letters rise and which hang.

    A word of "acemn" rises by the x-height only, "Test" by the ascent, "gap" hangs by the descent: each word gives
    `top = baseline + slope * x - rise * size` and `bottom = baseline + slope * x + hang * size`. Least squares with
    three rounds of Cauchy weights, so that a raised figure or a speck does not count.
    """
    rows = []  # x, rise or -hang, y, weight
    for token in tokens:
        inked = _inked_rows(ink[:, int(token.left) : int(np.ceil(token.right))], token.text)
        extents = _extents(token.text)
        if extents is None or not len(inked):
            continue
        rise, hang, trust = extents
        x = (token.left + token.right) / 2
        weight = trust * min(len(token.text), 4)
        top, bottom = (weight * (1 if 0 < at < len(ink) - 1 else TOUCHING) for at in inked[[0, -1]])
        rows += [(x, rise, inked[0], top), (x, -hang, inked[-1] + 1, bottom)]
    if not rows:
        return _guess(ink)
    x, rise, y, weight = np.array(rows, dtype=float).T
    fitted = _fit(x, rise, y, weight, tilted=len(rows) > 4 and np.ptp(x) > 3 * HEIGHT)
    if abs(fitted.slope) > MAX_SLOPE:
        fitted = _fit(x, rise, y, weight, tilted=False)
    plausible = 0.35 * HEIGHT < fitted.size < 1.9 * HEIGHT  # "soar" fills its box, a third of an em is cut off
    return fitted if plausible else _guess(ink)


def _inked_rows(ink: np.ndarray, text: str) -> np.ndarray:
    """The rows of pixels where a word has ink. A line of Chinese is one word: what reaches in from the lines above and
    below, in a few of its characters, is not its own."""
    if len(text) < FEW or 2 * sum(map(is_cjk, text)) < len(text):
        return np.flatnonzero(ink.any(axis=1))
    edges = np.linspace(0, ink.shape[1], len(text) + 1).astype(int)[:-1]
    marked = np.maximum.reduceat(ink, edges, axis=1).sum(axis=1)
    inked = np.flatnonzero(marked >= COMMON * len(text))
    return max(np.split(inked, np.flatnonzero(np.diff(inked) > 1) + 1), key=len)  # the lines beside it are cut off


def _extents(text: str) -> tuple[float, float, float] | None:
    """Return how far a word's ink rises above and hangs below the baseline in em, and how far to trust it, 0..1."""
    letters = [c for c in text if c not in FLOATING]
    if not letters:
        return None
    if any(map(is_cjk, letters)):
        return (CJK_ASCENT, CJK_DESCENT, 1.0) if len(letters) > 1 else None
    if any(map(is_korean, letters)):
        return KOREAN_ASCENT, KOREAN_DESCENT, 1.0
    rise = max(map(_rise, letters))
    return rise, max(HANGS.get(c, 0.0) for c in text), 1.0 if rise >= ASCENT else 0.3


def _rise(letter: str) -> float:
    """Return how far a letter rises, em; what stands over a capital, as over É, rises above small letters and
    capitals."""
    marks = map(unicodedata.combining, unicodedata.normalize("NFD", letter))
    return CROWNED if letter.isupper() and ABOVE in marks else RISES.get(letter, ASCENT)


def _fit(x: np.ndarray, rise: np.ndarray, y: np.ndarray, weight: np.ndarray, *, tilted: bool) -> LineType:
    columns = [-rise, np.ones_like(x)] + ([x] if tilted else [])
    matrix = np.stack(columns, axis=1)
    robust = np.ones_like(y)
    for _ in range(3):
        root = np.sqrt(weight * robust)
        solution = np.linalg.lstsq(matrix * root[:, None], y * root, rcond=None)[0]
        robust = 1 / (1 + ((y - matrix @ solution) / 1.5) ** 2)
    return LineType(float(solution[0]), float(solution[1]), float(solution[2]) if tilted else 0.0)


def _guess(ink: np.ndarray) -> LineType:
    """From the ink's height alone: nothing is known of the letters."""
    inked = np.flatnonzero(ink.any(axis=1))
    if not len(inked):
        return LineType(0.62 * HEIGHT, 0.7 * HEIGHT, 0.0)
    top, bottom = float(inked[0]), float(inked[-1] + 1)
    size = min(max((bottom - top) / (ASCENT + DESCENT / 2), 0.35 * HEIGHT), HEIGHT)
    return LineType(size, bottom, 0.0)
