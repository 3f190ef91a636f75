"""The benchmark of speculation, on a tiny twin: every kind of draft is measured, and none changes a token."""

from itertools import count

import pytest
import speculation

from docparse.engine.costs import CostCurve
from docparse.engine.row import Limits
from docparse.models.qwen3_vl import Qwen3Vl


def test_a_page_knows_where_its_blocks_begin():
    page = speculation.page_of([[1, 2], [3], [4, 5, 6]])
    assert (page.tokens, page.starts) == ((1, 2, 3, 4, 5, 6), (0, 2, 3))


@pytest.fixture
def tiny_bench(monkeypatch) -> None:
    """The same benchmark in a second or two: a twin instead of the model, 60 tokens, costs that are not measured."""
    import torch

    torch.set_num_threads(1)
    monkeypatch.setattr(speculation, "Medium", Qwen3Vl)
    monkeypatch.setattr(speculation, "BLOCKS", 3)
    monkeypatch.setattr(speculation, "PICTURE", (64, 64))
    monkeypatch.setattr(speculation, "LIMITS", Limits(max_tokens=60, guard=False, ignore_end=True))
    monkeypatch.setattr(speculation, "measure", lambda *_, **__: CostCurve({1: 1.0, 65: 2.0}))


def test_every_kind_of_draft_is_measured_and_changes_no_token(tiny_bench):
    ticks = count()
    bench = speculation.set_up(lambda: float(next(ticks)))
    results = {result.drafts: result for result in speculation.measure_all(bench, 1)}
    assert len(results) == 10
    assert all(result.same for result in results.values())
    assert results["perfect"].aal > results["10% of tokens edited"].aal > results["useless (random tokens)"].aal
    # this clock ticks once a step, so the ratio of the times is the ratio of the steps
    perfect = results["perfect"]
    assert perfect.sr_decode == pytest.approx(59 / perfect.steps, rel=0.3)
