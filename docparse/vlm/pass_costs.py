"""How long a decode pass takes by its size: measured once, then remembered in memory and on disk."""

from __future__ import annotations

import hashlib
import json
import math
import os
import platform
import tempfile
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from time import perf_counter

import torch
import transformers

from docparse.accel.costs import CostCurve
from docparse.engine.cache import SPARE
from docparse.engine.prompt import Prompt
from docparse.engine.session import DecodeSession
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Candidate, Tree
from docparse.vlm.verify import GREEDY, score

SIZES = (1, 2, 4, 8, 16, 32, 64)  # tokens that a row feeds,
WIDEST = 256  # and what all rows feed at most: beyond that a pass takes as long as it has tokens
CONTEXT = 1024  # positions that a row holds
WARMUP = 3  # passes of each size before it is timed: one compiles its kernels, the next is captured, if passes are
PASSES = 5  # timed of each size
PATIENCE = 1.0  # seconds; a size that has taken longer is timed no further

_known: dict[str, CostCurve] = {}


def calibrate(model: TextModel, *, batch: int = 1, context: int = CONTEXT, anew: bool = False) -> CostCurve:
    """Return seconds of a pass of 1, 2, 4, ... 64 tokens for each of `batch` rows that hold `context` positions.

    Measured at the first call for this model, device, precision, thread count and software, or `anew`; kept in the
    user's cache folder, of which a file that cannot be read or written is ignored.
    """
    key = _key(model, batch, context)
    if anew or key not in _known:
        curve = None if anew else _read(key, batch)
        if curve is None:
            curve = measure(model, batch=batch, context=context)
            _write(key, curve)
        _known[key] = curve
    return _known[key]


def measure(model: TextModel, *, batch: int = 1, context: int = CONTEXT) -> CostCurve:
    """Return the same, measured now. A larger pass never counts as cheaper: what looks so is noise."""
    session = DecodeSession(model)
    session.cache.reserve(context + SPARE, batch)
    session.prefill([_prompt(model, context)] * batch)
    session.cache.lengths += context - 1  # whatever lies there: it takes as long to read
    trees = {size: [Tree.grow(0, [Candidate([0] * (size - 1), "-")], size)] * batch for size in sizes(batch)}
    for each in trees.values():
        for _ in range(WARMUP if model.graphs else 1):
            _seconds(session, each)
    timed: dict[int, list[float]] = {size: [] for size in trees}
    for _ in range(PASSES):  # in rounds: a busy moment of the machine hits all sizes alike
        for size, seconds in timed.items():
            if sum(seconds) <= PATIENCE:
                seconds.append(_seconds(session, trees[size]))
    session.close()
    least = [min(seconds) for seconds in timed.values()]  # neighbours only ever add
    return CostCurve(dict(zip(timed, accumulate(least, max), strict=True)))


def _prompt(model: TextModel, end: int) -> Prompt:
    """One token, after which the output stands at position `end`."""
    token = torch.zeros(1, dtype=torch.long, device=model.device)
    places, none = token.expand(model.axes, 1), token.new_zeros(0, dtype=torch.bool)
    return Prompt(
        ids=token,
        embeds=model.embed(token),
        positions=places,
        next_position=places[:, 0] + end,
        visual=token.bool(),
        structural=none,
        boxes=none.new_zeros(0, 4),
    )


def sizes(batch: int) -> list[int]:
    """Return the tokens a row that are measured with so many rows."""
    return [size for size in SIZES if size == 1 or size * batch <= WIDEST]


def _seconds(session: DecodeSession, trees: list[Tree]) -> float:
    start = perf_counter()
    score(session.feed(trees), trees, [GREEDY])
    return perf_counter() - start


def _key(model: TextModel, batch: int, context: int) -> str:
    device = model.device
    machine = torch.cuda.get_device_name(device) if device.type == "cuda" else platform.node()
    software = f"torch {torch.__version__}, transformers {transformers.__version__}, lean decoder, warm"
    work = f"{model.dtype}, batch {batch}, context {context}, {torch.get_num_threads()} threads"
    return f"{model.key} | {device.type} {machine} | {work} | {software}"


def _file(key: str) -> Path:
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "docparse" / "costs" / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"


def _read(key: str, batch: int) -> CostCurve | None:
    try:
        kept = json.loads(_file(key).read_text(encoding="utf-8"))
        points = {int(size): float(seconds) for size, seconds in kept["points"].items()}
    except (OSError, RuntimeError, ValueError, TypeError, KeyError, AttributeError):
        return None  # absent, unreadable or damaged; a home folder that nobody knows is a RuntimeError
    sane = sorted(points) == sizes(batch) and all(math.isfinite(s) and s > 0 for s in points.values())
    return CostCurve(points) if sane and kept.get("key") == key else None


def _write(key: str, curve: CostCurve) -> None:
    with suppress(OSError, RuntimeError):
        target = _file(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"key": key, "points": dict(curve.points)}, indent=1)
        with tempfile.NamedTemporaryFile("w", dir=target.parent, suffix=".part", delete=False) as part:
            part.write(text)
        os.replace(part.name, target)
