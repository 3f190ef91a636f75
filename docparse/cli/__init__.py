"""The command line: parse arguments, call the library, print. `main` is the `docparse` command."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Sequence
from types import FrameType

from docparse.errors import DocparseError, ExitCode
from docparse.settings import NUMBER, WHOLE

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EBADF)  # what writing to standard output may end with


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return one of `ExitCode`; what went wrong is one line on stderr. Without `arguments` it is the
    command of this process: signals end it, until it has ended by itself."""
    parsed: dict[str, int] = {}  # the command leaves here how verbose it is to be
    own = arguments is None
    if own:
        open_streams()
        end_on_signals()
    try:
        from docparse.cli.app import app

        words = sys.argv[1:] if arguments is None else list(arguments)
        code = app(words, prog_name="docparse", standalone_mode=False, obj=parsed) or ExitCode.OK
        if code != ExitCode.OK:
            quiet_pipe()  # what cannot be written has been told
        sys.stdout.flush()
    except BaseException as error:
        code = tell(error, parsed)
    if own:  # Python gives its handlers back while it shuts down; ignored signals stay so, and the exit code is seen
        for number in ENDING:
            signal.signal(number, signal.SIG_IGN)
    return int(code)


def tell(error: BaseException, parsed: dict[str, int]) -> int:
    """Say in one line what ended the command; return its exit code."""
    import typer

    piped = isinstance(error, SystemExit) and isinstance(error.__context__, BrokenPipeError)  # so typer ends
    if piped or isinstance(error, BrokenPipeError):
        quiet_pipe()  # who closed our output has had enough of it
        return ExitCode.OK
    if isinstance(error, (KeyboardInterrupt, typer.Abort)):
        return _say("interrupted", ExitCode.INTERRUPTED)
    if isinstance(error, typer.TyperException) and hasattr(error, "format_message"):
        return _say(_usage(error), ExitCode.USAGE)
    if not isinstance(error, Exception):
        raise error
    code = ExitCode.PARTIAL
    if isinstance(error, DocparseError):
        line, code = str(error), error.exit_code
    elif isinstance(error, OSError) and error.filename is None and error.errno in UNWRITTEN:
        quiet_pipe()
        line = f"standard output: cannot write: {error.strerror}"
    else:
        line = f"internal error: {type(error).__name__}: {error}; run again with -vv and report it"
    if parsed.get("verbose", 0) > 1:
        import traceback

        traceback.print_exception(error)
    return _say(line, code)


def quiet_pipe() -> None:
    """Whoever read our output has gone, or it cannot be written: nothing more can or need be said there."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _usage(error: Exception) -> str:
    """Return what is wrong with the words of the command, and where help is."""
    message = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    if (missing := re.match(r"No such command '(.*?)'", message)) and os.path.exists(missing[1]):
        message = f"{missing[1]} is no command: did you mean `docparse convert {missing[1]}`?"
    if wrong := re.search(r"(--[\w-]+)'?: Input should be a valid (integer|number)", message):
        message = f"{wrong[1]} needs {WHOLE if wrong[2] == 'integer' else NUMBER}"
    if small := re.search(r"(--[\w-]+)'?: Input should be greater than or equal to (\S+)", message):
        message = f"{small[1]} needs a number that is at least {small[2]}"
    if known := getattr(error, "possibilities", None):
        name = error.option_name  # type: ignore[attr-defined]
        message = f"No such option: {name}{_nearest(name, known)}"
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "docparse"
    return f"{message} (see `{command} --help`)"


def _nearest(word: str, known: Sequence[str]) -> str:
    """Return the end of a message: the known word that is close, and a second one if it is very close too."""
    import difflib

    near = difflib.get_close_matches(word, known, n=2, cutoff=0.65)
    close = near[:1] + difflib.get_close_matches(word, near[1:], cutoff=0.8)
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _say(line: str, code: int) -> int:
    try:
        print(f"docparse: {line}", file=sys.stderr, flush=True)
    except OSError:
        quiet_pipe()  # nobody reads it; the exit code says it
    return code


def open_streams() -> None:
    """Open standard streams that were closed by who started this process: files opened later would take their numbers,
    and what is printed would go into one of them. Nothing can be written to a standard output that was closed."""
    for number, mode in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest number that is free
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)


def end_on_signals() -> None:
    """From now on SIGINT, SIGTERM and SIGHUP raise `KeyboardInterrupt`, and a second one ends the process at once. What
    was ignored stays ignored: SIGHUP under nohup, SIGINT in the background of a script."""
    came = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal came
        if came:
            # workers end with this process, and the next run clears its temporary folder away
            os.write(2, b"docparse: interrupted\n")
            os._exit(ExitCode.INTERRUPTED)
        came = True
        raise KeyboardInterrupt

    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
