"""The generator: the same page from the same seed, one Markdown in the truth and in docparse's writer, a text layer."""

import hashlib
import io

import numpy as np
import pypdfium2
import pytest

from docparse.render.markdown import write_markdown
from docparse.render.options import RenderOptions
from docparse.synthetic import fonts, pdf, pixels, recipes, truth
from docparse.synthetic.sheet import Sheet

PAGES = [(unit, category) for unit in ("block", "page", "large") for category in recipes.CATEGORIES]


@pytest.fixture(scope="module", params=PAGES, ids="-".join)
def sheet(request) -> Sheet:
    return recipes.sheet("test", *request.param)


def test_a_seed_gives_the_same_page_again(sheet, request):
    unit, category = request.node.callspec.params["sheet"]
    again = recipes.sheet("test", unit, category)
    assert again == sheet
    assert np.array_equal(pixels.draw(again), pixels.draw(sheet))
    assert recipes.sheet("test2", unit, category) != sheet


def test_layouts_are_those_of_every_other_machine():
    digest = hashlib.sha256()
    for unit, category in PAGES:
        page = recipes.sheet("golden", unit, category)
        placed = [(run.text, round(run.x, 2), round(run.baseline, 2), run.face) for run in page.runs()]
        digest.update(repr((page.markdown, placed)).encode())
    assert digest.hexdigest()[:16] == "1c367f614dfd90f9"


def test_sparse_pages_have_few_characters_for_each_visual_token():
    """As many as their category says, on the mean over its pages and within a factor of two on each."""
    size = recipes.UNITS["large"]
    found: dict[str, list[float]] = {}
    for category, page in recipes.sparse("test", "large", 48):
        found.setdefault(category, []).append(len(page.markdown) / size.visual_tokens)
    assert len(found) == len(recipes.SPARSE_KINDS) * len(recipes.DENSITIES)
    for density in recipes.DENSITIES:
        own = [each for category, values in found.items() if category.endswith(str(density)) for each in values]
        assert sum(own) / len(own) == pytest.approx(density, rel=0.25)
        assert all(density / 3 < each < 2 * density for each in own)


def test_docparse_writes_the_same_markdown_for_the_true_blocks(sheet):
    out = io.StringIO()
    write_markdown([truth.page(sheet)], out, RenderOptions())
    assert out.getvalue().rstrip("\n") == sheet.markdown


def test_words_lie_in_their_block_and_on_the_page(sheet):
    for element in sheet.elements:
        x0, y0, x1, y1 = element.box
        assert 0 <= x0 < x1 <= sheet.width + 1
        assert 0 <= y0 < y1 <= sheet.height
        for piece in element.pieces:
            if piece.run:
                assert x0 - 1 <= piece.run.x <= x1 + 1
                assert y0 - 1 <= piece.run.baseline <= y1 + 1


def test_markdown_needs_no_character_that_the_tokenizer_lacks(sheet):
    assert set(sheet.markdown) <= set(fonts.TEXT + "\n")


def test_the_pdf_carries_the_words_and_looks_like_the_pixels(sheet, tmp_path):
    pdf.write_pdf([sheet], tmp_path / "page.pdf")
    page = pypdfium2.PdfDocument(tmp_path / "page.pdf")[0]
    assert page.get_size() == (sheet.width, sheet.height)
    words = page.get_textpage().get_text_bounded().split()
    printed = {run.text for run in sheet.runs() if len(run.text) > 3}
    assert len(printed - set(words)) <= 0.05 * len(printed)
    seen = np.asarray(page.render(scale=pixels.SCALE, grayscale=True).to_pil().convert("L").reduce(pixels.SCALE), float)
    drawn = pixels.draw(sheet).astype(float)
    if sheet.noise or not sheet.snapped:
        assert np.corrcoef(seen.ravel(), drawn.ravel())[0, 1] > 0.9


def test_headers_and_page_numbers_are_printed_but_not_read():
    pages = [recipes.sheet(f"head/{index}", "page", "text") for index in range(30)]
    kinds = [{element.kind for element in page.elements} for page in pages]
    with_head = next(page for page, kind in zip(pages, kinds, strict=True) if "footer" in kind)
    footer = next(element for element in with_head.elements if element.kind == "footer")
    assert footer.pieces[0].run in with_head.runs()
    assert footer.pieces[0] not in with_head.reading()
