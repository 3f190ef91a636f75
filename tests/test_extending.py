"""docs/extending.md, followed word for word in a copy of the sources: its files, its changes, its commands."""

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(SECTION.findall((ROOT / "docs" / "extending.md").read_text()))
NEW_FILE = re.compile(r"^```python file=(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DIFF = re.compile(r"^```diff\n--- (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```(sh|python) try\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELLS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}
SCREEN = 45  # lines


def copy_sources(folder):
    """Put the sources into `folder`: real folders, links to the files."""
    shutil.copytree(
        ROOT / "docparse", folder / "docparse", copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__")
    )
    (folder / "docparse" / "kernels").symlink_to(ROOT / "kernels")
    for name in ("benchmarks", "examples"):
        (folder / name).symlink_to(ROOT / name)


def apply(diff, path):
    """Make the change that `diff` shows in the file, whose lines it must hold once."""
    text = path.read_text()
    for hunk in diff.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        if new in text:
            continue  # somebody has followed the guide
        assert text.count(old) == 1, f"{path.name} does not hold once:\n{old}"
        text = text.replace(old, new)
    path.unlink()  # a link to the original
    path.write_text(text)


@pytest.mark.parametrize(
    "title",
    [pytest.param(title, marks=[pytest.mark.thorough] * title.endswith(("method", "model"))) for title in SECTIONS],
)
def test_what_the_guide_adds_works(title, tmp_path):
    copy_sources(tmp_path)
    files, diffs = NEW_FILE.findall(SECTIONS[title]), DIFF.findall(SECTIONS[title])
    assert len(files) == len(diffs) == 1, "a new file, and a change to one list"
    for path, code in files:
        assert code.count("\n") <= SCREEN
        (tmp_path / path).write_text(code)
    for path, diff in diffs:
        apply(diff, tmp_path / path)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    for language, block in COMMANDS.findall(SECTIONS[title]):
        command = [*SHELLS[language], block]
        env = {**os.environ, "PATH": path, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("title", SECTIONS)
def test_what_the_new_files_import_is_there(title):
    for _, code in NEW_FILE.findall(SECTIONS[title]):
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("docparse"):
                module = importlib.import_module(node.module)
                assert [name.name for name in node.names if not hasattr(module, name.name)] == [], node.module
