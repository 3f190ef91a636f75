"""The race: in which order pages are read, with which drafts, and what happens where a method fails."""

import logging
import time
from dataclasses import replace

import msgspec
import pytest

from docparse.accel.costs import CostCurve, PassCosts
from docparse.bench.race import Race
from docparse.bench.rows import AR, Accuracy, PageFailure
from docparse.errors import DeviceLost, PageError
from docparse.layout.reader import Stopwatch
from docparse.types import Block, Box, Category, Span
from docparse.vlm.reader import VlmReader

WORDS = "The last words of a page that nobody has read before."


def order(results):
    return [(each.page.rpartition(":")[2], each.run, each.method) for each in results]


def test_rows_are_interleaved_page_by_page_and_run_by_run(race_of, three_pages):
    found = list(race_of("hsd", "lookup", drafts="oracle", runs=2).rows(three_pages[:2]))
    assert order(found) == [(page, run, name) for page in "12" for run in (0, 1) for name in (AR, "hsd", "lookup")]
    assert all(row.identical and row.distance == 0 for row in found)
    assert {row.model for row in found} == {"twin"}


def test_a_method_that_fails_on_a_page_is_reported_and_the_others_go_on(race_of, three_pages, monkeypatch, caplog):
    caplog.set_level(logging.DEBUG, logger="docparse")
    race = race_of("hsd", "lookup", drafts="oracle")
    failing_on(monkeypatch, "hsd", three_pages[0], ValueError("no such\ntoken"))
    found = list(race.rows(three_pages[:2]))
    assert order(found) == [(page, 0, name) for page in "12" for name in (AR, "hsd", "lookup")]
    failure = PageFailure(
        model="twin", page=three_pages[0].name, method="hsd", run=0, error="ValueError: no such token"
    )
    assert [each for each in found if isinstance(each, PageFailure)] == [found[1]] == [failure]
    assert "Traceback" in caplog.text


def test_a_device_that_is_lost_is_no_matter_of_one_method(race_of, three_pages, monkeypatch):
    failing_on(monkeypatch, "hsd", three_pages[0], DeviceLost("the device failed"))
    with pytest.raises(DeviceLost):
        list(race_of("hsd", drafts="oracle").rows(three_pages))


@pytest.mark.parametrize("step", ["attempt", "accuracy"])
def test_a_page_that_plain_decoding_cannot_read_or_nobody_can_score_is_left_out(
    race_of, three_pages, monkeypatch, step
):
    def unscored(page, text):
        if page == three_pages[0]:
            raise RecursionError("a table in a table")
        return Accuracy()

    if step == "attempt":
        failing_on(monkeypatch, AR, three_pages[0], PageError("page 1: no numbers"))
    else:
        monkeypatch.setattr("docparse.bench.race.accuracy", unscored)
    failure, *rows = race_of("hsd", drafts="oracle").rows(three_pages[:2])
    told = {"attempt": "page 1: no numbers", "accuracy": "RecursionError: a table in a table"}
    assert failure.error == told[step]
    assert order(rows) == [("2", 0, AR), ("2", 0, "hsd")]


def failing_on(monkeypatch, method, failing, error):
    usual = Race.attempt

    def attempt(self, page, name, plain=None):
        if name == method and page == failing:
            raise error
        return usual(self, page, name, plain)

    monkeypatch.setattr(Race, "attempt", attempt)


def test_a_warm_up_writes_the_beginning_of_a_page_by_every_method_and_leaves_failures_for_later(
    race_of, three_pages, monkeypatch
):
    failing_on(monkeypatch, "lookup", three_pages[0], ValueError("broken"))
    usual, written = Race.attempt, []

    def attempt(self, page, name, plain=None):
        written.append((name, bool(plain)))
        found = usual(self, page, name, plain)
        written[-1] = (*written[-1], sum(map(len, found.tokens)))
        return found

    monkeypatch.setattr(Race, "attempt", attempt)
    monkeypatch.setattr("docparse.bench.race.BEGINNING", 5)
    assert race_of("lookup", "hsd", drafts="oracle").warm_up(three_pages) > 0
    assert written == [(AR, False, 5), ("lookup", True), ("hsd", True, 5)]


@pytest.mark.parametrize(("drafts", "reads"), [("pipeline", [1, 1, 3]), ("oracle", [])])
def test_a_warm_up_reads_a_page_of_each_category_that_drafts_are_made_of(
    race_of, three_pages, monkeypatch, drafts, reads
):
    race, seen = race_of("hsd", drafts=drafts), []
    usual = race.pipeline.read
    monkeypatch.setattr(race.pipeline, "read", lambda content: seen.append(content.number) or usual(content))
    race.warm_up([*three_pages[:2], replace(three_pages[2], category="scan")])
    assert sorted(seen) == reads  # of the first page the drafts as well


def test_time_that_no_stage_has_is_that_of_decoding(race_of, three_pages, monkeypatch):
    usual = VlmReader.write

    def slow(self, views):
        time.sleep(0.2)
        return usual(self, views)

    monkeypatch.setattr(VlmReader, "write", slow)
    (plain,) = race_of().rows(three_pages[:1])
    assert plain.seconds["decode"] >= 0.2
    assert plain.decoding <= plain.total


def sources(rows):
    return {source for row in rows for source in row.proposed_by_source}


