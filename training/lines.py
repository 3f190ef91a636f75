"""Lines of print in alphabets that the recogniser does not know, drawn: words of many languages in many fonts, as scans
show them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from docparse.layout.ocr.recogniser import HEIGHT

# How often they are drawn; sh is Serbian, which its word list has in Latin letters.
LANGUAGES = dict(ru=4, uk=2, bg=1, sh=1, mk=1, el=3, vi=2, en=1, he=4, ar=7, fa=2, ko=7)
RIGHT_TO_LEFT = ("he", "ar", "fa")
WORDS = 20_000  # of each language, the most frequent ones
SERBIAN = {"lj": "љ", "nj": "њ", "dž": "џ"} | dict(
    zip("abcčćdđefghijklmnoprsštuvzž", "абцчћдђефгхијклмнопрсштувзж", strict=True)
)
# Letters of Belarusian, Ukrainian and of Russian before 1918 that are rare in the word lists, in the place of others.
RARE = dict(zip("уеигоф", "ўѣіґёѳ", strict=True))
TURKIC = dict(zip("агкноухжюшзс", "әғқңөүһҗұӣҙҫ", strict=True))  # of Kazakh, Tatar, Bashkir and Tajik
SYLLABLES = [bytes((a, b)).decode("euc-kr") for a in range(0xB0, 0xC9) for b in range(0xA1, 0xFF)]  # KS X 1001
FIGURES = {"ar": "٠١٢٣٤٥٦٧٨٩", "fa": "۰۱۲۳۴۵۶۷۸۹"}
AS_ARABIC = str.maketrans("کی۰۱۲۳۷۸۹", "كي٠١٢٣٧٨٩")  # of Persian what looks the same within a word
ARABIC = str.maketrans(",;?", "،؛؟")
VOWELS = {"ar": "\u064b\u064e\u064f\u0650\u0651\u0652", "he": "\u05b0\u05b4\u05b5\u05b6\u05b7\u05b8\u05b9\u05bc"}
BEHIND = (",", ",", ".", ".", ":", ";", "!", "?", "…", "-", " –", " —")
AROUND = ("«»", "()", "„“", "“”", '""', "[]", "''", "’’")
BULLETS = "••••••––··▪■●○◦►"
ITEMS = 0.12  # of the lines begin with a bullet
ALONE = "&*+=<>@#№§€$°%/|–—"
_NUMBER = r"[\d٠-٩۰-۹]+(?:[.,:/٫٬][\d٠-٩۰-۹]+)*"
_LATIN = r"[A-Za-zÀ-ɏ](?:[\wÀ-ɏ.'’@:/&+ -]*[\dA-Za-zÀ-ɏ])?"
_FORWARD = re.compile(f"{_LATIN}|{_NUMBER}", re.ASCII)  # what goes to the right in lines that go to the left
_MIRRORED = str.maketrans("()[]{}<>«»‹›", ")(][}{><»«›‹")
LONGEST = 64  # characters
WIDEST = 1400  # pixels of a line image


@cache
def words(language: str) -> tuple[list[str], np.ndarray]:
    """Return the frequent words of a language, and the share with which each is drawn."""
    from wordfreq import get_frequency_dict

    frequencies = get_frequency_dict(language, wordlist="small")
    found = sorted(frequencies, key=frequencies.__getitem__, reverse=True)[:WORDS]
    weights = np.sqrt([frequencies[word] for word in found])
    return [_spelled(word, language) for word in found], weights / weights.sum()


def _spelled(word: str, language: str) -> str:
    if language == "sh":
        for latin, letter in SERBIAN.items():
            word = word.replace(latin, letter)
    if language == "el" and word.endswith("σ"):
        word = word[:-1] + "ς"
    return unicodedata.normalize("NFC", word)


def sentence(language: str, rng: np.random.Generator) -> str:
    """Return some words of a language, with figures, signs and foreign words between them."""
    known, weights = words(language)
    if language in FIGURES and rng.random() < 0.15:
        return _amount(rng).translate(str.maketrans("0123456789", FIGURES[language]))
    chosen = [known[i] for i in rng.choice(len(known), size=rng.integers(1, 8), p=weights)]
    if language == "ko":  # its list has parts of words
        chosen = ["".join(chosen[i : i + 2]) for i in range(0, len(chosen), 2)]
    chosen = _capitalised(chosen, rng.random())
    if language in ("ru", "uk", "bg") and rng.random() < 0.3:
        chosen = _with_rare_letters(chosen, RARE if rng.random() < 0.5 else TURKIC, rng)
    if language == "ko" and rng.random() < 0.3:  # the words have half of the syllables
        chosen = ["".join(SYLLABLES[i] for i in rng.integers(len(SYLLABLES), size=len(word))) for word in chosen]
    pieces = [piece for word in chosen for piece in _with_signs(word, rng)]
    if rng.random() < 0.05:
        pieces.insert(int(rng.integers(len(pieces) + 1)), ALONE[rng.integers(len(ALONE))])
    if rng.random() < ITEMS:
        pieces.insert(0, BULLETS[rng.integers(len(BULLETS))])
    text = " ".join(pieces)[:LONGEST].strip()
    if language in FIGURES:
        text = text.translate(ARABIC)
        if rng.random() < 0.6:
            text = text.translate(str.maketrans("0123456789", FIGURES[language]))
    return text


def _amount(rng: np.random.Generator) -> str:
    """A number, a date or the like."""
    parts = [str(rng.integers(10 ** rng.integers(1, 5))) for _ in range(rng.integers(1, 4))]
    return (" ", "/", "-", ".", ":", ",")[rng.integers(6)].join(parts)


def _pointed(text: str, language: str, rng: np.random.Generator) -> str:
    """The text with signs for vowels on some of its letters, which are not learned."""
    signs = VOWELS.get(language, "")
    if not signs or rng.random() > 0.15:
        return text
    often = rng.choice([0.05, 0.7])
    chosen = (signs[rng.integers(len(signs))] if c.isalpha() and rng.random() < often else "" for c in text)
    return "".join(character + sign for character, sign in zip(text, chosen, strict=True))


def _with_rare_letters(chosen: list[str], letters: dict[str, str], rng: np.random.Generator) -> list[str]:
    rare = {old: new for old, new in letters.items() if rng.random() < 0.5}
    rare |= {old.upper(): new.upper() for old, new in rare.items()}
    return ["".join(rare.get(character, character) for character in word) for word in chosen]


def _capitalised(chosen: list[str], kind: float) -> list[str]:
    if kind < 0.12:
        return [word.upper() for word in chosen]
    if kind < 0.25:
        return [word.capitalize() for word in chosen]
    return [chosen[0].capitalize(), *chosen[1:]] if kind < 0.6 else chosen


def _with_signs(word: str, rng: np.random.Generator) -> Iterator[str]:
    """The word with signs around it, behind a number or a name of another language now and then."""
    draw = rng.random()
    if draw < 0.1:
        behind = ("", ".", ",", "%", " г.", ")", f"-{rng.integers(1, 99)}")
        yield f"{rng.integers(0, 10 ** rng.integers(1, 5))}{behind[rng.integers(len(behind))]}"
    elif draw < 0.13:
        yield words("en")[0][rng.integers(4000)].capitalize()
    end = BEHIND[rng.integers(len(BEHIND))] if rng.random() < 0.22 else ""
    pair = AROUND[rng.integers(len(AROUND))] if rng.random() < 0.06 else ""
    yield pair[:1] + word + pair[1:] + end


@cache
def glyphs_of(font: Path) -> frozenset[str]:
    """Return the characters that a font has."""
    from fontTools.ttLib import TTFont

    with TTFont(font, fontNumber=0, lazy=True) as opened:
        return frozenset(map(chr, opened.getBestCmap()))


def drawn(text: str, font: Path, rng: np.random.Generator, direction: str = "ltr") -> np.ndarray | None:
    """Return a line as the detector might cut it from a scan, uint8 RGB [48, width, 3]; None where the font shows
    nothing or the line is too wide."""
    size = int(np.exp(rng.uniform(np.log(14), np.log(56))))
    face = ImageFont.truetype(str(font), size)
    x0, y0, x1, y1 = face.getbbox(text, direction=direction)
    if y1 - y0 < 0.3 * size:
        return None
    canvas = Image.new("L", (int(x1 - x0) + 2 * size, int(y1 - y0) + 2 * size), int(rng.integers(200, 256)))
    ImageDraw.Draw(canvas).text((size - x0, size - y0), text, int(rng.integers(0, 90)), face, direction=direction)
    image = np.asarray(canvas)
    if rng.random() < 0.3:
        change = cv2.erode if rng.random() < 0.6 or size < 24 else cv2.dilate  # of ink on paper: more, or less of it
        image = change(image, np.ones((2, 2), np.uint8))
    image = _cut(image, size, int(x1 - x0), int(y1 - y0), rng)
    return None if image.shape[1] > WIDEST else np.repeat(_scanned(image, rng)[:, :, None], 3, axis=2)


def _cut(image: np.ndarray, margin: int, width: int, height: int, rng: np.random.Generator) -> np.ndarray:
    """The text inside `margin` with some white around it, or a little cut off, tilted and leaning, 48 pixels high."""
    top, bottom = rng.uniform(0.02, 0.3, 2) * height
    left, right = rng.uniform(0.05, 0.5, 2) * height
    turn, lean = np.deg2rad(rng.normal(0, 0.4)), rng.normal(0, 0.03)
    down = HEIGHT / (height + top + bottom)
    across = down * rng.uniform(0.72, 1.1)
    rising = turn * down * 0.5 * image.shape[1]
    place = np.array([
        [across, across * (lean - turn), -(margin - left) * across],
        [turn * down, down, -(margin - top) * down - rising],
    ])  # fmt: skip
    if down < 0.5:
        image = cv2.blur(image, (round(0.5 / down) * 2 + 1,) * 2)
    size = max(16, int((width + left + right) * across)), HEIGHT
    return cv2.warpAffine(image, place, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _scanned(image: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The line blurred, noisy, bilevel, or stored as JPEG."""
    image = image.astype(np.float32)
    if (softness := rng.uniform(0, 1.3)) > 0.5:
        image = cv2.GaussianBlur(image, (0, 0), softness)
    if rng.random() < 0.5:
        image += rng.normal(0, rng.uniform(0, 18), image.shape).astype(np.float32)
    if rng.random() < 0.15:
        image = np.where(image > rng.uniform(110, 180), 255.0, 0.0)
    image = image.clip(0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        stored = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))])[1]
        image = cv2.imdecode(stored, cv2.IMREAD_GRAYSCALE)
    return image


