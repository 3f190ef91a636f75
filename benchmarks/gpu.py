"""How fast docparse decodes on a GPU, and whether its kernels are right there: `gpu.py --json FILE`, eight minutes.

Every kernel is compared with its reference on the device. Then decoders of published sizes are timed with random
weights in bfloat16, without their vision towers, on prompts of random embeddings: that tells speed, memory and whether
tokens are the same, and nothing of accuracy. `times X` is tokens a second over those of X, in the same run.

Each part runs in a process of its own, and each case is guarded: what raises, crashes or no longer fits into
`--minutes` is a line of the table, and the others go on. `--toy` runs everything at toy sizes, on a CPU in seconds.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import shlex
import subprocess
import sys
import tempfile
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
GRACE = 30  # seconds that a part may take longer, for the case under way, before its process is stopped


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


def in_a_process(part: str, seconds: float, toy: bool = False) -> Iterator[Row]:
    """The same of a process of its own: a part that poisons the device or hangs takes no other with it."""
    command = [sys.executable, __file__, "--part", part, "--minutes", str(seconds / 60), *(["--toy"] if toy else [])]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as lines:
        ended = f"did not end in time, and was stopped {GRACE} s later"
        with suppress(subprocess.TimeoutExpired):
            code = subprocess.run(command, stdout=lines, timeout=seconds + GRACE, check=False).returncode
            ended = f"its process ended with {code}" if code else ""
        lines.seek(0)
        for line in lines:
            with suppress(ValueError):  # libraries may print as well
                yield json.loads(line)
    if ended:
        yield {"part": part, "case": "all that is missing", "error": ended}


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
        told = {name: f"{each / 1e6:.1f} MB" if name.endswith("bytes") else _told(each) for name, each in value.items()}
        return "; ".join(f"{name} {each}" for name, each in told.items())
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return str(value).replace("|", "/")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="where all figures go")
    parser.add_argument("--minutes", type=float, default=8.0, help="what no longer fits is left out")
    parser.add_argument("--toy", action="store_true", help="toy sizes in float32, also on a CPU")
    parser.add_argument("--part", choices=PARTS, help="only this, in this process; rows are printed as JSON lines")
    options = parser.parse_args(arguments)
    if not options.toy and not torch.cuda.is_available():
        parser.error("there is no CUDA device: --toy runs on a CPU")
    setup = Setup.on(torch.device("cuda" if torch.cuda.is_available() else "cpu"), options.toy)
    if options.part:
        for row in rows_of(options.part, setup, 60 * options.minutes):
            print(json.dumps(row), flush=True)
        return 0
    start, rows = perf_counter(), list[Row]()
    for number, part in enumerate(PARTS):
        left = 60 * options.minutes - GRACE - (perf_counter() - start)
        seconds = min(left, 2 * left / (len(PARTS) - number))  # a part takes no more than twice its share
        if options.toy:
            rows += rows_of(part, setup, seconds)
        elif left > 0:
            rows += in_a_process(part, seconds)
        else:
            rows.append({"part": part, "case": "all", "left out": "no time was left"})
    command = shlex.join(["python", *(sys.argv if arguments is None else [__file__, *arguments])])
    report: Row = {"command": command, "machine": machine(setup), "sizes": "toy" if options.toy else "published"}
    report |= {"seconds": perf_counter() - start, "rows": rows}
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(table(report))
    return int(any("error" in row for row in rows))


if __name__ == "__main__":
    sys.exit(main())
