"""Train the tiny model, or go on where a run stopped: `python -m training.train OUT --minutes 90`.

OUT holds `state.pt` (all that resuming needs), `weights.safetensors`, `log.jsonl` and `curves.png`. The learning rate
warms up, stays, and falls to zero over the last part of a run; the next run warms up again from the weights it finds.
"""

from __future__ import annotations

import argparse
import json
import signal
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from docparse.synthetic.recipes import held_out
from training import checkpoints, curriculum, model
from training.evaluate import evaluate
from training.reader import Reader
from training.samples import Batch

LOSSES = ("text", "dense", "pointer")
CURVES = {"losses": LOSSES, "character error rate": ("cer_block", "cer_page")}
WEIGHTS = {"dense": 0.5, "text": 1.0, "pointer": 0.1}
DEV_UNITS = {"block": 12, "page": 6}  # pages per unit on which the curve is measured


@dataclass(frozen=True)
class Options:
    """A run: how long, from which weights, how fast."""

    out: Path
    minutes: float = 60.0
    steps: int = 10**9
    init: Path | None = None
    seed: int = 1
    rate: float = 1e-3
    warmup: int = 100
    cooldown: float = 0.3
    """Share of the run over which the learning rate falls to zero."""
    noise: float = 0.05
    threads: int = 2
    workers: int = 1
    times: int = 1
    """How many batches' pages make one: more for a GPU, which so few do not fill."""
    device: str = "cpu"
    precision: str = "float32"
    """Of the activations: "bfloat16" is faster on GPUs and on CPUs with AVX-512 BF16."""
    log_every: float = 0.5
    save_every: float = 5.0
    measure_every: float = 20.0


