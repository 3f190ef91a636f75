"""What has to be known of a report stands under its tables."""

import msgspec

from docparse.bench.rows import AR, PageFailure
from docparse.bench.show.remarks import remarks

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
