"""Files that look like weights, tiny twins of the families, and pictures for them."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="session")
def shard() -> Callable[..., bytes]:
    """`shard(name, count=1000)` -> the bytes of a safetensors file with one float32 tensor of `count` numbers."""

    def build(name: str, count: int = 1000) -> bytes:
        entry = {"dtype": "F32", "shape": [count // 10, 10], "data_offsets": [0, 4 * count]}
        header = json.dumps({"__metadata__": {"format": "pt"}, name: entry}).encode()
        return len(header).to_bytes(8, "little") + header + bytes(4 * count)

    return build


@pytest.fixture(scope="session")
def noise() -> Callable[..., np.ndarray]:
    """`noise(width, height, seed=0)` -> an RGB picture of random pixels."""

    def draw(width: int, height: int, seed: int = 0) -> np.ndarray:
        return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)

    return draw


@pytest.fixture
def cache_model(tmp_path, monkeypatch, shard) -> Callable[..., Path]:
    """`cache_model("owner/name", weights=True)` -> its snapshot in an otherwise empty cache of the test's own."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))

    def build(repository: str, *, weights: bool = True) -> Path:
        snapshot = tmp_path / "hub" / f"models--{repository.replace('/', '--')}" / "snapshots" / ("a" * 40)
        snapshot.mkdir(parents=True)
        (snapshot / "config.json").write_text("{}")
        if weights:
            (snapshot / "model.safetensors").write_bytes(shard("weight"))
        return snapshot

    return build
