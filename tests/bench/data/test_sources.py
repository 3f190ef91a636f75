"""Pages come from where the user says, with what is true of them; what is not there is one clear line."""

import json
import re
from io import StringIO

import numpy as np
import pytest
from PIL import Image

from docparse.bench.data.pages import in_turn
from docparse.bench.data.sources import check_source, pages_from
from docparse.errors import InputError, UsageError
from docparse.render import RenderOptions, write_markdown
from docparse.types import Category, Page

CATEGORIES = ["text", "dense", "tables", "lists", "mixed", "scan"]
TESTS = [
    {"pdf": "a/one.pdf", "page": 1, "id": "1", "type": "present", "text": "A short page"},
    {"pdf": "a/one.pdf", "page": 1, "id": "2", "type": "absent", "text": "1"},
    {"pdf": "b/three.pdf", "page": 2, "id": "3", "type": "present", "text": "two"},
    {"pdf": "b/three.pdf", "page": 1, "id": "4", "type": "baseline"},
]


@pytest.fixture
def olmocr(tmp_path, one_page_pdf, three_page_pdf):
    data = tmp_path / "olmOCR-bench" / "bench_data"
    for name, pdf in (("a/one.pdf", one_page_pdf), ("b/three.pdf", three_page_pdf)):
        (data / "pdfs" / name).parent.mkdir(parents=True)
        (data / "pdfs" / name).write_bytes(pdf.read_bytes())
    (data / "first.jsonl").write_text("\n".join(json.dumps(row) for row in TESTS[:2]) + "\n\n")
    (data / "second.jsonl").write_text("\n".join(json.dumps(row) for row in TESTS[2:]))
    return data.parent


@pytest.fixture
def omnidocbench(tmp_path):
    items = [
        ("header", None, {"text": "Running head"}, 10),
        ("table", 3, {"html": "<table><tr><td>a</td><td>b</td></tr></table>"}, 500),
        ("title", 1, {"text": "On fruit"}, 100),
        ("text_block", 2, {"text": r"Apples $ x^2 $ are red."}, 200),
        ("equation_isolated", 4, {"latex": "$$ a^2 $$"}, 700),
        ("page_number", None, {"text": "7"}, 900),
        ("abandon", None, {"text": "a stain"}, 950),
    ]
    layout = [
        {"category_type": name, "order": order, "anno_id": i, "poly": [0, y, 800, y, 800, y + 50, 0, y + 50]} | content
        for i, (name, order, content, y) in enumerate(items)
    ]  # fmt: skip
    attribute = {"data_source": "book"}
    info = {"image_path": "images/page.pdf_1.jpg", "width": 800, "height": 1000, "page_attribute": attribute}
    folder = tmp_path / "OmniDocBench"
    (folder / "images").mkdir(parents=True)
    Image.new("RGB", (800, 1000), "white").save(folder / "images" / "page.pdf_1.jpg", dpi=(100, 100))
    entry = {"page_info": info, "layout_dets": layout, "extra": {"relation": []}}
    (folder / "OmniDocBench.json").write_text(json.dumps([entry]))
    return folder


def test_builtin_pages_take_turns_and_carry_their_truth():
    pages = pages_from("builtin", 7)
    assert [page.category for page in pages] == [*CATEGORIES, "text"]
    for page in pages:
        with page.open() as content:
            assert (content.width, content.height) == (256, 256)
        assert page.blocks and page.truth
        text = StringIO()
        write_markdown([Page(number=1, width=256, height=256, blocks=page.blocks)], text, RenderOptions())
        assert text.getvalue().rstrip("\n") == page.truth


def test_builtin_pages_are_the_same_every_time_others_for_another_seed_and_large_or_sparse_on_demand():
    first, again, other = (pages_from("builtin:block", 2, seed) for seed in (0, 0, 1))
    assert [page.truth for page in first] == [page.truth for page in again]
    with first[0].open() as drawn, again[0].open() as anew:
        assert np.array_equal(drawn.render(72).pixels, anew.render(72).pixels)  # the files differ in their dates
    assert {page.truth for page in first}.isdisjoint(page.truth for page in other)
    with pages_from("builtin:large", 1)[0].open() as content:
        assert (content.width, content.height) == (512, 512)
    slide, form = pages_from("builtin:sparse", 2)
    assert (slide.category, form.category) == ("slide 0.2", "form 0.2")  # how much is on them
    assert slide.truth and slide.blocks and slide.document == "sparse-001.pdf"


def test_the_drawn_pages_go_when_nobody_holds_them():
    pages = pages_from("builtin:block", 1)
    folder = pages[0].path.parent
    assert folder.exists()
    del pages
    assert not folder.exists()


def test_a_part_of_a_data_set_is_a_mixture_of_its_categories():
    items = [f"{category}{i}" for category in "abc" for i in range(4)]
    assert list(in_turn(items, lambda item: item[0])) == items
    assert list(in_turn(items, lambda item: item[0], 4)) == ["a0", "b0", "c0", "a1"]
    drawn = list(in_turn(items, lambda item: item[0], 6, seed=1))
    assert [item[0] for item in drawn] == list("abcabc")
    assert drawn == list(in_turn(items, lambda item: item[0], 6, seed=1))
    assert drawn != list(in_turn(items, lambda item: item[0], 6))


