"""One document of a run: when its time is up, and that it ends once."""

import time
from pathlib import Path

from docparse.run.context import RunContext
from docparse.run.document import DocumentRun
from docparse.run.inputs import Input, Inputs
from docparse.run.journal import Journal, JournalHistory
from docparse.run.loop import RunLoop
from docparse.run.output_writer import WriteOutputs
from docparse.run.outputs import Destination
from docparse.run.plan import RunPlan
from docparse.run.pool import Pool, TaskOutcome
from docparse.run.process import Start
from docparse.run.result import Observer, RunSummary
from docparse.run.store import PageStore
from docparse.run.tasks import Drafted, OpenDocument, ReadPage, Source
from docparse.run.worker import TaskFailure
from docparse.run.workers import Workers
from docparse.settings import Settings
from docparse.types import DocumentInfo, Page

ITEM = Input(Path("a.pdf"), "a.pdf", Path("a"))
SOURCE = Source(Path("a.pdf"), "a.pdf")


def context(folder: Path, **settings: object) -> RunContext:
    destination = Destination(folder, ("md",))
    return RunContext(Settings(**settings), destination, Journal(None), JournalHistory({}, {}), Observer(), "1")


def test_a_document_whose_time_is_up_has_no_deadline_any_more(tmp_path):
    document = DocumentRun(ITEM, SOURCE, context(tmp_path, document_timeout=2.0), stage="reading")
    document.info = DocumentInfo(name="a.pdf", sha256="0", pages=2)
    document.numbers = (1, 2)
    document.pages.add(document.numbers)
    document.store = PageStore(tmp_path / "store")
    document.started = time.monotonic() - 5
    assert document.deadline() == document.started + 2
    document.expire()
    assert document.deadline() is None
    assert (document.pages.failed, document.pages.unread) == ({1}, {1: 2})
    assert document.store.page(1).label == "pages 1-2"
    assert isinstance(document.next_task(), WriteOutputs)


def test_a_document_that_two_tasks_end_is_reported_once(tmp_path):
    agreed, summary = context(tmp_path), RunSummary()
    document = DocumentRun(ITEM, SOURCE, agreed, stage="opening")
    workers = Workers(RunPlan(agreed.settings, "pipeline", "1"), Pool(Start(object), 1))
    run = RunLoop(Inputs(), agreed, workers, tmp_path, None, summary)
    run.active = [document]
    outcome = TaskOutcome(OpenDocument(SOURCE), document, None, TaskFailure("input", "damaged", permanent=True))
    for _ in range(2):
        run.collect(outcome)
    assert [result.error for result in summary.documents] == ["a.pdf: damaged"]
    assert run.active == []


def test_a_page_that_was_cut_makes_the_document_partial_also_when_it_is_found_again(tmp_path):
    page = Page(number=2, width=1.0, height=1.0, status="partial", error="it repeats itself", error_category="loop")
    journal = Journal(tmp_path / "journal.jsonl")
    results = []
    for resume in (False, True):
        destination = Destination(tmp_path, ("md",))
        agreed = RunContext(
            Settings(), destination, journal, JournalHistory.read(journal), Observer(), "1", resume, "dots.ocr"
        )
        document = DocumentRun(ITEM, SOURCE, agreed)
        document.next_task()
        document.settle(OpenDocument(SOURCE), DocumentInfo(name="a.pdf", sha256="0", pages=2), None)
        for attempt in list(document.pages.waiting):
            task = document.next_task()
            assert isinstance(task, ReadPage)
            read = page if attempt.page == 2 else Page(number=1, width=1.0, height=1.0)
            PageStore(task.store).put(read, {})
            document.settle(task, read, None)
        document.let_go()  # the run ends before anything is written
        results.append((document.pages.partial, list(document.pages.waiting)))
    assert results == [({2}, []), ({2}, [])]
    assert [(entry.page, entry.status) for entry in journal.entries()] == [(1, "ok"), (2, "partial")]


def test_the_pipeline_waits_where_the_model_has_enough_to_do(tmp_path):
    document = DocumentRun(ITEM, SOURCE, context(tmp_path, model="dots.ocr"))
    document.settle(document.next_task(), DocumentInfo(name="a.pdf", sha256="0", pages=3), None)
    assert document.next_task(ahead=False) is None
    first = document.next_task()
    assert isinstance(first, ReadPage)
    assert document.pages.waiting_for_model == 1
    document.settle(first, Drafted(1), None)
    assert document.pages.waiting_for_model == 1
    written = document.next_page_to_write()
    assert written is not None and written.attempt.page == 1
    assert (document.pages.waiting_for_model, document.next_page_to_write()) == (0, None)
    document.let_go()


def test_a_page_that_failed_with_others_is_written_alone_and_that_is_no_attempt(tmp_path):
    document = DocumentRun(ITEM, SOURCE, context(tmp_path, model="dots.ocr"))
    document.settle(document.next_task(), DocumentInfo(name="a.pdf", sha256="0", pages=1), None)
    document.settle(document.next_task(), Drafted(1), None)
    document.settle(document.next_page_to_write(), None, TaskFailure("crash", "gone", shared=True))
    again = document.next_page_to_write()
    assert again is not None and again.attempt.alone
    document.settle(again, None, TaskFailure("crash", "gone"))
    assert document.pages.made == {1: 1}
    assert isinstance(document.next_task(), ReadPage)  # from the beginning, once more
    document.let_go()


def test_the_same_input_for_two_files_of_one_folder_has_two_keys(tmp_path):
    keys = set()
    for name, kind in (("a.md", "md"), ("a.html", "html")):
        destination = Destination(tmp_path, (kind,), file=tmp_path / name)
        agreed = RunContext(Settings(), destination, Journal(None), JournalHistory({}, {}), Observer(), "1")
        keys.add(agreed.page_key("0", ITEM))
    assert len(keys) == 2
