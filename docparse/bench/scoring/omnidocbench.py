"""Score pages of Markdown against OmniDocBench's annotations: text, reading order, tables, display formulas.

The procedure is the published end-to-end one (see `quick_match`): text and formulas are matched in one pool, tables
by themselves; headers, footers, page numbers, captions, footnotes and algorithms are not evaluated; truncated
paragraphs of the annotation are joined first, of three parts the middle one twice, as there; distances are summed
within a page. As there, text that answers no block costs nothing. Averages over pages are
`benchmarks/score_omnidocbench.py`'s.

Known differences: tables and formulas written as LaTeX environments are read as text; multi-row array formulas are not
split into rows; formulas are compared by edit distance only (no CDM, which needs a TeX installation); pipe tables are
converted to HTML by our own reader; TEDS is the implementation of `table-recognition-metric`, which counts the table's
own node too. Versions of the official code differ among each other in such details.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docparse.bench.scoring.elements import Element, normal_formula, normal_text, parse_markdown, table_cells
from docparse.bench.scoring.metrics import edit_distance, teds
from docparse.bench.scoring.quick_match import Match, assign, quick_match

TEXT_CATEGORIES = ("text_block", "title", "code_txt", "code_txt_caption", "reference")
IGNORED_CATEGORIES = (
    "equation_caption",
    "figure_caption",
    "figure_footnote",
    "table_caption",
    "table_footnote",
    "code_algorithm",
    "code_algorithm_caption",
    "header",
    "footer",
    "page_footnote",
    "page_number",
)


@dataclass(frozen=True)
class Annotated:
    """A block of the annotation: its place in the reading order and what it says (LaTeX or HTML where it is one)."""

    category: str
    order: float
    content: str

    @property
    def normal(self) -> str:
        return normal_formula(self.content) if self.category == "equation_isolated" else normal_text(self.content)


@dataclass(frozen=True)
class PageScore:
    """One page's numbers; `None` where the page has nothing of that kind. Distances: 0 is best. TEDS: 1 is best."""

    text: float | None = None
    order: float | None = None
    formula: float | None = None
    tables: tuple[float, ...] = ()


def score_page(page: dict[str, Any], markdown: str) -> PageScore:
    """Score one page; `page` is one entry of the annotation file."""
    return score_blocks(list(read_blocks(page)), markdown)


def score_blocks(blocks: Sequence[Annotated], markdown: str) -> PageScore:
    """Score one page against its annotated blocks in reading order."""
    elements = parse_markdown(markdown)
    tables = [element for element in elements if element.kind == "table"]
    true_tables = [block for block in blocks if block.category == "table"]
    table_scores, spare = _score_tables(true_tables, tables)
    output = [element for element in [*elements, *spare] if element.kind != "table" and element.normal]
    # Inline formulas come last: they may answer a display formula, and are forgotten otherwise.
    output.sort(key=lambda element: (element.kind == "inline", element.position))
    evaluated = [
        block for block in blocks if block.category in (*TEXT_CATEGORIES, "equation_isolated") and block.normal
    ]
    ignored = [block.normal for block in blocks if block.category in IGNORED_CATEGORIES and block.normal]
    matches = quick_match([block.normal for block in evaluated], ignored, [element.normal for element in output])
    return PageScore(**_score_matches(evaluated, output, matches), tables=table_scores)


def read_blocks(page: dict[str, Any]) -> Iterator[Annotated]:
    """Yield annotated blocks in reading order; a truncated paragraph is one, at the place of its first part."""
    items = {item["anno_id"]: item for item in page["layout_dets"] if not item.get("ignore")}
    relations = page.get("extra", {}).get("relation", [])
    groups = _joined(
        (relation["source_anno_id"], relation["target_anno_id"])
        for relation in relations
        if relation["relation_type"] == "truncated"
    )
    blocks = []
    for group in [*groups, *([key] for key in items.keys() - set().union(*groups))]:
        parts = sorted((items[key] for key in group if key in items), key=lambda part: part.get("order") or 0)
        if parts:
            content = "".join(_content(part) for part in parts)
            blocks.append(Annotated(parts[0]["category_type"], parts[0].get("order") or 0, content))
    return iter(sorted(blocks, key=lambda block: block.order))


def _content(item: dict[str, Any]) -> str:
    key = {"table": "html", "equation_isolated": "latex"}.get(item["category_type"], "text")
    return str(item.get(key) or "")


def _joined(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The parts of truncated paragraphs. As in the published evaluation, the middle one of three is there twice."""
    groups: list[list[int]] = []
    for pair in pairs:
        holding = [group for group in groups if set(pair) & set(group)]
        for group in holding:
            group.extend(pair)
        if not holding:
            groups.append(list(pair))
    return groups


def _score_tables(truth: Sequence[Annotated], tables: list[Element]) -> tuple[tuple[float, ...], list[Element]]:
    """TEDS of every annotated table, and the cells of output tables that answer none, as text."""
    if not truth:
        return (), []
    pairs = dict(assign([[edit_distance(block.content, table.content) for table in tables] for block in truth]))
    scores = tuple(
        teds(tables[pairs[i]].content, block.content) if i in pairs else 0.0 for i, block in enumerate(truth)
    )
    spare = [table for i, table in enumerate(tables) if i not in pairs.values()]
    return scores, [Element("text", cell, table.position) for table in spare for cell in table_cells(table.content)]


def _score_matches(blocks: list[Annotated], output: list[Element], matches: list[Match]) -> dict[str, float | None]:
    text: list[tuple[float, int]] = []
    formula: list[tuple[float, int]] = []
    seen: list[tuple[list[float], int | None]] = []
    for match in matches:
        truth = "".join(blocks[i].normal for i in match.blocks)
        answer = "".join(output[i].normal for i in match.lines)
        is_formula = blocks[match.blocks[0]].category == "equation_isolated"
        if is_formula and match.lines and output[match.lines[0]].kind == "text":
            # A formula that was written as text is judged as text.
            truth, is_formula = normal_text(truth), False
        longest = max(len(truth), len(answer))
        (formula if is_formula else text).append((edit_distance(truth, answer) * longest, longest))
        if blocks[match.blocks[0]].category in TEXT_CATEGORIES:
            first = output[match.lines[0]].position if match.lines else None
            seen.append(([blocks[i].order for i in match.blocks], first))
    return {"text": _share(text), "order": _order_distance(seen), "formula": _share(formula)}


def _order_distance(seen: list[tuple[list[float], int | None]]) -> float | None:
    """Edit distance between the annotated sequence of blocks and the sequence in which the output gives them."""
    truth = sorted(order for orders, _ in seen for order in orders if order)
    found = sorted(((place, orders) for orders, place in seen if place is not None), key=lambda pair: pair[0])
    answer = [order for _, orders in found for order in orders if order]
    return edit_distance(truth, answer) if truth else None


def _share(distances: list[tuple[float, int]]) -> float | None:
    total = sum(length for _, length in distances)
    return sum(distance for distance, _ in distances) / total if total else None
