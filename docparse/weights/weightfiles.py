"""Which files hold a model's weights, and whether each is whole: read from their headers, without torch.

The safetensors layout (https://huggingface.co/docs/safetensors): 8 bytes with the length of the header, a JSON header
that names every tensor with its dtype, shape and place, then the tensors. The index of a sharded model maps every
parameter to its shard.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from docparse.errors import EnvironmentProblem

INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"
FILE_NAME = re.compile(r"[^./\\:\x00-\x1f][^/\\:\x00-\x1f]*")
LONGEST_HEADER = 100_000_000  # bytes; what the safetensors library accepts


def is_file_name(name: str) -> bool:
    """Return whether a name from elsewhere stays in the folder it is put into, on any system, and in sight."""
    return FILE_NAME.fullmatch(name) is not None


def shards(folder: Path) -> list[str]:
    """Return names of the weight files that the folder should hold: the index's, else the single file's. Raises
    `EnvironmentProblem` for an index that cannot be read."""
    index = folder / INDEX
    if index.exists():
        return shards_of(index)
    others = sorted(path.name for path in folder.glob("*.safetensors"))
    return [SINGLE] if (folder / SINGLE).exists() or not others else others


def shards_of(index: Path) -> list[str]:
    try:
        names = set(msgspec.json.decode(index.read_bytes())["weight_map"].values())
    except (OSError, msgspec.DecodeError, KeyError, TypeError, AttributeError) as error:
        raise EnvironmentProblem(f"{index}: not an index of weights: {error}") from None
    if not names or any(not isinstance(name, str) or not is_file_name(name) for name in names):
        raise EnvironmentProblem(f"{index}: names no weight files of its folder")
    return sorted(names)


def tensors(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """Name -> `dtype`, `shape`, `data_offsets` of every tensor of a safetensors file. Raises `EnvironmentProblem` for a
    file that is not one, or whose length is not the one its header says."""
    try:
        with open(path, "rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 2 <= length <= LONGEST_HEADER:
                raise ValueError("its header is not one of safetensors")
            header = msgspec.json.decode(file.read(length))
            actual = os.fstat(file.fileno()).st_size
        header.pop("__metadata__", None)
        expected = 8 + length + max((entry["data_offsets"][1] for entry in header.values()), default=0)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise EnvironmentProblem(f"{path}: cannot be read as weights: {reason}") from None
    if actual != expected:
        raise EnvironmentProblem(f"{path}: has {actual} bytes where its header says {expected}")
    return header


def damage(folder: Path) -> Iterator[tuple[str, str]]:
    """Name and trouble of every weight file that is missing or not whole."""
    try:
        names = shards(folder)
    except EnvironmentProblem as error:
        yield INDEX, str(error).partition(": ")[2]
        return
    for name in names:
        if not (folder / name).is_file():
            yield name, "is missing"
            continue
        try:
            tensors(folder / name)
        except EnvironmentProblem as error:
            yield name, str(error).partition(": ")[2]


def parameters(folder: Path) -> int:
    return sum(math.prod(entry["shape"]) for name in shards(folder) for entry in tensors(folder / name).values())
