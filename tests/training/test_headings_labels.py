"""Training the model of headings: which groups of lines a document's truth calls headings, and texts in dresses."""

import random
import re

import pypdfium2
import pytest

from training.dressed import is_eastern, numbered, section_of, style_sheet
from training.headings import headings_of, is_among
from training.pictured import write_pictures

TRUTH = """# The *Tides* of `Hull`

Text with a # sign.

```
# a comment
```

## 2. Moon & sun, and how each of them pulls
"""


def test_headings_are_those_of_the_text_and_not_of_its_code():
    assert headings_of(TRUTH) == {"thetidesofhull", "2moonsunandhoweachofthempulls"}


@pytest.mark.parametrize("text, lines, expected", [
    ("THE TIDES OF HULL", 1, True),
    ("2. Moon & sun, and how", 1, True),  # its first line alone
    ("each of them pulls", 1, True),
    ("2. Moon & sun, and how each of them pulls 3", 2, True),
    ("The tides of Hull come in twice a day, and nobody minds", 1, False),
    ("2. M", 1, False),
    ("each of them pulls", 4, False),
    ("", 1, False),
])  # fmt: skip
def test_a_group_is_a_heading_that_says_one_or_a_good_part_of_it(text, lines, expected):
    assert is_among(text, lines, headings_of(TRUTH)) is expected


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name, words", [("Part", "Some words here."), ("部分", "这里有几句话。")])
def test_a_dressed_text_keeps_its_headings_with_numbers_before_them(seed, name, words):
    parts = enumerate((1, 2, 3, 2, 1, 2))
    text = "\n\n".join(f"{'#' * level} {name} {n}\n\n{words}" for n, level in parts)
    rng = random.Random(seed)
    lines = section_of(text, rng)
    dressed = numbered(lines, rng)
    heads = [re.sub(rf"^#+ (.*?)({name} \d)$", r"\2", line) for line in dressed if line.startswith("#")]
    assert heads == [line.lstrip("# ") for line in lines if line.startswith("#")]
    assert style_sheet(rng, eastern=is_eastern(lines)).count("h5{") == 1
    assert is_eastern(lines) == (name == "部分")


def test_pictures_of_a_document_are_as_large_as_its_pages_and_hold_no_text(one_page_pdf, tmp_path):
    write_pictures(one_page_pdf, tmp_path / "pictured.pdf", 2)
    with pypdfium2.PdfDocument(tmp_path / "pictured.pdf") as document:
        (page,) = document
        assert page.get_size() == pytest.approx((300, 260), abs=1)
        assert page.get_textpage().count_chars() == 0
        assert page.render().to_numpy().min() < 128 < page.render().to_numpy().max()
