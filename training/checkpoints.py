"""Checkpoints: weights alone as safetensors (to keep and to start from), and with the optimizer's state (to resume)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

from training.reader import Reader

_TIED = "model.lm_head.weight"  # the embedding under another name


def save_weights(reader: Reader, path: Path, half: bool = False) -> None:
    """Write the weights, in half precision (half the size) if asked."""
    state = {name: value.detach().cpu().contiguous() for name, value in reader.state_dict().items() if name != _TIED}
    if half:
        state = {name: value.half() for name, value in state.items()}
    save_file(state, path)


def load_weights(reader: Reader, path: Path) -> None:
    state = {name: value.float() for name, value in load_file(path).items()}
    state[_TIED] = state["model.model.language_model.embed_tokens.weight"]
    reader.load_state_dict(state)


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write all that resuming needs; a kill at any moment leaves the older file."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)
