"""Train the models of headings: `python -m training.headings FOLDER [FOLDER ...] --judge FOLDER`.

A FOLDER holds documents with known content: `pdfs/NAME.pdf` and `truth/NAME.md`, as `training.devset` and
`training.dressed` write them. A group of lines is a heading if the truth has a heading of its words; what the files say
by their tags is not read. The folders to judge are not trained on.
"""

from __future__ import annotations

import argparse
import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path
from random import Random

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from docparse.errors import DocparseError
from docparse.layout.engines import Engines
from docparse.layout.kinds.classify import is_caption
from docparse.layout.kinds.headings import COMPANY, LIKELY, company_of
from docparse.layout.kinds.measures import Look, Neighbours, look_of, measures_of, neighbours_of
from docparse.layout.kinds.notes import is_footnote
from docparse.layout.state import PageState
from docparse.layout.tables.rules import without_underlines
from docparse.pdf import open_document
from docparse.settings import Settings
from training.forests import grouped, save

PAGES = 8  # that are read of a document
HEADING = re.compile(r"^#{1,6}\s+(.*)$", re.MULTILINE)
FENCED = re.compile(r"```.*?```", re.DOTALL)
PART, WHOLE, LINES = 0.3, 0.8, 3  # of a heading that a group may be, or a group that a heading; lines of such a group
FOLDS = 5  # parts of the documents that the first model is asked about without having seen them
TREES, TREES_AMONG_OTHERS = 300, 150
MANY = 100  # documents of a folder: more count by the root of their number


@dataclass(frozen=True)
class Sheet:
    """The groups of lines of a page in numbers, how they look, what stands over and under each, and which are headings.
    Those that are `told` (furniture, captions, notes, entries of contents) are nothing to learn from."""

    folder: str
    document: str
    measures: list[dict[str, float]]
    looks: list[Look]
    neighbours: list[Neighbours]
    headings: list[bool]
    told: list[bool]


def words_of(text: str) -> str:
    """Return its letters and figures, whatever their case."""
    text = unicodedata.normalize("NFKC", html.unescape(text)).casefold()
    return "".join(filter(str.isalnum, text))


def headings_of(markdown: str) -> set[str]:
    """Return the words of its headings."""
    found = (re.sub(r"[*_`$\\{}]", "", match[1]) for match in HEADING.finditer(FENCED.sub("", markdown)))
    return set(map(words_of, found)) - {""}


def is_among(text: str, lines: int, headings: set[str]) -> bool:
    """Return whether a group says what a heading does, or a good part of it."""
    words = words_of(text)
    if words in headings or len(words) < 4 or lines > LINES:
        return words in headings
    ends = (heading for heading in headings if heading.startswith(words) or heading.endswith(words))
    if any(len(words) >= PART * len(heading) for heading in ends):
        return True
    inside = (heading for heading in headings if words.startswith(heading) or words.endswith(heading))
    return any(len(heading) >= WHOLE * len(words) for heading in inside)


def sheets(pdf: Path) -> list[Sheet]:
    """Return the pages of a document whose truth is known."""
    truth = pdf.parent.parent / "truth" / f"{pdf.stem}.md"
    if not truth.exists():
        return []
    headings = headings_of(truth.read_text("utf-8"))
    engines, found = Engines(Settings(), 1), []
    try:
        with open_document(pdf, name=pdf.name) as document:
            for number in range(1, min(document.pages, PAGES) + 1):
                untagged = replace(document.page(number), structure=None)
                found.append(_sheet(grouped(untagged, engines, furniture=True), pdf, headings))
    except DocparseError as error:
        print(f"{pdf.name}: {error}", flush=True)
    return [sheet for sheet in found if sheet.measures]


def _sheet(state: PageState, pdf: Path, headings: set[str]) -> Sheet:
    style, groups = state.page_style, state.groups
    strokes = state.rulings if state.noisy else without_underlines(state.rulings, state.upright)
    told = [
        i in state.furniture or group.is_entry or is_caption(group, state.floats) or is_footnote(group, style, strokes)
        for i, group in enumerate(groups)
    ]
    beside = neighbours_of(groups)
    return Sheet(
        pdf.parent.parent.name,
        pdf.stem,
        measures_of(groups, beside, style, state.rulings, state.panels, noisy=state.noisy),
        list(map(look_of, groups)),
        beside,
        [is_among(group.text, len(group.lines), headings) for group in groups],
        told,
    )


