"""Categories: is this group of lines a heading, a list item, a caption, a footnote, a formula, or plain text?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from docparse.layout.groups import Group
from docparse.layout.lines import BULLETS, is_marker
from docparse.types import Box, Category

HEADING_SIZE = 1.12  # times the size of prose
NOISY_HEADING_SIZE = 1.35  # the same where OCR measured the sizes
CAPTION = re.compile(
    r"(?:fig(?:ure)?s?|tab(?:le)?s?|chart|scheme|plate|exhibit|algorithm|listing|abb(?:ildung)?|tabelle)\.?\s*"
    r"(?:S?\d+|[IVX]+|[A-Z])(?:[.:|–—-]|\s|$)|[图表]\s*\d",
    re.IGNORECASE,
)
NUMBERED = re.compile(r"(?:(?:chapter|section|part|appendix)\s+)?(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*\.?\s+\S", re.IGNORECASE)
FOOTNOTE_MARK = re.compile(r"[*†‡§¶#]|\d{1,2}|[a-z]")
HEADING_WORDS = re.compile(
    r"(?:abstract|introduction|background|related works?|methods?|materials and methods|results?|discussion|"
    r"conclusions?|references|bibliography|acknowledge?ments?|appendix|contents|summary)\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PageStyle:
    """What is normal on this page.

    `body` is the middle size of running text in points, `prose` the largest size that a good part of the text has;
    `bold` says that running text is set in bold.
    """

    body: float
    prose: float
    heading: float  # times the prose size from which a line looks like a heading
    bold: bool
    page: Box


def page_style(groups: Sequence[Group], page: Box, *, noisy: bool = False) -> PageStyle:
    """The size of most prose characters (lines long enough to be prose), of all characters if there is no prose."""
    heading = NOISY_HEADING_SIZE if noisy else HEADING_SIZE
    lines = [line for group in groups for line in group.lines]
    prose = [line for line in lines if line.characters >= 25 and line.share("math") < 0.5] or lines
    if not prose:
        return PageStyle(10.0, 10.0, heading, False, page)
    sizes = np.array([line.size for line in prose])
    weights = np.array([line.characters for line in prose], dtype=float)
    rank = np.argsort(sizes, kind="stable")
    middle = np.searchsorted(np.cumsum(weights[rank]), weights.sum() / 2)
    bold = sum(line.share("bold") * line.characters for line in prose) > 0.5 * weights.sum()
    body = float(sizes[rank][middle])
    # of the long lines of each size, how much of the text: two text sizes (a bibliography) are both prose
    common = [size for size in set(sizes) if weights[np.abs(sizes - size) < 0.03 * size].sum() > 0.2 * weights.sum()]
    return PageStyle(body, max([body, *common]), heading, bold, page)


def categorise(group: Group, style: PageStyle, floats: Sequence[Box], rulings: np.ndarray) -> Category:
    """The category of one group. `floats` are the page's tables and pictures (for captions)."""
    region = group.region.category if group.region else None
    score = group.region.score if group.region else 0.0
    if is_caption(group, region, floats):
        return Category.CAPTION
    if is_footnote(group, style, rulings):
        return Category.FOOTNOTE
    if is_formula(group, region):
        return Category.FORMULA
    if list_marker(group) and not _is_heading_style(group, style):
        return Category.LIST_ITEM
    if is_heading(group, style, region, score):
        return Category.SECTION_HEADER
    return Category.TEXT


def is_caption(group: Group, region: Category | None, floats: Sequence[Box]) -> bool:
    if not CAPTION.match(group.text):
        return region is Category.CAPTION and bool(floats) and len(group.text) < 400
    if region is Category.CAPTION:
        return True
    reach = 4 * group.size
    box = group.box
    return any(
        box.overlap_x(other) > 0.3 * min(box.width, other.width) and max(box.y0 - other.y1, other.y0 - box.y1) < reach
        for other in floats
    ) or bool(re.match(r"\S+\s*\S*[.:|]", group.text[:14]) and len(group.text) < 600)


