"""Count how many of olmOCR-bench's own tests a folder of Markdown passes; the public `olmocr` package is the judge.

    python benchmarks/score_olmocr_bench.py MARKDOWN_DIR --data DIR [-v]

`DIR` holds `*.jsonl` and `pdfs/`; the output for `pdfs/a/b.pdf` is `MARKDOWN_DIR/a/b.md`, and a missing file
counts as an empty page. As in olmOCR-bench, every PDF gets a baseline test beside its own. Of docparse it needs nothing
but this checkout, so it can be run by the Python of another environment:

    python -m venv judge && judge/bin/pip install "olmocr[bench]"
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path, PurePath

sys.path.append(str(Path(__file__).parents[1]))  # docparse is not installed where the judge is

from docparse.bench.scoring.olmocr_bench import baseline, read_tests, run_test


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


def judge(markdown: Path, data: Path, *, verbose: bool = False) -> dict[str, tuple[int, int]]:
    """`{kind of test: (passed, tests)}`, in alphabetical order, `total` last."""
    rows = [row for _, row in read_tests(data)]
    rows += [baseline(pdf) for pdf in sorted({row["pdf"] for row in rows})]
    right, tests = Counter[str](), Counter[str]()
    for row in rows:
        path = markdown / PurePath(row["pdf"]).with_suffix(".md")
        passed, why = run_test(row, path.read_text(encoding="utf-8") if path.exists() else "")
        for kind in (row["type"], "total"):
            right[kind] += passed
            tests[kind] += 1
        if verbose and not passed:
            print(f"FAIL {row['type']:9} {row['id']}: {' '.join(why.split())[:160]}", file=sys.stderr)
    return {kind: (right[kind], tests[kind]) for kind in sorted(tests, key=lambda kind: (kind == "total", kind))}


if __name__ == "__main__":
    sys.exit(main())
