"""The benchmark of speculation, on a tiny twin: every kind of draft is measured, and none changes a token."""

from itertools import count

import pytest
import speculation
from PIL import Image

from docparse.engine.costs import CostCurve
from docparse.engine.row import Limits


def test_a_page_knows_where_its_blocks_begin():
    page = speculation.page_of([[1, 2], [3], [4, 5, 6]])
    assert (page.tokens, page.starts) == ((1, 2, 3, 4, 5, 6), (0, 2, 3))


def test_the_model_has_the_size_that_is_documented():
    """12 decoder layers of width 512, 42 million parameters in them, a picture of 1,024 visual tokens as it is."""
    vlm = speculation.load_model()
    assert (vlm.text.layers, vlm.text.config.hidden_size, vlm.text.vocabulary) == (12, 512, 8192)
    assert 41e6 < sum(weights.numel() for weights in vlm.text.decoder.parameters()) < 43e6
    assert int(vlm.encode(Image.effect_noise((1024, 1024), 64).convert("RGB"), "Read.").visual.sum()) == 1024


@pytest.fixture
def tiny_bench(monkeypatch):
    """The same benchmark in a second or two: a twin instead of the model, 60 tokens, costs that are not measured."""
    import torch

    torch.set_num_threads(1)
    monkeypatch.setattr(speculation, "MEDIUM", {})
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
