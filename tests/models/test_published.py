"""What families published is whole, a twin made from it keeps the shape of a model that reads, and docs/models.md names
every family where it belongs; `docparse models list` prints the rest of its card."""

import json
import re
from pathlib import Path

import pytest
from twins import twin_files

from docparse.models.registry import families, family_named
from docparse.vlm.random_weights import CONFIG, IDS

FOLDER = Path(__file__).parents[2] / "docparse" / "models" / "published"
ALL = list(families())
every_family = pytest.mark.parametrize("family", ALL, ids=lambda family: family.card.name)


def entries(config):
    """Names and values of a configuration and of those inside it."""
    for key, value in config.items():
        if isinstance(value, dict):
            yield from entries(value)
        else:
            yield key, value


def test_every_published_file_is_of_a_family():
    assert {path.stem for path in FOLDER.iterdir()} == {family.published_as or family.card.name for family in ALL}


@every_family
def test_a_published_file_says_where_it_is_from_and_what_is_read(family):
    published = family.published
    assert published.pop("source") and published.pop("tokens") and published.pop(CONFIG)
    assert len(published) == 1 and all(content for content in published.values())  # how pictures are prepared
    assert family.recognises(family.published[CONFIG])


@every_family
def test_every_token_of_a_configuration_and_of_a_prompt_is_listed(family):
    tokens = family.published["tokens"]
    ids = {value for key, value in entries(family.published[CONFIG]) if key.endswith(IDS) and value is not None}
    assert ids <= set(tokens.values())
    assert {family.end_token, family.image_token} <= set(tokens)


@every_family
def test_a_twin_has_the_groups_and_the_rotary_axes_of_its_model(family):
    special = {token: 640 + i for i, token in enumerate(family.special_tokens)}
    twin = family.config_of(twin_files(family, special, 680)[CONFIG])
    full = family.full_config()
    small, large = (getattr(config, "text_config", config) for config in (twin, full))
    assert (small.num_hidden_layers, small.num_attention_heads, small.vocab_size) == (4, 4, 680)
    grouped = large.num_key_value_heads < large.num_attention_heads
    assert small.num_key_value_heads == (2 if grouped else 4)
    sections = (large.rope_parameters or {}).get("mrope_section", [])
    assert len(small.rope_parameters.get("mrope_section", [])) == len(sections)
    assert sum(small.rope_parameters.get("mrope_section", [])) == (8 if sections else 0)


def test_the_shipped_model_is_the_one_that_is_written_down():
    shipped = json.loads((FOLDER.parents[1] / "data" / "tiny" / CONFIG).read_text(encoding="utf-8"))
    family = family_named("tiny")
    written, said = family.config_of(shipped), family.full_config()
    assert written.to_dict() == said.to_dict() | {"dtype": "float32"}


def test_the_page_of_models_names_every_family_and_mode_in_the_order_in_which_auto_prefers_them():
    text = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (documents, by regions|\w+, by pages) \| (.*) \|$", text, re.MULTILINE))
    named = {row: re.findall(r"`([^`]+)`", cells) for row, cells in rows.items()}
    kinds, reads = {"document": "documents", "general": "anything"}, {"page": "pages", "regions": "regions"}
    theirs = {each.card.name: f"{kinds.get(each.card.purpose)}, by {reads[each.reads]}" for each in ALL}
    ordered = {row: [name for name, of in theirs.items() if of == row] for row in rows}
    assert named == ordered, f"docs/models.md: the families in the table, in the order of ADAPTERS: {ordered}"
    assert {name for row in named.values() for name in row} | {"tiny"} == set(theirs)
    assert all(f":{mode}`" in text for family in ALL for mode in family.modes)
