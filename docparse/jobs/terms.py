"""What all documents of a run have in common, and the keys that tell one result from another."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import msgspec

from docparse.inputs import Input, display_name
from docparse.jobs.journal import Entry, History, Journal
from docparse.jobs.result import DocumentResult, Observer
from docparse.jobs.tasks import PageReport
from docparse.jobs.worker import Failure
from docparse.outputs import Destination
from docparse.settings import Settings


@dataclass(frozen=True)
class Terms:
    """The agreement of a run. `version` is that of everything that decides what a page says."""

    settings: Settings
    destination: Destination
    journal: Journal
    history: History
    observer: Observer
    version: str
    resume: bool = False

    def page_key(self, sha256: str, item: Input) -> str:
        """Same key, same pages: source, settings that decide what a page says, and the files of the output."""
        return _digest([sha256, self.settings.pipeline_key(self.version), display_name(item.output), self._names(item)])

    def output_key(self, page_key: str, item: Input, numbers: tuple[int, ...]) -> str:
        """Same output key, same bytes in the output files."""
        printed = [self.settings.tables, self.settings.keep_headers, self.settings.page_breaks, numbers]
        return _digest([page_key, *printed])

    def _names(self, item: Input) -> list[str]:
        return [display_name(path.name) for path in self.destination.files(item.output).all()]


def page_entry(
    item: Input, number: int, key: str, report: PageReport | None, failure: Failure | None, attempts: int
) -> Entry:
    """The journal's line for a page that was read (`report`) or has failed for good (`failure`)."""
    return Entry(
        input=item.name,
        page=number,
        status="failed" if failure else "ok",
        engine=report.engine if report else "pipeline",
        seconds=report.seconds if report else {},
        error=failure.error if failure else "",
        error_category=failure.category if failure else "",
        attempts=attempts,
        key=key,
        text_quality=report.text_quality if report else "",
        warnings=report.warnings if report else (),
    )


def document_entry(
    result: DocumentResult,
    key: str,
    output: str,
    seconds: dict[str, float],
    attempts: int,
    *,
    files: tuple[str, ...] = (),
    images: tuple[str, ...] = (),
) -> Entry:
    """The journal's line for a document that has ended; `files` and `images` are what it left, for `--resume`."""
    assert result.status != "unfinished"  # which is for the summary of a run that has ended already
    return Entry(
        input=result.input,
        page=None,
        status=result.status,
        engine="pipeline",
        seconds=seconds | {"total": result.seconds},
        error=result.error,
        error_category=result.error_category,
        attempts=attempts,
        key=key,
        warnings=result.warnings,
        pages=result.pages,
        failed_pages=result.failed_pages,
        outputs=result.outputs,
        output=output,
        files=files,
        images=images,
    )


def _digest(parts: list[object]) -> str:
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:24]
