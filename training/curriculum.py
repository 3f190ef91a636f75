"""What is trained when: stages of steps, each a mixture of units. Later stages spend their time on larger pages."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Generator
from contextlib import suppress
from dataclasses import dataclass
from queue import Full
from random import Random

import torch

from training import samples
from training.samples import Batch

AHEAD = 8  # batches, made in other processes


@dataclass(frozen=True)
class Part:
    """A unit, how many of its pages make a batch, and how often it is drawn."""

    unit: str
    batch: int
    weight: float
    decode: bool = True
    sparse: bool = False
    """Slides, forms, receipts and large print, with few words on them."""


@dataclass(frozen=True)
class Stage:
    """Steps up to `until` (counted from the first of all) draw from `parts`."""

    until: int
    parts: tuple[Part, ...]


CURRICULUM = (
    Stage(1000, (Part("line", 10, 1, decode=False), Part("block", 8, 2, decode=False))),  # letters first
    Stage(7000, (Part("line", 10, 1), Part("block", 8, 3), Part("half", 6, 2), Part("page", 3, 1),
                 Part("block", 8, 2, decode=False))),
    Stage(9000, (Part("block", 8, 2), Part("half", 6, 2), Part("page", 3, 5), Part("page", 3, 1, decode=False))),
    Stage(16332, (Part("block", 8, 2), Part("half", 6, 2), Part("page", 3, 6), Part("large", 1, 0.6))),
    Stage(28784, (Part("block", 8, 4), Part("page", 3, 4.5), Part("wide", 1, 1.5), Part("large", 1, 0.5),
                  Part("page", 4, 1.2, sparse=True), Part("large", 2, 0.4, sparse=True))),
    Stage(33228, (Part("block", 8, 3), Part("page", 3, 4.5), Part("wide", 1, 1.5), Part("large", 1, 2),
                  Part("page", 4, 0.8, sparse=True), Part("large", 2, 0.6, sparse=True))),
    Stage(10**9, (Part("block", 8, 3), Part("page", 4, 4), Part("wide", 2, 2), Part("large", 1, 3),
                  Part("page", 4, 0.8, sparse=True), Part("large", 2, 0.8, sparse=True))),
)  # fmt: skip


def batch(seed: int, step: int, times: int = 1) -> Batch:
    """The batch of a step, of `times` as many pages as its part says; the same on every machine and after a restart."""
    rng = Random(f"train/{seed}/{step}")
    choices = next(stage.parts for stage in CURRICULUM if step < stage.until)
    part = rng.choices(choices, [choice.weight for choice in choices])[0]
    return samples.batch(f"train/{seed}/{step}", part.unit, times * part.batch, part.decode, part.sparse)


def batches(seed: int, first: int, workers: int, times: int = 1) -> Generator[Batch]:
    """The batches of the steps from `first` on; `workers` processes render them, 0 renders them here."""
    if not workers:
        while True:
            yield batch(seed, first, times)
            first += 1
    context = multiprocessing.get_context("spawn")
    queues = [context.Queue(max(2, AHEAD // workers)) for _ in range(workers)]
    processes = [
        context.Process(target=_work, args=(queue, seed, first + index, workers, times, os.getpid()), daemon=True)
        for index, queue in enumerate(queues)
    ]
    for process in processes:
        process.start()
    try:
        while True:
            for queue in queues:
                yield queue.get()
    finally:
        for process in processes:
            process.terminate()


def _work(queue: multiprocessing.Queue[Batch], seed: int, step: int, stride: int, times: int, parent: int) -> None:
    torch.set_num_threads(1)
    torch.multiprocessing.set_sharing_strategy("file_system")
    while True:
        made = batch(seed, step, times)
        while True:
            if os.getppid() != parent:  # a trainer that was killed leaves nobody behind
                return
            with suppress(Full):
                queue.put(made, timeout=5)
                break
        step += stride
