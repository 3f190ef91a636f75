"""A sweep is a method for each value, and its points are the rows of the report."""

from __future__ import annotations

import pytest

from docparse.accel.stack import parse_stack
from docparse.bench.ablate import Sweep, sweep_of
from docparse.bench.request import methods_of
from docparse.bench.rows import Summary
from docparse.errors import UsageError


def summary(method: str, model: str = "tiny", category: str = "overall", **numbers: float) -> Summary:
    fields = dict.fromkeys(Summary.__struct_fields__, 0.0) | numbers
    return Summary(**fields | {"model": model, "method": method, "category": category})


def test_every_value_is_a_method_of_its_own_between_the_others_in_the_order_given():
    sweep = sweep_of("fastocr.keep=0.05,1,0.2", methods_of("lookup,rtprune+fastocr(gap=3)+hsd"))
    assert list(sweep.stacks) == [
        "ar",
        "lookup",
        "rtprune+fastocr(keep=0.05,gap=3)+hsd",
        "rtprune+fastocr(keep=1,gap=3)+hsd",
        "rtprune+fastocr(keep=0.2,gap=3)+hsd",
    ]


def test_a_name_spells_its_stack_and_says_the_value_also_where_it_is_the_default():
    sweep = sweep_of("hsd.n=1,3", methods_of("hsd(tau=0.75)"))
    assert list(sweep.stacks) == ["ar", "hsd(n=1,tau=0.75)", "hsd(n=3,tau=0.75)"]
    assert all(parse_stack(name) == stack for name, stack in sweep.stacks.items() if name != "ar")


def test_a_value_given_in_the_stack_is_replaced():
    assert list(sweep_of("hsd.n=2", methods_of("hsd(n=4)")).stacks) == ["ar", "hsd(n=2)"]


@pytest.mark.parametrize(
    ("paper", "ours"), [("rtprune.lambda", "rtprune.merge"), ("fastocr.rho", "fastocr.keep"), ("hsd.tree", "hsd.nodes")]
)
def test_the_papers_names_of_parameters_mean_ours(paper: str, ours: str):
    assert sweep_of(f"{paper}=1", methods_of(paper.partition(".")[0])).parameter == ours


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fastocr.kep=1", "--ablate fastocr: 'kep' is not a parameter; did you mean 'keep'?"),
        ("fastcr.keep=1", "did you mean 'fastocr'?"),
        ("fastocr.keep=2", "--ablate fastocr: keep=2: use a value from 0 to 1"),
        ("fastocr.gap=2,x", "--ablate fastocr: gap=x is not a whole number"),
        ("hsd.n=1", "hsd is not in --method"),
        ("fastocr.keep", "write METHOD.PARAMETER=V1,V2"),
        ("fastocr.keep=", "write METHOD.PARAMETER=V1,V2"),
    ],
)
def test_what_cannot_be_swept_is_told_in_one_line(text: str, message: str):
    with pytest.raises(UsageError) as caught:
        sweep_of(text, methods_of("fastocr"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_points_are_the_overall_rows_of_each_model_and_stack():
    sweep = sweep_of("hsd.tau=0.5,1", methods_of("hsd,fastocr+hsd"))
    rows = [
        summary(name, model, category, sr_decode=number + 10 * (category == "overall"), cer=None)
        for number, name in enumerate(sweep.stacks)
        for model in ("a", "b")
        for category in ("overall", "tables")
    ]
    found = sweep.ablations(rows)
    assert [(each.model, each.stack, each.parameter) for each in found] == [
        ("a", "hsd", "hsd.tau"),
        ("a", "fastocr+hsd", "hsd.tau"),
        ("b", "hsd", "hsd.tau"),
        ("b", "fastocr+hsd", "hsd.tau"),
    ]
    assert [(point.value, point.method, point.sr_decode) for point in found[1].points] == [
        (0.5, "fastocr+hsd(tau=0.5)", 13.0),
        (1.0, "fastocr+hsd(tau=1)", 14.0),
    ]


def test_a_value_that_failed_on_every_page_has_no_point():
    sweep: Sweep = sweep_of("hsd.n=1,2", methods_of("hsd"))
    (found,) = sweep.ablations([summary("ar"), summary("hsd(n=2)")])
    assert [point.value for point in found.points] == [2]
