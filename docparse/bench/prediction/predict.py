"""What speculation would gain at a model's published size on a GPU that is not here: a cost model of three roofs.

A pass takes as long as the slowest of three things: reading weights and cache at the memory's bandwidth, computing at
the rate of the matrix units, and launching its operators one after the other. A decode is its passes: speculation needs
fewer, each a little dearer, and pays for drafts. Constants and their sources are in `hardware`, shapes in `shapes`; one
constant is fitted to one published row, and `docparse.bench.prediction.published` checks the others. See
docs/benchmarks/predict.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import msgspec

from docparse.bench.prediction import hardware
from docparse.bench.prediction.hardware import DEVICES, SOFTWARE, Device
from docparse.bench.prediction.shapes import PAGES, Shape
from docparse.bench.rows import Row
from docparse.errors import UsageError
from docparse.settings import nearest

PLAIN = 1.0  # tokens of a pass of plain decoding


@dataclass(frozen=True)
class Workload:
    """How a page is decoded with drafts, in the tokens of the model that decodes it.

    A step takes `aal` tokens from a draft and adds one; its pass verifies `fed` (0: what that many accepted ones
    usually need). The drafts of a page take `drafts` seconds; the region stage has `regions` steps for each one of the
    page's. A page is `tokens` long.
    """

    aal: float
    fed: float = 0.0
    drafts: float = hardware.DRAFTS.value
    regions: float = hardware.REGIONS.value
    tokens: float = hardware.TOKENS.value

    @property
    def verified(self) -> float:
        """Tokens of a verification pass."""
        return self.fed or 1 + hardware.FED.value * self.aal

    def decode(self, verification: float) -> float:
        """Seconds of a page's decode where a verification pass takes so many; the crops' own prefill aside."""
        steps = self.tokens / (1 + self.aal) * (1 + self.regions)
        return self.drafts + steps * (verification + hardware.PROPOSE.value)


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """A method at the published size of `model`, on a device, with operators launched one by one (`eager`) or captured
    (`graphs`). Seconds are of a page; `decode` and the ratios count drafts and the region stage. `aal` is in the
    model's own tokens."""

    method: str
    model: str
    device: str
    software: str
    aal: float
    prefill: float
    plain_decode: float
    decode: float
    sr_decode: float
    sr_e2e: float


class Machine(NamedTuple):
    """A device, and the seconds that launching an operator takes."""

    device: Device
    launch: float

    def seconds(self, read: float, computed: float, launched: float) -> float:
        """By bytes, operations and operators: the slowest of the three decides."""
        memory = read / (self.device.bandwidth * hardware.BANDWIDTH.value)
        matrices = computed / (self.device.rate * hardware.RATE.value)
        return max(memory, matrices, launched * self.launch)


def predict(
    works: Mapping[str, Workload], devices: Iterable[str], models: Iterable[str] = PAGES
) -> tuple[Prediction, ...]:
    """Every method's workload, by its name, for every model, device and way to launch."""
    from docparse.bench.prediction.counting import shape_of

    shapes = [shape_of(model) for model in models]
    return tuple(
        predicted(shape, device, software, work, method)
        for (method, work), shape, device, software in product(works.items(), shapes, devices, SOFTWARE)
    )


def devices_of(text: str) -> tuple[str, ...]:
    """`a100,h200`. Raises `UsageError`."""
    names = tuple(dict.fromkeys(part.strip().lower() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in DEVICES:
            raise UsageError(f"--predict {name}: use some of {', '.join(DEVICES)}{nearest(name, DEVICES)}")
    if not names:
        raise UsageError(f"--predict {text!r}: name a device: {', '.join(DEVICES)}")
    return names


def predicted(shape: Shape, device: str, software: str, work: Workload, method: str = "hsd") -> Prediction:
    """Plain decoding against speculation on one page."""
    machine = Machine(DEVICES[device], SOFTWARE[software].value)
    context = shape.page.visual_tokens + work.tokens / 2
    prefill = prefill_seconds(shape, machine)
    plain = work.tokens * pass_seconds(shape, machine, context)
    decode = work.decode(pass_seconds(shape, machine, context, work.verified))
    decode += prefill if work.regions else 0.0  # the crops are looked at too
    return Prediction(
        method=method,
        model=shape.model,
        device=device,
        software=software,
        aal=work.aal,
        prefill=prefill,
        plain_decode=plain,
        decode=decode,
        sr_decode=plain / decode,
        sr_e2e=(plain + prefill) / (decode + prefill),
    )


def pass_seconds(shape: Shape, machine: Machine, context: float, tokens: float = PLAIN) -> float:
    """A decode pass over `tokens` tokens of one page that see `context` rows of its cache; several are verified."""
    read = shape.read(tokens) + context * shape.kv_bytes
    computed = tokens * (2 * shape.active + 4 * context * shape.layers * shape.width)
    launched = shape.launched(tokens) * (1 + (hardware.VERIFY.value if tokens > PLAIN else 0.0))
    return machine.seconds(read, computed, launched)


def prefill_seconds(shape: Shape, machine: Machine) -> float:
    """The vision tower over a page, then the decoder over its visual tokens."""
    prompt, patches = shape.page
    vision = 2 * shape.vision * patches + shape.vision_attention * patches**2
    decoder = 2 * shape.active * prompt + 2 * shape.layers * shape.width * prompt**2
    return machine.seconds(0, vision, 0) + machine.seconds(shape.read(prompt), decoder, shape.launched(prompt))


def workloads(rows: Sequence[Row], *, characters: float = hardware.CHARACTERS.value) -> dict[str, Workload]:
    """What a bench measured, for each method that drafts, on a page of the usual length.

    The model of the bench has `characters` characters in a token. Acceptance is carried over by characters: one that
    writes a token for each accepts more tokens a step than one that writes words, from the same draft. The seconds of
    the drafts stay: they are the processor's.
    """
    share = characters / hardware.CHARACTERS.value
    methods = dict.fromkeys(row.method for row in rows if row.proposed_by_source)
    return {method: _workload([row for row in rows if row.method == method], share) for method in methods}


def _workload(rows: Sequence[Row], share: float) -> Workload:
    steps, decode = sum(row.steps for row in rows), sum(row.seconds["decode"] for row in rows)
    proposed = sum(sum(row.proposed_by_source.values()) for row in rows)
    return Workload(
        aal=sum(row.accepted for row in rows) / steps * share,
        fed=1 + proposed / steps * share,
        drafts=sum(row.seconds["drafts"] for row in rows) / len(rows),
        regions=sum(row.seconds["regions"] for row in rows) / decode if decode else 0.0,
    )
