"""Side heads: bold lines in the margin beside running text head it; labels, terms and headings of columns do not."""

import pytest
from typeset import line, lines

from docparse.layout.text.fields import joined_fields
from docparse.layout.text.groups import groups_of
from docparse.layout.text.lines import downward
from docparse.layout.text.side_heads import side_heads

PROSE = ["The bulbs were in the ground until June and", "what was traded in the taverns was a promise."]
HEADS = [["A good story"], ["What the", "notaries wrote"]]


def page(heads, *, bare=True, right=100):
    """A column of paragraphs, at each but for one in the middle a head in bold that ends at `right`; the one in the
    middle is left out where it is not to be `bare`."""
    found = []
    for k, texts in enumerate([heads[0], [], *heads[1:]]):
        if texts or bare:
            found += lines(PROSE, 112, 100 + 40 * k)
        for n, text in enumerate(texts):
            width = line(text, 0, 100, 8.0).box.width
            found.append(line(text, right - width, 100 + 40 * k + 10 * n, 8.0, bold=True))
    return downward(found)


def heads_of(found):
    return [found[i].text for i in sorted(side_heads(found))]


@pytest.mark.parametrize(
    "heads, how, expected",
    [
        (HEADS, {}, ["A good story", "What the"]),
        (HEADS, {"bare": False}, []),
        (HEADS[:1], {}, []),
        ([["Note"], ["Note"]], {}, []),
        ([["Prices:"], ["Terms:"]], {}, []),
        ([["1637"], ["1638"]], {}, []),
    ],
    ids=["headings", "a term beside every paragraph", "one alone", "one label twice", "labels", "years"],
)
def test_different_bold_lines_beside_some_of_the_paragraphs_of_a_column_are_headings(heads, how, expected):
    assert heads_of(page(heads, **how)) == expected


def test_notes_in_light_type_and_headings_over_text_of_their_own_are_none():
    heads = page(HEADS)
    light = [each if each.size == 10 else line(each.text, each.box.x0, each.baseline, 8.0) for each in heads]
    assert heads_of(light) == []
    columns = downward([*heads, *(line("of text", 50, y, 8.0) for y in (110, 200))])
    assert heads_of(columns) == []


def test_headings_in_the_margin_are_measured_roughly_on_pixels():
    sizes = {"A good story": 8.0, "What the": 8.6, "notaries wrote": 8.3}
    found = [line(each.text, each.box.x0, each.baseline, sizes.get(each.text, 10.0), bold=each.size < 10)
             for each in page(HEADS)]  # fmt: skip
    assert heads_of(found) == ["A good story", "What the"]


def test_a_heading_in_the_margin_is_no_label_of_the_line_beside_it():
    groups = groups_of(joined_fields(page(HEADS)))
    assert [group.text for group in groups if group.is_bold] == ["A good story", "What the notaries wrote"]
    assert sum(group.text == " ".join(PROSE) for group in groups) == 3
