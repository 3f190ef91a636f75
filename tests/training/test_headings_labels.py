"""Training the model of headings: which groups of lines a document's truth calls headings, and texts in dresses."""

import random
import re

import pytest

from training.dressed import numbered, section_of, style_sheet
from training.headings import headings_of, is_among

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
def test_a_dressed_text_keeps_its_headings_with_numbers_before_them(seed):
    text = "\n\n".join(f"{'#' * level} Part {n}\n\nSome words here." for n, level in enumerate((1, 2, 3, 2, 1, 2)))
    rng = random.Random(seed)
    lines = section_of(text, rng)
    dressed = numbered(lines, rng)
    words = [re.sub(r"^#+ (.*?)(Part \d)$", r"\2", line) for line in dressed if line.startswith("#")]
    assert words == [line.lstrip("# ") for line in lines if line.startswith("#")]
    assert style_sheet(rng).count("h5{") == 1
