"""Batches made ahead of time in other processes, in the order of their steps."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Generator
from contextlib import suppress
from queue import Full

import torch

from training import curriculum
from training.samples import Batch

AHEAD = 8


def batches(seed: int, first: int, workers: int) -> Generator[Batch]:
    """The batches of the steps from `first` on; `workers` processes render them, 0 renders them here."""
    if not workers:
        while True:
            yield curriculum.batch(seed, first)
            first += 1
    context = multiprocessing.get_context("spawn")
    queues = [context.Queue(max(2, AHEAD // workers)) for _ in range(workers)]
    processes = [
        context.Process(target=_work, args=(queue, seed, first + index, workers, os.getpid()), daemon=True)
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


def _work(queue: multiprocessing.Queue[Batch], seed: int, step: int, stride: int, parent: int) -> None:
    torch.set_num_threads(1)
    torch.multiprocessing.set_sharing_strategy("file_system")
    while True:
        batch = curriculum.batch(seed, step)
        while True:
            if os.getppid() != parent:  # a trainer that was killed leaves nobody behind
                return
            with suppress(Full):
                queue.put(batch, timeout=5)
                break
        step += stride
