"""A second opinion on an OCR layer that somebody else put under a scan: a few of its lines are read again."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from statistics import mean

from docparse.layout.ocr.result import OcrResult
from docparse.layout.ocr.scripts import doubtful_share, foreign_script
from docparse.layout.text.line_finding import NOISY_SPACING, lines_of
from docparse.layout.text.words import Word
from docparse.types import Box

SAMPLE = 8  # lines
SHORTEST, LONGEST = 12, 90  # characters of such a line
DRAFT_SAMPLE = 3  # lines
MOSTLY = 0.5  # share of the lines that OCR cannot read, in length, where it is no judge
LEGIBLE = 0.95  # confidence from which our own reading of a line is a yardstick
FAITHFUL = 0.985  # mean agreement on such lines: in doubt the pixels are believed, as they are what a person sees
GOOD_DRAFT = 0.8  # of a layer that a model corrects: an error costs it one pass, reading the page anew seconds
TORN = 0.12  # of the words of the sample: OCR itself misses a space in fifty
WORDS = re.compile(r"[^\W\d_\u2e80-\uffff]+")
MEANT = 0.5  # agreement with the codes of a file's own fonts: they are the letters, or have nothing to do with them


def is_faithful(
    layer: Sequence[Word], read: Callable[[Sequence[Box]], OcrResult], *, draft: bool = False, broken: bool = False
) -> bool:
    """Return whether the layer says what the pixels say, or, where it is a `draft` for a model, most of it. `read` runs
    OCR on the lines in the boxes it is given. `broken` is a layer that no OCR wrote, of fonts that name no letters: it
    is believed if OCR finds its letters, sure or not.

    True also where OCR itself is unsure or cannot read the script, as then nothing better is at hand; a layer without a
    line to test is believed only if its script is one that OCR cannot read.
    """
    foreign = bool(foreign_script(" ".join(word.text for word in layer)))
    lines = lines_of([word for word in layer if word.angle == 0], NOISY_SPACING)
    lines = [
        line for line in lines if SHORTEST <= line.characters <= LONGEST and line.box.width > 4 * line.box.height > 0
    ]
    if not lines:
        return foreign
    count = DRAFT_SAMPLE if draft else SAMPLE
    chosen = [lines[i * len(lines) // count] for i in range(count)] if len(lines) > count else lines
    result = read([line.box for line in chosen])
    pairs = [(line, [w for w in result.words if line.box.holds(*w.box.center)]) for line in chosen]
    if broken and not foreign:
        return mean(_agreement(line.text, " ".join(word.text for word in found)) for line, found in pairs) >= MEANT
    if doubtful_share(result.lines) >= MOSTLY:
        return True
    sure = [(line, found) for line, found in pairs if found and mean(w.confidence for w in found) > LEGIBLE]
    if len(sure) < len(chosen) / 2:
        return True
    texts = [(line.text, " ".join(word.text for word in found)) for line, found in sure]
    agreement = mean(_agreement(*pair) for pair in texts)
    if draft:
        return agreement >= GOOD_DRAFT
    return agreement >= FAITHFUL and _is_spaced(*zip(*texts, strict=True))


def _agreement(one: str, other: str) -> float:
    """Similarity of what is printed, 0..1, spaces aside: a layer without its capitals and commas is a poor one."""
    first, second = ("".join(text.split()) for text in (one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def _is_spaced(layer: Sequence[str], read: Sequence[str]) -> bool:
    """Return whether the layer has about as many words, Chinese aside, as are read: old programs tear or join them."""
    theirs, ours = (sum(len(WORDS.findall(text)) for text in texts) for texts in (layer, read))
    return abs(theirs - ours) <= max(1, TORN * ours)
