"""Which script is it, and can the OCR that ships read it? A page that it cannot read must say so.

The recogniser knows Latin, Chinese and Japanese. In other scripts it does not fail, it drops letters: a line of Russian
is read as spaces and full stops, with a confidence of 0.9. So a line is doubtful if it was read with little confidence,
if it gave hardly any characters for its length, or if what it gave are letters of a script that is known in parts only:
Greek without accents, Vietnamese without two vowels in three. Doubtful lines are read again (see `alphabets`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import mean

from docparse.layout.ocr.result import OcrLine

# Measured on rendered pages of 15 scripts and 35 scans. By length, doubtful lines are 1.0 of every foreign script, 0 to
# 0.02 of printed scans, 0.2 and 0.34 of two pages of handwriting.
SURE = 0.8  # confidence of a line
DENSE = 0.6  # characters for a line height of length; Latin has 2.4, Chinese and Japanese 1.2
DOUBTFUL = 0.3  # share of the lines from which a page counts as not read
LENGTH = 6.0  # line heights of doubtful lines that say anything about a page
LETTERS, DISTINCT = 20, 8  # of a text that can be judged
SCRIPT_SHARE = 0.6  # of the letters are of one script
SCRAMBLED = 0.05  # share of capitals that follow a small letter: no script is written so

READS = "the shipped OCR reads print in Latin, Cyrillic, Greek, Hebrew, Arabic, Chinese, Japanese and Korean"
READ_AGAIN = frozenset(("CYRILLIC", "GREEK", "HEBREW", "ARABIC", "HANGUL"))  # by `alphabets`, and Vietnamese
NAMES = (
    "ARABIC ARMENIAN BENGALI CYRILLIC DEVANAGARI ETHIOPIC GEORGIAN GREEK GUJARATI GURMUKHI HANGUL HEBREW KANNADA KHMER "
    "LAO MALAYALAM MONGOLIAN MYANMAR ORIYA SINHALA SYRIAC TAMIL TELUGU THAANA THAI TIBETAN"
)
VIETNAMESE = frozenset("ơưƠƯ")  # letters that no other language has; those with tone marks are dropped
FOREIGN = frozenset(NAMES.split())  # as the names of their letters in Unicode begin


@lru_cache(maxsize=4096)
def script_of(character: str) -> str:
    """Return the script of a letter or a vowel sign in capitals, as Unicode names it; empty for anything else."""
    if unicodedata.category(character)[0] not in "LM":
        return ""
    return unicodedata.name(character, "").split(" ")[0].split("-")[0]


def foreign_script(text: str) -> str:
    """Return the script that `text` is plausibly written in if OCR cannot read it, such as `Cyrillic`; else nothing."""
    scripts = Counter(map(script_of, text))
    letters = sum(scripts.values()) - scripts[""]
    name, count = _foremost(scripts)
    if letters < LETTERS or count < SCRIPT_SHARE * letters:
        return ""
    own = {character for character in text if script_of(character) == name}
    capitals = sum(a.islower() and b.isupper() for a, b in pairwise(text))
    lengths = [len(word) for word in text.split() if script_of(word[0]) == name]
    plausible = len(own) >= DISTINCT and capitals <= SCRAMBLED * count and mean(lengths or [0]) >= 2
    return name.capitalize() if plausible else ""


def is_doubtful(line: OcrLine) -> bool:
    """Return whether what was read on a line is probably not what stands there."""
    characters = [character for character in line.text if not character.isspace()]
    if line.has_own_alphabet:
        return line.confidence < SURE
    unsure = line.confidence < SURE or len(characters) < DENSE * line.length
    if unsure or not VIETNAMESE.isdisjoint(characters):
        return True
    letters = [script_of(character) for character in characters if character.isalpha()]
    return len(letters) > 3 and sum(script in FOREIGN for script in letters) > 0.5 * len(letters)


def doubtful_share(lines: Sequence[OcrLine]) -> float:
    """Return the share of doubtful lines by length, 0..1."""
    total = sum(line.length for line in lines)
    return sum(line.length for line in lines if is_doubtful(line)) / total if total else 0.0


def is_unread(lines: Sequence[OcrLine]) -> bool:
    """Return whether these are the lines of a page that OCR did not read."""
    long_enough = sum(line.length for line in lines if is_doubtful(line)) >= LENGTH
    return long_enough and doubtful_share(lines) >= DOUBTFUL


def unreadable(lines: Sequence[OcrLine], layer: str = "") -> str:
    """Return one line about a page that OCR did not read, empty where it did.

    `layer` is the text of the PDF's own layer, trusted or not: it tells the script, and is another way to the words.
    """
    if not is_unread(lines):
        return ""
    doubtful = [line for line in lines if is_doubtful(line)]
    script = foreign_script(layer) or _script_of_lines(doubtful)
    known = script == "Vietnamese" or script.upper() in READ_AGAIN
    what = f"poor print in {script}" if known else script or "an unknown script, or no print,"
    verb = "line is" if len(lines) == 1 else "lines are"
    help_ = "a vision-language model (--model)"
    if layer.strip():
        help_ += " or the PDF's own text layer (--text-layer only)"
    return f"{what} is not readable by OCR: {len(doubtful)} of {len(lines)} {verb} doubtful ({READS}); {help_} may help"


def _script_of_lines(lines: Sequence[OcrLine]) -> str:
    """The foreign script of most letters that were read at all."""
    if sum(not VIETNAMESE.isdisjoint(line.text) for line in lines) > 0.5 * len(lines):
        return "Vietnamese"
    scripts = Counter(script_of(character) for line in lines for character in line.text)
    name, count = _foremost(scripts)
    return name.capitalize() if count > 0.5 * (sum(scripts.values()) - scripts[""]) else ""


def _foremost(scripts: Counter[str]) -> tuple[str, int]:
    """The foreign script of most letters, and how many it has."""
    return max(((n, c) for n, c in scripts.items() if n in FOREIGN), key=lambda item: item[1], default=("", 0))
