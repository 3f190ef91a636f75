"""The numbers of lines in the margin are no text."""

import pytest
from typeset import lines, numbered, row, word, words_in

from docparse.layout.kinds.line_numbers import without_line_numbers

PROSE = words_in(*lines(["a line of prose that is long enough to be read"] * 8, 60, 100))


def margin(values, x=40, size=6.0, right=False):
    made = [word(str(value), x, 100 + 12 * i, size) for i, value in enumerate(values)]
    return [word(w.text, x - w.box.width, w.baseline, size) for w in made] if right else made


OUTSIDE = {
    "every line": margin(range(8, 12), 50, right=True),
    "every fifth": margin([5, 10, 15]),
    "a size smaller, rounded": margin([5, 10, 15], 40, 9.01),
    "in columns that would be rounded apart": [
        word(str(20 + i), 40.3 + 0.4 * (i % 2), 100 + 12 * i, 6.0) for i in range(4)],
    "at the right": margin([1, 2, 3, 4], 330),
    "both sides": [*margin([1, 2, 3]), *margin([4, 5, 6], 330)],
    "raised, on every line": [word(str(n), 40, 86 + 12 * n, 5) for n in range(1, 9)],
}  # fmt: skip


TOLD = ["THE WITNESS: I came in at five in the", "morning because the belt had run over", "to one side.",
        "COUNSEL: Tell us what you did then, in", "your own words."]  # fmt: skip


@pytest.mark.parametrize("lean", [0, 0.25])
def test_numbers_in_the_type_of_the_text_go_where_sentences_run_on_from_line_to_line(lean):
    numbers = [word(str(n), 40 + lean * n, 88 + 12 * n, 10.0) for n in range(1, 17)]
    words = numbered([*numbers, *words_in(*lines(TOLD * 3, 60, 100))])
    assert without_line_numbers(words) == words[16:]


COURTS = {  # which numbers have text beside them, how far every third is indented, a line between, whether they go
    "to half of them, indented": (range(17), 36, False, True),
    "to half of them, at one margin": (range(17), 0, False, False),
    "to half of them, with one between two": (range(17), 0, True, True),
    "to each": (range(28), 36, True, False),
    "to all but some amid them": ([k for k in range(28) if k % 7 != 3], 36, False, False),
}


@pytest.mark.parametrize("beside, indent, between, gone", COURTS.values(), ids=COURTS)
def test_the_numbers_of_the_paper_of_courts_go_where_the_text_is_no_list_with_blank_rows(beside, indent, between, gone):
    numbers = [word(str(n), 40 - 5 * (n > 9), 76 + 24 * n, 12.0) for n in range(1, 29)]
    texts = ["COME NOW the parties to this motion", "Notice is given to all counsel of record"]
    rows = [row(texts[k % 2], 60 + indent * (k % 3 == 0), 100 + 24 * k, 12.0) for k in beside]
    rows += [row(texts[0], 60, 112, 12.0)] * between
    words = numbered([*numbers, *(each for cells in rows for each in cells)])
    assert without_line_numbers(words) == words[28 * gone :]


@pytest.mark.parametrize(
    "texts",
    [["haus", "gehen", "Baum", "und"], ["numpy fast arrays 9000", "django of the web 8963", "Flask small web 77"]],
)
def test_the_numbers_of_a_list_of_names_and_of_the_rows_of_a_table_stay(texts):
    numbers = [word(str(n), 40, 88 + 12 * n, 10.0) for n in range(1, 25)]
    rows = [row(texts[k % len(texts)], 60, 100 + 12 * k, space=30, right=330) for k in range(24)]
    words = numbered([*numbers, *(each for cells in rows for each in cells)])
    assert without_line_numbers(words) == words


@pytest.mark.parametrize("text, gone", [("of prose that is long enough", 6), ("oats", 0)], ids=["prose", "names"])
def test_small_numbers_that_count_between_two_columns_go_where_these_are_prose(text, gone):
    columns = [row(text, x, 100 + 12 * k) for k in range(30) for x in (60, 260)]
    numbers = [word(str(5 * k), 240 - (k == 1), 100 + 60 * k, 6.0, width=4 + 2 * (k > 1)) for k in range(1, 7)]
    words = numbered([*numbers, *(each for cells in columns for each in cells)])
    assert without_line_numbers(words) == words[gone:]


LONG = words_in(*lines(["a line of prose that is long enough to be read"] * 40, 260, 100))
FOOT = row("a running foot that begins further out and is as long as other lines are", 20, 600)


def test_a_running_foot_may_stand_further_out_than_the_numbers_of_lines():
    words = numbered([*margin(range(1, 41), 240), *LONG, *FOOT])
    assert without_line_numbers(words) == words[40:]


@pytest.mark.parametrize("numbers", OUTSIDE.values(), ids=OUTSIDE)
def test_small_numbers_that_count_outside_of_the_text_go(numbers):
    assert without_line_numbers(numbered([*numbers, *PROSE])) == numbered([*numbers, *PROSE])[len(numbers) :]


ROWS = lines(["a row of a table"] * 25, 60, 100)
BETWEEN = [*lines(["a cell of", "two lines"], 60, 94), *ROWS[1:]]
KEPT = {
    "in the type of the text": [*margin([1, 2, 3], 40, 10.0), *PROSE],
    "of notes, flush with the text": [*margin([1, 2, 3], 60), *PROSE],
    "of notes, raised before their first lines": [*(word(str(n), 40, 73 + 24 * n, 6.0) for n in (1, 2, 3)), *PROSE],
    "of a scale": [*margin([30, 20, 10]), *PROSE],
    "years": [*margin([1912, 1968, 2004]), *PROSE],
    "too few": [*margin([1, 2]), *PROSE],
    "one for every row, which end where they like": [
        *margin(range(1, 16), 40, 10.0),
        *words_in(*lines(["The witness", "morning", "of the tides and the moon"] * 5)),
    ],
    "one for every row": [*margin(range(1, 26), 40, 10.0), *words_in(*ROWS)],
    "one for every row, the first of two lines": [*margin(range(1, 26), 40, 10.0), *words_in(*BETWEEN)],
}


@pytest.mark.parametrize("words", KEPT.values(), ids=KEPT)
def test_other_numbers_stay(words):
    assert without_line_numbers(numbered(words)) == numbered(words)


@pytest.mark.parametrize("x, gone", [(10, True), (60, False)], ids=["in the margin", "among the text"])
def test_the_prompts_of_a_notebook_go_where_they_stand_outside_of_the_text(x, gone):
    prompts = [word("In", x, 106), word("[12]:", x + 15, 106, width=25), word("Out[12]:", x, 142, width=40)]
    left = without_line_numbers(numbered([*prompts, *PROSE]))
    assert [each.text for each in left] == [each.text for each in [*prompts * (not gone), *PROSE]]
