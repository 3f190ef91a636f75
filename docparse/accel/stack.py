"""What `--accel` means: method names with parameters, as a tuple of methods, each acting on its own seam."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

import msgspec

from docparse.accel.aircache import AirCache
from docparse.accel.auto import Auto
from docparse.accel.budgets import BUDGETS, Matched, budget_of
from docparse.accel.cdpruner import CdPruner
from docparse.accel.dart import Dart
from docparse.accel.divprune import DivPrune
from docparse.accel.fastocr import FastOcr
from docparse.accel.fastv import FastV
from docparse.accel.h2o import H2o
from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.accel.method import Compressing, Drafting, Method, Pruning, Selecting
from docparse.accel.prefixkv import PrefixKv
from docparse.accel.pyramidkv import PyramidKv
from docparse.accel.random_prune import RandomPrune
from docparse.accel.rtprune import RtPrune
from docparse.accel.snapkv import SnapKv
from docparse.accel.streamingllm import StreamingLlm
from docparse.accel.visionzip_like import VisionZipLike
from docparse.accel.vlcache import VlCache
from docparse.accel.vsd import Vsd
from docparse.errors import UsageError
from docparse.settings import KINDS, SWITCH, nearest

SEAMS = ("prune", "compress", "select", "propose")  # in the order in which a page meets them


def by_name(*methods: type[Method]) -> dict[str, type[Method]]:
    """Return `methods` by name. Raises `UsageError` for a name that is taken and for a seam that there is not."""
    found: dict[str, type[Method]] = {}
    for method in methods:
        if method.seam not in SEAMS:
            raise UsageError(f"{method.__name__}: there is no seam {method.seam!r}: use one of {', '.join(SEAMS)}")
        if found.setdefault(method.name, method) is not method:
            raise UsageError(f"{method.__name__}: {found[method.name].__name__} is called {method.name!r} already")
    return found


METHODS = by_name(
    *(RtPrune, VisionZipLike, DivPrune, CdPruner, RandomPrune),
    *(VlCache, AirCache, StreamingLlm, H2o, SnapKv, PyramidKv, PrefixKv, FastV, Dart),
    FastOcr,
    *(Hsd, Lookup, Vsd),
)
# A preset is another spelling of its stack and stands alone: who wants to change something writes the stack. The values
# are the papers' own; what is measured of a model goes before them (docparse/vlm/calibrated.py).
PRESETS: Mapping[str, str] = MappingProxyType(
    {"none": "none", "lossless": "hsd", "balanced": "fastocr+hsd(tau=0.75)", "fast": "rtprune+fastocr+hsd(tau=0.75)"}
)
CONFLICTS = {
    "prune": "both decide which visual tokens the model reads",
    "compress": "both decide which rows of the cache stay",
    "select": "both decide which rows a layer reads",
    "propose": "both propose what is written next, and a step verifies one proposal",
}
KNOWN: dict[str, type[Method]] = METHODS | {Auto.name: Auto}
ALONE = (Auto.name, *PRESETS)  # whole stacks
SPELLING = re.compile(r"([\w.-]+)(?:\((.*)\)|:(.*))?")  # name, name(parameters), name:parameters


MATCH = "match:"  # before the name of a method whose budget is meant


@dataclass(frozen=True)
class Like:
    """A budget given as that of another method."""

    method: Method


@dataclass(frozen=True)
class Stack:
    """Methods by seam, at most one for each; or `Auto` alone, which finds them for every page. `str(stack)` is one
    spelling for all the ways to write the same stack."""

    methods: tuple[Method, ...] = ()

    @property
    def pruning(self) -> Pruning | None:
        """Return the method that removes visual tokens before the model reads them, if any."""
        return cast("Pruning | None", self._on("prune"))

    @property
    def compressing(self) -> Compressing | None:
        return cast("Compressing | None", self._on("compress"))

    @property
    def selecting(self) -> Selecting | None:
        """Return the method that chooses which rows a layer reads, if any."""
        return cast("Selecting | None", self._on("select"))

    @property
    def drafting(self) -> Drafting | None:
        return cast("Drafting | None", self._on("propose"))

    @property
    def auto(self) -> Auto | None:
        """Return what chooses the methods page by page, if they are not given."""
        return cast("Auto | None", self._on("all"))

    @property
    def lossless(self) -> bool:
        """Return whether the tokens are those of plain greedy decoding."""
        methods = self.auto.candidates if self.auto else self.methods
        return all(method.seam == "propose" and cast(Drafting, method).lossless for method in methods)

    def of_layers(self, layers: int) -> Stack:
        """Return the stack with matched budgets in a model of so many layers. Raises `UsageError` where one that is
        named is not there."""
        for each in self.methods:
            (each.method if isinstance(each, Matched) else each).check_layers(layers)
        methods = (replace(each, layers=layers) if isinstance(each, Matched) else each for each in self.methods)
        return Stack(tuple(cast("Iterator[Method]", methods)))

    def _on(self, seam: str) -> Method | None:
        return next((method for method in self.methods if method.seam == seam), None)

    def __str__(self) -> str:
        return "+".join(map(_spelled, self.methods)) or "none"


def parse_stack(text: str, option: str = "--accel") -> Stack:
    """Return the stack that is meant by a preset, by `auto` or `auto(lossy=true)`, or by methods joined with `+` in any
    order.

    Parameters are written `hsd(tau=0.75,n=3)` or `hsd:tau=0.75,n=3`. Raises `UsageError`, one line about `option`.
    """
    try:
        return _stack(text)
    except UsageError as error:  # methods check their own parameters, and do not know where these were typed
        raise UsageError(str(error).replace("--accel", option, 1)) from None


def _stack(text: str) -> Stack:
    preset = text.strip().lower()
    if preset == "none":
        return Stack()
    if preset in PRESETS:
        return _stack(PRESETS[preset])
    parts = [part.strip() for part in re.split(r"\+(?![^()]*\))", text)]
    methods: dict[str, Method] = {}
    for part in parts:
        method = _method(part, alone=len(parts) == 1)
        if other := methods.get(method.seam):
            raise UsageError(
                f"--accel {text}: {other.name} and {method.name} {CONFLICTS[method.seam]}: use one of them"
            )
        methods[method.seam] = method
    stack = Stack(tuple(methods[seam] for seam in (*SEAMS, Auto.seam) if seam in methods))
    if stack.compressing and stack.selecting and not stack.compressing.uniform:
        keeps, reads = stack.compressing.name, stack.selecting.name
        raise UsageError(
            f"--accel {text}: {reads} makes all heads of a layer read the same rows, but with {keeps} heads hold "
            "different rows or lose some at every step: use vlcache, aircache, prefixkv, fastv or dart"
        )
    return stack


def _method(text: str, *, alone: bool) -> Method:
    """One method with its parameters; `alone`: nothing else is in the stack."""
    spelled = SPELLING.fullmatch(text)
    if not spelled:
        raise UsageError(f"--accel {text!r}: write methods as NAME or NAME:PARAMETER=VALUE,... and join them with +")
    name, inside, after = spelled.groups()
    name = name.lower()
    parameters = [part.strip() for part in re.split(r",(?![^()]*\))", inside or after or "") if part.strip()]
    if name in PRESETS and parameters:
        raise UsageError(f"--accel {text}: {name} takes no parameters: write the methods that it stands for")
    if name in ALONE and not alone:
        raise UsageError(f"--accel {name} cannot be combined: leave it out, or leave the other methods out")
    if name not in KNOWN:
        names = (*ALONE, *METHODS)
        hint = f"{nearest(name, names)} (there are {', '.join(names)})"
        raise UsageError(f"--accel {text}: there is no method {name!r}{hint}")
    values: dict[str, Any] = {}
    for key, value in (_parameter(name, part) for part in parameters):
        if key in values:
            raise UsageError(f"--accel {name}: {key} is given twice")
        values[key] = value
    like = next((values.pop(key) for key in BUDGETS if isinstance(values.get(key), Like)), None)
    method = KNOWN[name](**values)
    return method if like is None else cast(Method, Matched(method, like.method))


def _parameter(method: str, text: str) -> tuple[str, Any]:
    """`parameter=value` in the type of the method's field."""
    key, equals, value = (part.strip() for part in text.partition("="))
    hints = get_type_hints(KNOWN[method])
    names = [field.name for field in fields(KNOWN[method])]  # type: ignore[arg-type]  # methods are dataclasses
    if key.replace("-", "_") not in names:
        hint = nearest(key, names) or f": it has {', '.join(names)}"
        raise UsageError(f"--accel {method}: {key!r} is not a parameter{hint}")
    if not equals or not value:
        raise UsageError(f"--accel {method}: {key} needs a value: write {key}=VALUE")
    key = key.replace("-", "_")
    if key in BUDGETS and value.startswith(MATCH):
        return key, Like(_method(value.removeprefix(MATCH), alone=False))
    kind = hints[key]
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    if choices and value not in choices:
        hint = nearest(value, choices)
        raise UsageError(f"--accel {method}: {key}={value} is not one of {', '.join(choices)}{hint}")
    try:
        meant = SWITCH.get(value.lower(), value) if kind is bool else value
        return key, msgspec.convert(meant, kind, strict=False)
    except msgspec.ValidationError:
        commas = "; commas part parameters" if "=" in value else ""
        raise UsageError(f"--accel {method}: {key}: {value!r} is not {KINDS[kind]}{commas}") from None


def _spelled(method: Method) -> str:
    """The method with the parameters that are not at their defaults."""
    matched = method if isinstance(method, Matched) else None
    method = matched.method if matched else method
    changed = [
        f"{field.name}={str(value).lower() if isinstance(value, bool) else value}"
        for field in fields(method)  # type: ignore[arg-type]  # methods are dataclasses
        if (value := getattr(method, field.name)) != field.default
    ]
    if matched:
        changed.insert(0, f"{budget_of(method)}={MATCH}{_spelled(matched.like)}")
    return f"{method.name}({','.join(changed)})" if changed else method.name
