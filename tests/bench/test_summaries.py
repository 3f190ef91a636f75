"""The numbers of a bench report, recomputed by hand from a few rows, their intervals by another library."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.bench.rows import AR
from docparse.bench.summaries import ratio, summarise

SPEEDS = (("a", AR, 8.0), ("a", "vsd", 4.0), ("a", "hsd", 2.0))
PAIRS = st.tuples(st.floats(1, 20), st.floats(0.5, 10))


def test_speedups_are_ratios_of_summed_seconds_with_the_drafts_inside(row):
    rows = [row(page, AR, decode=seconds) for page, seconds in (("a", 10.0), ("b", 20.0))]
    rows += [row(page, "hsd", decode=seconds, drafts=1.0) for page, seconds in (("a", 2.0), ("b", 6.0))]
    _, hsd = summarise(rows)
    assert hsd.sr_decode == (10 + 20) / (3 + 7)
    assert hsd.sr_e2e == (11 + 21) / (4 + 8)
    assert hsd.decode == 5.0  # the median of 3 and 7
    assert hsd.tokens_per_second == 200 / 10


def test_acceptance_counts_every_step_and_is_told_by_source(row):
    counts = {"steps": 20, "steps_with_candidates": 16, "accepted": 80}
    sources = {"accepted_by_source": {"text-layer": 80}, "proposed_by_source": {"text-layer": 100, "output": 10}}
    _, hsd = summarise([row("a", AR, decode=2.0), row("a", "hsd", decode=1.0, **counts, **sources)])
    assert (hsd.aal, hsd.aal_with_candidates) == (4.0, 5.0)
    assert hsd.acceptance == {"text-layer": 0.8, "output": 0.0}


def test_agreement_and_accuracy_are_means_over_pages_that_have_them(row):
    sizes = {"a": {"kv_bytes": 100, "peak_memory": 100, "cer": 0.2}, "b": {"kv_bytes": 300, "peak_memory": 300}}
    rows = [row(page, AR, decode=1.0, **more) for page, more in sizes.items()]
    rows += [
        row("a", "fast", decode=1.0, identical=False, distance=0.5, cer=0.4, tests=(3, 4)),
        row("b", "fast", decode=1.0, tests=(1, 4), teds=0.5),
    ]
    plain, fast = summarise(rows)
    assert (plain.cer, fast.cer) == (0.2, 0.4)
    assert (plain.kv_bytes, plain.peak_memory) == (200, 300)  # memory is the most
    assert (fast.identical, fast.distance) == (0.5, 0.25)
    assert (fast.tests, fast.teds) == ((4, 8), 0.5)
    assert (plain.tests, plain.teds) == (None, None)


def test_categories_are_told_apart_where_there_are_several(row):
    rows = [row("a", AR, decode=1.0), row("b", AR, decode=3.0, category="tables")]
    found = [(each.category, each.pages, each.decode) for each in summarise(rows)]
    assert found == [("overall", 2, 2.0), ("letters", 1, 1.0), ("tables", 1, 3.0)]


def test_models_are_not_mixed_and_a_page_that_plain_decoding_has_not_read_counts_for_nobody(row):
    rows = [row(page, name, decode=s, model=m) for page, name, s in SPEEDS for m in ("m", "n")]
    rows += [row("b", "hsd", decode=1.0, model="m"), row("b", AR, decode=1.0, model="n")]
    found = [(each.model, each.method, each.pages, each.sr_decode) for each in summarise(rows)]
    one = [(AR, 1, 1.0), ("vsd", 1, 2.0), ("hsd", 1, 4.0)]
    assert found == [("m", *each) for each in one] + [("n", AR, 2, 1.0), *(("n", *each) for each in one[1:])]


def test_runs_of_a_page_are_one_page(row):
    rows = [row("a", method, decode=1.0 + run, run=run) for run in range(4) for method in (AR, "hsd")]
    _, hsd = summarise(rows)
    assert (hsd.pages, hsd.sr_decode_interval) == (1, None)  # one page says nothing about others


@given(pairs=st.lists(PAIRS, min_size=2, max_size=12))
def test_an_interval_holds_the_ratio_and_lies_between_the_extreme_pages(pairs):
    value, (low, high) = ratio((str(i), *pair) for i, pair in enumerate(pairs))
    over, under = np.sum(pairs, axis=0)
    ratios = [one / other for one, other in pairs]
    assert value == pytest.approx(over / under)
    assert min(ratios) - 1e-9 <= low <= over / under + 1e-9
    assert over / under - 1e-9 <= high <= max(ratios) + 1e-9


def test_intervals_are_those_of_scipy():
    from scipy.stats import bootstrap

    rng = np.random.default_rng(1)
    over = rng.uniform(5, 20, 40)
    under = over / rng.uniform(1.5, 4, 40)
    found = bootstrap(
        (over, under),
        lambda a, b, axis=-1: a.sum(axis=axis) / b.sum(axis=axis),
        **{"paired": True, "method": "percentile", "n_resamples": 20_000, "rng": 0},
    ).confidence_interval
    _, ours = ratio((str(i), a, b) for i, (a, b) in enumerate(zip(over, under, strict=True)))
    assert ours == pytest.approx((found.low, found.high), rel=0.01)  # two draws of thousands of samples
