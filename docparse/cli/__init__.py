"""The command line: parse arguments, call the library, print. `main` is the `docparse` command."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

from docparse.errors import DocparseError, ExitCode

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> NoReturn:
    """Run the command line and exit with one of `ExitCode`."""
    end_on_signals()
    code = run(sys.argv[1:])
    ignore_signals()
    try:
        sys.stdout.flush()
    except (BrokenPipeError, ValueError):
        quiet_pipe()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run a command and return every way it can end as an exit code; what went wrong is one line on stderr."""
    import typer

    from docparse.cli.app import app

    parsed: dict[str, int] = {}  # the command leaves here how verbose it is to be
    try:
        return app(arguments, prog_name="docparse", standalone_mode=False, obj=parsed) or ExitCode.OK
    except DocparseError as error:
        return _fail(error, str(error), error.exit_code, parsed)
    except BrokenPipeError:
        quiet_pipe()
        return ExitCode.OK
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", ExitCode.INTERRUPTED)
    except typer.TyperException as error:
        if not hasattr(error, "format_message"):
            raise
        return _usage(error)
    except Exception as error:
        line = f"internal error: {type(error).__name__}: {error}; run again with -vv and report it"
        return _fail(error, line, 1, parsed)


def quiet_pipe() -> None:
    """Whoever read our output has gone; nothing more can or need be said there."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (BrokenPipeError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _fail(error: Exception, line: str, code: int, parsed: dict[str, int]) -> int:
    if parsed.get("verbose", 0) > 1:
        import traceback

        traceback.print_exception(error)
    return _say(line, code)


def _usage(error: Exception) -> int:
    message = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    if known := getattr(error, "possibilities", None):
        message = f"No such option: {error.option_name}; did you mean {_nearest(error.option_name, known)}?"  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "docparse"
    return _say(f"{message} (see `{command} --help`)", ExitCode.USAGE)


def _nearest(word: str, known: Sequence[str]) -> str:
    """The known word that is closest, and a second one if it is very close too."""
    import difflib

    best, *others = difflib.get_close_matches(word, known, n=2, cutoff=0.0)
    return " or ".join([best, *difflib.get_close_matches(word, others, cutoff=0.8)])


def _say(line: str, code: int) -> int:
    try:
        print(f"docparse: {line}", file=sys.stderr, flush=True)
    except BrokenPipeError:
        quiet_pipe()
    except OSError:
        pass  # the terminal is gone; the exit code says it
    return int(code)


def ignore_signals() -> None:
    """From now on none of these signals does anything: the command has ended, and its exit code is to be seen.

    Python gives handlers of its own back to the system while it shuts down; ignored signals stay ignored.
    """
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def end_on_signals() -> None:
    """From now on SIGINT, SIGTERM and SIGHUP raise `KeyboardInterrupt`, and a second one ends the process at once.

    What was ignored stays ignored: SIGHUP under nohup, SIGINT in the background of a script.
    """
    came = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            # workers end with this process, and the next run clears its temporary folder away
            os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, b"docparse: interrupted\n")
            os._exit(ExitCode.INTERRUPTED)
        came = True
        raise KeyboardInterrupt

    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
