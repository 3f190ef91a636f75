"""The decode loop writes what plain greedy decoding writes, whoever proposes and whoever shares the batch."""

from collections import Counter
from dataclasses import replace

import pytest
import torch
from greedy import generate
from hypothesis import given, settings
from hypothesis import strategies as st
from stub_methods import Oracle, Trees

from docparse.accel.drafts import DraftModel, Speculation
from docparse.accel.lookup import Lookup
from docparse.accel.method import Acceptance
from docparse.accel.vsd import Vsd
from docparse.engine.text_model import TextModel
from docparse.errors import PageError
from docparse.vlm.row import Limits

TOKENS = 40
PLAIN = Limits(TOKENS, guard=None, ignore_end=True)


def assert_accounts_balance(out, limits):
    free = sum(source == "" for source in out.sources)
    assert len(out.tokens) == len(out.sources) == out.accepted + free
    assert out.accepted == sum(step.accepted for step in out.steps) == sum(out.accepted_by_source().values())
    assert out.aal == pytest.approx(sum(step.accepted for step in out.steps) / max(1, len(out.steps)))
    assert free in (1 + len(out.steps), len(out.steps))  # the last step's free token may be cut
    end = 1
    for step in out.steps:
        begin, end = end, end + step.accepted + 1
        accepted = Counter(filter(None, out.sources[begin:end]))
        assert step.fed == 1 + sum(step.proposed.values()) and step.accepted == sum(accepted.values())
        assert all(count <= step.proposed[source] for source, count in accepted.items())
    assert len(out.tokens) <= limits.max_tokens


@settings(max_examples=6)
@given(
    kind=st.sampled_from(["plain", "m-rope", "xd-rope", "experts", "windowed"]),
    seed=st.integers(0, 10**6),
    lengths=st.lists(st.integers(3, 24), min_size=1, max_size=3),
)
def test_at_tau_one_no_proposer_changes_a_token(toys, kind, seed, lengths):
    toy = toys(kind)
    prompts = [toy.prompt(length, seed + i) for i, length in enumerate(lengths)]
    answers = [toy.greedy(prompt, TOKENS) for prompt in prompts]
    proposers = [Trees(answer, seed + i) for i, answer in enumerate(answers)]
    outs = generate(toy.text, prompts, proposers, PLAIN)
    for out, answer in zip(outs, answers, strict=True):
        assert out.tokens == answer
        assert_accounts_balance(out, PLAIN)


def test_an_end_token_inside_an_accepted_path_cuts_it(toys):
    toy = toys("plain")
    prompt = toy.prompt(8)
    answer = toy.greedy(prompt, TOKENS)
    position = next(i for i in range(3, TOKENS) if answer[i] not in answer[:i])
    proposer = Oracle(answer, 20)
    text = TextModel(toy.text.decoder, toy.text.head, frozenset({answer[position]}), 1, "ending")
    (out,) = generate(text, [prompt], [proposer], Limits(TOKENS, guard=None))
    assert out.tokens == answer[: position + 1] and out.ending == "stop"
    assert out.steps[-1].accepted == len(out.tokens) - 1 - 21 * (len(out.steps) - 1)
    assert_accounts_balance(out, PLAIN)


def test_right_proposals_save_passes_and_every_output_has_its_own_limit(toys):
    """Seven tokens a pass, and no token beyond a limit that falls inside a path."""
    toy = toys("xd-rope")
    prompt = toy.prompt(9)
    answer = toy.greedy(prompt, TOKENS)
    limits = [replace(PLAIN, max_tokens=most) for most in (TOKENS, 1, 2, 9, 10, 11)]
    proposers = [Oracle(answer, 6) for _ in limits]
    outs = generate(toy.text, [prompt] * len(limits), proposers, limits)
    for out, limit in zip(outs, limits, strict=True):
        assert (out.tokens, out.ending) == (answer[: limit.max_tokens], "length")
        assert_accounts_balance(out, limit)
    assert len(outs[0].steps) == 6
    assert outs[0].accepted_by_source() == {"any": outs[0].accepted}
    assert [step.accepted for step in outs[0].steps[:2]] == [6, 6]


