"""Try docparse for as long as you like: damaged documents, killed runs, failing stages, a full disk.

    python tests/soak.py --seed 1 --mutations 2000 --kills 20 --pages 5000 --stage-failures 40 --full-disk --data FOLDER

Runs `python -m docparse convert` again and again and prints what was lost, repeated, torn, leaked or stuck, and the
peak memory. The exit code is 0 where there is no finding, 1 where there is one, 2 where the command makes no sense, and
3 where --minutes ended it before all was tried. With --keep, the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from soak_parts.disk import FullDisk
from soak_parts.kill import Kills
from soak_parts.mutations import Mutations
from soak_parts.pages import Pages
from soak_parts.report import Record, Result, listing, table, total
from soak_parts.sources import make_sources
from soak_parts.stages import StageFailures
from soak_parts.trial import Context, Part

FOUND, USAGE, UNFINISHED, INTERRUPTED = 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a run under way is ended, and its folders are removed
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell has let this process ignore it
    work = Path(tempfile.mkdtemp(prefix="soak-"))
    keep = options.keep or Path(tempfile.gettempdir()) / f"{work.name}-findings"
    try:
        context = Context(options.seed, work, keep.absolute(), make_sources(work / "sources", options.data))
        results, finished = carry_out(parts(context, options), context, options)
    except (ValueError, LookupError) as error:
        print(f"soak: {error}", file=sys.stderr)
        return USAGE
    except RuntimeError as error:
        print(f"soak: {error}", file=sys.stderr)
        return FOUND
    except KeyboardInterrupt:
        print("soak: interrupted; with --keep the same command goes on", file=sys.stderr)
        return INTERRUPTED
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return conclude(results, finished=finished, file=options.json)


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("--seed", type=int, default=1, help="decides every damage and every moment (default: 1)")
    found.add_argument("--mutations", type=int, default=0, metavar="M", help="damaged documents")
    found.add_argument("--kills", type=int, default=0, metavar="K", help="runs that are killed and resumed")
    found.add_argument("--pages", type=int, default=0, metavar="P", help="pages of undamaged documents")
    found.add_argument("--stage-failures", type=int, default=0, metavar="S", help="runs in which a stage fails")
    found.add_argument("--max-memory", type=int, metavar="MIB", help="of a worker that reads damaged documents")
    found.add_argument("--full-disk", action="store_true", help="runs that fill a disk; needs to be allowed to mount")
    found.add_argument("--data", type=Path, metavar="FOLDER", help="more PDFs and images, to be read and damaged")
    found.add_argument("--minutes", type=float, metavar="LIMIT", help="begin no further trial after so many minutes")
    found.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="for files to reproduce findings, and to go on later"
    )
    found.add_argument("--json", type=Path, metavar="FILE", help="all results as JSON")
    return found


def parts(context: Context, options: argparse.Namespace) -> list[Part]:
    """Return what was asked for. Raises `LookupError` where docparse has no stages that could fail."""
    chosen: list[Part] = []
    if options.mutations:
        chosen.append(Mutations(context, options.mutations, options.max_memory))
    if options.kills:
        chosen.append(Kills(context, options.kills))
    if options.pages:
        chosen.append(Pages(context, options.pages))
    if options.stage_failures:
        chosen.append(StageFailures(context, options.stage_failures))
    if options.full_disk:
        chosen.append(FullDisk(context))
    if not chosen:
        raise ValueError("nothing to try: see --help")
    return chosen


def carry_out(
    chosen: list[Part], context: Context, options: argparse.Namespace
) -> tuple[dict[str, list[Result]], bool]:
    """Return the results of every part, and whether there was time for all of it."""
    record = None
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        terms = {
            "seed": options.seed,
            "mutations": options.mutations,
            "data": str(options.data),
            "memory": options.max_memory,
        }
        record = Record(options.keep / "soak-results.jsonl", terms)
    until = time.monotonic() + 60 * options.minutes if options.minutes is not None else float("inf")
    results: dict[str, list[Result]] = {part.name: [] for part in chosen}
    for part in chosen:
        while not part.done(results[part.name]):
            index = len(results[part.name])
            result = record.earlier.get((part.name, index)) if record else None
            if result is None:
                if time.monotonic() > until:
                    return results, False
                result = part.carry_out(index)
                if record:
                    record.add(result)
                tell(result)
            results[part.name].append(result)
    return results, True


def tell(result: Result) -> None:
    """Say on stderr that a trial has ended."""
    found = f", {len(result.findings)} findings" if result.findings else ""
    print(f"{result.part} {result.index + 1}: {result.seconds:.0f} s, {result.pages} pages{found}", file=sys.stderr)


def conclude(results: dict[str, list[Result]], *, finished: bool, file: Path | None) -> int:
    """Print the table and the findings; return the exit code."""
    totals = [total(name, found) for name, found in results.items()]
    print(table(totals))
    if found := listing(totals):
        print(f"\n{found}")
    if not finished:
        print("\nstopped by --minutes before all was tried; with --keep the same command goes on")
    if file:
        every = [asdict(result) for trials in results.values() for result in trials]
        file.write_text(
            json.dumps({"finished": finished, "totals": list(map(asdict, totals)), "trials": every}, indent=1)
        )
    if any(one.findings for one in totals):
        return FOUND
    return 0 if finished else UNFINISHED


if __name__ == "__main__":
    sys.exit(main())
