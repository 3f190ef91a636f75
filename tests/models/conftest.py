"""Files that look like weights."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def shard() -> Callable[..., bytes]:
    """`shard(name, count=1000)` -> the bytes of a safetensors file with one float32 tensor of `count` numbers."""

    def build(name: str, count: int = 1000) -> bytes:
        entry = {"dtype": "F32", "shape": [count // 10, 10], "data_offsets": [0, 4 * count]}
        header = json.dumps({"__metadata__": {"format": "pt"}, name: entry}).encode()
        return len(header).to_bytes(8, "little") + header + bytes(4 * count)

    return build
