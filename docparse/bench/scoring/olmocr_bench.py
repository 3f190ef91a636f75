"""Count how many of olmOCR-bench's own tests a folder of Markdown passes; the public `olmocr` package is the judge.

    python docparse/bench/scoring/olmocr_bench.py MARKDOWN_DIR --data DIR [-v]

`DIR` holds `*.jsonl` and `pdfs/`; the output for `pdfs/a/b.pdf` is `MARKDOWN_DIR/a/b.md`, and a missing file
counts as an empty page. As in olmOCR-bench, every PDF gets a baseline test beside its own. The file needs nothing else
of docparse, so it can be run by the Python of another environment:

    python -m venv judge && judge/bin/pip install "olmocr[bench]"

Formulas are compared as a browser draws them; Chromium has to be installed (`playwright install chromium`, or the
system's). Without one the formula tests fail, and it is said.
"""

from __future__ import annotations

import argparse
import collections
import errno
import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import Any

FILE = "docparse_file"  # of a test in memory: the name of the file it comes from


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("markdown", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true", help="print {kind: [passed, tests]}")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line per failed test")
    arguments = parser.parse_args()
    try:
        score = judge(arguments.markdown, arguments.data, verbose=arguments.verbose)
    except (OSError, ValueError) as error:
        parser.exit(2, f"{arguments.data}: {getattr(error, 'strerror', None) or error}\n")
    if arguments.json:
        print(json.dumps(score))
    else:
        for kind, (passed, tests) in score.items():
            print(f"{kind:9} {passed:3d}/{tests}")
    return 0


def judge(markdown: Path, data: Path, *, verbose: bool = False) -> dict[str, list[int]]:
    """`{kind of test: [passed, tests]}`, in alphabetical order, `total` last."""
    rows = [row for _, row in read_tests(data)]
    rows += [baseline(pdf) for pdf in sorted({row["pdf"] for row in rows})]
    score: dict[str, list[int]] = collections.defaultdict(lambda: [0, 0])
    for row in rows:
        passed, why = run_test(row, _read(markdown, row["pdf"]))
        for key in (row["type"], "total"):
            score[key][0] += passed
            score[key][1] += 1
        if verbose and not passed:
            print(f"FAIL {row['type']:9} {row['id']}: {' '.join(why.split())[:160]}", file=sys.stderr)
    return {kind: score[kind] for kind in sorted(score, key=lambda kind: (kind == "total", kind))}


def read_tests(data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """`(name of the file, test)` for every line of the `*.jsonl` in `data`. Raises `OSError`, and `ValueError` for
    what is no JSON."""
    files = sorted(data.glob("*.jsonl"))
    if not files:
        raise FileNotFoundError(errno.ENOENT, "there are no tests (*.jsonl)", str(data))
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                try:
                    yield file.stem, json.loads(line)
                except ValueError as error:
                    raise ValueError(f"{file.name}, line {number}: {error}") from None


def baseline(pdf: str) -> dict[str, Any]:
    """Return the test that olmOCR-bench adds for every document: there is text, without garbage."""
    return {"type": "baseline", "pdf": pdf, "page": 1, "id": f"{pdf}_baseline"}


def run_test(row: Mapping[str, Any], text: str) -> tuple[bool, str]:
    """Return whether `text` passes, and why not. Raises `ImportError` where `olmocr` is not installed."""
    from olmocr.bench.tests import load_single_test

    _use_system_chromium()
    test = load_single_test(dict(row))
    try:
        # The judge's fuzzy search finds any phrase in a lone form feed; a page of white space is an empty page.
        passed, why = test.run(text if text.strip() else "")
    except Exception as error:  # the browser's own errors differ from version to version
        return False, f"not judged: {error}"
    return bool(passed), str(why)


def _read(markdown: Path, pdf: str) -> str:
    path = markdown / PurePath(pdf).with_suffix(".md")
    return path.read_text(encoding="utf-8") if path.exists() else ""


@cache
def _use_system_chromium() -> None:
    """Let the judge draw with the system's Chromium where there is one (inside containers it needs no sandbox)."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        return
    from playwright.sync_api import BrowserType

    launch = BrowserType.launch

    def launch_system(self: Any, **options: Any) -> Any:
        options.setdefault("executable_path", path)
        options["args"] = [*options.get("args", []), "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        return launch(self, **options)

    BrowserType.launch = launch_system


if __name__ == "__main__":
    sys.exit(main())
