"""What fails while the outputs are written costs its form, not its words."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from blocks import block, page, table

from docparse.render import jsonform
from docparse.render.flow import write_flow
from docparse.render.formats import FORMATS, Format
from docparse.run.files import OutputError
from docparse.run.output_writer import WriteOutputs
from docparse.run.outputs import Destination
from docparse.run.store import PageStore
from docparse.run.tasks import SourceFile, WorkerState
from docparse.settings import Settings
from docparse.types import Box, DocumentInfo

WORDS = ["A heading", "cell 0 0", "cell 0 1", "cell 1 0", "cell 1 1", "An item", "A paragraph"]
WHOLE = Box(0, 0, 100, 100)
BLOCKS = (
    block("Section-header", "A heading", box=WHOLE),
    block("Table", table=table(WORDS[1:3], WORDS[3:5]), box=WHOLE),
    block("List-item", "An item", marker="1.", box=WHOLE),
    block("Text", "A paragraph", box=WHOLE),
)


@pytest.fixture
def written(tmp_path):
    """`written()` -> what the task says that failed, and the text of each output of a document of two pages."""
    store = PageStore(tmp_path / "store")
    store.begin(keep=False)
    for number in (1, 2):
        store.put(page(number, *BLOCKS, width=100, height=100), {})
    files = Destination(tmp_path, ("md", "html", "json")).files(Path("out"))
    info = DocumentInfo(name="a.pdf", sha256="0", pages=2)

    def run():
        task = WriteOutputs(SourceFile(tmp_path / "a.pdf", "a.pdf"), info, (1, 2), store.folder, files)
        failed = task.run(WorkerState(Settings())).failed
        return failed, [path.read_text(encoding="utf-8") for path in files.main.values() if path.is_file()]

    return run


def broken(*_, **__):
    raise IndexError("list index out of range")


def without_tables(order, block, whole=jsonform._json_block):
    return broken() if block.table else whole(order, block)


@pytest.mark.parametrize(
    "function, instead, name",
    [
        (None, None, ""),
        ("docparse.render.markdown._table", broken, "Table on page 1"),
        ("docparse.render.html.to_html", broken, "Table on page 1"),
        ("docparse.render.jsonform._json_block", without_tables, "page 1"),
        ("docparse.run.output_writer.Outline.add", broken, "outline of page 1"),
        ("docparse.run.output_writer.Outline.refine", broken, "outline of page 2"),
    ],
)
def test_what_cannot_be_written_is_plain_text_and_named(written, monkeypatch, function, instead, name):
    if function:
        monkeypatch.setattr(function, instead)
    failed, texts = written()
    assert (f"{name} (IndexError: list index out of range)" in failed) if function else failed == ""
    assert all(text.count(word) >= 2 for text in texts for word in WORDS)


def test_a_full_disk_is_no_failing_block(written, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("docparse.render.markdown._table", full)
    with pytest.raises(OutputError, match="No space left"):
        written()


LINE = "format {} failed (IndexError: list index out of range): use another --format"


def test_where_every_format_fails_there_is_no_output(written, monkeypatch, tmp_path):
    for name, each in FORMATS.items():
        monkeypatch.setitem(FORMATS, name, Format(broken, each.suffixes))
    with pytest.raises(OutputError) as raised:
        written()
    assert str(raised.value) == "; ".join(map(LINE.format, ("md", "html", "json")))
    assert list(tmp_path.glob("out.*")) == []


def test_of_a_format_that_fails_nothing_is_written_as_plain_text(written, monkeypatch):
    def write(info, pages, out, options):
        write_flow(SimpleNamespace(page=lambda page: None, block=broken), pages, options)

    monkeypatch.setitem(FORMATS, "html", Format(write, (".html",)))
    assert written()[0] == LINE.format("html")


def test_a_format_that_fails_costs_itself_and_is_named(written, monkeypatch, tmp_path):
    monkeypatch.setitem(FORMATS, "html", Format(broken, (".html",)))
    failed, texts = written()
    assert failed == LINE.format("html")
    assert len(texts) == 2 and all(text.count(word) >= 2 for text in texts for word in WORDS)
    assert not (tmp_path / "out.html").exists()


def test_want_of_memory_is_no_failing_format(written, monkeypatch):
    def starved(*_):
        raise MemoryError

    monkeypatch.setitem(FORMATS, "md", Format(starved, (".md",)))
    with pytest.raises(MemoryError):
        written()
