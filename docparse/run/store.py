"""Finished pages of one document on disk, so that memory does not grow and a killed run can go on.

A folder per document: `0007.json` is page 7 as read, `0007.failed.json` a page that could not be, beside the crops that
the pages name. A page's JSON is renamed into place last: if it is there, the page is complete.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from docparse.errors import OutputError
from docparse.run.files import make_folder, output_error, whole_file
from docparse.types import Page

if TYPE_CHECKING:
    from docparse.vlm.pages import DraftPage

PAGE_FILE = re.compile(r"(\d+)\.json")
ASSET_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")

TEMPORARY = ".tmp"  # a page, a crop or an output while it is being written
DRAFT = ".draft"  # a page as it waits for a model; of no use to another run
LOOKS = 5  # at a folder that is taken, before it is given up: a run that begins looks into all of them for a moment
LOOK_SECONDS = 0.02


class PageStore:
    """The pages of one document under `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock_file: int | None = None

    def readable(self) -> set[int]:
        """Return the numbers of the pages that were read, with whatever effort, and can be decoded."""
        if not self.folder.is_dir():
            return set()
        numbers = {int(match[1]) for name in os.listdir(self.folder) if (match := PAGE_FILE.fullmatch(name))}
        return {number for number in numbers if self._whole(number)}

    def put(self, page: Page, assets: Mapping[str, bytes]) -> None:
        """Keep a page and its crops. Raises `OutputError`."""
        for name, content in assets.items():
            self._write(self._asset(name), content)
        failed = page.status == "failed"
        self._write(self._path(page.number, failed), msgspec.json.encode(page))
        self._path(page.number, not failed).unlink(missing_ok=True)  # of an earlier run

    def put_draft(self, draft: DraftPage) -> None:
        """Keep a page as it waits for a model. Raises `OutputError`."""
        self._write(self._draft_path(draft.page.number), msgspec.msgpack.encode(draft))

    def draft(self, number: int) -> DraftPage:
        from docparse.vlm.pages import DraftPage

        return msgspec.msgpack.decode(self._draft_path(number).read_bytes(), type=DraftPage)

    def forget_draft(self, number: int) -> None:
        self._draft_path(number).unlink(missing_ok=True)

    def draft_files(self, number: int) -> dict[str, bytes]:
        """Return a page that waits for a model, for another store to take."""
        path = self._draft_path(number)
        return {path.name: path.read_bytes()}

    def files(self) -> dict[str, bytes]:
        """Return the pages and crops of a store that nobody has claimed, for another to take; drafts too."""
        return {path.name: path.read_bytes() for path in self.folder.iterdir()} if self.folder.is_dir() else {}

    def take(self, files: Mapping[str, bytes]) -> None:
        """Keep what another store had, pages after their crops. Raises `OutputError`."""
        for name in sorted(files, key=lambda name: PAGE_FILE.fullmatch(name) is not None):
            self._write(self._asset(name), files[name])
            if match := PAGE_FILE.fullmatch(name):
                self._path(int(match[1]), failed=True).unlink(missing_ok=True)  # of an earlier run

    def forget_drafts(self) -> None:
        for path in self.folder.glob(f"*{DRAFT}"):
            path.unlink(missing_ok=True)

    def page(self, number: int) -> Page:
        path = self._path(number)
        if not path.exists():
            path = self._path(number, failed=True)
        return msgspec.json.decode(path.read_bytes(), type=Page)

    def pages(self, numbers: list[int]) -> Iterator[Page]:
        """Yield the pages in the order asked for, one in memory at a time."""
        return (self.page(number) for number in numbers)

    def asset(self, name: str) -> bytes:
        return self._asset(name).read_bytes()

    def begin(self, *, keep: bool) -> None:
        """Make the folder, empty unless `keep`, and claim it. Raises `OutputError` if another process has it."""
        make_folder(self.folder)
        self._lock()
        for path in self.folder.iterdir():
            if path != self._lock_path and (not keep or path.name.endswith((TEMPORARY, DRAFT))):
                path.unlink()

    def remove(self) -> None:
        """Delete everything, unless another process has claimed it."""
        if self.lock_file is None:
            if not self.folder.is_dir():
                return
            try:
                self._lock()
            except OutputError:
                return
        # renamed first: whoever waits for the lock never meets a folder that is half deleted
        with suppress(OSError):
            self.folder.rename(self.folder.with_name(f"{self.folder.name}.{os.getpid()}.gone"))
        for gone in self.folder.parent.glob(f"{self.folder.name}.*.gone"):
            shutil.rmtree(gone, ignore_errors=True)
        self.release()

    def clear_temporary(self) -> None:
        """Delete files that were being written when their process was killed, unless another one has claimed them."""
        left = [path for kind in (TEMPORARY, DRAFT) for path in self.folder.glob(f"*{kind}")]
        if left:
            with suppress(OutputError):
                self._lock()
                for path in left:
                    path.unlink(missing_ok=True)
            self.release()

    def release(self) -> None:
        """Let other processes have the folder."""
        descriptor, self.lock_file = self.lock_file, None  # first: an interrupt after closing must not close it again
        if descriptor is not None:
            os.close(descriptor)

    @property
    def _lock_path(self) -> Path:
        return self.folder / "lock"

    def _lock(self) -> None:
        looks = 0
        while self.lock_file is None:
            try:
                make_folder(self.folder)
                descriptor = os.open(self._lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
            except FileNotFoundError:
                continue  # its owner has just finished and removed the folder
            except OSError as error:
                raise output_error(self.folder, error) from error
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(descriptor), os.stat(self._lock_path)):
                    self.lock_file = descriptor
                    return
            except FileNotFoundError:
                pass
            except BlockingIOError:
                os.close(descriptor)
                looks += 1
                if looks < LOOKS:
                    time.sleep(LOOK_SECONDS)
                    continue
                raise OutputError("another docparse process is converting it into the same output") from None
            except OSError as error:  # a file system that has no locks
                os.close(descriptor)
                raise output_error(self._lock_path, error) from error
            os.close(descriptor)

    def _whole(self, number: int) -> bool:
        try:
            return self.page(number).status != "failed"
        except (OSError, msgspec.DecodeError):
            return False

    def _path(self, number: int, failed: bool = False) -> Path:
        return self.folder / f"{number:04d}{'.failed' if failed else ''}.json"

    def _draft_path(self, number: int) -> Path:
        return self.folder / f"{number:04d}{DRAFT}"

    def _asset(self, name: str) -> Path:
        if not ASSET_NAME.fullmatch(name):
            raise ValueError(f"not a plain file name: {name!r}")
        return self.folder / name

    def _write(self, path: Path, content: bytes) -> None:
        temporary = path.with_name(f"{path.name}.{os.getpid()}{TEMPORARY}")
        with whole_file(path, temporary, "wb", on_disk=False) as file:  # a page that was lost is read again
            file.write(content)
