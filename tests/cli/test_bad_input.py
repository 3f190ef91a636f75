"""Bad input and bad wishes: one line that says what to do, the documented exit code, and nothing lost."""

import os
import shutil
import sys

import handmade
import pypdfium2
import pytest
from refusals import refused

FAST = ("--layout-engine", "none", "--model", "pipeline")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="such names are bytes only on Linux")


def copies(source, *targets):
    for target in targets:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def test_bad_inputs_among_good_ones_cost_only_themselves_and_each_is_named_once(run, tmp_path, one_page_pdf):
    copies(one_page_pdf, (bad := tmp_path / "in") / "good.pdf")
    contents = {"no-pdf": b"just some words", "truncated": one_page_pdf.read_bytes()[:1500], "empty": b"",
                "no-pages": handmade.pdf([])}  # fmt: skip
    for name, content in contents.items():
        (bad / f"{name}.pdf").write_bytes(content)
    pypdfium2.PdfDocument(one_page_pdf)[0].render(scale=1).to_pil().save(bad / "scan.png")
    (bad / "scan.png").write_bytes((bad / "scan.png").read_bytes()[:2000])
    done = run("convert", "in", "missing.pdf", "-o", "out", *FAST, cwd=tmp_path)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert len(lines) == 7 and lines[-1].startswith("1 converted, 6 failed")
    assert "missing.pdf: no such file" in done.stderr
    assert "first paragraph" in (tmp_path / "out" / "good.md").read_text()
    for name in ("no-pdf.pdf", "truncated.pdf", "empty.pdf", "no-pages.pdf", "scan.png", "missing.pdf"):
        assert [line.count(name) for line in lines if name in line] == [1]


def test_pages_that_some_documents_lack(run, tmp_path, one_page_pdf, three_page_pdf):
    done = run("convert", one_page_pdf, three_page_pdf, "-o", tmp_path, "--pages", "1-2", *FAST)
    assert (done.returncode, done.stderr) == (0, "2 converted\n")
    line = f"docparse: {three_page_pdf}: page 9 is not there: the document has 3 pages\n"
    for _ in range(2):
        done = run("convert", three_page_pdf, "-o", tmp_path, "--pages", "3,9", "--resume", *FAST, "-q")
        assert (done.returncode, done.stderr) == (1, line)
        assert "Page three" in (tmp_path / "three-pages.md").read_text()
    assert not (tmp_path / ".docparse").exists()
    refused(run("convert", three_page_pdf, "--pages", "7-9", *FAST), 4)


