"""Fields: labels with a colon and the values beside them are read together."""

from __future__ import annotations

from docparse.layout.text.fields import is_field, joined_fields
from docparse.layout.text.groups import groups_of
from docparse.layout.text.lines import Line
from docparse.layout.text.words import Word
from docparse.types import Box


def line(text: str, x: float, baseline: float, size: float = 10.0) -> Line:
    words, left = [], x
    for part in text.split():
        box = Box(left, baseline - 0.8 * size, left + 0.5 * size * len(part), baseline + 0.2 * size)
        words.append(Word(text=part, box=box, baseline=baseline, size=size))
        left = box.x1 + 0.3 * size
    return Line(tuple(words))


def read(*lines: Line) -> list[str]:
    """The groups of the lines, top to bottom."""
    lines = tuple(sorted(lines, key=lambda item: (item.box.y0, item.box.x0)))
    return [group.text for group in groups_of(joined_fields(lines))]


def rows(labels: list[str], values: list[str], top: float = 100, right: float = 220) -> list[Line]:
    left = [line(text, 50, top + 14 * i) for i, text in enumerate(labels)]
    return left + [line(text, right, top + 14 * i) for i, text in enumerate(values)]


def test_labels_are_read_with_the_values_beside_them() -> None:
    fields = rows(["Name:", "Contact:", "Billing contact:"], ["Premier Group", "Michael Chen", "555 Broadway"])
    found = read(*fields, line("New York, NY 10012", 220, 142))
    assert found == ["Name: Premier Group", "Contact: Michael Chen", "Billing contact: 555 Broadway New York, NY 10012"]


def test_fields_side_by_side_are_told_apart() -> None:
    fields = [*rows(["Order:", "Region:"], ["2024-12", "North"]), line("Type:", 350, 100), line("Term:", 350, 114)]
    assert read(*fields, line("Net 30", 450, 100), line("Monthly", 450, 114)) == [
        "Order: 2024-12",
        "Type: Net 30",
        "Region: North",
        "Term: Monthly",
    ]


def test_a_colon_in_running_text_beside_another_column_makes_no_field() -> None:
    left = ["the following are available:", "one that is small and one", "that is large, as follows:"]
    right = ["Another column goes on here", "with sentences of its own", "that nobody should join."]
    assert read(*rows(left, right)) == [" ".join(left), " ".join(right)]


def test_one_label_alone_or_one_without_a_value_is_no_field() -> None:
    alone = rows(["Note:"], ["A sentence beside it"])
    blank = rows(["Name:", "Date:"], [])
    assert joined_fields(alone) == alone
    assert joined_fields(blank) == blank


def test_a_field_has_white_between_label_and_value() -> None:
    assert is_field(Line(line("Name:", 50, 100).words + line("Premier", 220, 100).words))
    assert not is_field(line("Note: the words go on", 50, 100))


def test_lines_that_begin_with_labels_stand_alone() -> None:
    labelled = [line(text, 50, 100 + 14 * i) for i, text in enumerate(["Report ID: 1234", "Date: 5 May", "By: Sarah"])]
    assert read(*labelled) == ["Report ID: 1234", "Date: 5 May", "By: Sarah"]
    sentence = ["Bring what you need and", "note this: it rains there", "nearly every day"]
    assert read(*(line(text, 50, 100 + 14 * i) for i, text in enumerate(sentence))) == [" ".join(sentence)]
