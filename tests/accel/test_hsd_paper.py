"""`hsd(mode=paper)` is algorithm 1 of the paper and nothing else; `without` takes one of our extensions away."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.drafts import EARLIER, OCR, REGION, TEXT_LAYER, DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.accel.stack import parse_stack
from docparse.engine.costs import CostCurve, PassCosts
from docparse.vlm.regions import RegionStage

PAPER = Hsd(mode="paper")
few = st.lists(st.integers(0, 2), max_size=25)
regions = st.lists(few, min_size=1, max_size=4)


def page(parts: Sequence[Sequence[int]], source: str = OCR) -> DraftTokens:
    starts = [sum(map(len, parts[:number])) for number in range(len(parts))]
    return DraftTokens(tuple(token for part in parts for token in part), source, tuple(dict.fromkeys(starts)))


def continuations(parts: Sequence[Sequence[int]], written: Sequence[int], n: int = 3) -> list[tuple[int, ...]]:
    """The paper's first step: what strictly follows the last n tokens, wherever they stand in a region's draft."""
    found = []
    for part in parts:
        for at in range(len(part) - n + 1):
            if len(written) >= n and list(part[at : at + n]) == list(written[-n:]):
                found.append(tuple(part[at + n :]))
    return found


def paths(tree) -> set[tuple[int, ...]]:
    """Every path of a tree from the root, the root aside."""
    found: list[tuple[int, ...]] = [()]
    for token, parent in list(zip(tree.tokens, tree.parents, strict=True))[1:]:
        found.append((*found[parent], token))
    return set(found[1:])


@given(parts=regions, written=st.lists(st.integers(0, 2), min_size=1, max_size=8), nodes=st.sampled_from((5, 12, 256)))
def test_the_tree_is_all_that_follows_the_window_up_to_the_bound(parts, written, nodes):
    tree = Hsd(mode="paper", nodes=nodes).proposer(Speculation([page(parts)])).propose(written)
    wanted = {each[:length] for each in continuations(parts, written) for length in range(1, len(each) + 1)}
    proposed = paths(tree)
    assert len(proposed) == len(tree) - 1 == min(nodes, len(wanted))
    assert proposed <= wanted
    left = wanted - proposed  # those nearest to the root are there
    assert not left or max(map(len, proposed)) <= min(map(len, left))


def test_it_needs_n_tokens_and_an_exact_match():
    proposer = PAPER.proposer(Speculation([page([[1, 2, 3, 4, 5]])]))
    assert len(proposer.propose([1, 2])) == 1
    assert len(proposer.propose([9, 2, 3])) == 1
    assert proposer.propose([1, 2, 3]).tokens == [3, 4, 5]


def test_neither_the_output_nor_earlier_pages_are_drafts():
    proposer = PAPER.proposer(Speculation([DraftTokens((1, 2, 3, 4), EARLIER)]))
    assert len(proposer.propose([1, 2, 3, 7, 1, 2, 3])) == 1


def test_what_the_regions_wrote_replaces_the_pipelines_drafts():
    drafts = [page([[1, 2, 3, 5]], REGION), page([[1, 2, 3, 4]], OCR)]
    tree = PAPER.proposer(Speculation(drafts)).propose([1, 2, 3])
    assert tree.tokens == [3, 5] and tree.sources[1:] == [REGION] and tree.origins[1] == (0, 3)
    tree = PAPER.proposer(Speculation(drafts[1:])).propose([1, 2, 3])
    assert tree.tokens == [3, 4] and tree.sources[1:] == [OCR]


@given(data=st.data())
def test_at_tau_1_the_output_is_the_greedy_one(data, decode):
    table = data.draw(st.lists(st.integers(0, 2), min_size=9, max_size=9))

    def model(prefix: Sequence[int]) -> int:
        a, b = ([0, 0, *prefix])[-2:]
        return (table[3 * a + b] + len(prefix) // 7) % 3

    greedy: list[int] = []
    while len(greedy) < 40:
        greedy.append(model(greedy))
    parts = data.draw(regions)
    method = Hsd(mode="paper", nodes=data.draw(st.integers(1, 30)), n=data.draw(st.integers(1, 4)))
    assert decode(model, method.proposer(Speculation([page([*parts, greedy[5:25]])])), 40).tokens[:40] == greedy


@pytest.mark.parametrize("source", [TEXT_LAYER, OCR])
def test_both_stages_always_run_unless_told_otherwise(source):
    assert RegionStage(PAPER).wanted(source)
    assert not RegionStage(Hsd(mode="paper", regions="never")).wanted(source)
    assert not RegionStage(Hsd()).wanted(TEXT_LAYER)


def test_the_region_stage_alone_is_not_lossless():
    assert parse_stack("hsd(mode=paper)").lossless
    assert not parse_stack("hsd(regions=only)").lossless
    assert not parse_stack("hsd(mode=paper,tau=0.75)").lossless


TEXT = random.Random(1).choices(range(5000), k=300)


def without(extension: str, draft: Sequence[Sequence[int]], text: Sequence[int], decode, script):
    """The output with all extensions, and without one of them."""
    costs = PassCosts.alike(CostCurve({1: 1.0, 65: 2.0}))
    runs = []
    for method in (Hsd(), parse_stack(f"hsd(without={extension})").methods[0]):
        runs.append(decode(script(text), method.proposer(Speculation([page(draft)], costs=costs)), len(text)))
        assert runs[-1].tokens == list(text)
    return runs


def test_without_realignment_only_a_window_leads_back_to_a_draft(decode, script):
    draft = [7000 + i if i % 30 == 15 else token for i, token in enumerate(TEXT)]
    ours, fewer = without("realignment", [draft], TEXT, decode, script)
    assert len(fewer.paths) >= len(ours.paths) + 8


def test_without_beginnings_nothing_is_proposed_before_the_first_token_of_a_block(decode, script):
    """Of twelve blocks in another order, each after a word of the model's own that no window knows."""
    parts = [TEXT[at : at + 25] for at in range(0, 300, 25)]
    text = [token for number, part in enumerate(parts) for token in (6000 + number, *part)]
    random.Random(2).shuffle(parts)
    ours, fewer = without("beginnings", parts, text, decode, script)
    assert len(ours.trees[0]) > len(fewer.trees[0]) == 1
    assert len(fewer.paths) > len(ours.paths)


def test_without_shorter_windows_n_tokens_must_match(decode, script):
    """Pairs of words, with a word between them that the draft does not know."""
    draft = TEXT[:200]
    text = [token for at in range(100, 200, 2) for token in (*draft[at : at + 2], 6000 + at)]
    ours, fewer = without("shorter", [draft], text, decode, script)
    assert any(len(tree) > 1 for tree in ours.trees[2:4])
    assert len(fewer.paths) > len(ours.paths)


def test_without_habits_every_cell_is_proposed_as_the_draft_has_it(decode, script):
    cells = [TEXT[at : at + 4] for at in range(0, 200, 4)]
    draft = [token for cell in cells for token in (*cell, 6000)]
    text = [token for cell in cells for token in (*cell, 6001, 6002, 6003)]
    ours, fewer = without("habits", [draft], text, decode, script)
    assert len(fewer.paths) >= len(ours.paths) + 10


def test_without_sizing_every_tree_is_as_large_as_it_may_be(decode, script):
    junk = random.Random(3).choices(range(5000), k=300)
    ours, fewer = without("sizing", [junk[at : at + 25] for at in range(0, 300, 25)], TEXT, decode, script)
    assert fewer.nodes > 10 * ours.nodes
