"""Headings: small learned models say which groups of lines are some.

The first is asked how a group differs from the others of its page (`measures.py`), the second also what the first says
of these: a group that looks like sure headings is hardly text. Both learned from documents whose headings are known
(`training/headings.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from docparse.layout.chained import grouped
from docparse.layout.kinds.forest import shipped_forest
from docparse.layout.kinds.measures import TYPED, Look, Neighbours, look_of
from docparse.layout.text.groups import Group

LIKELY = 0.4  # F1 of unseen documents is 0.918 on average; at 0.5 it is 0.911, as some have a title alone
DASHES = ("- ", "– ", "— ")  # of an item, or before who said something
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
    return [chance > LIKELY and _may_be(group) for group, chance in zip(groups, chances, strict=True)]


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


def _may_be(group: Group) -> bool:
    """Whether its words may be those of a heading, however they are set: no address, blank or item."""
    text = group.text.strip()
    return not TYPED.search(text) and not text.startswith(DASHES)
