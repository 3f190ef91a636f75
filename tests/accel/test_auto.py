"""`--accel auto` takes what a page, a model and a device make worth while, and says why."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.auto import Auto, PageFacts, promise
from docparse.accel.costs import CostCurve
from docparse.accel.fastocr import FastOcr
from docparse.accel.hsd import Hsd
from docparse.accel.rtprune import RtPrune
from docparse.accel.stack import SEAMS, Stack, parse_stack

CHEAP = CostCurve({1: 1.0, 64: 1.5})  # as on an idle GPU
DEAR = CostCurve({1: 1.0, 64: 64.0})  # a pass over many tokens costs as much as as many passes
PAGE = PageFacts(
    source="text-layer",
    drafted=2000,
    prompt=4200,
    visual=4096,
    density=0.1,
    weight_bytes=1_000_000,
    row_bytes=1000,
    layers=30,
    costs=CHEAP,
    device="cuda",
)


def chosen(page, *, lossy=False, **more):
    return str(Stack(Auto(lossy, **more).choose(page).methods))


@pytest.mark.parametrize(
    ("facts", "left_out", "why"),
    [
        ({"drafted": 0, "source": ""}, "hsd", "nothing to draft"),
        ({"drafted": 5}, "hsd", "nothing to draft"),
        ({"costs": DEAR, "device": "cpu"}, "hsd", "on cpu a pass over several tokens costs as much"),
        ({"weight_bytes": 10**9}, "fastocr", "small part of what a pass reads"),
        ({"visual": 64}, "fastocr", "small part of what a pass reads"),
        ({"costs": CostCurve({1: 0.02, 64: 0.03})}, "fastocr", "takes longer than reading it"),
        ({"windowed": True}, "fastocr", "this model reads the last of it"),
        ({"drafted": 30}, "fastocr", "short beside FastOCR's warm-up"),
        ({"density": 0.5}, "rtprune", "full of text"),
        ({"prompt": 100, "visual": 90}, "rtprune", "prompt is a small part"),
    ],
)
def test_a_method_that_promises_nothing_for_a_page_is_left_out(facts, left_out, why):
    page, lossy = replace(PAGE, **facts), left_out != "hsd"
    assert left_out not in chosen(page, lossy=lossy)
    assert why in Auto(lossy).choose(page).why


pages = st.builds(
    PageFacts,
    source=st.sampled_from(["", "text-layer", "ocr", "region"]),
    drafted=st.integers(0, 8000),
    prompt=st.integers(1, 8000),
    visual=st.integers(0, 8000),
    density=st.floats(0, 1),
    weight_bytes=st.integers(1, 10**11),
    row_bytes=st.integers(1, 10**6),
    layers=st.integers(1, 60),
    costs=st.sampled_from([CHEAP, DEAR]),
    device=st.just("cpu"),
)


@given(pages, st.booleans())
def test_a_choice_is_a_stack_of_candidates_with_a_reason(page, lossy):
    auto = Auto(lossy)
    choice = auto.choose(page)
    assert set(choice.methods) <= set(auto.candidates)
    seams = [SEAMS.index(method.seam) for method in choice.methods]
    assert seams == sorted(set(seams))
    assert choice.why
    assert lossy or Stack(choice.methods).lossless


def test_the_promise_is_that_of_the_best_chain():
    free = CostCurve({1: 1.0, 2: 1.0, 3: 1.0})
    assert promise(free, 0.5) == 1 + 0.5 + 0.25
    assert promise(CostCurve({1: 1.0, 2: 1.2, 3: 3.0}), 0.5) == 1.5 / 1.2
    assert promise(DEAR, 0.9) == 1.0


def test_candidates_have_the_values_that_are_said():
    auto = parse_stack("auto(lossy=true,keep=0.1,layers=0/3,most=0.2)").auto
    assert auto and auto.candidates == (RtPrune(most=0.2), FastOcr(keep=0.1, layers="0/3"), Hsd(tau=0.75))
    assert Auto(lossy=True, keep=1.0, most=0.0).candidates == (Hsd(tau=0.75),)
    assert "fastocr" not in chosen(PAGE, lossy=True, keep=1.0)
    assert "rtprune" in chosen(PAGE, lossy=True) and "rtprune" not in chosen(PAGE, lossy=True, full=PAGE.density)
