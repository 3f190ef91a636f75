"""The side-by-side measurement of methods: what runs when, and what is compared with what."""

from types import SimpleNamespace

import methods
import pytest

from docparse.accel.stack import parse_stack
from docparse.engine.generation import Generation, Step
from docparse.errors import ExitCode


def timed(prefill: float, decode: float) -> methods.Timed:
    output = Generation(tokens=[1, 2], prompt_tokens=5, kept_visual_tokens=3.0, cache_bytes=2**20)
    output.steps = [Step(1, {}, {}, (0.0, 0.0, 0.0, 0.0), (5, 5))]
    return methods.Timed(SimpleNamespace(generation=output), prefill, decode)


def test_plain_decoding_runs_before_between_and_after_groups_of_methods():
    order: list[str] = []

    def read(name: str) -> methods.Timed:
        order.append(name)
        return timed(1.0, float(len(order)))

    names = list("abcde")
    runs = dict(methods.measure_all(read, names, 1))
    warm = ["none", *names]  # of these no time is kept
    assert order == [*warm, "none", *"abcd", "none", "e", "none"]
    before, own, after = runs["e"][0]
    assert (before.decode, own.decode, after.decode) == (12.0, 13.0, 14.0)


def test_a_method_is_compared_with_the_plain_runs_around_it():
    vlm = SimpleNamespace(text=SimpleNamespace(layers=2, config=SimpleNamespace(hidden_size=4)))
    result = methods.summary("x", [(timed(1.0, 2.0), timed(4.0, 3.0), timed(3.0, 4.0))], vlm)
    assert (result.prefill_ms, result.prefill_ratio) == (4000.0, 2.0)
    assert (result.token_ms, result.decode_ratio) == (1500.0, 1.0)
    assert (result.visual, result.cache_bytes) == (3, 2**20)
    assert result.flops == 2 * (8 * 16 + 4 * 6 * 4) / 2


@pytest.mark.parametrize("name", [*methods.METHODS, *methods.NEUTRAL])
def test_what_is_measured_is_a_stack(name):
    assert str(parse_stack(name)) != "none"


@pytest.mark.parametrize("name", ["vsd:model=qwen3-vl-2b", "rtprune+vsd:model=tiny", "auto", "auto(lossy=true)"])
def test_what_needs_another_model_or_a_page_is_refused_before_anything_is_loaded(name, monkeypatch, capsys):
    monkeypatch.setattr(methods, "load_model", lambda *_: pytest.fail("loaded"))
    monkeypatch.setattr("sys.argv", ["methods", "--methods", "hsd", name])
    assert methods.main() == ExitCode.USAGE
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{name}: it ")
