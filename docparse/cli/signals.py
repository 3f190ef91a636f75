"""Signals that end a run: the first one as Ctrl-C does, the second one at once."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

from docparse.errors import ExitCode

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
