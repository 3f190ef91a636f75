"""Tables that no stroke marks: words in columns, cells on the middle of their row, painted headers and stripes."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typeset import grids, in_columns, numbered, row, rules, word

from docparse.layout.tables import find_tables
from docparse.layout.tables.cells import cell_edges
from docparse.layout.text.justified import with_stretched_spaces
from docparse.types import Box, plain

HEAD = ["Name", "Colour", "Where found", "Use"]
ROWS = [
    ["Alder", "red", "river banks", "piles"],
    ["Birch", "white", "poor soil", "plywood"],
    ["Cedar", "brown", "high slopes", "chests"],
    ["Elm", "pale brown", "hedges", "barrows"],
]
SHEET = Box(0, 0, 600, 800)
EDGES = [60.0, 170.0, 260.0, 370.0, 450.0]
XS = [edge + 3 for edge in EDGES]


NAMES = [["Anna Keller", "Station manager", "anna@example.org"], ["Tomás Ruiz", "Clerk of works", "ruiz@example.org"],
         ["Ines Duarte", "Treasurer", "ines@example.org"], ["Jan Novak", "Head of storage", "novak@example.org"],
         ["Ruth Abara", "Chair", "ruth@example.org"]]  # fmt: skip
NAMES_HEAD = ["Name", "Post", "Where to write"]
TERMS = [["time", "Mondays from two to four, and one by one as agreed"],
         ["place", "the room under the roof of the old house"], ["points", "three"],
         ["how", "in person, at least every second time"]]  # fmt: skip
HOSTS = [["Handler", "Expression", "Thread", "Share"], ["Return", "append", "executable", "69 ms"],
         ["Number of all the hosts", "ependent", "delivered", "61"], ["With the file", "ogger", "entry", "64 ms"],
         ["String", "retrieval", "isolated", "55"], ["In the standard", "usage", "outines", "6,466"]]  # fmt: skip
DUTIES = [["Topic", "What to do", "Who"], *(["Fence", "paint it in the colour of", who] for who in ("Jan", "", "Ruth"))]
FACTS = [["Length", "551"], ["Founded", "1299"], ["Area", "859"]]
STRIP = [["Start", "End", "Shows", "Amount"], ["12/20/24", "12/31/24", "48", "$12,500"]]
ENTRIES = [["Region", "Total", "Change"], ["Uncertain novel", "84.3%", "Uncertain vessel kept the pattern"],
           ["Careful garden", "0.45", "Formal budget moved the bridge"],
           ["Wooden bridge", "3,753", "Bright teacher kept the border"],
           ["Heavy pattern", "38", "Careful signal noticed a sign"]]  # fmt: skip
SENTENCES = [ENTRIES[0], *([text.lower() for text in cells] for cells in ENTRIES[1:])]
TREES = [["Alder", "River banks", "Piles"], ["Birch", "Poor soil", "Plywood"], ["Cedar", "High slopes", "Chests"]]
THREES = [HEAD[:3], *TREES, *(cells[::-1] for cells in TREES)]
BIRTHS = [
    ["Year", "Births", "Deaths"],
    ["1990", "4,158", "2,148"],
    ["1991", "4,111", "2,170"],
    ["1992", "4,065", "2,176"],
]
INVOICE = [["Invoice", "2025-0093"], ["Date", "28 Feb 2025"], ["Due", "30 Mar 2025"], ["Your order", "PO 44-1182"]]
ADDRESS = ["Hotel Harbour", "Att: Mikaela Berg", "Packhusplatsen 2", "411 13 Westport", "Sweden"]
CALLS = [["Shift leader", "Hanna Moreno", "5550110"], ["Vehicles", "Pawel Zielinski", "5550111"],
         ["Keys and alarm", "The office", "5550100"]]  # fmt: skip
FILES = [("File", ["Description"], "Written in"), ("main.adb", ["Where the program starts."], "SPARK"),
         ("fsm.ads", ["The state machine of the protocol, with", "all that comes in."], "C"),
         ("timer.adb", ["Counts the ticks."], "SPARK"), ("memory.adb", ["What is taken and", "given back."], "C"),
         ("udp.adb", ["Functions of UDP."], "C")]  # fmt: skip


def under_head(rows, xs, top=100, pitch=16, **more):
    """Rows under a first one in bold."""
    return in_columns(rows[:1], xs, 100, 0, bold=True) + in_columns(rows[1:], xs, top, pitch, **more)


def at_middles(rows, middles):
    wide = {text: sum(5 * len(part) + 3 for part in text.split()) - 3 for cells in rows for text in cells}
    return [w for k, cells in enumerate(rows) for text, middle in zip(cells, middles, strict=True)
            for w in row(text, middle - wide[text] / 2, 100 + 20 * k, bold=k == 0)]  # fmt: skip


def duties():
    words = in_columns(DUTIES[:1], XS[:3], 100, 0)
    for k, (topic, _, who) in enumerate(DUTIES[1:]):
        words += in_columns([[topic, "paint it in the", who]], XS[:3], 118 + 40 * k, 0)
        words += row("colour of", XS[1], 130 + 40 * k)
    return words


def files():
    """A little white between the rows, as browsers leave it."""
    words, top = [], 100.0
    for name, texts, language in FILES:
        middle = top + 6.0 * len(texts)
        words += [*row(name, 60, middle), *row(language, 400, middle)]
        words += [w for k, text in enumerate(texts) for w in row(text, 160, top + 6.0 + 12.0 * k)]
        top += 12.0 * len(texts) + 2.7
    return words


BESIDE = [["Rome", "Italy", "old", ["warm and", "dry"]], ["Oslo", "Norway", "cold", ["clear"]],
          ["Cork", "Ireland", "wet", ["mild and", "windy"]], ["Bern", "Swiss", "calm", ["bright"]]]  # fmt: skip
BESIDE_XS = (60, 130, 220, 300)


def beside_two_lines():
    """Cells on the middle of two lines, in the first row so near to one of them that OCR sees one line there."""
    words, top = in_columns([["Town", "Land", "Air", "Sky"]], BESIDE_XS, 86, 0, size=12.5), 100.0
    for (*cells, texts), off in zip(BESIDE, (6.0, 0.0, 6.5, 0.0), strict=True):
        middle = top + 6.5 * len(texts)
        words += [w for x, text in zip(BESIDE_XS, cells, strict=False) for w in row(text, x, middle, 12.5)]
        words += [w for k, text in enumerate(texts) for w in row(text, BESIDE_XS[3], middle - off + 13 * k, 12.5)]
        top += 13.0 * len(texts) + 2.5
    return words


ITEM_LINES = [["Place", "Do one thing well", "Make it fast"], ["", "  Get it right", ""], ["", "    Hide no power", ""],
              ["", "      Use names", ""], ["", "  Keep it stable", ""], ["", "  Leave it be", ""]]  # fmt: skip
ITEMS = [["What", "How it works", "How fast it is"], ["Place", " ".join(cells[1].strip() for cells in ITEM_LINES),
         "Make it fast"], ["Time", "Plan to throw one away", "Cache it"], ["Kind", "Divide it", "Hint"]]  # fmt: skip
MAP = [["epoch:", "the revision of the map"], ["up:", "the network address of each, or none"], ["in:", "in or out"],
       ["m:", "number of groups of places"], ["crush:", "the tree and its rules"]]  # fmt: skip


def items():
    """A row of a table whose middle cell goes on in lines that are more and more indented."""
    words = in_columns(ITEMS[:1], [60, 130, 320], 97, 0)
    for k, cells in enumerate(ITEM_LINES):
        deep = len(cells[1]) - len(cells[1].lstrip())
        words += in_columns([[cells[0], "", cells[2]]], [60, 130, 320], 120 + 13 * k, 0)
        words += row(cells[1], 130 + 5 * deep, 123 + 13 * k)
    words += in_columns(ITEMS[2:], [60, 130, 320], 120 + 13 * 6 + 8, 21)
    return [each for each in words if each.text]


DATES = ["May 2013", "August 2012", "September 2011", "May 2010", "September 2009", "January 2008"]
EXAMS = [["Date", "Which paper", "Where kept"], *([date, f"Read exam {date[-2:]}", "On paper"] for date in DATES)]
END = max(word.box.x1 for date in DATES for word in row(date))
PROVERS = [("AGDA", "LEAN"), ("COQ", "NUPRL"), ("IMPS", "PVS"), ("MIZAR", "TWELF")]
WAR = [[("Event", 60), ("Date", 200), ("Place", 310)],
       [("Battle", 60), ("september", 200), ("1914", 250), ("?", 310)], [("Truce", 60), ("?", 200), ("Rethondes", 310)],
       [("Peace", 60), ("28", 200), ("june", 212), ("1919", 237), ("?", 310)]]  # fmt: skip
LEASE = ["Lease between the Registrant and the owner, dated", "as of the first of May and as amended", "on other days"]
BEHIND = [("8-K", 340), ("001-37622", 400), ("May 4, 2017", 480)]
LEASES = [
    w for k in range(6) for w in (
        *(w for i, text in enumerate(LEASE) for w in row(text, 100, 100 + 40 * k + 12 * i)),
        *(w for text, x in [(f"10.{k}", 40), *BEHIND[: 3 * (k < 4)]] for w in row(text, x, 124 + 40 * k)))
]  # fmt: skip

PAGES = {  # words, strokes, and the tables that are found
    "small capitals in a size of their own": (
        [w for k, cells in enumerate(PROVERS) for x, text in zip((60, 200), cells, strict=True) for w in (
            word(text[0], x, 100 + 14 * k), word(text[1:], x + 5, 100 + 14 * k, 6.5))],
        [], [[[f"{text[0]} {text[1:]}" for text in cells] for cells in PROVERS]]),
    "cells that end a space before the next ones, as browsers set tables without padding": (
        in_columns(EXAMS, [60, END + 3, END + 120], 100, 15), [], [EXAMS]),
    "wide spaces in two rows with nothing between them": (
        [word(text, x, 100 + 18 * k, bold=k == 0) for k, cells in enumerate(WAR) for text, x in cells], [],
        [[["Event", "Date", "Place"], ["Battle", "september 1914", "?"], ["Truce", "?", "Rethondes"],
          ["Peace", "28 june 1919", "?"]]]),
    "sizes that OCR guesses cell by cell": (
        [w for k, cells in enumerate(TREES * 2) for c, (text, x) in enumerate(zip(cells, XS, strict=False))
         for w in row(text, x, 100 + 18 * k, 13 if (k + c) % 4 == 0 else 10)], [], [TREES * 2]),
    "a column in smaller type beside two": (
        in_columns([cells[:2] for cells in TREES * 2], XS, 100, 18)
        + in_columns([cells[2:] for cells in TREES * 2], XS[2:], 100, 18, size=7), [], []),
    "names that fill their columns": (in_columns(NAMES, [60, 140, 260], 100, 14), [], [NAMES]),
    "names of columns in larger type": (
        in_columns([NAMES_HEAD], [60, 140, 260], 84, 14, size=12.5) + in_columns(NAMES, [60, 140, 260], 100, 14), [],
        [[NAMES_HEAD, *NAMES]]),
    "short labels and what they say, in a line each": (in_columns(TERMS, [60, 160], 100, 14), [], [TERMS]),
    "cells that are centred": (at_middles(HOSTS, (110, 230, 340, 430)), [], [HOSTS]),
    "long cells under a ruled head": (duties(), [(60, 104, 330, 104)], [DUTIES]),
    "long cells without a rule": (duties(), [], []),
    "bullets in cells": (
        in_columns([["Stage", "Tasks"]], [60, 160], 100, 0, bold=True) + [
            w for k in range(3)
            for w in in_columns([["Ground", "•", "dig it"], ["", "•", "rake it"]], [60, 160, 178], 120 + 40 * k, 12)],
        [], [[["Stage", "Tasks"], *[["Ground", "• dig it • rake it"]] * 3]]),
    "a paragraph between two tables, with a wide space behind its full stop": (
        [*in_columns(FACTS, [60, 160], 100, 14), *in_columns(FACTS, [60, 160], 200, 14),
         *row("They met on the last day in Eastfield.", 75, 158), *row("The town paid for it all", 259.5, 158),
         *row("and the council went home before the night fell.", 60, 170)],
        [(60, y, 380, y) for y in (90, 138, 190, 238)], [FACTS, FACTS]),
    "cells on the middle of their row": (
        [*under_head([HEAD[:3], *(cells[:2] for cells in ROWS)], XS, 130, 40),
         *(w for k in range(4) for text, y in (("found in the", 127), ("north", 139))
           for w in row(text, XS[2], y + 40 * k))],
        [], [[HEAD[:3], *([name, colour, "found in the north"] for name, colour, *_ in ROWS)]]),
    "years in bold beside titles in bold, over text": (
        [w for k in range(5)
         for w in (*in_columns([[f"18{60 + k}", "The petition"]], [60, 110], 100 + 40 * k, 0, bold=True),
                   *row("and what came of it in the end", 110, 117 + 40 * k))], [], []),
    "a header and one row of three": (in_columns([cells[:3] for cells in STRIP], XS, 100, 14), [], []),
    "a header and one row of names": (in_columns([STRIP[0], ["Alder", "Birch", "Cedar", "Elm"]], XS, 100, 14), [], []),
    "a ruled header in small print over one row": (
        in_columns(STRIP[:1], XS, 97, 0, size=8) + in_columns(STRIP[1:], XS, 111, 0), [(XS[0], 104, XS[3] + 40, 104)],
        [STRIP]),
    "a ruled header of two lines over one row": (
        in_columns(STRIP[:1], XS, 85, 0) + row("day", XS[0], 97) + in_columns(STRIP[1:], XS, 111, 0),
        [(XS[0], 104, XS[3] + 40, 104)], [[["Start day", *STRIP[0][1:]], STRIP[1]]]),
    "items of cells, one deeper than the other, beside an arrow": (
        items(), [(60, 106, 420, 106), (300, 122, 300, 160)], [ITEMS]),
    "labels that end at one edge, between two rules": (
        [w for k, (label, text) in enumerate(MAP) for w in (
            *row(label, 100 - 5 * len(label), 100 + 12 * k), *row(text, 110, 100 + 12 * k))],
        [(50, 88, 340, 88), (50, 155, 340, 155)], [MAP]),
    "cells as long as their columns that begin with a capital": (
        under_head(ENTRIES, [60, 150, 200], 116), [], [ENTRIES]),
    "the same in lower case": (under_head(SENTENCES, [60, 150, 200], 116), [], []),
    "names in threes between rules": (
        in_columns(THREES, [60, 170, 290], 100, 12), [(60, y, 360, y) for y in (94, 106, 142, 178)], [THREES]),
    "names over columns of figures": (
        with_stretched_spaces(numbered(
            word(text, right - 5 * len(text), 100 + 12 * k)
            for k, cells in enumerate(BIRTHS) for text, right in zip(cells, (260, 302, 344), strict=True))),
        [], [BIRTHS]),
    "an address beside rows that stand farther apart": (
        in_columns([[part] for part in ADDRESS], [60], 100, 12) + in_columns(INVOICE, [330, 420], 100, 14.5), [],
        [INVOICE]),
    "an address that begins under the first row beside it, between their heights": (
        in_columns([[part] for part in ADDRESS], [60], 113.5, 14.25) + in_columns(INVOICE, [330, 420], 100, 17.25), [],
        [INVOICE]),
    "three rows of three cells, a column of them values": (in_columns(CALLS, [60, 200, 320], 100, 14), [], [CALLS]),
    "three rows of words": (in_columns([[*call[:2], "by night"] for call in CALLS], [60, 200, 320], 100, 14), [], []),
    "cells of two lines beside ones on their middle": (
        beside_two_lines(), [(58, 90, 370, 90)],
        [[["Town", "Land", "Air", "Sky"], *([*cells, " ".join(texts)] for *cells, texts in BESIDE)]]),
    "rows of a web page": (files(), [], [[[name, " ".join(texts), language] for name, texts, language in FILES]]),
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, tables", PAGES.values(), ids=PAGES)
def test_words_in_columns_are_a_table_where_their_places_and_texts_say_so(words, strokes, tables):
    assert grids(words, rules(*strokes)) == tables


def test_a_label_at_half_the_height_of_two_headings_is_one_too():
    words = in_columns([["Harvest", "School"]], [150, 250], 100, 0, bold=True) + row("Method", 60, 107, bold=True)
    words += in_columns([["Before", "After", "Before", "After"]], [130, 180, 230, 280], 114, 0, bold=True)
    words += in_columns([["Water", "1.5", "2.5", "3.5", "4.5"]] * 3, [60, 135, 185, 235, 285], 128, 13)
    assert "Harvest" in str(grids(words, rules()))


@given(st.integers(2, 4), st.integers(3, 4), st.floats(13.0, 30.0), st.booleans())
def test_words_in_columns_are_a_table_where_a_header_or_many_cells_say_so(rows, columns, pitch, bold):
    table = [cells[:columns] for cells in [HEAD, *ROWS[:rows]]]
    words = in_columns(table[:1], XS, 100, 0, bold=bold) + in_columns(table[1:], XS, 100 + pitch, pitch)
    assert grids(words, rules()) == [table] or not (bold or rows > 2)


@pytest.mark.parametrize("rows", [range(1), range(1, 5, 2), range(0, 5, 2), range(5)], ids=str)
def test_a_painted_header_or_painted_stripes_tell_the_cells_of_all_rows(rows):
    boxes = [(x0, 100 + 20 * (k - 0.5), x1, 100 + 20 * (k + 0.5)) for k in rows for x0, x1 in pairwise(EDGES)]
    table = [HEAD, *ROWS]
    assert grids(in_columns(table, XS, 100, 20), cell_edges(rules(*boxes), rules())) == [table]


def test_painted_cells_that_fill_a_grid_say_which_are_merged():
    xs, ys = [60, 160, 260, 360], [90, 110, 130, 150]
    panels = [(x0, y0, x1, y1) for y0, y1 in pairwise(ys) for x0, x1 in pairwise(xs)]
    merged = [panel for panel in panels if panel[0] < 160 or panel[1] < 110] + [(160, 110, 360, 150)]
    words = in_columns([["Name", "Use", "Where"], ["Alder", "", ""], ["Birch", "", ""]], [65, 165, 265], 104, 20)
    words += row("both of them", 200, 134)
    edges = cell_edges(np.array(merged, np.float32), rules())
    (found,) = grids(words, edges)
    assert found == [["Name", "Use", "Where"], ["Alder", "both of them", ""], ["Birch", "", ""]]
    bare = cell_edges(np.array(merged[:-1], np.float32), rules())  # without the merged one they fill nothing
    assert len(bare) < len(edges)


NOTES = {
    "Fence": "Paint the posts and the rails in the colour of the other fences of the street before the frost comes",
    "Gate": "Hang it anew so that nobody has to lift it and oil the hinges and the lock when it does not rain",
    "Lawn": "Mow it in the first week of every month but not while the bulbs under the trees are still green",
}
TASKS = [["Thing", "What to do with it", "Who"], *([name, text, "Jan"] for name, text in NOTES.items())]


def set_in_lines(text, x, top, width, step=12):
    """Words at `x`, broken into lines where `width` ends; and where the next line would stand."""
    found, line = [], []
    for part in text.split():
        longer = row(" ".join([*line, part]), x, top)
        if longer[-1].box.x1 - x > width:
            found += row(" ".join(line), x, top)
            line, top = [], top + step
        line.append(part)
    return found + row(" ".join(line), x, top), top + step


@pytest.mark.parametrize("middle", [True, False], ids=["middle", "top"])
@pytest.mark.parametrize("white", [4, 16])
def test_a_rule_under_every_row_of_wrapped_cells_says_where_they_end(white, middle):
    """And the header over its rule has as much white."""
    words, strokes, top = in_columns(TASKS[:1], [60, 130, 330], 103 - white, 0), [(60, 108, 380, 108)], 114 + white
    for name, text, who in TASKS[1:]:
        cell, end = set_in_lines(text, 130, top + 3, 180)
        words += cell
        for label, x in ((name, 60), (who, 330)):
            words += row(label, x, (top + end) / 2 - 5 if middle else top + 3)
        strokes.append((60, end + white - 9, 380, end + white - 9))
        top = end + 2 * white - 3
    assert grids(words, rules(*strokes)) == [TASKS]


def placed(words, strokes):
    """The cells with words of the one table: text, row, column, rowspan, colspan."""
    [table] = find_tables(numbered(words), strokes, SHEET)
    return {plain(c.spans): (c.row, c.column, c.rowspan, c.colspan) for c in table.table.cells if c.spans}


YEARS = ["2021", "2022", "2023", "2022", "2023"]
FIGURES = [[f"{name} costs", *(f"{k + 1},{100 + 7 * i}" for i in range(5))] for k, name in enumerate(["Rent", "Wages",
           "Power", "Other"])]  # fmt: skip
PLACES = [60, 200, 260, 320, 380, 440]


GROUPED = [HEAD, ["The title of a group of rows"], *ROWS[:2], ["Another title, for the others"], *ROWS[2:]]
SEEN = [["", "P", "R", "F", "P", "R", "F"],
        *([name, *(f"{k}{j}.5" for j in range(6))] for k, name in enumerate(["Elm", "Fir", "Oak"], 1))]  # fmt: skip


def costs(head, x, columns=6):
    """Figures of years under a line of words."""
    table = [cells[:columns] for cells in [["", *YEARS], *FIGURES]]
    return [*row(head, x, 88), *in_columns(table, PLACES, 100, 14)]


def test_rows_of_wrapped_titles_with_several_cells_behind_most_are_a_table():
    [table] = find_tables(LEASES, rules(), SHEET)
    assert (table.table.rows, table.table.columns) == (6, 5)


SPANS = {  # words, strokes, and the row, column, rowspan and colspan of cells; None for what is in none
    "titles of groups": (
        in_columns(GROUPED, XS, 100, 16), [(60, y, 440, y) for y in (95, 111, 159, 207)],
        {"The title of a group of rows": (1, 0, 1, 4), "Another title, for the others": (4, 0, 1, 4)}),
    "headings in the middle between two strokes": (
        [*in_columns(SEEN, [63, 133, 183, 233, 283, 333, 383], 116, 16), word("Seen", 181, 103),
         word("Unseen", 326, 103), word("Tree", 63, 111)],
        [(60, y, 410, y) for y in (92, 124, 172)] + [(x, 92, x, 172) for x in (120, 270)],
        {"Seen": (0, 1, 1, 3), "Unseen": (0, 4, 1, 3), "Tree": (0, 0, 2, 1)}),
    "a date in a heading over where a column begins": (
        costs("Years Ended December 31,", 206, 4),
        [(60, 75, 350, 75), (200, 91, 350, 91), (60, 108, 350, 108), (60, 165, 350, 165)],
        {"Years Ended December 31,": (0, 1, 1, 3)}),
    **{f"a line over {name}": (
        costs(head, x), [(x0, 91, 465, 91), (60, 108, 465, 108), (60, 165, 465, 165)], {head: place})
       for name, head, x, x0, place in (
           ("a rule of its own", "Costs of each year", 290, 200, (0, 1, 1, 5)),
           ("a rule of the whole table", "Costs of each year", 205, 60, None),
           ("one side of its rule", "Costs", 205, 200, None))},
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, expected", SPANS.values(), ids=SPANS)
def test_headings_and_titles_of_groups_reach_over_the_columns_that_they_head(words, strokes, expected):
    cells = placed([each for each in words if each.text], rules(*strokes))
    assert {text: cells.get(text) for text in expected} == expected


def test_the_day_before_a_year_is_no_figure_and_dots_that_lead_to_figures_are_no_text():
    words = [*row("November 30,", 268, 88), *in_columns([["", *YEARS[:3]]], PLACES, 100, 14)]
    words += in_columns([[f"{cells[0]} . . . . . . .", *cells[1:4]] for cells in FIGURES], PLACES, 114, 14)
    [found] = find_tables(numbered(each for each in words if each.text), rules(), SHEET)
    cells = {plain(cell.spans): cell for cell in found.table.cells}
    assert cells["November 30,"].header and cells["2022"].header and not cells["Rent costs"].header


@pytest.mark.parametrize("strokes", [(), (118, 170, 212)], ids=["without rules", "over rules"])
@pytest.mark.parametrize("size, tables", [(12, 2), (10, 1)])
def test_a_title_in_larger_bold_type_ends_a_table_and_the_name_of_a_group_does_not(size, tables, strokes):
    cells = [(60, "Alder"), (200, "551"), (400, "859")]
    words = [each for y in (130, 142, 154, 182, 194, 206) for x, text in cells for each in row(text, x, y)]
    words += [*row("Trees", 60, 114, 12, bold=True), *row("Shrubs", 60, 167, size, bold=True)]
    drawn = rules(*((60, y, 440, y) for y in strokes))
    assert len(find_tables(words, drawn, SHEET)) == tables
