"""A stage that fails costs what it would have added: the page is partial, names the stage, and keeps its words."""

import io
import time
import unicodedata
from collections import Counter
from dataclasses import fields, replace
from functools import cache

import pytest
from PIL import Image
from typeset import written

from docparse.errors import EnvironmentProblem, UsageError
from docparse.guard import Guard
from docparse.layout.reader import PageReader
from docparse.layout.stages import OF_EXCERPTS, STAGES, TEXT_ALONE, Stage, first_state
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.synthetic.pdf import write_pdf
from docparse.synthetic.recipes import held_out

NAMES = [stage.name for stage in STAGES]
NOT_HERE = {
    "algorithms",
    "audit",
    "orientation",
    "watermark",
    "flatten",
    "ocr",
    "letters",
    "layout",
    "fractions",
    "inline formulas",
}  # on scans, without a tree, or asked for
RICH = """#set page(width: 420pt, height: 560pt, margin: 40pt, header: [Annual survey], footer: [page one])
= Results of the survey
Prose with a fraction $a/b$ and a name#footnote[A note below the text.] runs over two lines of this column, as it must.
- first item
- second item
$ integral_0^1 x^2 dif x = 1/3 $
#table(columns: 3, [Town], [Height], [Rain], [Aberdeen], [20], [790], [Bergen], [12], [2250])
#circle(radius: 12pt, fill: red)
#place(right + bottom)[#rotate(90deg, reflow: true)[sideways remark]]
#image(bytes((PNG)), width: 90pt)
"""


@pytest.fixture(scope="module")
def rich(typst_pdf):
    """A page with something for every stage."""
    buffer = io.BytesIO()
    Image.new("RGB", (90, 60), "#a30").save(buffer, "PNG")
    return typst_pdf(RICH.replace("PNG", ", ".join(map(str, buffer.getvalue()))), "rich")


@pytest.fixture(scope="module")
def scan(one_page_pdf, tmp_path_factory):
    """A page of a few lines as pixels."""
    path = tmp_path_factory.mktemp("scan") / "scan.png"
    with open_document(one_page_pdf, name="page") as document:
        Image.fromarray(document.page(1).render(200).pixels).save(path, dpi=(200, 200))
    return path


def letters(text):
    """Letters of a text; a symbol of a formula is its letter."""
    return Counter(char for char in unicodedata.normalize("NFKC", text) if char.isalpha() and char.isascii())


def words(page):
    return letters(written(page))


def with_stage(name, run):
    """The stages, one of them replaced."""
    return [replace(stage, run=run) if stage.name == name else stage for stage in STAGES]


def broken(*_):
    raise ValueError("min() arg is an empty sequence")


@cache
def reader(**settings):
    return PageReader(Settings(**settings))


def read(path, stages=None, guard=None, **settings):
    with open_document(path, name=path.name) as document:
        return reader(**settings).read(document.page(1), stages=stages, guard=guard).page


@cache
def whole(path, **settings):
    """The page with every stage in order."""
    return read(path, **settings)


def test_excerpts_are_read_by_stages_that_there_are():
    assert set(OF_EXCERPTS) <= set(NAMES)


@pytest.mark.parametrize("stages", [STAGES, TEXT_ALONE], ids=["all", "text alone"])
@pytest.mark.parametrize("sample", ["rich", "scan"])
def test_a_stage_changes_only_what_it_says_it_adds(request, sample, stages):
    with open_document(request.getfixturevalue(sample), name=sample) as document:
        state = first_state(document.page(1), reader().engines)
        for stage in stages:
            if stage.needed(state):
                after = stage.run(state)
                changed = {f.name for f in fields(state) if getattr(after, f.name) is not getattr(state, f.name)}
                assert changed <= set(stage.adds), stage.name
                state = after


