"""What a calibration chooses: the strongest setting that loses no more than the bound, and nothing that loses more."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from docparse.accel.stack import parse_stack
from docparse.bench import calibration as calibrating
from docparse.bench.calibration import Calibrating, calibration, lines
from docparse.bench.request import CALIBRATION_PAGES, BenchRequest
from docparse.bench.rows import AR
from docparse.cli.bench import measure_and_tell
from docparse.errors import InputError, UsageError
from docparse.models.names import locate
from docparse.vlm.calibrated import PRESETS, calibrated

LAYERS = 6


class Known(Calibrating):
    """Losses from a rule instead of a model."""

    def __init__(self, rule):
        super().__init__(None, (), (), lambda line: None)
        self.densities = [0.05, 0.1, 0.2, 0.3]
        self._losses = lambda stack: [rule(stack)] * 4 if callable(rule) else rule[stack]


def spent(*focal):
    """Three pages on which these layers spend most."""
    found = np.full((3, LAYERS), 0.1)
    found[:, list(focal)] = 0.9
    return found


def test_the_strongest_setting_before_the_first_that_loses_too_much():
    lost = {"a": 0.0, "b": 0.01, "c": 0.02, "d": 0.0}  # d is luck: it removes more than c does
    found = Known(lost.__getitem__)
    assert found.ladder(*"abcd") == ["a", "b"]
    assert list(found.lost) == ["a", "b", "c"]
    assert found.ladder("c", "d") == []
    # with its standard error a loss is within the bound, too
    found = Known({"steady": [0.008] * 4, "by luck": [0.1, -0.1, 0.05, -0.05]})
    assert found.within("steady")
    assert not found.within("by luck")  # though its mean is nothing


def test_what_loses_too_much_together_becomes_milder_and_is_left_out_at_last():
    alone = {"rtprune(most=0.1)": 0.005, "rtprune": 0.009, "fastocr": 0.004}
    both = {"rtprune+fastocr": 0.03, "rtprune(most=0.1)+fastocr": 0.01}
    found = Known((alone | both).__getitem__)
    ladders = found.ladder("rtprune(most=0.1)", "rtprune"), found.ladder("fastocr")
    assert found.together(ladders[0], [], ladders[1]) == "rtprune(most=0.1)+fastocr+hsd(tau=0.75)"
    worse = Known((alone | both | {"rtprune(most=0.1)+fastocr": 0.02}).__getitem__)
    assert worse.together(*(worse.ladder(*each) for each in ladders)) == "fastocr+hsd(tau=0.75)"
    assert found.together([]) == "hsd(tau=0.75)"


def test_where_nothing_loses_the_least_of_everything_is_chosen():
    presets, focal = calibrating._presets(Known(lambda stack: 0.0), spent(0, 3), LAYERS)
    assert focal == ("0", 1.0)  # the fewest layers; of the two that spend most, the first
    assert presets["balanced"] == "fastocr(keep=0.05,layers=0)+hsd(tau=0.75)"
    assert presets["fast"] == "rtprune(most=0.3)+aircache(budget=0.1)+fastocr(keep=0.05,layers=0)+hsd(tau=0.75)"
    assert presets["auto(lossy=true)"] == "auto(lossy=true,keep=0.05,layers=0,full=0.31)"
    assert set(presets) == set(PRESETS) and all(map(parse_stack, presets.values()))


def test_where_all_is_lost_presets_only_speculate():
    presets, _ = calibrating._presets(Known(lambda stack: 1.0), spent(2), LAYERS)
    assert presets["balanced"] == presets["fast"] == "hsd(tau=0.75)"
    assert presets["auto(lossy=true)"] == "auto(lossy=true,keep=1.0,most=0.0,full=1.0)"


def test_as_many_layers_are_focal_as_the_loss_asks_for_and_pages_on_which_others_look_are_counted():
    looks = spent(0, 3)
    looks[2] = spent(1, 5)[0]
    presets, focal = calibrating._presets(Known(lambda stack: 0.0 if "layers=0/3" in stack else 0.4), looks, LAYERS)
    assert focal == ("0/3", 2 / 3)
    assert presets["balanced"] == "fastocr(keep=0.05,layers=0/3)+hsd(tau=0.75)"


def test_where_there_is_little_text_auto_prunes_more():
    alone = {"rtprune(most=0.05)": [0.0] * 4, "rtprune(most=0.1)": [0.0, 0.0, 0.01, 0.2]}
    found = Known(alone | {"rtprune(most=0.2)": [0.01, 0.0, 0.1, 0.4], "rtprune(most=0.3)": [0.0, 0.3, 0.0, 0.0]})
    stack = parse_stack("rtprune(most=0.05)+hsd(tau=0.75)")
    assert found.sparsest("rtprune(most=0.1)") == (0.75, 0.21)
    assert found.sparsest("rtprune(most=0.3)") == (0.25, 0.06)  # too few to be more than luck
    assert calibrating._auto(found, stack) == "auto(lossy=true,keep=1.0,most=0.2,full=0.11)"


@pytest.fixture
def toy(twin, race_of, monkeypatch):
    """A random model, and one setting of each kind to try with it."""
    for name, value in {"KEEPS": (0.2,), "RATIOS": (0.1,), "BUDGETS": (0.5,), "FOCAL": (0.2,)}.items():
        monkeypatch.setattr(calibrating, name, value)
    monkeypatch.setattr(calibrating, "model_of", lambda *_: twin)
    monkeypatch.setattr(calibrating, "race_of", lambda *_: race_of("hsd"))


def test_a_model_is_calibrated_by_its_own_output(toy, three_pages):
    request = BenchRequest(calibrate="twin", data="builtin")
    said = []
    found = calibration(request, three_pages[:1], said.append)
    assert found.model == "twin" and found.pages == 1 and found.unit == "points of CER"
    assert set(found.presets) == set(PRESETS) and all(map(parse_stack, found.presets.values()))
    kept = [part for part in found.presets["balanced"].split("+") if not part.startswith("hsd")]
    assert all(found.lost[part] <= found.bound for part in kept)
    told = "\n".join(lines(found))
    assert all(name in told for name in (*found.lost, *found.presets)) and len(said) > len(found.lost)


def test_no_stack_may_write_more_than_plain_decoding_may(toy, race_of, three_pages, monkeypatch):
    """What both are cut at would else count as read by one of them alone."""
    written = []
    judge = Calibrating._of_page

    def watched(self, page, attempt, plain):
        written.extend(map(len, attempt.tokens))
        return judge(self, page, attempt, plain)

    monkeypatch.setattr(Calibrating, "_of_page", watched)
    calibration(BenchRequest(calibrate="twin"), three_pages[:1], lambda line: None)
    assert max(written) == race_of().settings.output_tokens


def test_pages_that_plain_decoding_cannot_read_are_left_out(toy, three_pages):
    gone = replace(three_pages[0], path=Path("gone.pdf"), document="gone.pdf")
    said = []
    found = calibration(BenchRequest(calibrate="twin"), [gone, three_pages[1]], said.append)
    assert found.pages == 1 and any("gone.pdf" in line and "left out" in line for line in said)
    with pytest.raises(InputError, match="--calibrate twin: plain decoding could read no page of builtin"):
        calibration(BenchRequest(calibrate="twin"), [gone], said.append)


def test_a_profile_adds_up_what_each_layer_spends_on_tokens_that_show_the_page():
    spent = np.zeros(2)
    prompt = SimpleNamespace(structural=torch.tensor([False, True, False]))
    selector = calibrating.Profile(spent).selector(prompt, 2)
    selector.observe(0, torch.tensor([[0.1, 0.5, 0.2]]))
    selector.observe(1, torch.tensor([[0.25, 0.5, 0.25], [0.0, 0.25, 0.25]]))  # of two nodes the mean
    selector.observe(0, torch.tensor([[0.2, 0.3, 0.3]]))
    assert spent == pytest.approx([0.8, 0.375])
    assert selector.select(0) is None and selector.select(1) is None


def test_a_page_is_read_as_ever_for_being_profiled(race_of, three_pages, twin):
    race = race_of()
    plain, spent = calibrating._profiled(race, three_pages[0])
    assert plain.tokens == race.attempt(three_pages[0], AR).tokens
    steps = sum(len(output.steps) for output in plain.outputs)
    assert spent.shape == (twin.text.layers,) and (spent > 0).all() and (spent < steps).all()


def test_a_few_of_the_builtin_pages_are_enough_unless_somebody_says_how_many_and_nothing_else_is_measured():
    assert BenchRequest(calibrate="tiny").max_pages == CALIBRATION_PAGES
    assert BenchRequest(calibrate="tiny", pages=3).max_pages == 3
    assert BenchRequest(calibrate="dots.ocr", data=".").max_pages == 0
    assert BenchRequest(calibrate="dots.ocr").models == ["dots.ocr"]
    for other in ({"method": "lookup"}, {"draft_noise": 0.1}, {"throughput": "4"}, {"runs": 2}):
        with pytest.raises(UsageError, match=f"--calibrate measures nothing else: leave out --{next(iter(other))[:5]}"):
            BenchRequest(calibrate="tiny", **other)


def test_the_command_prints_what_it_found_and_keeps_it_for_the_weights(toy, twin, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = locate("tiny", offline=True)[1].folder
    monkeypatch.setattr(calibrating, "model_of", lambda *_: replace(twin, folder=folder))
    assert measure_and_tell({"calibrate": "tiny", "pages": 1}, quiet=True) == 0
    assert not list(tmp_path.rglob("*.json")), "a page is too few to keep anything"
    capsys.readouterr()
    monkeypatch.setattr("docparse.cli.bench.MIN_CALIBRATION_PAGES", 1)
    code = measure_and_tell({"calibrate": "tiny", "pages": 1}, quiet=True)
    (kept,) = tmp_path.rglob("*.json")
    printed = capsys.readouterr().out
    assert code == 0 and f"kept in {kept}" in printed and "balanced" in printed
    assert "calibrated for these weights (1 pages" in calibrated("fast", parse_stack("fast"), "tiny", folder)[1]
    with pytest.raises(UsageError, match="--calibrate writes no report"):
        measure_and_tell({"calibrate": "tiny", "json": str(tmp_path / "x.json")}, quiet=True)
