"""The page loop as a library: what a run reports and what it leaves on disk."""

import shutil
import tracemalloc
from contextlib import contextmanager

import pytest

from docparse.errors import ExitCode
from docparse.run.convert import convert
from docparse.run.files import DiskFull
from docparse.run.journal import Journal
from docparse.run.result import DocumentResult, Observer, RunSummary
from docparse.run.store import PageStore
from docparse.run.workers import planned_pool
from docparse.settings import Settings

FAST = Settings(layout_engine="none", model="pipeline", workers=2)
ONE_WORKER = Settings(layout_engine="none", model="pipeline", workers=1)


class Listener(Observer):
    """Remembers what it hears."""

    def __init__(self):
        self.heard = []
        self.note = lambda text: self.heard.append("note")
        self.begin = lambda documents: self.heard.append(f"begin {documents}")
        self.opened = lambda name, pages: self.heard.append(f"opened {len(pages)}")
        self.page = lambda entry: self.heard.append("page")
        self.document = lambda result: self.heard.append(f"document {result.status}")


class FullDisk(Observer):
    """Ends the run at the first document."""

    def document(self, result):
        raise DiskFull("no room")


def test_a_run_is_told_as_it_happens_and_summed_up(three_page_pdf, tmp_path):
    listener = Listener()
    summary = convert([str(three_page_pdf)], str(tmp_path), FAST, observer=listener)
    assert listener.heard == ["begin 1", "opened 3", "page", "page", "page", "document ok"]
    (document,) = summary.documents
    assert (document.status, document.pages, document.outputs) == ("ok", 3, (str(tmp_path / "three-pages.md"),))
    assert summary.exit_code is ExitCode.OK


def test_outputs_do_not_depend_on_where_the_input_was(one_page_pdf, tmp_path):
    settings = Settings(layout_engine="none", model="pipeline", format="md,html,json")
    written = []
    for folder in (tmp_path / "x", tmp_path / "y" / "z"):
        folder.mkdir(parents=True)
        shutil.copy(one_page_pdf, folder / "p.pdf")
        convert([str(folder / "p.pdf")], str(folder / "out"), settings)
        written.append([(folder / "out" / f"p.{end}").read_bytes() for end in ("md", "html", "json")])
    assert written[0] == written[1]


def test_a_full_disk_leaves_the_documents_it_stopped_in_the_summary(one_page_pdf, three_page_pdf, tmp_path):
    names = [str(one_page_pdf), "none.pdf", str(three_page_pdf)]
    summary = convert(names, str(tmp_path), ONE_WORKER, observer=FullDisk())
    assert summary.error == "no room"
    assert {(item.input, item.status) for item in summary.documents} == {(name, "unfinished") for name in names}


@pytest.mark.parametrize("moment", ["page kept", "page journaled", "outputs written", "document journaled"])
def test_an_end_between_any_two_steps_is_mended(three_page_pdf, tmp_path, monkeypatch, moment):
    """Each step is on disk before the next; the run ends right after one of them."""
    write = Journal.write

    def end_at_write(self, entry):
        if (entry.page is None and moment == "outputs written") or (entry.page == 2 and moment == "page kept"):
            raise KeyboardInterrupt
        write(self, entry)
        if entry.page == 2 and moment == "page journaled":
            raise KeyboardInterrupt

    def end_at_remove(self):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "write", end_at_write)
        if moment == "document journaled":
            patch.setattr(PageStore, "remove", end_at_remove)
        assert convert([str(three_page_pdf)], str(tmp_path), ONE_WORKER).interrupted
    assert (tmp_path / ".docparse").exists()
    assert convert([str(three_page_pdf)], str(tmp_path), ONE_WORKER, resume=True).exit_code is ExitCode.OK
    entries = list(Journal(tmp_path / "docparse-journal.jsonl").entries())
    assert sorted(entry.page or 0 for entry in entries) == [0, 1, 2, 3]
    assert "Page three" in (tmp_path / "three-pages.md").read_text()
    assert not (tmp_path / ".docparse").exists()


@pytest.mark.parametrize("moment, statuses", [("before the inputs are known", []), ("while it is being left", ["ok"])])
def test_an_interrupt_at_either_end_of_a_run_keeps_what_it_came_to(
    tmp_path, monkeypatch, one_page_pdf, moment, statuses
):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    @contextmanager
    def left_slowly(*given, **more):
        with planned_pool(*given, **more) as found:
            yield found
        raise KeyboardInterrupt

    name, instead = ("planned_pool", left_slowly) if statuses else ("resolve", interrupted)
    monkeypatch.setattr(f"docparse.run.convert.{name}", instead)
    summary = convert([str(one_page_pdf)], str(tmp_path), ONE_WORKER)
    assert (summary.exit_code, [result.status for result in summary.documents]) == (ExitCode.INTERRUPTED, statuses)


def test_no_more_than_a_few_documents_are_open_at_a_time(one_page_pdf, tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(12):
        shutil.copy(one_page_pdf, tmp_path / "in" / f"{number}.pdf")
    listener, open_now, most = Listener(), 0, 0
    assert len(convert([str(tmp_path / "in")], str(tmp_path / "out"), FAST, observer=listener).documents) == 12
    for heard in listener.heard:
        open_now += heard.startswith("opened") - heard.startswith("document")
        most = max(most, open_now)
    assert open_now == 0 and most <= 3


FULL = {"error": "disk full", "error_category": "output"}


@pytest.mark.parametrize(
    "statuses, more, code",
    [
        (["ok", "ok"], {}, ExitCode.OK),
        (["ok", "failed"], {}, ExitCode.PARTIAL),
        (["partial"], {}, ExitCode.PARTIAL),
        (["failed", "failed"], {}, ExitCode.NOTHING),
        (["ok"], FULL, ExitCode.PARTIAL),
        (["failed", "unfinished"], FULL, ExitCode.NOTHING),
        ([], FULL, ExitCode.NOTHING),
        (["ok"], {"error": "no model", "error_category": "environment"}, ExitCode.ENVIRONMENT),
        (["ok"], {"interrupted": True}, ExitCode.INTERRUPTED),
    ],
)
def test_the_exit_code_says_how_much_was_converted(statuses, more, code):
    documents = [DocumentResult(input="x", status=status) for status in statuses]
    assert RunSummary(documents=documents, **more).exit_code is code


def test_memory_of_the_page_loop_does_not_grow_with_pages(typst_pdf, tmp_path):
    """What the parent keeps of a page, measured on two documents of different length."""
    kept = []
    for count in (5, 15):
        pages = f"#for n in range({count}) [Page #n #pagebreak()]"
        pdf = typst_pdf(f"#set page(width: 100pt, height: 60pt, margin: 8pt)\n{pages}", f"p{count}")
        tracemalloc.start()
        convert([str(pdf)], str(tmp_path / "out"), FAST)
        kept.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert (kept[1] - kept[0]) / 10 < 2000  # bytes a page
