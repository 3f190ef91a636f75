"""A budget that matches another method's makes both read as many rows, so that their attention costs the same."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.aircache import AirCache
from docparse.accel.budgets import Matched
from docparse.accel.divprune import DivPrune
from docparse.accel.fastocr import FastOcr
from docparse.accel.fastv import FastV
from docparse.accel.h2o import H2o
from docparse.accel.rtprune import RtPrune
from docparse.accel.snapkv import SnapKv
from docparse.accel.stack import parse_stack
from docparse.accel.vlcache import VlCache
from docparse.bench.measures import attention_flops
from docparse.errors import UsageError

LAYERS = 8
ASKED = [SnapKv(), SnapKv(visual=True), VlCache(), AirCache(), FastOcr(focal=0.25), FastV(), RtPrune()]


def rows(method, visual, others):
    """What a layer reads of such a prompt in a step, mean over the layers."""
    if isinstance(method, FastOcr | FastV):  # some layers read everything; which ones does not matter
        focal = max(1, math.floor(method.shares[1] * LAYERS)) if isinstance(method, FastOcr) else method.layer
        keep = method.shares[0] if isinstance(method, FastOcr) else method.keep
        return sum(1.0 if layer < focal else keep for layer in range(LAYERS)) / LAYERS * visual + others
    if isinstance(method, RtPrune | DivPrune):
        return (1 - method.ratio if isinstance(method, RtPrune) else method.keep) * visual + others
    if isinstance(method, AirCache) or getattr(method, "visual", False):
        return method.budget * visual + others
    return method.budget * (visual + others)


share = st.integers(2, 98).map(lambda each: each / 100)
references = st.one_of(
    st.builds(FastOcr, keep=share, focal=share),
    st.builds(AirCache, budget=share),
    st.builds(FastV, keep=share, layer=st.integers(1, 2 * LAYERS)),
    st.builds(VlCache, budget=share),
    st.builds(SnapKv, budget=share, visual=st.booleans()),
    st.builds(H2o, budget=share, visual=st.booleans()),
    st.builds(DivPrune, keep=share),
    st.builds(RtPrune, ratio=share),
)


@given(st.sampled_from(ASKED), references, st.integers(100, 5000), st.integers(5, 100))
def test_both_read_as_many_rows_or_no_other_budget_is_nearer(asked, like, visual, others):
    thins_text = rows(like, 0, 1000) < 1000
    if thins_text and asked.seam == "prune":
        with pytest.raises(UsageError, match="removes text as well"):
            Matched(asked, like, LAYERS)
        return
    resolved = Matched(asked, like, LAYERS).resolved(visual, others)
    assert type(resolved) is type(asked)
    wanted, got = rows(like, visual, others), rows(resolved, visual, others)
    name = next(name for name in ("budget", "keep", "ratio") if hasattr(resolved, name))
    nearest = min(abs(rows(replace(resolved, **{name: each / 100}), visual, others) - wanted) for each in range(1, 100))
    assert abs(got - wanted) <= nearest + 1e-6
    assert getattr(resolved, name) in (0.0, 0.01, 0.99, 1.0) or got == pytest.approx(wanted)


def test_a_steps_attention_costs_as_much(asked):
    """Counted from the rows that were read, within one row a layer for rounding."""
    page = asked("qwen3-vl")
    layers, hidden = page.vlm.text.layers, int(page.vlm.text.config.hidden_size)

    def step(text):
        stack = parse_stack(text).of_layers(layers)
        evicts, reads = stack.compressing, stack.selecting
        compressor = evicts and evicts.compressor(page.prompt)
        return page.read(4, compressor=compressor, selector=reads and reads.selector(page.prompt, layers)).steps[1].read

    like = "fastocr(keep=0.3,focal=0.5,warmup=1)"
    wanted = attention_flops(step(like), hidden)
    for method in ("vlcache(", "aircache(", "snapkv(", "pyramidkv(visual=on,", "h2o(visual=on,"):
        got = attention_flops(step(f"{method}budget=match:{like})"), hidden)
        assert abs(got - wanted) <= layers * 4 * hidden, method
