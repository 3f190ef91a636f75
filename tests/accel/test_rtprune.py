"""RTPrune against its equations, written out again with loops, and what it makes of pages with and without text."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from docparse.accel.rtprune import RtPrune, _text_density_on_device, mean_similarity, text_density
from docparse.engine.hooks import Picture, Visual

HALF = (0.5, 0.5, 0.5)
BLANK = Picture(np.full((40, 60, 3), 255, dtype=np.uint8), 60, 40, HALF, HALF)


def visual_of(embeds):
    """Tokens in a row from left to right."""
    count = len(embeds)
    left = torch.arange(count) / count
    boxes = torch.stack([left, torch.zeros(count), left + 1 / count, torch.ones(count)], dim=1)
    return Visual(embeds, boxes)


@st.composite
def embeddings(draw, least: int = 2, most: int = 14):
    """Float64 `[N, D]` with a common direction, so that similarities are neither all small nor all large."""
    seed, count, width = draw(st.integers(0, 2**16)), draw(st.integers(least, most)), draw(st.integers(2, 5))
    made = torch.Generator().manual_seed(seed)
    common = draw(st.floats(-1.0, 2.0)) * torch.randn(width, generator=made, dtype=torch.float64)
    return torch.randn(count, width, generator=made, dtype=torch.float64) + common


# ---- the equations once more


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def cosine(a, b):
    return dot(a, b) / math.sqrt(dot(a, a) * dot(b, b))


def slow_plan(kept, removed, alpha, iterations):
    """The transport by Sinkhorn's iteration, times K + M."""
    k, m = len(kept), len(removed)
    z = [[cosine(a, b) for b in removed] + [alpha] for a in kept] + [[alpha] * (m + 1)]
    mu, nu = [1 / (k + m)] * k + [m / (k + m)], [1 / (k + m)] * m + [k / (k + m)]
    u, v = [0.0] * (k + 1), [0.0] * (m + 1)
    for _ in range(iterations):
        u = [math.log(mu[i]) - math.log(sum(math.exp(z[i][j] + v[j]) for j in range(m + 1))) for i in range(k + 1)]
        v = [math.log(nu[j]) - math.log(sum(math.exp(z[i][j] + u[i]) for i in range(k + 1))) for j in range(m + 1)]
    return [[(k + m) * math.exp(z[i][j] + u[i] + v[j]) for j in range(m + 1)] for i in range(k + 1)]


def slow_rtprune(tokens, removed, alpha=0.2, merge=0.1, iterations=100):
    """Rows that stay when so many are `removed`, and their embeddings."""
    order = sorted(range(len(tokens)), key=lambda i: (-dot(tokens[i], tokens[i]), i))
    rows, gone = sorted(order[: len(tokens) - removed]), sorted(order[len(tokens) - removed :])
    merged = [list(tokens[k]) for k in rows]
    if gone:
        plan = slow_plan([tokens[k] for k in rows], [tokens[m] for m in gone], alpha, iterations)
        for i in range(len(rows)):
            for j, m in enumerate(gone):
                merged[i] = [a + merge * plan[i][j] * b for a, b in zip(merged[i], tokens[m], strict=True)]
    return rows, merged


# ---- selection and merge


@given(embeds=embeddings(), ratio=st.floats(0.0, 0.9), alpha=st.floats(-0.5, 1.0), merge=st.floats(0.0, 1.0))
def test_it_is_the_papers_selection_and_merge(embeds, ratio, alpha, merge):
    kept = RtPrune(ratio=ratio, alpha=alpha, merge=merge).prune(visual_of(embeds), BLANK)
    rows, merged = slow_rtprune(embeds.tolist(), math.floor(ratio * len(embeds)), alpha, merge)
    assert kept.rows.tolist() == rows
    # The transport stops where its masses are met within 1e-3, relative.
    weight = 1e-3 * merge * float(embeds.norm(dim=1).sum())
    np.testing.assert_allclose(kept.embeds.numpy(), merged, rtol=0, atol=3 * weight + 1e-6)


@given(embeds=embeddings(most=40), share=st.floats(0.05, 0.9), alpha=st.floats(-0.5, 1.0))
def test_the_transport_meets_its_masses(embeds, share, alpha):
    removed = min(max(1, int(share * len(embeds))), len(embeds) - 1)
    kept = len(embeds) - removed
    plan, rounds = RtPrune(alpha=alpha).transport(embeds[:kept], embeds[kept:])
    assert 0 < rounds <= 100
    np.testing.assert_allclose(plan.sum(dim=1), [1.0] * kept + [removed], rtol=1e-3)
    np.testing.assert_allclose(plan.sum(dim=0), [1.0] * removed + [kept], rtol=1e-3)


def test_of_equal_norms_the_first_stay():
    kept = RtPrune(ratio=0.5).prune(visual_of(torch.eye(6, dtype=torch.float64)), BLANK)
    assert kept.rows.tolist() == [0, 1, 2]


def test_a_ratio_is_not_rounded_down_twice():
    kept = RtPrune(ratio=0.29).prune(visual_of(torch.rand(100, 3)), BLANK)
    assert len(kept.rows) == 71


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_is_compared_and_merged_in_full(dtype):
    embeds = (torch.randn(40, 8, generator=torch.Generator().manual_seed(1)) + 1).to(dtype)
    kept, full = (RtPrune(ratio=0.25).prune(visual_of(each), BLANK) for each in (embeds, embeds.float()))
    assert kept.embeds.dtype == dtype
    assert torch.equal(kept.rows, full.rows)
    assert torch.equal(kept.embeds, full.embeds.to(dtype))


