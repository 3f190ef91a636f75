"""Which words of a page image are bold: the weight of their strokes against that of the page's other words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import msgspec
import numpy as np

from docparse.hyphenation import is_cjk, is_korean
from docparse.layout.ocr.tokens import Token
from docparse.layout.text.words import Word

# Measured against the weight that 60 born-digital pages state in their text layers, drawn at 144 dpi: of words called
# bold 0.93 are, and 0.79 of the bold words are found (missed: type that is bold nearly throughout, and pages of two
# faces of unlike weight). Regular words lie around 1 times the page's weight with a deviation of 0.06 (99th percentile
# 1.15), bold ones at 1.3 to 1.9.
BOLD = 1.27
SPREAD = 3.0  # a bold word is further from the page's weight than this many typical deviations: noisy scans abstain
LINE, TOGETHER, EACH = 8, 0.8, 0.4  # letters of a line, and shares of the way from regular to bold that make it bold
NEIGHBOUR = 1.1  # enough for figures and short words whose neighbours are bold
CAPITALS = 1.07  # times as heavy are words in capitals, whose stems are thicker, as others of their type
LEADING, INDENT = 2.0, 3.0  # em from one line of a sentence to the next, at most, and of the indent of the first one
MEASURE = 10.0  # em of a line that another one follows, at least
STOPS = frozenset(".!?:;。！？：；…")  # that end a sentence
MIN_WORDS = 30  # words that tell the usual weight of one size
MIN_LETTERS, MIN_LINES = 100, 6  # that tell the usual weight of a page: a line of Chinese is one word
ALIKE = 1.15  # ratio of sizes within which strokes compare directly


def stroke_weights(darkness: np.ndarray, ink: np.ndarray, tokens: Sequence[Token], stretch: float) -> np.ndarray:
    """float [n]: mean stroke width of each word in pixels, times the contrast; 0 where there is no ink.

    `darkness` is that of a line drawn `stretch` times as wide as it is, `ink` bool [48, width]. The darkness of all
    ink, which blur spreads but does not change, over the length of the strokes: half their outline.
    """
    sides = np.count_nonzero(ink[:, 1:] & ~ink[:, :-1], axis=0)  # left ends of horizontal runs
    tops = np.count_nonzero(ink[1:] & ~ink[:-1], axis=0)
    length = tops / stretch
    length[1:] += sides
    area = np.concatenate([[0.0], np.cumsum(darkness.sum(axis=0))]) / stretch
    length = np.concatenate([[0.0], np.cumsum(length)])
    left = np.array([max(0, int(token.left) - 2) for token in tokens], int)
    right = np.array([min(ink.shape[1], int(token.right) + 3) for token in tokens], int)
    return (area[right] - area[left]) / np.maximum(length[right] - length[left], 1.0)


def darkness_of(line: np.ndarray, ink: np.ndarray) -> np.ndarray:
    """uint8 [48, width]: how far ink and its rim are from the paper, in the colour channel that tells most; `line` is
    uint8 RGB [48, width, 3], `ink` bool."""
    blank = ~ink[::4, ::4]
    paper = np.median(line[::4, ::4][blank], axis=0) if blank.any() else np.full(3, 255.0)
    near = cv2.dilate(ink.astype(np.uint8), np.ones((3, 5), np.uint8))
    red, green, blue = cv2.split(cv2.absdiff(line, np.full_like(line, paper.astype(np.uint8))))
    return cv2.max(cv2.max(red, green), blue) * near


def embolden(words: list[Word], weights: Sequence[float]) -> list[Word]:
    """Return the words with `bold` set where their strokes are clearly heavier than is usual on this page.

    `weights` are stroke weights over type size, 0 where unknown; words stand in reading order. Chinese, Japanese and
    Korean are judged among themselves. Larger type is no bolder for being large, and where many words of nearly the
    same size are as heavy, they are the usual thing.
    """
    weight = np.asarray(weights, float)
    letters = np.array([_letters(word.text) for word in words], int)
    east = np.array([_is_in_eastern(word.text) for word in words], bool)
    ratio, limit = np.ones(len(words)), np.full(len(words), np.inf)
    for script in (east, ~east):
        judged = script & (weight > 0) & np.array([_tells(word.text) for word in words], bool)
        if letters[judged].sum() >= MIN_LETTERS and judged.sum() >= MIN_LINES:
            relative = _relative(weight, np.array([word.size for word in words]), judged)
            spread = 1.48 * float(np.median(np.abs(relative[judged] - 1)))
            ratio[script] = relative[script]
            limit[script] = max(BOLD, 1 + SPREAD * spread)
    ratio /= np.array([CAPITALS if word.text.isupper() else 1.0 for word in words])
    ratio = _evened(words, ratio, limit)
    bold = _with_neighbours(words, ratio, limit).tolist()
    return [msgspec.structs.replace(word, bold=True) if bold[i] else word for i, word in enumerate(words)]


def _tells(text: str) -> bool:
    return _letters("".join(filter(str.isalnum, text))) > 2


def _is_eastern(char: str) -> bool:
    return is_cjk(char) or is_korean(char)


def _is_in_eastern(text: str) -> bool:
    """Return whether most of a word are Chinese characters, each as wide as two letters."""
    eastern = sum(map(_is_eastern, text))
    return 2 * eastern > sum(char.isalpha() and not _is_eastern(char) for char in text)


def _relative(weight: np.ndarray, size: np.ndarray, judged: np.ndarray) -> np.ndarray:
    """Weights over the usual weight of the page, or of words of about the same size where that is heavier."""
    usual = np.full(len(weight), np.median(weight[judged]))
    sizes, weights = size[judged], weight[judged]
    for s in np.unique(size.round(1)):
        alike = weights[(sizes > s / ALIKE) & (sizes < s * ALIKE)]
        if len(alike) >= MIN_WORDS:
            here = size.round(1) == s
            usual[here] = np.maximum(usual[here], np.median(alike))
    return weight / usual


def _evened(words: Sequence[Word], ratio: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Return the ratios without what is chance: lines of one weight each that run on into each other in the middle of a
    sentence have their mean, and words are compared with the light ones of their line, whose size may be measured too
    small; those of a line that is heavy throughout are not."""
    ratio, letters = ratio.copy(), np.array([_letters(word.text) for word in words], float)
    tells = np.array([_tells(word.text) for word in words], bool) & np.isfinite(limit)
    lines = [line for line in _lines(words) if tells[line].any()]
    heavy = np.array([_share(ratio[line] > limit[line], letters[line] * tells[line]) for line in lines])
    mean = np.array([_share(ratio[line], letters[line] * tells[line]) for line in lines])
    for run in _runs([words[line] for line in lines], (heavy == 0) | (heavy == 1)):
        evened = np.average(mean[run], weights=[letters[lines[i]].sum() for i in run])
        for i in run:
            ratio[lines[i]] *= evened / mean[i]
    for line in lines:
        telling = np.arange(line.start, line.stop)[tells[line]]
        light = telling[ratio[telling] <= limit[telling]]
        if len(light) and not _is_heavy(letters[telling], ratio[telling], limit[telling]):
            ratio[line] /= max(1.0, _share(ratio[light], letters[light]))
    return ratio


