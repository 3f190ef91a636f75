"""Pages for the tests: small documents compiled in process, and the folder of real ones where there is one."""

import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# one with deepstack, one with views, structural tokens and experts, one that is asked region by region
THREE_FAMILIES = ("qwen3-vl", "deepseek-ocr", "paddleocr-vl-1.6")


def pytest_addoption(parser):
    parser.addoption("--all-families", action="store_true", help="all models' twins, many of Hypothesis' examples")


def pytest_configure(config):
    from hypothesis import settings

    # the same few for everybody: a build says something about the change, not about the dice
    settings.register_profile("few", max_examples=15, deadline=None, derandomize=True)
    settings.register_profile("many", max_examples=300, deadline=None)
    settings.load_profile("many" if config.getoption("--all-families") else "few")
    config.addinivalue_line("markers", "thorough: with --all-families only; a quicker test says nearly the same")
    config.addinivalue_line("markers", "families(but=()): run for three families, with --all-families for each one")


def pytest_collection_modifyitems(config, items):
    """Leave out what has the mark `thorough`."""
    if not config.getoption("--all-families"):
        thorough = [item for item in items if item.get_closest_marker("thorough")]
        config.hook.pytest_deselected(items=thorough)
        items[:] = [item for item in items if item not in thorough]


def pytest_generate_tests(metafunc):
    """Give `name` to the tests with the mark `families`."""
    mark = metafunc.definition.get_closest_marker("families")
    if mark is None:
        return
    from docparse.models.registry import families

    names = [family.card.name for family in families() if family.card.name not in mark.kwargs.get("but", ())]
    if not metafunc.config.getoption("--all-families"):
        names = [name for name in names if name in THREE_FAMILIES]
    metafunc.parametrize("name", names)


@pytest.fixture(autouse=True)
def as_a_fresh_process():
    """What earlier tests left in this process: OCR makes its processor take denormal numbers for zero, which Hypothesis
    refuses."""
    if sys.float_info.min / 2 == 0:
        import torch

        torch.set_flush_denormal(False)


@pytest.fixture(scope="session", autouse=True)
def errors_are_one_line():
    """Whatever a test raises or expects: a `DocparseError` of several lines is an `AssertionError`."""
    from docparse.errors import DocparseError

    def checked(error, *words):
        assert not any("\n" in str(word) for word in words)
        Exception.__init__(error, *words)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DocparseError, "__init__", checked)
        yield


@pytest.fixture(scope="session", autouse=True)
def kept_workers():
    import kept_workers

    from docparse.run import workers

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "Pool", kept_workers.KeptPool)
        yield
    kept_workers.end_all()


@pytest.fixture(scope="session")
def typst_pdf(tmp_path_factory):
    """`typst_pdf(source, name="page")` -> path of the PDF of a Typst document; compiled once per session and source."""
    import typst

    folder = tmp_path_factory.mktemp("typst")

    def compile_document(source, name="page"):
        digest = hashlib.sha256(source.encode()).hexdigest()[:12]
        target = folder / digest / f"{name}.pdf"
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            text = target.with_suffix(".typ")
            text.write_text(source, encoding="utf-8")
            typst.compile(text, output=target, timestamp=0, ignore_system_fonts=True)
        return target

    return compile_document


@pytest.fixture(scope="session")
def one_page_pdf(typst_pdf):
    """One page with a heading, two paragraphs and a page number."""
    return typst_pdf(
        '#set page(width: 300pt, height: 260pt, margin: 36pt, numbering: "1")\n= A short page\n\n'
        "The first paragraph says one thing, and it takes more than a line to say it.\n\n"
        "The second paragraph says another.",
        "one-page",
    )


@pytest.fixture(scope="session")
def three_page_pdf(typst_pdf):
    """Three pages; page n has the heading `Page n` (in words) and one sentence."""
    words = ("one", "two", "three")
    pages = (f"= Page {word}\n\nThis is the text of page {word}, and nothing else." for word in words)
    return typst_pdf(
        "#set page(width: 300pt, height: 200pt, margin: 36pt)\n" + "\n#pagebreak()\n".join(pages), "three-pages"
    )


@pytest.fixture(scope="session")
def example_pdf():
    """The two-page paper of examples/, with its text layer."""
    return ROOT / "examples" / "paper.pdf"


@pytest.fixture(scope="session")
def example_scan():
    """The same pages as images only."""
    return ROOT / "examples" / "paper-scan.pdf"


@pytest.fixture(scope="session")
def twin_folder(tmp_path_factory):
    """`twin_folder(name)` -> the folder of a family's twin; made once, in a folder whose name says nothing."""
    from twins import make_twin

    from docparse.models.registry import family_named

    @cache
    def make(name):
        folder = tmp_path_factory.mktemp("weights")
        family = family_named(name)
        assert family is not None
        make_twin(family, folder)
        return folder

    return make


@pytest.fixture(scope="session")
def twin(twin_folder):
    """`twin(name)` -> the loaded twin (a Vlm) in float64, where no two logits tie."""
    import torch

    from docparse.models.registry import family_named
    from docparse.vlm.loaded import Vlm

    @cache
    def load(name):
        torch.set_num_threads(1)
        folder = str(twin_folder(name))
        family = family_named(name)
        model = family.load(folder, dtype=torch.float64, device="cpu")
        return Vlm.of(name, family, model, family.processor(folder))

    return load


@pytest.fixture(scope="session")
def data_dir():
    """The folder of public benchmark pages, which are not ours to ship; the test is skipped where it is not named."""
    folder = os.environ.get("DOCPARSE_DATA_DIR")
    if not folder:
        pytest.skip("DOCPARSE_DATA_DIR is not set: the benchmark pages are not part of the repository")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"DOCPARSE_DATA_DIR names {folder}, which is not a folder")
    return path


@pytest.fixture
def on_small_disk(tmp_path, example_pdf):
    """`on_small_disk("16k", script)` -> how a shell script ended for which a file system of that size was mounted at
    `$1`, an empty folder; `$2` is Python, `$3` the example paper. Skips where the system does not let us mount."""

    def run(size, script):
        (tmp_path / "small").mkdir()
        mounted = f'mount -t tmpfs -o size={size} tmpfs "$1" && {script}'
        arguments = [str(tmp_path / "small"), sys.executable, str(example_pdf)]
        command = ["unshare", "-rm", "sh", "-c", mounted, "sh", *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
        except FileNotFoundError:
            pytest.skip("no unshare(1) here")
        if "unshare:" in done.stderr or "mount:" in done.stderr:
            pytest.skip("this system does not let us mount")
        return done

    return run
