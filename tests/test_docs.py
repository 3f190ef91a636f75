"""What the documents tell people to type works, and what they link to is there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
RUNNABLE = re.compile(r"^```sh run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUICK_START = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
SOURCE = re.compile(r"`((?:docparse|kernels|benchmarks|tests|training|examples)/[\w./]*)`")
MODULE = re.compile(r"`(?:\w+/)?(\w+\.py)`")
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def name(page):
    return str(page.relative_to(ROOT))


@pytest.fixture
def clone(tmp_path, one_page_pdf):
    """Return a folder with the examples; a small page stands for the scan, whose text other tests look at."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    with pypdfium2.PdfDocument(one_page_pdf) as document:
        document[0].render(scale=2).to_pil().save(tmp_path / "examples" / "paper-scan.pdf", resolution=144)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if RUNNABLE.search(page.read_text())], ids=name)
def test_the_commands_of_a_page_run_from_top_to_bottom(page, clone):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for block in RUNNABLE.findall(page.read_text()):
        command, env = ["bash", "-euo", "pipefail", "-c", block], {**os.environ, "PATH": path}
        done = subprocess.run(command, cwd=clone, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", [page for page in PAGES if PYTHON.search(page.read_text())], ids=name)
def test_the_python_of_a_page_runs_from_top_to_bottom(page, clone, monkeypatch):
    monkeypatch.chdir(clone)
    monkeypatch.setenv("DOCPARSE_MODEL", "pipeline")
    names = {"__name__": "example"}
    for block in PYTHON.findall(page.read_text()):
        exec(compile(block, str(page), "exec"), names)


def anchors(page):
    """Return what GitHub lets a link to a heading of the page end with."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files_and_headings_of_the_repository(page):
    for path, anchor in LINK.findall(page.read_text()):
        target = page.parent / path if path else page
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_sources_that_are_named_are_there(page):
    assert [path for path in SOURCE.findall(page.read_text()) if not (ROOT / path).exists()] == []


def test_the_page_about_the_decoder_names_its_modules():
    there = {path.name for room in ("engine", "vlm", "accel") for path in (ROOT / "docparse" / room).glob("*.py")}
    tests = {path.name for path in (ROOT / "tests").rglob("*.py")}
    assert set(MODULE.findall((ROOT / "docs" / "decoder.md").read_text())) - there - tests == set()


def test_the_guide_names_only_options_that_exist():
    from typer.main import get_command

    from docparse.cli.app import app

    options = [option for sub in get_command(app).commands.values() for option in sub.params]
    known = {"--help", "--version", "--index-url"}
    known |= {flag for option in options for flag in option.opts + option.secondary_opts}
    assert set(FLAG.findall((ROOT / "docs" / "guide.md").read_text())) - known == set()


def test_the_quick_start_is_two_commands_of_one_line():
    text = (ROOT / "README.md").read_text()
    section = text[text.index("## Quick start") :]
    section = section[: section.index("\n## ", 5)]
    commands = QUICK_START.findall(section)
    assert [command.count("\n") for command in commands] == [1, 1]
    assert all(command.startswith("python3 -m venv .venv && ") for command in commands)
