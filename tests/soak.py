"""Try docparse for as long as you like: damaged documents, killed runs.

    python tests/soak.py --seed 1 --mutations 2000 --kills 20 --data FOLDER

Runs `python -m docparse convert` again and again and prints what was lost, repeated, torn, leaked or stuck. The exit
code is 0 where there is no finding, 1 where there is one, and 2 where the command makes no sense.
"""

import argparse
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from soak_parts.sources import make_sources
from soak_parts.trials import Context, kills, mutations

FOUND, USAGE, INTERRUPTED = 1, 2, 130


def main(arguments=None):
    """Return the exit code."""
    options = parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a run under way is ended, and its folders are removed
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell has let this process ignore it
    work = Path(tempfile.mkdtemp(prefix="soak-"))
    keep = options.keep or Path(tempfile.gettempdir()) / f"{work.name}-findings"
    found = 0
    try:
        context = Context(options.seed, work, keep.absolute(), make_sources(work / "sources", options.data))
        for result in trials(context, options):
            print(result, flush=True)
            found += len(result.findings)
    except (ValueError, RuntimeError) as error:
        print(f"soak: {error}", file=sys.stderr)
        return USAGE if isinstance(error, ValueError) else FOUND
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"{found} findings" + (f" in {keep}" if found else ""))
    return FOUND if found else 0


def parser():
    found = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    found.add_argument("--seed", type=int, default=1, help="decides every damage and every moment (default: 1)")
    found.add_argument("--mutations", type=int, default=0, metavar="M", help="damaged documents")
    found.add_argument("--kills", type=int, default=0, metavar="K", help="runs that are killed and resumed")
    found.add_argument("--data", type=Path, metavar="FOLDER", help="more PDFs and images, to be damaged")
    found.add_argument("--keep", type=Path, metavar="FOLDER", help="for files to reproduce findings")
    return found


def trials(context, options):
    """Yield what came of each trial. Raises `ValueError` where none was asked for."""
    if not (options.mutations or options.kills):
        raise ValueError("nothing to try: see --help")
    yield from mutations(context, options.mutations)
    yield from kills(context, options.kills)


if __name__ == "__main__":
    sys.exit(main())
