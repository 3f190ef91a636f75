"""The rules that the pipeline's benchmark switches off one by one are there."""

from importlib import import_module

import pytest
from pipeline import RULES


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_rule_that_is_switched_off_is_one_of_the_pipeline(rule):
    module, name = rule.target.split(":")
    assert callable(getattr(import_module(module), name))
