"""Tables beside tables and beside text, and labels and names that stand off their cells."""

import pytest
from typeset import SHEET, grids, in_columns, lines, row, rules, word, words_in

from docparse.layout.tables import find_tables

LEFT = [["height", "finger", "rate"], *([f"4.{k}", f"12.{k}", f"{k}"] for k in range(6))]
RIGHT = [["Row", "state", "conc"], *([f"{k}", "treated", f"0.{k}"] for k in range(6))]
WARDS = [("North", ["Leeds", "York"]), ("South", ["Hove", "Exeter", "Bath"]), ("Wales", ["Barry", "Neath"])]
SUMS = [[name, *map(str, range(k, k + 4))] for k, name in enumerate(("Sales", "Costs", "Tax", "Rest"), 20)]
YEARS = [["", "2021", "2020", "2021", "2020"], *SUMS]
STEPS = [["4", "24", "1 min"], ["6", "720", "25 min"], ["7", "5040", "3 h"], ["8", "40320", "18 h"]]
FRIDAY = [["Time", "Event", "Place"], ["15.00", "Doors", "Barn"], ["17.30", "Talk", "Library"]]
SATURDAY = [["Time", "Event", "Place"], ["9.30", "Class", "Refectory"], ["11.00", "Trio", "Chapter"]]
RUN = [["Rank", "Name", "Time"], *([f"{k}", f"Runner {k}", f"2{k}:10"] for k in range(1, 7))]
SKI = [["Start", "-6", "Norway", "41"], ["Middle", "-5", "Sweden", "40"], ["Finish", "-4", "Finland", "37"]]
SALT, BILE = ([["Test", "Result", "Unit"], *([f"{name} {k}", f"{k}.5", "mmol"] for k in range(3))]
              for name in ("Salt", "Bile"))  # fmt: skip
SONGS = [["Date", "Work", "Time"], *([f"{k} Apr", f"Songs {k}", f"1{k}.30"] for k in range(1, 7))]
FISH = [
    ["魚種", "前年", "去年"],
    *([name, f"5,21{k}", f"3,98{k}"] for k, name in enumerate(("鯖魚", "鬼頭刀", "鱸魚"))),
]


def across(heights, *ends):
    return [(x0, y, x1, y) for y in heights for x0, x1 in ends]


PAGES = {  # words, strokes, and the first tables
    "rules that end and begin again at two heights": (
        in_columns(LEFT, [60, 140, 220], 120, 16) + in_columns(RIGHT, [300, 380, 460], 120, 16),
        across((112, 128, 220), (55, 270), (285, 500)), [LEFT, RIGHT]),
    "rules over the numbers of one table": (
        in_columns(YEARS, [60, 200, 260, 340, 400], 120, 16), across((112, 128, 192), (195, 300), (320, 440)), [YEARS]),
    "text at a pitch of its own beside ruled rows": (
        [*in_columns(STEPS, [320, 400, 480], 120, 16),
         *words_in(*lines(["access to the local server by the local ones"] * 6, 40, 115))],
        across(range(108, 173, 16), (315, 540)), [STEPS]),
    "a title in larger type between rules": (
        [*in_columns(FRIDAY, [60, 160, 340], 120, 16), *row("SATURDAY", 180, 177, 17),
         *in_columns(SATURDAY, [60, 160, 340], 200, 16)],
        across((108, 124, 160, 184, 204, 240), (55, 440)), [FRIDAY, SATURDAY]),
    "titles side by side between rules that go on": (
        [*in_columns(RUN, [60, 160, 340], 120, 16), *row("Air", 60, 260, 12, bold=True),
         *row("Nations", 340, 260, 12, bold=True), *in_columns(SKI, [60, 140, 340, 420], 280, 16)],
        across((156, 204, 300), (55, 440)), [RUN]),
    "a line over the same names once more": (
        [*in_columns(SALT, [60, 160, 240], 120, 14), *row("Liver", 60, 185),
         *in_columns(BILE, [60, 160, 240], 199, 14)], [], [SALT, BILE]),
    "strokes down the page between a table and text at pitches of their own": (
        [*in_columns(SONGS, [230, 265, 365], 120, 17), *row("of one who sang the second bass", 230, 95, 8),
         *words_in(*lines(["the account in the last number", "of the fire was vivid but wrong"] * 6, 40, 98, size=9.6)),
         *words_in(*lines(["and silence costs twelve of them"] * 8, 408, 92, size=10.5))],
        [(213, 40, 213, 250), (399, 40, 399, 250)], [SONGS]),
    "a stroke between a table and columns of Chinese": (
        [*in_columns(FISH, [240, 300, 360], 161, 16),
         *(word("天" * 16, 40, 100 + 16 * k, width=160) for k in range(12)),
         *(word("天" * 16, 240, y, width=160) for y in (100, 116, 132, 244, 260))], [(220, 90, 220, 290)], [FISH]),
}  # fmt: skip


@pytest.mark.parametrize("words, strokes, tables", PAGES.values(), ids=PAGES)
def test_tables_end_where_others_and_text_begin(words, strokes, tables):
    found = grids(words, rules(*strokes))
    assert sorted(found[: len(tables)]) == sorted(tables)
    assert len(found) == len(tables) or tables == [RUN]


def test_titles_of_groups_over_their_rows_reach_over_none():
    words, top = in_columns([["Region", "City", "Shops", "Staff"]], [60, 160, 260, 340], 120, 0), 140
    for label, cities in WARDS:
        words += row(label, 60, top + 3)
        words += in_columns([[c, f"5{len(c)}", f"7{len(c)}"] for c in cities], [160, 260, 340], top + 16, 16)
        top += 16 * (len(cities) + 1)
    [table] = find_tables(words, rules(*across((110, 130, top - 6), (55, 380))), SHEET)
    assert all(cell.rowspan == 1 for cell in table.table.cells)
