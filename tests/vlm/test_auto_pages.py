"""`--accel auto` from the setting to the page and the line on stderr."""

from dataclasses import replace

from docparse.accel.costs import CostCurve, PassCosts
from docparse.accel.stack import parse_stack
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
