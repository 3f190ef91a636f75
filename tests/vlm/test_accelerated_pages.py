"""Pages read with every kind of method: the setting is what is done and told, and drafts change nothing."""

from dataclasses import replace

import msgspec
import pytest

from docparse.accel.costs import CostCurve, PassCosts
from docparse.accel.hsd import Hsd
from docparse.accel.stack import Stack, parse_stack
from docparse.models.registry import family_named
from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import load

BASE = Settings(device="cpu", dtype="float32", layout_engine="none", max_tokens=24)
CHEAP, DEAR = CostCurve({1: 1.0, 64: 1.1}), CostCurve({1: 1.0, 64: 64.0})


def engine(vlm, text, costs):
    made = VlmEngine.of(vlm, parse_stack(text), lambda name: vlm)
    assert (made.costs is not None) == (text != "none")
    return replace(made, costs=PassCosts(lambda rows: costs))


def test_a_page_is_read_with_what_was_chosen_and_says_so(read_small, twin_folder):
    vlm = load(str(twin_folder("qwen3-vl")), device="cpu", dtype="float32")

    def read(text, costs):
        return read_small(engine(vlm, text, costs), BASE)

    plain = read("none", CHEAP)
    fast, slow, lossy = read("auto", CHEAP), read("auto", DEAR), read("auto:lossy=on", CHEAP)
    assert [block.text for block in fast.blocks] == [block.text for block in slow.blocks]
    assert [block.text for block in fast.blocks] == [block.text for block in plain.blocks]
    assert plain.decoding.chosen == ""
    assert fast.decoding.chosen == "hsd (drafts from text-layer)"
    assert slow.decoding.chosen.startswith("none (on cpu a pass over several tokens")
    assert "hsd(tau=0.75) (drafts from text-layer; " in lossy.decoding.chosen
    assert (lossy.decoding.pruned != ()) == lossy.decoding.chosen.startswith("rtprune")


READ_AS = {"dots.ocr": 1, "deepseek-ocr": 2, "glm-ocr": 4}  # views: of the page, or one of each of its regions


@pytest.mark.parametrize(
    ("name", "accel"),
    [
        ("dots.ocr", "rtprune:ratio=0.25"),
        ("dots.ocr", "rtprune:mode=paper"),  # ours looks whether norms tell text; those of random weights do not
        ("dots.ocr", "divprune"),
        ("deepseek-ocr", "visionzip-like"),
        ("glm-ocr", "random:keep=0.5"),
    ],
)
def test_the_setting_is_what_is_done(name, accel, read_small, twin_folder):
    model = str(twin_folder(name))
    chosen = [msgspec.structs.replace(BASE, model=model, accel=each) for each in ("none", accel)]
    plain, page = (read_small(VlmEngine.load(settings), settings) for settings in chosen)
    removed = sum(view.total - view.kept for view in page.decoding.pruned)
    assert len(page.decoding.pruned) == READ_AS[name]
    assert removed > 0
    assert page.decoding.visual_tokens == plain.decoding.visual_tokens - removed
    assert page.decoding.prompt_tokens == plain.decoding.prompt_tokens - removed
    assert plain.decoding.pruned == () and "prune" not in plain.seconds
    assert page.seconds["prune"] > 0


def without_figures(page):
    return [msgspec.structs.replace(block, draft_tokens=0) for block in page.blocks]


@pytest.mark.families
def test_a_page_is_read_the_same_with_and_without_drafts(name, read_small, twin_folder):
    family = family_named(name)
    vlm = load(str(twin_folder(name)), device="cpu", dtype="float32")
    stacks = ((), (Hsd(),), (Hsd(regions="always"),))
    pages = [read_small(VlmEngine(vlm, Stack(methods)), BASE) for methods in stacks]
    plain = pages[0]
    for page in pages:
        assert page.engine == family.card.name
        assert page.decoding.tokens == sum(block.tokens for block in page.blocks) > 0
        assert page.decoding.accepted == sum(block.draft_tokens for block in page.blocks)
        assert without_figures(page) == without_figures(plain)
        assert (page.status, page.error, page.warnings) == (plain.status, plain.error, plain.warnings)
        assert page.decoding.visual_tokens > 0
    if family.reads == "page":
        assert pages[2].decoding.regions == 4  # a heading, two paragraphs, a page number
