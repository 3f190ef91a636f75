"""What `docparse bench --calibrate` measured of a model's weights: the methods that presets stand for with them.

A calibration is a file of the user's, found by the hash of the weights, or `calibration.json` beside these. Without
one, presets have the papers' own values. The hash is the published one where it is known, and nothing is read for it.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Literal

import msgspec

from docparse.accel.stack import Stack, parse_stack
from docparse.errors import OutputError, UsageError
from docparse.weights import weightfiles
from docparse.weights.store import digest, published_digest

PRESETS = ("balanced", "fast", "auto(lossy=true)")  # what is measured
BESIDE = "calibration.json"  # in a folder with weights
SHA256 = "0" * 64


class Calibration(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The constants of one model. `weights` is their hash, `presets` what each of `PRESETS` stands for.

    `lost` has every stack that was tried: what it lost to plain decoding of `pages` pages of `data`, in `unit`; `bound`
    is the most that a chosen one may. `focal` are the layers that spent most attention on the picture, and the share of
    pages on which they were the same.
    """

    schema: Literal["docparse-calibration-1"] = "docparse-calibration-1"
    weights: str
    model: str
    date: str
    data: str
    pages: int
    unit: str
    bound: float
    focal: tuple[str, float] = ("", 0.0)
    presets: dict[str, str]
    lost: dict[str, float]


def weights_hash(folder: Path) -> str:
    paths = [folder / name for name in weightfiles.shards(folder)]
    lines = [f"{published_digest(path) or digest(path, SHA256)}  {path.name}\n" for path in paths]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def calibration_file(weights: str) -> Path:
    """Return where the user's calibration of these weights is, whether it is there or not."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(base) / "docparse" / "calibration" / f"{weights[:32]}.json"


def store(found: Calibration) -> Path:
    """Write a calibration to its file, under the final name once it is whole. Raises `OutputError`."""
    target = calibration_file(found.weights)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(".part")
        part.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
        os.replace(part, target)
    except OSError as error:
        raise OutputError(f"{target}: cannot write: {error.strerror or error}") from None
    return target


def calibrated(name: str, stack: Stack, model: str, folder: Path | None) -> tuple[Stack, str]:
    """Return the stack that `name` stands for with the weights in a folder (None: they are random), and where its
    values come from, in a sentence; a stack that is no preset stays, and nothing is said.

    A calibration that cannot be used is told there as well.
    """
    preset = name.strip().lower() if name.strip().lower() in PRESETS else str(stack)
    if preset not in PRESETS:
        return stack, ""
    papers = f"{name}: the papers' own values"
    if folder is None:
        return stack, papers
    measure = f"docparse bench --calibrate {model}"
    try:
        found = _find(folder)
        if found is None:
            return stack, f"{papers}; `{measure}` measures this model's"
        stack = parse_stack(found.presets[preset])
    except (OSError, ValueError) as error:
        return stack, f"{papers}, as a calibration cannot be used: {error}; delete it, or run `{measure}`"
    return stack, f"{name}: {stack}, calibrated for these weights ({found.pages} pages of {found.data}, {found.date})"


def _find(folder: Path) -> Calibration | None:
    """The calibration of a folder's weights. Raises `OSError` and `ValueError` for one that cannot be read."""
    places = calibration_file("").parent, folder / BESIDE
    if not any(place.exists() for place in places):
        return None  # nothing is hashed in vain
    weights = weights_hash(folder)
    path = next((each for each in (calibration_file(weights), folder / BESIDE) if each.is_file()), None)
    if path is None:
        return None
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Calibration)
        for stack in found.presets.values():
            parse_stack(stack)
    except (msgspec.MsgspecError, UnicodeDecodeError, UsageError) as error:
        raise ValueError(f"{path}: {error}") from None
    if found.weights != weights:
        raise ValueError(f"{path}: is of other weights")
    if missing := set(PRESETS) - set(found.presets):
        raise ValueError(f"{path}: has no {', '.join(sorted(missing))}")
    return found
