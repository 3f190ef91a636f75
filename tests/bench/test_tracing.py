"""One page with a recorder in every seam: the right shapes, and the output of nobody looking."""

from __future__ import annotations

import base64
import io
import math
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from docparse.accel.stack import parse_stack
from docparse.bench.data.pages import BenchPage
from docparse.bench.race import Race
from docparse.bench.recorder import Recorder
from docparse.bench.rows import AR
from docparse.bench.traces import MethodTrace, Trace
from docparse.bench.tracing import FRAMES, trace, typical
from docparse.engine.row import Limits
from docparse.layout.reader import PageReader
from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import Vlm

WARM_UP = 3
KEEP = 0.25
FASTOCR = f"fastocr:warmup={WARM_UP},keep={KEEP}"
METHODS = (AR, FASTOCR, "rtprune:ratio=0.3", "vlcache:budget=0.5", "snapkv:budget=0.5", "hsd")
TOKENS = 24


@pytest.fixture(scope="module")
def race(twin: Vlm) -> Race:
    settings = Settings(images="none", max_tokens=TOKENS, layout_engine="none")
    engine = partial(VlmEngine.of, twin, placed=None, limits=Limits(guard=False, ignore_end=True))
    methods = {name: engine(parse_stack(name if name != AR else "none")) for name in METHODS}
    return Race(methods, settings, PageReader(settings), drafts="oracle")


@pytest.fixture(scope="module")
def page(one_page_pdf: Path) -> BenchPage:
    return BenchPage(path=one_page_pdf, number=1, category="text", document=one_page_pdf.name)


@pytest.fixture(scope="module")
def traced(race: Race, page: BenchPage) -> Trace:
    return trace(race, page)


@pytest.fixture(scope="module")
def by_name(traced: Trace) -> dict[str, MethodTrace]:
    return {each.method: each for each in traced.methods}


def test_every_method_is_traced_on_the_page_as_it_looks(traced: Trace, page: BenchPage) -> None:
    assert (traced.model, traced.page) == ("twin", page.name)
    assert tuple(each.method for each in traced.methods) == METHODS
    head, _, data = traced.picture.partition(",")
    assert head == "data:image/jpeg;base64"
    assert Image.open(io.BytesIO(base64.b64decode(data))).size == (traced.width, traced.height)
    boxes = np.array(traced.boxes)
    assert boxes.shape[1] == 4 and (boxes >= 0).all() and (boxes <= 1).all()
    assert (boxes[:, :2] < boxes[:, 2:]).all()


def test_what_a_method_wrote_is_told(by_name: dict[str, MethodTrace]) -> None:
    assert by_name[AR].text == by_name["hsd"].text != ""


def test_attention_is_a_share_for_each_layer(by_name: dict[str, MethodTrace], twin: Vlm) -> None:
    for name in set(METHODS) - {"snapkv:budget=0.5"}:
        shares = by_name[name].image_attention
        assert len(shares) == twin.text.layers and all(0 <= share <= 1 for share in shares)
    assert sum(by_name[AR].image_attention) > 0
    assert by_name["snapkv:budget=0.5"].image_attention == ()  # its heads hold different rows


def test_only_what_is_removed_is_not_kept(by_name: dict[str, MethodTrace], traced: Trace) -> None:
    for name in (AR, FASTOCR, "hsd"):
        assert by_name[name].kept == ()
    pruned = by_name["rtprune:ratio=0.3"].kept
    assert len(pruned) == len(traced.boxes)
    assert sum(pruned) == len(pruned) - math.floor(0.3 * len(pruned)) and set(pruned) == {0.0, 1.0}
    for name in ("vlcache:budget=0.5", "snapkv:budget=0.5"):
        assert len(by_name[name].kept) == len(traced.boxes)
        assert all(0 <= share <= 1 for share in by_name[name].kept)
        assert 0 < sum(by_name[name].kept) < len(traced.boxes)


def test_a_fixation_is_what_the_layers_between_focal_ones_read(by_name: dict[str, MethodTrace], traced: Trace) -> None:
    fixations = by_name[FASTOCR].fixations
    assert by_name[FASTOCR].focal and all(not each.focal for name, each in by_name.items() if name != FASTOCR)
    assert 1 < len(fixations) <= FRAMES
    assert fixations[0].step == WARM_UP + 1 and fixations[-1].step == TOKENS - 1
    for each in fixations:
        assert each.tokens == each.step  # without drafts a token a step
        assert len(set(each.read)) == len(each.read) == len(each.attention) == math.ceil(KEEP * len(traced.boxes))
        assert set(each.read) <= set(range(len(traced.boxes)))
    assert all(two.text.startswith(one.text) for one, two in pairwise(fixations))


def test_acceptance_adds_up_to_the_output(by_name: dict[str, MethodTrace]) -> None:
    for each in by_name.values():
        position = 1
        for step in each.acceptance:
            assert step.position == position and sum(step.accepted.values()) <= step.proposed
            position += sum(step.accepted.values()) + 1
        assert position >= TOKENS  # the last step may go beyond the cut
    assert len(by_name["hsd"].acceptance) < len(by_name[AR].acceptance) == TOKENS - 1
    assert {source for step in by_name["hsd"].acceptance for source in step.accepted} == {"oracle"}


@pytest.mark.parametrize("name", [*METHODS, f"rtprune+vlcache:budget=0.5+{FASTOCR}+hsd"])
def test_nobody_writes_otherwise_for_being_watched(race: Race, page: BenchPage, name: str) -> None:
    engine = VlmEngine.of(race.vlm, parse_stack(name if name != AR else "none"), None, race.methods[AR].limits)
    watched = Recorder().watching(engine)
    outputs = [
        replace(race, methods={AR: race.methods[AR], "m": each}, drafts="none").attempt(page, "m").tokens
        for each in (engine, watched)
    ]
    assert outputs[0] == outputs[1]


def test_what_auto_chooses_is_traced_as_far_as_it_can_be_watched(race: Race, page: BenchPage) -> None:
    engine = VlmEngine.of(race.vlm, parse_stack("auto(lossy=true)"), None, race.methods[AR].limits)  # type: ignore[arg-type]
    plain, chosen = trace(replace(race, methods={AR: race.methods[AR], "auto": engine}), page).methods
    assert len(plain.acceptance) == TOKENS - 1 and 0 < len(chosen.acceptance) <= TOKENS - 1


def test_the_typical_page_is_of_median_length_and_read_by_all(page: BenchPage) -> None:
    from types import SimpleNamespace as Fake

    pages = [Fake(name=name) for name in "abcd"]
    rows = [Fake(page=name, method=AR, tokens=length) for name, length in zip("abcd", (5, 900, 30, 80), strict=True)]
    rows += [Fake(page=name, method="m", tokens=1) for name in "acd"]
    assert typical(pages, rows).name == "c"
    assert typical(pages, rows[:1]).name == "a"
    assert typical(pages, []) is None
