"""What one text line says: PP-OCR's recogniser with greedy CTC decoding that keeps where each character stands.

The network comes with docparse (`data/recogniser.onnx`, made by `training/recogniser.py`): it is rapidocr's, with three
quarters of its multiplications in 8-bit integers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from docparse.hyphenation import is_cjk
from docparse.layout.ocr.onnx import open_session, shipped_model
from docparse.layout.text.wording import HALF_WIDTH

HEIGHT = 48  # of the recogniser's input
PAST_LATIN = 0x250  # codes of Latin letters are lower
FEATURES = "features"  # the output of the recogniser's convolutions
STROKED = {"ł": "l", "Ł": "L", "ı": "i", "đ": "d", "Đ": "D"}  # no accents by Unicode
DOUBTFUL = 0.09  # of its probability has the bare letter: where there is an accent it has 0.001, seldom 0.15
CRAMPED = 10  # input pixels from letter to letter: the network sees columns of 8, of which two letters need three
UNSURE = 0.95  # of cramped lines: those of narrow type that is read well are read with more
STRAYS = 2  # a line with more Chinese or Japanese characters than this is no misreading


@dataclass(frozen=True, slots=True)
class Reading:
    """Characters of a line; `centers` are float [n] in input pixels, `confidences` float [n], 0..1.

    `spaces`, float [n], is how likely a space stands before each character, 0..1, though none was read. Where a line
    has few Chinese or Japanese characters, `instead` holds for the index of each the likeliest other character ("" for
    none) and its probability, 0..1, given that it is not one of those. `bare` holds the letter without its accent for
    the index of each accented one that is hardly likelier, as specks make them.
    """

    text: str
    centers: np.ndarray
    confidences: np.ndarray
    spaces: np.ndarray
    instead: Mapping[int, tuple[str, float]] = field(default_factory=dict)
    bare: Mapping[int, str] = field(default_factory=dict)

    @property
    def confidence(self) -> float:
        return float(self.confidences.mean()) if len(self.confidences) else 0.0

    @property
    def is_cramped(self) -> bool:
        """Return whether the letters stand too close for the network, and are not read well."""
        return len(self.text) > 3 and np.median(np.diff(self.centers)) <= CRAMPED and self.confidence < UNSURE

    def without_doubtful_accents(self) -> Reading:
        """Return the same line with `bare` in place."""
        return replace(self, text="".join(self.bare.get(i, char) for i, char in enumerate(self.text)), bare={})

    def without_cjk(self) -> Reading:
        """Return the same line with `instead` in place."""
        if not self.instead:
            return self
        characters, confidences = list(self.text), self.confidences.copy()
        for index, (character, confidence) in self.instead.items():
            characters[index], confidences[index] = character, confidence
        kept = [index for index, character in enumerate(characters) if character]
        text = half_width("".join(characters))
        bare = {k: self.bare[index] for k, index in enumerate(kept) if index in self.bare}
        return Reading(text, self.centers[kept], confidences[kept], self.spaces[kept], bare=bare)


class LineReader:
    """Reads line images; the model is read when the object is made."""

    def __init__(self, threads: int = 1) -> None:
        model = shipped_model("docparse", "data", "recogniser.onnx")
        self.threads = threads
        self.session = open_session(model, threads, keep_memory=True)
        characters = self.session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self.alphabet = ["", *characters, " "]  # CTC blank first
        self.cjk = np.array([any(map(is_cjk, half_width(character))) for character in self.alphabet], bool)
        place = {character: index for index, character in enumerate(self.alphabet)}
        bases = (
            (place[char], place.get(without_accent(char), 0)) for char in self.alphabet if char and is_accented(char)
        )
        self.bases = {accented: base for accented, base in bases if base}

    def read(self, line: np.ndarray) -> Reading:
        """Read uint8 RGB [48, width, 3]. One line at a time: padding a batch to one width costs more than it saves."""
        scores = self._run(self.session.get_outputs()[0].name, line)[0]
        reading, columns = decoded(scores, self.alphabet, line.shape[1])
        own = scores[columns]
        best = own.argmax(axis=1)
        strays = np.flatnonzero(self.cjk[best])
        few = strays.tolist() if len(strays) <= STRAYS else []
        return replace(reading, instead={i: self._other(own[i]) for i in few}, bare=dict(self._bare(own, best)))

    def features(self, line: np.ndarray) -> np.ndarray:
        """Return what the convolutions see in the columns of a line, float32 [1, columns, 384], for another head."""
        return self._run(FEATURES, line)[:, :, 0].transpose(0, 2, 1)

    def _run(self, output: str, line: np.ndarray) -> np.ndarray:
        blob = cv2.dnn.blobFromImage(line, 1 / 127.5, mean=(127.5, 127.5, 127.5), swapRB=True)
        return self.session.run([output], {"x": blob})[0]

    def _bare(self, scores: np.ndarray, best: np.ndarray) -> Iterator[tuple[int, str]]:
        """The doubtful accents among characters, whose `scores` are float [characters, alphabet] and int [characters]
        the `best` of these."""
        for index, accented in enumerate(best.tolist()):
            base = self.bases.get(accented)
            if base and scores[index, base] > DOUBTFUL * scores[index, accented]:
                yield index, self.alphabet[base]

    def _other(self, scores: np.ndarray) -> tuple[str, float]:
        scores = np.where(self.cjk, 0.0, scores)
        best = int(scores.argmax())
        return self.alphabet[best].strip(), float(scores[best] / max(scores.sum(), 1e-9))


def decoded(scores: np.ndarray, alphabet: Sequence[str], width: int) -> tuple[Reading, np.ndarray]:
    """Return what the scores of CTC, float [columns, characters], say on a line of `width` pixels, and the column of
    each character. The first character is the blank, the last one the space."""
    best = scores.argmax(axis=1)
    keep = best != 0
    keep[1:] &= best[1:] != best[:-1]
    columns = np.flatnonzero(keep)
    before = np.append(0, columns[:-1])[: len(columns)]
    changes = np.append(np.flatnonzero(np.diff(best)) + 1, len(best))
    ends = changes[np.searchsorted(changes, columns, side="right")]  # of the columns that name the same character
    reading = Reading(
        text=half_width("".join(alphabet[i] for i in best[columns])),
        centers=(columns + (ends - columns) / 2) * width / len(best),
        confidences=scores[columns, best[columns]],
        spaces=np.array([scores[a:b, -1].max(initial=0.0) for a, b in zip(before, columns, strict=True)]),
    )
    return reading, columns


def is_accented(char: str) -> bool:
    """Return whether it is a Latin letter with an accent or a stroke."""
    return ord(char[0]) < PAST_LATIN and without_accent(char) != char


def without_accent(char: str) -> str:
    """Return the letter alone."""
    return STROKED.get(char, unicodedata.normalize("NFD", char)[:1])


# Full-width forms of ASCII, which the recogniser mixes into Latin text, and their plain counterparts.
_HALF = HALF_WIDTH | {0x3002: ord("."), 0x3001: ord(",")}


def half_width(text: str) -> str:
    """Full-width punctuation, letters and figures as ASCII, unless the line is Chinese or Japanese; same length."""
    east_asian = any(0x3040 <= ord(c) <= 0x30FF or 0x3400 <= ord(c) <= 0x9FFF for c in text)
    return text if east_asian else text.translate(_HALF)
