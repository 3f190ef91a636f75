"""The costs of passes are measured once, and a broken cache is no obstacle."""

import json
from collections import Counter

import pytest

from docparse.accel.costs import CostCurve
from docparse.engine.graphs import Graphs
from docparse.engine.text_model import TextModel
from docparse.vlm import pass_costs as module
from docparse.vlm.pass_costs import SIZES, calibrate, measure


@pytest.fixture
def measured(monkeypatch, tmp_path):
    """A cache folder of its own, nothing in memory, and the list of what was measured."""
    curves = []

    def counting(*arguments, **named):
        curves.append(measure(*arguments, **named))
        return curves[-1]

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(module, "_known", {})
    monkeypatch.setattr(module, "measure", counting)
    yield curves


@pytest.fixture
def text(twin):
    """The decoder of a tiny model."""
    return twin("qwen3-vl").text


def forget(monkeypatch):
    monkeypatch.setattr(module, "_known", {})


def test_every_size_costs_time_and_more_tokens_never_less(text):
    curve = measure(text, batch=2, context=64)
    assert tuple(curve.points) == SIZES
    seconds = [curve.seconds(tokens) for tokens in range(1, 100)]
    assert seconds[0] > 0 and seconds == sorted(seconds)


def test_it_is_measured_once_and_kept_between_runs(text, measured, monkeypatch, tmp_path):
    first = calibrate(text, context=32)
    assert calibrate(text, context=32) is first
    forget(monkeypatch)
    assert calibrate(text, context=32).points == first.points and len(measured) == 1
    assert calibrate(text, context=32, anew=True) is measured[1] is calibrate(text, context=32)
    forget(monkeypatch)
    assert calibrate(text, context=32).points == measured.pop().points
    calibrate(text, context=32, batch=2)
    assert len(measured) == 2
    assert [path.suffix for path in (tmp_path / "docparse" / "costs").iterdir()] == [".json"] * 2


@pytest.mark.parametrize(
    "damage",
    ["", "{", "[]", '{"points": 3}', '{"points": {"1": -1}}', '{"points": {"1": "x"}}', '{"points": {"1": 2}}'],
)
def test_a_damaged_cache_is_measured_again(text, measured, monkeypatch, tmp_path, damage):
    calibrate(text, context=32)
    (kept,) = (tmp_path / "docparse" / "costs").iterdir()
    kept.write_text(damage, encoding="utf-8")
    forget(monkeypatch)
    calibrate(text, context=32)
    assert len(measured) == 2
    assert json.loads(kept.read_text(encoding="utf-8"))["points"]


def test_a_folder_that_cannot_be_written_is_ignored(text, measured, monkeypatch, tmp_path):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(in_the_way))
    assert calibrate(text, context=32).seconds(1) > 0 and len(measured) == 1


def test_between_the_points_costs_are_linear_and_beyond_them_extrapolated():
    curve = CostCurve({1: 1.0, 8: 1.5, 16: 2.5})
    assert [curve.seconds(k) for k in (0, 1, 8, 12, 16, 24)] == [1.0, 1.0, 1.5, 2.0, 2.5, 3.5]
    assert CostCurve({1: 2.0}).seconds(50) == 2.0


def test_what_a_first_pass_compiles_and_a_second_captures_is_not_its_cost(text, monkeypatch):
    passes = Counter()

    def seconds(session, trees):
        size = len(trees[0])
        passes[size] += 1
        return 2.0 if passes[size] < 3 else size / 1000

    monkeypatch.setattr(module, "_seconds", seconds)
    other = TextModel(text.decoder, text.head, frozenset(), text.axes, "captured")
    other.__dict__["graphs"] = Graphs(lambda compute: compute)
    assert measure(other).points == {size: size / 1000 for size in SIZES}
