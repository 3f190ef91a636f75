"""What all documents of a run have in common, and the keys that tell one result from another."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec

from docparse.run.inputs import Input, display_name
from docparse.run.journal import Journal, JournalEntry, JournalHistory
from docparse.run.outputs import Destination
from docparse.run.plan import RunPlan
from docparse.run.result import DocumentResult, Observer
from docparse.run.worker import TaskFailure
from docparse.settings import Settings
from docparse.types import Decoding, Page, converted


@dataclass(frozen=True)
class RunContext:
    """The settings and services that all documents of a run share."""

    plan: RunPlan
    destination: Destination
    journal: Journal
    history: JournalHistory
    observer: Observer
    resume: bool = False

    @property
    def settings(self) -> Settings:
        return self.plan.settings

    def page_key(self, sha256: str, item: Input) -> str:
        """Same key, same pages: source, settings that decide what a page says, and the files of the output."""
        return _digest(
            [sha256, self.settings.pipeline_key(self.plan.version), display_name(item.output), self._names(item)]
        )

    def output_key(self, page_key: str, numbers: tuple[int, ...]) -> str:
        """Same output key, same bytes in the output files."""
        settings = self.settings
        printed = [settings.tables, settings.keep_headers, settings.page_breaks, settings.max_pages, numbers]
        return _digest([page_key, *printed])

    def _names(self, item: Input) -> list[str]:
        return [display_name(path.name) for path in self.destination.files(item.output).all()]


def failed_page(number: int, engine: str, failure: TaskFailure, *, last: int = 0) -> Page:
    """Return a page that could not be read, with the reason; with `last` for all pages from `number` to that one."""
    page = Page(number=number, last=last if last > number else 0, width=0.0, height=0.0, status="failed", engine=engine)
    return msgspec.structs.replace(page, error=failure.error, error_category=failure.category)


def page_entry(item: Input, page: Page, key: str, attempts: int) -> JournalEntry:
    """Return the journal's line for a page that was read or has failed for good."""
    decoding = page.decoding or Decoding()
    return converted(
        page,
        JournalEntry,
        input=item.name,
        page=page.number,
        key=key,
        attempts=attempts,
        text_quality="" if page.status == "failed" else page.text_quality,
        structure="" if page.status == "failed" else page.structure,
        tokens=decoding.tokens,
        aal=round(decoding.aal, 3) if page.decoding else None,
        accepted=decoding.accepted_by_source,
        region_tokens=decoding.region_tokens,
        resized=decoding.resized,
        chosen=decoding.chosen,
    )


def document_entry(result: DocumentResult, seconds: dict[str, float], **about: Any) -> JournalEntry:
    """Return the journal's line for a document that has ended, the `seconds` of each output and more `about` it."""
    assert result.status != "unfinished"  # which is for the summary of a run that has ended already
    said = msgspec.structs.asdict(result) | about | {"page": None, "seconds": seconds | {"total": result.seconds}}
    del said["resumed"]
    return JournalEntry(**said)


def _digest(parts: list[object]) -> str:
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:24]
