"""Optimal transport with dustbins by Sinkhorn's iteration in log space, for a batch (RTPrune's merge).

With similarities S `[K, M]`, a dustbin row and column of constant alpha make Z `[K + 1, M + 1]`; potentials u, v give
the plan exp(Z + u + v), whose rows sum to mu and columns to nu:

    mu = (1, ..., 1, M) / (K + M)        u <- log mu - logsumexp over columns of (Z + v)
    nu = (1, ..., 1, K) / (K + M)        v <- log nu - logsumexp over rows of (Z + u)

Logsumexp does not enlarge differences, so the largest change of u bounds every later row's relative error: an item of
the batch stops when it is below the tolerance, and what it gets does not depend on the others.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from docparse.kernels.launch import OPTIONS, jit, power, tl, use_triton

LOOK = 8  # iterations between two looks at the device, which waits for it


def sinkhorn(
    similarity: Tensor, dustbin: float = 0.2, iterations: int = 100, tolerance: float = 1e-3
) -> tuple[Tensor, Tensor]:
    """The plan times K + M, float32 `[B, K + 1, M + 1]`, of `similarity [B, K, M]` (float32, float16 or bfloat16), and
    how many iterations each item took, `[B]`.

    So every kept and every merged token has mass 1; the dustbins, last in each axis, M and K. `dustbin` is alpha, 0.2
    in RTPrune. An item stops when its marginals are met within `tolerance`, relative (0: when nothing changes any
    more), and at the latest after so many `iterations`.
    Raises `ValueError` for a shape without tokens on both sides, or a setting out of range.
    """
    if similarity.dim() != 3 or 0 in similarity.shape:
        raise ValueError(f"expected similarities [batch, kept, merged], none of them 0, got {list(similarity.shape)}")
    if iterations < 1 or tolerance < 0:
        raise ValueError(f"{iterations=} must be positive, {tolerance=} cannot be negative")
    solve = fused if use_triton(similarity) else reference
    row, column, rounds = solve(similarity, dustbin, iterations, tolerance)
    plan = _costs(similarity, dustbin).add_(row[:, :, None]).add_(column[:, None]).exp_()
    return plan, rounds


def _costs(similarity: Tensor, dustbin: float) -> Tensor:
    """Z, float32 `[B, K + 1, M + 1]`."""
    return torch.nn.functional.pad(similarity.float(), (0, 1, 0, 1), value=dustbin)


def reference(similarity: Tensor, dustbin: float, iterations: int, tolerance: float) -> tuple[Tensor, Tensor, Tensor]:
    """Potentials u `[B, K + 1]` and v `[B, M + 1]` of the plan times K + M, and the iterations `[B]`, in torch."""
    batch, kept, merged = similarity.shape
    costs = _costs(similarity, dustbin)
    row, column = costs.new_zeros(batch, kept + 1), costs.new_zeros(batch, merged + 1)
    row_mass, column_mass = torch.zeros_like(row[0]), torch.zeros_like(column[0])
    row_mass[-1], column_mass[-1] = math.log(merged), math.log(kept)
    moving, limit = torch.arange(batch, device=similarity.device), math.log1p(tolerance)
    rounds = torch.zeros_like(moving)
    for _ in range(iterations):
        rounds[moving] += 1
        new = row_mass - (costs + column[moving, None]).logsumexp(2)
        still = (new - row[moving]).abs().amax(1) > limit
        row[moving] = new
        column[moving] = column_mass - (costs + new[:, :, None]).logsumexp(1)
        if not bool(still.all()):
            moving, costs = moving[still], costs[still]
            if not len(moving):
                break
    return row, column, rounds


def fused(similarity: Tensor, dustbin: float, iterations: int, tolerance: float) -> tuple[Tensor, Tensor, Tensor]:
    """The same in Triton. The similarities are read twice an iteration, and stay in the cache of a large GPU. Items
    stop on the device; the host looks every `LOOK` iterations whether all have."""
    batch, kept, merged = similarity.shape
    row = similarity.new_zeros(batch, kept + 1, dtype=torch.float32)
    column = similarity.new_zeros(batch, merged + 1, dtype=torch.float32)
    change = row.new_zeros(iterations + 1, batch)  # largest of each iteration; 0 after an item has stopped
    change[0] = torch.inf
    item, down, across = similarity.stride()
    limit = math.log1p(tolerance)
    by_row, by_column = (similarity, item, down, across), (similarity, item, across, down)
    constants = (dustbin, limit)
    for step in range(iterations):
        now, after = change[step], change[step + 1]
        _launch(by_row, column, row, (now, after), (math.log(merged), *constants))
        _launch(by_column, row, column, (now, None), (math.log(kept), *constants))
        if step % LOOK == LOOK - 1 and not bool((after > limit).any()):
            break
    return row, column, (change[:-1] > limit).sum(0)


def _launch(similarity: Any, given: Tensor, wanted: Tensor, *rest: Any) -> None:
    batch, lines = wanted.shape
    along = given.shape[1]
    tile = min(power(along), 128)
    potential[(-(-lines // 16), batch)](similarity, given, wanted, *rest, lines, along, LINES=16, ALONG=tile, **OPTIONS)


@jit
def potential(
    similarity, given_ptr, wanted_ptr, changes, constants, lines, along, LINES: tl.constexpr, ALONG: tl.constexpr
):
    """Program (lines, item): the potentials of these lines, rows or columns alike, given those of the other side.

    `now_ptr` holds the item's change in the last iteration: it has stopped where this is within the limit. `after_ptr`,
    where there is one, takes the change of this one.
    """
    similarity_ptr, item_stride, line_stride, along_stride = similarity
    now_ptr, after_ptr = changes
    last_mass, dustbin, limit = constants
    item = tl.program_id(1).to(tl.int64)
    if tl.load(now_ptr + item) > limit:
        line = tl.program_id(0) * LINES + tl.arange(0, LINES)
        best = tl.full([LINES], float("-inf"), tl.float32)
        mass = tl.zeros([LINES], tl.float32)
        for begin in range(0, along, ALONG):
            other = begin + tl.arange(0, ALONG)
            cell = similarity_ptr + item * item_stride + line[:, None] * line_stride + other[None, :] * along_stride
            tokens = (line < lines - 1)[:, None] & (other < along - 1)[None, :]
            cost = tl.where(tokens, tl.load(cell, mask=tokens, other=0.0).to(tl.float32), dustbin)
            given = tl.load(given_ptr + item * along + other, mask=other < along, other=float("-inf"))
            score = cost + given[None, :]
            higher = tl.maximum(best, tl.max(score, 1))
            mass = mass * tl.exp(best - higher) + tl.sum(tl.exp(score - higher[:, None]), 1)
            best = higher
        wanted = tl.where(line == lines - 1, last_mass, 0.0) - best - tl.log(mass)
        out = wanted_ptr + item * lines + line
        if after_ptr is not None:
            change = tl.where(line < lines, tl.abs(wanted - tl.load(out, mask=line < lines, other=0.0)), 0.0)
            tl.atomic_max(after_ptr + item, tl.max(change, 0))
        tl.store(out, wanted, mask=line < lines)
