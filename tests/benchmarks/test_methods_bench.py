"""What methods cost in speed and memory: the bench's race over a picture of noise, and its columns."""

import methods
import pytest
from PIL import Image

from docparse.accel.costs import CostCurve
from docparse.accel.stack import parse_stack
from docparse.errors import ExitCode


@pytest.mark.parametrize("name", [*methods.METHODS, *methods.NEUTRAL])
def test_what_is_measured_is_a_stack(name):
    assert str(parse_stack(name)) != "none"


def test_the_model_has_the_size_that_is_said():
    """12 decoder layers of width 512, 42 million parameters in them, a picture of 1,024 visual tokens as it is."""
    vlm = methods.load_model("cpu", "float32")
    assert (vlm.text.layers, vlm.text.config.hidden_size, vlm.text.vocabulary) == (12, 512, 8192)
    assert 41e6 < sum(weights.numel() for weights in vlm.text.decoder.parameters()) < 43e6
    assert int(vlm.encode(Image.effect_noise((1024, 1024), 64).convert("RGB"), "Read.").visual.sum()) == 1024


def test_every_method_has_a_line_of_what_it_cost(monkeypatch, capsys):
    """Whatever passes cost on this machine at this moment, drafts are worth a try."""
    monkeypatch.setattr("docparse.vlm.engine.calibrate", lambda *_, **__: CostCurve({1: 1.0, 64: 1.0}))
    monkeypatch.setattr(methods, "MEDIUM", {})
    words = ["methods", "--visual", "64", "--tokens", "12", "--methods", "hsd", "vlcache(budget=0.5)"]
    monkeypatch.setattr("sys.argv", words)
    assert methods.main() == 0
    title, heads, _, *lines = capsys.readouterr().out.strip().splitlines()
    assert title.startswith("64 visual and ") and "12 tokens of output" in title
    names = [name.strip() for name in heads.split("|")]
    cells = {
        line.split("|")[1].strip(): dict(zip(names, map(str.strip, line.split("|")), strict=True)) for line in lines
    }
    assert list(cells) == ["`ar`", "`hsd`", "`vlcache(budget=0.5)`"]
    assert cells["`vlcache(budget=0.5)`"]["KV left"] == "50%" and cells["`ar`"]["KV left"] == "100%"
    assert float(cells["`hsd`"]["AAL"]) > 1


def test_what_is_no_method_is_refused_before_anything_is_loaded(monkeypatch, capsys):
    monkeypatch.setattr(methods, "load_model", lambda *_: pytest.fail("loaded"))
    monkeypatch.setattr("sys.argv", ["methods", "--methods", "hsd", "h3o"])
    assert methods.main() == ExitCode.USAGE
    assert "there is no method 'h3o'" in capsys.readouterr().err
