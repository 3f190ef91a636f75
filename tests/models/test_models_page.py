"""docs/models.md says of every family what its card says."""

from pathlib import Path

import pytest

from docparse.models.registry import families

PAGE = Path(__file__).parents[2] / "docs" / "models.md"
ROWS = {
    cells[0]: cells[1:]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 5
}


@pytest.mark.parametrize("family", list(families()), ids=lambda family: family.card.name)
def test_the_page_has_the_facts_of_the_card(family):
    card = family.card
    made_for, licence, size, reads = ROWS[card.name]
    assert made_for == {"document": "documents", "general": "anything", "measuring": "measuring"}[card.purpose]
    assert licence == card.licence
    assert size == (f"{card.parameters / 1e9:.1f} B" if card.parameters > 1e8 else f"{card.parameters / 1e6:.0f} M")
    assert reads.split(",")[0] == {"page": "pages", "regions": "regions"}[family.reads]


def test_document_models_stand_in_the_order_in_which_auto_prefers_them():
    order = [family.card.name for family in families()]
    assert [name for name in ROWS if name in order] == order


def test_the_page_names_every_mode():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f":{mode}`" in text for family in families() for mode in family.modes)
