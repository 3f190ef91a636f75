"""Checkpoints: weights alone as safetensors (to keep and to start from), and with the optimizer's state (to resume)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file

from training.reader import Reader

_TIED = "model.lm_head.weight"  # the embedding under another name


def save_weights(reader: Reader, path: Path, step: int, half: bool = False) -> None:
    """Write the weights after `step` steps, in half precision (half the size) if asked."""
    state = {name: value.detach().cpu().contiguous() for name, value in reader.state_dict().items() if name != _TIED}
    if half:
        state = {name: value.half() for name, value in state.items()}
    save_file(state, path, {"step": str(step)})


def load_weights(reader: Reader, path: Path) -> int:
    """Fill `reader` from a file of `save_weights`; returns how many steps the weights were trained."""
    with safe_open(path, "pt") as file:
        state = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 (no mapping)
        step = int((file.metadata() or {}).get("step", 0))
    state[_TIED] = state["model.model.language_model.embed_tokens.weight"]
    reader.load_state_dict(state)
    return step


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write all that resuming needs; a kill at any moment leaves the older file."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)