@dataclass(frozen=True)
class Rows:
    """All groups of some sheets, in their order: `measures` float32 [n, m], which are `headings` and which are learned
    from (`free`), bool [n], and `weights` float [n]: those of a long document, and of a folder of many, count less."""

    sheets: Sequence[Sheet]
    measures: np.ndarray
    headings: np.ndarray
    free: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, found: Sequence[Sheet]) -> Rows:
        length = Counter[tuple[str, str]]()
        for sheet in found:
            length[sheet.folder, sheet.document] += sheet.told.count(False)
        folders = Counter(folder for folder, _ in length)
        heavy = {key: max(n, 1) ** -0.3 * min(1.0, (MANY / folders[key[0]]) ** 0.5) for key, n in length.items()}
        return cls(
            found,
            np.array([list(row.values()) for sheet in found for row in sheet.measures], np.float32),
            np.array([each for sheet in found for each in sheet.headings]),
            ~np.array([each for sheet in found for each in sheet.told]),
            np.array([heavy[sheet.folder, sheet.document] for sheet in found for _ in sheet.told]),
        )

    def with_company(self, chances: np.ndarray) -> Rows:
        """Return the rows with what the `chances` of all, float [n], say of the company of each."""
        ends = np.cumsum([len(sheet.told) for sheet in self.sheets])
        parts = zip(self.sheets, np.split(chances, ends[:-1]), strict=True)
        company = [row for sheet, own in parts for row in company_of(sheet.looks, sheet.neighbours, own)]
        more = np.array([list(row.values()) for row in company], np.float32)
        return replace(self, measures=np.hstack([self.measures, more]))

    def fitted(self, trees: int, but: np.ndarray | None = None) -> HistGradientBoostingClassifier:
        """Return the model of the rows, `but` for some, bool [n]."""
        used = self.free if but is None else self.free & ~but
        model = HistGradientBoostingClassifier(
            max_iter=trees, learning_rate=0.06, max_leaf_nodes=15, min_samples_leaf=15, l2_regularization=1.0,
            max_features=0.4, random_state=0,
        )  # fmt: skip
        return model.fit(self.measures[used], self.headings[used], sample_weight=self.weights[used])


@dataclass(frozen=True)
class Models:
    """What says how likely each group is a heading, first alone and then in its company."""

    alone: HistGradientBoostingClassifier
    among_others: HistGradientBoostingClassifier

    @classmethod
    def of(cls, rows: Rows) -> Models:
        """Fit both. The second learns from what the first says of documents that it has not seen."""
        names = sorted({sheet.document for sheet in rows.sheets})
        folds = min(FOLDS, len(names))
        number = {name: k % folds for k, name in enumerate(Random(0).sample(names, len(names)))}
        fold = np.array([number[sheet.document] for sheet in rows.sheets for _ in sheet.told])
        chances = np.zeros(len(fold))
        for k in range(folds):
            chances[fold == k] = _chances(rows.fitted(TREES, but=fold == k), rows.measures[fold == k])
        return cls(rows.fitted(TREES), rows.with_company(chances).fitted(TREES_AMONG_OTHERS))

    def chances(self, rows: Rows) -> np.ndarray:
        """Return how likely each group is a heading, float [n]."""
        return _chances(self.among_others, rows.with_company(_chances(self.alone, rows.measures)).measures)

    def judged(self, found: Sequence[Sheet]) -> Iterator[str]:
        """Yield a line for each folder: how well the models tell its headings (F1)."""
        for folder in sorted({sheet.folder for sheet in found}):
            rows = Rows.of([sheet for sheet in found if sheet.folder == folder])
            told, truth = (self.chances(rows) > LIKELY)[rows.free], rows.headings[rows.free]
            f1 = 2 * (told & truth).sum() / max(1, told.sum() + truth.sum())
            yield f"{folder}: {truth.sum()} headings, {f1:.3f}"

    def save(self, names: Sequence[str], folder: Path) -> None:
        """Write the files that docparse reads."""
        save(self.alone, names, folder / "headings.npz")
        save(self.among_others, [*names, *COMPANY], folder / "headings-company.npz")


def _chances(model: HistGradientBoostingClassifier, measures: np.ndarray) -> np.ndarray:
    return np.asarray(model.predict_proba(measures)[:, 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--judge", nargs="*", type=Path, default=[], metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path("docparse/data"))
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()

    def read(folders: Sequence[Path]) -> list[Sheet]:
        with Pool(options.workers) as pool:
            pdfs = [pdf for folder in folders for pdf in sorted((folder / "pdfs").glob("*.pdf"))]
            return [sheet for found in pool.imap(sheets, pdfs) for sheet in found]

    found = read(options.folders)
    if not found:
        parser.error("no FOLDER has pdfs/NAME.pdf and truth/NAME.md")
    rows = Rows.of(found)
    models = Models.of(rows)
    print(f"{rows.free.sum():,} groups, {rows.headings[rows.free].sum():,} headings", flush=True)
    for line in models.judged(read(options.judge)):
        print(line, flush=True)
    models.save(list(found[0].measures[0]), options.out)


if __name__ == "__main__":
    main()
