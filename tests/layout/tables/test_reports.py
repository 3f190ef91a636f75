"""Tables as reports, typewriters and word processors set them, and the charts beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docparse.layout.charts import bar_charts
from docparse.layout.engines import Engines
from docparse.layout.stages import first_state, parts
from docparse.layout.tables import find_tables
from docparse.layout.tables.cells import cell_edges, without_shading
from docparse.layout.text.words import Word
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Box, Table, plain

PAGE = Box(0.0, 0.0, 612.0, 792.0)
SIZE = 10.0
XS = (60.0, 260.0, 340.0, 420.0)
Strokes = list[tuple[float, float, float, float]]


def line(text: str, x: float, y: float, *, mono: bool = False, angle: int = 0) -> list[Word]:
    """Words from `x`, centred on `y`; runs of two spaces leave a wide gap."""
    found = []
    for part in text.split(" "):
        if part:
            box = Box(x, y - SIZE / 2, x + 5.0 * len(part), y + SIZE / 2)
            found.append(Word(text=part, box=box, baseline=y + 3, size=SIZE, mono=mono, angle=angle))
            x = box.x1
        x += 2.8 if part else 12.0
    return found


def rows(texts: Sequence[Sequence[str]], top: float, pitch: float = 16.0, *, mono: bool = False) -> list[Word]:
    return [
        word
        for k, row in enumerate(texts)
        for text, x in zip(row, XS, strict=False)
        for word in line(text, x + 4, top + pitch * k, mono=mono)
    ]


def across(*heights: float) -> Strokes:
    return [(XS[0], y, 500.0, y) for y in heights]


def down(xs: Sequence[float], top: float, bottom: float) -> Strokes:
    return [(x, top, x, bottom) for x in xs]


def array(strokes: Sequence[tuple[float, float, float, float]]) -> np.ndarray:
    return np.array(strokes, np.float32).reshape(-1, 4)


def texts(table: Table) -> list[list[str]]:
    grid = [["" for _ in range(table.columns)] for _ in range(table.rows)]
    for cell in table.cells:
        grid[cell.row][cell.column] = plain(cell.spans)
    return grid


def found(words: list[Word], strokes: Strokes, plots: Sequence[Box] = ()) -> list[list[list[str]]]:
    return [texts(each.table) for each in find_tables(words, array(strokes), PAGE, plots)]


FIGURES = [["Aberdeen", "20", "790"], ["Bergen", "12", "2250"], ["Cork", "31", "1200"], ["Derry", "4", "990"]]


def test_leaders_to_one_number_are_contents_and_to_several_a_table() -> None:
    leaders = [(f"{name} . . . . . . . .", *rest) for name, *rest in FIGURES]
    words = rows(leaders, 100)
    assert [row[1:] for table in found(words, across(90, 160)) for row in table] == [row[1:] for row in FIGURES]
    assert found(rows([row[:2] for row in leaders], 100), across(90, 160)) == []


def test_a_typewriters_page_may_have_its_number_in_another_type() -> None:
    words = rows(FIGURES, 100, mono=True) + line("Taken from the survey of the north", 64, 300, mono=True)
    assert found(words + line("12", 300, 700), []) == [FIGURES]


def test_dashes_for_missing_numbers_are_no_list() -> None:
    table = [["Aberdeen", "-", "790"], ["Bergen", "-", "2250"], ["Cork", "-", "-"], ["Derry", "4", "990"]]
    assert found(rows(table, 100), across(90, 160)) == [table]


def test_rows_under_labels_need_no_strokes_between_them() -> None:
    strokes = [*across(90, 106, 200), *down([*XS[:3], 500.0], 90, 200)]
    body = [["Coast"], FIGURES[0], FIGURES[1], ["Inland"], FIGURES[2], FIGURES[3]]
    words = rows([["Town", "Rain", "Height"]], 98) + rows(body, 114, 15)
    expected = [row + [""] * (3 - len(row)) for row in [["Town", "Rain", "Height"], *body]]
    assert found(words, strokes) == [expected]


def test_blank_lines_across_part_rows_of_text_and_those_of_one_cell_do_not() -> None:
    strokes = [*across(90, 106, 190), *down([*XS[:2], 500.0], 90, 190)]
    head, first = rows([["Town", "About"]], 98), rows([["Bergen", "wet and"], ["", "green"]], 114, 12)
    second = rows([["Cork", "green and"], ["", "wet"]], 150, 12)
    expected = [["Town", "About"], ["Bergen", "wet and green"], ["Cork", "green and wet"]]
    assert found(head + first + second, strokes) == [expected]
    between = line("here", XS[1] + 4, 138)
    assert found(head + first + between + second, strokes) == [
        [["Town", "About"], ["Bergen Cork", "wet and green here green and wet"]]
    ]


def test_labels_beside_ruled_rows_need_no_strokes_between_them() -> None:
    ys = [90.0 + 16 * k for k in range(6)]
    strokes = [*[(XS[1], y, 500.0, y) for y in ys], *across(90, 170), *down([*XS[:3], 500.0], 90, 170)]
    words = rows([["Town", "Rain", "Height"], *FIGURES], 98)
    assert found(words, strokes) == [[["Town", "Rain", "Height"], *FIGURES]]


def test_a_painted_header_of_one_box_has_the_cells_of_its_columns() -> None:
    strokes = [*across(90, 106, 122, 138, 154, 170), *down([XS[0], 500.0], 90, 170), *down(XS[1:3], 106, 170)]
    words = rows([["Town", "Rain", "Height"], *FIGURES], 98)
    assert found(words, strokes) == [[["Town", "Rain", "Height"], *FIGURES]]


def test_a_caption_over_and_notes_under_the_columns_are_no_rows() -> None:
    ys = [90.0 + 16 * k for k in range(8)]
    strokes = [*across(*ys), *down([XS[0], 500.0], 90, 202), *down(XS[1:3], 106, 186)]
    words = rows([["Town", "Rain", "Height"], *FIGURES], 114)
    title, note = line("Table 3. Rain in the north", 200, 98), line("Source: the survey", 64, 194)
    assert found(title + words + note, strokes) == [[["Town", "Rain", "Height"], *FIGURES]]


def test_a_caption_between_two_rules_begins_another_table() -> None:
    head = [["Town", "Rain", "Height"]]
    first, second = rows(head, 98) + rows(FIGURES[:2], 114), rows(head, 198) + rows(FIGURES[2:], 214)
    between = line("Table 2. The  south  in  wet  years", 64, 172)
    strokes = across(90, 106, 140, 190, 206, 240)
    assert found(first + between + second, strokes) == [[*head, *FIGURES[:2]], [*head, *FIGURES[2:]]]


def test_cells_are_read_from_the_right_where_their_script_is() -> None:
    rain = [*line("גשם", 70, 100), *line("12", 95, 100), *line("מילימטר", 110, 100)]
    words = rain + line("5", 264, 100) + rows([["", "6"], ["", "7"], ["", "8"]], 116)
    strokes = [*across(*(92.0 + 16 * k for k in range(5))), *down([XS[0], XS[1], 500.0], 92, 156)]
    [table] = found(words, strokes)
    assert table[0] == ["מילימטר 12 גשם", "5"]


def test_turned_words_stand_in_the_cells_that_are_ruled_around_them(one_page_pdf: Path) -> None:
    strokes = [*across(40, 90, 106, 122, 138, 154), *down([*XS[:3], 500.0], 40, 154)]
    turned = Word(text="Rain", box=Box(290, 50, 300, 80), baseline=298, size=SIZE, angle=90)
    words = [*rows(FIGURES, 98), *line("Town", 64, 65), turned]
    with open_document(one_page_pdf, name="page") as document:
        state = first_state(document.page(1), Engines(Settings()))
        after = parts.tables(replace(state, words=words, rulings=array(strokes)))
    assert texts(after.tables[0].table)[0] == ["Town", "Rain", ""]
    assert after.words == []


@given(st.integers(1, 5), st.integers(2, 5))
def test_shaded_paragraphs_and_padding_painted_apart_are_no_cells(high: int, wide: int) -> None:
    cells = [(80.0 * c, 30.0 * r, 80.0 * (c + 1), 30.0 * (r + 1)) for r in range(high) for c in range(wide)]
    shaded = [(x0 + 5, y0, x1 - 5, y0 + 15) for x0, y0, x1, y1 in cells]
    assert without_shading(array(cells + shaded)).tolist() == array(cells).tolist()
    pieces = [(a, y0, b, y1) for x0, y0, x1, y1 in cells for a, b in ((x0, x0 + 5), (x0 + 5, x1 - 5), (x1 - 5, x1))]
    nothing = array([])
    assert cell_edges(array(pieces), nothing).tolist() == cell_edges(array(cells), nothing).tolist()


@pytest.mark.parametrize("upright", [True, False])
def test_bars_of_several_lengths_on_one_line_are_a_chart(upright: bool) -> None:
    lengths = [40, 75, 20, 110, 60]
    bars = [(100 + 30 * k, 300 - n, 118 + 30 * k, 300) for k, n in enumerate(lengths)]
    if not upright:
        bars = [(100, 100 + 30 * k, 100 + n, 118 + 30 * k) for k, n in enumerate(lengths)]
    [chart] = bar_charts(array(bars), array([]), [])
    assert chart == Box(*array(bars)[:, :2].min(axis=0).tolist(), *array(bars)[:, 2:].max(axis=0).tolist())
    labels = [word for x0, y0, _, _ in bars for word in line("12.5", x0, y0 - 8)]
    assert bar_charts(array(bars), array([]), labels) == [chart]


def test_highlighted_lines_and_cells_are_no_chart() -> None:
    sentences = ["a line of a text", "a longer line of the same text", "short", "and one of several words", "the end"]
    words = [line(text, 60, 100 + 14 * k) for k, text in enumerate(sentences)]
    marked = [(60, 94 + 14 * k, each[-1].box.x1, 106 + 14 * k) for k, each in enumerate(words)]
    assert bar_charts(array(marked), array([]), [word for each in words for word in each]) == []
    widths = [40, 70, 100, 55, 85]
    cells = [(60, 100 + 20 * k, 60 + w, 120 + 20 * k) for k, w in enumerate(widths)]
    beside = [(60 + w, 100 + 20 * k, 300, 120 + 20 * k) for k, w in enumerate(widths)]
    assert bar_charts(array(cells + beside), array([]), []) == []


def test_the_labels_of_a_plot_are_no_table_and_words_over_a_drawing_may_be() -> None:
    plot = Box(60, 60, 500, 400)
    ticks = rows([["7,400", "", "0.12"], ["7,300", "", "0.11"], ["7,200", "", "0.10"], ["7,100", "", "0.09"]], 100, 60)
    legend = rows([["solid", "12", "mean"], ["dashed", "13", "median"], ["dotted", "14", "mode"]], 350, 12)
    assert found(ticks + legend, [], [plot]) == []
    towns = [[f"The town of {town} in the north", *rest] for town, *rest in FIGURES]
    assert found(rows(towns, 100, 12), [], [Box(60, 95, 380, 141)]) == [towns]
