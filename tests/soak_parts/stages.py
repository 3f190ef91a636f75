"""Stages of page reading that raise or run out of time: what the stage adds is missing, and never a word."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from soak_parts.account import read_pages
from soak_parts.inject import decides_what_is_read, environment, reached_file, stage_names
from soak_parts.runs import Room, convert
from soak_parts.trial import Context, Result, undisturbed

OPTIONS = ("--format", "md,json", "--workers", "2", "-vv")
SLEEP = "sleep"
FAILURES = ("ValueError", "ZeroDivisionError", SLEEP, "TypeError", "MemoryError", "RecursionError")
SECONDS = "8"  # of a page, in a run that waits for its end
WORD = re.compile(r"[^\W_]+")
Words = dict[tuple[str, int], tuple[str, ...]]  # by document and page


def stage_failures(context: Context, count: int) -> Iterator[Result]:
    """Try `count` runs in each of which one stage fails on every page. Raises `LookupError` without stages."""
    if not count:
        return
    names, sources = stage_names(), context.sources
    order = context.random("stages", 0).sample(names, len(names))
    documents = (*sources.light, sources.scans[0], sources.scans[-1])
    room, _ = undisturbed(context, "stages", documents, *OPTIONS)
    expected = {where: tuple(words(page, math=False)) for where, page in pages(room)}
    room.remove()
    for index in range(count):
        stage, failure = order[index % len(order)], FAILURES[index % len(FAILURES)]
        patient = failure != SLEEP  # few pages where each of them takes all its time
        room = context.room("stages", index, documents if patient else [p for p in documents if p.stem == "table"])
        limit = () if patient else ("--page-timeout", SECONDS)
        ended = convert(room, *OPTIONS, *limit, environment=environment(room, stage, failure))
        reached = reached_file(room).exists()
        result = Result(context, room, f"{stage} {failure}" if reached else f"{stage} not reached")
        result.pages = read_pages(room)
        result.take_end(ended, (1,) if reached else (0,))
        result.take_account()
        for kind, what in losses(room, stage, expected, reached=reached, unread=decides_what_is_read(stage, names)):
            result.find(kind, what)
        yield result.done()


def losses(room: Room, stage: str, expected: Words, *, reached: bool, unread: bool) -> Iterator[tuple[str, str]]:
    """What pages lack, beyond what the stage would have added. `unread`: OCR may see something else without it."""
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
            lost = lost_words(expected[name, number], tuple(words(page)))
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
