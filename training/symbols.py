"""Train the reader of printed mathematical symbols: `python -m training.symbols FONT [FONT ...] --minutes 60`.

Every class is drawn from OpenType math fonts (see `glyphs`), and shown at many sizes, thin and bold, blurred, noisy and
bilevel, as in scans. A small convolutional network learns to tell the classes apart. It is written as ONNX, with what
is known of every symbol: how far it reaches over and under the baseline, its width, and of how many pieces it is.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from docparse.layout.ocr.symbols import SIDE, normalised
from training.glyphs import EM, ITALIC, LONG, LOWER, TALL, UPRIGHT, Drawing, drawings

COMMON = frozenset(UPRIGHT + ITALIC + LOWER + "+−=<>/|()[]{}.,:;′∈≤≥→ΣΠ∫√∞∂∇×*")  # drawn more often than the others


def view(drawing: Drawing, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a symbol as a page may show it, as the network sees it (see `normalised`)."""
    mask = _weighted(drawing.mask, rng)
    height, width = mask.shape
    down = float(np.exp(rng.uniform(np.log(16), np.log(60)))) / EM
    across = down * rng.uniform(0.94, 1.06)
    if drawing.char in LONG:
        across *= rng.uniform(0.7, 2.5)
    if drawing.char in TALL and height > 1.5 * EM:
        down *= rng.uniform(0.8, 2)
    blur = max(1, round(0.5 / across) * 2 - 1), max(1, round(0.5 / down) * 2 - 1)
    turn, slant = np.deg2rad(rng.normal(0, 0.6)), rng.normal(0, 0.02)
    x, y = 4 + rng.uniform(0, 1, 2)
    place = np.array([[across, down * (slant - turn), x], [across * turn, down, y]])
    size = int(width * across + abs(slant) * height * down + 12), int(height * down + width * across * abs(turn) + 12)
    image = cv2.warpAffine(cv2.blur(mask, blur, borderType=cv2.BORDER_CONSTANT), place, size).astype(np.float32) / 255
    if (softness := rng.uniform(0, 0.9)) > 0.3:
        image = cv2.GaussianBlur(image, (0, 0), softness)
    if rng.random() < 0.5:
        image += rng.normal(0, rng.uniform(0, 0.12), image.shape).astype(np.float32)
    if rng.random() < 0.25:  # a bilevel scan
        image = (image > rng.uniform(0.3, 0.6)).astype(np.float32)
    return normalised(image)


