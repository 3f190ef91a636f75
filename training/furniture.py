"""Train the model of running headers and footers: `python -m training.furniture FOLDER [FOLDER ...] --folds 5`.

A FOLDER holds PDFs. What repeats at one place of a document's pages, or counts them, is furniture; every page is then
shown to the model by itself. The documents of a source have the same name before `__`, or lie in the same folder; with
`--folds` each source is judged by a model that has not seen it. A folder that `python -m training.devset` has made
says in its `manifest.jsonl` which lines are furniture.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path

import msgspec
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from docparse.errors import DocparseError
from docparse.guard import Guard
from docparse.layout.engines import Engines
from docparse.layout.kinds.edges import STAMP, Edge, Row
from docparse.layout.kinds.furniture import COVER, TITLE, is_named, page_edges
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.wording import PAGE_NUMBER
from docparse.pdf import open_document
from docparse.pdf.document import Document
from docparse.settings import Settings
from docparse.types import Box, union
from training.forests import grouped, save

PAGES, FEWEST = 10, 5  # consecutive pages that are read of a document, and those that show what repeats
LONG_BOOK = 60  # pages: more are read at two places
ROWS = 3  # from an edge inwards, that may be examples
LEVEL = 3.0  # points by which a line that repeats moves up and down
STILL = 1.5  # the same where only the place repeats, not the words
ZONE = 0.15  # share of the page height in which rows behind the outermost one may be furniture
LONG = 160  # characters: a row with a page's number is shorter
LARGE = 1.25  # times the size of the text: titles of chapters stand at one place, too
OFTEN = 0.6  # of the pages, on which a row stands at one place
# what the kinds of examples weigh
SHARES = {"page": 1.0, "ocr": 0.5, "sheet": 0.5, "bare": 0.5, "first": 1.0, "devset": 0.7}


@dataclass(frozen=True)
class Sheet:
    """A page as `find_furniture` gets it."""

    number: int
    groups: Sequence[Group]
    others: Sequence[Box]
    page: Box
    body: float
    strokes: np.ndarray

    @property
    def edges(self) -> list[Edge]:
        return page_edges(self.groups, self.others, self.page, self.body, self.strokes)


@dataclass(frozen=True)
class Example:
    """A row of a page, in numbers. `source` and `document` are where it comes from, `kind` is one of `SHARES`."""

    measures: dict[str, float]
    furniture: bool
    kind: str
    source: str
    document: str


def sheets_of(document: Document, first: int, pages: int) -> list[Sheet]:
    """Return page 1 and `pages` others from `first` on, those whose text layer can be trusted."""
    engines = Engines(Settings(ocr="off"), 1)
    found = []
    for number in sorted({1, *range(first, min(first + pages, document.pages + 1))}):
        state = grouped(document.page(number, guard=Guard()), engines, furniture=False)
        if state.content.quality == "good" and state.groups:
            style = state.page_style
            found.append(Sheet(number, state.groups, state.floats, state.content.box, style.body, state.rulings))
    return found


def labels(sheets: Sequence[Sheet]) -> list[dict[bool, list[bool | None]]]:
    """Return for each page and edge (is it the foot?) whether its rows are furniture, from the edge inwards up to the
    first that is not; None where the other pages do not say."""
    edges = [{edge.foot: edge for edge in sheet.edges} for sheet in sheets]
    found = []
    for sheet, own in zip(sheets, edges, strict=True):
        page = {}
        for foot, edge in own.items():
            peers = [(other.number - sheet.number, each[foot]) for other, each in zip(sheets, edges, strict=True)]
            peers = [(step, peer) for step, peer in peers if step]
            page[foot] = []
            for index in range(min(ROWS, len(edge.rows))):
                page[foot].append(_is_running(edge, index, peers))
                if not page[foot][-1]:
                    break
        found.append(page)
    return found


def _is_running(edge: Edge, index: int, peers: Sequence[tuple[int, Edge]]) -> bool | None:
    """Whether a row repeats, counts its page, or stands always at one place."""
    row = edge.rows[index]
    if index and not _is_near(edge, row):
        return False
    short, slide = row.lines <= 2 and len(row.text) < LONG, edge.page.width > edge.page.height
    number = PAGE_NUMBER.fullmatch(row.text) is not None
    alike = _pages(peers, 4, lambda other: _says_alike(row, other) and _is_level(edge, row, other, LEVEL))
    there = _pages(peers, 3, lambda other: _is_set_alike(row, other) and _is_level(edge, row, other, STILL))
    counted = sum(bool(_counts(row, step) & _counts_of(peer)) for step, peer in peers)
    if (alike >= 2 and row.lines <= 3) or (short and counted >= (3 if number else 4)):
        title_of_slide = alike >= 2 and slide and row.size > edge.body and not number
        return None if title_of_slide else _unless_title(edge, index)
    if number:
        return True if there >= 4 else None
    flows = short and not slide and edge.foot and sum(map(str.isalpha, row.text)) > 5  # pages as long as their text
    if flows and _pages(peers, 2, lambda other: _words(row.text) == _words(other.text)) >= 3:
        return True
    placed = row.lines == 1 and there >= max(4, OFTEN * len(peers)) and not slide and row.size < 1.3 * edge.body
    if placed and _is_apart(edge, index):
        return _unless_title(edge, index)
    return None if counted >= 2 or alike == 1 or (row.lines == 1 and there >= 2) else False


def _is_near(edge: Edge, row: Row) -> bool:
    reach = ZONE * edge.page.height
    return row.box.y0 > edge.page.y1 - reach if edge.foot else row.box.y1 < edge.page.y0 + reach


def _pages(peers: Sequence[tuple[int, Edge]], depth: int, fits: Callable[[Row], bool]) -> int:
    """On how many other pages one of the outermost rows fits."""
    return sum(any(map(fits, peer.rows[:depth])) for _, peer in peers)


def _unless_title(edge: Edge, index: int) -> bool | None:
    """Titles repeat, too: of chapters, of tables that go on, and of their parts."""
    row = edge.rows[index]
    digits = any(map(str.isdigit, row.text)) or PAGE_NUMBER.fullmatch(row.text) is not None
    chapter = not edge.foot and len(row.groups) == 1 and digits and row.size > LARGE * edge.body
    measures = edge.measures(index, outer=index)
    table = not edge.foot and not digits and measures["over a float"] and measures["gap"] < 3
    return None if chapter or table or row.text.rstrip().endswith((":", "：")) else True


def _words(text: str) -> str:
    """What it says, but for its numbers, spaces and signs."""
    return re.sub(r"[\W\d_]+", "", text).lower()


def _says_alike(row: Row, other: Row) -> bool:
    """The same words, or a part of it the same."""
    parts = [{_words(group.text) for group in each.groups} - {""} for each in (row, other)]
    return _words(row.text) == _words(other.text) or any(len(part) > 2 for part in parts[0] & parts[1])


def _is_level(edge: Edge, row: Row, other: Row, room: float) -> bool:
    return abs(row.box.y1 - other.box.y1) < room if edge.foot else abs(row.box.y0 - other.box.y0) < room


def _is_set_alike(row: Row, other: Row) -> bool:
    first, second = row.groups[0].lines[0].main, other.groups[0].lines[0].main
    return other.lines == 1 and abs(row.size - other.size) < 0.1 and first.font == second.font


def _is_apart(edge: Edge, index: int) -> bool:
    measures = edge.measures(index, outer=index)
    unlike = not measures["alike"] or abs(measures["next size"] - measures["size"]) > 0.02
    return measures["gap"] > (1 if unlike else 2)


def _counts(row: Row, step: int = 0) -> set[int]:
    """What the number of the page may be, `step` pages on."""
    return {number + step for number in row.page_numbers(alone=False)} if len(row.text) < LONG else set()


def _counts_of(edge: Edge) -> set[int]:
    return {count for row in edge.rows[:2] for count in _counts(row)}


def examples(path: Path) -> list[Example]:
    """Return the rows of a document about which its pages agree, each as it is and as other pages might show it."""
    try:
        with open_document(path, name=path.name) as document:
            many = document.pages
            starts = [max(2, many // 3), *([2 * many // 3] if many > LONG_BOOK else ())]
            return [each for start in starts for each in _of_part(path, sheets_of(document, start, PAGES))]
    except (DocparseError, ArithmeticError, ValueError, LookupError, TypeError) as problem:
        print(f"{path}: {problem}")
        return []


def _of_part(path: Path, sheets: Sequence[Sheet]) -> list[Example]:
    cover, sheets = [sheet for sheet in sheets if sheet.number == 1], [sheet for sheet in sheets if sheet.number > 1]
    if len(sheets) < FEWEST:
        return []
    rng = random.Random(f"{path.name} {sheets[0].number}")
    source = path.name.split("__")[0] if "__" in path.name else path.parent.name
    found: list[Example] = []

    def add(sheet: Sheet, labelled: dict[bool, list[bool | None]], kind: str) -> None:
        for edge in sheet.edges:
            for index, label in enumerate(labelled.get(edge.foot, ())):
                if index >= len(edge.rows) or is_named(edge.rows[index], foot=edge.foot):
                    break
                if label is not None:
                    found.append(Example(edge.measures(index, outer=index), label, kind, source, str(path)))

    known = labels(sheets)
    running: Counter[str] = Counter()
    for sheet, labelled in zip(sheets, known, strict=True):
        add(sheet, labelled, "page")
        add(_as_ocr(sheet, rng), labelled, "ocr")
        if rng.random() < 0.35:
            add(_on_other_paper(sheet, rng), labelled, "sheet")
        rows = [edge.rows[i] for edge in sheet.edges for i, label in enumerate(labelled[edge.foot]) if label]
        running.update({_words(group.text) for row in rows for group in row.groups})
        gone = {id(group) for row in rows for group in row.groups}
        rest = replace(sheet, groups=[group for group in sheet.groups if id(group) not in gone])
        if gone and rest.groups and rng.random() < 0.5:
            bare = {foot: [False] for foot, rows in labelled.items() if rows and rows[-1] is not None}
            add(_as_ocr(rest, rng) if rng.random() < 0.3 else rest, bare, "bare")
    for sheet in cover:
        add(sheet, {edge.foot: list(_on_first(sheet, edge, running)) for edge in sheet.edges}, "first")
    return found


def _on_first(sheet: Sheet, edge: Edge, running: Counter[str]) -> Iterator[bool | None]:
    """Whether the rows of a first page are furniture: those that repeat on later ones, and stamps, are; titles,
    paragraphs and other lines as large as the text are not, and none on a cover."""
    cover = edge.lines < COVER and max(group.size for group in sheet.groups) > TITLE * edge.body
    for row in edge.rows[:ROWS]:
        repeats = any(running[_words(group.text)] > 1 for group in row.groups if _words(group.text))
        if row.size < 1.2 * edge.body and row.lines < 3 and (repeats or STAMP.search(row.text)):
            yield True
            continue
        number = PAGE_NUMBER.fullmatch(row.text) is not None
        printed = row.size > 0.98 * edge.body or row.lines > 2 or (edge.foot and row.lines > 1) or cover
        yield False if printed and not number else None
        return


def _as_ocr(sheet: Sheet, rng: random.Random) -> Sheet:
    """The page as OCR reads it: no fonts, no italics, sizes that jitter."""

    def seen(group: Group) -> Group:
        scale = rng.uniform(0.93, 1.07)
        words = (
            tuple(msgspec.structs.replace(w, font="", italic=False, size=w.size * scale) for w in line.words)
            for line in group.lines
        )
        return replace(group, lines=tuple(map(Line, words)))

    return replace(sheet, groups=[seen(group) for group in sheet.groups])


def _on_other_paper(sheet: Sheet, rng: random.Random) -> Sheet:
    """The page with wider or narrower margins."""
    page, print_ = sheet.page, union(group.box for group in sheet.groups)
    if rng.random() < 0.5:
        left, top, right, bottom = (rng.uniform(0, 0.5) * side for side in (page.width, page.height) * 2)
        box = Box(page.x0 - left, page.y0 - top, page.x1 + right, page.y1 + bottom)
    else:
        cut = rng.uniform(0.2, 0.9)

        def between(side: str) -> float:
            return getattr(page, side) + cut * (getattr(print_, side) - getattr(page, side))

        box = Box(*map(between, ("x0", "y0", "x1", "y1")))
    return replace(sheet, page=box)


def devset_examples(path: Path, furniture: Sequence[str]) -> list[Example]:
    """Return the rows of a document that `training.devset` has made, whose running lines are known."""
    named = [_words(text) for text in furniture if len(_words(text)) > 2]
    rng, found = random.Random(path.name), []
    with open_document(path, name=path.name) as document:
        sheets = sheets_of(document, 2, 3)
    for sheet in sheets:
        for shown in (sheet, _as_ocr(sheet, rng)):
            for edge in shown.edges:
                for index, row in enumerate(edge.rows[:ROWS]):
                    label = _is_named_in(row, named, outermost=index == 0 or edge.foot)
                    if is_named(row, foot=edge.foot):
                        break
                    if label is not None:
                        found.append(Example(edge.measures(index, outer=index), label, "devset", path.stem, str(path)))
                    if not label:
                        break
    return found


def _is_named_in(row: Row, named: Sequence[str], *, outermost: bool) -> bool | None:
    said = _words(row.text)
    if PAGE_NUMBER.fullmatch(row.text):
        return True if outermost else None
    if any(name in said and len(said) < len(name) + 30 for name in named):
        return True
    doubtful = any(name in said or name[:12] in said or (said and said in name) for name in named)
    return None if doubtful or row.numbers else False


def fitted(measures: np.ndarray, furniture: np.ndarray, weights: np.ndarray) -> HistGradientBoostingClassifier:
    """Return the model of examples: float [n, m], bool [n], float [n]."""
    model = HistGradientBoostingClassifier(
        max_iter=150, max_depth=4, learning_rate=0.08, min_samples_leaf=30, l2_regularization=3.0, random_state=0
    )
    return model.fit(measures, furniture, sample_weight=weights)


def judged(found: Sequence[Example], folds: int) -> str:
    """Return how many rows models tell that have not seen their source, as a Markdown table."""
    measures, furniture, weights = arrays(found)
    chances = np.zeros(len(found))
    for seen, new in GroupKFold(folds).split(measures, furniture, [each.source for each in found]):
        model = fitted(measures[seen], furniture[seen], weights[seen])
        chances[new] = model.predict_proba(measures[new])[:, 1]
    lines = ["| rows | furniture | others | from | found | others taken for it |", "|---|---|---|---|---|---|"]
    for kind in SHARES:
        for foot in (False, True):
            chosen = np.array([each.kind == kind and each.measures["foot"] == foot for each in found])
            yes, no = chosen & furniture, chosen & ~furniture
            for least in (0.6, 0.7, 0.8):
                right, wrong = (
                    weights[rows & (chances > least)].sum() / max(1e-9, weights[rows].sum()) for rows in (yes, no)
                )
                where = f"{kind}, {'foot' if foot else 'head'}"
                lines.append(f"| {where} | {yes.sum():,} | {no.sum():,} | {least} | {right:.3f} | {wrong:.4f} |")
    return "\n".join(lines)


def arrays(found: Sequence[Example]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return measures float32 [n, m], what is furniture bool [n], and weights float [n]: documents with many examples
    count by the root of their number."""
    many = Counter((each.document, each.kind) for each in found)
    measures = np.array([list(each.measures.values()) for each in found], dtype=np.float32)
    weights = np.array([SHARES[each.kind] / many[each.document, each.kind] ** 0.5 for each in found])
    return measures, np.array([each.furniture for each in found]), weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path("docparse/data/furniture.npz"))
    parser.add_argument("--folds", type=int, default=0, help="first judge every source by a model of the others")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    found: list[Example] = []
    with Pool(options.workers) as pool:
        for folder in options.folders:
            if (folder / "manifest.jsonl").exists():
                entries = map(json.loads, (folder / "manifest.jsonl").read_text().splitlines())
                jobs = [(folder / "pdfs" / f"{each['name']}.pdf", each.get("furniture", ())) for each in entries]
                read = pool.starmap(devset_examples, jobs)
            else:
                read = pool.map(examples, sorted(folder.rglob("*.pdf")), chunksize=1)
            found += [each for part in read for each in part]
            print(f"{folder}: {len(found):,} rows so far", flush=True)
    if options.folds:
        print(judged(found, options.folds))
    measures, furniture, weights = arrays(found)
    save(fitted(measures, furniture, weights), list(found[0].measures), options.out)


if __name__ == "__main__":
    main()
