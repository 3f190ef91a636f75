"""What sets a group of lines apart from the others of its page, in numbers: what the model of headings asks about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from docparse.hyphenation import EAST
from docparse.layout.geometry import corners_of, level_strokes
from docparse.layout.kinds.style import PageStyle
from docparse.layout.text.groups import Group
from docparse.layout.text.wording import HEADING_WORDS, count_words, ends_sentence, is_byline
from docparse.types import Box

NAMES = "chapter|section|part|appendix|article|schedule|annex|kapitel|artikel|abschnitt|chapitre|artículo|capítulo"
NUMBERED = re.compile(rf"(?:(?:{NAMES})\s+)?(?:\d+|[A-Z]|[IVX]+)(?:\.\d+)*[.)]?\s+\S", re.IGNORECASE)
MARKED = re.compile(  # "A. Set-up", "2.1 Set-up", "Article 2. Term"
    rf"(?:[A-Z]|[IVX]+|\d{{1,2}})[.)]\s+\S|\d{{1,2}}(?:\.\d+)+\.?\s+\S|(?i:{NAMES})\s+(?:[A-Z]|[IVX]+|\d{{1,3}})[.:]\s+\S"
)
RELATION = re.compile(r"[=<>≤≥√∑∫{}^×⁰ⁱ-⁾²³¹]|\d·|·\d")
TYPED = re.compile(r"____|(?:^|\s)[-−]{1,2}[a-z]|https?://|\w@\w+[.-]\w|^(?:\$ |//)")  # forms, commands, addresses
FAR = 30.0  # em: white where nothing is near
SHORT = 4.0  # em by which an indented block may begin behind the end of the line over it
RULE_REACH = 3.0  # em within which a rule over or under a group is its own
TEXT_LENGTH = 40  # characters of a group that a heading may stand over
MAX_COUNT = 60  # words and other counts: more tell nothing
NOTHING = {  # what is said of the group over or under one, where there is none
    "lines": 0, "characters": 0, "size": 0, "bold": 0, "italic": 0, "width": 0, "item": -1, "sentence": -1,
    "white": FAR, "indent": FAR, "middle": FAR,
}  # fmt: skip
NAME = re.compile(r"[^\W\d_]{4,}")
EASTERN = re.compile(rf"[{EAST}]")


class Look(NamedTuple):
    """The look that headings have in common. `size` is to half a point; `face` is the name of the font without its
    weight and slant, "" on pixels; `tinted` is a colour of its own."""

    size: float
    face: str
    capitals: bool
    bold: bool
    italic: bool
    small_caps: bool
    tinted: bool


def look_of(group: Group) -> Look:
    """Return how most of a group is set."""
    face = re.sub("(PS)?(MT)?$", "", re.split(r"[-,]", group.lines[0].main.font)[0])
    styles = (group.share(style) > 0.5 for style in ("bold", "italic", "small_caps", "tinted"))
    return Look(round(2 * group.size) / 2, face, group.text.isupper(), *styles)


def measures_of(
    groups: Sequence[Group],
    neighbours: Sequence[Neighbours],
    style: PageStyle,
    rulings: np.ndarray,
    panels: np.ndarray,
    *,
    noisy: bool,
) -> list[dict[str, float]]:
    """Return the measures of each group, whose `neighbours` are those of `neighbours_of`. `rulings` and `panels`, float
    [n, 4], are strokes and painted boxes of the page; `noisy` says that it was read from pixels."""
    page = _Page(groups, [None if n.under is None else groups[n.under] for n in neighbours], style)
    level = level_strokes(rulings)
    found = []
    for i, (group, beside) in enumerate(zip(groups, neighbours, strict=True)):
        over, under = (None if k is None else groups[k] for k in beside)
        own = _words(group) | _type(group, style) | page.place(i) | page.company(i)
        own |= _beside(group, over, "over") | _beside(group, under, "under")
        own |= _drawn(group.box, group.size, level, panels)
        own |= {"noisy": noisy, "landscape": style.page.width > style.page.height, "groups": min(len(groups), 100)}
        white = max(own["over white"], 0.05) / max(own["under white"], 0.05)
        found.append({name: float(value) for name, value in (own | {"white": min(white, 10.0)}).items()})
    return found


class Neighbours(NamedTuple):
    """The next group up the page, and down it, that share some of the width of one, by index; None at the ends of a
    column."""

    over: int | None
    under: int | None


def neighbours_of(groups: Sequence[Group]) -> list[Neighbours]:
    """Return what stands over and under each group. What a short term stands over may be indented beyond its end."""
    boxes = corners_of(group.box for group in groups)
    left, top, right, bottom = boxes.T
    middle = (top + bottom) / 2
    found = []
    for (x0, y0, x1, y1), group in zip(boxes.tolist(), groups, strict=True):
        reach = SHORT * group.size
        over = np.flatnonzero((middle < y0) & (left < x1) & (right > x0))
        under = np.flatnonzero((middle > y1) & (top >= y0) & (left < x1 + reach) & (right > x0 - reach))
        above = int(over[bottom[over].argmax()]) if len(over) else None
        found.append(Neighbours(above, int(under[top[under].argmin()]) if len(under) else None))
    return found


def _words(group: Group) -> dict[str, float]:
    text = group.text.strip()
    names = NAME.findall(text)
    return {
        "words": min(count_words(text), MAX_COUNT),
        "characters": min(len(text), 10 * MAX_COUNT),
        "lines": len(group.lines),
        "full stop": text.endswith((".", "。")),
        "colon": text.endswith((":", "：")),
        "question": text.endswith(("?", "？", "!", "！")),
        "comma": text.endswith((",", ";", "，", "；")),
        "sentence": ends_sentence(text),
        "capitalised": sum(name[0].isupper() for name in names) / max(1, len(names)),
        "digits": sum(map(str.isdigit, text)) / max(1, len(text)),
        "letters": sum(map(str.isalpha, text)) / max(1, len(text)),
        "begins large": text[:1].isupper(),
        "begins with a figure": text[:1].isdigit(),
        "numbered": NUMBERED.match(text) is not None,
        "marked": MARKED.match(text) is not None,
        "heading word": HEADING_WORDS.fullmatch(text) is not None,
        "eastern": len(EASTERN.findall(text)) / max(1, len(text)),
        "relation": RELATION.search(text) is not None,
        "typed": TYPED.search(text) is not None,
        "byline": is_byline(text),
        "capitals": text.isupper(),
        "item": group.is_item,
    }


def _type(group: Group, style: PageStyle) -> dict[str, float]:
    shares = {name: group.share(name) for name in ("bold", "italic", "small_caps", "tinted", "mono")}
    sizes = {"size": group.size / max(style.prose, 1.0), "type size": group.type_size / max(style.prose, 1.0)}
    return shares | sizes | {"confidence": group.confidence}


def _beside(group: Group, other: Group | None, name: str) -> dict[str, float]:
    """Say how a group differs from the next one over or under it."""
    em = max(group.size, 1.0)
    if other is None:
        return {f"{name} {key}": value for key, value in NOTHING.items()}
    upper, lower = sorted((group, other), key=lambda each: each.box.y0)
    measured = {
        "lines": min(len(other.lines), MAX_COUNT),
        "characters": min(other.characters, 10 * MAX_COUNT),
        "size": group.size / max(other.size, 1.0),
        "bold": group.share("bold") - other.share("bold"),
        "italic": group.share("italic") - other.share("italic"),
        "width": other.box.width / max(group.box.width, 1.0),
        "item": other.is_item,
        "sentence": ends_sentence(other.text),
        "white": min((lower.box.y0 - upper.box.y1) / em, FAR),
        "indent": max(-FAR, min((other.box.x0 - group.box.x0) / em, FAR)),
        "middle": min(abs(other.box.center[0] - group.box.center[0]) / em, FAR),
    }
    return {f"{name} {key}": value for key, value in measured.items()}


def _drawn(box: Box, em: float, level: np.ndarray, panels: np.ndarray) -> dict[str, float]:
    """Say how near level rules are over and under a box, how long the one under it is, and how high a panel around it,
    in em."""
    found = {"rule over": FAR, "rule under": FAR, "rule length": 0.0, "panel": 0.0}
    em = max(em, 1.0)
    if len(level):
        shared = np.minimum(level[:, 2], box.x1) - np.maximum(level[:, 0], box.x0)
        level = level[shared > 0.5 * box.width]
        over, under = (box.y0 - level[:, 1]) / em, (level[:, 1] - box.y1) / em
        for name, gap in (("rule over", over), ("rule under", under)):
            near = gap[(gap > -0.4) & (gap < RULE_REACH)]
            found[name] = float(near.min()) if len(near) else FAR
        near = level[(under > -0.4) & (under < RULE_REACH)]
        found["rule length"] = float((near[:, 2] - near[:, 0]).min()) / max(box.width, 1.0) if len(near) else 0.0
    if len(panels):
        around = panels[
            (panels[:, :2] <= (box.x0 + 1, box.y0 + 1)).all(1) & (panels[:, 2:] >= (box.x1 - 1, box.y1 - 1)).all(1)
        ]
        found["panel"] = float((around[:, 3] - around[:, 1]).min()) / em if len(around) else 0.0
    return found


class _Page:
    """Holds what all groups of a page say of each."""

    def __init__(self, groups: Sequence[Group], below: Sequence[Group | None], style: PageStyle) -> None:
        self.groups, self.style = groups, style
        self.boxes = corners_of(group.box for group in groups)
        self.looks = [look_of(group) for group in groups]
        self.characters, self.times, self.heads = Counter[Look](), Counter[Look](), Counter[Look]()
        self.faces = Counter[str]()
        for look, group, under in zip(self.looks, groups, below, strict=True):
            self.characters[look] += max(1, group.characters)
            self.faces[look.face] += max(1, group.characters)
            self.times[look] += 1
            self.heads[look] += under is not None and under.characters > TEXT_LENGTH
        self.total = self.characters.total()
        self.usual = max(self.characters, key=self.characters.__getitem__, default=None)

    def place(self, i: int) -> dict[str, float]:
        """Say where group `i` stands on the page, how wide it is, and how many stand beside it."""
        x0, y0, x1, y1 = self.boxes[i].tolist()
        page, em = self.style.page, max(self.groups[i].size, 1.0)
        beside = (self.boxes[:, 1] < (y0 + y1) / 2) & (self.boxes[:, 3] > (y0 + y1) / 2)
        return {
            "left": (x0 - page.x0) / max(page.width, 1.0),
            "top": (y0 - page.y0) / max(page.height, 1.0),
            "width": (x1 - x0) / max(page.width, 1.0),
            "off the middle": min(abs((x0 + x1) / 2 - page.center[0]) / em, FAR),
            "beside": min(int(beside.sum()) - 1, 10),
        }

    def company(self, i: int) -> dict[str, float]:
        """Say how much of the page has the look of group `i`, how many groups have it and how long they are, and which
        share of these stands over text."""
        look = self.looks[i]
        times = self.times[look]
        return {
            "alike": min(times, MAX_COUNT),
            "share": self.characters[look] / self.total,
            "length": min(self.characters[look] / times, 10 * MAX_COUNT),
            "over text": self.heads[look] / times,
            "face": self.faces[look.face] / self.total,
            "usual": look == self.usual,
        }
