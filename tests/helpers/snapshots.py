"""Weights as a pull leaves them in the hub's cache, only smaller."""

import json
import os
from pathlib import Path

from docparse.weights import store

COMMIT = "a" * 40


def shard(name: str, count: int = 1000) -> bytes:
    """Return a safetensors file with one float32 tensor of `count` numbers."""
    entry = {"dtype": "F32", "shape": [count // 10, 10], "data_offsets": [0, 4 * count]}
    header = json.dumps({"__metadata__": {"format": "pt"}, name: entry}).encode()
    return len(header).to_bytes(8, "little") + header + bytes(4 * count)


def pulled(cache: Path, repository: str, commit: str = COMMIT, *, weights: bool = True) -> Path:
    """Return the folder of a snapshot in `cache`, its files links to blobs that are named by their hashes."""
    folder = cache / f"models--{repository.replace('/', '--')}"
    snapshot = folder / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (folder / "blobs").mkdir(exist_ok=True)
    files = [("config.json", b"{}", "0" * 40), ("model.safetensors", shard(commit, 10), "0" * 64)]
    for name, content, kind in files if weights else files[:1]:
        (folder / "new").write_bytes(content)
        blob = folder / "blobs" / store.digest(folder / "new", kind)
        (folder / "new").rename(blob)
        (snapshot / name).symlink_to(os.path.relpath(blob, snapshot))
    return snapshot