@pytest.mark.parametrize("n", [1, 3])
def test_lookup_is_greedy_decoding(toys, n):
    """The prompt holds the output, so there is something to look up."""
    toy = toys("plain")
    prompt = toy.prompt(12)
    answer = toy.greedy(prompt, TOKENS)
    proposer = Lookup(n=n).proposer(Speculation(prompt=[*prompt.ids.tolist(), *answer]))
    (out,) = generate(toy.text, [prompt], [proposer], PLAIN)
    assert out.tokens == answer and out.aal > 3


@pytest.mark.parametrize(("smaller", "least"), [("plain", 4.0), ("m-rope", 0.0)], ids=["itself", "another"])
@pytest.mark.parametrize("tokens", [1, 5])
def test_drafting_with_a_model_is_greedy_decoding(toys, smaller, least, tokens):
    toy, drafts = toys("plain"), toys(smaller)
    proposer = Vsd(tokens=tokens).proposer(Speculation(model=DraftModel(drafts.text, drafts.prompt(8))))
    (out,) = generate(toy.text, [toy.prompt(8)], [proposer], PLAIN)
    assert out.tokens == toy.greedy(toy.prompt(8), TOKENS)
    assert out.aal >= min(least, tokens - 0.1) and out.seconds()["propose"] > 0


def test_stop_keeps_what_there_is(toys):
    toy = toys("plain")
    prompts = [toy.prompt(8), toy.prompt(5)]
    answers = iter([False, False, True])
    outs = generate(toy.text, prompts, limits=PLAIN, stop=lambda: next(answers))
    for out, prompt in zip(outs, prompts, strict=True):
        assert out.ending == "interrupted"
        assert out.tokens == toy.greedy(prompt, 3)


@settings(max_examples=6)
@given(
    seed=st.integers(0, 10**6),
    rules=st.lists(
        st.builds(Acceptance, st.sampled_from([0.0, 0.3, 0.75, 0.95, 1.0]), st.sampled_from(["log-ratio", "ratio"])),
        min_size=1,
        max_size=3,
    ),
)
def test_below_tau_one_every_accepted_token_satisfies_equation_10(toys, seed, rules):
    """Each row of a batch by its own rule."""
    toy = toys("plain")
    prompts = [toy.prompt(9 + i, seed + i) for i in range(len(rules))]
    answers = [toy.greedy(prompt, TOKENS) for prompt in prompts]
    proposers = [Trees(answer, seed + i, rule) for i, (answer, rule) in enumerate(zip(answers, rules, strict=True))]
    outs = generate(toy.text, prompts, proposers, PLAIN)
    for prompt, out, rule in zip(prompts, outs, rules, strict=True):
        logits, _ = toy.sequential(prompt, out.tokens[:-1])
        for token, source, row in zip(out.tokens, out.sources, logits.softmax(-1), strict=True):
            best, own = float(row.max()), float(row[token])
            if not source:
                assert token == int(row.argmax())
            elif token != int(row.argmax()):
                logs = torch.tensor([best, own]).log()
                assert (logs[0] / logs[1] if rule.rule == "log-ratio" else own / best) >= rule.tau - 1e-6
        assert_accounts_balance(out, PLAIN)


def test_a_page_without_numbers_leaves_nothing_to_the_next(toys):
    """Whatever a broken page wrote into the cache, rows of other lengths do not read it behind their own."""
    toy = toys("plain")
    prompts = [toy.prompt(9, 1), toy.prompt(30, 2)]
    answers = [out.tokens for out in generate(toy.text, prompts, None, Limits(12, guard=None))]
    broken = toy.prompt(40, 3)
    with pytest.raises(PageError, match="no numbers"):
        generate(toy.text, [replace(broken, embeds=broken.embeds * torch.nan)], None, Limits(12, guard=None))
    assert [out.tokens for out in generate(toy.text, prompts, None, Limits(12, guard=None))] == answers


def test_numbers_that_end_while_decoding_are_told(toys):
    toy = toys("plain")
    calls = []

    def head(hidden):
        calls.append(1)
        return toy.text.head(hidden) * (torch.nan if len(calls) > 3 else 1.0)

    text = TextModel(toy.text.decoder, head, frozenset(), 1, "ends")
    with pytest.raises(PageError, match="no numbers"):
        generate(text, [toy.prompt(7)], None, Limits(12, guard=None))
