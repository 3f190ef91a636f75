"""The generator: the same page from the same seed, one Markdown in the truth and in docparse's writer, a text layer."""

import hashlib

import numpy as np
import pypdfium2
import pytest
from blocks import markdown

from docparse.synthetic import fonts, pdf, pixels, recipes, truth

PAGES = [(unit, category) for unit in ("block", "page", "large") for category in recipes.CATEGORIES]


@pytest.mark.parametrize("unit, category", PAGES)
def test_a_page_is_the_same_from_its_seed_in_markdown_in_its_text_layer_and_in_pixels(tmp_path, unit, category):
    sheet, again = (recipes.sheet("test", unit, category) for _ in range(2))
    drawn = pixels.draw(sheet)
    assert again == sheet and np.array_equal(pixels.draw(again), drawn)
    assert recipes.sheet("test2", unit, category) != sheet

    assert markdown(truth.page(sheet)).rstrip("\n") == sheet.markdown
    assert set(sheet.markdown) <= set(fonts.TEXT + "\n")  # no character that the tokenizer lacks

    for element in sheet.elements:
        x0, y0, x1, y1 = element.box
        assert 0 <= x0 < x1 <= sheet.width + 1 and 0 <= y0 < y1 <= sheet.height
        for piece in element.pieces:
            if piece.run:
                assert x0 - 1 <= piece.run.x <= x1 + 1 and y0 - 1 <= piece.run.baseline <= y1 + 1

    pdf.write_pdf([sheet], tmp_path / "page.pdf")
    page = pypdfium2.PdfDocument(tmp_path / "page.pdf")[0]
    assert page.get_size() == (sheet.width, sheet.height)
    printed = {run.text for run in sheet.runs() if len(run.text) > 3}
    assert len(printed - set(page.get_textpage().get_text_bounded().split())) <= 0.05 * len(printed)
    if sheet.noise or not sheet.snapped:
        seen = page.render(scale=pixels.SCALE, grayscale=True).to_pil().convert("L").reduce(pixels.SCALE)
        assert np.corrcoef(np.asarray(seen, float).ravel(), drawn.astype(float).ravel())[0, 1] > 0.9


def test_layouts_are_those_of_every_other_machine():
    digest = hashlib.sha256()
    for unit, category in PAGES:
        page = recipes.sheet("golden", unit, category)
        placed = [(run.text, round(run.x, 2), round(run.baseline, 2), run.face) for run in page.runs()]
        digest.update(repr((page.markdown, placed)).encode())
    assert digest.hexdigest()[:16] == "1c367f614dfd90f9"


def test_sparse_pages_have_few_characters_for_each_visual_token():
    """As many as their category says, on the mean over its pages and within a factor of two on each."""
    found, tokens = {}, recipes.UNITS["large"].visual_tokens
    for category, page in recipes.sparse("test", "large", 48):
        found.setdefault(category, []).append(len(page.markdown) / tokens)
    assert len(found) == len(recipes.SPARSE_KINDS) * len(recipes.DENSITIES)
    for density in recipes.DENSITIES:
        own = [each for category, values in found.items() if category.endswith(str(density)) for each in values]
        assert sum(own) / len(own) == pytest.approx(density, rel=0.25)
        assert all(density / 3 < each < 2 * density for each in own)


def test_headers_and_page_numbers_are_printed_but_not_read():
    pages = [recipes.sheet(f"head/{index}", "page", "text") for index in range(30)]
    page, footer = next((page, part) for page in pages for part in page.elements if part.kind == "footer")
    assert footer.pieces[0].run in page.runs()
    assert footer.pieces[0] not in page.reading()
