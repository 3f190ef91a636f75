"""`docparse view`: one file that shows every page beside its text, and one line where it cannot."""

import re
import shutil
from io import StringIO

import msgspec
import pytest
from blocks import block, page

from docparse.cli.app import VIEW_NAME, view
from docparse.errors import ExitCode, InputError, UsageError
from docparse.render import write_json
from docparse.run.convert import convert
from docparse.settings import Settings
from docparse.types import Box, Decoding, DocumentInfo
from docparse.view.found import find
from docparse.view.write import drafts, write_view


@pytest.fixture(scope="module")
def run(tmp_path_factory, example_pdf):
    """The output folder of a run over a paper and a file that is none."""
    folder = tmp_path_factory.mktemp("run")
    shutil.copy(example_pdf, folder / "paper.pdf")
    (folder / "broken.pdf").write_bytes(b"nothing")
    names = [str(folder / name) for name in ("paper.pdf", "broken.pdf")]
    convert(names, str(folder / "out"), Settings(model="pipeline", format="md,json"))
    return folder / "out"


def text(words, **more):
    return block("Text", words, box=Box(10.0, 20.0, 60.0, 40.0), **more)


def sheet(number, *blocks, **more):
    return page(number, *blocks, width=100.0, height=100.0, **more)


def written(folder, *pages):
    """A JSON output of made-up pages."""
    out = StringIO()
    write_json(DocumentInfo(name="gone.pdf", sha256="0" * 64, pages=len(pages)), pages, out)
    path = folder / "gone.json"
    path.write_text(out.getvalue())
    return path


def seen(out, to, source=None, max_pages=0):
    write_view(find(out, source), to, max_pages=max_pages)
    return to.read_text()


def test_every_region_of_the_picture_has_its_text_in_a_file_that_refers_to_nothing_outside(run, capsys):
    assert view(run, None, None, max_pages=0, password="", quiet=False) == ExitCode.OK
    told = capsys.readouterr()
    assert told.out.strip() == str(run / VIEW_NAME)
    assert told.err.startswith("2 pages, ")
    html = (run / VIEW_NAME).read_text()
    regions = re.findall(r'class="region [^>]*href="#(d\dp\db\d+)"', html)
    assert len(regions) > 60
    assert set(regions) == set(re.findall(r'class="block [^>]*id="(d\dp\db\d+)"', html))
    assert html.count('<img src="data:image/webp;base64,') == 2
    assert "<mfrac>" in html and 'colspan="4"' in html and "No model wrote these pages" in html
    assert re.findall(r'(?:src|href)="(?!data:|#)[^"]*"|@import|url\(', html) == []
    assert html.index("broken.pdf") < html.index("paper.pdf")  # what failed comes first
    assert "not a PDF or an image" in html


def test_one_file_of_a_run_is_what_the_journal_says_of_it(run):
    (paper,) = find(run / "paper.json", None)
    assert paper == find(run, None)[-1]
    assert (paper.name, paper.source) == (str(run.parent / "paper.pdf"), run.parent / "paper.pdf")


def test_a_view_is_html(run, tmp_path):
    with pytest.raises(UsageError, match=r"view\.pdf: a view is HTML: name a file that ends with \.html"):
        view(run, tmp_path / "view.pdf", None)
    assert not (tmp_path / "view.pdf").exists()


def test_pages_that_failed_come_first(tmp_path):
    pages = [sheet(1, text("fine")), sheet(2, status="partial", error="it repeats itself"),
             page(3, width=0.0, height=0.0, status="failed", error="took too long")]  # fmt: skip
    html = seen(written(tmp_path, *pages), tmp_path / "view.html")
    assert re.findall(r'<article class="page" id="d1p(\d)"', html) == ["3", "2", "1"]
    assert "failed: took too long" in html


def test_what_a_page_says_is_text_and_no_markup(tmp_path):
    html = seen(written(tmp_path, sheet(1, text("<script>alert(1)</script>"), warnings=("<b>",))), tmp_path / "v.html")
    assert "&lt;script&gt;alert(1)" in html and "<b>" not in html
    assert "left:10.00%;top:20.00%;width:50.00%;height:20.00%" in html


