"""Heavy packages are imported only where they are used, and a wheel holds every package."""

import tomllib
from pathlib import Path

import pytest
from fresh import printed
from snapshots import pulled

import docparse
from docparse.models.registry import families

ROOT = Path(docparse.__file__).parent


HEAVY = {"torch", "transformers", "triton", "huggingface_hub", "numpy", "scipy", "cv2", "onnxruntime"}
HEAVY |= {"PIL", "pypdfium2", "rapidocr"}
LIGHT = {
    "to import it": "import docparse, docparse.pdf, docparse.render, docparse.run.convert, docparse.library",
    "to import what chooses kernels": "import docparse.kernels.choice",
    "to choose among cached models": "from docparse.models.auto_model import choose_model\nchoose_model()",
    "to help and to list": """
from docparse.cli import main
for arguments in (["--help"], ["convert", "--help"], ["models", "list"]):
    main(arguments)
""",
}


@pytest.mark.parametrize("code", LIGHT.values(), ids=LIGHT)
def test_what_does_no_heavy_work_imports_nothing_heavy(code, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    pulled(tmp_path, next(families()).card.repository)
    assert loaded_by(code) & HEAVY == set()


def test_a_page_with_a_text_layer_needs_no_library_for_pixels(one_page_pdf):
    code = f"""
from docparse.layout.reader import PageReader
from docparse.pdf import open_document
from docparse.settings import Settings

with open_document({str(one_page_pdf)!r}, name="page") as document:
    assert PageReader(Settings()).read(document.page(1)).page.blocks
"""
    assert loaded_by(code) & {"cv2", "onnxruntime", "scipy", "torch"} == set()


def test_reading_a_page_never_imports_torch(one_page_pdf, tmp_path):
    code = f"""
from pathlib import Path
from docparse.run.attempts import Attempt
from docparse.run.store import PageStore
from docparse.run.tasks import WorkerState, OpenDocument, ReadPage, SourceFile
from docparse.run.output_writer import WriteOutputs
from docparse.run.outputs import Destination
from docparse.settings import Settings
from docparse.types import DocumentInfo

state = WorkerState(Settings(ocr="force", model="pipeline"))
source, folder = SourceFile(Path({str(one_page_pdf)!r}), "page.pdf"), Path({str(tmp_path)!r})
PageStore(folder / "store").begin(keep=False)
info = OpenDocument(source).run(state)
ReadPage(source, folder / "store", Attempt(1)).run(state)
files = Destination(folder, ("md", "html", "json"), layout_pdf=True).files(Path("page"))
WriteOutputs(source, info, (1,), folder / "store", files).run(state)
"""
    loaded = loaded_by(code)
    assert "onnxruntime" in loaded  # the models ran
    assert loaded & {"torch", "transformers", "triton"} == set()
    assert "second paragraph" in (tmp_path / "page.md").read_text()


def loaded_by(code):
    """Top-level names of the modules that running `code` in a fresh interpreter loads."""
    code += "\nimport sys\nprint(*{name.split('.')[0] for name in sys.modules})"
    return set(printed(code)[-1].split())


def test_a_wheel_holds_every_package():
    """The packages are listed by hand (kernels/ is mapped), and an editable install would hide one that is missing."""
    listed = set(tomllib.loads((ROOT.parent / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {".".join(path.parent.relative_to(ROOT.parent).parts) for path in ROOT.rglob("*.py")}
    assert listed == found | {"docparse.kernels"}
