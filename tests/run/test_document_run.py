"""One document of a run: when its time is up, and that it ends once."""

import time
from pathlib import Path

import pytest

from docparse.run.context import RunContext
from docparse.run.document import DocumentRun
from docparse.run.inputs import Input
from docparse.run.journal import Journal, JournalHistory
from docparse.run.loop import RunLoop
from docparse.run.output_writer import OutputSummary, WriteOutputs
from docparse.run.outputs import Destination
from docparse.run.plan import RunPlan
from docparse.run.pool import Pool, TaskOutcome
from docparse.run.process import Start
from docparse.run.result import Observer
from docparse.run.store import PageStore
from docparse.run.tasks import Drafted, OpenDocument, ReadPage, SourceFile
from docparse.run.worker import TaskFailure
from docparse.settings import Settings
from docparse.types import DocumentInfo, Page

ITEM = Input(Path("a.pdf"), "a.pdf", Path("a"))
SOURCE = SourceFile(Path("a.pdf"), "a.pdf")


@pytest.fixture
def context(tmp_path):
    def build(journal=None, resume=False, destination=None, **settings):
        journal = journal or Journal(None)
        return RunContext(
            RunPlan(Settings(**settings), settings.get("model", "pipeline"), "1"),
            destination or Destination(tmp_path, ("md",)), journal, JournalHistory.read(journal), Observer(), resume,
        )  # fmt: skip

    return build


def opened(context, pages):
    """The document of which a worker has said how many pages it has."""
    document = DocumentRun(ITEM, SOURCE, context)
    document.settle(document.next_task(), DocumentInfo(name="a.pdf", sha256="0", pages=pages), None)
    return document


def test_a_document_whose_time_is_up_has_no_deadline_any_more(context):
    document = opened(context(document_timeout=2.0), 2)
    document.started = time.monotonic() - 5
    assert document.deadline() == document.started + 2
    document.expire()
    assert document.deadline() is None
    assert (document.pages.failed, document.pages.unread) == ({1}, {1: 2})
    assert document.store.page(1).label == "pages 1-2"
    assert isinstance(document.next_task(), WriteOutputs)
    document.release()


def test_what_an_output_lacks_is_told_beside_what_its_pages_lack(context):
    document = opened(context(), 1)
    document.pages.partial.add(1)
    document.settle(document.next_task(), OutputSummary("text", failed="format html failed"), None)
    assert document.result.warnings == ("format html failed",)
    assert document.result.error == "a.pdf: page 1 partial; format html failed"


def test_a_document_that_two_tasks_end_is_reported_once(context, tmp_path):
    agreed = context()
    document = DocumentRun(ITEM, SOURCE, agreed, stage="opening")
    run = RunLoop(agreed.settings, Pool([Start(object)]), tmp_path)
    run.active = [document]
    outcome = TaskOutcome(OpenDocument(SOURCE), document, None, TaskFailure("input", "damaged", permanent=True))
    for _ in range(2):
        run.collect(outcome)
    assert [result.error for result in run.results] == ["a.pdf: damaged"]
    assert run.active == []


def test_a_page_that_was_cut_makes_the_document_partial_also_when_it_is_found_again(context, tmp_path):
    cut = {"status": "partial", "error": "it repeats itself", "error_category": "loop"}
    journal, results = Journal(tmp_path / "journal.jsonl"), []
    for resume in (False, True):
        document = opened(context(journal, resume, model="dots.ocr"), 2)
        for attempt in list(document.pages.waiting):
            task = document.next_task()
            assert isinstance(task, ReadPage)
            read = Page(number=attempt.page, width=1.0, height=1.0, **(cut if attempt.page == 2 else {}))
            PageStore(task.store).put(read, {})
            document.settle(task, read, None)
        document.release()  # the run ends before anything is written
        results.append((document.pages.partial, list(document.pages.waiting)))
    assert results == [({2}, []), ({2}, [])]
    assert [(entry.page, entry.status) for entry in journal.entries()] == [(1, "ok"), (2, "partial")]


def test_a_page_that_failed_with_others_is_written_alone_and_that_is_no_attempt(context):
    document = opened(context(model="dots.ocr"), 1)
    document.settle(document.next_task(), Drafted(1), None)
    document.settle(document.next_page_to_write(), None, TaskFailure("crash", "gone", shared=True))
    again = document.next_page_to_write()
    assert again.attempt.alone
    document.settle(again, None, TaskFailure("crash", "gone"))
    assert document.pages.made == {1: 1}
    assert isinstance(document.next_task(), ReadPage)  # from the beginning, once more
    document.release()


def test_the_same_input_for_two_files_of_one_folder_has_two_keys(context, tmp_path):
    places = [Destination(tmp_path, (kind,), file=tmp_path / f"a.{kind}") for kind in ("md", "html")]
    assert len({context(destination=place).page_key("0", ITEM) for place in places}) == 2
