"""olmOCR's output: five facts about the page as YAML front matter, then Markdown.

    ---
    primary_language: en
    is_rotation_valid: True
    rotation_correction: 0
    is_table: False
    is_diagram: False
    ---

as in the training data of olmOCR-2 (`olmocr/train/README.md`) and its published outputs; no blank line follows. Pages
of the published weights have headings without `#`, items as `• `, and often one line break between blocks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.dialects.reader import BlockReader
from docparse.models.family import Draft, Frame, ParsedOutput
from docparse.render.tables import HtmlStyle
from docparse.types import Block, Category

_FENCE = re.compile(r"\s*(?:```(?:markdown|yaml)?[ \t]*\n)?")
_FRONT = re.compile(r"---[ \t]*\n((?:[a-z_]+:[^\n]*(?:\n|$))*)(---[ \t]*(?:\n|$))?")
_CUT = re.compile(r"[a-z_-]*$")  # the key, or the dashes, in which an output ends
_FACT = re.compile(r"([a-z_]+):[ \t]*([^\n]*)")
_HTML = HtmlStyle(header_cells=True, row="\n  ", cell="\n    ", close="\n  ", end="\n")
_MARKDOWN = MarkdownDialect(math=("\\( ", " \\)", "\\[\n", "\n\\]"), html=_HTML, bullet="•", headings=False)


@dataclass(frozen=True)
class FrontMatter:
    """Front matter and the Markdown of olmOCR: LaTeX in `\\( \\)` and `\\[ \\]`, tables as HTML."""

    markdown: MarkdownDialect = _MARKDOWN

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        """A page with words is said to be English, which costs another a token, and one mostly of tables or pictures
        to be one."""
        body = self.markdown.write(blocks, frame)
        head = (
            f"---\nprimary_language: {'en' if body.text else 'null'}\nis_rotation_valid: True\nrotation_correction: 0\n"
            f"is_table: {_mostly(blocks, Category.TABLE)}\nis_diagram: {_mostly(blocks, Category.PICTURE)}\n---\n"
        )
        return Draft(head + body.text, body.blocks, tuple(len(head) + start for start in body.starts))

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        """`turned` is what the model says of the page. Every line is a paragraph, which may be `below` its first."""
        start, facts, problems = _front(text)
        body = text.rstrip().removesuffix("```") if text.lstrip().startswith("```") and start else text
        reading = replace(BlockReader(body, frame.box, lines=True).read(start), turned=_turned(facts))
        ends = enumerate(pairwise(reading.extents), 1)
        below = frozenset(i for i, ((_, end), (begin, _)) in ends if body[end:begin].count("\n") < 2)
        return replace(reading, problems=(*problems, *reading.problems), below=below, headings=False)


def _front(text: str) -> tuple[int, dict[str, str], list[str]]:
    """Return where the Markdown begins, what the front matter says, and what is wrong with it."""
    fence = _FENCE.match(text)
    front = _FRONT.match(text, fence.end() if fence else 0)
    if front is None:
        return 0, {}, ["no front matter"]
    facts = dict(_FACT.findall(front[1]))
    if front[2]:
        return front.end(), facts, []
    return len(text) if _CUT.match(text, front.end()) else front.end(), facts, ["the front matter is not closed"]


def _turned(facts: Mapping[str, str]) -> int:
    """Degrees as olmocr/pipeline.py of allenai/olmocr (f7cfe4c) turns a page before it reads it again."""
    said = facts.get("rotation_correction", "")
    wrong = facts.get("is_rotation_valid", "true").lower() == "false"
    return int(said) if wrong and said in ("90", "180", "270") else 0


def _mostly(blocks: Sequence[Block], category: Category) -> bool:
    """Return whether blocks of `category` take up more than half of the area of all blocks."""
    return 2 * sum(b.box.area for b in blocks if b.category is category) > sum(b.box.area for b in blocks)
