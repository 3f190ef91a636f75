"""The measure of tables: a table read as it is scores 1, and what is missed, moved or made up costs."""

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.tables import found_tables, relations_of, score, true_tables
from docparse.types import Cell, Span

TRUTH = """<document><table><region page='1'>
<cell start-row='0' start-col='0' end-col='1'><content>Rain in the North</content></cell>
<cell start-row='1' start-col='0'><content>Bergen</content></cell>
<cell start-row='1' start-col='1'><content>2,250</content></cell>
</region></table></document>"""
READ = """# Towns

<table><tr><td colspan="2">Rain in the <b>North</b></td></tr><tr><td>Bergen</td><td>2 250</td></tr></table>
"""


def test_a_table_read_as_it_is_scores_one_and_a_made_up_one_costs_precision(tmp_path):
    (tmp_path / "a-str.xml").write_text(TRUTH)
    (tmp_path / "a.md").write_text(READ)
    (tmp_path / "b.md").write_text(READ + "\n\n| x | y |\n|---|---|\n| 1 | 2 |\n")
    truth = list(true_tables(tmp_path / "a-str.xml"))
    assert score(truth, list(found_tables(tmp_path / "a.md"))) == (1.0, 1.0)
    assert score(truth, list(found_tables(tmp_path / "b.md"))) == (1.0, 3 / 7)
    assert score(truth, list(found_tables(tmp_path / "missing.md"))) == (0.0, 0.0)


@given(st.integers(2, 5), st.integers(2, 5), st.data())
def test_swapped_columns_and_lost_rows_are_seen(rows, columns, data):
    cells = [Cell(r, c, (Span(f"{r}.{c}x"),)) for r in range(rows) for c in range(columns)]
    swapped = [Cell(cell.row, columns - 1 - cell.column, cell.spans) for cell in cells]
    assert score([relations_of(cells)], [relations_of(swapped)])[0] < 1
    lost = data.draw(st.integers(0, rows - 1))
    recall, precision = score([relations_of(cells)], [relations_of([cell for cell in cells if cell.row != lost])])
    assert recall < 1
    assert (precision == 1) == (lost in (0, rows - 1))
