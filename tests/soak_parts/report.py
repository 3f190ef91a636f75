"""What was found: results of the single trials, the table over them, and the record that lets a long run go on."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

KINDS = ("lost", "repeated", "torn", "leaked", "stuck", "wrong")  # wrong: an exit code or a message
MIB = 2**20


@dataclass(frozen=True)
class Finding:
    """Something that must not happen. `kept` names the file or folder to reproduce it with."""

    kind: str
    what: str
    kept: str = ""


@dataclass
class Result:
    """The end of one trial of a part. `parent` and `worker` are peak bytes; `counts` are pages by how they ended,
    `partial` says for how many pages which stage failed, or what else they lack."""

    part: str
    index: int
    tried: int = 0
    pages: int = 0
    findings: list[Finding] = field(default_factory=list)
    parent: int = 0
    worker: int = 0
    seconds: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)
    partial: dict[str, int] = field(default_factory=dict)
    note: str = ""

    def find(self, kind: str, what: str, kept: str | Path = "") -> None:
        """Add a finding."""
        assert kind in KINDS, kind
        self.findings.append(Finding(kind, what, str(kept)))


class Record:
    """Results on disk, one a line, so that a run which was stopped goes on with the next trial.

    `terms` are the options that decide what is tried; results of a run with other terms do not count.
    """

    def __init__(self, path: Path, terms: dict[str, Any]) -> None:
        self.path = path
        self.terms = json.loads(json.dumps(terms))
        self.earlier: dict[tuple[str, int], Result] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            self._take(line)

    def add(self, result: Result) -> None:
        """Append a result."""
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"terms": self.terms, "result": asdict(result)}) + "\n")

    def _take(self, line: str) -> None:
        try:
            read = json.loads(line)
        except json.JSONDecodeError:
            return  # torn by the end of that run
        if read["terms"] == self.terms:
            findings = [Finding(**finding) for finding in read["result"].pop("findings")]
            result = Result(**read["result"], findings=findings)
            self.earlier[result.part, result.index] = result


def total(part: str, results: Iterable[Result]) -> Result:
    """Return the results of a part as one: sums, and the highest peaks."""
    whole = Result(part, -1)
    counts: Counter[str] = Counter()
    partial: Counter[str] = Counter()
    for result in results:
        whole.tried += result.tried
        whole.pages += result.pages
        whole.findings += result.findings
        whole.parent = max(whole.parent, result.parent)
        whole.worker = max(whole.worker, result.worker)
        whole.seconds += result.seconds
        counts.update(result.counts)
        partial.update(result.partial)
        whole.note = result.note or whole.note
    whole.counts, whole.partial = dict(sorted(counts.items())), dict(partial.most_common())
    return whole


def table(totals: Iterable[Result]) -> str:
    """Return one row for every part, and a line of the numbers of pages by how they ended where there are some."""
    heads = ["part", "tried", "pages", *KINDS, "parent MiB", "worker MiB", "seconds", ""]
    rows = [heads]
    for one in totals:
        kinds = Counter(finding.kind for finding in one.findings)
        counts = [str(kinds[kind]) for kind in KINDS]
        memory = [f"{one.parent / MIB:.0f}", f"{one.worker / MIB:.0f}"]
        ends = ", ".join(f"{number} {end}" for end, number in one.counts.items())
        notes = "; ".join(part for part in (one.note, ends) if part)
        rows.append([one.part, str(one.tried), str(one.pages), *counts, *memory, f"{one.seconds:.0f}", notes])
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads) - 1)]
    lines = []
    for row in rows:
        first, *numbers = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append("  ".join([first.strip().ljust(widths[0]), *numbers, row[-1]]).rstrip())
    return "\n".join(lines)


def listing(totals: Sequence[Result]) -> str:
    """Return a line for every finding, and one for those that say the same: how many, and what the first has kept.

    After them stands what pages lack that are partial; that is no finding.
    """
    lines = []
    for one in totals:
        times = Counter((finding.kind, finding.what) for finding in one.findings)
        first = {(finding.kind, finding.what): finding.kept for finding in reversed(one.findings)}
        for (kind, what), number in times.items():
            again = f" ({number} times)" if number > 1 else ""
            kept = first[kind, what]
            lines.append(f"{kind}: {one.part}: {what}{again}" + (f" [{kept}]" if kept else ""))
    lines += [f"partial: {one.part}: {what} ({number})" for one in totals for what, number in one.partial.items()]
    return "\n".join(lines)
