"""olmOCR-bench's own tests, judged by the public `olmocr` package.

Formulas are compared as Chromium draws them (`playwright install chromium`, or the system's); without it their tests
fail, and it is said.
"""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

FILE = "docparse_file"  # of a test in memory: the name of the file it comes from


def read_tests(data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """`(name of the file, test)` for every line of the `*.jsonl` in `data`. Raises `OSError` and `ValueError`."""
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