@pytest.mark.parametrize("name", [name for name in NAMES if name not in NOT_HERE])
def test_a_stage_that_raises_costs_no_word(rich, name):
    page = read(rich, with_stage(name, broken))
    assert whole(rich).status == "ok" and (page.status, page.error_category) == ("partial", "stage")
    assert f"{name} (ValueError: min() arg is an empty sequence)" in page.error
    # LaTeX adds letters of its own (`\\int`), and a formula that is not read has its symbols: compare without formulas
    lost = words(whole(rich, formulas=False)) - words(page)
    assert lost == Counter(), f"{name}: lost {lost}"


def test_a_stage_that_adds_what_no_state_has_is_refused_when_it_is_made():
    with pytest.raises(UsageError, match="the stage 'mine' adds blokcs, which no PageState has"):
        Stage("mine", lambda state: state, adds=("blocks", "blokcs"))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"run": lambda _: None}, "TypeError: it returned NoneType, not a PageState"),
        ({"run": lambda state: state.lines}, "TypeError: it returned tuple, not a PageState"),
        (
            {"run": lambda state: replace(state, words=[], tables=[])},
            "ValueError: it changed tables, words, which its adds do not name",
        ),
        ({"needed": broken}, "ValueError: min() arg is an empty sequence"),
    ],
)
def test_a_stage_that_breaks_its_promise_costs_itself(rich, changes, reason):
    new = replace(Stage("mine", lambda state: state, adds=("lines",)), **changes)
    place = NAMES.index("groups")
    page = read(rich, [*STAGES[:place], new, *STAGES[place:]])
    assert (page.status, page.error) == ("partial", f"without mine ({reason}); its words are kept")
    assert page.blocks == whole(rich).blocks


@pytest.mark.parametrize(
    ("blocks", "reason"),
    [
        (lambda blocks: [{}, *blocks], "TypeError: its blocks hold a dict, not only Block"),
        (lambda blocks: (each for each in blocks), "TypeError: its blocks are a generator, not a list or tuple"),
        (lambda blocks: [each for each in blocks if each.table is None],
         "ValueError: it took 39 letters away with its blocks"),
    ],
)  # fmt: skip
def test_a_stage_whose_blocks_are_none_or_have_lost_words_costs_itself(rich, blocks, reason):
    new = Stage("mine", lambda state: replace(state, blocks=blocks(state.blocks)), adds=("blocks",))
    place = NAMES.index("images")
    page = read(rich, [*STAGES[:place], new, *STAGES[place:]])
    assert (page.status, page.error) == ("partial", f"without mine ({reason}); its words are kept")
    assert page.blocks == whole(rich).blocks


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.blocks.pop(),
        lambda state: state.blocks.clear(),
        lambda state: state.furniture.clear(),
        lambda state: replace(state, blocks=list(state.blocks)).blocks.remove(state.blocks[0]),
    ],
)
def test_a_stage_cannot_take_anything_out_of_the_state_that_it_got(rich, change):
    def run(state):
        change(state)
        return state

    place = NAMES.index("images")
    page = read(rich, [*STAGES[:place], Stage("mine", run, adds=("blocks", "furniture")), *STAGES[place:]])
    assert page.status == "partial" and page.error.startswith("without mine (AttributeError")
    assert page.blocks == whole(rich).blocks


@pytest.mark.parametrize("name", ["orientation", "rulings", "tables", "lines", "order"])
def test_a_scan_keeps_its_words_too(scan, name):
    page = read(scan, with_stage(name, broken))
    assert page.status == "partial" and f"{name} (ValueError" in page.error
    assert words(whole(scan)).total() > 60 and words(whole(scan)) - words(page) == Counter()


def test_a_scan_that_ocr_fails_at_has_failed(scan):
    page = read(scan, with_stage("ocr", broken))
    assert (page.status, page.error_category, page.blocks) == ("failed", "stage", ())
    assert page.error.endswith("no words could be read")


