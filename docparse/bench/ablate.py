"""One parameter of a method at several values, each a method of its own in the same race: `fastocr.keep=0.1,0.2,1`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from docparse.accel.stack import METHODS, Stack, parse_stack
from docparse.errors import UsageError
from docparse.settings import nearest

SPELLING = re.compile(r"\s*([\w-]+)\.([\w-]+)\s*=(.*)")
PAPERS = {("fastocr", "rho"): "keep", ("hsd", "tree"): "nodes", ("rtprune", "lambda"): "merge"}  # what papers call them


def swept(text: str, given: Mapping[str, Stack]) -> dict[str, Stack]:
    """Return the stacks that race for `METHOD.PARAMETER=V1,V2,...`, the parameter by docparse's name or the paper's:
    every one of `given` that holds the method comes once for each value, the others as they are.

    Raises `UsageError`, also where none holds the method.
    """
    spelled = SPELLING.fullmatch(text)
    values = [part.strip() for part in spelled[3].split(",") if part.strip()] if spelled else []
    if not spelled or not values:
        raise UsageError(f"--ablate {text!r}: write METHOD.PARAMETER=V1,V2,..., such as fastocr.keep=0.1,0.2,1")
    method, parameter = spelled[1].lower(), spelled[2].lower().replace("-", "_")
    if method not in METHODS:
        raise UsageError(f"--ablate {text}: there is no method {method!r}{nearest(method, METHODS)}")
    parameter = PAPERS.get((method, parameter), parameter)
    found: dict[str, Stack] = {}
    held = False
    for name, stack in given.items():
        if any(each.name == method for each in stack.methods):
            held = True
            named = (_variant(stack, method, parameter, value) for value in dict.fromkeys(values))
            found |= {each: parse_stack(each, "--ablate") for each in named}
        else:
            found[name] = stack
    if not held:
        raise UsageError(
            f"--ablate {text}: {method} is not in --method: add it there, alone or joined to others with +"
        )
    return found


def _variant(stack: Stack, method: str, parameter: str, value: str) -> str:
    """The other parameters stay as the stack has them. The name says the value also where it is the default."""
    parts = [str(Stack((each,))) for each in stack.methods]
    place = [each.name for each in stack.methods].index(method)
    inside = parts[place].removeprefix(method)[1:-1]
    others = [part for part in inside.split(",") if part and part.partition("=")[0] != parameter]
    parts[place] = f"{method}({','.join([f'{parameter}={value}', *others])})"
    return "+".join(parts)