def _share(values: np.ndarray, weights: np.ndarray) -> float:
    return float(np.average(values, weights=weights))


def _lines(words: Sequence[Word]) -> list[slice]:
    """Words that follow each other on a line."""
    starts = [0, *(i + 1 for i, pair in enumerate(pairwise(words)) if not _in_line(*pair)), len(words)]
    return [slice(*ends) for ends in pairwise(starts if words else [])]


def _runs(lines: Sequence[Sequence[Word]], even: np.ndarray) -> list[list[int]]:
    """Return the `even` lines by the sentences that they run through, those of two and more."""
    run = list(range(len(lines)))
    order = sorted(np.flatnonzero(even).tolist(), key=lambda i: lines[i][0].baseline)
    for at, k in enumerate(order):
        under = (i for i in order[at + 1 :] if _runs_on(lines[k], lines[i]))
        if (i := next(under, None)) is not None:
            run[i] = run[k]
    found = ([i for i in order if run[i] == first] for first in order)
    return [same for same in found if len(same) > 1]


def _runs_on(upper: Sequence[Word], lower: Sequence[Word]) -> bool:
    """Return whether a line goes on in the next one, flush with it on both sides, in the middle of a sentence."""
    first, last, size = upper[0], upper[-1], lower[0].size
    near = 0 < lower[0].baseline - first.baseline < LEADING * size and first.angle == lower[0].angle
    wide = last.box.x1 - first.box.x0 > MEASURE * size and last.box.x1 > lower[-1].box.x1 - size
    begins = lower[0].text[0]
    goes_on = last.text[-1] not in STOPS and (begins.islower() or _is_eastern(begins))
    return near and wide and goes_on and -0.5 * size < first.box.x0 - lower[0].box.x0 < INDENT * size


def _with_neighbours(words: list[Word], ratio: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """bool [n]: words beyond their limit, and what stands beside such a word on the line: figures beyond it too, as far
    as they follow each other, and whatever is heavy and stands beside no light word. Figures and names in a bold line
    are like the line where too few words of their script are there to tell."""
    tells = np.array([_tells(word.text) for word in words], bool)
    bold = (ratio > limit) & tells
    joined = np.array([_in_line(a, b) for a, b in pairwise(words)], bool)

    def beside(those: np.ndarray) -> np.ndarray:
        near = np.zeros(len(words), bool)
        near[1:] = joined & those[:-1]
        near[:-1] |= joined & those[1:]
        return near

    bold |= beside(bold) & ~beside(tells & ~bold) & (ratio > NEIGHBOUR)
    for i, k in (*pairwise(range(len(words))), *pairwise(reversed(range(len(words))))):
        bold[k] |= bold[i] and joined[min(i, k)] and ratio[k] > limit[k] and not tells[k]
    for line in _lines(words):
        telling = np.arange(line.start, line.stop)[tells[line]]
        if _is_heavy([_letters(words[i].text) for i in telling], ratio[telling], limit[telling]):
            bold[line] |= tells[line] | (ratio[line] > NEIGHBOUR)
        known = telling[np.isfinite(limit[telling])]
        if len(known):
            bold[line] |= ~np.isfinite(limit[line]) & bold[known].all()
    return bold


def _letters(text: str) -> int:
    """Return how many letters of ours have as many strokes."""
    return len(text) + sum(map(_is_eastern, text))


def _is_heavy(lengths: Sequence[float], ratio: np.ndarray, limit: np.ndarray) -> bool:
    """Return whether the words of a line are heavy all of them, and together nearly as heavy as a bold one has to
    be."""
    if sum(lengths) < LINE or not np.isfinite(limit).all():
        return False
    beyond = (ratio - 1) / (limit - 1)
    return bool(np.average(beyond, weights=lengths) > TOGETHER and beyond.min() > EACH)


def _in_line(first: Word, second: Word) -> bool:
    """The second word follows the first one closely on its baseline."""
    level = first.angle == second.angle and abs(first.baseline - second.baseline) < 0.3 * second.size
    return level and second.box.x1 > first.box.x1 and second.box.x0 - first.box.x1 < 2 * second.size