# ---- the dynamic ratio


def test_one_token_is_like_no_other():
    assert mean_similarity(torch.ones(1, 3)) == 0.0
    assert RtPrune().prune(visual_of(torch.ones(1, 3)), BLANK).rows.tolist() == [0]


def slow_density(grey, columns, theta):
    """Share of pixels with a Sobel magnitude above theta, averaged over vertical strips; borders are replicated."""
    height, width = len(grey), len(grey[0])

    def at(y, x):
        return grey[min(max(y, 0), height - 1)][min(max(x, 0), width - 1)]

    def edge(y, x):
        gx = sum(w * (at(y + d, x + 1) - at(y + d, x - 1)) for d, w in ((-1, 1), (0, 2), (1, 1)))
        gy = sum(w * (at(y + 1, x + d) - at(y - 1, x + d)) for d, w in ((-1, 1), (0, 2), (1, 1)))
        return math.hypot(gx, gy) > theta

    shares = []
    for part in range(columns):
        places = range(part * width // columns, (part + 1) * width // columns)
        shares.append(sum(edge(y, x) for y in range(height) for x in places) / (height * len(places)))
    return sum(shares) / columns


@given(seed=st.integers(0, 999), theta=st.sampled_from((0.1, 0.2, 0.5, 1.7)))
def test_density_is_the_share_of_edges_in_the_encoders_scale(seed, theta):
    dice = np.random.default_rng(seed)
    pixels = dice.choice([0, 20, 235, 255], size=(9, 12, 3)).astype(np.uint8)
    mean, std = (0.48, 0.46, 0.41), (0.27, 0.26, 0.28)
    scaled = (pixels / 255 - mean) / std @ np.array([0.299, 0.587, 0.114])
    boxes = visual_of(torch.zeros(4, 1)).boxes
    wanted = slow_density(scaled.tolist(), 4, theta)
    assert text_density(Picture(pixels, 12, 9, mean, std), boxes, theta) == pytest.approx(wanted, abs=1e-6)
    assert _text_density_on_device(pixels, boxes, theta, std) == pytest.approx(wanted, abs=1e-6)


def test_the_picture_is_looked_at_in_the_size_in_which_the_encoder_sees_it():
    stripes = np.repeat(np.tile([0, 255], 40)[None, :, None], 40, axis=0).repeat(3, axis=2).astype(np.uint8)
    boxes = visual_of(torch.zeros(4, 1)).boxes
    assert text_density(Picture(stripes, 160, 80, HALF, HALF), boxes, 0.2) > 0.9
    assert text_density(Picture(stripes, 20, 10, HALF, HALF), boxes, 0.2) < 0.3  # grey, but for both ends


@given(embeds=embeddings(), seed=st.integers(0, 99), most=st.floats(0.0, 0.9))
def test_the_ratio_follows_equation_9(embeds, seed, most):
    pixels = np.full((40, 60, 3), 255, dtype=np.uint8)
    pixels[10:30, 10 : 10 + seed % 50] = np.random.default_rng(seed).integers(0, 255, (20, seed % 50, 3))
    page, visual = Picture(pixels, 60, 40, HALF, HALF), visual_of(embeds)
    wanted = mean_similarity(embeds) * (1 - text_density(page, visual.boxes, 0.2))
    kept = RtPrune(most=most).prune(visual, page)
    assert kept.figures["ratio"] == pytest.approx(min(max(wanted, 0.0), most))
    assert len(kept.rows) == len(embeds) - math.floor(kept.figures["ratio"] * len(embeds) + 1e-9)


@given(embeds=embeddings(), seed=st.integers(0, 99), mode=st.sampled_from(("paper", "code")))
def test_as_published_the_ratio_has_no_bound_and_the_code_squares_the_cosines(embeds, seed, mode):
    pixels = np.full((40, 60, 3), 255, dtype=np.uint8)
    pixels[10:30, 10 : 10 + seed % 50] = np.random.default_rng(seed).integers(0, 255, (20, seed % 50, 3))
    page, visual, tokens = Picture(pixels, 60, 40, HALF, HALF), visual_of(embeds), embeds.tolist()
    pairs = [cosine(a, b) for i, a in enumerate(tokens) for j, b in enumerate(tokens) if i != j]
    alike = sum(c * c if mode == "code" else c for c in pairs) / len(pairs)
    wanted = max(0.0, alike * (1 - text_density(page, visual.boxes, 0.2)))
    kept = RtPrune(mode=mode, most=0.01).prune(visual, page)
    assert kept.figures["ratio"] == pytest.approx(wanted, abs=1e-9)
    assert len(kept.rows) == max(1, len(tokens) - math.floor(kept.figures["ratio"] * len(tokens) + 1e-9))


def test_the_papers_ratio_leaves_one_token_of_a_page_of_equal_ones():
    for mode in ("paper", "code"):
        assert len(RtPrune(mode=mode).prune(visual_of(torch.eye(1, 3).repeat(20, 1)), BLANK).rows) == 1
    assert len(RtPrune().prune(visual_of(torch.ones(20, 3)), BLANK).rows) == 14