def lines(fonts: Sequence[Path], rng: np.random.Generator) -> Iterator[tuple[np.ndarray, str]]:
    """Yield endless line images and what they show from left to right, each in a font that has its characters."""
    usual = {language: "".join(words(language)[0][:200]) for language in LANGUAGES}
    able = {language: [font for font in fonts if _has(font, text)] for language, text in usual.items()}
    drawn_so = [language for language, share in LANGUAGES.items() for _ in range(share)]
    while True:
        language = drawn_so[rng.integers(len(drawn_so))]
        text, direction = sentence(language, rng), "rtl" if language in RIGHT_TO_LEFT else "ltr"
        drawable = (able[language][i] for i in rng.integers(len(able[language]), size=8))
        font = next((font for font in drawable if _has(font, text)), None)
        picture = drawn(_pointed(text, language, rng), font, rng, direction) if font else None
        if picture is not None:
            yield picture, turned(_as_seen(text)) if direction == "rtl" else _as_seen(text)


def _as_seen(text: str) -> str:
    """The text without signs for vowels, and Persian letters as the Arabic ones that look the same: at the end of a
    word Yeh has no points."""
    bare = "".join(character for character in text if unicodedata.category(character) not in ("Mn", "Cf"))
    return re.sub(r"ی\b", "ى", bare).translate(AS_ARABIC)


def turned(text: str) -> str:
    """Return a line from right to left as it is seen from left to right where `text` is how it is read."""
    pieces, done = [], 0
    for match in _FORWARD.finditer(text):
        pieces += [_backward(text[done : match.start()]), match[0]]
        done = match.end()
    return "".join(reversed([*pieces, _backward(text[done:])]))


def _backward(text: str) -> str:
    return text[::-1].translate(_MIRRORED)


def _has(font: Path, text: str) -> bool:
    return set(text) <= glyphs_of(font) | {" "}
