"""What is like VisionZip, DivPrune, CDPruner and random pruning against their definitions, written out with loops."""

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from written_out import cosine

from docparse.accel.cdpruner import CdPruner
from docparse.accel.divprune import DivPrune
from docparse.accel.pruning import Kept, Picture, Visual, checked
from docparse.accel.random_prune import RandomPrune
from docparse.accel.visionzip_like import VisionZipLike

PAGE = Picture(np.full((4, 4, 3), 255, dtype=np.uint8), 4, 4, (0.5,) * 3)


def visual_of(embeds):
    return Visual(embeds, torch.zeros(len(embeds), 4))


@st.composite
def embeddings(draw):
    """Float64 `[N, D]`."""
    seed, count, width = draw(st.integers(0, 2**16)), draw(st.integers(1, 30)), draw(st.integers(2, 6))
    made = torch.Generator().manual_seed(seed)
    return torch.randn(count, width, generator=made, dtype=torch.float64) + draw(st.floats(-1.0, 1.0))


def slow_visionzip(tokens, keep, contextual):
    """Tokens are as good as the attention that all pay them, in units of the mean squared norm."""
    kept = max(1, round(keep * len(tokens)))
    few = round(contextual * kept)
    weights = np.exp(tokens @ tokens.T / (tokens**2).sum(axis=1).mean())
    scores = (weights / weights.sum(axis=1, keepdims=True)).mean(axis=0)
    dominant = sorted(range(len(tokens)), key=lambda i: (-scores[i], i))[: kept - few]
    rest = [i for i in range(len(tokens)) if i not in dominant]
    step = max(1, len(rest) // few) if few else 1
    targets = [rest[i * step] for i in range(few)]
    merged, groups = tokens.copy(), {target: [] for target in targets}
    for i in rest:
        if i not in targets and targets:
            groups[max(targets, key=lambda target: cosine(tokens[i], tokens[target]))].append(i)
    for target, group in groups.items():
        merged[target] += tokens[group].sum(axis=0) / max(1, len(group))
    rows = sorted([*dominant, *targets])
    return rows, merged[rows]


@given(embeds=embeddings(), keep=st.floats(0.0, 1.0), contextual=st.floats(0.0, 1.0))
def test_visionzip_keeps_dominant_tokens_and_merges_the_others(embeds, keep, contextual):
    kept = VisionZipLike(keep=keep, contextual=contextual).prune(visual_of(embeds), PAGE)
    rows, merged = slow_visionzip(embeds.numpy(), keep, contextual)
    assert kept.rows.tolist() == rows
    np.testing.assert_allclose(kept.embeds, merged, rtol=1e-9, atol=1e-12)


def cosines(tokens, others):
    return [[cosine(a, b) for b in others] for a in tokens]


def slow_divprune(tokens, keep):
    """Rows that stay; None where two tokens were equally far and rounding decides."""
    distance = 1 - np.array(cosines(tokens, tokens))
    np.fill_diagonal(distance, np.inf)
    taken = []
    for _ in range(max(1, round(keep * len(tokens)))):
        spread = (distance[:, taken] if taken else distance).min(axis=1)
        spread[taken] = -1.0
        *_, second, most = sorted([-1.0, *spread])
        if most - second < 1e-9:
            return None
        taken.append(int(spread.argmax()))
    return sorted(taken)


@given(embeds=embeddings(), keep=st.floats(0.0, 1.0))
def test_divprune_takes_the_token_farthest_from_all_that_were_taken(embeds, keep):
    rows = slow_divprune(embeds.tolist(), keep)
    assume(rows is not None)
    kept = DivPrune(keep=keep).prune(visual_of(embeds), PAGE)
    assert kept.rows.tolist() == rows
    assert torch.equal(kept.embeds, embeds[kept.rows])


@pytest.mark.parametrize(
    ("method", "rows"),
    [
        (DivPrune(keep=0.5), [0, 3]),
        (DivPrune(keep=1.0), [0, 1, 2, 3]),
        (CdPruner(keep=0.5), [0, 3]),
        (CdPruner(keep=0.75), [0, 1, 3]),
        (CdPruner(keep=1.0), [0, 1, 2, 3]),
    ],
    ids=str,
)
def test_of_copies_the_one_that_differs_comes_first_and_as_many_stay_as_were_told(method, rows):
    embeds = torch.tensor([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    visual = Visual(embeds, torch.zeros(4, 4), torch.tensor([[1.0, 1.0]]))
    assert method.prune(visual, PAGE).rows.tolist() == rows


def slow_cdpruner(tokens, words, keep, sign):
    """Rows that stay: the determinant of the kernel of those taken, token by token; None where it tells no best one."""
    relevance = sign * np.mean(cosines(tokens, words), axis=1)
    low, high = relevance.min(), relevance.max()
    weights = (relevance - low + 1e-6) / (high - low) if high > low else np.ones(len(tokens))
    kernel = weights[:, None] * cosines(tokens, tokens) * weights
    taken = []
    for _ in range(max(1, round(keep * len(tokens)))):
        more = {i: [*taken, i] for i in range(len(tokens)) if i not in taken}
        before = np.linalg.det(kernel[np.ix_(taken, taken)])
        gains = {i: np.linalg.det(kernel[np.ix_(rows, rows)]) / before for i, rows in more.items()}
        *_, second, most = [0.0, *sorted(gains.values())]
        if most - second < 1e-6:
            return None
        taken.append(max(gains, key=gains.__getitem__))
    return sorted(taken)


@given(embeds=embeddings(), keep=st.floats(0.0, 0.5), relevance=st.sampled_from(["inverse", "direct", "off"]))
def test_cdpruner_takes_the_token_that_adds_most_to_the_determinant(embeds, keep, relevance):
    words = embeds.flip(0)[:3] ** 2 + 0.1
    asked = torch.ones(1, embeds.shape[1], dtype=embeds.dtype) * 0 if relevance == "off" else words
    sign = {"inverse": -1, "direct": 1, "off": 0}[relevance]
    rows = slow_cdpruner(embeds.tolist(), words.tolist(), keep, sign)
    assume(rows is not None)
    visual = Visual(embeds, torch.zeros(len(embeds), 4), asked)
    kept = CdPruner(keep=keep, relevance=relevance).prune(visual, PAGE)
    assert kept.rows.tolist() == rows
    assert torch.equal(kept.embeds, embeds[kept.rows])


@given(embeds=embeddings(), keep=st.floats(0.0, 1.0), seed=st.integers(0, 99))
def test_random_pruning_is_a_matter_of_the_seed_alone(embeds, keep, seed):
    method = RandomPrune(keep=keep, seed=seed)
    kept, again = method.prune(visual_of(embeds), PAGE), method.prune(visual_of(embeds * 2), PAGE)
    assert kept.rows.tolist() == again.rows.tolist() == sorted(set(kept.rows.tolist()))
    assert len(kept.rows) == max(1, round(keep * len(embeds)))
    assert torch.equal(kept.embeds, embeds[kept.rows])


def test_random_pruning_keeps_any_token_equally_often():
    visual = visual_of(torch.ones(12, 2))
    seen = torch.zeros(12)
    for seed in range(400):
        seen[RandomPrune(keep=0.5, seed=seed).prune(visual, PAGE).rows] += 1
    assert float(seen.min()) > 150 and float(seen.max()) < 250


ROWS = torch.tensor([0, 2])


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        (ROWS, "prune returned Tensor, not Kept"),
        (None, "prune returned NoneType, not Kept"),
        (Kept(torch.tensor([True, False, True]), torch.zeros(2, 5)), r"rows of torch.bool \[3\]: give indices"),
        (Kept(ROWS.float(), torch.zeros(2, 5)), r"rows of torch.float32 \[2\]: give indices"),
        (Kept(ROWS[:, None], torch.zeros(2, 5)), r"rows of torch.int64 \[2, 1\]: give indices"),
        (Kept(ROWS.flip(0), torch.zeros(2, 5)), "at least one of 0..2, ascending, each once"),
        (Kept(ROWS * 0, torch.zeros(2, 5)), "at least one of 0..2, ascending, each once"),
        (Kept(ROWS + 1, torch.zeros(2, 5)), "at least one of 0..2, ascending, each once"),
        (Kept(ROWS - 1, torch.zeros(2, 5)), "at least one of 0..2, ascending, each once"),
        (Kept(ROWS[:0], torch.zeros(0, 5)), "at least one of 0..2, ascending, each once"),
        (Kept(ROWS, torch.zeros(3, 5)), r"embeds \[3, 5\] for 2 rows: give \[2, 5\]"),
    ],
)
def test_what_is_no_choice_of_tokens_is_refused_in_one_line(kept, reason):
    with pytest.raises((TypeError, ValueError), match=reason):
        checked(kept, visual_of(torch.zeros(3, 5)))


def test_every_choice_of_tokens_is_taken():
    for rows in (ROWS, ROWS[:1], ROWS.int(), torch.arange(3)):
        kept = Kept(rows, torch.zeros(len(rows), 5))
        assert checked(kept, visual_of(torch.zeros(3, 5))) is kept
