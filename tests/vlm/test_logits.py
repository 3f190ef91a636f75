"""Logits are processed alike in plain decoding and in verification, each node of a tree with its own history."""

from functools import partial

import pytest
import torch
from drafted import tokens_to
from greedy import generate
from hypothesis import given, settings
from hypothesis import strategies as st
from stub_methods import Oracle, Trees
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast, RepetitionPenaltyLogitsProcessor

from docparse.accel.method import Acceptance
from docparse.engine.session import TreeLogits
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Candidate, Tree
from docparse.logits import LogitsRule, NoRepeatNGrams, RepetitionPenalty, Sampling
from docparse.vlm.logits import RowLogits
from docparse.vlm.loop_guard import LoopGuard
from docparse.vlm.row import Limits
from docparse.vlm.verify import accept, score

TOKENS = 40
PLAIN = Limits(TOKENS, guard=None, ignore_end=True)
Rules = tuple[LogitsRule, ...]

penalties = st.builds(RepetitionPenalty, st.sampled_from([1.02, 1.1, 1.5, 3.0]), st.sampled_from([0, 0, 1, 5, 30]))
words = st.tuples(st.integers(0, 63)).map(lambda each: (str(each[0]), each[0]))
bans = st.builds(
    NoRepeatNGrams, st.integers(2, 5), st.sampled_from([4, 8, 16, 100]), st.lists(words, max_size=20).map(tuple)
)
rules = st.lists(st.one_of(penalties, bans), max_size=3).map(tuple)


def by_definition(processors, prompt, output, logits):
    """What the processors make of the logits `[V]` after an output, one token after the other."""
    logits = logits.clone()
    for processor in processors:
        if isinstance(processor, RepetitionPenalty):
            history = output[-processor.window :] if processor.window else prompt + output
            theirs = RepetitionPenaltyLogitsProcessor(processor.penalty)
            if history:
                logits = theirs(torch.tensor([history]), logits[None])[0]
            continue
        assert isinstance(processor, NoRepeatNGrams)
        window = output[-processor.window :]
        for token in range(len(logits)):
            ngram = (*output, token)[-processor.size :]
            inside = [tuple(window[i : i + processor.size]) for i in range(len(window) - processor.size + 1)]
            if ngram in inside and token not in [each for _, each in processor.allowed]:
                logits[token] = -torch.inf
    return logits


def one_by_one(toy, prompt, processors):
    """By transformers' own attention and cache, without our engine."""
    return toy.greedy(prompt, TOKENS, partial(by_definition, processors, prompt.ids.tolist()))


@settings(max_examples=5)
@given(
    kind=st.sampled_from(["plain", "m-rope", "xd-rope", "experts", "windowed"]),
    seed=st.integers(0, 10**6),
    given_rules=st.lists(rules, min_size=1, max_size=3),
)
def test_drafts_change_no_token_and_rows_keep_their_own_rules(toys, kind, seed, given_rules):
    """Right, half-right and random drafts in a batch whose rows differ in their processors; where all of the draft is
    right one step takes it."""
    toy = toys(kind)
    prompts = [toy.prompt(5 + i, seed + i) for i in range(len(given_rules))]
    answers = [one_by_one(toy, *each) for each in zip(prompts, given_rules, strict=True)]
    plain = generate(toy.text, prompts, limits=PLAIN, processors=given_rules)
    assert [out.tokens for out in plain] == answers
    drafted = [Trees(answer, seed + i) for i, answer in enumerate(answers)]
    outs = generate(toy.text, prompts, drafted, PLAIN, processors=given_rules)
    assert [out.tokens for out in outs] == answers
    right = generate(toy.text, prompts, [Oracle(each, TOKENS) for each in answers], PLAIN, processors=given_rules)
    assert [(out.tokens, len(out.steps)) for out in right] == [(answer, 1) for answer in answers]


@given(processors=rules, output=st.lists(st.integers(0, 7), max_size=40), seed=st.integers(0, 10**6))
def test_each_node_has_the_history_of_its_path(random_tree, processors, output, seed):
    tree = random_tree(seed, 20)
    output = [*output, tree.tokens[0]]
    prompt = torch.tensor([3, 9, 9, 70])  # a placeholder is not in the vocabulary
    logits = torch.randn(len(tree), 64, generator=torch.Generator().manual_seed(seed))
    process = RowLogits(processors, prompt, output)
    for _ in range(2):  # nothing of a refused path is remembered
        processed = process(logits, tree)
        for node in range(len(tree)):
            expected = by_definition(processors, prompt[:3].tolist(), [*output, *tokens_to(tree, node)], logits[node])
            assert torch.equal(processed[node], expected)


