"""Headings: what sets a line apart from the text under it, and what a heading never looks like."""

from __future__ import annotations

import re

from docparse.layout.groups import Group
from docparse.layout.style import PageStyle
from docparse.layout.wording import ends_sentence
from docparse.types import Category

SURE = 0.5  # score from which the detector is believed

NUMBERED = re.compile(
    r"(?:(?:chapter|section|part|appendix|article|kapitel|chapitre)\s+)?(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*[.)]?\s+\S",
    re.IGNORECASE,
)
MARKED = re.compile(r"(?:[A-Z]|[IVX]+|\d{1,2})[.)]\s+\S|\d{1,2}(?:\.\d+)+\.?\s+\S")  # "A. Set-up", "2.1 Set-up"
HEADING_WORDS = re.compile(
    r"(?:abstract|introduction|background|related works?|methods?|materials and methods|results?|discussion|"
    r"conclusions?|references|bibliography|acknowledge?ments?|appendix|(?:table of )?contents|summary)\W*",
    re.IGNORECASE,
)
AMOUNT = re.compile(r"[$€£¥]\s?\d|\d[.,]\d\d(?!\d)|\d\s?[%€]")  # bold sums and totals are no headings


def is_heading(group: Group, style: PageStyle) -> bool:
    """A few lines that are larger than prose, or set apart and not a sentence, or named so by the detector."""
    text = group.text.strip()
    letters = sum(char.isalpha() for char in text)
    if len(group.lines) > 4 or len(text) > 250 or letters < 2 or letters < 0.4 * len(text.replace(" ", "")):
        return False
    if ends_sentence(text):
        return False
    return _is_large(group, style) or _is_named(group, style) or _stands_out(group, style)


def is_heading_style(group: Group, style: PageStyle) -> bool:
    """For a group that begins with a number: larger than prose, bold, italic or in capitals, and short."""
    text = group.text.strip()
    if len(group.lines) > 2 or len(text) > 150 or not text[:1].isalnum() or ends_sentence(text):
        return False
    if group.is_item and group.share("bold") > 0.5 and not group.lines[0].words[0].bold:
        return False  # the number of a heading is set like its words, that of an item like the text of the list
    if group.size > style.heading * style.prose:
        return True
    if text.endswith((".", ";", ",", ":")):
        return False
    type_says_so = _is_bold(group, style) or _in_capitals(text) or group.share("italic") > 0.9
    return type_says_so or (not style.noisy and _is_named(group, style) and _is_distinct(group, style))


def _is_large(group: Group, style: PageStyle) -> bool:
    ratio = group.size / style.prose
    return ratio > max(1.3, style.heading) or (ratio > style.heading and len(group.text) < 150)


def _is_named(group: Group, style: PageStyle) -> bool:
    """The detector says heading; where sizes and fonts are exact, the type must say so too."""
    region = group.region
    if region is None or region.score <= SURE:
        return False
    display = region.category is Category.PAGE_HEADER and _in_capitals(group.text)  # but it is no running head
    if region.category not in (Category.SECTION_HEADER, Category.TITLE) and not display:
        return False
    if group.size <= 0.85 * style.body or len(group.text) >= 200:
        return False
    text = group.text.strip()
    return style.noisy or _is_distinct(group, style) or bool(NUMBERED.match(text) or HEADING_WORDS.fullmatch(text))


def _is_distinct(group: Group, style: PageStyle) -> bool:
    return (
        group.size > 1.03 * style.body
        or (group.share("bold") > 0.5 and not style.bold)
        or group.share("italic") > 0.9
        or group.lines[0].main.font != style.font
        or _in_capitals(group.text)
    )


def _stands_out(group: Group, style: PageStyle) -> bool:
    """Text-sized, but bold, or a numbered line in capitals or italics, or a word that only heads sections."""
    text = group.text.strip()
    keyword = bool(HEADING_WORDS.fullmatch(text))
    if group.size < 0.93 * style.body or len(group.lines) > 2 or text.endswith((".", ",", ";", ":")):
        return keyword and group.share("bold") > 0.9
    bold = _is_bold(group, style) and len(text) < 120 and not AMOUNT.search(text)
    capitals = _in_capitals(text) and bool(NUMBERED.match(text))
    italic = group.share("italic") > 0.9 and bool(MARKED.match(text))
    return keyword or bold or capitals or italic


def _is_bold(group: Group, style: PageStyle) -> bool:
    return group.share("bold") > 0.9 and not style.bold


def _in_capitals(text: str) -> bool:
    return text.isupper() and len(text) < 80 and sum(char.isalpha() for char in text) > 3
