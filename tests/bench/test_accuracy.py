"""A perfect page scores perfectly; each kind of mistake moves its own number; what cannot be measured is None."""

from pathlib import Path

from docparse.bench import accuracy as module
from docparse.bench.accuracy import accuracy, missing
from docparse.bench.data.pages import BenchPage
from docparse.bench.data.sources import pages_from
from docparse.bench.rows import Accuracy
from docparse.bench.scoring.olmocr_bench import FILE
from docparse.bench.scoring.omnidocbench import Annotated

TABLE = "| a | b |\n| --- | --- |\n| c | d |"
FIRST = "The first paragraph is about apples and how they are grown."
SECOND = "A second one, on pears, follows after it and says much the same."
PAGE = BenchPage(Path("x.pdf"), 1, "text", "x.pdf", truth=f"# Fruit\n\n{FIRST}\n\n{TABLE}\n\n{SECOND}")


def test_the_true_markdown_of_every_builtin_page_is_without_error():
    for page in pages_from("builtin", 12):
        assert page.truth is not None
        found = accuracy(page, page.truth + "\n")
        assert (found.cer, found.edit) == (0, 0)
        assert found.order in (0, None) and found.teds in (1, None)


def test_an_empty_answer_has_everything_wrong_and_a_page_of_which_nothing_is_known_no_numbers():
    assert accuracy(PAGE, "") == Accuracy(cer=1, edit=1, teds=0, order=1)
    assert accuracy(BenchPage(Path("x.pdf"), 1, "text", "x.pdf"), "anything") == Accuracy()


def test_pages_of_omnidocbench_are_scored_against_its_annotation():
    annotation = (Annotated("text_block", 1, FIRST), Annotated("page_number", 0, "Page 17 of this book"))
    page = BenchPage(Path("x.jpg"), 1, "book", "x.jpg", truth=FIRST, annotation=annotation)
    found = accuracy(page, f"{FIRST}\n\nPage 17 of this book")
    assert (found.edit, found.order) == (0, 0)
    assert found.cer is not None and found.cer > 0  # the number is in the text, where it is not wanted


def test_without_the_packages_characters_are_compared_all_the_same(monkeypatch):
    assert missing(PAGE) == []
    monkeypatch.setattr(module, "STRUCTURE", ("no_such_package",))
    found = accuracy(PAGE, FIRST)
    assert (found.teds, found.order) == (None, None)
    assert found.cer is not None and found.edit is not None
    assert ["pip install" in note for note in missing(PAGE)] == [True]


def test_the_pages_own_tests_are_run_where_their_judge_is_installed(monkeypatch):
    tests = ({"type": "present", "text": "apples", FILE: "fruit"}, {"type": "present", "text": "bananas"})
    page = BenchPage(Path("x.pdf"), 1, "text", "x.pdf", tests=tests)
    monkeypatch.setattr(module, "_installed", lambda *packages: "olmocr" not in packages)
    assert accuracy(page, FIRST).tests is None
    assert any("olmocr" in note for note in missing(page))
    monkeypatch.setattr(module, "_installed", lambda *packages: True)
    monkeypatch.setattr(module, "run_test", lambda row, text: (row["text"] in text, "not there"))
    found = accuracy(page, FIRST)
    assert found.tests == (1, 2)
    assert sorted(found.tests_by_file) == ["fruit", "present"]  # what names no file goes by its type, as baselines do
