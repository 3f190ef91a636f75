"""Whether a run has accounted for everything: journal, outputs and what lies beside them, seen from outside.

How docparse writes journal lines and comments is known in this file and nowhere else.
"""

import json
import re
from collections import Counter
from pathlib import Path

FAILED = re.compile(r"<!-- pages? (\d+)(?:-(\d+))? failed: ")
PASSING = re.compile(r"\.tmp$|\.gone$")  # names that files have only while they are made or removed


def read_journal(path):
    """Return the lines of a journal, oldest first, and how many cannot be read."""
    entries, torn = [], 0
    for line in path.read_bytes().split(b"\n") if path.exists() else []:
        try:
            if line:
                entries.append(json.loads(line))
        except ValueError:
            torn += 1
    return entries, torn


def misses(room, inputs):
    """Yield what is missing, double or left over after a run that has ended: its kind, and a line about it."""
    entries, torn = read_journal(room.journal)
    if torn:
        yield "torn", f"{torn} lines of the journal cannot be read"
    for name in sorted({*inputs, *(entry["input"] for entry in entries)}):
        own, short = [entry for entry in entries if entry["input"] == name], Path(name).name
        documents = [entry for entry in own if entry["page"] is None]
        if name not in inputs:
            yield "wrong", f"{short}: a line of the journal is of no input"
        elif len(documents) != 1:
            yield "repeated" if documents else "lost", f"{short}: {len(documents)} lines say how the document ended"
        else:
            found = _pages_missed(documents[0], own)
            yield from ((kind, f"{short}: {what}") for kind, what in found)
    yield from _unaccounted(room, [entry for entry in entries if entry["page"] is None])


def _numbers(first, last):
    return range(first, (last or first) + 1)


def _pages_missed(document, entries):
    pages = Counter(n for entry in entries if entry["page"] for n in _numbers(entry["page"], entry.get("last")))
    yield from (("repeated", f"{times} lines for page {n}") for n, times in sorted(pages.items()) if times > 1)
    if document.get("outputs"):
        missing = sorted(set(range(1, document["pages"] + 1)) - set(pages))
        if missing:
            yield "lost", f"{len(missing)} pages without an outcome, the first is {missing[0]}"
    unread = {n for span in document.get("unread_pages", ()) for n in _numbers(*span)}
    for output in map(Path, document.get("outputs", ())):
        if not output.is_file():
            yield "lost", f"its output {output.name} is not there"
        elif output.suffix == ".md":
            comments = FAILED.findall(output.read_text(encoding="utf-8"))
            said = {n for first, last in comments for n in _numbers(int(first), int(last or 0))}
            for n in sorted({*document.get("failed_pages", ()), *unread} - said)[:1]:
                yield "lost", f"{output.name} does not say that page {n} failed"


def _unaccounted(room, documents):
    """Files that no line of the journal names, and temporary ones."""
    named = {f"{room.out}/{file}" for entry in documents for file in entry.get("files", ())}
    named |= {output for entry in documents for output in entry.get("outputs", ())}
    folders = [path for path in named if Path(path).is_dir()]
    named |= {f"{folder}/{image}" for folder in folders for entry in documents for image in entry.get("images", ())}
    keys = {entry["key"] for entry in documents}
    for path in sorted(room.out.rglob("*")) if room.out.exists() else []:
        name = path.relative_to(room.out)
        if any(PASSING.search(part) for part in name.parts):
            yield "leaked", f"the temporary file {name} is left"
        elif name.parts[0] == ".docparse":
            if len(name.parts) == 2 and name.name not in keys:
                yield "leaked", f"{name} is of no document"
        elif path.is_file() and path != room.journal and str(path) not in named:
            yield "lost", f"no line of the journal names the output {name}"
    yield from (
        ("leaked", f"{path.name} is left in the folder for temporary files") for path in room.temporary.iterdir()
    )
