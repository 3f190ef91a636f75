"""Train the model of headings: `python -m training.headings FOLDER [FOLDER ...] --judge FOLDER`.

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

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from docparse.errors import DocparseError
from docparse.layout.engines import Engines
from docparse.layout.kinds.classify import is_caption
from docparse.layout.kinds.headings import LIKELY
from docparse.layout.kinds.measures import measures_of
from docparse.layout.kinds.notes import is_footnote
from docparse.layout.stages import STAGES, first_state
from docparse.layout.state import PageState
from docparse.layout.tables.rules import without_underlines
from docparse.pdf import open_document
from docparse.pdf.content import PageContent
from docparse.settings import Settings
from training.forests import save

PAGES = 8  # that are read of a document
HEADING = re.compile(r"^#{1,6}\s+(.*)$", re.MULTILINE)
FENCED = re.compile(r"```.*?```", re.DOTALL)
PART, WHOLE, LINES = 0.3, 0.8, 3  # of a heading that a group may be, or a group that a heading; lines of such a group
MANY = 100  # documents of a folder: more count by the root of their number


@dataclass(frozen=True)
class Example:
    """A group of lines in numbers, and whether it is a heading."""

    folder: str
    document: str
    measures: dict[str, float]
    heading: bool


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


def examples(pdf: Path) -> list[Example]:
    """Return the groups of a document that are no furniture, captions, notes or entries of contents."""
    truth = pdf.parent.parent / "truth" / f"{pdf.stem}.md"
    if not truth.exists():
        return []
    headings = headings_of(truth.read_text("utf-8"))
    found: list[Example] = []
    try:
        with open_document(pdf, name=pdf.name) as document:
            for number in range(1, min(document.pages, PAGES) + 1):
                found += _of_page(_read(document.page(number)), pdf, headings)
    except DocparseError as error:
        print(f"{pdf.name}: {error}", flush=True)
    return found


def _read(content: PageContent) -> PageState:
    """A page with its groups, as it is read without tags."""
    state = first_state(replace(content, structure=None), Engines(Settings(), 1))
    for stage in STAGES:
        if stage.needed(state):
            state = stage.run(state)
        if stage.name == "furniture":
            break
    return state


def _of_page(state: PageState, pdf: Path, headings: set[str]) -> Iterator[Example]:
    style = state.page_style
    strokes = state.rulings if state.noisy else without_underlines(state.rulings, state.upright)
    found = measures_of(state.groups, style, state.rulings, state.panels, noisy=state.noisy)
    for i, (group, measures) in enumerate(zip(state.groups, found, strict=True)):
        told = i in state.furniture or is_caption(group, state.floats) or is_footnote(group, style, strokes)
        if not (told or group.is_entry):
            heading = is_among(group.text, len(group.lines), headings)
            yield Example(pdf.parent.parent.name, pdf.stem, measures, heading)


def arrays(found: Sequence[Example]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return measures float32 [n, m], what is a heading bool [n], and weights float [n]: those of a long document, and
    of a folder of many, count less."""
    documents = Counter((each.folder, each.document) for each in found)
    folders = Counter(folder for folder, _ in documents)
    measures = np.array([list(each.measures.values()) for each in found], np.float32)
    weights = [documents[e.folder, e.document] ** -0.3 * min(1.0, (MANY / folders[e.folder]) ** 0.5) for e in found]
    return measures, np.array([each.heading for each in found]), np.array(weights)


def fitted(found: Sequence[Example]) -> HistGradientBoostingClassifier:
    """Return the model of examples."""
    model = HistGradientBoostingClassifier(
        max_iter=300, learning_rate=0.06, max_leaf_nodes=15, min_samples_leaf=15, l2_regularization=1.0,
        max_features=0.4, random_state=0,
    )  # fmt: skip
    measures, headings, weights = arrays(found)
    return model.fit(measures, headings, sample_weight=weights)


def judged(model: HistGradientBoostingClassifier, found: Sequence[Example]) -> Iterator[str]:
    """Yield a line for each folder: how well the model tells its headings (F1)."""
    for folder in sorted({each.folder for each in found}):
        measures, truth, _ = arrays([each for each in found if each.folder == folder])
        told = model.predict_proba(measures)[:, 1] > LIKELY
        yield f"{folder}: {truth.sum()} headings, {_f1(told, truth):.3f}"


def _f1(found: np.ndarray, truth: np.ndarray) -> float:
    return float(2 * (found & truth).sum() / max(1, found.sum() + truth.sum()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--judge", nargs="*", type=Path, default=[], metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path("docparse/data/headings.npz"))
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()

    def read(folders: Sequence[Path]) -> list[Example]:
        with Pool(options.workers) as pool:
            pdfs = [pdf for folder in folders for pdf in sorted((folder / "pdfs").glob("*.pdf"))]
            return [each for part in pool.imap(examples, pdfs) for each in part]

    found = read(options.folders)
    if not found:
        parser.error("no FOLDER has pdfs/NAME.pdf and truth/NAME.md")
    model = fitted(found)
    print(f"{len(found):,} groups, {sum(each.heading for each in found):,} headings", flush=True)
    for line in judged(model, read(options.judge)):
        print(line, flush=True)
    save(model, list(found[0].measures), options.out)


if __name__ == "__main__":
    main()