@pytest.mark.parametrize(
    ("drafts", "own"), [("pipeline", {"text-layer"}), ("oracle", {"oracle"}), ("truth", {"truth"}), ("none", set())]
)
def test_drafts_are_labelled_with_where_they_come_from(race_of, three_pages, drafts, own):
    true = Block(category=Category.TEXT, box=Box(10, 10, 200, 30), spans=(Span(text=WORDS),))
    page = replace(three_pages[0], blocks=(true,))
    plain, hsd = race_of("hsd", drafts=drafts).rows([page])
    assert sources([plain]) == set()
    assert sources([hsd]) - {"output"} == own


def test_the_pipeline_reads_for_who_drafts_and_for_nobody_else(race_of, three_pages, monkeypatch):
    race, reads = race_of("hsd", "lookup", "hsd(n=2)", drafts="pipeline"), []
    usual = race.pipeline.read
    monkeypatch.setattr(race.pipeline, "read", lambda content: reads.append(content) or usual(content))
    made = [(row.method, len(reads)) for row in race.rows(three_pages[:1])]
    assert made == [(AR, 0), ("hsd", 1), ("lookup", 1), ("hsd(n=2)", 2)]  # a draft's cost is its method's own


def test_of_a_page_read_by_regions_nobody_pays_for_words_but_who_drafts_from_them(race_of, three_pages, monkeypatch):
    race = race_of("hsd", "lookup", drafts="pipeline")
    usual = race.pipeline.read

    def reading(content):
        found = usual(content)
        return replace(found, page=msgspec.structs.replace(found.page, seconds={"ocr": 1000.0, "layout": 1.0}))

    monkeypatch.setattr(race.pipeline, "read", reading)
    monkeypatch.setattr(Race, "_whole", lambda *_: False)
    plain, hsd, lookup = race.rows(three_pages[:1])
    assert hsd.seconds["drafts"] > 0
    for other in (plain, lookup):
        assert other.seconds["drafts"] == pytest.approx(-1000, abs=100)  # of what was hardly a second


def test_auto_says_what_it_took_on_every_page(race_of, three_pages):
    race = race_of("auto", drafts="pipeline")
    free = PassCosts(lambda rows: CostCurve({1: 1.0, 64: 1.0}))  # a pass over many tokens costs what one over one does
    race.methods = {name: replace(each, costs=free) for name, each in race.methods.items()}
    plain, auto = race.rows(three_pages[:1])
    assert plain.chosen == ""
    assert auto.chosen == "hsd (drafts from text-layer)"


def test_true_blocks_that_nobody_wrote_down_are_a_failure(race_of, three_pages):
    _, hsd = race_of("hsd", drafts="truth").rows(three_pages[:1])
    assert "--drafts pipeline" in hsd.error


def test_damaged_drafts_are_accepted_less_and_change_nothing(race_of, three_pages):
    _, good = race_of("hsd", drafts="oracle").rows(three_pages[:1])
    _, bad = race_of("hsd", drafts="oracle", noise=0.5).rows(three_pages[:1])
    assert bad.identical
    assert bad.accepted_by_source.get("oracle", 0) < good.accepted_by_source["oracle"]


def test_boxes_of_drafts_are_moved_and_their_words_are_not(race_of, three_pages):
    races = [race_of("hsd", drafts="pipeline", jitter=jitter) for jitter in (0.0, 0.1)]
    with three_pages[0].open() as content:
        views = [race.view(three_pages[0], content, race.methods["hsd"], None, Stopwatch()) for race in races]
    plain, moved = (view.page.blocks for view in views)
    assert [block.text for block in moved] == [block.text for block in plain]
    assert all(new.box != old.box for new, old in zip(moved, plain, strict=True))


def test_what_is_written_is_kept_once_for_each_row(race_of, three_pages):
    race = race_of("hsd", drafts="oracle")
    race.keep = (kept := []).append
    race.warm_up(three_pages)
    list(race.rows(three_pages[:1]))
    assert [(output.model, output.method, output.page, output.run) for output in kept] == [
        ("twin", name, three_pages[0], 0) for name in (AR, "hsd")
    ]
    assert kept[0].markdown == kept[1].markdown


def test_sizes_tell_what_a_method_removed(race_of, three_pages):
    """Live rows, room that holds nothing and what the prefill needed are three numbers, not one."""
    stacks = ("rtprune:ratio=0.25", "aircache:budget=0.5", "vlcache:budget=0.1")
    plain, pruned, half, tenth = race_of(*stacks, drafts="none").rows(three_pages[:1])
    assert plain.kept_visual_tokens == plain.visual_tokens == pruned.visual_tokens
    assert pruned.kept_visual_tokens < plain.visual_tokens
    assert half.kept_visual_tokens == pytest.approx(0.5 * plain.visual_tokens, abs=1)
    assert half.attention_flops < plain.attention_flops
    assert tenth.kv_prompt_bytes / plain.kv_prompt_bytes == pytest.approx(0.1, abs=0.005)
    assert tenth.kv_prefill_bytes == plain.kv_prefill_bytes == plain.kv_prompt_bytes
    position = plain.kv_prompt_bytes / plain.prompt_tokens
    assert tenth.kv_bytes == tenth.kv_prompt_bytes + tenth.steps * position
    assert plain.kv_bytes + plain.kv_spare_bytes <= tenth.kv_bytes + tenth.kv_spare_bytes


def test_attention_costs_what_the_formula_says(race_of, three_pages):
    (plain,) = race_of(drafts="none").rows(three_pages[:1])
    config = race_of().vlm.text.config
    layers, hidden = config.num_hidden_layers, config.hidden_size
    passes = [8 * hidden**2 + 4 * (plain.prompt_tokens + i + 1) * hidden for i in range(plain.steps)]
    assert plain.attention_flops == layers * sum(passes)
