"""A disk that is full: the run says so in one line, and goes on where there is room again."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from soak_parts.account import contents, misses, read_pages
from soak_parts.report import Result
from soak_parts.runs import Ended, Room, convert, undisturbed
from soak_parts.trial import Context, compare, end_of_run, save_misses, save_room

OPTIONS = ("--format", "md,html,json", "--layout-engine", "none", "--workers", "2")
SHARES = (0.02, 0.3, 0.7)  # of the room that all outputs and unfinished pages take
STOPPED = (1, 4)  # as in docs/guide.md: some documents were not converted, or none
COPIES = 3


class FullDisk:
    """A run for every share of `SHARES`."""

    name = "full disk"

    def __init__(self, context: Context) -> None:
        self.context = context
        self.expected: dict[str, bytes] = {}

    def done(self, results: Sequence[Result]) -> bool:
        return len(results) >= len(SHARES) or any(result.note for result in results)

    def carry_out(self, index: int) -> Result:
        started = time.monotonic()
        result = Result(self.name, index, tried=1)
        self._undisturbed()
        disk = self.context.work / f"disk-{index}"
        size = round(SHARES[index] * sum(map(len, self.expected.values())) / 4096) * 4096
        try:
            with small_disk(disk, max(size, 8192)):
                self._fill(result, self._room(index, disk / "out"), disk)
        except PermissionError as error:
            result.tried, result.note = 0, f"skipped: {error}"
        result.seconds = time.monotonic() - started
        return result

    def _fill(self, result: Result, room: Room, disk: Path) -> None:
        """Run until the disk is full, make room, run again."""
        ended = convert(room, *OPTIONS)
        end_of_run(self.context, result, room, ended, STOPPED)
        save_room(self.context, result, room, _unclear(ended))
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        ended = convert(room, *OPTIONS, "--resume")
        end_of_run(self.context, result, room, ended, (0,))
        inputs = sorted(str(path) for path in room.documents.iterdir())
        save_misses(self.context, result, room, list(misses(room, inputs, resumed=True)))
        compare(self.context, result, room, self.expected)
        result.pages = read_pages(room)
        room.remove()

    def _room(self, index: int, out: Path | None = None) -> Room:
        room = self.context.room(self.name, index, out)
        for path in self.context.sources.light:
            for copy in range(COPIES):
                shutil.copy(path, room.documents / f"{path.stem}-{copy}{path.suffix}")
        return room

    def _undisturbed(self) -> None:
        """Convert the same documents where there is room. Raises `RuntimeError` where that does not go well."""
        if self.expected:
            return
        room = self._room(-1)
        undisturbed(room, *OPTIONS)
        self.expected = contents(room.out)
        room.remove()


def _unclear(ended: Ended) -> Iterator[tuple[str, str]]:
    """What is wrong with the message: one line says that the disk is full and what to do, and there is no traceback."""
    lines = [line for line in ended.errors.splitlines() if "No space left" in line]
    if len(lines) != 1:
        yield "wrong", f"{len(lines)} lines say that the disk is full: {ended.errors[-300:]!r}"
    elif "--resume" not in lines[0]:
        yield "wrong", f"the message does not say what to do: {lines[0]}"
    if "Traceback" in ended.errors:
        yield "wrong", "a traceback is printed"


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """A file system of `size` bytes at `folder`. Raises `PermissionError` where mounting is not allowed."""
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={size}", "tmpfs"]
    try:
        mounted = subprocess.run(["mount", *options, str(folder)], check=False, capture_output=True, text=True)
    except FileNotFoundError:
        raise PermissionError("there is no `mount` on this machine") from None
    if mounted.returncode:
        raise PermissionError(f"mounting is not allowed here ({mounted.stderr.strip()})")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)
