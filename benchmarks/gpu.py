"""How fast docparse decodes on a GPU, and whether its kernels are right there: `gpu.py --json FILE`, eight minutes.

Every kernel is compared with its reference on the device. Then decoders of published sizes are timed with random
weights in bfloat16, without their vision towers, on prompts of random embeddings: that tells speed, memory and whether
tokens are the same, and nothing of accuracy. `times X` is tokens a second over those of X, in the same run.

Each case is guarded: what raises or no longer fits into `--minutes` is a line of the table, and the others go on. A
kernel that poisons the device takes all that comes after it along: `--part` runs the others. `--toy` runs everything at
toy sizes, on a CPU in seconds.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import shlex
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
import transformers
from on_gpu.decoding import exactness, speed
from on_gpu.kernels import kernels
from on_gpu.methods import attention_latency, pruning, steps
from on_gpu.models import FAMILIES, Job, Row, Setup

from docparse.kernels import launch

PARTS: dict[str, Callable[[Setup], Iterator[Job]]] = {
    "kernels": kernels,
    "exactness": exactness,
    **{name: partial(speed, name=name) for name in FAMILIES},
    "FastOCR's attention": attention_latency,
    "steps with methods": steps,
    "pruning": pruning,
}


def rows_of(part: str, setup: Setup, seconds: float) -> Iterator[Row]:
    """A row for every case of a part: its figures, or why there are none."""
    deadline = perf_counter() + seconds
    try:
        for case, job in PARTS[part](setup):
            row: Row = {"part": part, "case": case}
            if perf_counter() > deadline:
                yield row | {"left out": "no time was left"}
                continue
            print(f"{part}: {case}", file=sys.stderr)
            yield row | _guarded(job, setup)
    except Exception as error:
        yield {"part": part, "case": "all", "error": _line(error)}


def _guarded(job: Callable[[], Row], setup: Setup) -> Row:
    """What a case found, its time with all that was compiled, and the most memory at a time."""
    cuda, start = setup.device.type == "cuda", perf_counter()
    try:
        if cuda:
            gc.collect()
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
        row = job()
        if cuda:
            row |= {"memory peak, bytes": torch.cuda.max_memory_allocated()}
    except Exception as error:
        row = {"error": _line(error)}
    return row | {"seconds": perf_counter() - start}


def _line(error: Exception) -> str:
    """Where and what: the first and the last line (Triton's says what is wrong); the rest goes to standard error."""
    traceback.print_exception(error)
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {' ... '.join(dict.fromkeys((lines[0], lines[-1]))) if lines else 'no message'}"


def machine(setup: Setup) -> Row:
    """What a reader has to know to get the same numbers."""
    row = {"device": platform.processor() or platform.machine(), "python": platform.python_version()}
    if setup.device.type == "cuda":
        row |= {"device": torch.cuda.get_device_name(), "cuda": str(torch.version.cuda), "driver": "unknown"}
        with suppress(OSError, subprocess.SubprocessError):
            asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
            row["driver"] = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=20).stdout.strip()
    triton = getattr(launch.triton, "__version__", "not installed")
    return row | {"torch": torch.__version__, "triton": triton, "transformers": transformers.__version__}


def table(report: Row) -> str:
    """Markdown: what was measured on, and a line for every case."""
    lines = [", ".join(f"{name} {value}" for name, value in report["machine"].items())]
    lines += [f"`{report['command']}`: {report['seconds']:.0f} s, {report['sizes']} sizes, random weights", ""]
    lines += ["| part | case | figures |", "|---|---|---|"]
    for row in report["rows"]:
        figures = {name: value for name, value in row.items() if name not in ("part", "case", "seconds")}
        lines.append(f"| {row['part']} | {row['case']} | {_told(figures)} |")
    return "\n".join(lines)


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(
            f"{name} {_bytes(each) if name.endswith('bytes') else _told(each)}" for name, each in value.items()
        )
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return str(value).replace("|", "/")


def _bytes(count: int) -> str:
    return f"{count / 1e6:.1f} MB"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="where all figures go")
    parser.add_argument("--minutes", type=float, default=8.0, help="what no longer fits is left out")
    parser.add_argument("--toy", action="store_true", help="toy sizes in float32, also on a CPU")
    parser.add_argument("--part", choices=PARTS, nargs="*", default=[*PARTS], help="only these")
    options = parser.parse_args(arguments)
    if not options.toy and not torch.cuda.is_available():
        parser.error("there is no CUDA device: --toy runs on a CPU")
    setup = Setup.on(torch.device("cuda" if torch.cuda.is_available() else "cpu"), options.toy)
    start, rows = perf_counter(), list[Row]()
    for number, part in enumerate(options.part):
        left = 60 * options.minutes - (perf_counter() - start)
        rows += rows_of(part, setup, min(left, 2 * left / (len(options.part) - number)))  # twice its share at most
    command = shlex.join(["python", *(sys.argv if arguments is None else [__file__, *arguments])])
    report: Row = {"command": command, "machine": machine(setup), "sizes": "toy" if options.toy else "published"}
    report |= {"seconds": perf_counter() - start, "rows": rows}
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(table(report))
    return int(any("error" in row for row in rows))


if __name__ == "__main__":
    sys.exit(main())
