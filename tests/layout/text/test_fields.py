"""Fields: labels with a colon and the values beside them are read together."""

import pytest
from typeset import line, lines, row, rules, word

from docparse.layout.text.fields import is_field, joined_fields
from docparse.layout.text.groups import groups_of
from docparse.layout.text.lines import Line


def rows(labels, values):
    """Two columns, a row every 14 points."""
    return [line(t, x, 100 + 14 * i) for x, texts in ((50, labels), (220, values)) for i, t in enumerate(texts)]


LEFT = ["the following are available:", "one that is small and one", "that is large, as follows:"]
RIGHT = ["Another column goes on here", "with sentences of its own", "that nobody should join."]
PAGES = {
    "labels and values": (
        [*rows(["Name:", "Contact:", "Billing contact:"], ["Premier Group", "Michael Chen", "555 Broadway"]),
         line("New York, NY 10012", 220, 142)],
        ["Name: Premier Group", "Contact: Michael Chen", "Billing contact: 555 Broadway New York, NY 10012"],
    ),
    "a value close to its label under one that is far": (
        [line("NB:", 50, 100), line("Rates of a year", 80, 100),
         Line((*row("Source:", 50, 114), *row("Eurostat", 80, 114)))],
        ["NB: Rates of a year", "Source: Eurostat"],
    ),
    "fields side by side": (
        [*rows(["Order:", "Region:"], ["2024-12", "North"]), line("Type:", 350, 100), line("Term:", 350, 114),
         line("Net 30", 450, 100), line("Monthly", 450, 114)],
        ["Order: 2024-12", "Type: Net 30", "Region: North", "Term: Monthly"],
    ),
    "entries of a dictionary": (
        [Line((*row(f"term{k}", 50, 100 + 24 * k + 12 * i, bold=True), *row("is what it says of", 85, 100 + 24 * k)))
         if i == 0 else line("it and of others", 50, 112 + 24 * k) for k in range(5) for i in (0, 1)],
        [f"term{k} is what it says of it and of others" for k in range(5)],
    ),
    "a label as long as its column is wide": (
        [line("P103", 50, 100), line("Read the label before use.", 130, 100), line("P210", 50, 114),
         line("Keep away from heat, and from", 130, 114), line("open fire.", 130, 126),
         Line((word("P303+P361+P353", 50, 140, width=77), *row("IF ON SKIN: take off what is", 130, 140))),
         line("wet at once.", 130, 152)],
        ["P103 Read the label before use.", "P210 Keep away from heat, and from open fire.",
         "P303+P361+P353 IF ON SKIN: take off what is wet at once."],
    ),
    "terms of a manual, some of them long": (
        [*(line(term, 50, y) for term, y in (("−o file", 100), ("−q", 131), ("−V", 148))),
         *(line(text, 110, y) for text, y in (
             ("Append the lines to a file that is", 100), ("made if there is none.", 112),
             ("Ask each of them once.", 131), ("Print the version.", 148)))],
        ["−o file Append the lines to a file that is made if there is none.", "−q Ask each of them once.",
         "−V Print the version."]),
    "a narrow column of short lines that are level with those of the next": (
        [*lines(["Write to", "the port office", "at Long Quay", "and Hill Street"], 50, top=100),
         *lines(["The next column goes on", "for all of the lines", "that it has and then", "ends with one of them"],
                140)],
        ["Write to the port office at Long Quay and Hill Street",
         "The next column goes on for all of the lines that it has and then ends with one of them"]),
    "short lines of one column beside another": (
        [line("so they say.", 50, 100), line("Another column goes", 130, 100), line("and so on.", 50, 112),
         line("on here and there", 140, 112), line("with more of it than that", 50, 138)],
        ["so they say. and so on.", "Another column goes on here and there", "with more of it than that"],
    ),
    "bold labels": (
        [line(t, x, 100 + 14 * i, bold=x == 50) for x, texts in ((50, ["Date", "Place"]), (220, ["5 May", "Room 2"]))
         for i, t in enumerate(texts)], ["Date 5 May", "Place Room 2"]),
    "labels that end where their values begin": (
        [Line((*row("Summer", 50, 100), *row("harvest in July", 85, 100))), line("Spring", 55, 88, width=25),
         line("check the stores", 85, 88), line("Fall", 60, 112), line("feed them well", 85, 112),
         line("Wait", 61, 124, width=19), line("till it is warm", 85, 124)],
        ["Spring check the stores", "Summer harvest in July", "Fall feed them well", "Wait till it is warm"],
    ),
    "dates before what was then": (
        [line(t, x, 100 + 40 * i) for x, texts in ((50, ["2012-2014", "2008-2012"]), (103, ["Engineer", "Drawer"]))
         for i, t in enumerate(texts)], ["2012-2014 Engineer", "2008-2012 Drawer"]),
    "narrow columns from two margins": (
        [line(t, x, 100 + 12 * i, right=right) for x, right, texts in
         ((50, 120, ["a narrow one", "of short lines"]), (128, 198, ["the next one", "beside it here"]))
         for i, t in enumerate(texts)], ["a narrow one of short lines", "the next one beside it here"]),
    "narrow columns, the first lines of whose paragraphs are further in": (
        [line(t, x, 100 + 12 * i, right=right) for lefts, right, texts in
         (((60, 50, 50), 120, ["Some of it", "which is set", "this narrow"]),
          ((128, 128, 128), 198, ["to be of", "other words", "as they are"]))
         for i, (x, t) in enumerate(zip(lefts, texts, strict=True))],
        ["Some of it which is set this narrow", "to be of other words as they are"]),
    "bold labels, their values flush at the right before the next ones": (
        [line(text, x, 100 + 12 * i, bold=x in (50, 173)) for i, row in enumerate((
            ((50, "Version"), (131, "FR-001"), (173, "Updated"), (240, "14 May")),
            ((50, "Author"), (103, "Juan Barbosa"), (173, "Checked"), (245, "2 May")))) for x, text in row],
        ["Version FR-001", "Updated 14 May", "Author Juan Barbosa", "Checked 2 May"]),
    "bold headings beside running text": (
        [*lines(["Methods", "Results"], 50, bold=True), *lines([*RIGHT, "Its last line"], 220, top=88)],
        [" ".join([*RIGHT, "Its last line"]), "Methods Results"]),
    "a colon in running text": (rows(LEFT, RIGHT), [" ".join(LEFT), " ".join(RIGHT)]),
    "lines that begin with labels": (
        rows(["Report ID: 1234", "Date: 5 May", "By: Sarah"], []), ["Report ID: 1234", "Date: 5 May", "By: Sarah"],
    ),
    "a sentence with a colon": (
        lines(["Bring what you need and", "note this: it rains there", "nearly every day"]),
        ["Bring what you need and note this: it rains there nearly every day"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("lines, expected", PAGES.values(), ids=PAGES)
def test_labels_are_read_with_the_values_beside_them(lines, expected):
    ordered = tuple(sorted(lines, key=lambda item: (item.box.y0, item.box.x0)))
    assert [group.text for group in groups_of(joined_fields(ordered))] == expected


@pytest.mark.parametrize("lines", [rows(["Note:"], ["A sentence beside it"]), rows(["Name:", "Date:"], [])])
def test_one_label_alone_or_one_without_a_value_is_no_field(lines):
    assert joined_fields(lines) == lines


def test_what_is_a_value_and_a_label_is_printed_once():
    days = [("Mo", "9.", "Opening of the show in town"), ("Di", "10.", "Talk on the history of it"),
            ("Mi", "11.", "Music of the old city band"), ("Do", "12.", "Closing of the show at noon")]  # fmt: skip
    page = [
        line(text, x, 100 + 14 * k) for k, day in enumerate(days) for x, text in zip((60, 90, 120), day, strict=True)
    ]
    assert " ".join(each.text for each in joined_fields(page)) == " ".join(text for day in days for text in day)


def test_a_field_has_white_between_label_and_value():
    assert is_field(Line((*row("Name:", 50), *row("Premier", 220))))
    assert not is_field(line("Note: the words go on", 50))


def test_labels_of_a_sidebar_have_no_values_in_the_text_beyond_the_stroke_at_its_edge():
    both = rows(["Visit us at:", "Sign up for our:"], ["a sentence of the text goes", "on here beside the two of them"])
    assert len(joined_fields(both, rules((180, 50, 180, 400)))) == 4
    assert len(joined_fields(both, rules((50, 120, 400, 120)))) == 2
