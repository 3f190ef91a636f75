"""A sweep is a method for each value."""

from __future__ import annotations

import pytest

from docparse.accel.stack import parse_stack
from docparse.bench.request import methods_of, swept
from docparse.errors import UsageError


def test_every_value_is_a_method_of_its_own_between_the_others_in_the_order_given():
    stacks = swept("fastocr.keep=0.05,1,0.2", methods_of("lookup,rtprune+fastocr(gap=3)+hsd"))
    assert list(stacks) == [
        "ar",
        "lookup",
        "rtprune+fastocr(keep=0.05,gap=3)+hsd",
        "rtprune+fastocr(keep=1,gap=3)+hsd",
        "rtprune+fastocr(keep=0.2,gap=3)+hsd",
    ]


def test_a_name_spells_its_stack_and_says_the_value_also_where_it_is_the_default():
    stacks = swept("hsd.n=1,3", methods_of("hsd(tau=0.75)"))
    assert list(stacks) == ["ar", "hsd(n=1,tau=0.75)", "hsd(n=3,tau=0.75)"]
    assert all(parse_stack(name) == stack for name, stack in stacks.items() if name != "ar")


def test_a_value_given_in_the_stack_is_replaced():
    assert list(swept("hsd.n=2", methods_of("hsd(n=4)"))) == ["ar", "hsd(n=2)"]


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
        swept(text, methods_of("fastocr"))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
