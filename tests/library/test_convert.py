"""docparse from Python: what a `Document` has, what stays from one to the next, and what goes wrong."""

import asyncio
import atexit
import gc
import io
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import get_type_hints

import pytest

import docparse
from docparse.errors import EnvironmentProblem, InputError, PageError, UsageError
from docparse.library.keywords import OF_FILES, Keywords, in_python
from docparse.run.convert import convert as convert_files
from docparse.run.pool import Pool
from docparse.settings import Settings


@pytest.fixture(scope="module")
def converter():
    with docparse.Converter(model="pipeline") as kept:
        yield kept


@pytest.fixture(scope="module")
def paper(converter, example_pdf):
    return converter.convert(example_pdf)


def workers_of(converter):
    return [worker.process.pid for worker in converter._open().pool.workers if worker.started]


def test_a_document_says_what_the_command_line_writes(paper, example_pdf, tmp_path):
    convert_files([str(example_pdf)], str(tmp_path), Settings(model="pipeline", format="md,html,json"))
    for kind, text in {"md": paper.markdown, "html": paper.html, "json": paper.json}.items():
        assert text == (tmp_path / f"paper.{kind}").read_text(), kind
    saved = paper.save(tmp_path / "again" / "paper.md")
    assert saved.read_text() == paper.markdown
    written, again = ({path.name for path in (f / "paper_images").iterdir()} for f in (tmp_path, saved.parent))
    assert written == again and [figure.name in written for figure in paper.figures] == [True]


def test_a_document_has_pages_tables_and_figures(paper):
    assert (paper.status, paper.error, [page.number for page in paper.pages]) == ("ok", "", [1, 2])
    title = next(block for block in paper.pages[0].blocks if block.category == "Title")
    assert title.text.startswith("Reading a Speedup") and title.box.y1 < 120 and 0 < title.confidence <= 1
    table = paper.tables[0]
    assert table.header_rows == 2 and table.rows[0] == ["Fraction p", *["Factor s on that part"] * 4]
    assert table.rows[2] == ["0.50", "1.33", "1.60", "1.88", "2.00"]
    assert table.caption.startswith("Table 1: Overall speedup") and 'colspan="4"' in table.html
    (figure,) = paper.figures
    assert figure.caption.startswith("Figure 1") and figure.image.startswith(b"\x89PNG")
    picture, labels, caption = paper.markdown[: paper.markdown.index("Figure 1: ") + 8].split("\n\n")[-3:]
    assert (picture[:2], "p = 0.95" in labels, caption) == ("![", True, "Figure 1")
    if find_spec("pandas"):
        assert table.to_pandas().shape == (4, 5)
    else:
        with pytest.raises(EnvironmentProblem, match="pip install pandas"):
            table.to_pandas()


def test_the_folder_of_a_document_goes_with_it(converter, one_page_pdf):
    document = converter.convert(one_page_pdf)
    folder = document._folder.path
    assert document.markdown, document.chunks()
    assert folder.is_dir()
    del document
    assert not folder.exists()


@pytest.mark.parametrize("kind", ["path", "text", "bytes", "file", "memory"])
def test_a_source_may_be_a_path_bytes_or_an_open_file(converter, one_page_pdf, kind):
    content = one_page_pdf.read_bytes()
    with open(one_page_pdf, "rb") as file:
        sources = {"path": one_page_pdf, "text": str(one_page_pdf), "bytes": content, "file": file}
        document = converter.convert(sources.get(kind) or io.BytesIO(content))
    assert document.markdown.startswith("# A short page")
    assert document.name == {"bytes": "document", "memory": "document", "file": "one-page.pdf"}.get(kind, document.name)


def test_workers_stay_from_one_document_to_the_next_also_between_threads(converter, one_page_pdf):
    converter.convert(one_page_pdf)
    workers = workers_of(converter)
    thread = threading.Thread(target=converter.convert, args=(one_page_pdf,))
    thread.start()
    thread.join()
    assert workers_of(converter)[: len(workers)] == workers
    with ThreadPoolExecutor(4) as threads:
        assert [item.status for item in threads.map(converter.convert, [one_page_pdf] * 4)] == ["ok"] * 4


