"""docs/models.md names every family where it belongs; `docparse models list` prints the rest of its card."""

import re
from pathlib import Path

from docparse.models.registry import families

TEXT = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (documents, by regions|\w+, by pages) \| (.*) \|$", TEXT, re.MULTILINE))


PURPOSES = {"document": "documents", "general": "anything"}
READS = {"page": "pages", "regions": "regions"}


def test_every_family_and_mode_is_named_in_the_order_in_which_auto_prefers_them():
    theirs = {each: f"{PURPOSES.get(each.card.purpose)}, by {READS[each.reads]}" for each in families()}
    named = {row: re.findall(r"`([^`]+)`", text) for row, text in ROWS.items()}
    assert named == {row: [each.card.name for each, of in theirs.items() if of == row] for row in ROWS}
    assert {name for row in named.values() for name in row} | {"tiny"} == {each.card.name for each in families()}
    assert all(f":{mode}`" in TEXT for family in families() for mode in family.modes)
