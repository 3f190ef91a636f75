"""Headings: small learned models say which groups of lines are some.

The first is asked how a group differs from the others of its page (`measures.py`), the second also what the first says
of these: a group that looks like sure headings is hardly text. Both learned from documents whose headings are known
(`training/headings.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from docparse.hyphenation import HAN
from docparse.layout.chained import grouped
from docparse.layout.kinds.forest import shipped_forest
from docparse.layout.kinds.measures import TYPED, Look, Neighbours, look_of
from docparse.layout.kinds.style import PageStyle
from docparse.layout.text.groups import Group
from docparse.layout.text.wording import COLONS, has_words
from docparse.types import Box

LIKELY = 0.4  # F1 of unseen documents is 0.918 on average; at 0.5 it is 0.911, as some have a title alone
LIKELY_OVER_LIST = 0.1  # 12 of 13 bold lines over lists that the models held for this likely or a little more are some
FLUSH = 0.2  # em
DASHES = ("- ", "– ", "— ")  # of an item, or before who said something
# a web site, a theorem, who owns a text, the answer to a question of an exam, and where a table was taken from
NO_HEADING = re.compile(
    r"www\.\S+$|(?:theorem|lemma|corollary|proposition|definition|remark)\s+\d+\b|(?:定义|定理|引理|推论|命题|公理|例题?|注)\s*\d|"
    r"copyright (?:©|\(c\)|\d{4}|by\b)|©|(?:答案|answers?|source|quellen?|来源)\s*[:：]\s*\S",
    re.IGNORECASE,
)
SALUTATION = re.compile(  # of a letter
    r"(?:(?:my )?dear\b.{0,40}|(?:dear )?sirs?|(?:ladies and )?gentlemen|to whom it may concern)\s*[,:;!—–-]+"
    r"|(?:sehr geehrte.{0,60}|(?:liebe[rs]?|monsieur|madame|ch(?:er|ère)s?)\b.{0,30}|messieurs|estimad[oa]s?\b.{0,40})"
    r"\s*[,!]+",
    re.IGNORECASE,
)
CHOICE = re.compile(rf"[A-F][.．、]\s*[{HAN}]")  # in a Chinese exam
ABSTRACT = re.compile(
    r"(?:abstract|zusammenfassung|kurzfassung|résumé|resumen|resumo|riassunto|摘\s*要|要\s*旨)\W*", re.IGNORECASE
)
SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+\S")
BOLD = 0.9  # of its characters are so, or names in code
SMALL = 0.97  # times the size of the text: \small is 0.9 of it
LABEL = 1.1  # times the size of the text: labels of drawings are no larger
HIGH = 4.0  # em: drawings are higher than the pictures that stand beside headings
OVER = -0.3, 2.0  # em from the line over a displayed formula to this: one that ends left of it may be level with it
CLOSE, NEAR = 0.75, 1.5  # em between a drawing and words beside it, or what is none: columns stand further apart
TOUCHING, PART = 0.3, re.compile(r"\(?[A-Za-z][).]?")  # em; of a figure, which often is in large type
COMPANY = ("chance", "chance alike", "chance over", "chance under", "chance of the page")
NOBODY = -1.0  # the chance of a group that there is not


def headings_among(
    groups: Sequence[Group], neighbours: Sequence[Neighbours], measures: Sequence[Mapping[str, float]]
) -> list[bool]:
    """Return which groups look like headings, by what `neighbours_of` and `measures_of` say of them."""
    first = shipped_forest("headings").probabilities(measures)
    company = company_of(list(map(look_of, groups)), neighbours, first)
    rows = [{**own, **others} for own, others in zip(measures, company, strict=True)]
    chances = shipped_forest("headings-company").probabilities(rows).tolist()
    least = (_least(*pair) for pair in zip(groups, measures, strict=True))
    able = [_may_be(group, noisy=own["noisy"] > 0) for group, own in zip(groups, measures, strict=True)]
    return [may and chance > low for may, chance, low in zip(able, chances, least, strict=True)]


def company_of(looks: Sequence[Look], neighbours: Sequence[Neighbours], chances: np.ndarray) -> list[dict[str, float]]:
    """Return what `chances`, float [groups], say of each group and of its company: on average of the others that look
    like it, of those over and under it, and on average of all on the page."""
    said = chances.tolist()
    alike = {look: (sum(own), len(own)) for look, own in grouped(zip(looks, said, strict=True)).items()}
    whole = float(chances.mean()) if said else 0.0
    found = []
    for look, (over, under), chance in zip(looks, neighbours, said, strict=True):
        total, count = alike[look]
        mean = (total - chance) / (count - 1) if count > 1 else NOBODY
        beside = [NOBODY if k is None else said[k] for k in (over, under)]
        found.append(dict(zip(COMPANY, (chance, mean, *beside, whole), strict=True)))
    return found


def _least(group: Group, measures: Mapping[str, float]) -> float:
    """Return how likely a group has to be a heading: half as much if it is bold, but for names in code, and has a
    number of several parts before it, "2.1.3 "; or a bold "Abstract", small as LaTeX sets it; less over a list."""
    text = group.text.strip()
    bold = group.share("bold")
    named = measures["size"] < SMALL and ABSTRACT.fullmatch(text)
    numbered = SECTION.match(text) and bold + group.share("mono") > BOLD
    if _leads_list(group, measures):
        return LIKELY_OVER_LIST
    return LIKELY / 2 if bold > 0.5 and (named or numbered) else LIKELY


def _leads_list(group: Group, measures: Mapping[str, float]) -> bool:
    """Return whether it is all bold, as a text layer tells, stands right over a list and begins where that does or
    further out. Of such notes consist, in which the models see much that is bold and little text to head."""
    over = measures["under item"] > 0 and measures["under indent"] > -FLUSH and not measures["noisy"]
    return over and group.share("bold") == 1 and not group.is_item and not group.text.strip().endswith(COLONS)


def _may_be(group: Group, *, noisy: bool) -> bool:
    """Return whether its words may be those of a heading, however they are set: no address, blank, item or salutation,
    no field, and on a `noisy` page, where sizes are measured, no letter alone, which is mostly a crumb of a formula or
    a drawing, and nothing to choose from."""
    text = group.text.strip()
    if noisy and (sum(map(str.isalnum, text)) < 2 or CHOICE.match(text)):
        return False
    said = NO_HEADING.match(text) or SALUTATION.fullmatch(text) or _is_field(group)
    return not TYPED.search(text) and not text.startswith(DASHES) and not said


def _is_field(group: Group) -> bool:
    """Return whether it is a bold label with its plain value, "Severity: high"."""
    words = [word for line in group.lines for word in line.words]
    end = next((i for i, word in enumerate(words, 1) if word.text.endswith(COLONS)), len(words))
    label, value = words[:end], words[end:]
    return bool(value) and all(word.bold for word in label) and not any(word.bold for word in value)


def introduces(group: Group, formulas: Sequence[Box], style: PageStyle) -> bool:
    """Return whether words in the type of the text stand right over a displayed formula in their column, of which the
    models do not know: "其中 Larmor 频率"."""
    box, em = group.box, group.size
    if group.share("bold") > 0.5 or em > LABEL * style.body:
        return False
    right = style.page.x1  # a formula that is centred in the column leaves as much white on both sides
    return any(
        OVER[0] * em < each.y0 - box.y1 < OVER[1] * em and box.x0 < each.x1 < right - max(each.x0 - box.x0, 0)
        for each in formulas
    )


def is_label(group: Group, drawings: Sequence[Box], body: float) -> bool:
    """Return whether a few words are those of a drawing that they stand beside, no larger than the text, or no words at
    all, close to one, of which only the letters of its parts are larger. Bold words, as those of headings, touch it."""
    em, box, small = group.size, group.box, group.size < LABEL * body
    high = [drawing for drawing in drawings if drawing.height > HIGH * em]
    if not has_words(group.text):
        near = any(max(box.gap_x(drawing), box.gap_y(drawing)) < NEAR * em for drawing in high)
        return near and (small or PART.fullmatch(group.text) is not None)
    level = (drawing for drawing in high if drawing.y0 <= box.y0 and box.y1 <= drawing.y1)
    close = TOUCHING if group.is_bold else CLOSE
    return small and any(abs(box.gap_x(drawing)) < close * em for drawing in level)
