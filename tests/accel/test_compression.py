"""Each method that evicts, beside its equations written out: dense attention of NumPy, float64.

The statements here share nothing with the methods: the same scores, budgets and rows must come out.
"""

import math
from dataclasses import replace
from statistics import mean

import numpy as np
import pytest
import torch

from docparse.accel.aircache import AirCache
from docparse.accel.dart import Dart
from docparse.accel.h2o import H2o
from docparse.accel.prefixkv import PrefixKv
from docparse.accel.pyramidkv import PyramidKv
from docparse.accel.snapkv import SnapKv
from docparse.accel.streamingllm import StreamingLlm
from docparse.accel.vlcache import VlCache
from docparse.engine.prompt import Prompt

HEADS, KV, LAYERS, SIZE = 4, 2, 3, 8
SCALE = SIZE**-0.5
VISUAL, STRUCTURAL = range(5, 40), {14, 24, 34}  # of a prompt of 52 rows
ROWS = 52
PRUNABLE = [row for row in VISUAL if row not in STRUCTURAL]
TEXT = [row for row in range(ROWS) if row not in PRUNABLE]
seeds = pytest.mark.parametrize("seed", range(2))


rows = torch.arange(ROWS)
PROMPT = Prompt(
    ids=rows,
    embeds=torch.zeros(ROWS, 4),
    positions=rows[None],
    next_position=torch.tensor([ROWS]),
    visual=(rows >= VISUAL.start) & (rows < VISUAL.stop),
    structural=torch.tensor([row in STRUCTURAL for row in VISUAL]),
    boxes=torch.zeros(len(VISUAL), 4),
)


def layers(seed):
    """Queries `[H, P, D]` and keys `[KV, P, D]` of each layer, some layers more selective than others."""
    made = torch.Generator().manual_seed(seed)
    sharpness = torch.rand(LAYERS, generator=made) * 4 + 0.5
    return [
        (
            torch.randn(HEADS, ROWS, SIZE, generator=made).double() * float(sharp),
            torch.randn(KV, ROWS, SIZE, generator=made).double(),
        )
        for sharp in sharpness
    ]


def watched(method, seed=0, prompt=PROMPT):
    compressor = method.compressor(prompt)
    for layer, (query, key) in enumerate(layers(seed)):
        compressor.on_prefill_layer(layer, query, key, SCALE)
    return compressor