class Trainer:
    """The model, its optimizer, and the step they have reached."""

    def __init__(self, options: Options) -> None:
        torch.manual_seed(options.seed)
        self.options = options
        self.reader = Reader(model.build(model.Shape())).to(options.device)
        self.step = 0
        self.minutes = 0.0
        """Wall time of all runs so far."""
        self.optimizer = optimizer(self.reader, options.rate)
        if options.init:
            self.step = checkpoints.load_weights(self.reader, options.init)
        if (options.out / "state.pt").exists():
            self._load(options.out / "state.pt")

    def train_step(self, batch: Batch, rate: float) -> dict[str, float]:
        """One update with `rate` times the learning rate; returns the losses."""
        self.reader.train()
        torch.manual_seed(self.options.seed * 1_000_003 + self.step)  # the same noise after a restart
        with torch.autocast(self.options.device, torch.bfloat16, enabled=self.options.precision == "bfloat16"):
            losses = self.reader(batch.to(self.options.device), self.options.noise)
        total = sum(WEIGHTS[name] * value for name, value in losses.items() if name in WEIGHTS)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.reader.parameters(), 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.rate * rate
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        return {name: float(value.detach()) for name, value in losses.items()}

    def save(self, log: Log) -> None:
        state = {"reader": self.reader.state_dict(), "optimizer": self.optimizer.state_dict()}
        state |= {"step": self.step, "minutes": self.minutes}
        checkpoints.save_state(self.options.out / "state.pt", state)
        checkpoints.save_weights(self.reader, self.options.out / "weights.safetensors", self.step)
        plot(log.path, self.options.out / "curves.png")

    def _load(self, path: Path) -> None:
        state = torch.load(path, map_location=self.options.device)
        self.reader.load_state_dict(state["reader"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.step, self.minutes = state["step"], state["minutes"]


def optimizer(reader: Reader, rate: float) -> torch.optim.Optimizer:
    """AdamW, with weight decay on the matrices inside the towers."""
    trained = [(name, value) for name, value in reader.named_parameters() if value.requires_grad]
    inner = [value for name, value in trained if value.ndim >= 2 and "embed" not in name]
    outer = [value for name, value in trained if value.ndim < 2 or "embed" in name]
    groups = [{"params": inner, "weight_decay": 0.02}, {"params": outer, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98), fused=True)


def rate(options: Options, done: float, steps: int) -> float:
    """The share of the full learning rate after `steps` steps of this run, `done` (0..1) of its time being over."""
    return min(1.0, (steps + 1) / options.warmup, max(0.02, (1 - done) / options.cooldown))


class Log:
    """Lines of JSON: averages of the losses, and error rates on pages that are never trained on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.values: dict[str, list[float]] = defaultdict(list)

    def add(self, losses: dict[str, float]) -> None:
        for name, value in losses.items():
            self.values[name].append(value)

    def averages(self) -> dict[str, float]:
        """Return the means of what was added since the last time."""
        result = {name: round(fmean(values), 4) for name, values in self.values.items()}
        self.values.clear()
        return result

    def write(self, trainer: Trainer, values: dict[str, float]) -> None:
        line = json.dumps({"step": trainer.step, "minutes": round(trainer.minutes, 2), **values})
        with self.path.open("a") as file:
            file.write(line + "\n")
        print(line, flush=True)


def measure(reader: Reader, threads: int) -> dict[str, float]:
    """The character error rate of each unit on development pages."""
    reader.eval()
    torch.set_num_threads(1)  # decoding is thousands of small products, which threads only wait for
    rates = {unit: evaluate(reader, held_out("dev", unit, count)).mean for unit, count in DEV_UNITS.items()}
    torch.set_num_threads(threads)
    return {f"cer_{unit}": round(rate, 4) for unit, rate in rates.items()}


def train(options: Options) -> Trainer:
    """Run until the minutes or the steps are over, or the process is asked to end; saves then too."""
    torch.set_num_threads(options.threads)
    options.out.mkdir(parents=True, exist_ok=True)
    trainer, log, asked = Trainer(options), Log(options.out / "log.jsonl"), _asked_to_end()
    begin, first, before = time.monotonic(), trainer.step, trainer.minutes
    to_log, to_save, to_measure = Every(options.log_every), Every(options.save_every), Every(options.measure_every)
    source = curriculum.batches(options.seed, trainer.step, options.workers, options.times)
    for batch in source:
        minutes, taken = (time.monotonic() - begin) / 60, trainer.step - first
        done = max(minutes / options.minutes, taken / options.steps)
        if done >= 1 or asked.is_set():
            break
        trainer.minutes = before + minutes
        log.add(trainer.train_step(batch, rate(options, done, taken)))
        if to_log.due(minutes):
            log.write(trainer, log.averages())
        if to_save.due(minutes):
            trainer.save(log)
        if to_measure.due(minutes):
            log.write(trainer, measure(trainer.reader, options.threads))
    source.close()
    trainer.save(log)
    return trainer


class Every:
    """True once every so many minutes."""

    def __init__(self, minutes: float) -> None:
        self.minutes = self.next = minutes

    def due(self, now: float) -> bool:
        if now < self.next:
            return False
        self.next = now + self.minutes
        return True


def _asked_to_end() -> threading.Event:
    """Set when the process receives SIGTERM."""
    event = threading.Event()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: event.set())
    return event


def plot(log: Path, out: Path) -> None:
    """Draw the lines of `log` (see `Log`) to the image file `out`; what was measured once is no curve."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    entries = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    curves = {title: _curves(entries, names) for title, names in CURVES.items()}
    drawn = {title: found for title, found in curves.items() if found} or {"losses": {}}
    figure, row = pyplot.subplots(1, len(drawn), figsize=(5.5 * len(drawn), 4), squeeze=False)
    for axes, (title, found) in zip(row[0], drawn.items(), strict=True):
        for name, points in found.items():
            axes.plot(*zip(*points, strict=True), label=name, marker="" if name in LOSSES else ".")
        axes.set(title=title, xlabel="minutes", yscale="log")
        if found:
            axes.legend()
    figure.tight_layout()
    figure.savefig(out, dpi=110)
    pyplot.close(figure)


def _curves(entries: list[dict[str, Any]], names: tuple[str, ...]) -> dict[str, list[tuple[float, float]]]:
    points = {name: [(entry["minutes"], entry[name]) for entry in entries if name in entry] for name in names}
    return {name: found for name, found in points.items() if len(found) > 1}


def _options() -> Options:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    for name, value in vars(Options(Path())).items():
        if name != "out":
            kind = Path if name == "init" else type(value)
            parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=value)
    return Options(**vars(parser.parse_args()))


if __name__ == "__main__":
    train(_options())
