"""Tables beside tables and beside text, and labels and names that stand off their cells."""

from typeset import grids, in_columns, lines, row, rules, word, words_in

from docparse.layout.tables import find_tables
from docparse.types import Box

SHEET = Box(0, 0, 600, 800)
LEFT = [["height", "finger", "rate"], *([f"4.{k}", f"12.{k}", f"{k}"] for k in range(6))]
RIGHT = [["Row", "state", "conc"], *([f"{k}", "treated", f"0.{k}"] for k in range(6))]
WARDS = [("North", ["Leeds", "York"]), ("South", ["Hove", "Exeter", "Bath"]), ("Wales", ["Barry", "Neath"])]


def side_by_side(top=120):
    return in_columns(LEFT, [60, 140, 220], top, 16) + in_columns(RIGHT, [300, 380, 460], top, 16)


def test_rules_that_end_and_begin_again_at_two_heights_part_two_tables():
    heights = (112, 128, 220)
    strokes = rules(*(stroke for y in heights for stroke in ((55, y, 270, y), (285, y, 500, y))))
    assert sorted(grids(side_by_side(), strokes)) == sorted([LEFT, RIGHT])


def test_rules_over_the_numbers_of_one_table_do_not_part_it():
    head = [["", "2021", "2020", "2021", "2020"]]
    body = [[name, *(str(n) for n in range(k, k + 4))] for k, name in enumerate(("Sales", "Costs", "Tax", "Rest"), 20)]
    words = in_columns([*head, *body], [60, 200, 260, 340, 400], 120, 16)
    strokes = rules(*(stroke for y in (112, 128, 192) for stroke in ((195, y, 300, y), (320, y, 440, y))))
    assert grids(words, strokes) == [[*head, *body]]


def test_text_at_a_pitch_of_its_own_beside_ruled_rows_is_no_label_of_them():
    cells = [["4", "24", "1 min"], ["6", "720", "25 min"], ["7", "5040", "3 h"], ["8", "40320", "18 h"]]
    words = in_columns(cells, [320, 400, 480], 120, 16)
    text = words_in(*lines(["access to the local server by the local ones"] * 6, 40, 115))
    [table] = find_tables(words + text, rules(*((315, y, 540, y) for y in range(108, 173, 16))), SHEET)
    assert table.box.x0 > 300


def test_titles_of_groups_over_their_rows_reach_over_none():
    words, top = in_columns([["Region", "City", "Shops", "Staff"]], [60, 160, 260, 340], 120, 0), 140
    for label, cities in WARDS:
        words += row(label, 60, top + 3)
        words += in_columns([[c, f"5{len(c)}", f"7{len(c)}"] for c in cities], [160, 260, 340], top + 16, 16)
        top += 16 * (len(cities) + 1)
    [table] = find_tables(words, rules(*((55, y, 380, y) for y in (110, 130, top - 6))), SHEET)
    assert all(cell.rowspan == 1 for cell in table.table.cells)


def test_a_title_in_larger_type_between_rules_parts_two_tables():
    first = [["Time", "Event", "Place"], ["15.00", "Doors", "Barn"], ["17.30", "Talk", "Library"]]
    second = [["Time", "Event", "Place"], ["9.30", "Class", "Refectory"], ["11.00", "Trio", "Chapter"]]
    words = in_columns(first, [60, 160, 340], 120, 16) + row("SATURDAY", 180, 177, 17)
    words += in_columns(second, [60, 160, 340], 200, 16)
    strokes = rules(*((55, y, 440, y) for y in (108, 124, 160, 184, 204, 240)))
    assert grids(words, strokes) == [first, second]


def test_titles_side_by_side_end_the_table_over_them_though_rules_go_on_below():
    cells = [["Rank", "Name", "Time"], *([f"{k}", f"Runner {k}", f"2{k}:10"] for k in range(1, 7))]
    words = in_columns(cells, [60, 160, 340], 120, 16) + row("Air", 60, 260, 12, bold=True)
    words += row("Nations", 340, 260, 12, bold=True)
    below = [["Start", "-6", "Norway", "41"], ["Middle", "-5", "Sweden", "40"], ["Finish", "-4", "Finland", "37"]]
    words += in_columns(below, [60, 140, 340, 420], 280, 16)
    first, *_ = grids(words, rules(*((55, y, 440, y) for y in (156, 204, 300))))
    assert first == cells


def test_a_line_over_the_same_names_once_more_begins_a_table():
    def part(name):
        return [["Test", "Result", "Unit"], *([f"{name} {k}", f"{k}.5", "mmol"] for k in range(3))]

    words = in_columns(part("Salt"), [60, 160, 240], 120, 14) + row("Liver", 60, 185)
    words += in_columns(part("Bile"), [60, 160, 240], 199, 14)
    assert grids(words, rules()) == [part("Salt"), part("Bile")]


def test_strokes_down_the_page_part_a_table_from_text_at_pitches_of_their_own():
    cells = [["Date", "Work", "Time"], *([f"{k} Apr", f"Songs {k}", f"1{k}.30"] for k in range(1, 7))]
    words = in_columns(cells, [230, 265, 365], 120, 17) + row("of one who sang the second bass", 230, 95, 8)
    words += words_in(
        *lines(["the account in the last number", "of the fire was vivid but wrong"] * 6, 40, 98, size=9.6)
    )
    words += words_in(*lines(["and silence costs twelve of them"] * 8, 408, 92, size=10.5))
    assert grids(words, rules((213, 40, 213, 250), (399, 40, 399, 250))) == [cells]


def test_a_stroke_between_columns_of_chinese_parts_a_table_from_the_text_beside_it():
    cells = [
        ["魚種", "前年", "去年"],
        *([name, f"5,21{k}", f"3,98{k}"] for k, name in enumerate(("鯖魚", "鬼頭刀", "鱸魚"))),
    ]
    column = [word("天" * 16, 40, 100 + 16 * k, width=160) for k in range(12)]
    table = in_columns(cells, [240, 300, 360], 161, 16)
    beside = [word("天" * 16, 240, y, width=160) for y in (100, 116, 132, 244, 260)]
    assert grids([*column, *table, *beside], rules((220, 90, 220, 290))) == [cells]
