"""The numbers of a bench report, recomputed by hand from a few rows."""

from __future__ import annotations

from docparse.bench.rows import AR, Row, summarise


def row(page: str, method: str, *, decode: float, drafts: float = 0.0, picture: float = 1.0, **more: object) -> Row:
    stages = dict.fromkeys(("regions", "vision", "prefill", "markup"), 0.0)
    defaults = {
        "category": "letters",
        "run": 0,
        "tokens": 100,
        "steps": 100,
        "steps_with_candidates": 0,
        "accepted": 0,
        "accepted_by_source": {},
        "proposed_by_source": {},
        "prompt_tokens": 10,
        "visual_tokens": 5,
        "endings": ("stop",),
        "identical": True,
        "distance": 0.0,
    }
    seconds = stages | {"decode": decode, "drafts": drafts, "picture": picture}
    return Row(page=page, method=method, seconds=seconds, **(defaults | more))


def test_speedups_are_ratios_of_summed_seconds_with_the_drafts_inside() -> None:
    rows = [
        row("a", AR, decode=10.0),
        row("a", "hsd", decode=2.0, drafts=1.0),
        row("b", AR, decode=20.0),
        row("b", "hsd", decode=6.0, drafts=1.0),
    ]
    _, hsd = summarise(rows)
    assert hsd.sr_decode == (10 + 20) / (3 + 7)
    assert hsd.sr_e2e == (11 + 21) / (4 + 8)
    assert hsd.decode == 5.0  # the median of 3 and 7
    assert hsd.tokens_per_second == 200 / 10


def test_acceptance_counts_every_step_and_is_told_by_source() -> None:
    drafted = row(
        "a",
        "hsd",
        decode=1.0,
        steps=20,
        steps_with_candidates=16,
        accepted=80,
        accepted_by_source={"text-layer": 80},
        proposed_by_source={"text-layer": 100, "output": 10},
    )
    _, hsd = summarise([row("a", AR, decode=2.0), drafted])
    assert (hsd.aal, hsd.aal_with_candidates) == (4.0, 5.0)
    assert hsd.acceptance == {"text-layer": 0.8, "output": 0.0}


def test_agreement_and_error_rates_are_means_over_pages_that_have_them() -> None:
    rows = [row(page, AR, decode=1.0, cer=cer) for page, cer in (("a", 0.2), ("b", None))]
    rows += [row("a", "fast", decode=1.0, identical=False, distance=0.5, cer=0.4), row("b", "fast", decode=1.0)]
    plain, fast = summarise(rows)
    assert (plain.cer, fast.cer) == (0.2, 0.4)
    assert (fast.identical, fast.distance) == (0.5, 0.25)


def test_categories_are_told_apart_where_there_are_several() -> None:
    rows = [row("a", AR, decode=1.0), row("b", AR, decode=3.0, category="tables")]
    assert [(s.category, s.pages, s.decode) for s in summarise(rows)] == [
        ("overall", 2, 2.0),
        ("letters", 1, 1.0),
        ("tables", 1, 3.0),
    ]


def test_a_page_without_its_baseline_is_left_out() -> None:
    assert summarise([row("a", "hsd", decode=1.0)]) == []
