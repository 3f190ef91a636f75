"""Whether a run has accounted for everything: journal, outputs and what lies beside them, seen from outside.

How docparse writes journal lines and comments is known in this file and nowhere else.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from soak_parts.runs import JOURNAL, Room

Entry = dict[str, Any]
WORK = ".docparse"
FAILED = re.compile(r"<!-- pages? (\d+)(?:-(\d+))? failed: ")
PASSING = re.compile(r"\.docparse-|\.tmp$|\.gone$")  # names that files have only while they are made or removed


@dataclass(frozen=True)
class Miss:
    """What is wrong, of which kind, and with which input (its name in the journal; empty: with the run)."""

    kind: str
    what: str
    input: str = ""


def read_journal(path: Path) -> tuple[list[Entry], int]:
    """Return the lines of a journal, oldest first, and how many cannot be read."""
    entries, torn = [], 0
    for line in path.read_bytes().split(b"\n") if path.exists() else []:
        try:
            if line:
                entries.append(json.loads(line))
        except ValueError:
            torn += 1
    return entries, torn


def contents(out: Path) -> dict[str, bytes]:
    """Return every file of an output folder but the journal, by its path in it."""
    files = (path for path in sorted(out.rglob("*")) if path.is_file() and path.name != JOURNAL)
    return {str(path.relative_to(out)): path.read_bytes() for path in files}


def misses(room: Room, inputs: Iterable[str], *, resumed: bool = False) -> Iterator[Miss]:
    """Yield what is missing, double or left over after a run that has ended.

    A run that was killed and `resumed` until it was done may have torn lines and failures in its journal; of every
    page and document there must be one line that says it was read.
    """
    entries, torn = read_journal(room.journal)
    if resumed:
        entries = [entry for entry in entries if entry["status"] != "failed" and not entry.get("failed_pages")]
    elif torn:
        yield Miss("torn", f"{torn} lines of the journal cannot be read")
    documents: dict[str, list[Entry]] = defaultdict(list)
    pages: dict[str, Counter[int]] = defaultdict(Counter)
    for entry in entries:
        if entry["page"] is None:
            documents[entry["input"]].append(entry)
        else:
            pages[entry["input"]].update(numbers(entry))
    names = set(inputs)
    for name in sorted(names):
        yield from _document_misses(name, documents[name], pages[name])
    for name in sorted(({*documents, *pages}) - names):
        yield Miss("wrong", "a line of the journal is of no input", name)
    yield from _unaccounted(room, [entry for lines in documents.values() for entry in lines])


def numbers(entry: Entry) -> range:
    """Return the pages that a line is about: one, or all from `page` to `last`."""
    return range(entry["page"], (entry.get("last") or entry["page"]) + 1)


def _document_misses(name: str, documents: list[Entry], pages: Counter[int]) -> Iterator[Miss]:
    if not documents:
        yield Miss("lost", "no line in the journal says how the document ended", name)
        return
    if len(documents) > 1:
        yield Miss("repeated", f"{len(documents)} lines say how the document ended", name)
    document = documents[-1]
    for number, times in sorted(pages.items()):
        if times > 1:
            yield Miss("repeated", f"{times} lines for page {number}", name)
    if document.get("outputs"):
        missing = sorted(set(range(1, document["pages"] + 1)) - set(pages))
        if missing:
            yield Miss("lost", f"{len(missing)} pages without an outcome, the first is {missing[0]}", name)
    yield from _output_misses(name, document)


def _output_misses(name: str, document: Entry) -> Iterator[Miss]:
    """The outputs that a document names are there, and say which of its pages failed."""
    for output in document.get("outputs", ()):
        path = Path(output)
        if not path.is_file():
            yield Miss("lost", f"its output {path.name} is not there", name)
        elif path.suffix == ".md":
            said = failed_pages(path.read_text(encoding="utf-8"))
            unread = {number for first, last in document.get("unread_pages", ()) for number in range(first, last + 1)}
            silent = sorted({*document.get("failed_pages", ()), *unread} - said)
            if silent:
                yield Miss("lost", f"{path.name} does not say that page {silent[0]} failed", name)


def failed_pages(markdown: str) -> set[int]:
    """Return the pages of which a comment says that they failed."""
    found: set[int] = set()
    for first, last in FAILED.findall(markdown):
        found.update(range(int(first), int(last or first) + 1))
    return found


def _unaccounted(room: Room, documents: list[Entry]) -> Iterator[Miss]:
    """Files that no line of the journal names, and temporary ones."""
    named = {f"{room.out}/{file}" for entry in documents for file in entry.get("files", ())}
    named |= {output for entry in documents for output in entry.get("outputs", ())}
    folders = [path for path in named if Path(path).is_dir()]
    named |= {f"{folder}/{image}" for folder in folders for entry in documents for image in entry.get("images", ())}
    keys = {entry["key"] for entry in documents}
    for path in sorted(room.out.rglob("*")) if room.out.exists() else []:
        parts = path.relative_to(room.out).parts
        if any(PASSING.search(part) for part in parts):
            yield Miss("leaked", f"the temporary file {path.relative_to(room.out)} is left")
        elif parts[0] == WORK:
            if len(parts) == 2 and parts[1] not in keys:
                yield Miss("leaked", f"{path.relative_to(room.out)} is of no document")
        elif path.is_file() and path.name != JOURNAL and str(path) not in named:
            yield Miss("lost", f"no line of the journal names the output {path.relative_to(room.out)}")
    for path in sorted(room.temporary.iterdir()):
        yield Miss("leaked", f"{path.name} is left in the folder for temporary files")


def read_pages(room: Room) -> int:
    """Return how many pages the journal of a room says were read."""
    return sum(entry["page"] is not None and entry["status"] != "failed" for entry in read_journal(room.journal)[0])
