"""Train the reader of Cyrillic, Greek and Vietnamese: `python -m training.alphabets FONT [FONT ...] --minutes 30`.

It sees what the convolutions of the shipped recogniser see of a line (see `docparse.layout.ocr.alphabets`): those stay
as they are, and a small network over their columns learns to read drawn lines (see `lines`) with CTC (Graves et al.
2006). Every eighth family of fonts is kept aside to measure on.
"""

from __future__ import annotations

import argparse
import itertools
import re
import time
import zlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from rapidfuzz.distance import Levenshtein
from torch import nn
from torch.nn.functional import gelu

from docparse.layout.ocr.recogniser import LineReader
from training.lines import lines

CHANNELS, WIDTH, BLOCKS, REACH = 384, 192, 4, 9  # of the convolutions, of the network, and columns that a block sees
FINER = 2  # columns of the network for one of the convolutions: Arabic letters are narrow
RARE = 8  # characters that are drawn less often are not learned
BATCH, RATE = 32, 2e-3
Lines = list[tuple[np.ndarray, str]]  # features, float16 [columns, CHANNELS], and what they say


class Block(nn.Module):
    """Each column looks at those beside it, then at itself."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.mix = nn.Conv1d(WIDTH, WIDTH, REACH, padding=REACH // 2, groups=WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(2 * WIDTH, WIDTH)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mixed = self.mix(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return x + self.drop(self.down(gelu(self.up(mixed))))


class AlphabetNet(nn.Module):
    """Columns of features [lines, columns, CHANNELS] to logits [lines, FINER * columns, characters]."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self.into = nn.Sequential(nn.LayerNorm(CHANNELS), nn.Linear(CHANNELS, FINER * WIDTH))
        self.blocks = nn.Sequential(*(Block() for _ in range(BLOCKS)))
        self.out = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, characters))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return self.out(self.blocks(self.into(features).reshape(features.shape[0], -1, WIDTH)))


def seen(fonts: Sequence[Path], count: int, seed: int) -> Lines:
    """Return so many drawn lines as the convolutions of the recogniser see them."""
    reader = LineReader()
    drawn = itertools.islice(lines(fonts, np.random.default_rng(seed)), count)
    return [(reader.features(image)[0].astype(np.float16), text) for image, text in drawn]


def alphabet_of(texts: Sequence[str]) -> list[str]:
    """Return the characters of CTC: the blank, what the texts have often enough, the space."""
    counts = Counter("".join(texts))
    return ["", *sorted(c for c, count in counts.items() if count >= RARE and c != " "), " "]


def train(known: Lines, alphabet: Sequence[str], minutes: float) -> AlphabetNet:
    """Return a network trained for so many minutes; the learning rate falls to zero as half a cosine."""
    net, place = AlphabetNet(len(alphabet)), {character: i for i, character in enumerate(alphabet)}
    labels = [[place[character] for character in text if character in place] for _, text in known]
    order = sorted(range(len(known)), key=lambda i: len(known[i][0]))  # a batch has lines of nearly one length
    batches = [order[i : i + BATCH] for i in range(0, len(order) - BATCH + 1, BATCH)]
    optimizer = torch.optim.AdamW(net.parameters(), RATE, weight_decay=0.01)
    rng, begin = np.random.default_rng(0), time.monotonic()
    for step in itertools.count():
        done = (time.monotonic() - begin) / 60 / minutes
        if done >= 1:
            return net.eval()
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / 100) * (0.5 + 0.5 * np.cos(np.pi * done))
        if step % len(batches) == 0:
            rng.shuffle(batches)
        batch = batches[step % len(batches)]
        lengths = torch.tensor([FINER * len(known[i][0]) for i in batch])
        features = nn.utils.rnn.pad_sequence([torch.from_numpy(known[i][0]).float() for i in batch], batch_first=True)
        features *= torch.rand(len(batch), 1, CHANNELS) > 0.05
        scores = net(features).log_softmax(-1).transpose(0, 1)
        targets = torch.tensor([label for i in batch for label in labels[i]])
        counts = torch.tensor([len(labels[i]) for i in batch])
        loss = nn.functional.ctc_loss(scores, targets, lengths, counts, zero_infinity=True)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        if step % 200 == 0:
            print(f"step {step}, {done:.0%}: loss {loss.item():.3f}", flush=True)
    raise AssertionError("steps never end")


@torch.no_grad()
def error_rate(net: AlphabetNet, known: Lines, alphabet: Sequence[str]) -> float:
    """Return the edits that lines need over their characters."""
    edits = 0
    for features, text in known:
        best = net(torch.from_numpy(features).float()[None])[0].argmax(-1).tolist()
        said = "".join(alphabet[i] for i, _ in itertools.groupby(best))
        edits += Levenshtein.distance(said, text)
    return edits / sum(len(text) for _, text in known)


def export(net: AlphabetNet, alphabet: Sequence[str], out: Path) -> None:
    """Write the network as ONNX in half precision that gives probabilities, with its characters in the metadata."""
    import onnx
    from onnx import helper, numpy_helper

    whole, axes = nn.Sequential(net, nn.Softmax(-1)), {0: "lines", 1: "columns"}
    torch.onnx.export(
        whole, (torch.zeros(1, 80, CHANNELS),), str(out), input_names=["features"], output_names=["chances"],
        dynamic_axes={"features": axes, "chances": axes}, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(out))
    for weights in [each for each in model.graph.initializer if len(each.dims) > 1]:
        half = numpy_helper.from_array(numpy_helper.to_array(weights).astype(np.float16), f"{weights.name}.half")
        model.graph.node.insert(0, helper.make_node("Cast", [half.name], [weights.name], to=onnx.TensorProto.FLOAT))
        model.graph.initializer.remove(weights)
        model.graph.initializer.append(half)
    helper.set_model_props(model, {"character": "\n".join(alphabet[1:-1])})
    onnx.save(model, str(out))


def is_aside(font: Path) -> bool:
    """Return whether the family of a font is measured on, not learned from."""
    return zlib.crc32(re.split(r"[-_]", font.stem)[0].lower().encode()) % 8 == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("fonts", nargs="+", type=Path, help="fonts with Cyrillic, Greek or Vietnamese letters")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--lines", type=int, default=16_000, help="that are drawn")
    parser.add_argument("--out", type=Path, default=Path("docparse/data/alphabets.onnx"))
    options = parser.parse_args()
    torch.manual_seed(0)
    known = seen([font for font in options.fonts if not is_aside(font)], options.lines, seed=11)
    aside = seen([font for font in options.fonts if is_aside(font)], 500, seed=7)
    alphabet = alphabet_of([text for _, text in known])
    net = train(known, alphabet, options.minutes)
    print(f"{len(alphabet)} characters, error rate in fonts kept aside {error_rate(net, aside, alphabet):.4f}")
    export(net, alphabet, options.out)


if __name__ == "__main__":
    main()
