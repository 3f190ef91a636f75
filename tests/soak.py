"""Try damaged documents on docparse for as long as you like.

    python tests/soak.py --seed 1 --mutations 2000 --data FOLDER

Runs `python -m docparse convert` over a hundred of them at a time and prints what was lost, repeated, torn, leaked or
stuck. The exit code is 0 where there is no finding, 1 where there is one, and 2 where the command makes no sense.
"""

import argparse
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from soak_parts.account import misses, read_journal
from soak_parts.mutate import mutant
from soak_parts.runs import Room, convert
from soak_parts.sources import make_sources

BATCH = 100  # damaged documents of one run
LIMITS = ("--page-timeout", "20", "--document-timeout", "40", "-vv")
DONE, FOUND, USAGE, INTERRUPTED = (0, 1, 4), 1, 2, 130


def main(arguments=None):
    """Return the exit code."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a run under way is ended, and its folders are removed
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell has let this process ignore it
    work = Path(tempfile.mkdtemp(prefix="soak-"))
    keep = options.keep or Path(tempfile.gettempdir()) / f"{work.name}-findings"
    found = 0
    try:
        sources = make_sources(work / "sources", options.data)
        for first in range(0, options.mutations, BATCH):
            made = [mutant(options.seed, n, sources) for n in range(first, min(options.mutations, first + BATCH))]
            found += tried(Room(work / f"mutations-{first}", made), keep.absolute())
    except ValueError as error:
        print(f"soak: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{found} findings" + (f" in {keep}" if found else ""))
    return FOUND if found else 0


def parser():
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("--seed", type=int, default=1, help="decides every damage (default: 1)")
    found.add_argument("--mutations", type=int, default=100, metavar="M", help="damaged documents (default: 100)")
    found.add_argument("--data", type=Path, metavar="FOLDER", help="more PDFs and images, to be damaged")
    found.add_argument("--keep", type=Path, metavar="FOLDER", help="for files to reproduce findings")
    return found


def tried(room, keep):
    """Convert the documents of a room and print what was not as it should be; return how many things those are. Of a
    run that has any a copy stays in `keep`."""
    ended = convert(room, *LIMITS)
    last, found = (ended.errors.strip().splitlines() or ["no message"])[-1], []
    if ended.code is None:
        found.append(("stuck", f"nothing happened any more: {last}"))
    elif ended.code not in DONE:
        found.append(("wrong", f"exit code {ended.code}: {last}"))
    if "docparse: internal error" in ended.errors:
        found.append(("lost", ended.errors))
    if ended.outlived:
        found.append(("leaked", f"{len(ended.outlived)} processes outlived the run"))
    entries, _ = read_journal(room.journal)
    for entry in entries:
        if entry["status"] == "failed" and entry["error_category"] == "internal":
            found.append(("lost", f"{entry['input']}: page {entry['page']} failed: {entry['error']}"))
    documents = list(map(str, room.documents.iterdir()))
    found += misses(room, documents)
    pages = sum(entry["page"] is not None for entry in entries)
    print(f"{room.folder.name}: {len(documents)} damaged documents, {pages} pages", flush=True)
    for kind, what in found:
        print(f"  {kind}: {what}", flush=True)
    if found:
        shutil.copytree(room.folder, keep / room.folder.name, dirs_exist_ok=True)
    shutil.rmtree(room.folder, ignore_errors=True)
    return len(found)


if __name__ == "__main__":
    sys.exit(main())
