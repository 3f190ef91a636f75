"""`hsd(mode=paper)` is algorithm 1 of the paper and nothing else; `without` takes one of our extensions away."""

import random

import pytest
from drafted import draft_of, paths
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.costs import CostCurve, PassCosts
from docparse.accel.drafts import EARLIER, OCR, REGION, DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.accel.stack import parse_stack

PAPER = Hsd(mode="paper")
few = st.lists(st.integers(0, 2), max_size=25)
regions = st.lists(few, min_size=1, max_size=4)


def continuations(parts, written, n=3):
    """The paper's first step: what strictly follows the last n tokens, wherever they stand in a region's draft."""
    found = []
    for part in parts:
        for at in range(len(part) - n + 1):
            if len(written) >= n and list(part[at : at + n]) == list(written[-n:]):
                found.append(tuple(part[at + n :]))
    return found


@given(parts=regions, written=st.lists(st.integers(0, 2), min_size=1, max_size=8), nodes=st.sampled_from((5, 12, 256)))
def test_the_tree_is_all_that_follows_the_window_up_to_the_bound(parts, written, nodes):
    tree = Hsd(mode="paper", nodes=nodes).proposer(Speculation([draft_of(parts)])).propose(written)
    wanted = {each[:length] for each in continuations(parts, written) for length in range(1, len(each) + 1)}
    proposed = set(paths(tree))
    assert len(proposed) == len(tree) - 1 == min(nodes, len(wanted))
    assert proposed <= wanted
    left = wanted - proposed  # those nearest to the root are there
    assert not left or max(map(len, proposed)) <= min(map(len, left))


def test_neither_the_output_nor_earlier_pages_are_drafts():
    proposer = PAPER.proposer(Speculation([DraftTokens((1, 2, 3, 4), EARLIER)]))
    assert len(proposer.propose([1, 2, 3, 7, 1, 2, 3])) == 1


def test_what_the_regions_wrote_replaces_the_pipelines_drafts():
    drafts = [draft_of([[1, 2, 3, 5]], REGION), draft_of([[1, 2, 3, 4]], OCR)]
    tree = PAPER.proposer(Speculation(drafts)).propose([1, 2, 3])
    assert tree.tokens == [3, 5] and tree.sources[1:] == [REGION]
    tree = PAPER.proposer(Speculation(drafts[1:])).propose([1, 2, 3])
    assert tree.tokens == [3, 4] and tree.sources[1:] == [OCR]


TEXT = random.Random(1).choices(range(5000), k=300)
BLOCKS = [TEXT[at : at + 25] for at in range(0, 300, 25)]
JUNK = random.Random(3).choices(range(5000), k=300)


@pytest.mark.parametrize(
    ("extension", "draft", "text", "more"),
    [
        # only a window leads back to a draft after a wrong word
        ("realignment", [[7000 + i if i % 30 == 15 else token for i, token in enumerate(TEXT)]], TEXT, 8),
        # blocks in another order, each after a word of the model's own that no window knows
        ("beginnings", BLOCKS[::-1], [each for i, part in enumerate(BLOCKS) for each in (6000 + i, *part)], 1),
        # pairs of words, with a word between them that the draft does not know
        ("shorter", [TEXT[:200]], [each for i in range(100, 200, 2) for each in (*TEXT[i : i + 2], 6000 + i)], 1),
        # every tree is as large as it may be: not more steps, but more nodes
        ("sizing", [JUNK[at : at + 25] for at in range(0, 300, 25)], TEXT, 0),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_each_extension_saves_steps_or_nodes(extension, draft, text, more, decode, script):
    costs = PassCosts(lambda rows: CostCurve({1: 1.0, 65: 2.0}))
    ours, fewer = (
        decode(script(text), method.proposer(Speculation([draft_of(draft)], costs=costs)), len(text))
        for method in (Hsd(), parse_stack(f"hsd(without={extension})").methods[0])
    )
    assert ours.tokens == fewer.tokens == list(text)
    assert len(fewer.paths) >= len(ours.paths) + more
    if extension == "sizing":
        assert fewer.nodes > 10 * ours.nodes
    if extension == "beginnings":
        assert len(ours.trees[0]) > len(fewer.trees[0]) == 1
