"""A perfect page scores perfectly; each kind of mistake moves its own number."""

import json

import pytest
from score_omnidocbench import score_folder

from docparse.bench.scoring.omnidocbench import IGNORED_CATEGORIES, TEXT_CATEGORIES, read_blocks, score_page

TABLE = "<table><tr><td>fruit</td><td>price</td></tr><tr><td>apple</td><td>1.20</td></tr></table>"
FIRST = "The first paragraph is about apples and how they are grown."
SECOND = "A second one, on pears, follows after it and says much the same."
THIRD = "Nobody would miss the third; it is here to be put in the wrong place."


def annotation(*blocks, truncated=()):
    """A page of `(category, content)` blocks in reading order."""
    keys = {"table": "html", "equation_isolated": "latex"}
    items = [
        {"category_type": category, keys.get(category, "text"): content, "order": i + 1, "anno_id": i, "ignore": False}
        for i, (category, content) in enumerate(blocks)
    ]
    relations = [{"relation_type": "truncated", "source_anno_id": a, "target_anno_id": b} for a, b in truncated]
    return {"page_info": {"image_path": "page.jpg"}, "layout_dets": items, "extra": {"relation": relations}}


PAGE = annotation(
    ("header", "A running title"),
    ("title", "On fruit"),
    ("text_block", FIRST),
    ("table", TABLE),
    ("text_block", SECOND),
    ("equation_isolated", "$$ a^2 + b^2 = c^2 $$"),
    ("text_block", THIRD),
    ("page_number", "7"),
)
GOOD = f"# On fruit\n\n{FIRST}\n\n{TABLE}\n\n{SECOND}\n\n$$a^2 + b^2 = c^2$$\n\n{THIRD}\n"


OUTPUTS = {  # an output, and its text, order, formula and tables
    "as it is": (GOOD, (0, 0, 0, (1,))),
    "nothing": ("", (1, 1, 1, (0,))),
    "with headers and page numbers, which neither help nor hurt": (
        f"A running title\n\n{GOOD}\n\n7\n", (0, 0, 0, (1,))),
    "with a misplaced paragraph, which costs order alone": (
        f"{THIRD}\n\n" + GOOD.replace(THIRD, ""), (0, 2 / 4, 0, (1,))),
    "with invented text, which is not charged": (
        f"{GOOD}\n\nAnd 1234567890 bananas went to sea in a sieve.", (0, 0, 0, (1,))),
}  # fmt: skip


@pytest.mark.parametrize("output, score", OUTPUTS.values(), ids=OUTPUTS)
def test_each_mistake_moves_its_own_number(output, score):
    found = score_page(PAGE, output)
    assert (found.text, found.order, found.formula, found.tables) == score


def test_wrong_letters_cost_their_share_of_the_page_and_tables_may_be_text():
    score = score_page(PAGE, GOOD.replace("apples", "appies"))
    assert 0 < score.text < 0.02
    # an output's table that answers none is read as text
    page = annotation(("table", TABLE), ("text_block", "banana"))
    other = "<table><tr><td>banana</td></tr></table>"
    assert score_page(page, f"{TABLE}\n\n{other}").text == 0


def test_a_truncated_paragraph_is_one_block():
    page = annotation(
        ("text_block", FIRST[:20]), ("text_block", SECOND), ("text_block", FIRST[20:]), truncated=[(0, 2)]
    )
    assert [block.content for block in read_blocks(page)] == [FIRST, SECOND]
    assert score_page(page, f"{FIRST}\n\n{SECOND}").text == 0
    # of three parts the middle one counts twice, as in the published evaluation, whose figures are to be ours
    parts = [("text_block", text) for text in ("one ", "two ", "three")]
    [block] = read_blocks(annotation(*parts, truncated=[(0, 1), (1, 2)]))
    assert block.content == "one two two three"


def test_pages_are_averaged_and_a_missing_file_is_an_empty_page(tmp_path):
    other = annotation(("text_block", FIRST))
    other["page_info"]["image_path"] = "images/other.pdf_3.jpg"
    (tmp_path / "truth.json").write_text(json.dumps([PAGE, other]))
    (tmp_path / "page.md").write_text(GOOD)
    summary = score_folder(tmp_path / "truth.json", tmp_path)
    assert summary["text_edit"] == 0.5
    assert summary["table_teds"] == 1
    (tmp_path / "other.pdf_3.md").write_text(FIRST)
    assert score_folder(tmp_path / "truth.json", tmp_path)["text_edit"] == 0


def test_the_public_annotations_written_out_score_perfectly(data_dir, tmp_path):
    annotations = data_dir / "omnidocbench-demo" / "OmniDocBench.json"
    for page in json.loads(annotations.read_text()):
        kept = (*TEXT_CATEGORIES, "table", "equation_isolated")
        blocks = [block for block in read_blocks(page) if block.category in kept]
        assert all(block.category not in IGNORED_CATEGORIES for block in blocks)
        name = page["page_info"]["image_path"].rsplit(".", 1)[0]
        (tmp_path / f"{name}.md").write_text("\n\n".join(block.content.replace("\n\n", "\n") for block in blocks))
    summary = score_folder(annotations, tmp_path)
    assert (summary["text_edit"], summary["order_edit"], summary["table_teds"]) == (0, 0, 1)
