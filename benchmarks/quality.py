"""How well docparse reads: convert two public data sets with the command line and score the Markdown.

    python benchmarks/quality.py --out DIR [--olmocr DIR] [--scan] [--omnidocbench DIR] [--judge PYTHON]

`--olmocr` is a folder with olmOCR-bench's `dataset.jsonl` and `pdfs/`; its tests are judged by the Python given as
`--judge`, an environment in which `olmocr` is installed (see `score_olmocr_bench`). `--scan` reads the same PDFs a
second time as if they were images (`--ocr force`). `--omnidocbench` is a folder with `OmniDocBench.json` and `images/`.
The results are printed as a Markdown table and written to `DIR/quality.json`.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from docparse.run.inputs import SUFFIXES
from docparse.run.outputs import JOURNAL_NAME


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--out", type=Path, required=True, help="where the Markdown and quality.json go")
    parser.add_argument("--olmocr", type=Path, help="folder with dataset.jsonl and pdfs/")
    parser.add_argument("--scan", action="store_true", help="read the olmOCR PDFs as images too")
    parser.add_argument("--omnidocbench", type=Path, help="folder with OmniDocBench.json and images/")
    parser.add_argument("--judge", type=Path, help="a Python in whose environment olmocr is installed")
    arguments, options = parser.parse_known_args()
    if not (arguments.olmocr or arguments.omnidocbench):
        parser.error("nothing to measure: give --olmocr, --omnidocbench or both")
    results: dict[str, dict[str, Any]] = {}
    if arguments.olmocr:
        for name, extra in {"olmocr": [], **({"olmocr-scan": ["--ocr", "force"]} if arguments.scan else {})}.items():
            cost = convert(arguments.olmocr / "pdfs", arguments.out / name, [*extra, *options])
            results[name] = cost | judge(arguments.out / name, arguments.olmocr, arguments.judge)
    if arguments.omnidocbench:
        from score_omnidocbench import score_folder

        folder = arguments.out / "omnidocbench"
        cost = convert(arguments.omnidocbench / "images", folder, options)
        results["omnidocbench"] = cost | score_folder(arguments.omnidocbench / "OmniDocBench.json", folder)
    (arguments.out / "quality.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    print(as_table(results))
    return 0


def convert(source: Path, target: Path, options: list[str]) -> dict[str, Any]:
    """Run `docparse convert` over a folder, afresh; unknown options of this program are passed on.

    Returns the number of pages, how many failed, wall-clock and processor seconds of the run (start and models
    included), and the median seconds that a page spent in the pipeline's stages. Raises `SystemExit` where nothing was
    converted.
    """
    target.mkdir(parents=True, exist_ok=True)
    (target / JOURNAL_NAME).unlink(missing_ok=True)
    command = [sys.executable, "-m", "docparse", "convert", str(source), "-o", str(target), "--images", "none"]
    started, cpu_before = time.perf_counter(), cpu_seconds_of_children()
    finished = subprocess.run([*command, *options], check=False)
    seconds, cpu = time.perf_counter() - started, cpu_seconds_of_children() - cpu_before
    entries = [json.loads(line) for line in (target / JOURNAL_NAME).read_text(encoding="utf-8").splitlines()]
    ended = sum(entry["page"] is None for entry in entries)  # an entry without a page sums up a document
    documents = sum(path.suffix in SUFFIXES for path in source.rglob("*"))
    if finished.returncode not in (0, 1) or ended < documents:
        sys.exit(f"docparse convert {source} broke off with exit code {finished.returncode}: see its message above")
    pages = [entry for entry in entries if entry["page"] is not None]
    return {
        "pages": len(pages),
        "failed": sum(page["status"] != "ok" for page in pages),
        "run_seconds": round(seconds, 2),
        "run_cpu_seconds": round(cpu, 2),
        "page_seconds": round(median(sum(page["seconds"].values()) for page in pages), 4) if pages else None,
    }


def cpu_seconds_of_children() -> float:
    """Return the processor seconds of the processes that this one has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def judge(markdown: Path, data: Path, python: Path | None) -> dict[str, str]:
    """`{kind of test: "passed/tests"}`; empty without a judge."""
    if python is None:
        return {}
    script = Path(__file__).with_name("score_olmocr_bench.py")
    # -P keeps this folder's modules out of the way of the judge's.
    command = [str(python), "-P", str(script), str(markdown), "--data", str(data), "--json"]
    finished = subprocess.run(command, check=True, capture_output=True, text=True)
    # The judge's browser may print a line of its own.
    score = json.loads(next(line for line in finished.stdout.splitlines() if line.startswith("{")))
    return {kind: f"{passed}/{tests}" for kind, (passed, tests) in score.items()}


def as_table(results: dict[str, dict[str, Any]]) -> str:
    """The results as a Markdown table, a row per measure."""
    lines = ["| run | measure | value |", "|---|---|---|"]
    for run, values in results.items():
        for name, value in values.items():
            shown = f"{value:.3f}" if isinstance(value, float) else "-" if value is None else value
            lines.append(f"| {run} | {name} | {shown} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
