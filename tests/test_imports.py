"""Imports point down the data flow, and heavy packages are imported only where they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import docparse

ROOT = Path(docparse.__file__).parent
NOUNS = {"types", "errors", "network", "settings", "languages", "ranges", "hyphenation", "machine", "sizes"}
NOUNS |= {"storage", "logits"}
PAGES = NOUNS | {"guard", "pdf"}
READING = PAGES | {"density", "layout"}
RUNNING = READING | {"render", "run"}

# room -> the rooms it may import (besides itself and the package's own __init__)
ALLOWED = {
    "__init__": {"network", "library"},
    "__main__": {"cli"},
    "types": set(),
    "errors": set(),
    "network": {"errors"},
    "hyphenation": set(),
    "machine": set(),
    "guard": {"errors"},
    "sizes": set(),
    "logits": set(),
    "settings": {"errors", "sizes"},
    "storage": {"errors", "network"},
    "languages": NOUNS,
    "ranges": NOUNS,
    "pdf": NOUNS | {"guard"},
    "density": PAGES,
    "layout": READING,
    "render": PAGES,
    "synthetic": {"types"},
    "run": RUNNING | {"vlm", "models", "weights", "accel", "served"},
    "library": RUNNING,
    "view": RUNNING,
    "bench": RUNNING | {"engine", "accel", "models", "weights", "vlm", "synthetic"},
    "weights": NOUNS,
    "models": PAGES | {"render", "weights"},
    "engine": NOUNS | {"kernels"},
    "accel": NOUNS | {"engine", "kernels", "density"},
    "served": NOUNS | {"models"},
    "vlm": READING | {"render", "engine", "accel", "models", "weights", "served"},
    "cli": RUNNING | {"view", "bench", "models", "weights", "vlm", "accel"},
}


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[tuple[str, int]]:
    """First names below `docparse` that the file imports, wherever in the file, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            module = node.module or ""
            names = [f"docparse.{alias.name}" for alias in node.names] if module == "docparse" else [module]
        for name in names:
            parts = name.split(".")
            if parts[0] == "docparse" and len(parts) > 1 and parts[1] != "__version__":
                yield parts[1], node.lineno


def test_every_module_imports_only_what_lies_below_it() -> None:
    wrong = []
    for path in sorted(ROOT.rglob("*.py")):
        room = room_of(path)
        assert room in ALLOWED, f"{path}: say in ALLOWED what the new room {room!r} may import"
        for other, line in imported_rooms(path):
            if other != room and other not in ALLOWED[room]:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {other}")
    assert wrong == []


def test_kernels_import_nothing_of_docparse() -> None:
    for path in (ROOT.parent / "kernels").rglob("*.py"):
        others = {name for name, _ in imported_rooms(path)}
        assert others <= {"kernels"}, path


@pytest.mark.parametrize(
    "module",
    ["docparse", "docparse.types", "docparse.pdf", "docparse.render", "docparse.run.convert", "docparse.library"],
)
def test_importing_does_no_heavy_work(module: str) -> None:
    assert loaded_by(f"import {module}") & HEAVY == set()


def test_reading_a_page_never_imports_torch(one_page_pdf: Path, tmp_path: Path) -> None:
    code = f"""
from pathlib import Path
from docparse.run.attempts import Attempt
from docparse.run.store import PageStore
from docparse.run.tasks import WorkerState, OpenDocument, ReadPage, Source
from docparse.run.output_writer import WriteOutputs
from docparse.run.outputs import Destination
from docparse.settings import Settings
from docparse.types import DocumentInfo

handler = WorkerState(Settings(ocr="force", model="pipeline"))
source, folder = Source(Path({str(one_page_pdf)!r}), "page.pdf"), Path({str(tmp_path)!r})
PageStore(folder / "store").begin(keep=False)
info = handler(OpenDocument(source), print)
handler(ReadPage(source, folder / "store", Attempt(1)), print)
files = Destination(folder, ("md", "html", "json"), layout_pdf=True).files(Path("page"))
handler(WriteOutputs(source, info, (1,), folder / "store", files), print)
"""
    loaded = loaded_by(code)
    assert "onnxruntime" in loaded  # the models ran
    assert loaded & {"torch", "transformers", "triton"} == set()
    assert "second paragraph" in (tmp_path / "page.md").read_text()


HEAVY = {
    "torch",
    "transformers",
    "triton",
    "numpy",
    "cv2",
    "onnxruntime",
    "PIL",
    "pypdfium2",
    "rapidocr",
}


def loaded_by(code: str) -> set[str]:
    """Top-level names of the modules that running `code` in a fresh interpreter loads."""
    code += "\nimport sys\nprint(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_a_wheel_holds_every_package() -> None:
    """The packages are listed by hand (kernels/ is mapped), and an editable install would hide one that is missing."""
    listed = set(tomllib.loads((ROOT.parent / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {".".join(path.parent.relative_to(ROOT.parent).parts) for path in ROOT.rglob("*.py")}
    assert listed == found | {"docparse.kernels"}
