"""What every stage and rule of the layout pipeline is worth: switch each off in turn and score documents without it.

    python benchmarks/pipeline.py --out DIR --judge PYTHON [--paired DIR --scorer FILE] [--olmocr DIR]
        [--omnidocbench DIR] [--off NAME ...] [--baseline] [--match TEXT] [--memo DIR]

`--paired` is a folder with `pdfs/`, `truth/` and `manifest.jsonl`, scored by the program `--scorer`; `--olmocr` has
`dataset.jsonl` and `pdfs/`; `--omnidocbench` has `OmniDocBench.json` and `images/`. `--judge` is a Python in whose
environment `olmocr` and `beautifulsoup4` are installed. What OCR and the models say of a page is kept in `--memo`, so
that only the first run pays for them. `--off` takes names of `--list`; without it everything is switched off in turn.
`--baseline` scores the whole pipeline only, `--match` only the documents with TEXT in their names.

Printed is a table with a row per switch: the change of each family's score, of words lost, and of the other sets. A
switch that changes no family for the worse is a rule that can go.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import io
import json
import pickle
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any
from unittest.mock import patch

from quality import judge
from score_omnidocbench import score_folder

from docparse.layout.document.outline import Outline
from docparse.layout.engines import Engines
from docparse.layout.reader import PageReader
from docparse.layout.stages import STAGES, Stage
from docparse.pdf import open_document
from docparse.render import RenderOptions, write_markdown
from docparse.run.inputs import SUFFIXES
from docparse.settings import Settings

ESSENTIAL = ("ocr", "words", "lines", "categories", "texts")  # without these there is no page to score


@dataclass(frozen=True)
class Rule:
    """A part of a stage: the function `module:name`, and what stands in its place when it is switched off."""

    name: str
    target: str
    neutral: Any


RULES: tuple[Rule, ...] = (
    Rule("frames in order", "docparse.layout.order.reading_order:_holders", lambda boxes, frames: []),
    Rule("cards in tables", "docparse.layout.order.frames:cards_of", lambda frames, words: []),
    Rule("rows of cards", "docparse.layout.order.bands:_begins_cards", lambda page, items, gutters: False),
    Rule("heading over columns", "docparse.layout.order.bands:_tops", lambda page, items, gutters: []),
    Rule("strokes in order", "docparse.layout.order.bands:_drawn", lambda page, gutters, top, bottom: None),
    Rule("gutters in lines", "docparse.layout.text.line_finding:cut_at_gutters", lambda lines, *_: lines),
    Rule("drop caps", "docparse.layout.text.line_finding:_drop_caps", lambda words: []),
    Rule("backgrounds", "docparse.layout.pictures.find:is_background", lambda box, lines: False),
    Rule("formulas of scans", "docparse.layout.formula.scanned:find_scanned_formulas", lambda *_: []),
    Rule("ranked", "docparse.layout.stages.page:ranked", lambda boxes, order, regions: list(order)),
)


class RememberedEngines(Engines):
    """Models whose answers are kept in a folder, by document, page and question."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        super().__init__(settings)
        self.folder = folder
        self.document = ""

    def read(self, content: Any, boxes: Any = None) -> Any:
        key = ("read", content.number, content.rotation, round(content.skew, 3), repr(boxes))
        return self._kept(key, lambda: super(RememberedEngines, self).read(content, boxes))

    def regions(self, content: Any) -> Any:
        key = ("regions", content.number, content.rotation, round(content.skew, 3), self.settings.layout_engine)
        return self._kept(key, lambda: super(RememberedEngines, self).regions(content))

    def _kept(self, key: tuple[object, ...], ask: Callable[[], Any]) -> Any:
        path = self.folder / hashlib.sha256(repr((self.document, self.settings.ocr, key)).encode()).hexdigest()
        if path.exists():
            return pickle.loads(path.read_bytes())
        answer = ask()
        self.folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(answer))
        return answer


class Switched:
    """Converts documents with some stages replaced by their fallbacks."""

    def __init__(self, settings: Settings, memo: Path) -> None:
        self.reader = PageReader(settings)
        self.engines = self.reader.engines = RememberedEngines(settings, memo)
        self.stages: Sequence[Stage] = STAGES

    @contextmanager
    def without(self, name: str) -> Iterator[None]:
        rule = next((rule for rule in RULES if rule.name == name), None)
        if rule is not None:
            module, _, attribute = rule.target.partition(":")
            with patch.object(importlib.import_module(module), attribute, rule.neutral):
                yield
            return
        self.stages = [replace(s, run=s.fallback) if s.name == name else s for s in STAGES]
        yield
        self.stages = STAGES

    def folder(self, source: Path, target: Path, match: str) -> None:
        for path in sorted(path for path in source.rglob("*") if path.suffix.lower() in SUFFIXES):
            if match in path.name:
                output = (target / path.relative_to(source)).with_suffix(".md")
                output.parent.mkdir(parents=True, exist_ok=True)
                output.write_text(self.markdown(path), encoding="utf-8")

    def markdown(self, path: Path) -> str:
        outline, out = Outline(), io.StringIO()
        with open_document(path, name=path.name) as document:
            self.engines.document = document.info.sha256
            pages = [self.reader.read(document.page(n), stages=self.stages).page for n in range(1, document.pages + 1)]
        for page in pages:
            outline.add(page)
        write_markdown(map(outline.refine, pages), out, RenderOptions())
        return out.getvalue()


