"""Tables as reports, invoices, typewriters and word processors rule them, and what stands close to them."""

from dataclasses import replace

import pytest
from msgspec import structs
from typeset import SHEET, grid_of, grids, in_columns, numbered, row, rules, word

from docparse.layout.engines import Engines
from docparse.layout.stages import first_state, parts
from docparse.layout.tables import find_tables
from docparse.layout.tables.rules import without_underlines
from docparse.layout.text.words import Word
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Box, plain

XS = (60.0, 260.0, 340.0, 420.0)
INVOICE_XS = (60.0, 240.0, 330.0, 430.0)
NUMBER_EDGES = (10.0, 90.0, 170.0, 250.0)


def across(*heights, x0=XS[0], x1=500.0):
    return [(x0, y, x1, y) for y in heights]


def down(xs, top, bottom):
    return [(x, top, x, bottom) for x in xs]


def rows(texts, top, pitch=16.0, **more):
    return in_columns(texts, [x + 4 for x in XS], top, pitch, **more)


def centred(text, x, y, size=10, **more):
    return row(text, x, y + 0.3 * size, size, **more)


def invoice(*cells_at):
    """Rows of an invoice with the heights of their middles; one text alone is a line of its own."""
    return [w for cells, y in cells_at for w in in_columns([cells], [x + 4 for x in INVOICE_XS], y, 0)]


def numbers(texts, top, **more):
    """Right-aligned cells, a row every 16 points."""
    return [
        word(text, right - 4 - 5 * len(text), top + 16 * number + 11, **more)
        for number, cells in enumerate(texts)
        for text, right in zip(cells, NUMBER_EDGES[1:], strict=True)
    ]


def under(*heights):
    return across(*heights, x0=NUMBER_EDGES[0], x1=NUMBER_EDGES[-1])


TOWNS = [["Aberdeen", "20", "790"], ["Bergen", "12", "2250"], ["Cork", "31", "1200"], ["Derry", "4", "990"]]
WORDS = [["Flood", "often", "boats out"], ["Ice", "rarely", "stay away"], ["Fog", "often", "use horn"],
         ["Snow", "rarely", "shovels"]]  # fmt: skip
LONG = [["Esbjerg", "8", "900"], ["Faro", "2", "640"], ["Genoa", "3", "120"]]
WRAPPED = [["The town of Esbjerg in the far north", "8", "900"], ["and-the-harbour at the western coast", "2", "640"],
           ["and-the-lighthouse", "3", "120"]]  # fmt: skip
MARKED = [["Backup", "x", ""], ["Restore", "", "x"], ["move files", "x", ""], ["Copy", "x", "x"]]
HOURS = [["Time", "0.1", "0.5", "10", "30"], ["north", "81.9", "73.1", "65.2", "67.0"],
         ["south", "61.9", "53.1", "45.2", "47.0"]]  # fmt: skip
LETTERS = [["a", "b", "c"], ["n", "y", "x"], ["m", "z", "w"]]
HEAD = ["Town", "Rain", "Height"]
MANY = [[*cells[:2], f"Port {cells[0]}"] for cells in [*TOWNS, *LONG]]
WHOLE = [HEAD, *TOWNS]
DASHED = [["Aberdeen", "-", "790"], ["Bergen", "-", "2250"], ["Cork", "-", "-"], ["Derry", "4", "990"]]
SIZES = [[f"Conv dw / s{k}", f"3 × 3 × {k} × 32", f"4 × 7 × 7 × {k}"] for k in range(1, 5)]
LEADERS = [(f"{name} . . . . . . . .", *rest) for name, *rest in TOWNS]
SECTIONS = [["Coast"], TOWNS[0], TOWNS[1], ["Inland"], TOWNS[2], TOWNS[3]]
SIDES = down([*XS[:3], 500.0], 90, 170)
ABOUT = rows([["Town", "About"]], 98) + rows([["Bergen", "wet and"], ["", "green"]], 114, 12)
ABOUT += rows([["Cork", "green and"], ["", "wet"]], 150, 12)
ABOUT_RULES = [*across(90, 106, 190), *down([*XS[:2], 500.0], 90, 190)]
HEBREW = [*row("גשם", 70, 103), *row("12", 95, 103), *row("מילימטר", 110, 103)]
PLOT_LABELS = rows(
    [["7,400", "", "0.12"], ["7,300", "", "0.11"], ["7,200", "", "0.10"], ["7,100", "", "0.09"]], 100, 60
)
PLOT_LABELS += rows([["solid", "12", "mean"], ["dashed", "13", "median"], ["dotted", "14", "mode"]], 350, 12)
LONG_TOWNS = [[f"The town of {town} in the north", *rest] for town, *rest in TOWNS]

ITEM_HEAD = ["Description", "Quantity", "Price", "Amount"]
ITEMS = [["Beeswax", "1.00", "42.00", "42.00"], ["Office chair", "2.00", "70.00", "140.00"]]
BILL = [(ITEM_HEAD, 110), (ITEMS[0], 130), (ITEMS[1], 150)]
SUMS = ["Total", "3.00", "112.00", "182.00"]
WIDE_HEAD = [*ITEM_HEAD[:3], "Amount each month"]
ADDRESS = [*centred("Azure Interior", 60, 70), *centred("Fremont, United States", 330, 84),
           *centred("Invoice 2023 0008", 60, 200, 20)]  # fmt: skip
TERMS = [*centred("Payment terms 15 days", 64, 230), *centred("Bank account", 64, 250),
         *centred("1234567890", 330, 250)]  # fmt: skip
NOTE = centred("All prices are in euros and include the tax of the country.", 64, 190)

COUNTS = [["Merge", "From", "Move"], ["75,597", "564,803", "21"], ["81", "80.34", "33"], ["28%", "65.04", "232999"],
          ["49", "70", "94"]]  # fmt: skip
