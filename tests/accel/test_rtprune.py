"""RTPrune against its equations, written out again with loops, and what it makes of pages with and without text."""

import math

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from written_out import cosine, dot, gradient, transport

from docparse.accel.pruning import Picture, Visual
from docparse.accel.rtprune import RtPrune, text_densities, text_density

SIDE = st.integers(1, 9)
HALF = (0.5, 0.5, 0.5)
BLANK = Picture(np.full((40, 60, 3), 255, dtype=np.uint8), 60, 40, HALF)


def visual_of(embeds):
    """Tokens in a row from left to right."""
    count = len(embeds)
    left = torch.arange(count) / count
    boxes = torch.stack([left, torch.zeros(count), left + 1 / count, torch.ones(count)], dim=1)
    return Visual(embeds, boxes)


@st.composite
def embeddings(draw, least=2, most=14):
    """Float64 `[N, D]` with a common direction, so that similarities are neither all small nor all large."""
    seed, count, width = draw(st.integers(0, 2**16)), draw(st.integers(least, most)), draw(st.integers(2, 5))
    made = torch.Generator().manual_seed(seed)
    common = draw(st.floats(-1.0, 2.0)) * torch.randn(width, generator=made, dtype=torch.float64)
    return torch.randn(count, width, generator=made, dtype=torch.float64) + common


def slow_rtprune(tokens, removed, alpha=0.2, merge=0.1, iterations=100):
    """Rows that stay when so many are `removed`, and their embeddings."""
    order = sorted(range(len(tokens)), key=lambda i: (-dot(tokens[i], tokens[i]), i))
    rows, gone = sorted(order[: len(tokens) - removed]), sorted(order[len(tokens) - removed :])
    merged = [list(tokens[k]) for k in rows]
    if gone:
        plan = transport([[cosine(tokens[k], tokens[m]) for m in gone] for k in rows], alpha, iterations)
        for i in range(len(rows)):
            for j, m in enumerate(gone):
                merged[i] = [a + merge * plan[i][j] * b for a, b in zip(merged[i], tokens[m], strict=True)]
    return rows, merged


@given(embeds=embeddings(), ratio=st.floats(0.0, 0.9), alpha=st.floats(-0.5, 1.0), merge=st.floats(0.0, 1.0))
def test_it_is_the_papers_selection_and_merge(embeds, ratio, alpha, merge):
    kept = RtPrune(ratio=ratio, alpha=alpha, merge=merge).prune(visual_of(embeds), BLANK)
    rows, merged = slow_rtprune(embeds.tolist(), math.floor(ratio * len(embeds)), alpha, merge)
    assert kept.rows.tolist() == rows
    # The transport stops where its masses are met within 1e-3, relative.
    weight = 1e-3 * merge * float(embeds.norm(dim=1).sum())
    np.testing.assert_allclose(kept.embeds.numpy(), merged, rtol=0, atol=3 * weight + 1e-6)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_is_compared_and_merged_in_full(dtype):
    embeds = (torch.randn(40, 8, generator=torch.Generator().manual_seed(1)) + 1).to(dtype)
    kept, full = (RtPrune(ratio=0.25).prune(visual_of(each), BLANK) for each in (embeds, embeds.float()))
    assert kept.embeds.dtype == dtype
    assert torch.equal(kept.rows, full.rows)
    assert torch.equal(kept.embeds, full.embeds.to(dtype))