def softmax(logits):
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def causal(query, key):
    """A[h, i, j], 0 where j > i."""
    logits = SCALE * query.numpy() @ np.repeat(key.numpy(), HEADS // KV, axis=0).transpose(0, 2, 1)
    return softmax(np.where(np.tri(ROWS, dtype=bool), logits, -np.inf))


def grouped(query, key):
    """A[g, i, j], mean over the query heads of each head of keys."""
    return causal(query, key).reshape(KV, HEADS // KV, ROWS, ROWS).mean(axis=1)


def top(scores, count, among):
    return sorted(sorted(among, key=lambda row: -scores[row])[:count])


def level(weights, target, least):
    """The common factor that gives clipped shares the wanted mean, found by halving an interval."""
    low, high = 0.0, 1e9
    for _ in range(300):
        middle = (low + high) / 2
        shares = [min(max(middle * weight, least), 1.0) for weight in weights]
        low, high = (middle, high) if mean(shares) < target else (low, middle)
    return shares


@seeds
@pytest.mark.parametrize(
    "method",
    [VlCache(), VlCache(budget=0.4, threshold=0.05, recent=0.3, window=5), VlCache(budget=0.4, window=5, mode="paper")],
)
def test_vlcache(method, seed):
    asking = slice(VISUAL.stop if method.mode == "paper" else max(VISUAL.stop, ROWS - method.window), ROWS)
    visible = np.tri(ROWS, dtype=bool)[asking]
    scores, densities = [], []
    for layer in layers(seed):
        attention = causal(*layer)[:, asking]
        zeroed = visible & (attention < method.threshold * attention.max(axis=-1, keepdims=True))
        densities.append(1 - zeroed.sum() / HEADS / visible.sum())
        scores.append(attention.mean(axis=0).sum(axis=0))
    budgets = level(densities, method.budget, 0.01)
    kept = []
    for score, budget in zip(scores, budgets, strict=True):
        count = round(budget * ROWS)
        recent = max(1, round(method.recent * count))
        kept.append([*top(score, count - recent, range(ROWS - recent)), *range(ROWS - recent, ROWS)])

    compressor = watched(method, seed)
    for (got, _), expected in zip(compressor.scores, scores, strict=True):
        assert got.tolist() == pytest.approx(expected, abs=1e-5)
    assert method.budgets(compressor.scores) == pytest.approx(budgets, abs=1e-5)
    assert [rows.tolist() for rows in compressor.keep()] == kept
    assert len(set(map(len, kept))) > 1


@seeds
@pytest.mark.parametrize(
    "method",
    [
        *(AirCache(), AirCache(budget=0.5, elite=0.5)),
        *(AirCache(budget=0.3, elite=elite) for elite in (0.0, 1.0)),  # every word, and the most attended one
        *(AirCache(budget=0.3, shares=shares) for shares in ("strength", "skewness", "uniform", "pyramid")),
    ],
)
def test_aircache(method, seed):
    words = np.arange(VISUAL.stop, ROWS)
    scores = []
    for query, key in layers(seed):
        asked, keys = query.numpy(), np.repeat(key.numpy(), HEADS // KV, axis=0).transpose(0, 2, 1)
        last = softmax(SCALE * asked[:, -1:] @ keys[:, :, words]).mean(axis=(0, 1))
        elite = words[last >= method.elite * last.max()]
        logits = SCALE * asked[:, elite] @ keys[:, :, [*PRUNABLE, *elite]]
        logits[:, :, len(PRUNABLE) :][:, elite[:, None] < elite] = -np.inf
        scores.append(softmax(logits)[:, :, : len(PRUNABLE)].mean(axis=(0, 1)))
    strengths = np.array([score.sum() for score in scores])
    skews = np.array([max(0.0, (((score - score.mean()) / score.std()) ** 3).mean()) for score in scores])
    by_strength, by_skewness = strengths / strengths.sum(), skews / skews.sum()
    weights = {
        "both": (by_strength + by_skewness) / 2,
        "strength": by_strength,
        "skewness": by_skewness.clip(1e-9),
        "uniform": [1.0] * LAYERS,
        "pyramid": [2 - 1 / 20, 1.0, 1 / 20],  # falling in even steps, the uppermost a twentieth of the mean
    }[method.shares]
    budgets = level(weights, method.budget, 1 / len(PRUNABLE))
    kept = [
        sorted(top(dict(zip(PRUNABLE, score, strict=True)), max(1, round(budget * len(PRUNABLE))), PRUNABLE) + TEXT)
        for score, budget in zip(scores, budgets, strict=True)
    ]

    compressor = watched(method, seed)
    for got, expected in zip(compressor.scores, scores, strict=True):
        assert got.tolist() == pytest.approx(expected, abs=1e-9)
    assert method.budgets(compressor.scores) == pytest.approx(budgets, abs=1e-6)
    assert [rows.tolist() for rows in compressor.keep()] == kept


def test_aircache_goes_by_strength_alone_where_nothing_is_skewed():
    symmetric, even = torch.linspace(0.1, 0.3, 7).double(), torch.full((7,), 0.5).double()
    budgets = AirCache(budget=0.2).budgets([symmetric, 3 * symmetric])
    assert budgets == pytest.approx([0.1428571, 0.2571428], abs=1e-6)  # clipped: 1 of 7 rows at least
    assert mean(AirCache(budget=0.2).budgets([even, 2 * even])) == pytest.approx(0.2)


def votes(query, key, window, kernel):
    """SnapKV's, for each head of keys: of the last queries, for the rows before them, each as good as its best
    neighbour."""
    own = grouped(query, key)[:, -window:, :-window].sum(axis=1)
    around = [range(max(0, j - kernel // 2), min(ROWS - window, j + kernel // 2 + 1)) for j in range(ROWS - window)]
    return [[max(head[near]) for near in around] for head in own]


@seeds
@pytest.mark.parametrize(
    ("method", "counts"),
    [
        (SnapKv(budget=0.5, window=6, kernel=3), [20, 20, 20]),  # and the window
        # the uppermost layer keeps a fourth of the mean, the window aside, and the lowest as much more
        (PyramidKv(budget=0.5, window=6, kernel=3, beta=4.0), [35, 20, 5]),
        (SnapKv(budget=0.25, kernel=5, visual=True), [8, 8, 8]),
    ],
    ids=["snapkv", "pyramidkv", "visual rows only"],
)
def test_snapkv_and_pyramidkv(method, counts, seed):
    window = ROWS - VISUAL.stop if method.visual else method.window  # of visual rows only text after the picture votes
    competing = PRUNABLE if method.visual else range(ROWS - window)
    fixed = [row for row in range(ROWS) if row not in competing]
    kept = []
    for (query, key), count in zip(layers(seed), counts, strict=True):
        scores = votes(query, key, window, method.kernel)
        kept.append([sorted(top(score, count, competing) + fixed) for score in scores])
    assert [rows.tolist() for rows in watched(method, seed).keep()] == kept


@seeds
@pytest.mark.parametrize("visual", [False, True])
def test_h2o_after_the_prefill(visual, seed):
    rows = PRUNABLE if visual else list(range(ROWS))
    count = round(0.3 * len(rows))
    recent = rows[-math.ceil(count / 2) :]
    kept, older, stays = [], [row for row in rows if row not in recent], TEXT if visual else []
    for layer in layers(seed):
        totals = grouped(*layer).sum(axis=1)
        kept.append([sorted(top(total, count - len(recent), older) + recent + stays) for total in totals])
    compressor = watched(H2o(budget=0.3, visual=visual), seed)
    assert [rows.tolist() for rows in compressor.keep()] == kept


@seeds
def test_h2o_while_decoding(seed):
    """Over the steps of one row: names of tokens instead of places, each with what it was looked at so far."""
    made = torch.Generator().manual_seed(seed)
    compressor = watched(H2o(budget=0.25), seed)
    scores = [[total.tolist() for total in layer] for layer in compressor.scores]
    held = []
    for layer, rows in enumerate(compressor.keep()):
        held.append([{j: scores[layer][g][j] for j in rows[g].tolist()} for g in range(KV)])
    seen = ROWS
    for path in ([], [1, 2], [2], []):
        nodes = 3
        new = [seen + i for i in range(1 + len(path))]
        for layer in range(LAYERS):
            assert compressor.watches
            weights = torch.rand(HEADS, nodes, len(held[layer][0]) + nodes, generator=made).double()
            compressor.observe(layer, weights)
            for g in range(KV):
                own = weights[2 * g : 2 * g + 2].mean(dim=0).tolist()
                rows_now = list(held[layer][g]) + [None] * nodes
                for place, node in enumerate([0, *path]):
                    rows_now[len(held[layer][g]) + node] = new[place]
                held[layer][g] |= {name: 0.0 for name in new}
                for node in [0, *path]:
                    for place, name in enumerate(rows_now):
                        if name is not None:
                            held[layer][g][name] += own[node][place]
        seen += len(new)
        count = round(0.25 * seen)
        names = [[list(heads) for heads in layer] for layer in held]
        for layer, rows in enumerate(compressor.evict(path)):
            for g in range(KV):
                old = held[layer][g]
                recent = names[layer][g][-math.ceil(count / 2) :]
                heavy = top(old, count - len(recent), [name for name in old if name not in recent])
                assert [names[layer][g][place] for place in rows[g].tolist()] == heavy + recent
                held[layer][g] = {name: old[name] for name in heavy + recent}
                assert compressor.scores[layer][g].tolist() == pytest.approx(list(held[layer][g].values()))


def test_streamingllm():
    compressor = watched(StreamingLlm(budget=0.25, sinks=3))
    held = [0, 1, 2, *range(42, 52)]
    assert [rows.tolist() for rows in compressor.keep()] == [held] * LAYERS
    for seen, path, count in ((53, [], 13), (57, [1, 2, 5], 14), (61, [1, 2, 3], 15)):
        held += range(seen - 1 - len(path), seen)
        held = [held[place] for place in compressor.evict(path)[0].tolist()]
        assert held == [0, 1, 2, *range(seen - count + 3, seen)]
    compressor = watched(StreamingLlm(budget=0.25, sinks=3, visual=True))
    assert [rows.tolist() for rows in compressor.keep()] == [sorted(PRUNABLE[:3] + PRUNABLE[-5:] + TEXT)] * LAYERS
    assert compressor.evict([1]) is None


@seeds
@pytest.mark.parametrize("budget", [0.1, 0.3, 0.6])
def test_prefixkv_finds_the_share_of_attention_that_meets_the_budget(budget, seed):
    compressor = watched(PrefixKv(budget=budget, sinks=2), seed)
    priorities = []
    for query, key in layers(seed):
        paid = causal(query, key).sum(axis=(0, 1))
        priorities.append(paid / paid.sum())
    sums = [np.sort(paid)[::-1].cumsum() for paid in priorities]

    def lost(share):
        """Rows beyond those that are needed to reach the share, the sinks and the last one."""
        return [max(0, ROWS - (1 + int((each < share).sum())) - 3) for each in sums]

    wanted = (1 - budget) * ROWS * LAYERS
    shares = [i / 4000 for i in range(4001)]
    share = max((each for each in shares if sum(lost(each)) >= wanted), default=0.0)
    exact = [min(ROWS - 3, int(count * wanted / max(1, sum(lost(share))))) for count in lost(share)]
    found = compressor._method.evicted(compressor.scores)
    assert all(abs(a - b) <= 1 for a, b in zip(found, exact, strict=True))  # between two shares of the literal search
    for paid, count, rows in zip(priorities, found, compressor.keep(), strict=True):
        assert rows.tolist() == [0, 1, *top(paid, ROWS - 3 - count, range(2, ROWS - 1)), ROWS - 1]


@seeds
@pytest.mark.parametrize(
    "method", [Dart(keep=0.3), Dart(keep=0.5, pivots=2, words=1, layer=1), Dart(keep=0.05)], ids=str
)
def test_dart_drops_what_is_like_its_pivots(method, seed):
    embeds = torch.randn(ROWS, 4, generator=torch.Generator().manual_seed(seed)).double()
    compressor = watched(method, seed, replace(PROMPT, embeds=embeds))
    _, key = layers(seed)[method.layer - 1]
    size = np.abs(key.numpy()).sum(axis=(0, 2))
    keep = max(1, round(method.keep * len(PRUNABLE)))
    own = sorted(PRUNABLE, key=lambda row: -size[row])[: min(method.pivots, keep)]
    words = sorted(range(VISUAL.stop, ROWS), key=lambda row: -size[row])[: method.words]
    kept = list(own)
    for number, pivot in enumerate([*own, *words]):
        share = math.ceil((keep - len(kept)) / (len(own) + len(words) - number))
        unlike = {row: -float(torch.cosine_similarity(embeds[pivot], embeds[row], dim=0)) for row in PRUNABLE}
        rest = sorted((row for row in PRUNABLE if row not in kept), key=lambda row: -unlike[row])
        kept += rest[:share]
    assert len(kept) == keep
    assert compressor.stays.tolist() == sorted([*kept, *TEXT])


METHODS = [VlCache, AirCache, StreamingLlm, H2o, SnapKv, PyramidKv, PrefixKv]


@pytest.mark.parametrize("method", METHODS)
def test_the_least_budget_keeps_the_last_row_and_a_full_one_every_row(method):
    assert all((rows[..., -1] == ROWS - 1).all() for rows in watched(method(budget=0.01)).keep())
    kept = watched(method(budget=1.0)).keep()
    assert [rows.expand(KV, -1).tolist() for rows in kept] == [[list(range(ROWS))] * KV] * LAYERS


WITHOUT = [(VlCache(budget=0.5), False), (AirCache(budget=0.5), True), (PrefixKv(budget=0.5), False)]
WITHOUT += [(kind(budget=0.5, visual=v), v) for kind in (StreamingLlm, H2o, SnapKv, PyramidKv) for v in (False, True)]


@pytest.mark.parametrize(("method", "whole"), WITHOUT)
def test_a_prompt_without_a_picture_has_no_visual_row_that_could_go(method, whole):
    text = replace(PROMPT, visual=PROMPT.visual & False, structural=PROMPT.structural[:0], boxes=PROMPT.boxes[:0])
    for rows in watched(method, prompt=text).keep():
        assert rows.shape[-1] == ROWS if whole else 1 < rows.shape[-1] < ROWS
        assert (rows[..., -1] == ROWS - 1).all()
