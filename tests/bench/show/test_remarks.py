"""What is said first of a report: nothing that is not faster, nothing without its interval and its price; and what has
to be known of it stands under its tables."""

import msgspec
import pytest

from docparse.bench.rows import AR, PageFailure
from docparse.bench.show.remarks import headlines, remarks

PAGES = [str(number) for number in range(6)]
DRAFTED = {"proposed_by_source": {"ocr": 50}, "accepted_by_source": {"ocr": 20}}


@pytest.fixture
def said(row, report_of):
    """`said(hsd=(seconds, cer), ...)` -> the headlines of these methods beside plain decoding: 9 s, 10 %."""

    def of(drafts="pipeline", truth=True, **methods):
        rows = [
            row(
                *(page, name),
                decode=seconds,
                cer=cer if truth else None,
                identical=cer == 0.1,
                distance=abs(cer - 0.1),
                **(DRAFTED if name == "hsd" else {}),
            )
            for page in PAGES
            for name, (seconds, cer) in {AR: (9.0, 0.1), **methods}.items()
        ]
        report = report_of(rows, drafts=drafts)
        return list(headlines(report, report.models[0]))

    return of


def test_the_fastest_lossless_method_comes_with_interval_pages_and_drafts(said):
    (each,) = said(hsd=(4.0, 0.1))
    assert each.figure == "2.00×"
    assert each.what == "fastest lossless method (ar's own text): hsd"
    assert each.note == "end to end 2.00 [2.00 2.00], decoding 2.25 [2.25 2.25], pipeline drafts, 6 pages"


BUSY = {"pass_milliseconds": {1: 193.0, 4: 3344.0, 64: 3344.0}}  # four tokens cannot take seventeen times as long
QUIET = {"pass_milliseconds": {1: 33.0, 4: 80.0, 64: 900.0}}


@pytest.mark.parametrize(
    ("cer", "drafts", "model", "why"),
    [
        (0.1, "oracle", {}, "drafts are plain decoding's own output, which no real run has"),
        (0.1, "truth", {}, "drafts are the true text, at no cost, which no real run has"),
        (0.6, "pipeline", {}, "ar itself misreads more than 50% of the characters"),
        (0.1, "pipeline", BUSY, "was busy: a pass over 4 tokens took 3344 ms, one over 1 token took 193 ms"),
        (0.1, "pipeline", {"random_weights": True}, "the weights are random"),
        (0.1, "pipeline", QUIET, ""),
    ],
)
def test_a_headline_is_earned(row, report_of, cer, drafts, model, why):
    rows = [row(page, name, decode=seconds, cer=cer) for page in PAGES for name, seconds in ((AR, 9.0), ("hsd", 4.0))]
    report = report_of(rows, drafts=drafts)
    (each,) = headlines(report, msgspec.structs.replace(report.models[0], **model))
    assert (each.figure == "none" and why in each.note) if why else each.figure == "2.00×"


def test_a_prefill_that_was_timed_quicker_by_chance_earns_no_headline(row, report_of):
    """Only pruning makes a prefill shorter."""
    timed = {AR: (9.0, 9.0), "hsd": (3.0, 8.0), "rtprune": (3.0, 8.0)}
    rows = [row(page, name, picture=timed[name][0], decode=timed[name][1]) for page in PAGES for name in timed]
    lossless, lossy = headlines(report := report_of(rows), report.models[0])
    assert lossless.figure == "none" and "which is noise" in lossless.what
    assert lossy.what.endswith(": rtprune")


@pytest.mark.parametrize("seconds", [9.0, 15.0])
def test_a_method_that_is_not_faster_is_no_headline(said, seconds):
    lossless, lossy = said(hsd=(seconds, 0.1), h2o=(seconds, 0.1))
    assert (lossless.figure, lossless.what) == ("none", "no lossless method (ar's own text) was faster than ar")
    assert lossy.what.endswith("was faster than ar") and "nearest: h2o, end to end" in lossy.note


def test_a_speedup_that_chance_explains_is_no_headline(row, report_of):
    rows = [row(page, AR, decode=9.0) for page in PAGES]
    rows += [row(page, "hsd", decode=4.0 if page == "0" else 9.5) for page in PAGES]
    (each,) = headlines(report := report_of(rows), report.models[0])
    assert (each.figure, each.what) == ("none", "no lossless method (ar's own text) was faster than ar beyond chance")
    assert each.note.startswith("nearest: hsd, end to end 1.0")


NEAR = "within 1 point of CER of ar's"
MANY = {f"h2o(budget=0.{number})": (4.0, 0.1) for number in range(1, 6)}


