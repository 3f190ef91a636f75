"""Headings: what the model is asked, and what it says of pages whose headings anyone sees."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import SHEET, group, lines, rules, word

from docparse.layout.kinds.forest import shipped_forest
from docparse.layout.kinds.headings import COMPANY, company_of, headings_among, introduces, is_label
from docparse.layout.kinds.measures import look_of, measures_of, neighbours_of
from docparse.layout.kinds.style import page_style
from docparse.layout.text.groups import Group, groups_of
from docparse.layout.text.lines import Line
from docparse.types import Box

PROSE = [
    "The bulbs were in the ground until June, and so what was traded in the taverns",
    "of the town was a promise: a note that said who would hand over which bulb, at",
    "which weight, once it had been dug up. Nobody in the room had seen the flower.",
]
TITLES = ["How the trade began", "What the notaries wrote", "Prices in the last winter", "After the crash"]


def page(titles, *, gap=24, **style):
    """A page of paragraphs, each under a title in some style."""
    found, y = [], 80
    for title in titles:
        found += [group(title, top=y, **style), group(*PROSE, top=y + gap)]
        y += gap + 70
    return found


def told(groups, *, noisy=False, rulings=None):
    rulings = rules() if rulings is None else rulings
    style = page_style(groups, SHEET)
    beside = neighbours_of(groups)
    return headings_among(groups, beside, measures_of(groups, beside, style, rulings, np.zeros((0, 4)), noisy=noisy))


def measured(groups, rulings):
    style = page_style(groups, SHEET)
    return measures_of(groups, neighbours_of(groups), style, rulings, np.zeros((0, 4)), noisy=False)


STYLES = {
    "bold": {"bold": True},
    "larger": {"size": 14.0},
    "large and bold": {"size": 16.0, "bold": True},
    "bold in small type": {"size": 9.5, "bold": True},
}


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@pytest.mark.parametrize("number", ["", "{}. ", "2.{} "])
@pytest.mark.parametrize("noisy", [False, True], ids=["text layer", "pixels"])
def test_titles_that_stand_out_over_paragraphs_are_headings_and_these_are_none(style, number, noisy):
    groups = page([number.format(k) + title for k, title in enumerate(TITLES, 1)], **style)
    assert told(groups, noisy=noisy) == [True, False] * len(TITLES)


def test_paragraphs_alone_and_sentences_in_bold_are_no_headings():
    assert not any(told(page(["This is a sentence of its own, and it says something."] * 4)))
    assert not any(told([group(*PROSE, top=80 + 60 * k) for k in range(8)]))
    assert told([]) == []


@pytest.mark.parametrize(
    "words",
    ["ada.north@mill.farm", "https://sensors.example", "www.sensors.example", "– Words behind a dash", "Name: ____",
     "答案：A", "© A. North", "Theorem 2.1 (North)", "定义 2.2.1: 等价",
     "例3", "Dear Mr. North,", "Sir:",
     "Sehr geehrte Damen und Herren,", "Chère Madame,"],
)  # fmt: skip
def test_addresses_items_blanks_owners_answers_and_salutations_are_no_headings_however_large(words):
    assert not any(told(page([words] * 3, size=16.0, bold=True)))


@pytest.fixture
def chance(monkeypatch):
    """`chance(p)`: so likely is every group a heading."""

    def set_chance(chance):
        forest = SimpleNamespace(probabilities=lambda rows: np.full(len(rows), chance))
        monkeypatch.setattr("docparse.layout.kinds.headings.shipped_forest", lambda name: forest)

    return set_chance


@pytest.mark.parametrize(
    "words, bold, heading",
    [("2.1.3 Why it fails", True, True), ("2.1.3 Why it fails", False, False), ("2. Why it fails", True, False)],
)
def test_bold_words_behind_a_number_of_several_parts_need_not_be_as_likely_a_heading(chance, words, bold, heading):
    chance(0.3)
    assert told([group(words, bold=bold), group(*PROSE, top=400)]) == [heading, False]


@pytest.mark.parametrize(
    "words, x, bold, under, heading",
    [("What it does", 60, True, "• it counts", True), ("What it does", 60, False, "• it counts", False),
     ("What it does:", 60, True, "• it counts", False), ("What it does", 68, True, "• it counts", False),
     ("What it does", 60, True, "It counts", False)],
    ids=["bold", "plain", "introduces", "of an item over it", "over text"],
)  # fmt: skip
@pytest.mark.parametrize("noisy", [False, True])
def test_bold_words_right_over_a_list_need_not_be_as_likely_a_heading(chance, words, x, bold, under, heading, noisy):
    chance(0.15)
    items = groups_of(lines([under] * 3, top=124))
    page = [group(words, x=x, top=100, bold=bold), *items, group(*PROSE, top=400)]
    assert told(page, noisy=noisy)[0] is (heading and not noisy)


@pytest.mark.parametrize(
    "words, under, leads",
    [({}, (200, 110, 400, 130), True), ({}, (200, 100, 400, 120), True), ({"bold": True}, (200, 110, 400, 130), False),
     ({"size": 14.0}, (200, 110, 400, 130), False), ({}, (200, 150, 400, 170), False),
     ({}, (360, 110, 500, 130), False)],
    ids=["plain", "half level with it", "bold", "larger", "far over it", "in another column"],
)  # fmt: skip
def test_plain_words_right_over_a_displayed_formula_introduce_it(words, under, leads):
    groups = [group("Its frequency", top=100, **words), group(*PROSE, top=400)]
    assert introduces(groups[0], [Box(*under)], page_style(groups, SHEET)) is leads


@pytest.mark.parametrize("value, heading", [({"bold": True}, True), ({}, False)], ids=["bold", "plain"])
def test_a_bold_label_with_its_value_is_no_heading_unless_both_are_bold(chance, value, heading):
    chance(0.9)
    words = Line((word("Severity:", 60, bold=True), word("high", 120, **value)))
    assert told([Group([words])]) == [heading]


def test_a_small_bold_abstract_need_not_be_as_likely_a_heading_as_other_words(chance):
    chance(0.3)
    small, words = {"size": 9.0, "bold": True}, ["Abstract", "摘 要", "Results"]
    found = [group("Abstract"), group("Abstract", bold=True), *(group(each, **small) for each in words)]
    assert told([*found, group(*PROSE, top=400)]) == [False, False, True, True, False, False]


DRAWING = Box(200, 100, 500, 300)
LABELS = {  # what it says, where it begins, its size, and whether it is a label
    "beside": ("data blocks", 141, 200, 10.0, True),
    "beside, larger than the text": ("data blocks", 115, 200, 14.0, False),
    "in the next column": ("2 Methods", 140, 200, 10.0, False),
    "inside": ("Results", 300, 200, 10.0, False),
    "over it": ("Results", 300, 85, 10.0, False),
    "a letter under it": ("A", 300, 305, 15.0, True),
    "a letter further down": ("A", 300, 340, 15.0, False),
    "a small number over it": ("2019", 300, 80, 10.0, True),
    "a large number over it": ("2019", 300, 76, 18.0, False),
    "at its upper edge": ("data blocks", 141, 96, 10.0, False),
}


@pytest.mark.parametrize("words, x, top, size, label", LABELS.values(), ids=LABELS)
def test_words_beside_a_drawing_are_its_labels(words, x, top, size, label):
    assert is_label(group(words, x=x, top=top + 8, size=size), [DRAWING], 10.0) == label
    assert not is_label(group(words, x=x, top=top + 8, size=size), [Box(200, 180, 220, 210)], 10.0)


@given(
    st.lists(
        st.tuples(st.text("abc ABC.:1?—", min_size=1).filter(str.strip), st.floats(0, 500), st.floats(0, 780),
                  st.floats(1, 60), st.booleans(), st.booleans()),
        min_size=1, max_size=6,
    ),
    st.lists(st.tuples(*[st.floats(0, 600)] * 4), max_size=3),
)  # fmt: skip
def test_any_group_has_every_measure_of_the_model_in_a_number(found, strokes):
    groups = [group(text, x=x, top=y, size=size, bold=bold, italic=italic) for text, x, y, size, bold, italic in found]
    for measures in measured(groups, rules(*strokes)):
        assert set(shipped_forest("headings").names) == set(measures)
        assert set(shipped_forest("headings-company").names) == {*measures, *COMPANY}
        assert all(map(math.isfinite, measures.values()))


def test_measures_compare_a_group_with_the_page():
    groups = page(TITLES[:3], size=14.0, bold=True)
    first, text, *_ = measured(groups, rules((60, 95, 300, 95)))
    assert (first["size"], first["bold"], text["size"], text["bold"]) == (pytest.approx(1.4), 1, 1, 0)
    assert first["alike"] == 3 and first["over text"] == 1 and not first["usual"] and text["usual"]
    assert first["under lines"] == 3 and text["over lines"] == 1
    assert first["rule under"] < 3 < text["rule under"]


def test_the_company_of_a_group_are_those_that_look_like_it_and_those_over_and_under_it():
    groups = [group("Tides", top=80, bold=True), group(*PROSE, top=100), group("Winds", top=200, bold=True)]
    found = company_of(list(map(look_of, groups)), neighbours_of(groups), np.array([0.9, 0.1, 0.5]))
    expected = [(0.9, 0.5, -1, 0.1, 0.5), (0.1, -1, 0.9, 0.5, 0.5), (0.5, 0.9, 0.1, -1, 0.5)]
    assert [list(each.values()) for each in found] == [pytest.approx(values) for values in expected]


@pytest.mark.parametrize("x, label", [(506, False), (502, True)], ids=["apart", "touching"])
def test_bold_words_beside_a_drawing_are_its_label_only_where_they_touch_it(x, label):
    assert is_label(group("Results", x=x, top=208, bold=True), [DRAWING], 10.0) == label


@pytest.mark.parametrize("letter", ["P", "个", "M.", "C.向下排空气法"])
@pytest.mark.parametrize("noisy", [False, True], ids=["of an index", "a crumb of a formula on pixels"])
def test_a_letter_alone_or_before_a_choice_is_a_heading_only_where_a_text_layer_has_it(letter, noisy):
    groups = page([letter, *TITLES[1:]], size=16.0, bold=True)
    assert told(groups, noisy=noisy)[::2] == [not noisy, True, True, True]
