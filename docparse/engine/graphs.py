"""Decode passes captured as CUDA graphs, one for each number of rows and nodes: the host then starts one thing a pass.
Captured by hand: guards of torch.compile take 4 to 7 ms a pass."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from typing import Any
from weakref import WeakSet

import torch

from docparse.errors import ran_out_of_memory

# Sizes of a captured pass, the largest a root and the 64 drafts that HSD proposes at most. Smaller trees are padded,
# larger ones run uncaptured.
NODES = (1, 2, 4, 8, 16, 32, 65)
MAX_GRAPHS = 64  # graphs that are kept; each holds its logits
# Nodes of all rows, four times 65: an H100 took 4.9 ms for 128 of dots.ocr's, its host 11 ms to start any pass.
LARGEST = 260

Compute = Callable[[], Any]  # of a pass: what it returns are tensors in memory that is the next such pass's, too


class Graphs:
    """The captured passes of one model. `capture(compute)` returns what computes the same again, faster."""

    def __init__(self, capture: Callable[[Compute], Compute]) -> None:
        self._capture = capture
        self._captured: dict[Hashable, Compute] = {}
        self._seen: set[Hashable] = set()
        self._failed = False

    def nodes(self, count: int) -> int:
        """Return the nodes of the pass that takes a tree of so many."""
        return next((size for size in NODES if size >= count), count)

    def run(self, key: Hashable, rows: int, count: int, compute: Compute) -> Any:
        """Return what a pass returns. Passes of one `key` differ only in what the memory holds."""
        if self._failed or count not in NODES or rows * count > LARGEST:
            return compute()
        if key not in self._captured:
            if key not in self._seen:  # many sizes come once only, and a capture costs as much as several passes
                self._seen.add(key)
                return compute()
            if len(self._captured) == MAX_GRAPHS:
                self._captured.pop(next(iter(self._captured)))
            try:
                self._captured[key] = self._capture(compute)
            except RuntimeError as error:  # whatever the driver or an operation has against it
                if ran_out_of_memory(error):
                    raise
                self._failed = True
                line = str(error).strip().splitlines()[0]
                print(f"docparse: decode passes cannot be captured ({line}): they run uncaptured", file=sys.stderr)
                return compute()
        return self._captured[key]()

    def forget(self) -> None:
        """Drop what was captured, and the memory that it holds."""
        self._captured.clear()
        self._seen.clear()


_living = WeakSet[Any]()  # graphs that somebody may replay


def _pool() -> Any:
    """The memory in which all passes compute, one after the other. It is gone with the last graph that used it: CUDA's
    allocator takes its handle no more."""
    graph = next(iter(_living), None)
    return graph.pool() if graph is not None else torch.cuda.graph_pool_handle()


def capture_on_cuda(compute: Compute) -> Compute:
    """Capture on the current device. The pass runs twice before, so that kernels are compiled and memory is there."""
    here, beside = torch.cuda.current_stream(), torch.cuda.Stream()
    beside.wait_stream(here)
    with torch.cuda.stream(beside):
        for _ in range(2):
            compute()
    here.wait_stream(beside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, pool=_pool()):
        out = compute()
    _living.add(graph)

    def replay() -> Any:
        graph.replay()
        return out

    return replay
