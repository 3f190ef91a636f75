"""What has to be known of a report before its numbers are believed, the same on the terminal and in the HTML file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from docparse.bench.columns import FEW_PAGES, MARK, Column
from docparse.bench.report import Measured, Report, Unfinished
from docparse.bench.rows import AR, OVERALL
from docparse.bench.summaries import COLUMNS
from docparse.sizes import counted

TOO_FEW = 10  # pages, to say anything about others
SHORTER = 0.9  # of plain decoding's tokens: less, and a speedup is that of a shorter text
CUT = {"length": "cut by --max-tokens or a region's room", "loop": "cut in a loop"}  # how outputs ended -> in words


def terms(report: Report, columns: Iterable[Column] = ()) -> str:
    """Return what has to be known before the first number, how intervals came about, and what columns are."""
    said = f"{AR}: plain decoding, a token per pass."
    first = (COLUMNS["cer"], COLUMNS["aal"]) if report.rows else ()
    if first:
        said += (
            f" SR (speedup ratio): seconds of {AR} over the method's, summed over pages, drafts included; in brackets "
            "95 % intervals over pages."
        )
    meant = {each.name: each.meaning for each in (*first, *columns) if each.meaning}
    return " ".join([said, *(f"{name}: {meaning}." for name, meaning in meant.items())])


def remarks(report: Report) -> Iterator[str]:
    """Yield remarks about a run that ended early, models, drafts, the number of pages and those that failed, what
    `auto` took, and outputs that are short."""
    if report.unfinished:
        yield f"This run is {unfinished(report.unfinished)}."
    for why, pages in Counter(report.left_out.values()).items():
        yield f"Pages left out, as plain decoding wrote {why}: {pages}."
    if report.pages < TOO_FEW:
        yield f"{counted(report.pages, 'page')}: too few to generalise from."
    if any(each["pages"] < FEW_PAGES and each["sr_e2e_interval"] for each in report.summary):
        yield f"{MARK}: an interval of fewer than {FEW_PAGES} pages, too narrow to be believed."
    for model in report.models:
        yield from _of_model(report, model)


def unfinished(early: Unfinished) -> str:
    read = ", ".join(f"{count} of {early.of} pages by {name}" for name, count in early.pages.items())
    return f"not finished ({early.why}): read were {read}"


def _of_model(report: Report, model: Measured) -> Iterator[str]:
    """What a model's weights, tokens and calibration make of the numbers; methods whose numbers are not of all pages,
    outputs that ended before the model was done, what `auto` took, and who writes less than plain decoding."""
    for source in model.presets.values():
        yield f"{model.name}, {source}."
    if model.token_per_character:
        yield (
            f"{model.name} writes one token per character, so acceptance lengths and speedups here are not "
            "comparable with those in papers, where a token is about four."
        )
    failed = _counted((each.method, each.page) for each in report.failures if each.model == model.name)
    for method, count in failed.items():
        which = "no method was tried on them" if method == AR else "its numbers are those of the others"
        yield f"{model.name}: {method} failed on {counted(count, 'page')}: {which}."
    rows = [row for row in report.rows if row.model == model.name]
    for ending, how in CUT.items() if not model.random_weights else ():  # whose outputs are all as long as they may be
        cut = _counted((row.method, row.page) for row in rows if ending in row.endings)
        if cut:
            plain, (worst, most) = cut.get(AR, 0), max(cut.items(), key=lambda item: item[1])
            others = f", with {worst} {most}" if most > plain else ""
            pages = counted(len({row.page for row in rows}), "page")
            yield f"{model.name}: {how}, with {AR} {plain} of {pages}{others}: their ends are missing."
    overall = report.summaries(model.name, OVERALL)
    for each in overall:
        if count := sum(each.chosen.values()):
            took = ", ".join(f"{times / count:.0%} {chosen}" for chosen, times in each.chosen.items())
            yield f"{each.method} took, of the pages ({model.name}): {took}."
    shorter = [each for each in overall if each.written is not None and each.written < SHORTER]
    if shorter:
        shares = ", ".join(f"{each.method} {each.written:.0%}" for each in shorter)
        yield f"{model.name}: part of a speedup is due to a shorter text. Of the tokens that {AR} writes: {shares}."


def _counted(found: Iterable[tuple[str, str]]) -> Counter[str]:
    return Counter(method for method, _ in dict.fromkeys(found))
