"""The quality runner converts with the command line and writes down what came of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pypdfium2 as pdfium
import pytest
from score_olmocr_bench import judge

ROOT = Path(__file__).parents[2]
PARAGRAPHS = (
    "The first paragraph says one thing, and it takes more than a line to say it.",
    "The second paragraph says another.",
)
STAND_IN = '''
"""What docparse uses of olmOCR-bench's judge."""
import json

class _Test:
    def __init__(self, **row): self.row = row
    def run(self, text): return self.row.get("text", "") in text and bool(text), "not there"

BaselineTest = _Test
def load_single_test(row):
    if row["type"] == "math": return _Broken()
    return _Test(**row)

class _Broken:
    def run(self, text): raise RuntimeError("no browser")
'''


def run(*arguments):
    command = [sys.executable, "benchmarks/quality.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.fixture
def olmocr(tmp_path, one_page_pdf):
    """A folder in olmOCR-bench's layout with one PDF and three tests."""
    folder = tmp_path / "olmocr" / "pdfs" / "deep"
    folder.mkdir(parents=True)
    (folder / "page.pdf").write_bytes(one_page_pdf.read_bytes())
    rows = [
        {"pdf": "deep/page.pdf", "id": "a", "type": "present", "text": PARAGRAPHS[0]},
        {"pdf": "deep/page.pdf", "id": "b", "type": "present", "text": "pears"},
        {"pdf": "deep/page.pdf", "id": "c", "type": "math", "math": "x"},
    ]
    (tmp_path / "olmocr" / "dataset.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path / "olmocr"


def test_both_data_sets_are_converted_and_scored(tmp_path, olmocr, one_page_pdf):
    images = tmp_path / "omni" / "images"
    images.mkdir(parents=True)
    pdfium.PdfDocument(one_page_pdf)[0].render(scale=2.5).to_pil().save(images / "page.pdf_1.png")
    blocks = [("title", "A short page"), *(("text_block", text) for text in PARAGRAPHS)]
    page = {
        "page_info": {"image_path": "page.pdf_1.png"},
        "extra": {"relation": []},
        "layout_dets": [
            {"category_type": category, "text": text, "order": i + 1, "anno_id": i}
            for i, (category, text) in enumerate(blocks)
        ],
    }
    (tmp_path / "omni" / "OmniDocBench.json").write_text(json.dumps([page]))
    done = run(
        "--out", tmp_path / "out", "--olmocr", olmocr, "--omnidocbench", tmp_path / "omni", "--layout-engine", "none"
    )
    assert done.returncode == 0, done.stderr
    results = json.loads((tmp_path / "out" / "quality.json").read_text())
    assert PARAGRAPHS[0] in (tmp_path / "out" / "olmocr" / "deep" / "page.md").read_text()
    assert results["olmocr"]["pages"] == results["omnidocbench"]["pages"] == 1
    assert results["olmocr"]["failed"] == 0
    assert results["omnidocbench"]["text_edit"] < 0.05
    assert results["omnidocbench"]["order_edit"] == 0
    assert "| omnidocbench | text_edit |" in done.stdout


def test_nothing_to_measure_is_a_usage_error(tmp_path):
    done = run("--out", tmp_path)
    assert done.returncode == 2
    assert "nothing to measure" in done.stderr


def test_the_judge_counts_by_kind_and_an_error_of_its_own_is_a_failed_test(olmocr, tmp_path, monkeypatch):
    package = tmp_path / "judge" / "olmocr" / "bench"
    package.mkdir(parents=True)
    (package / "tests.py").write_text(STAND_IN)
    monkeypatch.syspath_prepend(tmp_path / "judge")
    monkeypatch.setenv("PATH", os.devnull)
    (tmp_path / "md" / "deep").mkdir(parents=True)
    output = tmp_path / "md" / "deep" / "page.md"
    output.write_text("\n\n".join(PARAGRAPHS))
    score = judge(tmp_path / "md", olmocr)
    assert score == {"baseline": (1, 1), "math": (0, 1), "present": (1, 2), "total": (2, 4)}
    output.write_text("\f")
    assert judge(tmp_path / "md", olmocr)["total"] == (0, 4)


def test_help_about_other_programs_needs_none_of_them():
    command = [sys.executable, ROOT / "benchmarks" / "peers.py", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "{pdftotext,pymupdf4llm,markitdown}" in done.stdout
