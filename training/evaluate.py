"""How well pages are read: character error rate, and lines that were lost or repeated.

`python -m training.evaluate WEIGHTS` prints a table for the held-out benchmark's seeds.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

import torch

from docparse.bench.metrics import loses_a_line
from docparse.synthetic.recipes import CATEGORIES, held_out
from docparse.synthetic.sheet import Sheet
from training import checkpoints, model
from training.reader import Reader
from training.samples import collate

MARGIN = 80  # characters that an answer may be longer than the truth
BATCH = 12


@dataclass
class Scores:
    """Per page, in order: the character error rate, and whether a line was lost or repeated."""

    rates: list[float] = field(default_factory=list)
    broken: list[bool] = field(default_factory=list)
    texts: list[tuple[str, str]] = field(default_factory=list)
    """Truth and answer."""

    @property
    def mean(self) -> float:
        return fmean(self.rates)


def character_error_rate(reader: Reader, sheets: list[Sheet], batch: int = BATCH) -> Scores:
    """Read `sheets`, which have one size, greedily; the rate is edits over the characters of the truth."""
    from rapidfuzz.distance import Levenshtein

    device = next(reader.parameters()).device
    scores = Scores()
    for start in range(0, len(sheets), batch):
        part = sheets[start : start + batch]
        limit = max(len(page.markdown) for page in part) + MARGIN
        for page, answer in zip(part, reader.read(collate(part).to(device), limit), strict=True):
            truth = page.markdown
            scores.rates.append(Levenshtein.distance(truth, answer) / len(truth))
            scores.broken.append(loses_a_line(answer, truth, page.printed_line))
            scores.texts.append((truth, answer))
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("--units", default="block,page")
    parser.add_argument("--pages", type=int, default=102)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--examples", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    reader = Reader(model.build(model.Shape())).eval()
    checkpoints.load_weights(reader, options.weights)
    for unit in options.units.split(","):
        report(unit, character_error_rate(reader, held_out(options.seed, unit, options.pages)), options.examples)


def report(unit: str, scores: Scores, examples: int) -> None:
    print(f"{unit}: {len(scores.rates)} pages, CER mean {scores.mean:.4f} median {median(scores.rates):.4f}, "
          f"pages with a lost or repeated line {sum(scores.broken)}")  # fmt: skip
    names = list(CATEGORIES)
    for index, name in enumerate(names):
        rates = scores.rates[index :: len(names)]
        print(f"  {name:8} CER {fmean(rates):.4f}  broken {sum(scores.broken[index :: len(names)])}/{len(rates)}")
    worst = sorted(range(len(scores.rates)), key=lambda index: -scores.rates[index])[:examples]
    for index in worst:
        truth, answer = scores.texts[index]
        print(f"--- {names[index % len(names)]} {index} {scores.rates[index]:.3f}\n{truth}\n+++\n{answer}")


if __name__ == "__main__":
    main()
