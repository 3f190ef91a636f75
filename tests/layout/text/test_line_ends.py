"""Line ends: verse, addresses and lists of ingredients keep theirs, running text does not."""

import pytest
from typeset import line, lines

from docparse.layout.text.groups import Group
from docparse.layout.text.line_ends import ended_lines
from docparse.types import Box

VERSE = ["When night is over", "And the birds", "Are heard again by the sailors on the shore", "So far from home"]
ADDRESS = ["Ms Rosalind Amaro", "14 Mill Farm Lane", "Eastfield 30217"]
PROSE = [
    "The first line of a paragraph that is",
    "ragged on the right where it goes on",
    "over a second and a third line and on",
    "to the end.",
]
TEXT = Group(lines(PROSE, 60, 300, right=400))


def centred(texts, middle=200):
    found = []
    for i, text in enumerate(texts):
        width = line(text).box.width
        found.append(line(text, middle - width / 2, 100 + 12 * i))
    return found


def flush_right(texts, right=400):
    return [line(text, right - line(text).box.width, 100 + 12 * i) for i, text in enumerate(texts)]


PAGES = {  # the lines of a group, what else stands on the page, and which lines the writer ended
    "verse": (lines(VERSE), [], {0, 1, 2}),
    "verse in lower case": (lines([text.lower() for text in [*VERSE, *VERSE]]), [], {0, 1, 3, 4, 5}),
    "centred lines": (
        centred(["A Report on Bridges", "by", "The Committee for Roads and Bridges", "Eastfield"]), [], {0, 1, 2}),
    "an address where paragraphs begin": (lines(ADDRESS), [TEXT], {0, 1}),
    "an address at the right edge": (flush_right(ADDRESS[1:]), [TEXT], {0}),
    "an address at the right edge with something beside it": (
        flush_right(ADDRESS[1:]), [TEXT, Group([line("Beside it at its left", 180, right=300)])], set()),
    "two lines at the right edge that fill the page": (
        [line("The first line of what is said here goes on", 62, right=400), line(PROSE[1], 60, 112, right=400)],
        [TEXT], set()),
    "an address, alone": (lines(ADDRESS), [], set()),
    "an address far inside of a paragraph": (lines(ADDRESS, 200), [TEXT], {0, 1}),
    "a note of two lines in the middle of one": (lines(["Where they all", "go on to"], 200), [TEXT], set()),
    "an address with something beside it": (lines(ADDRESS), [TEXT, Group([line("Beside it", 150)])], set()),
    "a greeting over a name": (lines(["Yours faithfully,", "Ruth Abara"]), [TEXT], {0}),
    "ragged text": (lines(PROSE), [], set()),
    "one line into another column": (
        lines([" ".join(PROSE[:2]), *(text.lower() for text in PROSE[:3] * 3)]), [], set()),
    "verse with a full line that goes on": (lines([*VERSE[:3], "and of the ships", *VERSE[:2]]), [], {0, 1, 3, 4}),
    "a paragraph that begins with an initial": (
        [line("This release of the Bureau of Roads", 60, right=260),
         line("Statistics of all that", 90, 112, right=260),
         line("is built in a year", 90, 124, right=260)], [], set()),
    "text beside a picture that ends over its last lines": (
        [*(line(text, 60, 100 + 12 * i, right=260) for i, text in enumerate([*PROSE[:3], *PROSE[:2]])),
         *(line(text, 60, 160 + 12 * i, right=400) for i, text in enumerate(["under it goes on and on over more than",
                                                                             "a line to the end"]))], [], set()),
    "pieces of one row": ([line("Total"), line("12.50", 160), line("Tax included", 60, 112)], [], set()),
    "answers with circled numbers in a narrow column": (
        lines(["④ It gives an answer", "⑤ It follows the name along"]), [TEXT], {0}),
    "dots": (lines([".....", ".", "....."]), [], set()),
    "a divided word": (
        lines(["The commit-", "tee met again in the old town hall", "of Eastfield, as announced"]), [], set()),
}  # fmt: skip


@pytest.mark.parametrize(("found", "others", "expected"), PAGES.values(), ids=PAGES)
def test_lines_that_the_writer_ended(found, others, expected):
    group = Group(tuple(found))
    assert set(ended_lines(group, [group, *others], [])) == expected


def test_steps_of_a_procedure_keep_their_indentation():
    steps = [("while there is a", 60), ("take the next", 75), ("if it is new to us", 75), ("keep it", 90), ("end", 60)]
    group = Group(tuple(line(text, x, 100 + 12 * i) for i, (text, x) in enumerate(steps)))
    found = ended_lines(group, [group, TEXT], [])
    assert [found[i] for i in range(4)] == ["\n\u2003", "\n\u2003", "\n\u2003\u2003", "\n"]


@pytest.mark.parametrize("left, expected", [(80, {0}), (150, set())], ids=["over it", "beside it"])
def test_a_signature_over_a_name_does_not_stand_beside_it(left, expected):
    name = Group(lines(["Ruth Abara", "Director"]))
    assert {*ended_lines(name, [name, TEXT], [Box(left, 60, left + 120, 140)])} == expected
