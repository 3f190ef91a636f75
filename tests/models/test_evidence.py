"""What the published weights really wrote: it is read into the right blocks, and drafts of these are spelt the same.

A JSON file in `evidence/<model>/`, `prompt.json` and the published `config.json` aside, is an `output` with its
`source` and `licence`, the `blocks` in it (a table as rows x columns) and their `boxes` in steps of `grid`; `layout`
says that it is of the first of two steps. `share` is how much of the output a draft has right: 1.0 is all of it, for
less `why` says what differs, and null is for outputs that no draft can foresee.
"""

import json
from difflib import SequenceMatcher
from pathlib import Path

import msgspec
import pytest

from docparse.models.family import Frame
from docparse.models.registry import family_named
from docparse.types import Box, Category, Span

EVIDENCE = Path(__file__).parent / "evidence"
ELSEWHERE = ("prompt.json", "config.json")  # tested there
PATHS = sorted(path for path in EVIDENCE.glob("*/*.json") if path.name not in ELSEWHERE)
FILES = [str(path.relative_to(EVIDENCE)) for path in PATHS]


@pytest.mark.parametrize("name", FILES)
def test_an_output_is_read_into_the_right_blocks_and_a_draft_of_these_is_spelt_as_the_model_writes(name):
    found, family = json.loads((EVIDENCE / name).read_text()), family_named(name.split("/", maxsplit=1)[0])
    assert found["source"] and found["licence"]
    grid, output = found.get("grid", 1000), found["output"]
    dialect, frame = family.dialect, Frame(Box(0, 0, grid, grid), grid, grid)
    if "region" in found:
        dialect = family.region_dialect(Category(found["region"]))
    if "layout" in found:
        dialect = family.layout.dialect
    reading = dialect.read(output, frame)
    said = [f"{each.table.rows}x{each.table.columns}" if each.table else each.text for each in reading.blocks]
    assert [[block.category.value, text] for block, text in zip(reading.blocks, said, strict=True)] == found["blocks"]
    assert reading.problems == ()
    if "boxes" in found:
        assert [[*map(round, msgspec.structs.astuple(block.box))] for block in reading.blocks] == found["boxes"]
    assert found["share"] == 1.0 or found["why"]
    if found["share"] is None:
        return
    blocks = list(reading.blocks)
    if "draft_of" in found:
        blocks = [msgspec.structs.replace(blocks[0], spans=(Span(found["draft_of"], math=True),))]
    draft = dialect.write(blocks, frame).text
    assert (draft == output) is (found["share"] == 1.0)
    same = sum(match.size for match in SequenceMatcher(None, draft, output, autojunk=False).get_matching_blocks())
    assert same / len(output) >= found["share"]
