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


def case(name):
    """The evidence, the dialect it is in, and a frame in whose points its boxes are."""
    found = json.loads((EVIDENCE / name).read_text())
    grid = found.get("grid", 1000)

    family = family_named(name.split("/", maxsplit=1)[0])
    assert family is not None, f"no model of that name: {name}"
    dialect = family.region_dialect(Category(found["region"])) if "region" in found else family.dialect
    if "layout" in found:
        dialect = family.layout.dialect
    return found, dialect, Frame(Box(0, 0, grid, grid), grid, grid)


def said(block):
    """The words of a block, or the size of its table."""
    return f"{block.table.rows}x{block.table.columns}" if block.table else block.text


@pytest.mark.parametrize("name", FILES)
def test_an_output_is_read_into_the_right_blocks(name):
    found, dialect, frame = case(name)
    assert found["source"]
    assert found["licence"]
    reading = dialect.read(found["output"], frame)
    assert [[block.category.value, said(block)] for block in reading.blocks] == found["blocks"]
    assert reading.problems == ()
    if "boxes" in found:
        assert [[*map(round, msgspec.structs.astuple(block.box))] for block in reading.blocks] == found["boxes"]


@pytest.mark.parametrize("name", FILES)
def test_a_draft_of_its_blocks_is_spelt_as_the_model_writes(name):
    found, dialect, frame = case(name)
    if found["share"] is None:
        assert found["why"]
        return
    blocks = list(dialect.read(found["output"], frame).blocks)
    if "draft_of" in found:
        blocks = [msgspec.structs.replace(blocks[0], spans=(Span(found["draft_of"], math=True),))]
    draft, output = dialect.write(blocks, frame).text, found["output"]
    if found["share"] == 1.0:
        assert draft == output
        return
    assert found["why"]
    same = sum(match.size for match in SequenceMatcher(None, draft, output, autojunk=False).get_matching_blocks())
    assert draft != output
    assert same / len(output) >= found["share"]
