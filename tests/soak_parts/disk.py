"""A disk that is full: the run says so in one line, and goes on where there is room again."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from soak_parts.account import contents, read_pages
from soak_parts.runs import convert
from soak_parts.trial import Context, Result, undisturbed

OPTIONS = ("--format", "md,html,json", "--layout-engine", "none", "--workers", "2")
SHARES = (0.02, 0.3, 0.7)  # of the room that all outputs and unfinished pages take
STOPPED = (1, 4)  # as in docs/guide.md: some documents were not converted, or none


def full_disks(context: Context) -> Iterator[Result]:
    """Try a run for every share of `SHARES`."""
    room, _ = undisturbed(context, "disk", context.sources.light, *OPTIONS)
    expected = contents(room.out)
    room.remove()
    for index, share in enumerate(SHARES):
        size = max(8192, round(share * sum(map(len, expected.values())) / 4096) * 4096)
        disk = context.work / f"small-{index}"
        try:
            with small_disk(disk, size):
                yield _fill(context, index, disk, expected)
        except PermissionError as error:
            yield Result(context, context.room("disk", index), f"skipped: {error}").done()
            return


def _fill(context: Context, index: int, disk: Path, expected: dict[str, bytes]) -> Result:
    """Run until the disk is full, make room, run again."""
    room = context.room("disk", index, context.sources.light, disk / "out")
    result = Result(context, room, f"a disk of {disk.name}")
    ended = convert(room, *OPTIONS)
    result.take_end(ended, STOPPED)
    lines = [line for line in ended.errors.splitlines() if "No space left" in line]
    if len(lines) != 1 or "--resume" not in lines[0] or "Traceback" in ended.errors:
        result.find("wrong", f"one line should say that the disk is full, and what to do: {ended.errors[-300:]!r}")
    subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
    result.take_end(convert(room, *OPTIONS, "--resume"), (0,))
    result.take_account(resumed=True)
    result.compare(expected)
    result.pages = read_pages(room)
    if result.findings:
        shutil.copytree(room.out, room.folder / "out")
    return result.done()


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """A file system of `size` bytes at `folder`. Raises `PermissionError` where mounting is not allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        raise PermissionError("there is no `mount` on this machine") from None
    if mounted.returncode:
        raise PermissionError(f"mounting is not allowed here ({mounted.stderr.strip()})")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)