def test_a_source_that_is_not_there_is_told(run, tmp_path):
    with pytest.raises(UsageError, match=r"--source .*nowhere: no such file or folder"):
        find(run, tmp_path / "nowhere")


def test_a_document_that_has_moved_is_shown_without_pictures_until_it_is_named(run, tmp_path):
    moved = tmp_path / "out"
    shutil.copytree(run, moved)
    journal = moved / "docparse-journal.jsonl"
    journal.write_text(journal.read_text().replace(str(run.parent), "/nowhere"))
    found = find(moved, None)[-1]
    assert found.source is None
    assert found.note.endswith("so its pages have no pictures: name the file or its folder with --source")
    assert "image/webp" not in seen(moved, tmp_path / "view.html")
    for source in (run.parent, run.parent / "paper.pdf"):
        assert seen(moved, tmp_path / "view.html", source).count("image/webp") == 2
    other = tmp_path / "paper.pdf"
    other.write_bytes(b"another document")
    assert "has changed" in find(moved, other)[-1].note


def test_the_documents_of_a_tree_are_found_where_it_has_moved_and_from_another_folder(
    one_page_pdf, tmp_path, monkeypatch
):
    (tmp_path / "in" / "2026").mkdir(parents=True)
    shutil.copy(one_page_pdf, tmp_path / "in" / "2026" / "paper.pdf")
    monkeypatch.chdir(tmp_path)
    convert(["in"], "out/v", Settings(model="pipeline", format="json"))
    monkeypatch.chdir("/")
    assert find(tmp_path / "out" / "v", None)[0].source == tmp_path / "in" / "2026" / "paper.pdf"
    (tmp_path / "empty").mkdir()
    elsewhere = find(tmp_path / "out" / "v", tmp_path / "empty")[0]
    assert elsewhere.source == tmp_path / "in" / "2026" / "paper.pdf"
    assert f"it is not in --source {tmp_path}/empty: its pages are drawn from {elsewhere.source}" in elsewhere.note
    moved = (tmp_path / "in").rename(tmp_path / "moved")
    assert find(tmp_path / "out" / "v", None)[0].source is None
    for source in (moved, moved / "2026"):
        found = find(tmp_path / "out" / "v", source)[0]
        assert (found.source, found.note) == (moved / "2026" / "paper.pdf", "")


def test_blocks_are_the_greener_the_more_drafts_were_accepted(tmp_path):
    decoding = Decoding(accel="hsd", tokens=13, steps=4, accepted=6, accepted_by_source={"text-layer": 6})
    drafted = sheet(1, text("most", tokens=8, draft_tokens=6), text("none", tokens=5), decoding=decoding)
    html = seen(written(tmp_path, drafted), tmp_path / "view.html")
    assert html.count("--share: 0.750") == 1
    assert "6 of 8 tokens" in html and "The greener a block" in html
    assert "6 were accepted drafts (text-layer 6), 1.50 per step" in html
    plain = msgspec.structs.replace(drafted, blocks=(text("none", tokens=5),), decoding=Decoding(tokens=5, steps=5))
    assert "none to colour" in drafts(write_view(find(written(tmp_path, plain), None), tmp_path / "view.html"))


def test_more_pages_than_wanted_are_counted(run, tmp_path):
    html = seen(run, tmp_path / "view.html", max_pages=1)
    assert html.count('<article class="page"') == 1
    assert "1 more not shown: raise --max-pages" in html


@pytest.mark.parametrize(
    "made, kind, line",
    [
        ("nothing", UsageError, "no docparse-journal.jsonl is there: name the output folder"),
        ("missing", UsageError, "no such file or folder: name the output of a docparse convert"),
        ("markdown", UsageError, "it has no JSON: run docparse convert again with --format md,json"),
        ("other", InputError, "other.json: not a docparse JSON document"),
    ],
)
def test_what_cannot_be_looked_at_is_one_line(one_page_pdf, tmp_path, made, kind, line):
    out = tmp_path / "out"
    out.mkdir()
    if made == "markdown":
        convert([str(one_page_pdf)], str(out), Settings(model="pipeline"))
    elif made != "nothing":
        out = out / f"{made}.json"
        if made == "other":
            out.write_text("{}")
    with pytest.raises(kind, match=re.escape(line)):
        find(out, None)
