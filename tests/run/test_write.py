"""What fails while the outputs are written costs its form, not its words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from docparse.render import html, jsonform, markdown
from docparse.run import output_writer
from docparse.run.files import OutputError
from docparse.run.output_writer import OutputSummary, WriteOutputs
from docparse.run.outputs import Destination
from docparse.run.store import PageStore
from docparse.run.tasks import Source, WorkerState
from docparse.settings import Settings
from docparse.types import Block, Box, Category, Cell, DocumentInfo, Page, Span, Table

BOX = Box(0, 0, 100, 100)
CELLS = tuple(Cell(row, column, (Span(f"cell {row} {column}"),)) for row in range(2) for column in range(2))
BLOCKS = (
    Block(category=Category.SECTION_HEADER, box=BOX, spans=(Span("A heading"),)),
    Block(category=Category.TABLE, box=BOX, table=Table(2, 2, CELLS)),
    Block(category=Category.LIST_ITEM, box=BOX, marker="1.", spans=(Span("An item"),)),
    Block(category=Category.TEXT, box=BOX, spans=(Span("A paragraph"),)),
)
WORDS = ["A heading", *(f"cell {row} {column}" for row in range(2) for column in range(2)), "An item", "A paragraph"]


@pytest.fixture
def written(tmp_path) -> Callable[[], tuple[OutputSummary, dict[str, str]]]:
    """`written()` -> the answer of the task and the text of each output of a document of two pages."""
    store = PageStore(tmp_path / "store")
    store.begin(keep=False)
    for number in (1, 2):
        store.put(Page(number=number, width=100, height=100, blocks=BLOCKS), {})
    files = Destination(tmp_path, ("md", "html", "json")).files(Path("out"))
    info = DocumentInfo(name="a.pdf", sha256="0", pages=2)

    def run() -> tuple[OutputSummary, dict[str, str]]:
        task = WriteOutputs(Source(tmp_path / "a.pdf", "a.pdf"), info, (1, 2), store.folder, files)
        answer = task.run(WorkerState(Settings()))
        return answer, {name: path.read_text(encoding="utf-8") for name, path in files.main.items()}

    return run


def broken(*_: object, **__: object) -> None:
    raise IndexError("list index out of range")


def test_a_document_that_is_written_as_it_is_says_nothing(written):
    answer, texts = written()
    assert answer.failed == ""
    assert all(text.count(word) >= 2 for text in texts.values() for word in WORDS)


@pytest.mark.parametrize(
    ("module", "function", "name"),
    [
        (markdown, "_table", "Table on page 1"),
        (html, "to_html", "Table on page 1"),
        (output_writer.Outline, "add", "outline of page 1"),
        (output_writer.Outline, "refine", "outline of page 2"),
    ],
)
def test_what_cannot_be_written_is_plain_text_and_named(written, monkeypatch, module, function, name):
    monkeypatch.setattr(module, function, broken)
    answer, texts = written()
    assert f"{name} (IndexError: list index out of range)" in answer.failed
    assert all(text.count(word) >= 2 for text in texts.values() for word in WORDS)


def test_a_page_that_has_no_json_form_has_its_words_there(written, monkeypatch):
    whole = jsonform._json_block

    def without_tables(order: int, block: Block) -> jsonform.JsonBlock:
        if block.table:
            broken()
        return whole(order, block)

    monkeypatch.setattr(jsonform, "_json_block", without_tables)
    answer, texts = written()
    assert "page 1 (IndexError: list index out of range)" in answer.failed
    assert all(text.count(word) >= 2 for text in texts.values() for word in WORDS)


def test_a_full_disk_is_no_failing_block(written, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(markdown, "_table", full)
    with pytest.raises(OutputError, match="No space left"):
        written()
