"""One page from content to blocks: what is read how, and what each setting does."""

import io
import sys

import numpy as np
import pytest
from PIL import Image

from docparse.layout.engines import Engines
from docparse.layout.ocr.upright import levelled, straightened, turned
from docparse.layout.reader import PageReader
from docparse.layout.text.word_finding import words_of
from docparse.pdf import open_document
from docparse.pdf.content import PageContent, PageImage, TextQuality
from docparse.settings import Settings
from docparse.synthetic.pdf import write_pdf
from docparse.synthetic.recipes import held_out
from docparse.types import Box, Category, plain


def read(path, number=1, **settings):
    with open_document(path, name=path.name) as document:
        return PageReader(Settings(**{"layout_engine": "none", "images": "none"} | settings)).read(
            document.page(number)
        )


def blank():
    """An empty page with a black mark in its top left corner."""

    def draw(dpi):
        pixels = np.full((round(300 * dpi / 72), round(200 * dpi / 72), 3), 255, np.uint8)
        pixels[:20, :10] = 0
        return PageImage(pixels, dpi / 72)

    return PageContent(
        number=1, width=200, height=300, rotation=0, characters=None, quality=TextQuality.NONE,
        rulings=np.zeros((0, 4), np.float32), images=(Box(0, 0, 50, 100),), draw=draw,
    )  # fmt: skip


def test_a_text_layer_is_read_without_a_layout_model_and_every_time_the_same(example_pdf, monkeypatch):
    monkeypatch.setitem(sys.modules, "docparse.layout.ocr.paddle", None)  # importing it would fail
    page = read(example_pdf).page
    assert page.text_quality == "good" and all(block.source == "text-layer" for block in page.blocks)
    assert {block.category for block in page.blocks if block.category.is_furniture} == {
        Category.PAGE_HEADER,
        Category.PAGE_FOOTER,
    }
    assert {"words", "tables", "lines", "order"} <= set(page.seconds)
    assert read(example_pdf).page.blocks == page.blocks


@pytest.mark.parametrize("settings", [{"ocr": "off"}, {"text_layer": "only"}])
def test_a_scan_without_ocr_has_no_words(example_scan, settings):
    assert not any(block.text for block in read(example_scan, **settings).page.blocks)


@pytest.mark.parametrize("angle, corner", [(90, (0, -1)), (180, (-1, -1)), (270, (-1, 0))])
def test_a_turned_page_turns_its_pixels_and_its_boxes(angle, corner):
    page = turned(blank(), angle)
    pixels = page.render(72).pixels
    assert pixels[corner].sum() == 0
    assert (page.width, page.height) == ((300, 200) if angle != 180 else (200, 300))
    assert pixels.shape[:2] == (round(page.height), round(page.width))
    (box,) = page.images
    assert box.area == 50 * 100 and box.inside(page.box) == 1.0
    assert turned(page, 360 - angle).images == blank().images


def test_a_small_lean_is_taken_out_and_a_tiny_one_left_alone():
    content = blank()
    assert straightened(content, 0.05) is content
    page = straightened(content, 2.0)
    assert page.skew == 2.0 and page.render(72).pixels.shape == content.render(72).pixels.shape
    assert not np.array_equal(page.render(72).pixels, content.render(72).pixels)


def test_a_small_page_is_enlarged_as_far_as_its_type_is_small(typst_pdf):
    def dpi(size, side, words=40):
        page = f"#set page(width: {side}pt, height: {side}pt, margin: 20pt)\n#set text(size: {size}pt)\n#lorem({words})"
        with open_document(typst_pdf(page, f"small-{size}-{side}-{words}"), name="small") as document:
            return Engines(Settings()).ocr_dpi(document.page(1))

    usual = Settings().resolution
    assert dpi(12, 800) == usual
    assert dpi(12, 260) == usual  # as legible as on a page of common size
    assert usual < dpi(8, 260) < dpi(5, 260) == round(usual * 792 / 260)
    assert dpi(12, 260, words=1) == round(usual * 792 / 260)  # too little to tell
    assert dpi(12, 40, words=1) == 600