def test_a_running_event_loop_is_no_matter(converter, one_page_pdf):
    async def cell():
        there = await asyncio.to_thread(converter.convert, one_page_pdf)
        return [converter.convert(one_page_pdf).status, there.status]

    assert asyncio.run(cell()) == ["ok", "ok"]


def test_many_documents_come_as_they_end_and_those_that_fail_say_why(converter, one_page_pdf, three_page_pdf, tmp_path):
    sources = [one_page_pdf, tmp_path / "missing.pdf", three_page_pdf, b"no document"]
    found = {document.name: document for document in converter.convert_all(sources)}
    assert [found[str(path)].status for path in (one_page_pdf, three_page_pdf)] == ["ok", "ok"]
    missing = found[str(tmp_path / "missing.pdf")]
    assert (missing.status, missing.pages, missing.markdown) == ("failed", [], "")
    assert missing.error.endswith("missing.pdf: no such file")
    assert "not a PDF" in found["document"].error
    assert [document.status for document in converter.convert_all(one_page_pdf.parent)] == ["ok"]  # of a folder
    with pytest.raises(UsageError, match="library: it contains no PDF or image: give a document"):
        converter.convert(Path(__file__).parent)


def test_pages_come_in_order_and_only_those_that_were_asked_for(converter, three_page_pdf):
    assert [page.number for page in converter.iter_pages(three_page_pdf)] == [1, 2, 3]
    assert [page.number for page in converter.iter_pages(three_page_pdf, pages=[1, -1])] == [1, 3]
    assert "Page two" in converter.convert(three_page_pdf, pages="2").markdown
    stopped = converter.iter_pages(three_page_pdf)
    assert next(stopped).number == 1
    stopped.close()
    assert len(converter.convert(three_page_pdf).pages) == 3


@pytest.mark.parametrize(
    "keywords, line",
    [
        ({"modle": "pipeline"}, "modle is not a setting; did you mean 'model'?"),
        ({"ocr": "always"}, "ocr: 'always' is not one of auto, force, off"),
        ({"dpi": "fine"}, "dpi: 'fine' is not a whole number"),
        ({"dpi": 0}, "dpi 0: use a value from 18 to 1200"),
        ({"json": True}, "json works only on the command line"),
        ({"pages": []}, "pages is empty"),
        ({"pages": 1.5}, "neither a number nor several"),
        ({"pages": "3-1"}, "3-1"),
        ({"format": "md"}, "a Document has .markdown, .html and .json"),
        ({"accel": "hsd", "model": "pipeline"}, "accel hsd needs a vision-language model, and this run has none: m"),
        ({"device": "cpu", "devices": "all", "model": "tiny"}, "device cpu and devices exclude each other"),
        ({"rereads": 2, "model": "pipeline"}, "rereads 2 needs a vision-language model"),
        (
            {"rereads": 2, "model": "tiny"},
            "rereads: tiny's authors publish no settings for a second reading: leave it out",
        ),
    ],
)
def test_a_wrong_keyword_is_one_line(keywords, line):
    with pytest.raises(UsageError) as raised:
        docparse.Converter(**keywords)
    assert line in str(raised.value)


def test_a_wrong_keyword_that_only_the_process_of_a_model_can_know_is_the_same_error(one_page_pdf):
    with pytest.raises(UsageError, match=r"^accel fastocr: layers=99: the model has layers 0 to 5$"):
        docparse.convert(one_page_pdf, model="tiny", accel="fastocr(layers=99)")


