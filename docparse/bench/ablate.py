"""One parameter of a method at several values, each a method of its own in the same race: `fastocr.keep=0.1,0.2,1`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import msgspec

from docparse.accel.stack import METHODS, Stack, parse_stack
from docparse.bench.rows import OVERALL, Interval, Summary
from docparse.errors import UsageError
from docparse.settings import nearest

Value: TypeAlias = float | int | str | bool
SPELLING = re.compile(r"\s*([\w-]+)\.([\w-]+)\s*=(.*)")
PAPERS = {("fastocr", "rho"): "keep", ("hsd", "tree"): "nodes", ("rtprune", "lambda"): "merge"}  # what papers call them


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """What one value came to: the row of `method` in the report's summary, as far as a plot needs it."""

    value: Value
    method: str
    sr_decode: float
    sr_decode_interval: Interval | None
    sr_e2e: float
    aal: float
    identical: float
    distance: float
    cer: float | None
    kv_bytes: float
    kept_visual_tokens: float


class Ablation(msgspec.Struct, frozen=True, kw_only=True):
    """A sweep of `parameter` (`fastocr.keep`) in the stack `stack` by one model, in the order that was asked for."""

    model: str
    stack: str
    parameter: str
    points: tuple[Point, ...]


class Variant(NamedTuple):
    """A stack with the swept parameter at one value, by the name that reports use."""

    value: Value
    name: str
    stack: Stack


@dataclass(frozen=True)
class Sweep:
    """`stacks` are all that races; `variants` those that differ in `parameter` only, by the stack they come from."""

    parameter: str
    stacks: Mapping[str, Stack]
    variants: Mapping[str, Sequence[Variant]]

    def ablations(self, summaries: Sequence[Summary]) -> tuple[Ablation, ...]:
        """What the race says, for each model and stack; a value that failed on all pages has no point."""
        found = {(row.model, row.method): row for row in summaries if row.category == OVERALL}
        return tuple(
            Ablation(
                model=model,
                stack=name,
                parameter=self.parameter,
                points=tuple(
                    _point(each.value, found[model, each.name]) for each in variants if (model, each.name) in found
                ),
            )
            for model in dict.fromkeys(model for model, _ in found)
            for name, variants in self.variants.items()
        )


def sweep_of(text: str, given: Mapping[str, Stack]) -> Sweep:
    """`METHOD.PARAMETER=V1,V2,...`, the parameter by docparse's name or the paper's: every stack of `given` that holds
    the method comes once for each value. Raises `UsageError`, also where none does."""
    spelled = SPELLING.fullmatch(text)
    values = [part.strip() for part in spelled[3].split(",") if part.strip()] if spelled else []
    if not spelled or not values:
        raise UsageError(f"--ablate {text!r}: write METHOD.PARAMETER=V1,V2,..., such as fastocr.keep=0.1,0.2,1")
    method, parameter = spelled[1].lower(), spelled[2].lower().replace("-", "_")
    if method not in METHODS:
        raise UsageError(f"--ablate {text}: there is no method {method!r}{nearest(method, METHODS)}")
    parameter = PAPERS.get((method, parameter), parameter)
    variants = {
        name: [_variant(stack, method, parameter, value) for value in dict.fromkeys(values)]
        for name, stack in given.items()
        if any(each.name == method for each in stack.methods)
    }
    if not variants:
        raise UsageError(
            f"--ablate {text}: {method} is not in --method: add it there, alone or joined to others with +"
        )
    stacks = {
        raced: each
        for name, stack in given.items()
        for _, raced, each in variants.get(name, [Variant("", name, stack)])
    }
    return Sweep(f"{method}.{parameter}", stacks, variants)


def _variant(stack: Stack, method: str, parameter: str, value: str) -> Variant:
    """The other parameters stay as the stack has them. The name says the value also where it is the default."""
    parts = [str(Stack((each,))) for each in stack.methods]
    place = [each.name for each in stack.methods].index(method)
    inside = parts[place].removeprefix(method)[1:-1]
    others = [part for part in inside.split(",") if part and part.partition("=")[0] != parameter]
    parts[place] = f"{method}({','.join([f'{parameter}={value}', *others])})"
    changed = parse_stack("+".join(parts), "--ablate")
    return Variant(getattr(changed.methods[place], parameter), "+".join(parts), changed)


def _point(value: Value, row: Summary) -> Point:
    return Point(
        value=value,
        method=row.method,
        sr_decode=row.sr_decode,
        sr_decode_interval=row.sr_decode_interval,
        sr_e2e=row.sr_e2e,
        aal=row.aal,
        identical=row.identical,
        distance=row.distance,
        cer=row.cer,
        kv_bytes=row.kv_bytes,
        kept_visual_tokens=row.kept_visual_tokens,
    )
