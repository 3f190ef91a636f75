"""docs/models.md names every family where it belongs; `docparse models list` prints the rest of its card."""

import re
from pathlib import Path

import pytest

from docparse.models.registry import families

TEXT = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (documents, by regions|\w+, by pages) \| (.*) \|$", TEXT, re.MULTILINE))


PURPOSES = {"document": "documents", "general": "anything"}
READS = {"page": "pages", "regions": "regions"}


@pytest.mark.parametrize("row", ROWS)
def test_a_row_has_its_families_in_the_order_in_which_auto_prefers_them(row):
    theirs = {each: f"{PURPOSES.get(each.card.purpose)}, by {READS[each.reads]}" for each in families()}
    assert re.findall(r"`([^`]+)`", ROWS[row]) == [each.card.name for each, of in theirs.items() if of == row]


def test_every_family_is_named_and_every_mode():
    named = {name for row in ROWS.values() for name in re.findall(r"`([^`]+)`", row)} | {"tiny"}
    assert named == {family.card.name for family in families()}
    assert all(f":{mode}`" in TEXT for family in families() for mode in family.modes)