@pytest.mark.parametrize("rule", ["log-ratio", "ratio"])
def test_below_tau_one_a_child_is_judged_by_processed_logits_and_never_banned(rule):
    tree = Tree.grow(5, [Candidate([1, 2], "a")], 8)
    logits = torch.zeros(2, 3, 8)  # the second row pads, and has no processors
    logits[:, :, 3], logits[:, :, 1:3] = 2.0, 1.9
    rules_of = {None: (1, 2), RepetitionPenalty(3.0): (1,), NoRepeatNGrams(2, 9): ()}
    for processor, path in rules_of.items():
        output = [5, 1, 5]
        process = None if processor is None else RowLogits([processor], torch.tensor([2]), output)
        for tau in (0.0, 0.8):
            acceptance = Acceptance(tau, rule)
            answer = TreeLogits(logits.flatten(0, 1), [slice(0, 3), slice(3, 6)])
            scores = score(answer, [tree, tree], [acceptance, Acceptance(0.8)], [process, None])
            if tau or path == ():
                assert accept(tree, scores[0], acceptance).path == (() if processor and tau else path)
            assert accept(tree, scores[1], Acceptance(0.8)).path == (1, 2)


def test_half_precision_is_processed_in_single():
    """In bfloat16 a penalty of 1.002 is none."""
    logits = torch.tensor([[1.0, 1.0, 0.5]], dtype=torch.bfloat16)
    process = RowLogits([RepetitionPenalty(1.002)], torch.tensor([0]), [])
    assert process(logits, Tree.bare(0)).argmax() == 1 and logits[0, 0] == 1.0
    process = RowLogits([RepetitionPenalty(1.002)], torch.tensor([0]), [0])
    scores = score(TreeLogits(logits, [slice(0, 1)]), [Tree.bare(0)], [Acceptance()], [process])
    assert scores[0].best == [1]


def test_a_model_that_loops_ends_by_the_ban_and_by_the_guard_where_it_may_loop(toys):
    """At the same token, whoever proposes."""
    toy = toys("plain")
    head = torch.nn.Linear(32, 64, bias=True).double()
    torch.nn.init.zeros_(head.weight)
    head.bias.data[7], head.bias.data[63] = 2.0, 1.0  # says 7 for ever, and ends where it may not
    head.requires_grad_(False)
    limits = Limits(1000, guard=LoopGuard(min_tokens=50))
    for allowed, ending, tokens in (((), "stop", [7, 7, 7, 63]), ((("seven", 7),), "loop", [7] * 64)):
        ban = NoRepeatNGrams(3, 12, allowed)
        text = TextModel(toy.text.decoder, head, frozenset([63]), 1, "stuck", (ban,))
        proposers = None, Oracle([7] * 1000, 7), Trees([7] * 1000, 5)
        outs = [generate(text, [toy.prompt(6)], [proposer], limits)[0] for proposer in proposers]
        assert [(out.ending, out.tokens) for out in outs] == [(ending, tokens)] * 3
    assert generate(text, [toy.prompt(6)], limits=Limits(200, guard=None))[0].ending == "length"


def test_a_whitelist_is_known_by_the_tokenizer_at_hand():
    backend = Tokenizer(WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))
    backend.add_tokens([AddedToken("<td>")])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend)
    published = NoRepeatNGrams(20, 50, (("<td>", 128821), ("</td>", 128822)))
    assert published.known(tokenizer) == NoRepeatNGrams(20, 50, (("<td>", 2),))
    assert RepetitionPenalty(1.1).known(tokenizer) == RepetitionPenalty(1.1)


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), top_p=st.sampled_from([0.5, 0.95, 1.0]))
def test_drawn_tokens_are_the_same_however_they_are_drafted(toys, seed, top_p):
    toy = toys("m-rope")
    prompt, drawn = toy.prompt(9, seed), (RepetitionPenalty(1.1), Sampling(0.8, top_p, seed))
    [plain] = generate(toy.text, [prompt], limits=PLAIN, processors=[drawn])
    drafted = generate(toy.text, [prompt] * 2, [Trees(plain.tokens, seed), None], PLAIN, processors=[drawn] * 2)
    assert [each.tokens for each in drafted] == [plain.tokens] * 2
    [other] = generate(toy.text, [prompt], limits=PLAIN, processors=[(Sampling(0.8, top_p, seed + 1),)])
    assert other.tokens != plain.tokens


def test_tokens_are_drawn_by_their_probability():
    logits, prompt = torch.tensor([[2.0, 1.0, 0.0, -1.0]]), torch.zeros(1, dtype=torch.long)

    def shares(temperature, top_p):
        rules = [(Sampling(temperature, top_p, seed),) for seed in range(2000)]
        drawn = [int(RowLogits(rule, prompt, [])(logits, Tree.bare(0)).argmax()) for rule in rules]
        return torch.bincount(torch.tensor(drawn), minlength=4) / len(drawn)

    for temperature in (0.5, 1.0):
        expected = (logits[0] / temperature).softmax(dim=0)
        torch.testing.assert_close(shares(temperature, 1.0), expected, atol=0.03, rtol=0)
    most = logits[0, :2].softmax(dim=0)  # 0.64 and 0.24 of 1: together the first to reach 0.8
    torch.testing.assert_close(shares(1.0, 0.8), torch.cat([most, torch.zeros(2)]), atol=0.03, rtol=0)
