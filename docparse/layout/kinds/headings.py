"""Headings: what sets a line apart from the text under it, and what a heading never looks like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from docparse.hyphenation import EAST, is_cjk
from docparse.layout.formula.evidence import is_strong
from docparse.layout.kinds.style import COLOURED, HEADING_SIZE, PROSE, PageStyle
from docparse.layout.text.groups import BOLD, Group
from docparse.layout.text.markers import NUMERALS
from docparse.layout.text.wording import CAPITALS, ends_sentence, has_words, heads_entries, is_byline
from docparse.layout.text.words import in_small_capitals
from docparse.types import union

NAMES = "chapter|section|part|appendix|article|schedule|annex|kapitel|artikel|abschnitt|chapitre|artículo|capítulo"
NUMBERED = re.compile(rf"(?:(?:{NAMES})\s+)?(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*[.)]?\s+\S", re.IGNORECASE)
NAMED = re.compile(rf"(?i:{NAMES})\s+(?:[A-Z]|[IVX]+|\d{{1,3}})[.:]\s+\S")  # "Article 2. Term"
MARKED = re.compile(  # "A. Set-up", "2.1 Set-up", and those
    rf"(?:[A-Z]|[IVX]+|\d{{1,2}})[.)]\s+\S|\d{{1,2}}(?:\.\d+)+\.?\s+\S|{NAMED.pattern}"
)
DECIMAL = re.compile(r"\d{1,2}(\.\d{1,2})+\.?\s+[^\W\d_]")  # "2.1 Set-up"
NUMERAL = re.compile(rf"[{NUMERALS}]{{1,3}}[、．.]")  # of a part, often in a font without bold letters
PART = re.compile(rf"[（(]\s*[{NUMERALS}]{{1,3}}\s*[)）]")  # of one of its own
HEADING_WORDS = re.compile(
    r"(?:abstract|introduction|background|related works?|methods?|materials? and methods|results?|discussion|"
    r"conclusions?|references|bibliography|acknowledge?ments?|appendix|(?:table of )?contents|summary)\W*",
    re.IGNORECASE,
)
ENDINGS = (".", ",", ";", ":")  # of what is no heading, unless it is large
DASHES = ("- ", "– ", "— ")  # of an item, or before who said something
RELATION = re.compile(r"[=<>≤≥√∑∫{}^×⁰ⁱ-⁾²³¹]|\d·|·\d")
NAME = re.compile(rf"[^\W\d_⁰-₟²³¹]{{4}}|[{EAST}]{{2}}")  # longer than sin, log, max
# forms, commands, addresses, comments in code
TYPED = re.compile(r"____|(?:^|\s)[-−]{1,2}[a-z]|https?://|\w@\w+[.-]\w|^(?:\$ |//)")
TRAILS_OFF = re.compile(r"[^.\s] ?\.(?: ?\.){2}$")  # three points, and no leader
STATEMENT = re.compile(r"[a-z]+(?: [a-z]+)?")  # of an algorithm: "end", "end if", "else"
EXAMPLE = "example|beispiel|exemp(?:le|lo)|ejemplo|esempio|пример"
FORMAL = re.compile(rf"(?:{EXAMPLE})\s+\d+(?:[.-]\d+)*[.:]\s", re.IGNORECASE)  # "Example 5.1. A file": over a listing
# bold sums and totals are no headings; "2.10 Garbage Collection" is
AMOUNT = re.compile(r"[$€£¥]\s?\d|\d[.,]\d\d(?!\d|\s+[^\W\d_]{5})|\d\s?[%€]")

CERTAIN = 0.95  # of OCR: on 29 scanned pages headings in print were read with 0.98 and more, handwriting with less
TITLE_WORDS = 8  # of a title that ends with a full stop, and its number
SHORT, LONG = 4, 6  # lines of a heading, and of a title in large type, at most
SIZE, SMALLER = 0.93, 0.8  # times the body size: of a bold line at least; in capitals, which look larger, or numbered
ADDRESS, NARROW = 3, 0.22  # lines of an address at least, and the share of the page's width: columns are wider
DISPLAY = 1.6  # times the size of prose: larger type is a title
NUMBERED_SIZE = 1.05  # times the size of prose: a larger line with the number of a section, or in italics, is a heading
POSTER = 2.0  # times the size of prose: type that heads even where it ends like a sentence
INSET = 4.0  # em by which a centred heading is shorter than the text under it, at either side
LIST_INDENT = 2.5  # em: browsers and word processors set markers 1 to 2 em in, a definition twice as far
TERM_SIZE = 1.05  # times the size of the definition: terms are no larger
OVER, ON_SLIDE = 2.0, 3.0  # em over its text at most: of a heading that only its colour tells; of the title of a slide
TINTED = 1.15  # times the size of prose: a coloured line that is larger is a heading wherever it stands
TERM_INDENT = 1.0  # em by which a definition hangs under its term; paragraphs' first lines are indented too, but longer


def is_heading(group: Group, style: PageStyle, below: Sequence[Group] = ()) -> bool:
    """Return whether it is a few lines that are larger than prose, or set apart and not a sentence.

    `below` is what stands under it: a line in the size of text over an indented block is the term of a definition.
    """
    text = group.text.strip()
    if len(text) == 1:
        entry = next((other.text for other in below if other.box.overlap_x(group.box) > 0), "")
        over = heads_entries(text, entry) and group.size > HEADING_SIZE * style.prose
        return over or (style.letters and text.isupper() and _is_large(group, style))
    titled = _is_numbered_title(group, style)
    ended = ends_sentence(text) and group.size < POSTER * style.prose and not titled
    most = LONG if group.size > DISPLAY * style.prose else SHORT
    if len(group.lines) > most or not 2 <= len(text) <= 250 or ended or text.startswith(DASHES) or TYPED.search(text):
        return False
    if group.size < DISPLAY * style.prose and is_byline(text):
        return False
    if _is_handwritten(group) or not has_words(text) or _is_formula(text) or _is_address(group, style):
        return False
    marked = MARKED.match(text) or _is_in_capitals(group, text) or _is_bold(group, style)
    if titled or _is_large(group, style) or _is_part(group, style) or (marked and _is_centred(group, below)):
        return True
    over_text = _is_tinted_heading(group, style, below) or _is_in_small_capitals(group, below)
    stands_out = _stands_out(group, style) or over_text
    return stands_out and not _is_term(group, style, below)


def _is_numbered_title(group: Group, style: PageStyle) -> bool:
    """Whether bold words alone stand behind the number of a section and end with a full stop, as those do that text may
    follow in their line: "3.1. **Remarks.**" """
    words = [word for line in group.lines for word in line.words]
    titled = (
        DECIMAL.match(group.text) and group.text.endswith(".") and len(group.lines) == 1 and len(words) <= TITLE_WORDS
    )
    return bool(titled) and all(word.bold for word in words[1:]) and not style.bold and not AMOUNT.search(group.text)


def _is_handwritten(group: Group) -> bool:
    """Whether OCR read it without certainty; Chinese is never read as surely."""
    return group.confidence < CERTAIN and not any(map(is_cjk, group.text))


def _is_address(group: Group, style: PageStyle) -> bool:
    """Short lines from one margin, not much larger than prose: a heading is not broken before its column is full."""
    flush = max(line.box.x0 for line in group.lines) - group.box.x0 < group.size
    small = group.size < DISPLAY * style.prose and group.box.width < NARROW * style.page.width
    return len(group.lines) >= ADDRESS and flush and small


def _is_term(group: Group, style: PageStyle, below: Sequence[Group]) -> bool:
    """Every line of the block below is indented; a centred line over a narrower block is no term, nor is the heading of
    a list, whose markers stand a little in, nor the title of a slide far over its text."""
    text = group.text.strip()
    if not below or group.is_item or NUMBERED.match(text) or (_in_capitals(text) and len(text) >= CAPITALS):
        return False
    block = below[0]
    if group.size > TERM_SIZE * block.size:
        return False
    indent = block.box.x0 - group.box.x0
    if block.is_item and indent < LIST_INDENT * group.size:
        return False
    centred = abs(block.box.center[0] - group.box.center[0]) < group.size
    running = len(block.lines) > 1 or ends_sentence(block.text)
    if style.page.width > style.page.height and block.box.y0 - group.box.y1 > ON_SLIDE * group.size:
        return False
    return indent > TERM_INDENT * group.size and running and not centred


def _is_formula(text: str) -> bool:
    """Whether signs of mathematics and no word are in it: in a scan, the parts of a formula are lines of all sizes."""
    return bool(RELATION.search(text)) and not NAME.search(text)


def is_heading_style(group: Group, style: PageStyle, below: Sequence[Group] = ()) -> bool:
    """Return whether a group that begins with a number looks like a heading: larger than prose, bold, italic or in
    capitals, or centred over the text `below`, and short. One in brackets numbers a heading only where it is bold, too,
    and no other item follows."""
    text = group.text.strip()
    numbered = text[:1].isalnum() or PART.match(text) or _is_bracketed(group, style, below)
    if len(group.lines) > 2 or len(text) > 150 or not numbered or ends_sentence(text):
        return False
    if group.size > style.heading * style.prose or _is_part(group, style):
        return True
    if group.share("bold") > 0.5 and not group.lines[0].words[0].bold:
        return False  # the number of a heading is set like its words, that of an item like the text of the list
    if text.endswith(ENDINGS):
        return False
    capitals = _is_in_capitals(group, text)
    set_so = _is_bold(group, style) or capitals or _is_in_italics(group, style)
    return set_so or _is_centred(group, below)


def _is_bracketed(group: Group, style: PageStyle, below: Sequence[Group]) -> bool:
    """Whether a number in brackets is bold as all words behind it, over what is no item: "(b) Leases"."""
    return group.text.startswith("(") and _is_bold(group, style) and bool(below) and not below[0].is_item


def _is_part(group: Group, style: PageStyle) -> bool:
    """Whether a Chinese numeral leads one line in a font that is not the usual one: few of these have bold letters."""
    line = group.lines[0]
    led = PART.match(group.text) or NUMERAL.match(group.text)
    return bool(led) and len(group.lines) == 1 and line.size >= style.body and line.main.font not in ("", style.font)


def _is_centred(group: Group, below: Sequence[Group]) -> bool:
    """One line in the middle of the next ones that are much longer; items begin at a margin. The longest of several
    that begin at one tells how wide they are."""
    if NAMED.match(group.text) and below and len(group.lines) == 1:  # of a part, over the headings and items in it
        column = union(other.box for other in below)
        return abs(group.box.center[0] - column.center[0]) < INSET * group.size / 2 < group.box.x0 - column.x0
    below = list(takewhile(lambda other: other.share("bold") <= max(0.5, group.share("bold")), below))
    texts = [other for other in below if len(other.lines) > 1]
    flush = [other for other in below if abs(other.box.x0 - below[0].box.x0) < 0.5 * group.size]
    if not texts and len(flush) > 2:
        texts = [max(flush, key=lambda other: other.box.width)]
    return len(group.lines) == 1 and any(_is_amid(group, text) for text in texts)


def _is_amid(group: Group, text: Group) -> bool:
    """Whether it stands in the middle of the column of a text, which may be wider than its ragged lines."""
    left, right = group.box.x0 - text.box.x0, text.box.x1 - group.box.x1
    ends = [line.box.x1 for line in text.lines[:-1]]
    ragged = len(ends) < 2 or max(ends) - min(ends) > group.size
    return left > INSET * group.size and abs(left - right) < (2 if ragged else 1) * group.size


def _is_large(group: Group, style: PageStyle) -> bool:
    ratio = group.type_size / style.prose
    if ratio > NUMBERED_SIZE and len(group.lines) == 1 and DECIMAL.match(group.text):
        return True
    return ratio > max(1.3, style.heading) or (ratio > style.heading and len(group.text) < 150)


def _stands_out(group: Group, style: PageStyle) -> bool:
    """Text-sized, but bold, or in capitals and numbered, or in italics and numbered or a little larger, or a word that
    only heads sections."""
    text = group.text.strip()
    keyword = bool(HEADING_WORDS.fullmatch(text))
    small = SMALLER if _in_capitals(text) or DECIMAL.match(text) else SIZE
    few = len(group.lines) <= 2 or (len(group.lines) == 3 and group.is_centred)
    size = group.lines[0].words[0].size if keyword else group.size  # capitals for small letters are set smaller
    ended = text.endswith(ENDINGS) and not TRAILS_OFF.search(text)
    if size < small * style.body or not few or ended:
        return keyword and group.is_bold
    named = AMOUNT.search(text) or STATEMENT.fullmatch(text) or FORMAL.match(text)
    bold = _is_bold(group, style) and len(text) < 120 and not named
    capitals = _is_in_capitals(group, text) and bool(NUMBERED.match(text))
    larger = group.size > NUMBERED_SIZE * style.prose and len(group.lines) == 1
    italic = _is_in_italics(group, style) and bool(larger or MARKED.match(text))
    return keyword or bold or capitals or italic


def _is_tinted_heading(group: Group, style: PageStyle, below: Sequence[Group]) -> bool:
    """A line in a colour of its own that is larger than prose, or right over text in the usual colour that begins at
    its margin, and, where these are known, in italics, larger or in another face. Elsewhere such lines are links, and
    labels of drawings. The title of a slide may stand in its middle, and further from its text."""
    text = group.text.strip()
    if len(group.lines) > 2 or text.endswith(ENDINGS) or group.share("tinted") < COLOURED:
        return False
    if group.size > TINTED * style.prose:
        return True
    if not below or group.size < SIZE * style.body:
        return False
    text_under = below[0]
    apart = group.share("italic") > 0.9 or group.size >= NUMBERED_SIZE * text_under.size
    apart |= group.share("mono") < 0.5 and _face(group) not in (_face(text_under), "")
    if not (style.noisy or apart):
        return False
    headed = text_under.is_item or text_under.characters >= PROSE
    flush = -group.size < text_under.box.x0 - group.box.x0 < LIST_INDENT * group.size
    is_slide = style.page.width > style.page.height
    flush |= is_slide and abs(group.box.center[0] - style.page.center[0]) < group.size
    near = text_under.box.y0 - group.box.y1 < (ON_SLIDE if is_slide else OVER) * group.size
    return headed and flush and near and text_under.share("tinted") < 0.5


def _face(group: Group) -> str:
    """The name of the face that a group is set in, without its weight and slant."""
    return re.sub("(PS)?(MT)?$", "", re.split(r"[-,]", group.lines[0].main.font)[0])


def _is_in_small_capitals(group: Group, below: Sequence[Group]) -> bool:
    """One line in a font of small capitals over several of running text from its margin."""
    small = group.share("small_caps") > 0.9 and len(group.lines) == 1 and len(group.text) >= CAPITALS
    if not small or group.text.endswith(ENDINGS):
        return False
    flush = (other for other in below if abs(other.box.x0 - group.box.x0) < LIST_INDENT * group.size)
    text = next(flush, None)
    return text is not None and len(text.lines) > 1 and text.share("small_caps") < 0.5


def _is_bold(group: Group, style: PageStyle) -> bool:
    plain = sum(len(word.text) for word in group.lines[0].words[:1] if NUMERAL.fullmatch(word.text))
    return group.share("bold") * group.characters > BOLD * (group.characters - plain) and not style.bold


def _is_in_italics(group: Group, style: PageStyle) -> bool:
    """Whether italics set it apart: on a page of theorems they do not, and what holds symbols is part of one."""
    symbols = any(is_strong(word) for line in group.lines for word in line.words)
    return group.share("italic") > 0.9 and not symbols and not style.italic


def _is_in_capitals(group: Group, text: str) -> bool:
    return _in_capitals(text) or in_small_capitals([word for line in group.lines for word in line.words])


def _in_capitals(text: str) -> bool:
    cased = [char for char in text if char.isupper() or char.islower()]
    letters = sum(map(str.isalpha, text))
    few = letters >= 2 * len(cased) or any(map(is_cjk, text))  # Chinese has no capitals, but names of points
    return text.isupper() and len(text) < 80 and letters > 3 and not few
