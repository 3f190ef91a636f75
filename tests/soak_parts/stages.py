"""Stages of page reading that raise or run out of time: what the stage adds is missing, and never a word."""

from __future__ import annotations

import json
import re
import shutil
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from soak_parts.account import misses, page_ends, read_journal
from soak_parts.inject import decides_what_is_read, environment, reached_file, stage_names
from soak_parts.report import Result
from soak_parts.runs import Room, convert, undisturbed
from soak_parts.trial import Context, end_of_run, save_misses, save_room

OPTIONS = ("--format", "md,json", "--workers", "2", "-vv")
SLEEP = "sleep"
FAILURES = ("ValueError", "ZeroDivisionError", SLEEP, "TypeError", "MemoryError", "RecursionError")
SECONDS = "8"  # of a page, in a run that waits for its end
WORD = re.compile(r"[^\W_]+")
Words = dict[tuple[str, int], tuple[str, ...]]  # by document and page


class StageFailures:
    """`count` runs in each of which one stage fails on every page."""

    name = "stage failures"

    def __init__(self, context: Context, count: int) -> None:
        self.context = context
        self.count = count
        self.names = stage_names()
        self.order = context.random(self.name, 0).sample(self.names, len(self.names))
        self.expected: Words = {}

    def done(self, results: Sequence[Result]) -> bool:
        return len(results) >= self.count

    def carry_out(self, index: int) -> Result:
        started = time.monotonic()
        stage, failure = self.order[index % len(self.order)], FAILURES[index % len(FAILURES)]
        self._undisturbed()
        room = self._room(index, patient=failure != SLEEP)
        limit = ("--page-timeout", SECONDS) if failure == SLEEP else ()
        ended = convert(room, *OPTIONS, *limit, environment=environment(room, stage, failure))
        reached = reached_file(room).exists()
        result = Result(self.name, index, tried=1)
        end_of_run(self.context, result, room, ended, (1,) if reached else (0,))
        entries, _ = read_journal(room.journal)
        result.pages = page_ends(entries).total()
        result.counts = {f"{stage} {failure}" if reached else f"{stage} not reached": 1}
        inputs = sorted(str(path) for path in room.documents.iterdir())
        save_misses(self.context, result, room, list(misses(room, inputs)))
        save_room(self.context, result, room, list(self._losses(room, stage, reached)))
        result.seconds = time.monotonic() - started
        room.remove()
        return result

    def _room(self, index: int, *, patient: bool = True) -> Room:
        """Few pages where each of them takes all its time."""
        room = self.context.room(self.name, index)
        sources = self.context.sources
        documents = {path.stem: path for path in sources.light}
        for path in (*documents.values(), sources.scans[0], sources.scans[-1]) if patient else (documents["table"],):
            shutil.copy(path, room.documents)
        return room

    def _undisturbed(self) -> None:
        """Read the same documents without a failure. Raises `RuntimeError` where that does not go well."""
        if self.expected:
            return
        room = self._room(-1)
        undisturbed(room, *OPTIONS)
        self.expected = {where: tuple(words(page, math=False)) for where, page in pages(room)}
        room.remove()

    def _losses(self, room: Room, stage: str, reached: bool) -> Iterator[tuple[str, str]]:
        """What pages lack, beyond what the stage would have added."""
        unread = decides_what_is_read(stage, self.names)
        partial = 0
        for (name, number), page in pages(room):
            where = f"without {stage}: {name} page {number}"
            said = " ".join([page.get("error", ""), page.get("error_category", ""), *page.get("warnings", ())])
            partial += page["status"] != "ok"
            only_pixels = stage == "ocr" and scanned(name)  # nothing else tells what such a page says
            if page["status"] == "failed" and not (only_pixels and stage in said):
                yield "lost", f"{where} failed: {page.get('error', '')}"
            elif page["status"] != "ok" and stage not in said:
                yield "wrong", f"{where} is {page['status']}, and the stage is not named: {said}"
            elif not (unread and scanned(name)):
                lost = lost_words(self.expected[name, number], tuple(words(page)))
                if lost:
                    yield "lost", f"{where} lacks {sum(lost.values())} words: {' '.join(list(lost)[:8])}"
        if reached and not partial:
            yield "wrong", f"without {stage}: no page is partial"


def pages(room: Room) -> Iterator[tuple[tuple[str, int], dict[str, Any]]]:
    """Yield every page of the JSON outputs with the name of its document and its number."""
    for path in sorted(room.out.glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        for page in document["pages"]:
            yield (document["document"]["name"], page["number"]), page


def scanned(name: str) -> bool:
    """Return whether OCR may read the pages of this document."""
    return Path(name).suffix != ".pdf" or name == "layered.pdf"


def words(page: dict[str, Any], *, math: bool = True) -> Iterator[str]:
    """Yield the words of a page, letters and digits alone; without those of LaTeX unless `math`."""
    for block in page["blocks"]:
        cells = (block.get("table") or {}).get("cells", ())
        rows = [block.get("spans", ()), *(cell.get("spans", ()) for cell in cells)]
        texts = [block.get("marker", "")]
        texts += ["".join(span["text"] for span in row if math or not span.get("math")) for row in rows]
        for text in texts:
            yield from WORD.findall(unicodedata.normalize("NFKC", text))


def lost_words(before: Sequence[str], after: Sequence[str]) -> Counter[str]:
    """Return the words that are there less often. What is only parted otherwise, as by a hyphen, is not lost."""
    lacking = Counter(before) - Counter(after)
    all_before, all_after = "".join(before), "".join(after)
    return Counter({word: n for word, n in lacking.items() if all_after.count(word) < all_before.count(word)})