def test_an_ocr_layer_that_cannot_be_audited_is_believed(tmp_path):
    sheet = next(sheet for sheet in held_out("audit", "page", 60) if sheet.noise)
    write_pdf([sheet], tmp_path / "layered.pdf")
    page = read(tmp_path / "layered.pdf", with_stage("audit", broken), layout_engine="none")
    assert page.status == "partial" and "audit (ValueError" in page.error
    assert {block.source for block in page.blocks if block.spans} == {"text-layer"}
    assert letters(" ".join(run.text for run in sheet.runs())) - words(page) == Counter()


def test_where_ocr_fails_the_text_layer_is_read(one_page_pdf):
    page = read(one_page_pdf, with_stage("ocr", broken), ocr="force")
    assert page.status == "partial" and "ocr (ValueError" in page.error
    assert "The second paragraph says another." in [block.text for block in page.blocks]
    assert {block.source for block in page.blocks} == {"text-layer"}


def test_all_stages_but_the_words_may_fail_at_once(rich):
    stages = [stage if stage.name == "words" else replace(stage, run=broken) for stage in STAGES]
    page = read(rich, stages)
    assert words(whole(rich, formulas=False)) - words(page) == Counter()
    spared = {*NOT_HERE, "named tables", "words", "pictures", "excerpts", "images"}  # the last one is not listed
    assert all(name in page.error for name in NAMES if name not in spared)


def test_a_stage_without_end_is_cut_and_leaves_time_for_the_others(one_page_pdf):
    def endless(*_):
        while True:
            time.sleep(0.01)

    guard = Guard(time.monotonic() + 2.0)
    page = read(one_page_pdf, with_stage("tables", endless), guard, layout_engine="none")
    assert page.error.startswith("without tables (out of time); its words are kept")
    assert page.blocks == whole(one_page_pdf, layout_engine="none").blocks  # there is no table on it


def test_the_lines_that_ocr_had_time_for_are_kept(scan, monkeypatch):
    from docparse.layout.ocr.recogniser import LineReader

    words_there = words(whole(scan, layout_engine="none"))
    read_line, lines = LineReader.read, []

    def slow(self, line):
        lines.append(line)
        time.sleep(60 if len(lines) > 2 else 0)
        return read_line(self, line)

    monkeypatch.setattr(LineReader, "read", slow)
    page = read(scan, guard=Guard(time.monotonic() + 6), layout_engine="none")
    assert (page.status, page.error_category) == ("partial", "timeout")
    assert "OCR had no time for" in page.error
    assert 0 < words(page).total() < words_there.total() and words(page) - words_there == Counter()


def test_a_model_that_is_missing_is_no_failed_stage(scan):
    def missing(*_):
        raise EnvironmentProblem("the OCR model is missing")

    with pytest.raises(EnvironmentProblem):
        read(scan, with_stage("ocr", missing))


def test_text_alone_has_all_words_in_the_order_of_their_lines(example_pdf):
    everything = whole(example_pdf, layout_engine="none", formulas=False, images="none")
    alone = read(example_pdf, list(TEXT_ALONE), images="none")
    assert words(everything) - words(alone) == Counter()
    text = " ".join(block.text for block in alone.blocks)
    assert text.index("Introduction") < text.index("Definitions")


@pytest.mark.parametrize("part", ["read_graphics", "find_hidden", "bold_runs", "place", "measure", "_images"])
def test_a_part_of_the_file_that_cannot_be_read_costs_no_word(one_page_pdf, monkeypatch, part):
    """Graphics, triage, rotation: what the page draws may be beyond us, its words are not."""
    monkeypatch.setattr(f"docparse.pdf.pdffile.{part}", broken)
    guard = Guard()
    with open_document(one_page_pdf, name="page") as document:
        page = reader(layout_engine="none").read(document.page(1, guard=guard), guard=guard).page
    monkeypatch.undo()
    assert page.status == "partial"
    assert words(whole(one_page_pdf, layout_engine="none")) - words(page) == Counter()
