"""Markers of list items: bullets, boxes to tick, and numbers in the ways that people write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from docparse import types
from docparse.hyphenation import HAN, KANA
from docparse.layout.text.wording import count_words, numeral_value
from docparse.types import BOXES, ICONS

SIGNS = "–—−*⋆·-⇒→"  # bullets that also stand in running text
BULLETS = types.BULLETS + "·–—−*⋆⇒" + BOXES
CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
BRACKETED = "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇"
ORNAMENT = 6  # words: shorter lines with a sign at both ends are set off by them
NUMERALS = "一二三四五六七八九十"
ARABIC, HEBREW = "أبتثجحخدذرزسشصضطظعغفقكلمنهوي", "אבגדהוזחטיכלמנסעפצקרשת"

_DOUBLED = "aa|bb|cc|dd|ee|ff|gg|hh"  # of the third level, in laws
_VALUE = rf"\d{{1,3}}|[ivxIVX]{{1,7}}|{_DOUBLED}|[a-zA-Z{ARABIC}{HEBREW}]"
_NUMBER = re.compile(rf"([(（]?)({_VALUE})([.)）．])")
_EAST = (
    rf"[{CIRCLED}{BRACKETED}]|[（(](?:\d{{1,2}}|[{NUMERALS}]{{1,3}})[)）]|(?:\d{{1,2}}|[{NUMERALS}]{{1,3}})[、．.)）]"
    rf"|第[{NUMERALS}\d]{{1,3}}[条章节]"
)
ICON = re.compile(f"[{ICONS}]+")
UNKNOWN = f"\uf020-\uf0ff{ICONS}"  # glyphs of symbol fonts that no table names: before a line they are its bullet
_MARKER = re.compile(rf"[{re.escape(BULLETS)}{CIRCLED}{UNKNOWN}-]|{_NUMBER.pattern}|{_EAST}|\[\d{{1,3}}\]")
# They set no space behind a marker.
_MARKS = r"[(（]\s*\d{1,2}\s*分"  # "（4 分）", which a question is worth
_LETTERED = r"[(（](?:[a-z]|[ivx]{1,7})[)）]|[A-H][)）]"
_CJK = re.compile(
    rf"(?:\d{{1,2}}|[{NUMERALS}]{{1,3}})、|[A-H]．|(?:{_EAST}|{_LETTERED})(?=\s*(?:{_MARKS}|[(（]?[{KANA}{HAN}《“「]))"
)
_TIGHT = re.compile(r"(?:\d{1,3}[.)]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,7})\))(?=[^\W\d_])")  # "1)Nested"
CHOICE = re.compile(r"[(（]?([A-H])[.．、)）]|([a-h])[.．、]")  # (a) and (b) name the parts of a figure
BULLETS_ALONE = frozenset(BULLETS) - frozenset(SIGNS)  # nothing else is printed so: they need no space behind them


def is_marker(text: str) -> bool:
    """True for a bullet or an item number: "•", "3.", "(a)", "iv)", "[12]", "（三）", "二、"."""
    return _MARKER.fullmatch(text) is not None and any(readings(text))


def leading_marker(text: str, first: str) -> str:
    """Return the marker that a line of `text`, with `first` before its first space, begins with, or "".

    A bracketed number is a reference; a sign glued to its word, alone on its line or at both ends of it, is none
    either.
    """
    if first != text and is_marker(first):
        ornament = first in SIGNS and text.endswith(f" {first}") and count_words(text) < ORNAMENT
        marker = "" if first.startswith("[") or ornament else first
    elif text[0] in BULLETS_ALONE:
        marker = text[0]
    else:
        found, tight = _CJK.match(text), _TIGHT.match(first)
        is_tight = tight is not None and is_marker(tight[0]) and first[tight.end()].isupper()
        marker = found[0] if found else tight[0] if tight and is_tight else ""
    return marker if any(char.isalnum() for char in text[len(marker) :]) else ""


def glued_marker(first: str) -> str:
    """Return the number in brackets that a word begins with, or "": a marker if others beside it are."""
    found = _TIGHT.match(first)
    return found[0] if found and found[0].endswith(")") and is_marker(found[0]) else ""


def readings(marker: str) -> Iterator[tuple[str, int]]:
    """Yield what a marker may be: its kind ("(1)", "a.", "•") and its number, 0 for bullets. "i." has two readings."""
    found = _NUMBER.fullmatch(marker)
    if not found:
        yield _other(marker)
        return
    front, value, back = (unicodedata.normalize("NFKC", part) for part in found.groups())
    if value.isdecimal():
        yield f"{front}1{back}", int(value)
        return
    for letters in (ARABIC, HEBREW):
        if value in letters:
            yield f"{front}{letters[0]}{back}", 1 + letters.index(value)
            return
    upper = value.isupper()
    if not value.lower().strip("ivx"):  # c and l are letters
        numeral = numeral_value(value.lower())
        if numeral:
            yield f"{front}{'I' if upper else 'i'}{back}", numeral
    if len(value) == 1:
        yield f"{front}{'A' if upper else 'a'}{back}", ord(value.upper()) - 64
    elif value in _DOUBLED:
        yield f"{front}aa{back}", ord(value[0]) - 96


def _other(marker: str) -> tuple[str, int]:
    for signs in (CIRCLED, BRACKETED):
        if marker and marker in signs:
            return signs[0], 1 + signs.index(marker)
    inner = marker.strip("第条章节（）()、．.")
    if inner and (inner.isdecimal() or not inner.strip(NUMERALS)):
        value = int(inner) if inner.isdecimal() else _numeral(inner)
        return marker.replace(inner, "1" if inner.isdecimal() else "一"), value
    return ("-" if marker in SIGNS else "☐" if marker in BOXES else marker), 0


def _numeral(text: str) -> int:
    """二十三 is 23, 十 is 10."""
    tens, ten, ones = text.rpartition("十")
    value = 1 + NUMERALS.index(ones[-1]) if ones else 0
    return value + (10 * (1 + NUMERALS.index(tens[-1]) if tens else 1) if ten else 0)