GRID = under(*(10 + 16 * k for k in range(5))) + [(x, 10, x, 74) for x in NUMBER_EDGES]
ONE_ROW = [COUNTS[0], ["one", "two", "three"]]
BLANKS = [*across(*(90.0 + 16 * k for k in range(6))), *down([*XS[:3], 500.0], 90, 170)]
EQUAL = [[name, kind, "1"] for name, kind in zip(("Derry", "Larne", "Ballymena", "Antrim"), "abcd", strict=True)]
NUMBERED = [[*cells[:2], str(k)] for k, cells in enumerate(EQUAL, 1)]
STOCK = [["Raw stock", "3,334", "1,894", "17"], ["Made stock", "4,100", "2,000", "21"], ["All", "7,434", "3,894", "38"]]
WORK = [["Work in hand", "13,548", "10,257", "62"], ["Work billed", "911", "870", "8"], ["All", "14,459", "1", "7"]]
YEARS_HEAD = ["In a year", "2022", "2021", "2020"]
SENTENCE = "The amount that was paid over the year to all of those who had asked for some was as large as before"
RESULTS = [["Result", "of a test"], ["Entries", "none"], ["Summary", "passed"]]
EVENT = [["Time", "Event", "Place"], ["10.00", "Mass", "Church"]]
REGIONS = [["Region", "", "", ""], ["North", "1", "2", "3"], ["South", "4", "5", "6"], ["West", "7", "8", "9"]]
NAMES = ["Aberdeen", "Bergen", "Cork", "Derry"]
PARTS = [["No.", "Part"], ["1", "Keyless chuck"], ["2", "Torque ring"], ["3", "Gear switch"], ["4", "Work light"]]
GRAVEL = [["Year", "Gravel", "Share"], *([f"202{k}", f"84{k},00 €", f"42{k},00 €"] for k in range(4))]
TRAINS = [["Train", "R 1", "R 2"], *([f"Stop {k}", f"5.3{k}", f"6.3{k}"] for k in range(6))]
PROFITS = [["", "2020", "2021"], *([f"Profit of part {k}", f"({k}1,874)", f"{k}4,457"] for k in range(1, 7))]
LOSSES = [["S", "lost", "kept"], *([str(k), str(900 + 7 * k), str(90 - k)] for k in range(2, 12))]

