"""What the pages of a document say of their running lines."""

import numpy as np
import pytest
from typeset import SHEET, line, lines

from docparse.layout.text.groups import Group

pytest.importorskip("sklearn")

from training.running_lines import Sheet, labels

TOPICS = ("Soils", "Rivers of the north", "Winds", "Harbours", "The long winter", "Roads and bridges")


def sheets(head, foot):
    """Six pages with these lines at their edges, made of the number of the page; text begins at different heights."""
    found = []
    for number in range(4, 10):
        texts = [*lines([f"paragraph of page {'abcdefghij'[number]} that goes on and on"] * 4, top=90 + 7 * number)]
        groups = [Group(texts), Group(lines([f"and the {'abcdefghij'[number]} that ends it"] * 3, top=400))]
        groups += [Group([line(head(number), 60, 48)])] if head else []
        groups += [Group([line(foot(number), 290, 768)])] if foot else []
        found.append(Sheet(number, groups, [], SHEET, 10.0, np.zeros((0, 4))))
    return found


FURNITURE = {  # the lines at the head and the foot, and whether they are furniture
    "what repeats": (lambda number: "The Guild Economy", None),
    "what counts the pages": (lambda number: f"{TOPICS[number - 4]} {number}", lambda number: f"Page {number} of 12"),
    "other words at one place in the type of the text, far from it": (lambda number: TOPICS[number - 4], None),
}


@pytest.mark.parametrize("head, foot", FURNITURE.values(), ids=FURNITURE)
def test_running_lines_are_furniture_and_the_text_is_not(head, foot):
    found = labels(sheets(head, foot))
    assert [page[False] for page in found] == [[True, False]] * 6
    assert [page[True] for page in found] == [[True, False] if foot else [False]] * 6


def test_a_line_that_is_on_one_page_alone_is_none():
    pages = sheets(lambda number: "The Guild Economy" if number == 4 else TOPICS[number - 4] + " in the text", None)
    alone = labels(pages[:1] + [Sheet(s.number, s.groups[:2], [], SHEET, 10.0, s.strokes) for s in pages[1:]])
    assert [page[False] for page in alone] == [[False]] * 6
