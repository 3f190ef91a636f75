"""With a real decoder: whatever proposes, the tokens are those of the plain loop, alone and in a batch."""

import pytest

from docparse.accel.drafts import DraftModel, Speculation
from docparse.accel.lookup import Lookup
from docparse.accel.vsd import Vsd
from docparse.engine.batch import generate
from docparse.engine.row import Limits

LIMITS = Limits(max_tokens=40, guard=False, ignore_end=True)


@pytest.mark.parametrize("n", [1, 3])
def test_lookup_is_greedy_decoding(n, tiny_model, make_prompt):
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
def test_drafting_with_a_model_is_greedy_decoding(seed, least, tokens, tiny_model, make_prompt):
    model, smaller = tiny_model(0), tiny_model(seed)
    prompt = make_prompt(model, 8)
    (plain,) = generate(model, [prompt], None, LIMITS)
    drafting = DraftModel(smaller, make_prompt(smaller, 8))
    (fast,) = generate(model, [prompt], [Vsd(tokens=tokens).proposer(Speculation(model=drafting))], LIMITS)
    assert fast.tokens == plain.tokens
    assert fast.aal >= min(least, tokens - 0.1)
    assert fast.seconds()["propose"] > 0
