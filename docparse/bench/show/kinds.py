"""What kind of method a row of a report is, so that fifty of them are read group by group."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from docparse.accel.stack import SEAMS, parse_stack
from docparse.bench.rows import AR
from docparse.errors import UsageError

MANY_METHODS = 8  # methods: more, and tables are in groups
PLAIN, STACKS, OTHER = "plain decoding", "stacks", "others"
SEAM = {
    "prune": "pruning visual tokens",
    "compress": "evicting rows of the cache",
    "select": "choosing rows to read",
    "propose": "speculating",
}
ORDER = (PLAIN, SEAM["propose"], *(SEAM[seam] for seam in SEAMS if seam != "propose"), STACKS, OTHER)


@cache
def kind_of(spelled: str) -> str:
    """Return the kind of a stack as reports spell it: the seam of its one method, or that it has several."""
    if spelled == AR:
        return PLAIN
    try:
        stack = parse_stack(spelled)
    except UsageError:  # a report of another version of docparse
        return OTHER
    if not stack.methods:
        return PLAIN
    return STACKS if stack.auto or len(stack.methods) > 1 else SEAM[stack.methods[0].seam]


@cache
def family_of(spelled: str) -> str:
    """Return the name of the one method, whatever its parameters, or that there are several."""
    kind = kind_of(spelled)
    return kind if kind in (PLAIN, STACKS, OTHER) else parse_stack(spelled).methods[0].name


def grouped(names: Iterable[str], spelled: dict[str, str]) -> dict[str, list[str]]:
    """Return names of methods by kind, in the order in which they were asked for; a few are one group without a
    name."""
    named = list(names)
    if len(named) <= MANY_METHODS:
        return {"": named}
    kinds = {name: kind_of(spelled.get(name, name)) for name in named}
    return {kind: chosen for kind in ORDER if (chosen := [name for name in named if kinds[name] == kind])}
