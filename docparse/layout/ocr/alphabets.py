"""Lines in Cyrillic, Greek, Hebrew, Arabic, Korean and Vietnamese, whose letters the recogniser does not know.

Its convolutions see their strokes all the same: a small network of docparse's own (`data/alphabets.onnx`, made by
`training/alphabets.py` from drawn lines) reads what they see. It is asked only where the recogniser failed, and only a
line that it is sure of, in letters of its own, counts.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np

from docparse.layout.ocr.onnx import open_session, shipped_model
from docparse.layout.ocr.recogniser import LineReader, Reading, decoded
from docparse.layout.ocr.scripts import READ_AGAIN, SURE, VIETNAMESE, script_of

OWN = 0.5  # of the letters of a line, at least, that the recogniser does not know
ECHO = 0.02  # probability of a letter between two spikes of it that are one: of 0.01 to 0.1 the fewest errors
MARKED = 0.04  # the same in Vietnamese, where most are plain Latin or have marks that French has as well
# Letters that are printed alike, by script; a space where a script has none.
ALIKE = {
    "LATIN": "ABCEHIJKMNOPSTXYZaceijopsxy   ",
    "CYRILLIC": "АВСЕНІЈКМ ОРЅТХУ асеіјорѕхуГПФ",
    "GREEK": "ΑΒ ΕΗΙ ΚΜΝΟΡ ΤΧΥΖ     ο    ΓΠΦ",
}
FIGURES = frozenset("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹")  # of Arabic and Persian
PERSIAN = frozenset("پچژگ۴۵۶")  # which Arabic does not have; the others are read as Arabic ones that look the same
_AS_PERSIAN = str.maketrans("كيى٠١٢٣٧٨٩", "کیی۰۱۲۳۷۸۹")
SHARED = frozenset("".join(ALIKE.values()))
CASED = 4  # letters of a word at least whose case the others tell: к and К differ in height alone
_WORD = re.compile(r"[^\W\d_]+")


class AlphabetReader:
    """Reads line images after `reader`, whose convolutions it uses; the model is read when the object is made."""

    def __init__(self, reader: LineReader) -> None:
        self.reader = reader
        self.session = open_session(shipped_model("docparse", "data", "alphabets.onnx"), reader.threads)
        characters = self.session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self.alphabet = ["", *characters, " "]  # CTC blank first

    def read(self, line: np.ndarray) -> Reading:
        """Read uint8 RGB [48, width, 3]."""
        (scores,) = self.session.run(None, {"features": self.reader.features(line)})
        reading, _ = decoded(_without_echoes(scores[0]), self.alphabet, line.shape[1])
        return replace(reading, text=in_one_script(reading.text))


def _without_echoes(scores: np.ndarray) -> np.ndarray:
    """The scores of CTC, float [columns, characters], without the blank in the middle of a wide letter that would be
    read twice."""
    best = scores.argmax(axis=1)
    middle = np.flatnonzero((best[1:-1] == 0) & (best[:-2] == best[2:]) & (best[2:] != 0)) + 1
    middle = middle[scores[middle, best[middle + 1]] > ECHO]
    scores = scores.copy()
    scores[middle, best[middle + 1]] = 1.0
    return scores


def is_own(reading: Reading, certainty: float = SURE) -> bool:
    """Return whether a line was read with such certainty, 0..1, and is in an alphabet of this reader."""
    letters = [character for character in reading.text if character.isalpha() or character in FIGURES]
    own = sum(letter in FIGURES or script_of(letter) in READ_AGAIN for letter in letters)
    marked = sum(is_vietnamese(letter) for letter in letters)
    enough = own >= OWN * len(letters) or marked >= MARKED * len(letters)
    return bool(letters) and enough and reading.confidence >= certainty


def is_vietnamese(letter: str) -> bool:
    """Return whether a letter is one of Vietnamese that the recogniser drops."""
    return letter in VIETNAMESE or "\u1ea0" <= letter <= "\u1ef9"


def in_one_script(text: str) -> str:
    """Return a line whose words have letters of one script and one case each, where some were read as those of another
    that look the same; same length. A word without letters of its own goes with the line."""
    usual = _own_script(text)
    if not PERSIAN.isdisjoint(text):
        text = text.translate(_AS_PERSIAN)

    def settled(match: re.Match[str]) -> str:
        word = match[0]
        if len(set(map(script_of, word))) > 1:
            word = word.translate(_to_script(_own_script(word) or usual))
        return _evenly_cased(word) if script_of(word[0]) in READ_AGAIN else word

    return _WORD.sub(settled, text)


def _own_script(text: str) -> str:
    """The script of most letters that look like no other's; empty where there are none."""
    counts = Counter(script_of(letter) for letter in text if letter.isalpha() and letter not in SHARED)
    return max(counts, key=counts.__getitem__, default="")


@cache
def _to_script(script: str) -> dict[int, str]:
    """Return what stands in a script for each letter of another that looks the same."""
    own = ALIKE.get(script, "")
    pairs = ((other, letter) for letters in ALIKE.values() for other, letter in zip(letters, own, strict=bool(own)))
    return {ord(other): letter for other, letter in pairs if other != " " and letter != " "}


def _evenly_cased(word: str) -> str:
    rest = word[1:]
    capitals = sum(letter.isupper() for letter in rest)
    if len(word) < CASED or 2 * capitals == len(rest):
        return word
    even = word.upper() if 2 * capitals > len(rest) else word[0] + rest.lower()
    return even if len(even) == len(word) else word