def test_the_paddle_engine_is_told_to_stay_offline():
    engine = Engines(Settings(layout_engine="paddle", offline=True), 3).layout
    assert (engine.engine, engine.offline) == ("onnxruntime", True)


def test_equations_over_an_image_are_labels_of_the_picture(typst_pdf):
    figure = io.BytesIO()
    Image.new("RGB", (400, 300), "#eef").save(figure, "PNG")
    source = """#set page(width: 400pt, height: 400pt)
#place(dx: 20pt, dy: 150pt, image(bytes((BYTES)), width: 200pt))
#place(dx: 60pt, dy: 200pt)[$ E = m c^2 + integral x dif x $]
Some text above the picture, which is a line of prose.
""".replace("BYTES", ", ".join(map(str, figure.getvalue())))
    page = read(typst_pdf(source), images="ref").page
    assert [block.text for block in page.blocks if block.category is Category.PICTURE] == ["E = mc 2 + ∫ x dx"]


def test_a_believed_text_layer_is_straightened_with_its_scan(tmp_path):
    sheet = next(s for s in held_out("lean", "page", 60) if s.noise and abs(s.skew) > 0.6)
    write_pdf([sheet], tmp_path / "scan.pdf")
    with open_document(tmp_path / "scan.pdf", name="scan.pdf") as document:
        askew = document.page(1)
        level = levelled(askew, -sheet.skew)
        assert level.skew == -sheet.skew
        assert levelled(askew, 0.0) is askew
    for content, near in ((askew, False), (level, True)):
        found = {word.text: word.baseline for word in words_of(content.characters)}
        printed = {run.text: run.baseline for run in sheet.runs()}
        off = [abs(found[text] - printed[text]) for text in found.keys() & printed.keys() if len(text) > 4]
        assert len(off) > 5
        assert (max(off) < 0.5) == near


def test_what_stands_under_a_listing_is_no_running_head(typst_pdf):
    page = read(
        typst_pdf("#set page(width: 420pt, height: 300pt)\n```\nx1 = f(0)\n```\n\n9\n\n#lorem(60)", "cell")
    ).page
    assert "9" in [plain(block.spans) for block in page.blocks if not block.category.is_furniture]


def test_the_line_under_words_is_no_stroke_over_footnotes(typst_pdf):
    names = " \\\n".join(("Ada North", "Ben South", "Cy West"))
    source = f"#set page(width: 420pt, height: 500pt)\n#lorem(150)\n\n#text(9pt)[#underline[*Members*]\n\n{names}]"
    page = read(typst_pdf(source, "members")).page
    assert Category.FOOTNOTE not in {block.category for block in page.blocks}
    assert "Ada North\nBen South\nCy West" in [plain(block.spans) for block in page.blocks]


def test_italics_of_a_whole_heading_are_its_style(typst_pdf):
    source = "#set page(width: 300pt, height: 200pt)\n#show heading: emph\n= Set in italics\nProse with an _emphasis_."
    heading, prose = read(typst_pdf(source, "italic-heading")).page.blocks
    assert [span.italic for span in heading.spans] == [False]
    assert any(span.italic for span in prose.spans)


COLOURED = """#set page(width: 360pt, height: 300pt)
A paragraph of some lines that are set in black, as most of the page is, so that it is known what is usual here.

#text(fill: rgb("FILL"), style: "STYLE", size: SIZE)[Binaries and services]
- the first of the items under it
- the second of the items under it
"""


@pytest.mark.parametrize(
    "fill, style, size, heading",
    [
        ("#0f4761", "normal", "11pt", False),  # a link
        ("#0f4761", "normal", "13pt", True),
    ],
)
def test_a_coloured_line_is_a_heading_if_it_is_larger(typst_pdf, fill, style, size, heading):
    source = COLOURED.replace("FILL", fill).replace("STYLE", style).replace("SIZE", size)
    blocks = read(typst_pdf(source, f"coloured-{fill[1:]}-{style}-{size}")).page.blocks
    found = next(block for block in blocks if "Binaries" in plain(block.spans))
    assert (found.category is Category.SECTION_HEADER) is heading
