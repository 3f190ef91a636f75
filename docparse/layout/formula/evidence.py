"""What single words say: running text, surely mathematics, or either."""

from __future__ import annotations

import re

from docparse.hyphenation import CJK
from docparse.layout.formula.symbols import BIG, BINARY, LIMITS, NAMES, PIECES, RELATIONS
from docparse.layout.text.wording import FUNCTIONS, names
from docparse.layout.text.words import Word

# What math fonts also print in prose: bullets, footnote marks, ends of proofs.
NOT_MATH = frozenset("•∙·∗†‡§¶□■◻⋄◦▪▶✓–—-")
SIGNS = frozenset("".join([*RELATIONS, *BIG, *(set(BINARY) - set("·•∙∗−◦")), "√∂∇∞∀∃"]))  # running text has them seldom
PROSE_FONTS = re.compile(r"symbol|wingding|dingbat|mathematicalpi|universal", re.I)  # used for bullets, β and ± in text
TAG = re.compile(r"\((?:[A-Z]\.?)?\d+(?:[.\-–]\d+)*[a-z']?\)|\((?:[ivx]+|[A-Z])\)|\[\d+\]")  # the number of an equation
_MIXED = re.compile(r"[A-Za-z][\u0391-\u03c9]|[\u0391-\u03c9][A-Za-z]")  # a product
# words of Chinese, Hebrew, Arabic; blanks to fill in; the end of a genitive, which is glued to a formula: B's
TEXT = re.compile(rf"{CJK.pattern}|__|[\u0590-\u08ff]{{2}}|^[’']s\b")
LETTER, RUN = re.compile(r"[^\W\d_]"), re.compile(r"[^\W\d_]+")
KNOWN = FUNCTIONS | LIMITS | NAMES
SMALL_WORDS = names(
    "a an and are as at be by for from has have if in is it its let of on or so such that the then there this to we "
    "where with which when since thus hence not only all any each every some no can may will was were into over"
)
ACCENTED = frozenset("àéèóÀÉÈÓ")  # words by themselves
FOREIGN = names("au ce da el en et il la le ne ou où se si un zu")  # the same where they are upright


def is_strong(word: Word) -> bool:
    """Set in a font or in letters that only mathematics has, and not one of the ornaments such fonts lend to prose."""
    if not word.math or PROSE_FONTS.search(word.font):
        return False
    return any(char not in NOT_MATH and char not in ".,;:" for char in word.text)


def has_operator(word: Word) -> bool:
    """Return whether it is a sign that running text has seldom, whatever its font; "−−name=" is an option, where the
    dashes are printed as signs."""
    if word.text.isascii():
        return False
    signs = [char for char in word.text if char in SIGNS or char in PIECES]
    return any(not sign.isascii() for sign in signs) or (bool(signs) and not holds_prose(word))


def is_symbol(word: Word) -> bool:
    """Return whether it is set in a font that only mathematics has, or a sign that running text has seldom."""
    return is_strong(word) or has_operator(word)


def is_prose(word: Word) -> bool:
    """Return whether it is a word of running text: letters that are neither variables nor a function's name."""
    if TEXT.search(word.text):
        return True
    if word.math or _MIXED.search(word.text):
        return False
    core = word.text.strip(".,;:()[]")
    if len(core) < 2 or not core[0].isalpha() or KNOWN.issuperset(RUN.findall(core)):
        return False
    if not word.text.isalpha() and len(LETTER.sub("", word.text)) > len(core) - 2:
        return False
    upright = not word.italic and (len(core) > 2 or core.lower() in FOREIGN)
    return len(core) > 3 or core.lower() in SMALL_WORDS or upright


def holds_prose(word: Word) -> bool:
    """Return whether it holds letters that are neither variables nor a function's name, perhaps among signs."""
    if word.math and not PROSE_FONTS.search(word.font):
        return False
    if TEXT.search(word.text):
        return True
    for run in RUN.findall(word.text):
        longest = 3 if word.italic else 2 if word.bold else 0  # of a product
        variables = len(run) <= longest and run.lower() not in SMALL_WORDS
        letter = len(run) == 1 and (word.italic or run not in ACCENTED)
        if not (letter or variables or run in KNOWN):
            return True
    return False