def is_footnote(group: Group, style: PageStyle, rulings: np.ndarray) -> bool:
    """Small print low on the page that begins with a mark, or stands under a short stroke."""
    box, first = group.box, group.lines[0]
    if box.y0 < style.page.y0 + 0.55 * style.page.height or group.size > 0.95 * style.body:
        return False
    word = first.words[0]
    marked = bool(FOOTNOTE_MARK.fullmatch(word.text.rstrip(".)"))) and len(first.words) > 1
    raised = marked and word.size < 0.9 * first.size
    return raised or (marked and _under_stroke(box, style, rulings)) or _under_stroke(box, style, rulings)


def _under_stroke(box: Box, style: PageStyle, rulings: np.ndarray) -> bool:
    if len(rulings) == 0:
        return False
    flat = np.abs(rulings[:, 1] - rulings[:, 3]) < 1
    width = rulings[:, 2] - rulings[:, 0]
    near = (rulings[:, 1] < box.y0 + 2) & (rulings[:, 1] > box.y0 - 14 * style.body)
    start = np.abs(rulings[:, 0] - box.x0) < 2 * style.body
    return bool(np.any(flat & near & start & (width < 0.45 * style.page.width) & (width > 2 * style.body)))


def is_formula(group: Group, region: Category | None) -> bool:
    """Lines of mathematics on their own: the detector says so, or most of the characters are from math fonts."""
    text = group.text
    words = re.findall(r"[^\W\d_]{4,}", text)
    wordy = sum(map(len, words)) > 0.35 * max(1, group.characters)
    if region is Category.FORMULA:
        return not wordy
    symbols = len(re.findall(r"[=+<>≤≥∑∏∫√±×·→∈∞∂−]", text))
    math = group.share("math")
    return len(group.lines) <= 12 and symbols >= 1 and not wordy and (math > 0.35 or (math > 0.15 and symbols >= 2))


def list_marker(group: Group) -> str:
    """The item marker the group begins with, or ""; a bracketed number is a reference, not a list item."""
    words = group.lines[0].words
    text = words[0].text
    if len(words) > 1 and is_marker(text) and not text.startswith("["):
        if text in "-–—" and words[1].glued:
            return ""
        return text
    if text[0] in BULLETS.replace("*", "").replace("·", "").replace("–", "").replace("—", "") and len(group.text) > 1:
        return text[0]
    return ""


def _is_heading_style(group: Group, style: PageStyle) -> bool:
    if len(group.lines) > 2 or len(group.text) > 150:
        return False
    larger = group.size > style.heading * style.prose
    return larger or (
        group.share("bold") > 0.9 and not style.bold and not group.text.rstrip().endswith((".", ";", ","))
    )


def is_heading(group: Group, style: PageStyle, region: Category | None, score: float) -> bool:
    text = group.text.strip()
    letters = sum(char.isalpha() for char in text)
    if len(group.lines) > 4 or len(text) > 250 or letters < 2 or letters < 0.4 * len(text.replace(" ", "")):
        return False
    ratio = group.size / style.prose
    ends = text.endswith((",", ";")) or (text.endswith(".") and len(text) > 60)
    if ratio > max(1.3, style.heading) or (ratio > style.heading and len(text) < 150):
        return not ends
    if region in (Category.SECTION_HEADER, Category.TITLE) and score > 0.5 and group.size > 0.85 * style.body:
        return not ends and len(text) < 200
    if group.size < 0.93 * style.body or len(group.lines) > 2 or text.endswith((".", ",", ";", ":")):
        return bool(HEADING_WORDS.fullmatch(text)) and group.share("bold") > 0.9
    bold = group.share("bold") > 0.9 and not style.bold
    capitals = text.isupper() and letters > 3 and len(text) < 80
    return (
        (bold and len(text) < 120)
        or (capitals and bool(NUMBERED.match(text) or HEADING_WORDS.fullmatch(text)))
        or bool(HEADING_WORDS.fullmatch(text))
    )
