"""What words alone say, without boxes or fonts: sentences, numerals, signs, direction. Imports nothing heavy."""

from __future__ import annotations

import re
import unicodedata

from docparse.hyphenation import CJK, EAST


def names(listed: str) -> frozenset[str]:
    """Return the words of a list."""
    return frozenset(listed.split())


FUNCTIONS = names(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh"
)  # of mathematics
STOPS = (".", "!", "?")
SENTENCE_END = (*STOPS, ":", "”", '"', "。", "！", "？", "…", ";")
SITE = re.compile(r"(?:https?://|www\.)\S+")
COLONS = (":", "：")  # of labels: what follows closely is their value
CAPITALS = 8  # characters: shorter words in capitals may be names
SENTENCE = 7  # words: so many that end in a full stop are a sentence
_DRAWN = "fig(?:ur[ae]?)?s?|chart|scheme|plate|abb(?:ildung)?|рис(?:унок)?|rys(?:unek)?"
_TABLE = "tab(?:le(?:au)?|elle|ell?a|la)?s?|табл(?:ица)?"
# no small letter right behind the word is its number: "tabs are"
_NUMBERED = r"(?!(?-i:[a-z])(?!\d))\.?\s*(?:S?\d+[a-z]?|[IVX]+|[A-Z])(?:[.:|–—-]|\s|$)"
CAPTION = re.compile(rf"(?:{_DRAWN}|{_TABLE}|exhibit|algorithm|listing){_NUMBERED}|(?:图表|[图表])\s*\d", re.IGNORECASE)
HEADING_WORDS = re.compile(
    r"(?:abstract|introduction|background|related works?|methods?|materials? and methods|results?|discussion|"
    r"conclusions?|references|bibliography|acknowledge?ments?|appendix|(?:table of )?contents|summary)\W*",
    re.IGNORECASE,
)
FIGURE = re.compile(rf"(?:{_DRAWN}){_NUMBERED}|图表?\s*\d", re.IGNORECASE)
HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # forms of ASCII that Chinese type has
PART_CAPTION = re.compile(r"\(?[a-zA-Z]\)\s+\w")  # "(a) Before", under a part of a figure
ABOUT = re.compile(r"\S+\s*(?:\d+[a-z]?|[IVX]+)\s+[a-z]")  # "Figure 3 shows": a sentence about the figure
NOTE = re.compile(
    r"[*†‡§¹²³]\s*\S|(?:sources?|notes?|abbreviations?|legend|remarks?|quellen?|anmerkung(?:en)?|notas?|fuentes?)\s*[:：.]"
    r"|(?:注释?|备注|资料来源|数据来源|来源)\s*[:：]",
    re.IGNORECASE,
)
# what documentation tools print where a listing or a table is cut
CUT = re.compile(
    r"\W*(?:continue[sd] (?:on|from|to) (?:the )?(?:next|previous) page"
    r"|suite (?:sur|de) la page (?:suivante|précédente)|Fortsetzung (?:auf der nächsten|der vorherigen) Seite)\W*",
    re.IGNORECASE,
)
PAGE_NUMBER = re.compile(
    r"\W*(?:(?:(?:p(?:[aá]gina|age|g|\.)?|seite|s\.|стр(?:аница|\.)|strona)\s*)?(?:\d{1,5}|[ivx]|[ivxlcj]{2,7}|[A-Z]\d{1,3}|(?:[A-Z]{1,3}|\d{1,2})-\d{1,3})"
    r"(?:\s*(?:/|of|von|de|sur|di|van|из|z)\s*\d{1,5})?|第\s?\d{1,5}\s?[页頁](?:\W*共\s?\d{1,5}\s?[页頁])?)\W*",
    re.IGNORECASE,
)
# "apprentices, 119–26, 131n"; a year is no page
INDEX_ENTRY = re.compile(r"[^\W\d]{2,}\S*, (?!(?:1[5-9]|20)\d\d\b)\d{1,4}(?:[–-]\d{0,4})?[fn]{0,2}(?=[, ]|$)")
YEAR = re.compile(r"(?:19|20)\d\d")  # on a cover no page has such a number
NUMERALS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}  # of pages and items
IN_NUMERALS = re.compile(r"c{0,3}(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")  # "civil" is none
FRONT = 1000  # more pages than a front matter has
QUANTITY = re.compile(r"[-+−]?\d[\d.,]*\s?[a-zµ°%/]{1,4}")  # "14.6 min" on a card
WORDS = re.compile(rf"[^\W\d_]{{2,}}|[{EAST}]|&")  # "目 录" and "Q&A" are headings
SIGNS = FUNCTIONS | {"十"}  # no words: OCR takes + for ten
VERSION = re.compile(r"\[?v?\d+(\.\d+){2,}")  # what changed in it is said below
OUTLINED = re.compile(r"^(?:\d+(?:\.\d+)*\.?\s+)+(?=[^\W\d_]{3})")  # the number of a section
LETTERS = 0.35  # of the characters of a heading at least
INITIALED = r"(?:[A-Z]\.[ -]?)+[A-Z][\w'’-]+"  # "Y. Tanabe"
BYLINE = re.compile(  # "By Ann Lee and Jo Day", "本报记者 张伟": over an article, in bold
    rf"(?:By|BY) [A-Z][\w.'’-]+(?:,? (?:[A-Z][\w.'’-]*|and|und|et|y|de|van|von))+"
    rf"|(?:(?:本报|本刊|特约|实习)(?:记者|通讯员)[\s/／:：|]*|(?:记者|通讯员|编辑|作者|文)[\s/／:：|]+)"
    rf"[{EAST}]{{2,4}}(?:[\s、]+[{EAST}]{{2,4}})*"
    rf"|{INITIALED}(?:,? and {INITIALED}|, {INITIALED})+",
)


