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
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path

import msgspec
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from docparse.errors import DocparseError
from docparse.layout.kinds.edges import STAMP, Edge, EdgeRow
from docparse.layout.kinds.furniture import COVER, TITLE, is_named
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line
from docparse.layout.text.wording import PAGE_NUMBER
from docparse.pdf import open_document
from docparse.types import Box, union
from training.forests import save
from training.running_lines import ROWS, Sheet, labels, sheets_of, words_of

PAGES, FEWEST = 10, 5  # consecutive pages that are read of a document, and those that show what repeats
LONG_BOOK = 60  # pages: more are read at two places
# what the kinds of examples weigh
SHARES = {"page": 1.0, "ocr": 0.5, "sheet": 0.5, "bare": 0.5, "first": 1.0, "devset": 0.7}


@dataclass(frozen=True)
class Example:
    """A row of a page, in numbers. `source` and `document` are where it comes from, `kind` is one of `SHARES`."""

    measures: dict[str, float]
    furniture: bool
    kind: str
    source: str
    document: str


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
        running.update({words_of(group.text) for row in rows for group in row.groups})
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
        repeats = any(running[words_of(group.text)] > 1 for group in row.groups if words_of(group.text))
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
    named = [words_of(text) for text in furniture if len(words_of(text)) > 2]
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


def _is_named_in(row: EdgeRow, named: Sequence[str], *, outermost: bool) -> bool | None:
    said = words_of(row.text)
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