@on_linux
def test_a_name_that_is_not_unicode(run, tmp_path, example_pdf):
    name = os.fsdecode(b"caf\xe9")
    copies(example_pdf, tmp_path / "in" / f"{name}.pdf")
    done = run("convert", "in", "--pages", "2", "-o", "out", "--format", "md,html", "--json", "-q", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert list((tmp_path / "out" / f"{name}_images").glob("*.png"))
    for suffix in (".md", ".html"):
        assert "caf%E9_images/page-0002" in (tmp_path / "out" / f"{name}{suffix}").read_text()
    assert "Speedup" in run("convert", f"in/{name}.pdf", *FAST, cwd=tmp_path).stdout


@pytest.mark.parametrize("images", ["none", "ref"])
def test_a_page_that_is_a_picture_is_printed_or_its_absence_is_said(run, tmp_path, typst_pdf, images):
    drawn = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><circle r='9'/></svg>"
    page = "#set page(width: 200pt, height: 200pt, margin: 0pt)\n"
    pdf, out = typst_pdf(f'{page}#image(bytes("{drawn}"), width: 100%)', "drawn"), tmp_path / "x.md"
    done = run("convert", pdf, "-o", out, "--images", images, "--text-layer", "only", *FAST)
    assert done.returncode == 0
    assert ("the output is empty" in done.stderr) is (out.read_text().strip() == "")


@pytest.mark.parametrize("flag", [("--ocr", "off"), ("--text-layer", "only")])
def test_the_advice_for_an_empty_document_is_something_new(run, typst_pdf, flag):
    done = run("convert", typst_pdf("#set page(width: 100pt, height: 60pt)\n", "blank"), *flag, *FAST)
    advice = f"if these are scans, leave out {' '.join(flag)}"
    assert done.stderr.endswith(f"the output is empty: no text was found; {advice}\n")


@pytest.mark.parametrize(
    "out, line", [("file/out", "choose another place"), ("x" * 300 + ".md", "too long")], ids=["in a file", "long"]
)
def test_an_output_that_cannot_be(run, tmp_path, one_page_pdf, out, line):
    (tmp_path / "file").write_text("x")
    refused(run("convert", one_page_pdf, "-o", out, "-q", *FAST, cwd=tmp_path), 4, line)


def test_a_full_output_folder_is_told_and_where_there_is_room_again_a_run_goes_on(on_small_disk):
    """On a file system mounted for this process only."""
    convert = '"$2" -m docparse convert "$3" -o "$1" --model pipeline --dpi 300'
    room = f'mount -o remount,size=64m "$1" && {convert} --resume -q && test -s paper.md || code=99'
    done = on_small_disk("64k", f'cd "$1" && {convert}; code=$?; {room}; exit $code')
    refused(done, 4, "No space left on device", "--resume")


@pytest.mark.parametrize("flags", [("-o", "x.pdf"), ("x.layout.pdf", "-o", ".", "--layout-pdf")])
def test_an_output_that_would_replace_an_input(run, tmp_path, one_page_pdf, flags):
    files = [tmp_path / "x.pdf", tmp_path / "x.layout.pdf"]
    copies(one_page_pdf, *files)
    assert run("convert", "x.pdf", *flags, *FAST, cwd=tmp_path).returncode == 2
    assert {path.read_bytes() for path in files} == {one_page_pdf.read_bytes()}


@pytest.mark.parametrize(
    "flags, line",
    [
        (("--tables", "gmf"), "'gfm'"),
        (("--tabels", "gfm"), "did you mean --tables? "),
        (("--page", "1"), "did you mean --pages? "),
        (("--pages", ""), "--pages is empty"),
        (("--pages", "one"), "one"),
        (("--format", "markdown"), "md"),
        (("--format", ","), "md, html, json"),
        (("--dpi", "5"), "18 to 1200"),
        (("--images", "ref"), "--images embed"),
        (("--json",), "-o FOLDER"),
        (("--resume",), "-o FOLDER"),
        (("--layout-pdf",), "-o FOLDER"),
        (("--format", "md,json"), "-o FOLDER"),
        (("-o", "x.md", "--format", "md,json"), "-o FOLDER"),
        (("-o", "x.md", "--format", "html"), "change one of them"),
        (("-o", "x.docx"), "x.docx/"),
        (("second.pdf",), "-o FOLDER"),
        (("second.pdf", "-o", "x.md"), "-o FOLDER"),
        (("--page-timeout", "0"), "above 0"),
        (("--page-timeout", "1e300"), "--page-timeout 1e+300"),
        (("--document-timeout", "nan"), "--document-timeout nan"),
        (("--max-memory", "lots"), "use a size such as 2G"),
        (("--max-memory", "10M"), "at least 256 MiB"),
        (("--max-spool", "0"), "use a size such as 2G"),
        (("",), "empty name"),
        (("-o", ""), "empty name"),
        (("-o", "--resume"), "needs a value, and --resume is an option"),
        (("--config", "none.toml"), "none.toml"),
        (("@none.txt",), "none.txt"),
        (("-", "@-"), "only once"),
        (("--text-layer", "only", "--ocr", "force"), "exclude"),
        (("--dpi", "high"), "--dpi needs a whole number"),
        (("--page-timeout", "soon"), "--page-timeout needs a number"),
    ],
)
def test_wishes_that_cannot_be_granted_are_usage_errors(run, one_page_pdf, tmp_path, flags, line):
    refused(run("convert", one_page_pdf, *flags, cwd=tmp_path), 2, line)
    assert list(tmp_path.iterdir()) == []


def test_a_temporary_folder_with_an_odd_name(run, tmp_path, one_page_pdf):
    (tmp_path / "odd\nname").mkdir()
    done = run("convert", one_page_pdf, "-q", *FAST, env={"TMPDIR": str(tmp_path / "odd\nname")})
    assert (done.returncode, done.stderr) == (0, "")
    assert "first paragraph" in done.stdout


def test_files_that_are_no_documents_are_counted_and_listed(run, tmp_path, one_page_pdf):
    copies(one_page_pdf, tmp_path / "in" / "x.pdf")
    for name in ("notes.txt", ".y.pdf"):
        (tmp_path / "in" / name).write_text("x")
    plain, quiet, verbose = (
        run("convert", "in", "-o", "out", *FAST, *flag, cwd=tmp_path).stderr for flag in ((), ("-q",), ("-v",))
    )
    written, counted = plain.splitlines()
    assert written.startswith("in/x.pdf: out/x.md: 1 page in ")
    assert counted == "2 files skipped: not documents (-v lists them)"
    assert quiet == ""
    assert "skipped in/.y.pdf: hidden\n" in verbose
    assert "skipped in/notes.txt: no PDF or image, by its suffix .txt\n" in verbose
    (tmp_path / "in" / "x.pdf").unlink()
    done = run("convert", "in", "-o", "out", cwd=tmp_path)
    assert done.returncode == 4 and "no PDF or image" in done.stderr


def test_a_place_that_cannot_be_written_costs_only_its_document(run, tmp_path, one_page_pdf):
    copies(one_page_pdf, tmp_path / "in" / "a" / "x.pdf", tmp_path / "in" / "b" / "y.pdf")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").write_text("in the way")
    refused(run("convert", tmp_path / "in", "-o", tmp_path / "out", "-q", *FAST), 1, "x.pdf: ", "cannot write")
    assert "first paragraph" in (tmp_path / "out" / "b" / "y.md").read_text()
