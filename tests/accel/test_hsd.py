"""HSD proposes what the drafts say where the output follows them, finds back after edits, and never changes a token."""

import random

import pytest
from drafted import draft_of
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.costs import CostCurve, PassCosts
from docparse.accel.drafts import EARLIER, OCR, OUTPUT, REGION, TEXT_LAYER, DraftTokens, Speculation
from docparse.accel.hsd import Hsd

LENGTH = 600
TEXT = random.Random(1).choices(range(5000), k=LENGTH)
CHEAP = CostCurve({1: 1.0, 65: 2.0})

small = st.lists(st.integers(0, 4), max_size=30)
sources = st.sampled_from((TEXT_LAYER, OCR, REGION, EARLIER))


@st.composite
def drafts(draw, text):
    """Perfect, noisy, shuffled, truncated, repeated, adversarial, empty: any mixture of them."""
    found = []
    for _ in range(draw(st.integers(0, 3))):
        begin = draw(st.integers(0, len(text)))
        part, repeated = text[begin : draw(st.integers(begin, len(text)))], text[:5] * draw(st.integers(1, 5))
        tokens = list(draw(st.sampled_from((text, part, repeated, draw(small), ()))))
        for _ in range(draw(st.integers(0, 3)) if tokens else 0):
            tokens[draw(st.integers(0, len(tokens) - 1))] = draw(st.integers(0, 4))
        starts = draw(st.lists(st.integers(0, max(0, len(tokens) - 1)), unique=True, max_size=4).map(sorted))
        found.append(DraftTokens(tuple(tokens), draw(sources), tuple(starts)))
    return found


def proposer_of(method, given_drafts, costs=CHEAP):
    return method.proposer(Speculation(given_drafts, costs=PassCosts(lambda rows: costs) if costs else None))


methods = st.builds(
    Hsd,
    mode=st.sampled_from(("ours", "paper")),
    n=st.integers(1, 5),
    nodes=st.integers(1, 20),
    output=st.booleans(),
    ocr=st.booleans(),
    earlier=st.booleans(),
)


@given(data=st.data())
def test_the_output_is_the_greedy_one_whatever_the_drafts(data, decode):
    """Few different tokens and a model that looks two tokens back: windows match by accident all the time."""
    table = data.draw(st.lists(st.integers(0, 4), min_size=25, max_size=25))
    late = data.draw(st.integers(0, 4))

    def model(prefix):
        a, b = ([0, 0, *prefix])[-2:]
        return (table[5 * a + b] + late * (len(prefix) // 7)) % 5

    greedy = []
    while len(greedy) < 40:
        greedy.append(model(greedy))
    method = data.draw(methods)
    costs = data.draw(st.sampled_from((None, CHEAP, CostCurve({1: 1.0, 2: 2.0}))))
    given_drafts = data.draw(drafts(greedy))
    run = decode(model, proposer_of(method, given_drafts, costs), 40)
    assert run.tokens == greedy
    for tree in run.trees:
        assert len(tree) <= 1 + method.nodes
        for token, source in list(zip(tree.tokens, tree.sources, strict=True))[1:]:
            assert method.uses(source)
            theirs = [greedy] if source == OUTPUT else [each.tokens for each in given_drafts if each.source == source]
            assert any(token in tokens for tokens in theirs)


def edited(tokens, every, kind):
    """Each `every`-th token replaced, dropped, or preceded by a wrong one."""
    found = []
    for i, token in enumerate(tokens):
        wrong = i % every == every // 2
        if wrong and kind != "delete":
            found.append(7000 + i)
        if not wrong or kind == "insert":
            found.append(token)
    return found


def blocks(tokens, count=12):
    size = len(tokens) // count
    return [list(tokens[i : i + size]) for i in range(0, len(tokens), size)]


def shuffled():
    parts = blocks(TEXT)
    random.Random(2).shuffle(parts)
    return parts


TWICE_WRONG = [7000 + i if i % 30 in (14, 15) else token for i, token in enumerate(TEXT)]


@pytest.mark.parametrize(
    ("given_drafts", "more"),
    [
        pytest.param([draft_of(blocks(TEXT))], 0, id="perfect"),
        pytest.param([draft_of([edited(TEXT, 30, "replace")])], 20, id="twenty tokens replaced"),
        pytest.param([draft_of([edited(TEXT, 30, "delete")])], 20, id="twenty tokens missing"),
        pytest.param([draft_of([edited(TEXT, 30, "insert")])], 20, id="twenty tokens too many"),
        pytest.param([draft_of([TWICE_WRONG])], 40, id="twenty pairs of wrong tokens"),
        pytest.param([draft_of(shuffled())], 12, id="blocks in another order"),
        pytest.param([DraftTokens(tuple(part), REGION) for part in shuffled()], 12, id="regions in another order"),
    ],
)
def test_a_wrong_token_or_a_seam_costs_one_step_and_next_to_nothing_more(given_drafts, more, decode, script):
    run = decode(script(TEXT), proposer_of(Hsd(), given_drafts), LENGTH)
    assert run.tokens == TEXT
    assert len(run.paths) <= more + LENGTH // 64 + 10
    assert sum(not path for path in run.paths) <= 6 + more // 40 * 20


def test_a_used_block_is_not_proposed_as_a_beginning_again(decode, script):
    parts = blocks(TEXT)
    proposer = proposer_of(Hsd(nodes=256), [draft_of(parts)], costs=None)
    text = [*parts[0], *parts[3], 9999, 9998]
    run = decode(script(text), proposer, len(text))
    beginnings = [run.trees[-1].tokens[node] for node in run.trees[-1].children(0)]
    assert parts[1][0] in beginnings
    assert parts[0][0] not in beginnings and parts[3][0] not in beginnings


def test_what_the_output_repeats_is_proposed_from_the_output(decode, script):
    row = TEXT[:20]
    run = decode(script(row * 6), proposer_of(Hsd(), []), 120)
    assert run.tokens == row * 6
    assert len(run.paths) < 30
    assert {source for tree in run.trees for source in tree.sources[1:]} == {OUTPUT}


def test_useless_drafts_switch_speculation_off_and_good_ones_on_again(decode, script):
    junk = random.Random(3).choices(range(5000), k=300)
    costs = CostCurve({1: 1.0, 65: 5.0})
    text = [*TEXT[:300], *junk[:250]]
    draft = DraftTokens(tuple(junk), OCR, tuple(range(0, 300, 25)))
    run = decode(script(text), proposer_of(Hsd(), [draft], costs), len(text))
    assert run.tokens == text
    wasted = sum(costs.seconds(len(tree)) - 1.0 for tree, path in zip(run.trees, run.paths, strict=True) if not path)
    assert wasted <= 0.05 * 300
    assert sum(map(len, run.paths)) > 200  # of the 250 that the draft knows