PAGES = {  # words, strokes and the tables of a page
    "dashes for missing numbers": (rows(DASHED, 100), across(90, 160), [DASHED]),
    "sizes written with signs": (
        rows([HEAD, *SIZES], 98, 12), across(90, 103, 152), [[HEAD, *SIZES]]),
    "leaders to one number are contents": (rows([cells[:2] for cells in LEADERS], 100), across(90, 160), []),
    "rows of one figure, and rows that it numbers, are no contents": (
        [*rows([HEAD, *EQUAL], 100), *rows([HEAD, *NUMBERED], 300)],
        [*across(90, 106, 174), *across(290, 306, 374)], [[HEAD, *EQUAL], [HEAD, *NUMBERED]]),
    "a typewriter's page with its number in another type": (
        [*rows(TOWNS, 100, mono=True), *centred("Taken from the survey of the north", 64, 300, mono=True),
         *centred("12", 300, 700)], [], [TOWNS]),
    "rows under labels without strokes between them": (
        rows([HEAD], 98) + rows(SECTIONS, 114, 15), [*across(90, 106, 200), *down([*XS[:3], 500.0], 90, 200)],
        [[HEAD, *([*cells, "", ""][:3] for cells in SECTIONS)]]),
    "a table with other columns right under a grid": (
        [*rows([HEAD, *TOWNS[:2]], 98), *centred("Further south", 64, 145),
         *in_columns([HEAD, *TOWNS[2:]], [64, 204, 354], 158, 16)],
        [*across(90, 106, 122, 138, 151, 166, 182, 198), *down([*XS[:3], 500.0], 90, 138),
         *down([60, 200, 350, 500], 151, 198)], [[HEAD, *TOWNS[:2]], [HEAD, *TOWNS[2:]]]),
    "a head over rows to fill in": (rows([HEAD], 98) + NOTE, BLANKS, [[HEAD, *[[""] * 3] * 4]]),
    "labels beside cells to fill in": (
        rows([[name] for name, *_ in WHOLE], 98), BLANKS, [[[name, "", ""] for name, *_ in WHOLE]]),
    "a grid with too few words for a form": (rows([HEAD[:2]], 98), BLANKS, []),
    "the margins of ruled paper": (
        in_columns([cells[1:] for cells in WHOLE], [x + 4 for x in XS[1:]], 98, 16.0),
        [*BLANKS, *down([480.0], 90, 170)], [[cells[1:] for cells in WHOLE]]),
    "one row of wrapped text among rows of one line": (
        rows([HEAD, *TOWNS[:3], *WRAPPED], 98),
        [*across(90, 106, 122, 138, 154, 202), *down([*XS[:3], 500.0], 90, 202)],
        [[HEAD, *TOWNS[:3], [" ".join(cells) for cells in zip(*WRAPPED, strict=True)]]]),
    "rows with few marks between strokes, among rows of one line": (
        rows([HEAD, *TOWNS, *MARKED], 98),
        [*across(90, 106, 122, 138, 154, 170, 234), *down([*XS[:3], 500.0], 90, 234)], [[HEAD, *TOWNS, *MARKED]]),
    "columns of figures without strokes between them": (
        in_columns(HOURS, [64, 164, 224, 284, 344], 98, 16),
        [*across(90, 106, 122, 138, x1=400), *down([60, 150, 400], 90, 138)], [HOURS]),
    "formulas under a ruled head": (
        rows([["Source", "Sum", "Mean"]], 98) + rows(LETTERS, 114, math=True), across(90, 106, 154),
        [[["Source", "Sum", "Mean"], *LETTERS]]),
    "a few words between two tables, from the margin": (
        [*rows(WHOLE, 98), *centred("The rain over the hills", 20, 180), *rows(WHOLE, 206)],
        across(90, 106, 170, 198, 214, 278), [WHOLE, WHOLE]),
    "a sentence under the last stroke": (
        rows([["Risk", "How", "What"], *WORDS[:3]], 98) + centred("After this came the thaw", 64, 162),
        across(106, 122, 138, 154), [[["Risk", "How", "What"], *WORDS[:3]]]),
    "no white between the lines of a cell": (
        ABOUT + centred("here", XS[1] + 4, 138), ABOUT_RULES,
        [[["Town", "About"], ["Bergen Cork", "wet and green here green and wet"]]]),
    "labels beside ruled rows": (
        rows(WHOLE, 98),
        [*across(*(90.0 + 16 * k for k in range(6)), x0=XS[1]), *across(90, 170), *SIDES], [WHOLE]),
    "a painted header of one box": (
        rows(WHOLE, 98),
        [*across(90, 106, 122, 138, 154, 170), *down([XS[0], 500.0], 90, 170), *down(XS[1:3], 106, 170)], [WHOLE]),
    "a caption over and notes under the columns": (
        [*centred("Table 3. Rain in the north", 200, 98), *rows(WHOLE, 114), *centred("Source: the survey", 64, 194)],
        [*across(*(90.0 + 16 * k for k in range(8))), *down([XS[0], 500.0], 90, 202), *down(XS[1:3], 106, 186)],
        [WHOLE]),
    "a caption between two rules": (
        [*rows([HEAD], 98), *rows(TOWNS[:2], 114), *centred("Table 2. The", 64, 172),
         *centred("south in wet years", 135, 172, space=14.8), *rows([HEAD], 198), *rows(TOWNS[2:], 214)],
        across(90, 106, 140, 190, 206, 240), [[HEAD, *TOWNS[:2]], [HEAD, *TOWNS[2:]]]),
    "cells that are read from the right": (
        HEBREW + centred("5", 264, 100) + rows([["", "6"], ["", "7"], ["", "8"]], 116),
        [*across(*(92.0 + 16 * k for k in range(5))), *down([XS[0], XS[1], 500.0], 92, 156)],
        [[["5", "מילימטר 12 גשם"], ["6", ""], ["7", ""], ["8", ""]]]),
    "a letterhead over a rule of the same width": (
        ADDRESS + invoice((ITEM_HEAD, 250), (ITEMS[0], 270), (ITEMS[1], 290)), across(50, 240, 260, 280, 300),
        [[ITEM_HEAD, *ITEMS]]),
    "a list between two rules": (
        [*invoice((ITEM_HEAD, 110), (ITEMS[0], 130)),
         *in_columns([["•", f"{text} of the year"] for text in ("food", "oil and wax", "all")], [64, 82], 150, 14),
         *invoice((ITEM_HEAD, 210), (ITEMS[1], 230))],
        across(100, 120, 140, 200, 220, 240), [[ITEM_HEAD, ITEMS[0]], [ITEM_HEAD, ITEMS[1]]]),
    "sections with numbers, and their items, between two rules": (
        [*invoice((ITEM_HEAD, 110), (ITEMS[0], 130)),
         *in_columns([["1.2.2", "Repairs of the year"], ["1.", "the oil"], ["2.", "the wax"]], [64, 92], 150, 14),
         *invoice((ITEM_HEAD, 210), (ITEMS[1], 230))],
        across(100, 120, 140, 200, 220, 240), [[ITEM_HEAD, ITEMS[0]], [ITEM_HEAD, ITEMS[1]]]),
    "the title of a group": (
        invoice((ITEM_HEAD, 110), (ITEMS[0], 130), (["Food products"], 150), (ITEMS[1], 170)),
        across(100, 120, 140, 160, 180), [[ITEM_HEAD, ITEMS[0], ["Food products", "", "", ""], ITEMS[1]]]),
    "a sum and a note under the last rule": (
        invoice(*BILL, (SUMS, 170)) + NOTE, across(100, 120, 160), [[ITEM_HEAD, *ITEMS, SUMS]]),
    "a sum of two columns under the last rule, that ends before it": (
        in_columns([["symptom", "all", "severe"], ["lost data", "40", "19"], ["hung", "23", "9"]], XS[:3], 112, 20)
        + in_columns([["total", "63", "28"]], XS[:3], 172, 14), across(100, 120, 160),
        [[["symptom", "all", "severe"], ["lost data", "40", "19"], ["hung", "23", "9"], ["total", "63", "28"]]]),
    "a note right under the last rule": (
        invoice(*BILL) + centred("Prices without tax", 64, 170), across(100, 120, 160), [[ITEM_HEAD, *ITEMS]]),
    "text far below, and a rule that ends the page": (
        invoice(*BILL) + TERMS, across(100, 120, 160, 320), [[ITEM_HEAD, *ITEMS]]),
    "a cell that ends a little beyond the rules": (
        invoice((WIDE_HEAD, 110), *BILL[1:]), across(100, 120, 160), [[WIDE_HEAD, *ITEMS]]),
    "rules as close as the lines of a staff": (
        invoice((ITEM_HEAD, 90), (ITEMS[0], 140)), across(*(100 + 3 * k for k in range(8))), []),
    "numbers below a grid": (numbers(COUNTS[:4], 10) + numbers(COUNTS[1:], 90), GRID, [COUNTS[:4], COUNTS[1:]]),
    "a typed page": (numbers(COUNTS, 10, mono=True), under(10, 26, 90), [COUNTS]),
    "a listing in prose": (
        numbers(COUNTS, 10, mono=True) + numbers([["Prose", "around", "it"]], 200), under(10, 26, 90), []),
    "a head and one row between three rules": (numbers(ONE_ROW, 10), under(10, 26, 42), [ONE_ROW]),
    "a head and one row between two rules": (numbers(ONE_ROW, 10), under(10, 42), []),
    "rows in threes and twos between strokes, and single ones": (
        rows([[*cells, "7"] for cells in (*TOWNS, *LONG, *TOWNS[:3])], 98),
        [*across(90, 106, 154, 170, 202, 218, 234, 250), *down([*XS, 500.0], 90, 250)],
        [[[*cells, "7"] for cells in (*TOWNS, *LONG, *TOWNS[:3])]],
    ),
    "cells that end on the last line of their row": (
        [
            *rows([HEAD], 98),
            *(
                w
                for k, (town, *rest) in enumerate(MANY)
                for w in rows([["", "", "City of"], [town, *rest]] if k % 2 else [[town, *rest]], 114 + 28 * k, 12)
            ),
        ],
        across(90, 108, *(124 + 28 * k + 10 * (k % 2) for k in range(len(MANY)))),
        [[HEAD, *([*cells[:2], f"City of {cells[2]}" if k % 2 else cells[2]] for k, cells in enumerate(MANY))]],
    ),
    "strokes that reach into the text under them": (
        rows(TOWNS, 100) + row("The text under a table is none of it, though strokes reach there.", 64, 172),
        across(95, 111, 127, 143, 159) + down([*XS[:3], 500], 95, 178), [TOWNS]),
    "two tables right under each other": (
        numbers(COUNTS, 10) + numbers(COUNTS, 100), under(10, 26, 90, 100, 116, 180), [COUNTS, COUNTS]),
    "leaders to several numbers": (rows(LEADERS, 100), across(90, 160), [TOWNS]),
    **{f"running text over columns whose rules begin at {x0}": (
        [*rows(STOCK, 112), *row(SENTENCE, XS[0], 169, 9), *rows([YEARS_HEAD], 182), *rows(WORK, 200)],
        across(102, 152, 190, 240, x0=x0), [STOCK, [YEARS_HEAD, *WORK]]) for x0 in XS[:2]},
    "tables with the same columns one under the other": (
        [w for top in (100, 154, 208) for w in rows(RESULTS, top)],
        [stroke for top in (90, 144, 198) for stroke in (
            *across(*range(top, top + 49, 16), x1=340), *down([60, 260, 340], top, top + 48))], [RESULTS] * 3),
    "a rule between a head and one row": (rows(EVENT, 100, 20), across(112), [EVENT]),
    "a short stroke there": (rows(EVENT, 100, 20), across(112, x1=160), []),
    "a head and one row of two columns": (rows([cells[:2] for cells in EVENT], 100, 20), across(112), []),
    "a row to fill in over rows of figures": (
        rows(REGIONS, 98), [*across(*range(90, 155, 16)), *down([60, 260, 340, 420, 500], 90, 154)], [REGIONS]),
    "a title over names with a rule under them": (
        [*rows([HEAD], 112, bold=True), *rows(TOWNS[:2], 130), *row("Inland towns", 60, 176, 12, bold=True),
         *rows([HEAD], 190, bold=True), *rows([*TOWNS[2:], *LONG], 208)],
        across(120, 198), [[HEAD, *TOWNS[:2]], [HEAD, *TOWNS[2:], *LONG]]),
    "a row across a grid that waits for words": (
        rows([[*cells, "x"] for cells in TOWNS], 98),
        [*across(*range(90, 171, 16)), *down([60, 500], 90, 170), *down([260, 340, 420], 90, 154)],
        [[*([*cells, "x"] for cells in TOWNS), [""] * 4]]),
    **{f"{over} over one row": (
        rows([[over], NAMES], 98), [*across(90, 106, 122), *down([*XS, 500], 90, 122)], [[[over, "", "", ""], NAMES]])
       for over in ("Table 1: Three towns", "Towns")},
    "a frame around three lines": (
        rows([["Flood and ice"], ["Ice"], ["Fog"]], 98),
        [*across(90, 106, 122, 138), *down([60, 490, 500], 90, 138)], []),
    "strokes that end on either of two rules under a head": (
        [*rows([HEAD], 98), *rows(TOWNS, 116)],
        [*across(90, 105.9, 108.2, 124, 140, 156, 172), *down([*XS[:3], 500.0], 90, 105.9),
         *down([*XS[:3], 500.0], 108.5, 172)], [WHOLE]),
    "a title, and rows whose numbers end near the words behind them": (
        [*row("2. Parts", 60, 118, 12, bold=True),
         *(w for k, (number, name) in enumerate(PARTS) for y in (138 + 16 * k,) for w in (
             *row(number, 95 - 5 * len(number), y, bold=not k), *row(name, 102, y, bold=not k)))],
        across(90, *range(142, 222, 16)), [PARTS]),
    "a sign behind its number": (
        in_columns(GRAVEL, [60, 160, 260], 120, 16), across(108, 124, 190), [GRAVEL]),
    "cells of one line beside the middle of two": (
        [w for k, name in enumerate(("Bevan", "Davies", "Jones", "Rees")) for text, x, y in (
            (name, 120, 120), ("of the Station", 120, 134), (str(k), 64, 127)) for w in row(text, x, y + 40 * k)],
        across(*range(104, 270, 40)),
        [[[str(k), f"{name} of the Station"] for k, name in enumerate(("Bevan", "Davies", "Jones", "Rees"))]]),
    "names over a rule and a plain row over a lattice": (
        [w for k, texts in enumerate(TRAINS) for w in in_columns([texts], [64, 264, 344], 111 + 10 * k, 0, size=8)],
        [*across(114, *range(124, 175, 10)), *down((60, 260, 340, 500), 124, 174)], [TRAINS]),
    "figures at wide white behind their labels, strokes around the next column alone": (
        in_columns(PROFITS, [64, 264, 364], 112, 14), [*across(*range(100, 210, 14)), *down((60, 350, 420), 100, 198)],
        [PROFITS]),
    **{f"figures under two rules around a head, {name} under them": (
        [*in_columns(LOSSES[:1], [64, 160, 260], 112, 0), *in_columns(LOSSES[1:], [64, 160, 260], 129, 11), *below],
        across(100, 117, x1=290), [LOSSES])
       for name, below in (("nothing", []), ("text", row("The rain falls on the hills and on 12 towns", 64, 255)))},
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, tables", PAGES.values(), ids=PAGES)
def test_a_ruled_table_has_its_rows_and_nothing_of_what_stands_around_it(words, strokes, tables):
    assert grids(words, rules(*strokes)) == tables


def test_the_labels_of_a_plot_are_no_table_and_words_over_a_drawing_may_be():
    plot = Box(60, 60, 500, 400)
    assert grids(PLOT_LABELS, rules(), plots=[plot]) == []
    upright = [word("Number of students", x, 380, 20, angle=90, width=300) for x in range(70, 170, 10)]
    assert grids([*PLOT_LABELS, *upright], rules(), plots=[plot]) == []
    assert grids(rows(LONG_TOWNS, 100, 12), rules(), plots=[Box(60, 95, 380, 141)]) == [LONG_TOWNS]


def test_a_ruled_table_takes_no_labels_from_the_column_at_its_left():
    cells = [("Revenue", "7,655", "8,809"), ("Growth", "16.3", "15.1"), ("Profit", "2,188", "2,744"),
             ("Margin", "21.4", "25.4")]  # fmt: skip
    words = [word("2021A", 380, 100, 9), word("2022A", 450, 100, 9)]
    for r, texts in enumerate(cells):
        beside = zip((*texts, "Analyst", "S1060520"), (252, 380, 450, 60, 120), strict=True)
        words += [word(text, x, 113 + 13 * r, 9) for text, x in beside]
    strokes = rules(*across(90, 104, 117, 130, 143, 156, x0=250, x1=490))
    [table] = [each.table for each in find_tables(words, strokes, Box(0, 0, 600, 800)) if each.kind == "booktabs"]
    assert grid_of(table) == [["", "2021A", "2022A"], *map(list, cells)]


def test_turned_words_stand_in_the_cells_that_are_ruled_around_them(one_page_pdf):
    strokes = [*across(40, 90, 106, 122, 138, 154), *down([*XS[:3], 500.0], 40, 154)]
    turned = Word(text="Rain", box=Box(290, 50, 300, 80), baseline=298, size=10, angle=90)
    words = [*rows(TOWNS, 98), *centred("Town", 64, 65), turned]
    with open_document(one_page_pdf, name="page") as document:
        state = first_state(document.page(1), Engines(Settings()))
        after = parts.tables(replace(state, words=words, rulings=rules(*strokes)))
    assert grid_of(after.tables[0].table)[0] == ["Town", "Rain", ""]
    assert after.words == ()


def test_the_stroke_under_a_link_is_no_rule_and_the_one_under_a_row_is():
    words = [*centred("Second amended certificate", 60, 100), *invoice((ITEM_HEAD, 150))]
    ends = words[2].box.x1, words[-1].box.x1
    strokes = rules((60, 104, ends[0], 104), (64, 154, ends[1], 154), (60, 104, 500, 104))
    assert without_underlines(strokes, words).tolist() == strokes[1:].tolist()


@pytest.mark.parametrize("start, outside", [(46.0, True), (64.0, False)])
def test_a_line_that_begins_before_a_ruled_grid_is_no_row_of_it(start, outside):
    body = rows([["north", "12", "30", "4"], ["south", "15", "41", "6"]], 120)
    above = in_columns([["places", "sum", "men", "age"]], [start, *(x + 4 for x in XS[1:])], 104, 0)
    strokes = across(108, 124, 140) + down((*XS, 500.0), 108, 140)
    (found,) = find_tables([*body, *above], rules(*strokes), Box(0, 0, 600, 800))
    assert ("places" not in str(found.table)) is outside


PAINTED = [60, 220, 290, 360]  # labels and two columns of figures


def painted(*heads, rules_at=()):
    """Rows of painted cells from 100 on under heads of `(text, x, y)`."""
    words = [w for text, x, y in heads for w in row(text, x, y + 3)]
    body = [["Shops", "937", "725"], ["Stalls", "704", "683"], ["Carts", "66", "67"]]
    words += in_columns(body, [64, 250, 324], 108, 16)
    strokes = rules(*across(100, 116, 132, 148, x1=360), *down(PAINTED, 100, 148), *rules_at)
    [table] = find_tables(words, strokes, SHEET)
    return {plain(cell.spans): (cell.row, cell.column, cell.colspan) for cell in table.table.cells}


def test_names_over_rules_of_their_own_head_a_painted_table_however_much_white_is_under_the_rules():
    names = (("2022", 250, 74), ("2021", 324, 74))
    underlined = painted(*names, rules_at=[(224, 84, 286, 84), (294, 84, 356, 84)])
    assert underlined["2022"] == (0, 1, 1) and "2022" not in painted(*names)


def ends_at(texts, edges, y, **more):
    return [word(text, x - 5 * len(text), y, **more) for text, x in zip(texts, edges, strict=True) if text]


EDGES = (240.0, 310.0, 380.0, 450.0)
YEARS = [word("Cooperative", 212, 102, width=60), word("Group", 367, 102, width=30),
         *ends_at(["2023", "2022", "2023", "2022"], EDGES, 119)]  # fmt: skip
ACCOUNTS = [
    each
    for k, name in enumerate(("Sales", "Network", "Other", "Total", "Taxes", "Result"))
    for each in (word(name, 62, 140 + 16 * k), *ends_at([f"{k + 1},{n}00" for n in range(2, 6)], EDGES, 140 + 16 * k))
]


def test_headings_in_the_middle_of_equal_parts_of_one_rule_stand_over_the_columns_of_these():
    strokes = rules((172, 106, 452, 106), (60, 124, 452, 124), (60, 178, 452, 178), (60, 228, 452, 228))
    [found] = find_tables([*YEARS, *ACCOUNTS], strokes, SHEET)
    spans = {cell.spans[0].text: (cell.column, cell.colspan) for cell in found.table.cells if cell.colspan > 1}
    assert spans == {"Cooperative": (1, 2), "Group": (3, 2)}


def test_rows_of_figures_close_under_the_last_rule_are_of_the_table_and_prose_is_not():
    note = row("Figures of 2023 are not audited yet", 62, 240)
    [found] = grids([*YEARS[2:], *ACCOUNTS, *note], rules((60, 124, 452, 124), (60, 178, 452, 178)))
    assert [cells[0] for cells in found[-3:]] == ["Total", "Taxes", "Result"]


@pytest.mark.parametrize("title, kept", [("Table 2. Rain", 5), ("Rain and height", 6)])
def test_a_caption_alone_over_some_columns_of_a_grid_is_no_row_of_it(title, kept):
    strokes = rules(*across(90, 106, 122, 138, 154, 170, 186), *down([60, 500], 90, 186), *down([340], 106, 186),
                    *down([260, 420], 90, 186))  # fmt: skip
    cells = rows([[*cells, "x"] for cells in [HEAD, *TOWNS]], 114)
    [found] = grids([*row(title, 300, 101), *cells], strokes)
    assert len(found) == kept and found[-5][:3] == HEAD


@pytest.mark.parametrize("more, kept", [("", 5), ("12", 7)])
def test_what_a_sheet_has_in_its_first_cells_over_the_names_is_no_row_of_its_table(more, kept):
    strokes = rules(*across(*range(90, 203, 16)), *down([60, 260, 340, 420, 500], 90, 202))
    over = [["Rain and height", more, "", ""], ["in millimetres", "", "", ""]]
    cells = [[*cells, "x"] for cells in [HEAD, *TOWNS]]
    [found] = grids(rows([*over, *cells], 98), strokes)
    assert found[-5:] == cells and len(found) == kept


def test_names_that_stand_on_end_are_in_one_table_alone():
    names = ["Number of pupils", "Share of all girls", "Number of full teachers", "Schools with a library",
             "Mean size of class", "Cost of each pupil"]  # fmt: skip
    turned, xs = [], range(60, 421, 60)
    for x, name in zip(xs, names, strict=False):
        foot = 198.0
        for text in name.split():
            box = Box(x + 20, foot - 5 * len(text), x + 30, foot)
            turned.append(Word(text=text, box=box, baseline=x + 28, size=10, angle=270, index=len(turned)))
            foot = box.y0 - 4
    figures = [[str(10 * r + c) for c in range(6)] for r in range(5)]
    strokes = rules(*across(60, *range(200, 281, 16), x1=420), *down(xs, 60, 280))
    assert grids([*turned, *in_columns(figures, [x + 4 for x in xs], 208, 16)], strokes) == [[names, *figures]]


def test_a_word_that_reaches_over_the_frame_of_its_table_is_in_no_other():
    beside = in_columns(
        [["30", "41", "12"], ["12", "20", "31"], ["7", "3", "5"], ["8", "9", "2"]], [496, 530, 570], 98, 16
    )
    strokes = rules(*across(90, 106, 122, 138, 154), *down((*XS, 500.5), 90, 154))
    found = find_tables([*rows(TOWNS, 98), *beside], strokes, SHEET)
    taken = [i for table in found for i in table.words]
    assert len(found) == 2 and len(taken) == len(set(taken))


def test_an_empty_row_under_wide_names_is_no_head():
    strokes = rules(*across(*range(90, 155, 16)), *down([60, 260, 500], 90, 154), *down([380], 106, 154))
    words = [*rows([["Town", "Rain and height"]], 98), *rows(WORDS[:2], 130)]
    [found] = find_tables(words, strokes, SHEET)
    assert [cell.row for cell in found.table.cells if cell.header] == [0, 0]


def test_a_row_with_a_label_of_many_rows_is_no_head():
    strokes = rules(*across(90, 154, 186), *across(106, 122, 138, 170, x0=260), *down([*XS[:3], 500.0], 90, 186))
    words = [*row("Coast", 64, 125), *row("Hills", 64, 173)]
    words += rows([["", town, "far away"] for town in ("Aberdeen", "Bergen", "Cork", "Derry", "Essen", "Faro")], 98)
    [found] = find_tables([each for each in words if each.text], strokes, SHEET)
    cells = {plain(cell.spans): cell for cell in found.table.cells}
    assert cells["Coast"].rowspan == 4 and not any(cell.header for cell in found.table.cells)


def test_rows_beside_an_empty_box_of_many_rows_are_no_head():
    strokes = rules(*across(90, 170), *across(106, 122, 138, 154, x1=420), *down([*XS, 500.0], 90, 170))
    [found] = find_tables(rows([["Town", "Days", "Height"], *TOWNS], 98), strokes, SHEET)
    assert found.table.rows == 5 and not any(cell.header for cell in found.table.cells if cell.row > 0)


def test_lines_of_a_form_are_rows_beside_their_boxes_also_where_they_are_as_wide_as_other_cells_together():
    strokes = rules(*across(90, 170), *across(106, 122, 138, 154, x0=340), *down([60, 340, 500], 90, 186),
                    *down([200], 170, 186), *across(186))  # fmt: skip
    said = [f"{k} Amount of the {name}" for k, name in enumerate(("rent", "wages", "power", "rest", "sum"), 1)]
    words = [*row("Signed", 64, 181), *row("Date", 204, 181), *row("6", 344, 181)]
    for k, text in enumerate(said):
        words += [*row(text, 64, 101 + 16 * k), *row(str(k + 1), 344, 101 + 16 * k)]
    [table] = grids(words, strokes)
    assert [[cells[0], cells[2]] for cells in table[:5]] == [[text, text[0]] for text in said]


@pytest.mark.parametrize("behind, expected", [("0.3", "−0.3"), ("x", "- x")])
def test_a_number_with_its_sign_is_no_formula(behind, expected):
    """As LaTeX sets it, whose minus is of a font of signs."""
    strokes = rules(*across(90, 106, 122, 138), *down([60, 260, 500], 90, 138))
    minus = [word("−", 300, 114, font="CMSY10", math=True), word(behind, 307, 114, glued=True, math=behind == "x")]
    [table] = grids([*in_columns([["Rain", "Bias"], ["1", ""], ["2", "0.4"]], [64, 300], 98, 16), *minus], strokes)
    assert [cells[1].strip() for cells in table] == ["Bias", expected, "0.4"]


def test_the_dots_behind_a_bold_label_are_left_out():
    strokes = rules(*across(90, 106, 122, 138), *down([60, 260, 500], 90, 138))
    words = [w for y in (98, 114, 130) for w in (*centred("Rain", 64, y, bold=True), *centred(". . . . . . .", 90, y))]
    [table] = grids([*words, *in_columns([["20"], ["12"], ["31"]], [264], 98, 16)], strokes)
    assert [cells[0].strip() for cells in table] == ["Rain"] * 3


@pytest.mark.parametrize("pitch", [12, 16])
def test_lines_with_a_cell_in_every_column_are_rows_though_rules_part_only_groups_of_them(pitch):
    """A medical record: the names of groups stand on tinted bands."""
    names = ["Tobacco Use", "Needs", "Strain:", "Worry:", "Medical:", "Lifestyle", "Days:", "Relations", "Stress:"]
    values = ["", "", "low", "none", "never", "", "two", "", "much"]
    heights = [98 + pitch * k for k in range(len(names))]
    words = [w for y, name, value in zip(heights, names, values, strict=True)
             for w in (*row(name, 64, y), *row(value, 300, y)) if name]  # fmt: skip
    edges = [y - 0.8 * pitch for y, value in zip(heights, values, strict=True) if not value]
    edges += [edge + pitch for edge in edges] + [heights[-1] + 4]
    [table] = grids(words, rules(*across(*sorted(set(edges)))))
    assert {"Strain:", "Worry:", "Medical:"} <= {cells[0].strip() for cells in table}


def test_the_bar_of_a_root_is_in_its_cell():
    cells = [["Year", "Width", "Share"], *([f"202{k}", "7", f"{k}"] for k in range(4))]
    words = [w for w in in_columns(cells, [60, 160, 260], 120, 16) if w.text != "7"]
    roots = [
        w for y in range(136, 200, 16) for w in (word("√", 160, y, math=True, width=8), word("7", 168, y, glued=True))
    ]
    strokes = rules(*across(108, 124, 190), *((168, y - 7.4, 173, y - 7.4) for y in range(136, 200, 16)))
    (table,) = find_tables([*words, *roots], strokes, SHEET)
    assert [plain(cell.spans) for cell in table.table.cells if cell.column == 1] == ["Width", *[r"\sqrt{7}"] * 4]


@pytest.mark.parametrize("count", [5, 4], ids=["on a row", "between two rows"])
@pytest.mark.parametrize("shaded", [False, True], ids=["bare", "shaded line by line"])
def test_lines_of_figures_between_two_strokes_are_rows_and_their_label_is_one_cell_beside_them_all(count, shaded):
    body = [[f"Route {k}", f"1{k},500", f"10{k}.1"] for k in range(count)]
    words = in_columns([["", "Routes", "Pax", "Share"]], [64, 144, 264, 384], 112, 0)
    words += in_columns([["", *cells] for cells in body], [64, 144, 264, 384], 132, 12)
    words += row("Group", 64, 132 + 6 * (count - 1))
    strokes = [*across(100, 120, 190, x0=60), *down((60, 140, 260, 380, 500), 100, 190)]
    strokes += across(*range(135, 128 + 12 * count, 12), x0=60, x1=140) if shaded else ()
    [found] = find_tables(words, rules(*strokes), SHEET)
    assert grid_of(found.table) == [["", "Routes", "Pax", "Share"], ["Group", *body[0]], *(["", *r] for r in body[1:])]
    assert [cell.rowspan for cell in found.table.cells if cell.column == 0] == [1, count]


@pytest.mark.parametrize("top, rows_found", [(92, 6), (40, None)], ids=["a table", "axes"])
def test_a_rule_under_two_names_and_one_down_between_them_rule_a_table_of_figures(top, rows_found):
    """Close over a paragraph, whose words would be cells of the column that they stand under."""
    body = [["100", "64"], ["255", "128"], ["512", "256"], ["513", "512"], ["1205", "1024"]]
    words = in_columns([["Input", "Output"], *body], [64, 104], 104, 12) + row("which begins right under it", 64, 178)
    found = find_tables(words, rules((60, 108, 140, 108), (98, top, 98, 168)), SHEET)
    assert [table.table.rows for table in found if table.table.cells[-1].row == 5] == (
        [rows_found] if rows_found else []
    )


def test_rows_of_figures_over_the_first_rule_name_no_columns():
    kinds = [[f"Kind {k}", f"{k}10", f"{k}20", f"-{k}.3", f"{k}.5"] for k in range(1, 17)]
    gaps = [[*row[: 1 + k % 4], "", *row[2 + k % 4 :]] for k, row in enumerate(kinds)]
    words = in_columns([["", "2017", "2016", "Change", "Share"], *gaps], [64, 160, 240, 320, 400], 112, 12)
    [found] = find_tables(words, rules(*across(100, 175, 308, x0=60)), SHEET)
    assert grid_of(found.table)[1:6] == gaps[:5]


def test_two_rows_of_years_and_units_over_the_first_rule_name_the_columns():
    head = [["", "2022", "2021", "2020"], ["", "000", "000", "000"]]
    body = [[f"Kind {k}", f"{k}10", f"{k}20", f"{k}30"] for k in range(1, 8)]
    words = in_columns([*head, *body], [64, 160, 240, 320], 112, 12)
    [found] = find_tables(words, rules(*across(100, 129, 220, x0=60)), SHEET)
    assert grid_of(found.table)[0] == ["", "2022 000", "2021 000", "2020 000"]


def test_labels_on_one_middle_begin_a_row_each_however_wide_they_are():
    said = ["what it holds", "its share", "how often it is counted", "in degrees", "for each turn, as a share",
            "of both", "by what it grows"]  # fmt: skip
    labels = ["SOH", "Q/Qmax", "R", "n", "r/R", "Fa,Fb,Fc", "w"]
    table = row("Symbol", 85, 112) + row("Meaning", 200, 112)
    for k, (label, words) in enumerate(zip(labels, said, strict=True)):
        y = 136 + 19 * (k + (k > 4))
        table += [*row(label, 100 - 2.5 * len(label), y), *row(words, 200, y)]
    table += row("of the last one", 200, 136 + 19 * 5)
    strokes = rules(*across(100, 118, 136 + 19 * 8, x0=60, x1=400))
    [grid] = grids(table, strokes)
    assert [cells[0] for cells in grid[1:]] == labels
    assert grid[5][1] == "for each turn, as a share of the last one"


@pytest.mark.parametrize(
    "head, at, headed",
    [
        (["Drinks", "ml", "Price"], [64, 200, 260], True),
        (["ml", "Price"], [200, 260], True),
        (["Drinks", "2024"], [64, 260], False),
    ],
    ids=["a head", "one without a name for the names", "the name of a list"],
)
def test_what_two_rules_stand_around_is_a_head_where_it_has_a_cell_over_each_column(head, at, headed):
    words = in_columns([head], at, 112, 0)
    for k, name in enumerate(("Tea", "Coffee with milk", "Ale", "Water from the spring", "Gin", "Cocoa")):
        end, y = 64 + 5 * len(name), 130 + 11 * k
        words += [*row(name, 64, y), *row(str(200 + k), end + 12, y), *row(f"{k}.50", end + 44, y)]
    found = grids(words, rules(*across(100, 117, x0=60, x1=290)))
    assert any(grid[0][-1] == head[-1] for grid in found) == headed


def test_a_row_whose_ground_hides_the_strokes_has_a_cell_in_each_column_that_its_words_stand_in():
    body = [["Aberdeen", "20", "790", ""], ["Bergen city", "12", "2250", ""], ["Cork", "31", "1200", "new"]]
    words = in_columns([["Town", "Rain", "Height", "Note"], *body], [64, 144, 264, 384], 108, 16)
    sides = (60, 140, 260, 380, 500)
    strokes = [*across(*range(100, 165, 16)), *down((60, 500), 100, 164)]
    strokes += [*down(sides[1:-1], 100, 132), *down(sides[1:-1], 148, 164)]  # none in the second row of towns
    assert grids(words, rules(*strokes)) == [[["Town", "Rain", "Height", "Note"], *body]]


def test_a_label_of_two_lines_stands_beside_its_figures_between_others_without_strokes():
    figures = [["11.6 ± 2.6s", "7.6 ± 2 s"], ["23.2 ± 8.4s", "22.5 ± 11 s"], ["24.1 ± 23.4s", "23.1 ± 25 s"]]
    words = in_columns([["Model", "One", "Two"]], [64, 264, 384], 108, 0)
    words += in_columns([["", *each] for each in figures], [64, 264, 384], 130, 15, size=8)
    labels = [("Gemma", 130), ("Phi", 140), ("mini", 150), ("Llama", 160)]
    words += [w for text, y in labels for w in in_columns([[text]], [64], y, 0, size=8)]
    strokes = [*across(100, 120, 168), *down((60, 260, 380, 500), 100, 168)]
    expected = [["Gemma", *figures[0]], ["Phi mini", *figures[1]], ["Llama", *figures[2]]]
    assert grids(words, rules(*strokes)) == [[["Model", "One", "Two"], *expected]]


def test_a_stroke_parts_the_words_of_a_line_that_is_spaced_as_justified_ones_are():
    cells = [["Day", "Storm", "Place"], ["9-23", "Katrina", "New Orleans"], ["10-02", "Longwang", "Taiwan"]]
    cells.append(["11-20", "Gamma", "Florida"])
    words = in_columns(cells, [64, 144, 264], 108, 16)
    words = [structs.replace(w, stretched=w.text in ("Longwang", "Taiwan")) for w in numbered(words)]
    strokes = [*across(100, 116, 164, x1=380), *down((60, 140, 260, 380), 100, 164)]
    assert grids(words, rules(*strokes)) == [cells]


BALANCE = [["Assets"], ["Cash", "18,111", "16,398"], ["Stocks", "15,537", "12,696"], ["All assets", "56,379", "49,616"],
           ["Commitments (Note 10)"], ["Interests", "70", "242"], ["Equity"], ["Owners"], ["Preferred shares"],
           ["Common shares", "3", "3"], ["Earnings", "32,656", "27,882"], ["All", "69,931", "62,634"]]  # fmt: skip


def sheet(*sums, title=(), pitch=14):
    """The balance sheet under the heads of its columns: rules lie over the rows of sums, and those of the heads."""
    words = in_columns([["", "2024", "2023"], *BALANCE], [60, 400, 480], 200, pitch, size=9, bold=False)
    words += [w for k, text in enumerate(reversed(title)) for w in centred(text, 300 - 2.5 * len(text), 182 - 14 * k)]
    heights = [200 + pitch * (k + 0.5) for k in (0, *sums)]
    strokes = [(x, y, x + 70, y) for y in heights for x in (390, 465)]
    return words, strokes


def test_a_balance_sheet_whose_sums_alone_have_rules_is_one_table_also_where_rows_have_no_figures():
    words, strokes = sheet(3, 4, 11, 12)
    [table] = grids(words, rules(*strokes))
    assert [cells[0] for cells in table] == ["", *(cells[0] for cells in BALANCE)]


def test_titles_in_the_middle_of_a_sheet_name_no_column_and_the_first_title_of_a_group_is_a_row():
    words, strokes = sheet(3, 4, 11, 12, title=("The Company", "(in millions)"))
    [found] = find_tables(words, rules(*strokes), SHEET)
    assert grid_of(found.table)[0] == ["", "2024", "2023"]
    assert [cell.row for cell in found.table.cells if cell.header] == [0, 0, 0]


def test_a_caption_right_under_a_grid_is_no_row_of_it():
    words = [*rows(WHOLE, 98), *centred("Figure 2.", 180, 181), *centred("Rain in towns", 265, 181)]
    strokes = [*across(*(90.0 + 16 * k for k in range(6))), *SIDES]
    assert grids(words, rules(*strokes)) == [WHOLE]


def test_signs_of_a_currency_in_few_rows_are_in_the_cells_of_their_numbers():
    names = ["Sales", *(f"Part {k}" for k in range(20)), "All"]
    words = [w for x in (300, 412) for w in row("2024", x + 40, 120)]  # it ends right before the numbers begin
    for k, name in enumerate(names, 1):
        words += row(name, 60, 120 + 14 * k)
        for x in (300, 412):
            words.append(word(f"{k % 10},797", x + 65, 120 + 14 * k))
            words += [word("$", x, 120 + 14 * k)] if name in ("Sales", "All") else []
    strokes = [(x, y, x + 92, y) for y in (124, 418) for x in (298, 410)]
    [table] = grids(words, rules(*strokes))
    assert table[:3] == [["", "2024", "2024"], ["Sales", "$ 1,797", "$ 1,797"], ["Part 0", "2,797", "2,797"]]


def test_a_line_without_a_label_between_two_with_one_ends_a_row():
    lines = [("c:lock", "A lock that is held"), ("", "by some writer yet"), ("c:write", "What was written"),
             ("", "and at what time"), ("c:data", "The words"), ("c:notify", "Who is told"),
             ("c:ack", "Who was told so"), ("", "at what time")]  # fmt: skip
    heights = [130, 142, 155, 167, 180, 200, 220, 232]
    words = in_columns([["Column", "Use"]], [64, 200], 108, 0)
    words += [w for each, y in zip(lines, heights, strict=True) for w in in_columns([each], [64, 200], y, 0)]
    [table] = grids(words, rules(*across(98, 118, 242, x1=330)))
    assert [cells[0] for cells in table] == ["Column", "c:lock", "c:write", "c:data", "c:notify", "c:ack"]


def test_a_title_that_begins_left_of_the_labels_of_its_rows_is_whole():
    words, strokes = sheet(3, 4, 11, 12)
    valued = {round(w.baseline) for w in words if w.box.x0 > 390}
    deep = [30 * (w.box.x0 < 390 and round(w.baseline) in valued) for w in words]
    words = [
        structs.replace(w, box=Box(w.box.x0 + x, w.box.y0, w.box.x1 + x, w.box.y1))
        for w, x in zip(words, deep, strict=True)
    ]
    [table] = grids(words, rules(*strokes))
    assert ["Commitments (Note 10)", "", ""] in table


def test_rows_of_figures_after_the_last_sum_are_in_its_table_with_the_title_over_them_and_a_note_is_not():
    words, strokes = sheet(3, 4, 12)
    words += in_columns([["More"], ["Paid in cash", "7,020", "2,590"], ["Of this taxes", "12", "19"]],
                        [60, 400, 480], 200 + 14 * 13, 14, size=9)  # fmt: skip
    words += centred("See the notes to the sheets of the company for all these figures", 200, 200 + 14 * 16)
    [table] = grids(words, rules(*strokes))
    assert table[-3:] == [["More", "", ""], ["Paid in cash", "7,020", "2,590"], ["Of this taxes", "12", "19"]]


def test_a_rule_over_the_labels_and_the_columns_is_one_of_those_over_the_columns():
    words, strokes = sheet(3, 4, 11, 12)
    strokes = [(55, strokes[0][1], 380, strokes[0][1]), *strokes]
    words += row("(In Millions)", 60, 203)
    [table] = grids([w for w in words if w.text != "Assets"], rules(*strokes))
    assert table[0] == ["(In Millions)", "2024", "2023"]


def test_a_column_of_signs_in_a_grid_is_part_of_that_of_their_numbers():
    body = [["Sales", "$", "76,267"], ["Costs", "", "11,148"], ["Rest", "$", "16,646"]]
    words = in_columns([["", "", "2024"], *body], [64, 264, 304], 108, 16)
    strokes = [*across(*range(100, 165, 16)), *down((60, 260, 300, 500), 100, 164)]
    expected = [["Sales", "$ 76,267"], ["Costs", "11,148"], ["Rest", "$ 16,646"]]
    assert grids(words, rules(*strokes)) == [[["", "2024"], *expected]]


def test_the_number_of_a_page_over_the_rule_at_its_foot_is_no_row():
    words = [*invoice((ITEM_HEAD, 110), (ITEMS[0], 130), (ITEMS[1], 150)), *row("13", 280, 178)]
    strokes = [*across(100, 120), *across(186, x1=506)]
    assert grids(words, rules(*strokes)) == [[ITEM_HEAD, *ITEMS]]


@pytest.mark.parametrize("upper, lower, step, joined", [
    ("Debt of all agencies of the", "government abroad", 14, True),
    ("Debt of all agencies of the", "Treasury", 10, True), ("Debt of all agencies of the", "Treasury", 14, False),
    ("Debt", "government abroad", 14, False),
])  # fmt: skip
def test_a_label_in_two_lines_over_its_figures_is_that_of_one_row(upper, lower, step, joined):
    words = in_columns([["", "2024", "2023"], *([f"Stock number {k}", f"1{k}", f"2{k}"] for k in range(5)), [upper]],
                       [60, 400, 480], 100, 14)  # fmt: skip
    words += in_columns([[lower, "77", "88"]], [60, 400, 480], 184 + step, 0)
    words += in_columns([["The sum of all", "99", "98"]], [60, 400, 480], 202 + step, 0)
    strokes = [(x, y, x + 70, y) for y in (107, 193 + step, 211 + step) for x in (390, 465)]
    [table] = grids(words, rules(*strokes))
    assert ([f"{upper} {lower}", "77", "88"] in table) == joined


@pytest.mark.parametrize("long", [1, 2], ids=["one stroke alone", "two of them"])
def test_a_stroke_that_runs_on_into_the_line_over_its_table_gives_it_no_row(long):
    words = [*rows(TOWNS, 112), *row("Harbours of the north and their trade", 64, 95)]
    sides = [*down((60, *XS[1:3]), 100, 164), *down((420,), 100, 164)]
    strokes = [(x0, 84 if x0 in XS[1 : 1 + long] else y0, x1, y1) for x0, y0, x1, y1 in sides]
    [found] = grids(words, rules(*across(100, 116, 132, 148, 164, x1=420), *strokes))
    assert found[0][0].startswith("Aberdeen" if long == 1 else "Harbours")
