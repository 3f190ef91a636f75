"""What a checkpoint's files say beside the adapter: prompts as their authors publish them, else one line."""

import json
import shutil
from pathlib import Path

import pytest

from docparse.models.registry import families, family_named
from docparse.vlm.checkpoint import NEUTRAL, PICTURE, checkpoint_facts, prompt
from docparse.vlm.loaded import load

EVIDENCE = Path(__file__).parent / "evidence"
PROMPTS = sorted(EVIDENCE.glob("*/prompt.json"))


def asked(folder, family, *, trained=False):
    processor = family.processor(str(folder))
    end = frozenset({processor.tokenizer.convert_tokens_to_ids(family.end_token)})
    return {each.about: each for each in checkpoint_facts(str(folder), family, processor, end=end, trained=trained)}


def known(name):
    family = family_named(name)
    assert family is not None
    return family


def literal(text):
    """A template that writes `text` with the words of the last turn in it, as any folder may have one."""
    before, after = text.split("{instruction}")
    words = "{% for part in messages[-1].content if part.type == 'text' %}{{ part.text }}{% endfor %}"
    return "{{ " + json.dumps(before) + " }}" + words + "{{ " + json.dumps(after) + " }}"


def test_every_family_to_pull_has_evidence():
    pulled = {family.card.name for family in families() if family.card.repository}
    missing = sorted(pulled - {path.parent.name for path in PROMPTS})
    assert not missing, f"write tests/models/evidence/{missing[0]}/prompt.json: the published prompt and its source"


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.parent.name)
def test_a_prompt_is_the_published_one_token_by_token(path, twin_folder, copy):
    """And so is what a published template renders to."""
    family, said = known(path.parent.name), json.loads(path.read_text(encoding="utf-8"))
    assert said["source"] and said["licence"]
    processor = family.processor(str(twin_folder(path.parent.name)))
    words = said.get("instruction", NEUTRAL)
    ours = prompt(processor, words)
    ids = processor.tokenizer.encode(said["prompt"].replace("{instruction}", words), add_special_tokens=False)
    theirs = [PICTURE if each == ours.pictures[0] else each for each in ids]
    if path.parent.name == "internvl":  # whose processor puts a token on each side of the picture
        at = ours.ids.index(PICTURE)
        assert processor.tokenizer.decode([ours.ids[at - 1], ours.ids[at + 1]]) == "<img></img>"
        del ours.ids[at + 1], ours.ids[at - 1]
    assert ours.ids == theirs
    assert said.get("instruction", family.page_instruction) == family.page_instruction
    if (template := path.with_name("chat_template.jinja")).exists():
        shutil.copy(template, folder := copy(path.parent.name))
        assert asked(folder, family)["chat template"].same


@pytest.mark.parametrize("path", PROMPTS[::6], ids=lambda path: path.parent.name)
def test_one_token_more_is_a_difference_that_names_both(path, copy):
    folder, said = copy(path.parent.name), json.loads(path.read_text(encoding="utf-8"))
    (folder / "chat_template.jinja").write_text(literal(said["prompt"] + "!"), encoding="utf-8")
    found = asked(folder, known(path.parent.name))["chat template"]
    assert not found.same and "\n" not in found.text
    assert "chat_template.jinja has '!' where the adapter has nothing, at token " in found.text


def test_of_a_template_that_is_missing_cannot_be_rendered_or_takes_the_picture_only_as_text(copy):
    """Servers send it as a part of its own, which the last of these leaves out."""
    folder, family = copy("qwen2.5-vl"), known("qwen2.5-vl")
    assert "chat template" not in asked(folder, family)
    (folder / "chat_template.jinja").write_text("{{ raise_exception('no pictures') }}")
    found = asked(folder, family)["chat template"]
    assert not found.same and "cannot be rendered (no pictures)" in found.text
    template = "{% if messages[-1].content is string %}" + literal("<|im_start|>{instruction}") + "{% endif %}other"
    (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    assert not asked(folder, family)["chat template"].same


def test_the_end_tokens_of_the_folder_are_held_against_the_familys_own(copy):
    folder, name = copy("qwen3-vl"), "generation_config.json"
    said = json.loads((folder / name).read_text(encoding="utf-8"))
    (folder / name).write_text(json.dumps(said | {"eos_token_id": [5, 7]}), encoding="utf-8")
    told = []
    load(str(folder), device="cpu", tell=told.append)
    assert "the end tokens of the checkpoint differs: generation_config.json has ['5 (" in told[-1]


def test_generation_settings_that_differ_are_told(copy):
    folder, family = copy("qwen3-vl"), known("qwen3-vl")
    end = family.processor(str(folder)).tokenizer.convert_tokens_to_ids(family.end_token)
    said = {"eos_token_id": [end, 5, "x"], "repetition_penalty": 1.05, "max_new_tokens": 10000}
    (folder / "generation_config.json").write_text(json.dumps(said))
    found = asked(folder, family)
    same = {about: each.same for about, each in found.items()}
    assert same == {"end tokens": False, "repetition penalty": True, "output length": False}
    (folder / "generation_config.json").write_text(json.dumps(said | {"max_new_tokens": 2048}))
    shorter = asked(folder, family)["output length"]
    assert shorter.same and shorter.text.endswith("the adapter 8192, which lets it write more and cuts nothing off")
    assert "has ['5 (" in found["end tokens"].text
    assert "has 1.05, which is left out" in found["repetition penalty"].text
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": end, "max_length": 20}))
    assert [each.same for each in asked(folder, family).values()] == [True]


def test_pictures_prepared_otherwise_are_told(copy):
    folder, family = copy("qwen2.5-vl"), known("qwen2.5-vl")
    published = dict(family.preprocessing())
    (folder / "preprocessor_config.json").write_text(json.dumps(published))
    assert asked(folder, family, trained=True)["picture settings"].same
    (folder / "preprocessor_config.json").write_text(
        json.dumps(published | {"image_mean": [0, 0, 0], "size": {"shortest_edge": 3136, "longest_edge": 6400}})
    )
    found = asked(folder, family, trained=True)
    assert "preprocessor_config.json has [0.0, 0.0, 0.0], the adapter [0.4" in found["image_mean"].text
    assert "6400" in found["size"].text and "12845056" in found["size"].text
