"""PyramidKV, a baseline: SnapKV's votes, and more rows for the lower layers than for the upper ones.

After Cai et al., "PyramidKV: Dynamic KV Cache Compression based on Pyramidal Information Funneling" (2024) and
https://github.com/Zefan-Cai/KVCache-Factory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from docparse.accel.method import between
from docparse.accel.snapkv import SnapKv, SnapKvCompressor
from docparse.engine.hooks import Compressor

if TYPE_CHECKING:
    from docparse.engine.prompt import Prompt


@dataclass(frozen=True)
class PyramidKv(SnapKv):
    """The hyper-parameters of SnapKV, and `beta`: the uppermost layer keeps 1 / beta of the mean, its window aside."""

    name: ClassVar[str] = "pyramidkv"

    beta: float = between(1.0, 1000.0, 20.0)

    def compressor(self, prompt: Prompt) -> Compressor:
        return PyramidKvCompressor(self, prompt)


class PyramidKvCompressor(SnapKvCompressor):
    def __init__(self, method: PyramidKv, prompt: Prompt) -> None:
        super().__init__(method, prompt)
        self._beta = method.beta

    def counts(self) -> list[int]:
        """Falling in even steps from the lowest layer to the uppermost; the mean is the budget."""
        window = 0 if self._method.visual else self._window
        mean, most = self._count - window, len(self._rows.open) - window
        lowest = min(2 * mean - mean / self._beta, most)
        step = 2 * (lowest - mean) / max(1, len(self.scores) - 1)
        return [window + round(lowest - layer * step) for layer in range(len(self.scores))]
