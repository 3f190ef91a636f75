"""All pages read in one go, as a folder is: pages a minute by how many are decoded at once, and how long one takes. The
pipeline, which runs beside the model in a folder, is timed apart."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

import msgspec
import numpy as np

from docparse.bench.data.pages import BenchPage
from docparse.bench.race import Race, oracle, told
from docparse.bench.rows import AR, PageFailure, Throughput, ThroughputPoint
from docparse.layout.reader import Stopwatch
from docparse.settings import Settings
from docparse.vlm.decoding import BatchDecoder
from docparse.vlm.engine import VlmEngine
from docparse.vlm.pages import PageView
from docparse.vlm.reader import VlmReader, WrittenPage

WARM_UP = 8  # tokens of a page that a batch writes before one of its size is timed


@dataclass(eq=False)
class QueueExit:
    """The `stop` of a page that never stops it: it is asked first when the page's first request leaves the queue."""

    at: float = 0.0

    def __call__(self) -> bool:
        self.at = self.at or perf_counter()
        return False


@dataclass
class Pass:
    """All pages read once: what was written and how long that took, by the page's name, and why the others failed."""

    seconds: float = 0.0
    written: dict[str, WrittenPage] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    failed: dict[str, Exception] = field(default_factory=dict)
    kv_bytes: int = 0


def throughput(
    race: Race, pages: Sequence[BenchPage], sizes: Sequence[int], failures: list[PageFailure]
) -> Iterator[Throughput]:
    """Yield what is known after every method at every batch size, the first of which is 1; `failures` is added to.

    Sizes alternate with methods, so that drift hits all alike. What plain decoding cannot read one by one is left out.
    """
    clock = Stopwatch()
    views = _prepared(race, pages, clock, failures)
    found = Throughput(model=race.vlm.name, pages=len(views), preparing=dict(clock.seconds), points=())
    short = msgspec.structs.replace(race.settings, max_tokens=min(race.settings.output_tokens, WARM_UP))
    plain: Pass | None = None
    for size in sizes:
        for method, engine in race.methods.items():
            _read(engine, short, dict(list(views.items())[:size]), size)
            read = _read(engine, race.settings, views, size)
            for name, error in read.failed.items():
                why = f"batch size {size}: {told(error)}"
                failures.append(PageFailure(model=found.model, page=name, method=method, run=0, error=why))
            if plain is None:
                plain = read
                views = {name: views[name] for name in plain.written}
                for name, written in plain.written.items() if race.drafts == "oracle" else ():
                    given = oracle(written, race.noise, random.Random(f"{race.seed} {name}"))
                    views[name] = replace(views[name], given=given)
                found = msgspec.structs.replace(found, pages=len(views))
            if read.written:
                points = (*found.points, _point(method, size, read, plain))
                found = msgspec.structs.replace(found, points=points)
                yield found


def _prepared(
    race: Race, pages: Sequence[BenchPage], clock: Stopwatch, failures: list[PageFailure]
) -> dict[str, PageView]:
    """The pages as the pipeline reads them where a method drafts from that; what cannot be read is left out for all."""
    engines = race.methods
    drafting = next((engine for engine in engines.values() if engine.reads_drafts), engines[AR])
    views = {}
    for page in pages:
        try:
            with page.open() as content:
                view = race.view(page, content, drafting, None, clock)
        except Exception as error:
            failures.append(PageFailure(model=race.vlm.name, page=page.name, method=AR, run=0, error=told(error)))
        else:
            views[page.name] = replace(view, document=page.document)
    return views


def _read(engine: VlmEngine, settings: Settings, views: Mapping[str, PageView], size: int) -> Pass:
    """Read the pages with a reader that has seen none before, `size` outputs at once."""
    read = Pass()
    decoding = BatchDecoder(engine, size)
    reader = VlmReader(engine, settings, decoding)
    joined = {name: QueueExit() for name in views}
    began = perf_counter()
    for name, view in views.items():
        reader.begin(name, replace(view, clock=Stopwatch(), stop=joined[name], stop_drafting=joined[name]))
    while reader.busy:
        for name, result in reader.advance():
            if isinstance(result, Exception):
                read.failed[name] = result
                continue
            read.written[name] = result
            read.latencies.append(perf_counter() - (joined[name].at or began))
    read.seconds = perf_counter() - began
    read.kv_bytes = decoding.peak_bytes
    return read


def _point(method: str, size: int, read: Pass, plain: Pass) -> ThroughputPoint:
    outputs = [each.generation for written in read.written.values() for each in written.answers]
    regions = [each.generation for written in read.written.values() for each in written.regions]
    steps = [step for output in [*outputs, *regions] for step in output.steps]
    passes = sum(1 / step.rows for step in steps)
    count, tokens = len(read.written), sum(len(output.tokens) for output in outputs)
    median, high = np.percentile(read.latencies, (50, 90))
    rate = count / read.seconds
    return ThroughputPoint(
        method=method,
        batch=size,
        pages=count,
        seconds=read.seconds,
        tokens=tokens,
        pages_per_minute=60 * rate,
        tokens_per_minute=60 * tokens / read.seconds,
        speedup=rate / (len(plain.written) / plain.seconds),
        latency=float(median),
        latency_p90=float(high),
        passes=round(passes),
        rows_per_pass=len(steps) / passes if passes else 0.0,
        kv_bytes=read.kv_bytes,
        different=sum(_tokens(each) != _tokens(plain.written[name]) for name, each in read.written.items()),
    )


def _tokens(written: WrittenPage) -> list[list[int]]:
    return [answer.generation.tokens for answer in written.answers]