def heads_entries(text: str, below: str) -> bool:
    """Return whether it is the letter of a part of an index, and the line below an entry that begins with it."""
    return len(text) == 1 < len(below) and text.isupper() and text == below[0].upper()


def are_sites(first: str, second: str) -> bool:
    """Return whether two lines are web addresses, the first of which does not go on in the second."""
    return SITE.fullmatch(first) is not None and SITE.fullmatch(second) is not None and first[-1] != "/"


def is_byline(text: str) -> bool:
    """Return whether it says nothing but who wrote an article."""
    return BYLINE.fullmatch(text) is not None


def has_words(text: str) -> bool:
    """Return whether it has enough letters, or the number of a version; more than a number and its unit, or than
    letters of a drawing and functions of a formula."""
    letters = sum(map(str.isalpha, text))
    said = OUTLINED.sub("", text)
    worded = not SIGNS.issuperset(WORDS.findall(text))
    named = worded and letters > 1 and letters >= LETTERS * len(said.replace(" ", ""))
    return VERSION.match(text) is not None or (named and not QUANTITY.fullmatch(text))


def page_of(text: str) -> int:
    """Return where a page number lies in a book, from 1: Roman numerals come first. 0 where it is no number."""
    if text.isdecimal():
        return FRONT + int(text) if int(text) else 0
    return numeral_value(text)


def numeral_value(text: str) -> int:
    """Return the value of a Roman numeral in small letters, 0 where it is none."""
    values = [NUMERALS[char] for char in text] if IN_NUMERALS.fullmatch(text) else []
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=False))


def count_words(text: str) -> int:
    """Return how many words a text has; two Chinese or Japanese characters, between which no spaces stand, are one."""
    if text.isascii():
        return len(text.split())
    apart, east = CJK.subn(" ", text)
    return len(apart.split()) + (east + 1) // 2


def ends_sentence(text: str) -> bool:
    """True for a whole sentence, a quotation, or a line that goes on: none of them is a heading."""
    long = count_words(text) >= SENTENCE or len(text) > 60
    return text.endswith((",", ";", "，", "；", "。")) or (long and text.endswith(".")) or is_quotation(text)


def is_quotation(text: str) -> bool:
    """Return whether a whole sentence stands in quotation marks."""
    quoted = text[:1] in "“„«\"'‘" and text[-1:] in "”“»\"'’" and not set(text[1:-1]) & set('”»"')
    return quoted and (count_words(text) >= SENTENCE or len(text) > 60)


def is_rtl(text: str) -> bool:
    """True where right-to-left letters outnumber left-to-right ones."""
    if text.isascii():
        return False
    kinds = [unicodedata.bidirectional(char) for char in text]
    return sum(k in ("R", "AL") for k in kinds) > sum(k == "L" for k in kinds)


PART = re.compile(  # what legal and technical texts number: "Section 8.12", "Exhibit F-1"
    r"(?:section|article|clause|chapter|part|schedule|exhibit|appendix|annex|item|note|level|§§?"
    r"|artikel|abschnitt|kapitel|anlage|chapitre|annexe|artículo|capítulo|anexo)"
    r"\s*(?:\d[\w.()-]{0,8}|[A-Z](?:[-.]\d+)*|[IVX]+)[.:]?",
    re.IGNORECASE,
)
