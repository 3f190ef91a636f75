"""olmOCR's front matter before its Markdown."""

import pytest

from docparse.models.dialects.front_matter import FrontMatter
from docparse.models.family import Frame
from docparse.types import Block, Box, Category, Cell, Span, Table

FRAME = Frame(Box(0, 0, 100, 100), 200, 200)
OLMOCR = FrontMatter()
HEAD = "---\nprimary_language: {}\nis_rotation_valid: True\nrotation_correction: 0\nis_table: {}\nis_diagram: {}\n---\n"


def page(text: str) -> list[Block]:
    return [Block(category=Category.TEXT, box=Box(0, 0, 10, 10), spans=(Span(text),))]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Words", "en"),
        ("漢字漢字 OCR", "zh"),
        ("漢字です", "ja"),
        ("Слова", "ru"),
        ("كلمات", "ar"),
        ("한글", "ko"),
        ("12", "null"),
        ("Der Hund ist nicht auf dem Dach.", "de"),
        ("Les chiens sont dans la maison et sur le toit.", "fr"),
        ("Los perros que se ven por la casa.", "es"),
    ],
)
def test_a_page_of_text(text, language):
    draft = OLMOCR.write(page(text), FRAME)
    assert draft.text == HEAD.format(language, False, False) + text
    assert draft.starts == (len(draft.text) - len(text),)


def test_a_page_of_a_table_or_a_picture():
    table = Block(category=Category.TABLE, box=FRAME.box, table=Table(1, 1, (Cell(0, 0, (Span("a"),)),)))
    assert OLMOCR.write([*page("Words"), table], FRAME).text.startswith(HEAD.format("en", True, False))
    picture = Block(category=Category.PICTURE, box=FRAME.box)
    assert OLMOCR.write([*page("Words"), picture], FRAME).text == HEAD.format("en", False, True) + "Words"


def test_front_matter_is_no_block():
    text = HEAD.format("en", False, False) + "# T\n\nLet \\( x \\) be."
    reading = OLMOCR.read(text, FRAME)
    assert [(block.category.value, block.text) for block in reading.blocks] == [("Title", "T"), ("Text", "Let x be.")]
    assert [text[start:end] for start, end in reading.extents] == ["# T", "Let \\( x \\) be."]
    assert reading.problems == ()


def test_a_turned_page_says_by_how_much():
    text = "---\nis_rotation_valid: false\nrotation_correction: 90\n---\nWords"
    reading = OLMOCR.read(text, FRAME)
    assert (reading.turned, reading.problems) == (90, ())


@pytest.mark.parametrize(
    ("text", "words", "problem"),
    [
        ("Words", ["Words"], "no front matter"),
        ("---\nprimary_language: en\nis_rot", [], "the front matter is not closed"),
        ("---\nprimary_language: en\n\nWords", ["Words"], "the front matter is not closed"),
        ("", [], "no front matter"),
    ],
)
def test_front_matter_that_is_not_whole(text, words, problem):
    reading = OLMOCR.read(text, FRAME)
    assert [block.text for block in reading.blocks] == words
    assert reading.problems == (problem,)


def test_a_fence_about_it_all():
    reading = OLMOCR.read("```markdown\n---\nis_table: True\n---\nWords\n```", FRAME)
    assert [block.text for block in reading.blocks] == ["Words"]
    assert reading.problems == ()


def test_a_page_as_the_model_writes_it():
    """Headings without marks, bullets, indented tables (37 pages and one of FP8 weights that others keep in public)."""
    header, item = Category.SECTION_HEADER, Category.LIST_ITEM
    cells = (Cell(0, 0, (Span("a"),), header=True), Cell(1, 0, (Span("b"),)))
    blocks = [
        Block(category=header, box=FRAME.box, spans=(Span("Heading"),), level=2),
        Block(category=item, box=FRAME.box, spans=(Span("one"),), marker="•"),
        Block(category=item, box=FRAME.box, spans=(Span("x", math=True),), marker="•"),
        Block(category=Category.TABLE, box=FRAME.box, table=Table(2, 1, cells)),
    ]
    assert OLMOCR.write(blocks, FRAME).text.split("---\n")[-1] == (
        "Heading\n\n• one\n• \\( x \\)\n\n"
        "<table>\n  <tr>\n    <th>a</th>\n  </tr>\n  <tr>\n    <td>b</td>\n  </tr>\n</table>"
    )


def test_lines_are_paragraphs_that_may_belong_together():
    reading = OLMOCR.read(HEAD.format("en", False, False) + "Heading\nFirst line\n• item\n\nLast", FRAME)
    assert [block.text for block in reading.blocks] == ["Heading", "First line", "item", "Last"]
    assert (reading.below, reading.headings) == ({1, 2}, False)
