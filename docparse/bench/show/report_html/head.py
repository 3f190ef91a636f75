"""What a report says before its tables: what was run, on what, and the numbers that matter most."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docparse.bench.report import Report
from docparse.bench.rows import AR
from docparse.bench.show.cells import FEW, MARK
from docparse.bench.show.headline import Headline, headlines
from docparse.bench.show.report_html.chapter import Chapter
from docparse.bench.show.throughput import best

DRAFTS = {
    "pipeline": "drafts by docparse's pipeline, their cost included",
    "ocr": "drafts by docparse's pipeline, told to read pixels, their cost included",
    "truth": "drafts are the true text, which nobody has",
    "oracle": "oracle drafts: plain decoding's own output",
    "none": "no drafts",
}


def lead(report: Report) -> str:
    count = report.pages
    pages = f"{count} page{'s' * (count != 1)}"
    damage = f", damaged on purpose: {report.damage}" if report.damage else ""
    drafts = f"{DRAFTS.get(report.drafts, report.drafts)}{damage}"
    if report.throughput:
        drafts = drafts.replace("their cost included", "their cost told apart")
    return f"{len(report.methods)} methods on {pages} of {report.data}; {drafts}"


def conditions(report: Report) -> str:
    """The machine and the models, in a line."""
    machine = report.machine
    parts = [machine.get("gpu", ""), machine.get("processor", "")]
    parts += [f"{name}: {machine[name]}" for name in ("cores", "threads") if name in machine]
    parts += [f"{each.name} in {each.dtype} on {each.device}" for each in report.models]
    return " · ".join(part for part in (*parts, report.date[:10]) if part)


def cards(report: Report, chapter: Chapter) -> Iterator[Headline]:
    """The headlines, and how well the model reads at all."""
    many = len(report.models) > 1
    loads = [best(report, chapter.throughput)] if chapter.throughput else []
    for each in [*loads, *headlines(report, chapter.measured)]:
        what = f"{chapter.model}: {each.what}" if many else each.what
        yield each._replace(what=what, note=re.sub(r" (?=[^\[]*\])", "\xa0", each.note))  # no break in an interval
    plain = next((each for each in chapter.overall if each.method == AR), None)
    if plain is None or plain.cer is None or chapter.measured.random_weights:
        return
    ends = plain.cer_interval
    mark = MARK if plain.pages < FEW else ""
    spread = f"[{100 * ends[0]:.1f} {100 * ends[1]:.1f}]{mark}, " if ends else ""
    what = f"character error rate of {AR}, plain decoding"
    yield Headline(
        f"{100 * plain.cer:.1f} %", f"{chapter.model}: {what}" if many else what, f"{spread}{plain.pages} pages"
    )