@dataclass(frozen=True)
class Sets:
    """Where the documents and their judges are; None where a set is not measured."""

    paired: Path | None
    scorer: Path | None
    olmocr: Path | None
    omnidocbench: Path | None
    judge: Path
    match: str

    def measure(self, pipeline: Switched, out: Path) -> dict[str, float]:
        """Convert and score everything; return the figures by name, larger is better except `lost` and OmniDocBench's
        edit distances."""
        figures: dict[str, float] = {}
        if self.paired:
            pipeline.folder(self.paired / "pdfs", out / "paired", self.match)
            figures |= self._paired(out)
        if self.olmocr:
            pipeline.folder(self.olmocr / "pdfs", out / "olmocr", self.match)
            kinds = judge(out / "olmocr", self.olmocr, self.judge)
            figures["olmocr"] = sum(int(kinds[kind].partition("/")[0]) for kind in kinds.keys() - {"total"})
        if self.omnidocbench:
            pipeline.folder(self.omnidocbench / "images", out / "omnidocbench", self.match)
            summary = score_folder(self.omnidocbench / "OmniDocBench.json", out / "omnidocbench")
            figures |= {f"odb {name}": summary[name] for name in ("text_edit", "order_edit", "table_teds")}
        return figures

    def _paired(self, out: Path) -> dict[str, float]:
        scores = out / "paired.json"
        command = [str(self.judge), str(self.scorer), str(out / "paired"), str(self.paired), "--json", str(scores)]
        subprocess.run(command, check=True, capture_output=True)
        rows = [row for row in json.loads(scores.read_text()) if not row["missing"]]
        families = defaultdict(list)
        for row in rows:
            families[row["family"]].append(row["score"])
        figures = {"score": mean(row["score"] for row in rows)}
        for part in ("lost", "invent", "order", "head", "level", "table", "list", "formula", "code"):
            found = [row[part] for row in rows if row[part] is not None]
            figures |= {part: mean(found)} if found else {}
        return figures | {f"{family} ({len(found)})": mean(found) for family, found in sorted(families.items())}


def switches() -> list[str]:
    """Return the names of what can be switched off."""
    return [stage.name for stage in STAGES if stage.name not in ESSENTIAL] + [rule.name for rule in RULES]


def table(whole: dict[str, float], changes: dict[str, dict[str, float]]) -> str:
    """Return a Markdown table: a row per measure, what the whole pipeline has, and the change by each switch."""
    heads = ["measure", "all on", *(f"no {name}" for name in changes)]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for measure, value in whole.items():
        shown = [changed[measure] - value for changed in changes.values()]
        digits = 3 if measure.startswith("odb") else 1
        cells = [f"{change:+.{digits}f}" if abs(change) >= 0.5 * 10**-digits else "" for change in shown]
        lines.append("| " + " | ".join([measure, f"{value:.{digits}f}", *cells]) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name in ("--paired", "--scorer", "--olmocr", "--omnidocbench"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--out", type=Path, required=True, help="where the Markdown and the figures go")
    parser.add_argument("--judge", type=Path, default=sys.executable, help="a Python with olmocr and beautifulsoup4")
    parser.add_argument("--memo", type=Path, help="where answers of the models are kept; OUT/memo if not given")
    parser.add_argument("--off", nargs="+", choices=switches(), help="what is switched off; everything if not given")
    parser.add_argument("--baseline", action="store_true", help="switch nothing off")
    parser.add_argument("--match", default="", help="only documents with this in their names")
    parser.add_argument("--ocr", default="auto", choices=("auto", "force"))
    parser.add_argument("--layout-engine", default="none")
    options = parser.parse_args()
    if options.paired and not options.scorer:
        parser.error("--paired needs --scorer")
    sets = Sets(options.paired, options.scorer, options.olmocr, options.omnidocbench, options.judge, options.match)
    settings = Settings(ocr=options.ocr, layout_engine=options.layout_engine)
    pipeline = Switched(settings, options.memo or options.out / "memo")
    whole = sets.measure(pipeline, options.out / "all")
    changes = {}
    for name in [] if options.baseline else options.off or switches():
        with pipeline.without(name):
            changes[name] = sets.measure(pipeline, options.out / f"no-{name.replace(' ', '-')}")
    (options.out / "pipeline.json").write_text(json.dumps({"all": whole, "without": changes}, indent=1) + "\n")
    print(table(whole, changes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
