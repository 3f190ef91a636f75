"""With a real decoder: whatever proposes, the tokens are those of the plain loop, alone and in a batch."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docparse.accel.drafts import OCR, REGION, TEXT_LAYER, DraftModel, DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.accel.vsd import Vsd
from docparse.engine.costs import CostCurve, PassCosts
from docparse.engine.generate import generate
from docparse.engine.row import Limits

LIMITS = Limits(max_tokens=40, guard=False, ignore_end=True)
slow = settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def damaged(draw, text: Sequence[int]) -> DraftTokens:
    """A draft of `text`: cut into blocks, these in any order, with tokens replaced, lost, or put in."""
    cuts = sorted(draw(st.sets(st.integers(1, len(text) - 1), max_size=4)))
    parts = [list(text[a:b]) for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    tokens, starts = [], []
    for part in draw(st.permutations(parts)):
        starts.append(len(tokens))
        tokens += part
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, max(0, len(tokens) - 1)))
        tokens[at : at + draw(st.integers(0, 1))] = draw(st.lists(st.integers(0, 96), max_size=2))
    kept = tuple(start for start in starts if start < len(tokens))
    return DraftTokens(tuple(tokens), draw(st.sampled_from((TEXT_LAYER, OCR, REGION))), kept)


@slow
@given(data=st.data(), length=st.integers(3, 20))
def test_hsd_at_tau_1_is_greedy_decoding(data, length: int, tiny_model, make_prompt) -> None:
    model = tiny_model(0)
    prompt = make_prompt(model, length)
    (plain,) = generate(model, [prompt], None, LIMITS)
    drafts = data.draw(st.lists(damaged(plain.tokens), max_size=2))
    method = Hsd(n=data.draw(st.integers(1, 4)), nodes=data.draw(st.integers(1, 24)))
    costs = data.draw(st.sampled_from((None, CostCurve({1: 1.0, 65: 3.0}))))
    known = PassCosts.alike(costs) if costs else None
    (fast,) = generate(model, [prompt], [method.proposer(Speculation(drafts, costs=known))], LIMITS)
    assert fast.tokens == plain.tokens
    for token, source, (draft, offset) in zip(fast.tokens, fast.sources, fast.origins, strict=True):
        if draft >= 0:
            assert (drafts[draft].tokens[offset], drafts[draft].source) == (token, source)
    assert sum(fast.accepted_by_source().values()) == fast.accepted
    assert fast.accepted + 1 + len(fast.steps) >= len(fast.tokens)


@pytest.mark.parametrize("n", [1, 3])
def test_lookup_is_greedy_decoding(n: int, tiny_model, make_prompt) -> None:
    """The prompt holds the output, so there is something to look up."""
    model = tiny_model(1)
    prompt = make_prompt(model, 12)
    (plain,) = generate(model, [prompt], None, LIMITS)
    looked_up = [*prompt.ids.tolist(), *plain.tokens]
    (fast,) = generate(model, [prompt], [Lookup(n=n).proposer(Speculation(prompt=looked_up))], LIMITS)
    assert fast.tokens == plain.tokens
    assert fast.aal > 3


@pytest.mark.parametrize(("seed", "least"), [pytest.param(0, 4.0, id="itself"), pytest.param(1, 0.0, id="another")])
@pytest.mark.parametrize("tokens", [1, 5])
def test_drafting_with_a_model_is_greedy_decoding(
    seed: int, least: float, tokens: int, tiny_model, make_prompt
) -> None:
    model, smaller = tiny_model(0), tiny_model(seed)
    prompt = make_prompt(model, 8)
    (plain,) = generate(model, [prompt], None, LIMITS)
    drafting = DraftModel(smaller, make_prompt(smaller, 8))
    (fast,) = generate(model, [prompt], [Vsd(tokens=tokens).proposer(Speculation(model=drafting))], LIMITS)
    assert fast.tokens == plain.tokens
    assert fast.aal >= min(least, tokens - 0.1)
    assert fast.seconds()["propose"] > 0
