"""Endings: short pieces at the right edge stay on the line that they end, and columns stay columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import line, lines

from docparse.layout.text.endings import joined_endings, with_ends_of_proofs
from docparse.layout.text.groups import Group

TEXT = "a line of the text under it that is long"


def entries(names, dates, right=540.0):
    """A name, what ends its line, and text under it, every 60 points."""
    placed = [("Curriculum", 60, 40)]
    for i, (name, date) in enumerate(zip(names, dates, strict=True)):
        y = 100 + 60 * i
        placed += [(name, 60, y), (TEXT, 60, y + 14)] + [(date, right - 5 * len(date), y)] * bool(date)
    return [line(text, x, y, space=5.0) for text, x, y in [*placed, ("The last line", 60, 500)]]


NAMES, DATES = ["Engineer", "Drawer", "Clerk"], ["2019-2024", "2014-2019", "to 2014"]
PAGES = {  # names, what stands at the right, and whether these are joined
    "dates of a résumé": (NAMES, DATES, True),
    "one alone": (NAMES, ["2019-2024", "", ""], False),
    "longer words": (NAMES, ["one two three four five"] * 3, False),
}


@pytest.mark.parametrize("names, dates, whole", PAGES.values(), ids=PAGES)
def test_what_stands_at_the_right_edge_is_of_the_line_on_its_left(names, dates, whole):
    said = [each.text for each in joined_endings(entries(names, dates))]
    assert [f"{name} {date}" in said for name, date in zip(names, dates, strict=True)] == [whole] * len(names)


@pytest.mark.parametrize("dates", [("Aug 2012 – Dec 2013", "May 2010"), ("2012–2013", "2010")])
def test_a_place_over_a_date_ends_two_lines(dates):
    pairs = list(zip(["Bergen, Norway", "Lima, Peru"], dates, strict=True))
    page, left = [line("Curriculum", 60, 40)], [["Engineer", "of bridges"], ["Drawer", "of maps"]]
    for i, (pair, own) in enumerate(zip(pairs, left, strict=True)):
        for k in range(2):
            y = 100 + 60 * i + 14 * k
            page += [line(own[k], 60, y, space=5.0), line(pair[k], 540 - 5 * len(pair[k]), y, space=5.0)]
    page.append(line("The last line", 60, 500))
    said = [each.text for each in joined_endings(page)]
    assert said[1:-1] == [f"{own} {end}" for pair, each in zip(pairs, left, strict=True)
                          for own, end in zip(each, pair, strict=True)]  # fmt: skip


@pytest.mark.parametrize("date, whole", [("2014 – now", True), ("by appointment", False)])
def test_a_year_ends_its_line_where_another_ends_a_whole_one(date, whole):
    page = [*entries(["Engineer"], [date]), line("Drawer of maps in Bergen 2001 – 2014", 60, 200, right=540)]
    page += [line(TEXT, 60, 214, space=5.0)]
    assert (f"Engineer {date}" in [each.text for each in joined_endings(page)]) is whole


PROOF = ["a line of a proof that reaches the right margin of it", "and ends here."]


@pytest.mark.parametrize(
    "mark, x, y, joined",
    [
        ("□", 320, 112, True),
        ("■", 320, 112, True),
        ("□", 320, 124, False),  # on a line of its own
        ("17", 320, 112, False),
        ("□", 700, 112, False),  # in another column
    ],
)
def test_the_box_at_the_right_margin_ends_the_proof_on_its_left(mark, x, y, joined):
    proof, other = Group(lines(PROOF)), Group(lines(["a line of the column beside"] * 2, x=600, top=140))
    end = Group([line(mark, x, y)])
    said = [group.text for group in with_ends_of_proofs([proof, end, other])]
    whole = [f"{proof.text} {mark}"] if joined else [proof.text, mark]
    assert said == [*whole, other.text]


@pytest.mark.parametrize(
    "boxes",
    [[("□", 320), ("□", 340), ("□", 360)], [("□", 320), ("Yes", 330)]],
    ids=["a row of boxes to tick", "a box before its word"],
)
def test_boxes_that_end_no_proof_stay_where_they_are(boxes):
    said = [Group(lines(PROOF)), *(Group([line(text, x, 112)]) for text, x in boxes)]
    assert with_ends_of_proofs(said) == said


def test_a_column_of_its_own_is_left_alone():
    """Lines under each other at the right, as an address has them, belong together."""
    address = [line(text, 540 - 5 * len(text), 100 + 14 * i, space=5.0) for i, text in enumerate(DATES)]
    page = [*entries(NAMES, [""] * 3), *address]
    assert {each.text for each in joined_endings(page)} == {each.text for each in page}


def test_headings_of_columns_or_cards_side_by_side_are_left_alone():
    page = [line("A title", 60, 40)]
    for y in (100, 200):
        page += [line("Waves", 60, y), line("Light", 300, y)]
        page += [line("text of the left card under it", 60, y + 30), line("text of the right card under", 300, y + 30)]
    page.append(line("The last line", 60, 300))
    assert len(joined_endings(page)) == len(page)


def test_running_titles_and_page_numbers_are_left_alone():
    rows = [line(text, x, y) for y in (40, 700) for text, x in (("A title", 60), ("17", 530))]
    assert len(joined_endings(rows)) == 4


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 60), st.text("a□", min_size=1, max_size=9)), max_size=12))
def test_every_word_is_there_once(places):
    page = [line(text, x, 12 * y) for x, y, text in places]
    words = sorted(word.text for each in joined_endings(page) for word in each.words)
    assert words == sorted(text for _, _, text in places)


def test_answers_in_a_row_are_no_endings_and_none_is_there_twice():
    page = [line("A title", 60, 40)]
    for y in (100, 160, 220):
        page += [line("Which one is it", 60, y - 20, space=5.0)]
        page += [line(f"({mark}) {y + i}", 60 + 80 * i, y, space=5.0) for i, mark in enumerate("ABCD")]
    page.append(line("The last line", 60, 500))
    assert sorted(each.text for each in joined_endings(page)) == sorted(each.text for each in page)