@given(
    pixels=st.tuples(SIDE, SIDE, st.just(3)).flatmap(lambda shape: arrays(np.uint8, shape)),
    rows=st.integers(1, 12),
    columns=st.integers(1, 12),
    theta=st.floats(0.05, 4),
)
def test_the_density_of_a_box_is_the_share_of_its_pixels_on_an_edge_in_the_encoders_scale(pixels, rows, columns, theta):
    """Of each patch of any grid, which holds every pixel that it touches, of all of it, and of boxes that hold none."""
    (height, width), std = pixels.shape[:2], (0.27, 0.26, 0.28)
    lengths = gradient(pixels, std)
    assume((abs(lengths - theta) > 1e-5).all())  # sums run in another order
    i, j = (each.flatten() for each in torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij"))
    boxes = torch.stack((j / columns, i / rows, (j + 1) / columns, (i + 1) / rows), -1)
    others = torch.tensor([[0.0, 0.0, 1.0, 1.0], [0.5, 0.0, 0.5, 1.0], [1.0, 0.0, 1.0, 1.0], [torch.nan] * 4])
    downs = [slice(n * height // rows, -(-(n + 1) * height // rows)) for n in range(rows)]
    acrosses = [slice(n * width // columns, -(-(n + 1) * width // columns)) for n in range(columns)]
    edges = lengths > theta
    wanted = [*(edges[down, across].mean() for down in downs for across in acrosses), edges.mean(), 0.0, 0.0, 0.0]
    found = text_densities(Picture(pixels, width, height, std), torch.cat([boxes, others]), theta)
    assert found.tolist() == pytest.approx(wanted, abs=1e-6)


def test_the_picture_is_looked_at_in_the_size_in_which_the_encoder_sees_it():
    stripes = np.repeat(np.tile([0, 255], 40)[None, :, None], 40, axis=0).repeat(3, axis=2).astype(np.uint8)
    boxes = visual_of(torch.zeros(4, 1)).boxes
    assert text_density(Picture(stripes, 160, 80, HALF), boxes, 0.2) > 0.9
    assert text_density(Picture(stripes, 20, 10, HALF), boxes, 0.2) < 0.3  # grey, but for both ends
    assert text_density(BLANK, boxes, 0.0) == 0


@given(embeds=embeddings(), seed=st.integers(0, 99), most=st.floats(0.0, 0.9), data=st.data())
def test_the_ratio_follows_equation_9(embeds, seed, most, data):
    """As published it has no bound, and the authors' code squares the cosines; ours takes no tokens with the text."""
    mode = data.draw(st.sampled_from(("ours", "paper", "code")))
    pixels = np.full((40, 60, 3), 255, dtype=np.uint8)
    pixels[10:30, 10 : 10 + seed % 50] = np.random.default_rng(seed).integers(0, 255, (20, seed % 50, 3))
    page, visual, tokens = Picture(pixels, 60, 40, HALF), visual_of(embeds), embeds.tolist()
    pairs = [cosine(a, b) for i, a in enumerate(tokens) for j, b in enumerate(tokens) if i != j]
    alike = sum(c * c if mode == "code" else c for c in pairs) / len(pairs)
    wanted = max(0.0, alike * (1 - text_density(page, visual.boxes, 0.2)))
    kept = RtPrune(mode=mode, most=most).prune(visual, page)
    if mode == "ours":
        wanted = min(wanted, most)
        rows, _ = slow_rtprune(tokens, math.floor(wanted * len(tokens) + 1e-9))
        stays = torch.zeros(len(tokens), dtype=torch.bool).scatter(0, torch.tensor(rows), True)
        edges = text_densities(page, visual.boxes, 0.2)
        wanted = 0.0 if (~stays).any() and edges[~stays].mean() > edges[stays].mean() else wanted
    assert kept.figures["ratio"] == pytest.approx(wanted, abs=1e-9)
    assert len(kept.rows) == max(1, len(tokens) - math.floor(kept.figures["ratio"] * len(tokens) + 1e-9))


@pytest.mark.parametrize("small", [0, 1], ids=["of white paper", "of text"])
def test_tokens_with_small_norms_go_where_they_hold_less_of_the_text(small):
    """Where norms do not tell text nothing goes, bit for bit, but by the paper's rule and where a ratio is asked."""
    pixels = np.full((40, 60, 3), 255, dtype=np.uint8)
    pixels[:, 30:] = np.random.default_rng(0).integers(0, 255, (40, 30, 3))
    embeds = torch.ones(20, 3)
    embeds[10 * small : 10 + 10 * small] *= 0.5
    page, visual = Picture(pixels, 60, 40, HALF), visual_of(embeds)
    kept, paper, asked = (
        RtPrune(**values).prune(visual, page) for values in ({"most": 0.4}, {"mode": "paper"}, {"ratio": 0.4})
    )
    assert kept.rows.tolist() == ([*range(20)] if small else [0, 1, *range(10, 20)])
    assert not small or torch.equal(kept.embeds, embeds)
    assert len(paper.rows) < 20
    assert len(asked.rows) == 12


@pytest.mark.parametrize(
    ("method", "embeds", "rows"),
    [
        pytest.param(RtPrune(ratio=0.5), torch.eye(6), range(3), id="of equal norms the first stay"),
        pytest.param(RtPrune(ratio=0.29), torch.ones(100, 3), range(71), id="0.29 is not rounded down twice"),
        pytest.param(RtPrune(), torch.ones(1, 3), range(1), id="one token is like no other"),
        pytest.param(RtPrune(mode="paper"), torch.ones(20, 3), range(1), id="the paper leaves one of equal tokens"),
        pytest.param(RtPrune(mode="code"), torch.ones(20, 3), range(1), id="and so does the code"),
        pytest.param(RtPrune(), torch.ones(20, 3), range(14), id="three tenths go at most"),
    ],
)
def test_which_tokens_stay_of_a_blank_page(method, embeds, rows):
    assert method.prune(visual_of(embeds), BLANK).rows.tolist() == [*rows]
