"""Presets have the values that were measured with the very weights that are loaded, else the papers' own."""

import msgspec
import pytest

from docparse.accel.stack import parse_stack
from docparse.vlm.calibrated import BESIDE, Calibration, calibrated, calibration_file, store, weights_hash

MEASURED = {
    "balanced": "fastocr(keep=0.1,layers=0/3)+hsd(tau=0.75)",
    "fast": "rtprune(most=0.1)+fastocr(keep=0.1,layers=0/3)+hsd(tau=0.75)",
    "auto(lossy=true)": "auto(lossy=true,keep=0.1,layers=0/3,most=0.1)",
}


@pytest.fixture(autouse=True)
def config(tmp_path, monkeypatch):
    """The user's folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config"


@pytest.fixture
def weights(tmp_path):
    """A folder with a model's weights."""
    return _weights(tmp_path / "model", b"weights")


def _weights(folder, content):
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(content)
    return folder


def _of(folder):
    return Calibration(
        **{"weights": weights_hash(folder), "model": "m", "date": "2026-11-23", "data": "builtin", "pages": 6},
        **{"unit": "points", "bound": 1.0, "focal": ("0/3", 1.0), "presets": MEASURED, "lost": {"rtprune": 0.4}},
    )


def _meant(name, folder):
    stack, says = calibrated(name, parse_stack(name), "m", folder)
    return str(stack), says


@pytest.mark.parametrize("name", MEASURED)
def test_presets_are_what_was_measured_with_these_weights_else_the_papers_values_and_the_output_says_so(
    name, weights, tmp_path
):
    store(_of(_weights(tmp_path / "other", b"other weights")))
    stack, says = _meant(name, weights)
    assert stack == str(parse_stack(name))
    assert "the papers' own values" in says and "docparse bench --calibrate m" in says
    assert _meant(name, None) == (stack, f"{name}: the papers' own values")  # random weights
    store(_of(weights))
    stack, says = _meant(name, weights)
    assert stack == MEASURED[name]
    assert "calibrated for these weights" in says and "2026-11-23" in says and stack in says


def test_what_is_no_preset_stays_as_it_was_typed(weights):
    store(_of(weights))
    for name in ("hsd", "lossless", "auto", "fastocr+hsd", "auto(lossy=true,keep=0.3)"):
        assert _meant(name, weights) == (str(parse_stack(name)), "")


def test_a_calibration_may_lie_beside_the_weights_and_the_users_goes_before_it(weights):
    beside = msgspec.structs.replace(_of(weights), presets=MEASURED | {"fast": "hsd(tau=0.75)"})
    (weights / BESIDE).write_bytes(msgspec.json.encode(beside))
    assert _meant("fast", weights)[0] == "hsd(tau=0.75)"
    store(_of(weights))
    assert _meant("fast", weights)[0] == MEASURED["fast"]


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b'{"schema": "docparse-calibration-1"}', b"\xff\xfe", b"other", b"unknown method", b"without fast"],
)
def test_a_file_that_cannot_be_used_is_told_in_one_line_and_not_used(damage, weights):
    found = _of(weights)
    damaged = {
        b"other": msgspec.structs.replace(found, weights="0" * 64),
        b"unknown method": msgspec.structs.replace(found, presets=MEASURED | {"fast": "hds"}),
        b"without fast": msgspec.structs.replace(found, presets={"balanced": "hsd"}),
    }
    path = store(found)
    path.write_bytes(msgspec.json.encode(damaged[damage]) if damage in damaged else damage)
    stack, says = _meant("fast", weights)
    assert stack == str(parse_stack("fast"))
    assert str(path) in says and "the papers' own values" in says and "--calibrate m" in says and "\n" not in says


def test_nothing_is_written_unless_it_is_stored(weights, config):
    _meant("fast", weights)
    assert not config.exists()
    assert store(_of(weights)) == calibration_file(weights_hash(weights))
    assert [path.name for path in config.rglob("*") if path.is_file()] == [calibration_file(weights_hash(weights)).name]


def test_the_bundled_model_has_a_calibration_of_its_weights():
    from docparse.models.names import locate

    stack, says = _meant("balanced", locate("tiny", offline=True)[1].folder)
    assert "calibrated for these weights" in says, stack
