"""What the pages say: common words, invented words, numbers, dates, random strings, names with accents."""

from __future__ import annotations

import string
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

ALNUM = "".join(c for c in string.ascii_letters + string.digits if c not in "IlO0")  # nobody can tell these apart
SYMBOLS = ".,:;!?()-+/=%#@&\"'<>[]"
ONCE = "$*_~<&[]"  # two of these in a block could be markup, one is a character
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
ACCENTS = {"a": "àáâãäå", "c": "ç", "e": "èéêë", "i": "ìíîï", "n": "ñ", "o": "òóôõöø", "u": "ùúûü", "y": "ýÿ"}


@cache
def common() -> tuple[str, ...]:
    """Return the words that Python's standard library uses most in its prose, sorted."""
    return tuple((Path(__file__).parent / "words.txt").read_text().split())


def plain(rng: Random) -> str:
    """Return a lower-case word, one in three of them invented from the halves of two others."""
    word = rng.choice(common())
    if rng.random() < 0.35:
        other = rng.choice(common())
        word = word[: 1 + len(word) // 2] + other[len(other) // 2 :]
    return word[:14]


def number(rng: Random) -> str:
    u = rng.random()
    if u < 0.3:
        return str(rng.randrange(10 ** rng.randint(1, 6)))
    if u < 0.55:
        sign, whole = rng.choice(["", "", "-", "+", "€", "£"]), rng.randrange(10 ** rng.randint(1, 4))
        return f"{sign}{whole}.{rng.randrange(100):02}"
    if u < 0.65:
        return f"{rng.randrange(1, 1000)},{rng.randrange(1000):03}"
    if u < 0.8:
        return f"{rng.randrange(1000) / 10:g}%"
    return f"{rng.randrange(1, 100)}{rng.choice(['°', '×', '±', '–', '/', ':', '.'])}{rng.randrange(1, 100)}"


def date(rng: Random) -> str:
    year, month, day = rng.randint(1900, 2099), rng.randint(1, 12), rng.randint(1, 28)
    return rng.choice([f"{year}-{month:02}-{day:02}", f"{day}.{month}.{year}", f"{month}/{day}/{year}", str(year)])


def random_string(rng: Random) -> str:
    """Return letters and digits that no language predicts; some with symbols."""
    text = "".join(rng.choice(ALNUM) for _ in range(rng.randint(2, 9)))
    if rng.random() < 0.25:
        text += rng.choice(SYMBOLS) + "".join(rng.choice(ALNUM) for _ in range(rng.randint(1, 3)))
    return text


def decorated(rng: Random, word: str) -> str:
    """Return a word as it stands in a sentence: capitals, accents, quotation marks, brackets, a comma."""
    u = rng.random()
    if u < 0.12:
        word = word.capitalize()
    elif u < 0.16:
        word = word.upper()
    elif u < 0.21:
        word = "".join(rng.choice(ACCENTS[c]) if c in ACCENTS and rng.random() < 0.4 else c for c in word)
    u = rng.random()
    for limit, before, after in (
        (0.07, "", ","),
        (0.10, "", "."),
        (0.12, "(", ")"),
        (0.135, '"', '"'),
        (0.15, "“", "”"),
        (0.155, "‘", "’"),
        (0.165, "", ":"),
        (0.175, "", ";"),
        (0.18, "", "’s"),
        (0.185, "", "…"),
        (0.19, "", "!"),
        (0.195, "", "?"),
        (0.205, "", rng.choice("²³½©®°§µ¥")),
        (0.22, "", "-" + plain(rng)),
    ):
        if u < limit:
            return before + word + after
    return word


def token(rng: Random, randomness: float) -> str:
    """Return one word of running text; `randomness` is the share of numbers, dates and random strings."""
    if rng.random() >= randomness:
        return decorated(rng, plain(rng))
    u = rng.random()
    for limit, source in _SOURCES:
        if u < limit:
            return source(rng)
    return random_string(rng)


_SIGNS = ("–", "—", "=", "+", "&", "/", "×", "·", "*", "$5", "~9", "#3", "@me", "£2", "©")
_SOURCES: tuple[tuple[float, Callable[[Random], str]], ...] = (
    (0.4, number),
    (0.5, date),
    (0.54, lambda rng: rng.choice(MONTHS)),
    (0.55, lambda rng: f"{plain(rng)}_{plain(rng)}"),
    (0.6, lambda rng: rng.choice(_SIGNS)),
)


class Vocabulary:
    """Draws the words of one block so that no two of its characters could be read as markup."""

    def __init__(self, rng: Random, randomness: float) -> None:
        self.rng = rng
        self.randomness = randomness
        self.used: set[str] = set()

    def word(self) -> str:
        text = token(self.rng, self.randomness)
        special = [char for char in text.replace(">", "<") if char in ONCE]
        if len(special) != len(set(special)) or self.used.intersection(special):
            text = plain(self.rng)
        self.used.update(special)
        return text

    def first(self) -> str:
        """Return a word that opens a block: no marker of a list, heading or quotation can be seen in it."""
        return plain(self.rng).capitalize()