def test_a_keyword_comes_before_the_environment_and_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCPARSE_DPI", "100")
    (tmp_path / "run.toml").write_text("dpi = 90\nretries = 3\n")
    settings = docparse.Converter(config=tmp_path / "run.toml").settings
    assert (settings.dpi, settings.retries) == (100, 3)
    assert docparse.Converter(dpi=120).settings.dpi == 120
    # each is known to type checkers and in messages
    assert in_python("the PDF is encrypted: give its password with --password").endswith("with password=...")
    assert set(get_type_hints(Keywords)) == set(Settings.__struct_fields__) - set(OF_FILES)
    assert (Path(docparse.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize(
    "source, kind, line",
    [
        ("missing.pdf", InputError, "missing.pdf: no such file"),
        (b"%PDF-1.7 cut", InputError, "document"),
        (7, UsageError, "a source is a path, a URL, bytes or an open binary file, not int"),
        (io.StringIO("text"), UsageError, "open it with mode 'rb'"),
        ("s3://bucket/paper.pdf", EnvironmentProblem, "forbids the connection"),
    ],
)
def test_a_source_that_cannot_be_read_raises_one_line(source, kind, line):
    with docparse.Converter(model="pipeline", offline=True, workers=1) as converter, pytest.raises(kind) as raised:
        converter.convert(source)
    assert line in str(raised.value)


def test_a_document_of_which_every_page_failed_says_why_the_first_did(example_scan):
    with docparse.Converter(model="pipeline", page_timeout=0.05, retries=0) as converter:
        with pytest.raises(PageError, match=r"2 of 2 pages failed: .*0\.05 s \(page_timeout"):
            converter.convert(example_scan)
        (document,) = converter.convert_all(example_scan)
    assert document.status == "failed" and "2 of 2" in document.error


def test_what_is_no_number_of_characters_is_refused(paper):
    for wrong in (0, "a", 1.5):
        with pytest.raises(UsageError, match=rf"max_chars {wrong!r}: use a whole number of characters"):
            paper.chunks(wrong)


SCRIPT = """
import os, signal, sys, threading, time
import docparse
document = docparse.convert(sys.argv[1])
print(document.status, flush=True)
converter = docparse.Converter(workers=1)
converter.convert(sys.argv[1])
pool = converter._session.pool
os.kill(pool.workers[0].process.pid, signal.SIGSTOP)  # what it is given next does not end
def interrupt():
    while not pool.busy:
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    converter.convert(sys.argv[1])
except KeyboardInterrupt:
    print(sum(worker.started for worker in pool.workers), converter.convert(sys.argv[1]).status, flush=True)
"""


def test_a_script_needs_no_guard_and_ctrl_c_leaves_nothing_behind(one_page_pdf, tmp_path):
    """The Converter is not even closed."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(one_page_pdf)]
    environment = os.environ | {"TMPDIR": str(tmp_path), "DOCPARSE_MODEL": "pipeline"}
    # a suite that runs in the background ignores SIGINT, and so would the script
    how = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None, "timeout": 100}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, **how)
    assert (done.stdout.splitlines(), done.stderr) == (["ok", "0 ok"], "")
    assert [path.name for path in tmp_path.iterdir()] == ["script.py"]
    assert not [command for command in commands_with(str(tmp_path)) if "docparse" in command]


def commands_with(variable):
    """The command lines of processes that have `variable` in their environment."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if variable.encode() in (process / "environ").read_bytes():
                yield (process / "cmdline").read_bytes().decode()


def test_a_closed_converter_says_so_and_its_documents_stay(one_page_pdf):
    converter = docparse.Converter(model="pipeline")
    document = converter.convert(one_page_pdf)
    converter.close()
    assert document.markdown.startswith("# A short page")
    with pytest.raises(UsageError, match="closed"):
        converter.convert(one_page_pdf)


def test_a_converter_that_nobody_has_ends_its_processes(one_page_pdf, monkeypatch):
    monkeypatch.setattr("docparse.run.workers.Pool", Pool)
    converter = docparse.Converter(model="pipeline")
    converter.convert(one_page_pdf)
    workers = workers_of(converter)
    del converter
    gc.collect()
    for worker in workers:
        with pytest.raises(ProcessLookupError):
            os.kill(worker, signal.SIG_DFL)


def test_a_forked_process_ends_and_removes_nothing_of_its_parents(one_page_pdf):
    with docparse.Converter(model="pipeline") as converter:
        document, dropped = converter.convert(one_page_pdf), converter.convert(one_page_pdf)
        (worker,) = workers_of(converter)
        child = os.fork()
        if child == 0:
            with suppress(BaseException):
                with pytest.raises(UsageError, match="belongs to the process that made it"):
                    converter.convert(one_page_pdf)
                converter.close()
                del dropped, converter
                gc.collect()
                atexit._run_exitfuncs()
                os._exit(7)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert dropped.markdown == document.markdown
        assert converter.convert(one_page_pdf).markdown == document.markdown
        assert workers_of(converter) == [worker]
