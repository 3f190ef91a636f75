"""Checkpoints: weights alone as safetensors (to keep and to start from), and with the optimizer's state (to resume).

`python -m training.checkpoints WEIGHTS [WEIGHTS ...] OUT` writes their mean in half precision, to be committed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from training.reader import Reader

_TIED = "model.lm_head.weight"  # the embedding under another name


def save_weights(reader: Reader, path: Path, step: int) -> None:
    """Write the weights after `step` steps."""
    state = {name: value.detach().cpu().contiguous() for name, value in reader.state_dict().items() if name != _TIED}
    save_file(state, path, {"step": str(step)})


def load_weights(reader: Reader, path: Path) -> int:
    """Fill `reader` from a file of `save_weights`; returns how many steps the weights were trained."""
    state, step = _read(path)
    state[_TIED] = state["model.model.language_model.embed_tokens.weight"]
    reader.load_state_dict(state)
    return step


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write all that resuming needs; a kill at any moment leaves the older file."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)


def write_mean(weights: list[Path], out: Path) -> None:
    """Write the mean of some weights in half precision, with the steps of those that were trained longest."""
    states, steps = zip(*(_read(path) for path in weights), strict=True)
    mean = {name: (sum(state[name] for state in states) / len(states)).half() for name in states[0]}
    save_file(mean, out, {"step": str(max(steps))})


def _read(path: Path) -> tuple[dict[str, Tensor], int]:
    """The tensors of a file of weights in float32, and how many steps they were trained."""
    with safe_open(path, "pt") as file:
        state = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 (no mapping)
        return state, int((file.metadata() or {}).get("step", 0))


if __name__ == "__main__":
    *sources, target = map(Path, sys.argv[1:])
    write_mean(sources, target)
