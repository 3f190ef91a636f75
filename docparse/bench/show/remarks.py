"""What is said of a report beside its tables, the same on the terminal, in Markdown and in the HTML file: the fastest
method that changes nothing and the fastest that loses little, and what has to be known before numbers are believed. No
method is praised that is not faster beyond chance, or had drafts or weights that nobody has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from docparse.accel.stack import parse_stack
from docparse.bench.report import Measured, Report, Unfinished
from docparse.bench.report_tables import FEW_PAGES, MARK, ReportColumn
from docparse.bench.rows import AR, OVERALL, Throughput
from docparse.bench.summaries import COLUMNS, Summary
from docparse.sizes import counted

UNREAL = {"oracle": "drafts are plain decoding's own output", "truth": "drafts are the true text, at no cost"}
BUSY = 1.5  # times as long as so many passes over one token each, and a pass over several was held up by other work
NOISE = 1.05  # times SR_decode: more end to end comes from the prefill, which only pruning makes shorter
POINT = 0.01  # of character error rate, or of the edit distance to plain decoding's text
MISREAD = 0.5  # character error rate of plain decoding, from which numbers beside it say little
NONE = "none"
MANY_TRIED = 4  # methods: the best of more is likely one that had luck
TOO_FEW = 10  # pages, to say anything about others
SHORTER = 0.9  # of plain decoding's tokens: less, and a speedup is that of a shorter text
CUT = {"length": "cut by --max-tokens or a region's room", "loop": "cut in a loop"}  # how outputs ended -> in words


class Headline(NamedTuple):
    """A number, what it is, and what has to be known beside it."""

    figure: str
    what: str
    note: str


def headlines(report: Report, model: Measured) -> Iterator[Headline]:
    """Yield the headlines of one model: the most pages a minute, where that was measured; else of what every page was
    read by, or why there can be none."""
    yield from (_best_load(report, load) for load in report.throughput if load.model == model.name)
    if reason := unearned(report, model):
        yield Headline(NONE, "no headline", reason)
        return
    overall = report.summaries(model.name, OVERALL)
    most = max((each.pages for each in overall), default=0)
    whole = (each for each in overall if each.pages == most)  # what failed on a page was spared its seconds
    others = [each for each in whole if each.method != AR]
    exact = [each for each in others if each.method in report.lossless]
    lossy = [each for each in others if each.method not in report.lossless]
    kept = [each for each in exact if each.identical == 1]
    if exact:
        lack = f"no lossless method wrote {AR}'s own text"
        yield _fastest(kept, f"lossless method ({AR}'s own text)", lack, report, exact)
    if lossy:
        near = [each for each in lossy if each.cost <= POINT]
        what = f"CER of {AR}'s" if lossy[0].lost is not None else f"{AR}'s text by edit distance"
        near_it = f"within 1 point of {what}"
        yield _fastest(near, f"lossy method {near_it}", f"no lossy method stays {near_it}", report, lossy)


def unearned(report: Report, model: Measured) -> str:
    """Return why nothing can be praised in this report, whatever its numbers; "" where something can."""
    if model.random_weights:
        return "the weights are random: this shows speed and exactness; the text means nothing, real drafts fail"
    if report.drafts in UNREAL:
        return f"{UNREAL[report.drafts]}, which no real run has"
    plain = [each for each in report.summaries(model.name, OVERALL) if each.method == AR]
    if any(each.cer is not None and each.cer > MISREAD for each in plain):
        return f"{AR} itself misreads more than {MISREAD:.0%} of the characters: no gain or loss beside it says much"
    took = model.pass_milliseconds
    held_up = [count for count in took if took[count] > BUSY * count * took.get(1, took[count])]
    if held_up:
        many = held_up[0]
        several, one = f"{took[many]:.0f} ms", f"{took[1]:.0f} ms"
        return f"the machine was busy: a pass over {many} tokens took {several}, one over 1 token took {one}"
    return ""


def _fastest(candidates: Sequence[Summary], what: str, lack: str, report: Report, tried: Sequence[Summary]) -> Headline:
    """Return the fastest candidate among what was tried; where none is faster, the nearest. `lack` says that there is
    no candidate."""
    best = max(candidates or tried, key=lambda each: each.sr_e2e)
    told = f"{best.method}, {_told(best, report)}"
    if not candidates:
        return Headline(NONE, lack, f"fastest anyway is {told}")
    if min(best.sr_e2e, best.sr_decode) <= 1:
        return Headline(NONE, f"no {what} was faster than {AR}", f"nearest: {told}")
    if best.sr_e2e_interval and best.sr_e2e_interval[0] <= 1:
        return Headline(NONE, f"no {what} was faster than {AR} beyond chance", f"nearest: {told}")
    if best.sr_e2e > NOISE * best.sr_decode and not parse_stack(report.methods[best.method]).pruning:
        return Headline(NONE, f"no {what}: only its prefill was faster, which is noise", f"nearest: {told}")
    chosen = f"; chosen as the best of {len(tried)}, so probably too high" if len(tried) > MANY_TRIED else ""
    return Headline(f"{best.sr_e2e:.2f}×", f"fastest {what}: {best.method}", f"{_told(best, report)}{chosen}")


def _told(each: Summary, report: Report) -> str:
    """End to end and decoding with their intervals, what it costs, and on what."""
    parts = [f"end to end {COLUMNS['sr_e2e'].cell(each)}", f"decoding {COLUMNS['sr_decode'].cell(each)}"]
    if each.method not in report.lossless:
        points = COLUMNS["lost"].cell(each)
        parts.append(f"{points} points of CER" if points.text else f"edit distance {100 * each.distance:.1f} %")
        if each.cost <= POINT and each.lost_interval and each.lost_interval[1] > POINT:
            parts.append("not certainly within 1 point")
    if each.drafted:
        parts.append(f"{report.drafted} drafts")
    parts.append(counted(each.pages, "page"))
    return ", ".join(parts)


def _best_load(report: Report, load: Throughput) -> Headline:
    """Return the most pages a minute among what read all pages, beside plain decoding's most."""
    whole = [each for each in load.points if each.pages == load.pages]
    first = max(whole, key=lambda each: each.pages_per_minute)
    plain = max((each for each in whole if each.method == AR), key=lambda each: each.pages_per_minute)
    parts = [f"{first.pages_per_minute:.1f} pages/min", f"{first.speedup:.2f}× {AR} at batch size 1"]
    if first.method != AR:
        ratio = first.pages_per_minute / plain.pages_per_minute
        parts.append(f"{ratio:.2f}× the most of {AR} ({plain.pages_per_minute:.1f}, batch size {plain.batch})")
        parts.append(f"{report.drafted} drafts, their cost apart")
    parts.append(f"a page in {first.latency:.2f} s")
    same = f"{first.different} of {first.pages} outputs differ" if first.different else "all outputs identical"
    parts.append(f"{same}, {counted(first.pages, 'page')}")
    what = f"most pages a minute: {first.method}, batch size {first.batch}"
    return Headline(f"{first.speedup:.2f}×", what, ", ".join(parts))


def terms(report: Report, columns: Iterable[ReportColumn] = ()) -> str:
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
    """Yield what a model's weights, tokens and calibration make of the numbers; methods whose numbers are not of all
    pages, outputs that ended before the model was done, what `auto` took, and who writes less than plain decoding."""
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