def _weighted(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The symbol in thicker or thinner strokes."""
    change = int(rng.integers(-4, 6))
    if change > 1:
        wider = cv2.copyMakeBorder(mask, 6, 6, 6, 6, cv2.BORDER_CONSTANT)
        return cv2.dilate(wider, np.ones((change, change), np.uint8))
    thinner = cv2.erode(mask, np.ones((-change, -change), np.uint8)) if change < -1 else mask
    return thinner if thinner.sum() > 0.5 * mask.sum() else mask


class SymbolNet(nn.Module):
    """Six convolutions over the ink, then its shape beside them; chances of the classes come out."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for before, width in ((1, 24), (24, 48), (48, 64)):
            for own in (before, width):
                layers += [nn.Conv2d(own, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()]
            layers.append(nn.MaxPool2d(2))
        self.body = nn.Sequential(*layers, nn.Flatten())
        into = nn.Linear(64 * (SIDE // 8) ** 2 + 2, 160)
        self.head = nn.Sequential(into, nn.ReLU(), nn.Dropout(0.1), nn.Linear(160, classes))

    def forward(self, ink: torch.Tensor, shape: torch.Tensor) -> torch.Tensor:
        """`ink` [B, 1, SIDE, SIDE] and `shape` [B, 2] to logits [B, classes]."""
        return self.head(torch.cat([self.body(ink), shape], dim=1))


class Views(torch.utils.data.IterableDataset):
    """Endless views of the drawings: ink, shape, class."""

    def __init__(self, drawn: Sequence[Drawing], symbols: str) -> None:
        self.symbols = symbols
        self.drawn: dict[str, list[Drawing]] = defaultdict(list)
        for drawing in drawn:
            self.drawn[drawing.char].append(drawing)

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor, int]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng(worker.seed if worker else 0)
        chance = np.array([3.0 if char in COMMON else 1.0 for char in self.symbols])
        while True:
            label = int(rng.choice(len(self.symbols), p=chance / chance.sum()))
            ways = self.drawn[self.symbols[label]]
            ink, shape = view(ways[rng.integers(len(ways))], rng)
            yield torch.from_numpy(ink[None]), torch.from_numpy(shape), label


def opened(path: Path, views: Iterator[tuple[torch.Tensor, torch.Tensor, int]], classes: int) -> SymbolNet:
    """Return a network that was exported, to train it further. Its normalisations, which export folds into the
    convolutions, are measured again on `views`."""
    import onnx

    stored = _weights(onnx.load(str(path)))
    weights = iter([torch.from_numpy(onnx.numpy_helper.to_array(each).copy()) for each in stored])
    net = SymbolNet(classes)
    out = torch.stack([ink for ink, _, _ in itertools.islice(views, 512)])
    for layer in net.body:
        if isinstance(layer, nn.Conv2d):
            layer.weight.data = next(weights)
        elif isinstance(layer, nn.BatchNorm2d):
            variance, layer.running_mean = torch.var_mean(out.detach(), dim=(0, 2, 3))
            layer.running_var, layer.weight.data = variance, (variance + layer.eps).sqrt()
            layer.bias.data = layer.running_mean + next(weights)
            layer.eval()
        out = layer(out).detach()
    for layer in net.head:
        if isinstance(layer, nn.Linear):
            layer.weight.data, layer.bias.data = next(weights), next(weights)
    return net


def train(
    drawn: Sequence[Drawing],
    symbols: str,
    minutes: float,
    start: Path | None = None,
    rate: float = 2e-3,
    batch: int = 256,
) -> SymbolNet:
    """Return a network trained for so many minutes, from the weights of `start` or from none; the learning rate falls
    to zero over most of them."""
    net = opened(start, iter(Views(drawn, symbols)), len(symbols)) if start else SymbolNet(len(symbols))
    net = net.train().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.02)
    views = torch.utils.data.DataLoader(Views(drawn, symbols), batch_size=batch, num_workers=1)
    begin, done = time.monotonic(), 0.0
    for step, (ink, shape, label) in enumerate(views):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, step / 100, 1.6 * (1 - done))
        with torch.autocast("cpu", torch.bfloat16):
            logits = net(ink.contiguous(memory_format=torch.channels_last), shape)
        loss = nn.functional.cross_entropy(logits.float(), label, label_smoothing=0.03)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        done = (time.monotonic() - begin) / 60 / minutes
        if step % 100 == 0:
            print(f"step {step}, {done:.0%}: loss {loss.item():.3f}", flush=True)
        if done >= 1:
            return net.eval()
    raise AssertionError("views never end")


def known_of(drawn: Sequence[Drawing], symbols: str) -> dict[str, object]:
    """Return what the reader has to know of the symbols: their forms (see `docparse.layout.ocr.symbols.Form`) and
    numbers of pieces."""
    plain: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    pieces: dict[str, list[int]] = defaultdict(list)
    for before, drawing in zip([None, *drawn], drawn, strict=False):
        if before is None or before.char != drawing.char:  # larger forms follow the plain one
            plain[drawing.char].append((drawing.over, drawing.under, (drawing.mask.shape[1] - 2) / EM))
        pieces[drawing.char].append(cv2.connectedComponents(drawing.mask)[0] - 1)
    extents = {char: np.log([(over + under, width) for over, under, width in plain[char]]) for char in symbols}
    spreads = {char: extents[char].std(axis=0) * (not char.isalnum()) for char in symbols}  # letters tell the size
    forms = {char: [*np.median(plain[char], axis=0).round(4), *spreads[char].round(4)] for char in symbols}
    usual = {char: {n for n in found if found.count(n) > 0.1 * len(found)} for char, found in pieces.items()}
    return {"symbols": symbols, "forms": forms, "pieces": {char: sorted(usual[char]) for char in symbols}}


class _Chances(nn.Module):
    def __init__(self, net: SymbolNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, ink: torch.Tensor, shape: torch.Tensor) -> torch.Tensor:
        return torch.softmax(self.net(ink, shape), dim=1)


def export(net: SymbolNet, known: dict[str, object], out: Path) -> None:
    """Write the network as ONNX that gives probabilities, with what is known of the symbols in its metadata."""
    import onnx

    batch = {0: "n"}
    torch.onnx.export(
        _Chances(net), (torch.zeros(2, 1, SIDE, SIDE), torch.zeros(2, 2)), str(out), input_names=["ink", "shape"],
        output_names=["chances"], dynamic_axes={"ink": batch, "shape": batch, "chances": batch}, dynamo=False,
    )  # fmt: skip
    model = onnx.load(str(out))
    entry = model.metadata_props.add()
    entry.key, entry.value = "symbols", json.dumps(known, ensure_ascii=False)
    onnx.save(model, str(out))


def average(start: Path, trained: Path, keep: float) -> None:
    """Make `trained` the mean of its weights and those it was trained from, which have the share `keep`: it is better
    on touching letters than either (Wortsman et al. 2022, arXiv 2203.05482)."""
    import onnx

    before, after = onnx.load(str(start)), onnx.load(str(trained))
    for one, other in zip(_weights(before), _weights(after), strict=True):
        old, new = onnx.numpy_helper.to_array(one), onnx.numpy_helper.to_array(other)
        other.CopyFrom(onnx.numpy_helper.from_array(keep * old + (1 - keep) * new, other.name))
    onnx.save(after, str(trained))


def _weights(model) -> list:
    """The weights of an exported network in the order of its layers."""
    stored = {each.name: each for each in model.graph.initializer}
    return [stored[name] for node in model.graph.node for name in node.input if name in stored]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("fonts", nargs="+", type=Path, help="OpenType math fonts, which say how symbols are formed")
    parser.add_argument("--more", nargs="*", type=Path, default=[], help="fonts that are only drawn, Type 1 ones too")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=2e-3, help="learning rate")
    parser.add_argument("--start", type=Path, help="an exported network to train further")
    parser.add_argument("--keep", type=float, default=0.0, help="its share in the mean with what training makes of it")
    parser.add_argument("--out", type=Path, default=Path("docparse/data/symbols.onnx"))
    options = parser.parse_args()
    torch.manual_seed(0)
    measured = [drawing for font in options.fonts for drawing in drawings(font)]
    symbols = "".join(dict.fromkeys(drawing.char for drawing in measured))
    drawn = measured + [drawing for font in options.more for drawing in drawings(font)]
    net = train(drawn, symbols, options.minutes, options.start, options.rate)
    export(net, known_of(measured, symbols), options.out)
    if options.keep:
        average(options.start, options.out, options.keep)


if __name__ == "__main__":
    main()