@pytest.mark.parametrize(
    "methods, figure, what, note",
    [
        ({"h2o": (1.0, 0.15)}, "none", f"no lossy method stays {NEAR}", "h2o, end to end 5.00"),
        ({"h2o": (1.0, 0.15)}, "none", f"no lossy method stays {NEAR}", "+5.0 [+5.0 +5.0] points of CER"),
        ({"h2o": (1.0, 0.15), "snapkv": (4.0, 0.105)}, "2.00×", f"{NEAR}: snapkv", "+0.5 [+0.5 +0.5] points of CER"),
        ({"h2o": (1.0, 0.15), "truth": False}, "none", "by edit distance", "edit distance 5.0 %"),
        ({"hsd": (4.0, 0.11)}, "none", "no lossless method wrote ar's own text", "fastest anyway is hsd"),
        (MANY, "2.00×", "fastest lossy", "chosen as the best of 5, so probably too high"),
    ],
)
def test_speed_that_costs_accuracy_is_not_praised_and_its_price_is_told(said, methods, figure, what, note):
    (each,) = said(**methods)
    assert each.figure == figure and what in each.what and note in each.note


def test_a_price_that_may_be_higher_is_told_so(row, report_of):
    lost = dict(zip(PAGES, (-0.05, -0.05, 0.0, 0.0, 0.02, 0.1), strict=True))
    rows = [row(page, AR, decode=9.0, cer=0.1) for page in PAGES]
    rows += [row(page, "h2o", decode=4.0, cer=0.1 + lost[page], identical=False) for page in PAGES]
    report = report_of(rows)
    (each,) = headlines(report, report.models[0])
    assert each.what.endswith("h2o")
    assert "points of CER, not certainly within 1 point" in each.note


def test_a_method_that_failed_on_a_page_is_no_headline(row, report_of):
    rows = [row(page, AR, decode=9.0) for page in PAGES] + [row(page, "hsd", decode=1.0) for page in PAGES[1:]]
    report = report_of(rows)
    assert list(headlines(report, report.models[0])) == []
    slower = report_of(rows + [row(page, "hsd(n=4)", decode=4.0) for page in PAGES], lossless=(AR, "hsd", "hsd(n=4)"))
    (each,) = headlines(slower, slower.models[0])
    assert each.what.endswith(": hsd(n=4)")


HSD, NONE = "hsd (drafts from text-layer)", "none (little or nothing to draft)"


def test_it_is_said_what_auto_took_and_how_often(row, report_of):
    rows = [row(page, AR, decode=1.0) for page in "abcd"]
    rows += [row(page, "auto", decode=1.0, chosen=NONE if page == "d" else HSD) for page in "abcd"]
    found = report_of(rows)
    assert found.summary[1].chosen == {HSD: 3, NONE: 1}
    assert f"auto took, of the pages (m): 75% {HSD}, 25% {NONE}." in remarks(found)


def test_outputs_that_were_cut_are_counted(row, report_of):
    rows = [row("a", AR, decode=1.0, endings=("length",)), row("b", AR, decode=1.0)]
    same = [*rows, row("a", "hsd", decode=1.0, endings=("length",)), row("b", "hsd", decode=1.0)]
    (said,) = (line for line in remarks(report_of(same)) if "cut" in line)
    assert said.startswith("m: cut by --max-tokens or a region's room, with ar 1 of 2 pages:")
    more = [*rows, *(row(page, "fast", decode=1.0, endings=("stop", "loop")) for page in "ab")]
    cut, looped = (line for line in remarks(report_of(more)) if "cut" in line)
    assert "with ar 1 of 2 pages:" in cut
    assert "cut in a loop, with ar 0 of 2 pages, with fast 2" in looped


def test_what_makes_numbers_less_than_they_seem_is_said(row, report_of):
    found = report_of([row("a", AR), row("a", "h2o", tokens=30), row("a", "hsd", tokens=30), row("a", "rtprune")])
    said = list(remarks(found))
    assert "1 page: too few to generalise from." in said
    assert [line for line in said if "shorter text" in line] == [
        "m: part of a speedup is due to a shorter text. Of the tokens that ar writes: h2o 30%, hsd 30%."
    ]
    models = (msgspec.structs.replace(found.models[0], token_per_character=True),)
    word = "one token per character"
    assert word in " ".join(remarks(msgspec.structs.replace(found, models=models))) and word not in " ".join(said)


def test_methods_that_failed_are_told(row, report_of):
    rows = [row(page, method, decode=1.0) for page, method in (("a", AR), ("b", AR), ("a", "hsd"))]
    failed = [("b", "hsd", 0), ("b", "hsd", 1), ("c", AR, 0), ("d", AR, 0)]
    failures = tuple(PageFailure(model="m", page=page, method=name, run=run, error="no") for page, name, run in failed)
    said = list(remarks(report_of(rows, failures=failures)))
    assert "m: hsd failed on 1 page: its numbers are those of the others." in said
    assert "m: ar failed on 2 pages: no method was tried on them." in said


def test_only_an_interval_of_a_handful_of_pages_is_said_to_be_narrow_and_no_cut_where_there_was_none(row, report_of):
    few, enough = (
        list(remarks(report_of([row(page, name, decode=4.0) for page in pages for name in (AR, "hsd")])))
        for pages in ("abcd", "abcde")
    )
    assert any("too narrow to be believed" in line for line in few)
    assert not any(word in line for line in enough for word in ("too narrow to be believed", "cut", "took"))
