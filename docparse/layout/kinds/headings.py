"""Headings: a small learned model says which groups of lines are some.

It asks how a group differs from the others of its page (`measures.py`) and learned that from documents whose headings
are known (`training/headings.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docparse.layout.kinds.forest import shipped_forest
from docparse.layout.kinds.measures import TYPED
from docparse.layout.text.groups import Group

LIKELY = 0.4  # F1 of unseen documents is 0.887 on average, at 0.5 0.878: some have a title alone
DASHES = ("- ", "– ", "— ")  # of an item, or before who said something


def headings_among(groups: Sequence[Group], measures: Sequence[Mapping[str, float]]) -> list[bool]:
    """Return which groups look like headings, by what `measures_of` says of them."""
    chances = shipped_forest("headings").probabilities(measures).tolist()
    return [chance > LIKELY and _may_be(group) for group, chance in zip(groups, chances, strict=True)]


def _may_be(group: Group) -> bool:
    """Whether its words may be those of a heading, however they are set: no address, blank or item."""
    text = group.text.strip()
    return not TYPED.search(text) and not text.startswith(DASHES)
