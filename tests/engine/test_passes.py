"""Compiled passes are the same loop: equal tokens, few shapes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from docparse.engine.generate import Limits, generate
from docparse.engine.passes import SIZES, padded_nodes, padded_positions


@pytest.mark.parametrize("kind", ["plain", "m-rope"])
def test_a_compiled_loop_writes_the_same_tokens(toys: Any, adversary: Any, kind: str) -> None:
    toy = toys(kind)
    limits = Limits(20, guard=False)
    prompts = [toy.prompt(length, length) for length in (6, 11)]
    answers = [toy.greedy(prompt, 20) for prompt in prompts]
    proposers = [adversary(answer, 3, most=8) for answer in answers]
    torch._dynamo.reset()
    outs = generate(toy.text, prompts, proposers, limits, compiler="aot_eager")
    assert [out.tokens for out in outs] == answers


def test_passes_of_one_size_share_a_graph(toys: Any, oracle: Any) -> None:
    """Neither the length of the prompt, nor that of the output, nor the shape of a tree compiles anything anew."""
    toy = toys("plain")
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    for length in (4, 9, 16):
        prompt = toy.prompt(length)
        answer = toy.greedy(prompt, 30)
        proposers = [oracle(answer, 5)]
        generate(toy.text, [prompt], proposers, Limits(30, guard=False), compiler="aot_eager")
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] <= 2  # trees of up to 8 nodes, and bare roots


@settings(deadline=None)
@given(nodes=st.integers(1, 400))
def test_trees_are_padded_to_few_sizes(nodes: int) -> None:
    size = padded_nodes(nodes)
    assert size >= nodes and (size in SIZES or size % SIZES[-1] == 0)


@settings(deadline=None)
@given(positions=st.integers(1, 10**5))
def test_slabs_are_padded_to_powers_of_two(positions: int) -> None:
    capacity = padded_positions(positions)
    assert capacity >= positions and capacity & (capacity - 1) == 0
