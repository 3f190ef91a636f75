"""The cost model: the fitted row, what must rise when something gets better, and the arithmetic on measured passes."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.bench.prediction import hardware
from docparse.bench.prediction.hardware import CONSTANTS, DEVICES, SOFTWARE, Device
from docparse.bench.prediction.predict import Machine, Workload, devices_of, pass_seconds, predict, predicted, workloads
from docparse.bench.prediction.published import PUBLISHED, checks
from docparse.bench.prediction.shapes import PAGES, Experts, Page, Shape
from docparse.bench.rows import Row
from docparse.engine.costs import CostCurve
from docparse.errors import UsageError

DOCUMENT = Path(__file__).parents[3] / "docs" / "benchmarks" / "predict.md"
DENSE = Shape("dense", 28, 2048, 100_000, 1_500_000_000, None, 1500, 400_000_000, 100_000, Page(3800, 15200))
SPARSE = replace(DENSE, dense=350_000_000, experts=Experts(64, 6, 11, 38_000_000))
SHAPES = st.sampled_from([DENSE, SPARSE])


@pytest.fixture(scope="module", autouse=True)
def counted():
    """The published shapes are counted once."""
    from docparse.bench.prediction.counting import shape_of

    return {model: shape_of(model) for model in PAGES}


def row(method: str, **numbers: object) -> Row:
    fields: dict[str, object] = dict.fromkeys(Row.__struct_fields__, 0)
    seconds = {"drafts": 0.5, "regions": 1.0, "decode": 4.0}
    return Row(**fields | {"method": method, "seconds": seconds, "proposed_by_source": {"ocr": 300}} | numbers)


def test_the_fitted_row_is_reproduced():
    fitted = checks()[0]
    assert fitted.published.sr_decode == pytest.approx(fitted.prediction.sr_decode, abs=0.01)
    assert "fitted" in fitted.published.what


def test_no_other_row_decides_a_constant():
    assert [constant for constant in CONSTANTS if "fitted" in constant.source] == [hardware.VERIFY]


@pytest.mark.parametrize("model", PAGES)
def test_the_counted_parameters_are_the_published_ones(model: str, counted: dict[str, Shape]):
    from docparse.models.names import known_family

    card, shape = known_family(model).card, counted[model]
    routed = shape.experts.count * shape.experts.size if shape.experts else 0
    embedding = card.parameters - known_family(model).skipped_parameters - shape.vision - shape.dense - routed
    hidden = {"dots.ocr": 1536, "qwen3-vl": 4096, "deepseek-ocr": 1280}.get(model)  # the others' head is the embedding
    assert embedding == 0 if hidden is None else embedding % hidden == 0 < embedding


def test_a_token_of_deepseek_ocr_meets_the_parameters_that_its_name_says(counted: dict[str, Shape]):
    assert counted["deepseek-ocr"].active == pytest.approx(570e6, rel=0.02)


@given(SHAPES, st.sampled_from([*DEVICES]), st.sampled_from([*SOFTWARE]), st.floats(0, 30), st.floats(0.1, 5))
def test_a_longer_acceptance_never_makes_slower(shape: Shape, device: str, software: str, aal: float, more: float):
    few, many = (predicted(shape, device, software, Workload(each, fed=40)) for each in (aal, aal + more))
    assert many.sr_decode > few.sr_decode
    assert many.sr_e2e > few.sr_e2e


@given(SHAPES, st.floats(0, 20), st.floats(0, 5), st.floats(0.1, 5))
def test_drafts_and_regions_only_cost(shape: Shape, aal: float, drafts: float, more: float):
    work = Workload(aal, drafts=drafts, regions=0.1)
    plain = predicted(shape, "a100", "eager", work).sr_decode
    assert predicted(shape, "a100", "eager", replace(work, drafts=drafts + more)).sr_decode < plain
    assert predicted(shape, "a100", "eager", replace(work, regions=0.1 + more)).sr_decode < plain


@given(SHAPES, st.floats(1, 100), st.floats(1, 10), st.floats(100, 10_000))
def test_a_better_machine_is_never_slower(shape: Shape, tokens: float, factor: float, context: float):
    slow = Machine(Device(1e12, 1e14, ""), 1e-5)
    better = [
        Machine(Device(1e12 * factor, 1e14, ""), 1e-5),
        Machine(Device(1e12, 1e14 * factor, ""), 1e-5),
        Machine(Device(1e12, 1e14, ""), 1e-5 / factor),
    ]
    for machine in better:
        assert pass_seconds(shape, machine, context, tokens) <= pass_seconds(shape, slow, context, tokens)


def test_each_roof_decides_where_it_is_the_lowest():
    read = Machine(Device(1e9, 1e30, ""), 0.0)
    assert pass_seconds(DENSE, read, 0) == pytest.approx(3e9 / 1e9 / hardware.BANDWIDTH.value)
    computed = Machine(Device(1e30, 1e12, ""), 0.0)
    assert pass_seconds(DENSE, computed, 0) == pytest.approx(3e9 / 1e12 / hardware.RATE.value)
    launched = Machine(Device(1e30, 1e30, ""), 1e-5)
    assert pass_seconds(DENSE, launched, 0) == pytest.approx(1500e-5)


def test_a_pass_over_one_token_touches_the_active_experts_and_a_long_one_all():
    assert SPARSE.experts is not None
    assert SPARSE.experts.touched(1) == pytest.approx(6)
    assert SPARSE.experts.touched(1000) == pytest.approx(64)
    assert 6 < SPARSE.experts.touched(2) < 12  # two tokens share some


@pytest.mark.parametrize(
    ("aal", "fed", "measured"),
    [(53.55, 54.5, 12.48), (26.27, 38.3, 8.15), (16.14, 32.2, 5.55), (11.50, 29.1, 4.32), (6.59, 21.5, 3.20)],
)
def test_with_measured_passes_the_same_arithmetic_gives_what_was_measured_on_a_processor(
    aal: float, fed: float, measured: float
):
    """The pass costs, acceptance and speedups of docs/benchmarks/hsd.md; drafts cost nothing there."""
    costs = CostCurve({1: 0.023, 2: 0.034, 4: 0.035, 8: 0.041, 16: 0.049, 32: 0.067, 64: 0.105})
    work = Workload(aal, drafts=0.0, regions=0.0, tokens=600)
    assert work.tokens * costs.seconds(1) / work.decode(costs.seconds(fed)) == pytest.approx(measured, rel=0.08)


def test_a_report_gives_acceptance_by_characters_and_the_measured_cost_of_drafts():
    rows = [row("ar", proposed_by_source={}), row("hsd", steps=100, accepted=700), row("hsd", steps=100, accepted=300)]
    assert workloads(rows) == {"hsd": Workload(aal=5.0, fed=4.0, drafts=0.5, regions=0.25)}
    letters = workloads(rows, characters=1.0)["hsd"]
    assert letters.aal == pytest.approx(5.0 / hardware.CHARACTERS.value)
    assert letters.drafts == 0.5


def test_every_method_is_predicted_for_every_model_device_and_way_to_launch():
    found = predict({"hsd": Workload(4.0), "lookup": Workload(0.3)}, ["a100", "h200"], ["dots.ocr", "qwen3-vl-2b"])
    assert len({(each.method, each.model, each.device, each.software) for each in found}) == len(found) == 16
    assert all(math.isfinite(each.sr_e2e) for each in found)


def test_devices_are_named_and_the_nearest_is_suggested():
    assert devices_of("A100, h200,a100") == ("a100", "h200")
    with pytest.raises(UsageError, match=r"--predict h10: .*did you mean 'h100'"):
        devices_of("h10")
    with pytest.raises(UsageError, match="name a device"):
        devices_of(",")


def test_the_document_states_every_constant_and_every_error():
    text = DOCUMENT.read_text(encoding="utf-8")
    for constant in CONSTANTS:
        assert f"| {constant.says} | {constant} | {constant.source} |" in text
    for name, device in DEVICES.items():
        assert (
            f"| {name} | {device.bandwidth / 1e12:g} TB/s | {device.rate / 1e12:g} TFLOP/s | {device.source} |" in text
        )
    for check in checks():
        line = f"| {check.published.model} | {check.published.what} | {check.published.work.aal:.2f} |"
        (found,) = [each for each in text.splitlines() if each.startswith(line)]
        said = check.prediction
        for published, ours, error in zip(
            (check.published.sr_decode, check.published.sr_e2e),
            (said.sr_decode, said.sr_e2e),
            check.errors,
            strict=True,
        ):
            if published is not None:
                assert f"| {published:.2f} | {ours:.2f} | {error:+.0%} |" in found
    assert len(PUBLISHED) == len(checks())
