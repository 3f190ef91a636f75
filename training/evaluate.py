"""How well pages are read: character error rate, and lines that were lost or repeated, as Markdown tables.

`python -m training.evaluate WEIGHTS` reads the held-out pages by the training path, as their generator draws them; the
same pages as PDFs, read through docparse by an exported folder: `docparse bench --model FOLDER --data builtin:block`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

import torch

from docparse.bench.scoring.metrics import character_error_rate, normal_markdown
from docparse.synthetic.recipes import CATEGORIES, DENSITIES, SPARSE_KINDS, UNITS, Unit, held_out, sparse
from docparse.synthetic.sheet import Sheet
from training import checkpoints, model
from training.reader import Reader
from training.samples import collate

SPARSE = "sparse"  # no size of its own: large pages with little on them
MARGIN = 80  # characters that an answer may be longer than the truth
BATCH = 12


@dataclass
class Scores:
    """Per page, in order: the character error rate, and whether a line was lost or repeated."""

    rates: list[float] = field(default_factory=list)
    broken: list[bool] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    """Truth and answer."""

    def add(self, page: Sheet, answer: str) -> None:
        truth = page.markdown
        self.rates.append(character_error_rate(answer, truth))
        text, true_text = normal_markdown(answer), normal_markdown(truth)
        self.broken.append(loses_a_line(text, true_text, printed_line(page)))
        self.texts.append((truth, answer))

    def part(self, first: int, step: int) -> Scores:
        return Scores(self.rates[first::step], self.broken[first::step], self.texts[first::step])

    @property
    def mean(self) -> float:
        return fmean(self.rates)


def printed_line(page: Sheet) -> float:
    """Return the characters of a line as printed, the median; 0 for an empty page."""
    lines: Counter[int] = Counter()
    for run in page.runs():
        lines[round(run.baseline)] += len(run.text) + 1
    return median(lines.values()) if lines else 0


def loses_a_line(text: str, truth: str, line: float) -> bool:
    """Return whether `text` leaves out or repeats half a printed line or more in one go.

    `line` is the characters of a printed line; less than 8 characters are never half a line.
    """
    from rapidfuzz.distance import Levenshtein

    edits = [op for op in Levenshtein.opcodes(truth, text) if op.tag in ("delete", "insert")]
    return any(op.src_end - op.src_start + op.dest_end - op.dest_start >= max(8, line / 2) for op in edits)


def evaluate(reader: Reader, sheets: list[Sheet], batch: int = BATCH) -> Scores:
    """Read `sheets`, which have one size, greedily; the error rates are those that `docparse bench` gives."""
    device = next(reader.parameters()).device
    answers: dict[int, str] = {}
    longest_last = sorted(range(len(sheets)), key=lambda index: len(sheets[index].markdown))  # so batches waste little
    for start in range(0, len(sheets), batch):
        indices = longest_last[start : start + batch]
        part = [sheets[index] for index in indices]
        limit = len(part[-1].markdown) + MARGIN
        answers.update(zip(indices, reader.read(collate(part).to(device), limit), strict=True))
    scores = Scores()
    for index, page in enumerate(sheets):
        scores.add(page, answers[index])
    return scores


def table(results: Iterable[tuple[str, Scores]]) -> Iterator[str]:
    """The lines of a Markdown table: each unit as a whole, then by category."""
    yield "| unit | visual tokens | pages | mean | median | pages with a lost or repeated line |"
    yield "|---|---|---|---|---|---|"
    for unit, scores in results:
        yield _row(f"**{unit}**", unit, scores)
        names = categories(unit)
        for index, name in enumerate(names):
            part = scores.part(index, len(names))
            if part.rates:
                yield _row(f"{unit}, {name}", unit, part)


def _row(name: str, unit: str, scores: Scores) -> str:
    count, tokens = len(scores.rates), size(unit).visual_tokens
    return f"| {name} | {tokens:,} | {count} | {scores.mean:.4f} | {median(scores.rates):.4f} | {sum(scores.broken)} |"


def worst(scores: Scores, count: int) -> Iterator[str]:
    """Truth and answer of the pages with the most errors."""
    for index in sorted(range(len(scores.rates)), key=lambda index: -scores.rates[index])[:count]:
        truth, answer = scores.texts[index]
        yield f"--- {index} {scores.rates[index]:.3f}\n{truth}\n+++\n{answer}"


def size(unit: str) -> Unit:
    """The size of the pages of a unit that is evaluated."""
    return UNITS["large" if unit == SPARSE else unit]


def categories(unit: str) -> list[str]:
    """The categories of the held-out pages of a unit, which come in turn."""
    if unit == SPARSE:
        return [f"{kind} {density}" for density in DENSITIES for kind in SPARSE_KINDS]
    return list(CATEGORIES)


def pages(unit: str, count: int) -> list[Sheet]:
    """`count` held-out pages of a unit."""
    if unit == SPARSE:
        return [page for _, page in sparse("bench", "large", count)]
    return held_out("bench", unit, count)


def read(weights: Path, unit: str, count: int) -> Scores:
    """`count` held-out pages of `unit`, by the training path."""
    reader = Reader(model.build(model.Shape())).eval()
    checkpoints.load_weights(reader, weights)
    return evaluate(reader, pages(unit, count))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("--units", default="block,page,large,sparse")
    parser.add_argument("--pages", type=int, default=102)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--examples", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    found = [(unit, read(options.weights, unit, options.pages)) for unit in options.units.split(",")]
    print(*table(found), sep="\n")
    for _, scores in found:
        print(*worst(scores, options.examples), sep="\n")


if __name__ == "__main__":
    main()