def test_a_folder_gives_its_pages_by_name_with_the_truth_beside(tmp_path, one_page_pdf, three_page_pdf):
    for kind, pdf in (("letters", one_page_pdf), ("reports", three_page_pdf)):
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "x.pdf").write_bytes(pdf.read_bytes())
        (tmp_path / kind / "x.md").write_text("# The truth\n")
    pages = pages_from(str(tmp_path))
    assert [page.name for page in pages] == ["letters/x.pdf:1", *(f"reports/x.pdf:{i}" for i in (1, 2, 3))]
    assert [page.category for page in pages] == ["letters", *["reports"] * 3]
    assert [page.truth for page in pages] == ["# The truth\n", None, None, None]
    assert [page.name for page in pages_from(str(tmp_path), 2)] == ["letters/x.pdf:1", "reports/x.pdf:1"]
    assert len(pages_from(str(three_page_pdf))) == 3


def test_olmocr_bench_pages_have_the_tests_and_categories_of_their_files(olmocr):
    for folder in (olmocr, olmocr / "bench_data"):
        pages = pages_from(f"olmocr-bench:{folder}")
        assert [(page.name, page.category) for page in pages] == [
            ("a/one.pdf:1", "first"), ("b/three.pdf:2", "second"), ("b/three.pdf:1", "second")]  # fmt: skip
        assert [[test["type"] for test in page.tests] for page in pages] == [
            ["present", "absent", "baseline"], ["present"], ["baseline"]]  # fmt: skip
    assert [page.category for page in pages_from(f"olmocr-bench:{olmocr}", 2)] == ["first", "second"]
    pdfs = olmocr / "bench_data" / "pdfs"  # a document without tests has the baseline test, as in the benchmark
    (pdfs / "more.pdf").write_bytes((pdfs / "a" / "one.pdf").read_bytes())
    page = pages_from(f"olmocr-bench:{olmocr}")[-1]
    assert (page.name, page.category, [test["type"] for test in page.tests]) == ("more.pdf:1", "baseline", ["baseline"])


def test_omnidocbench_pages_have_its_blocks_in_points_and_in_reading_order(omnidocbench):
    (page,) = pages_from(f"omnidocbench:{omnidocbench}")
    assert (page.name, page.category) == ("page.pdf_1.jpg:1", "book")
    assert page.truth == "## On fruit\n\nApples $x^2$ are red.\n\n| a | b |\n| --- | --- |\n\n$$\na^2\n$$\n"
    assert page.blocks is not None
    assert [block.category for block in page.blocks] == [
        Category.PAGE_HEADER, Category.SECTION_HEADER, Category.TEXT, Category.TABLE, Category.FORMULA,
        Category.PAGE_FOOTER]  # fmt: skip
    with page.open() as content:
        assert page.blocks[1].box.y0 == pytest.approx(content.height / 10)
    assert [block.category for block in page.annotation if block.order] == [
        "title", "text_block", "table", "equation_isolated"]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ("bultin", "did you mean 'builtin'?"),
        ("builtin:larg", "did you mean 'builtin:large'?"),
        ("omnidocbnch:data", "did you mean 'omnidocbench:DIR'?"),
        ("olmocr-bench", "did you mean 'olmocr-bench:DIR'?"),
        ("olmocr-bench:/no/such/folder", "there is no folder /no/such/folder"),
        ("no-such.pdf", "no such file or folder"),
    ],
)
def test_an_unknown_source_is_a_usage_error_with_what_was_meant(source, hint):
    for ask in (check_source, pages_from):
        with pytest.raises(UsageError, match=re.escape(hint)):
            ask(source)


BROKEN = {  # files -> the source they are, and what is said of it
    "tests.jsonl, line 2": ("olmocr-bench:", "tests.jsonl", '{"pdf": "a.pdf", "page": 1}\n{broken'),
    "one.pdf": ("olmocr-bench:", "tests.jsonl", json.dumps(TESTS[0])),
    "no tests (*.jsonl)": ("olmocr-bench:", "notes.txt", ""),
    "no OmniDocBench.json": ("omnidocbench:", "notes.txt", ""),
    "OmniDocBench.json": ("omnidocbench:", "OmniDocBench.json", "[{"),
    "an entry has no 'page_info'": ("omnidocbench:", "OmniDocBench.json", '[{"page": 1}]'),
    "no page in this data": ("omnidocbench:", "OmniDocBench.json", "[]"),
    "there is no PDF or image": ("", "notes.txt", "no page"),
}


@pytest.mark.parametrize("said", BROKEN)
def test_data_that_cannot_be_read_is_one_clear_line(said, tmp_path):
    source, name, text = BROKEN[said]
    (tmp_path / "pdfs").mkdir()
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=re.escape(said)):
        pages_from(f"{source}{tmp_path}")


def test_the_public_samples_are_read_whole(data_dir):
    pages = pages_from(f"omnidocbench:{data_dir / 'omnidocbench-demo'}")
    assert len(pages) == 9 and all(page.truth and page.blocks for page in pages)
    assert np.all([block.box.area > 0 for page in pages for block in page.blocks or ()])
    assert sum(len(page.tests) for page in pages_from(f"olmocr-bench:{data_dir / 'olmocr-bench-sample'}")) == 67
