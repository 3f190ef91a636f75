"""What `--model` may name: a family or a folder of weights, either in one of the family's modes (`name:mode`)."""

from __future__ import annotations

import os
from pathlib import Path

from docparse.errors import EnvironmentProblem, UsageError
from docparse.models.family import Card, Family
from docparse.models.registry import families, family_named, family_of_folder
from docparse.network import forbidden_by
from docparse.settings import nearest
from docparse.weights import store
from docparse.weights.memory import WIDTH

NOT_MODELS = ("auto", "pipeline")  # what `docparse convert --model` takes besides, and decides before it looks here


def known_family(name: str) -> Family:
    """Return the family of that name, in the mode of `name:mode`. Raises `UsageError` with the nearest."""
    base, _, mode = name.partition(":")
    family = family_named(base)
    if family is not None:
        return _in_mode(family, mode)
    if base in NOT_MODELS:
        raise UsageError(f"{base!r} is not a model: name one; `docparse models list` shows all")
    if base.lower() == "none":
        raise UsageError(f"model {name!r} is not known: `pipeline` reads without a model")
    named = (spelling for one in families() for spelling in (one.card.name, *one.card.aliases))
    advice = nearest(base, [*NOT_MODELS, *named]) or "; `docparse models list` shows all"
    raise UsageError(f"model {name!r} is not known{advice}")


def _in_mode(family: Family, mode: str) -> Family:
    if mode and mode not in family.modes:
        modes = f"its modes are {', '.join(family.modes)}" if family.modes else "it has none"
        raise UsageError(f"model {family.card.name} has no mode {mode!r}: {modes}{nearest(mode, family.modes)}")
    return family.in_mode(mode) if mode else family


def locate(name: str, *, offline: bool = False) -> tuple[Family, store.Snapshot]:
    """Return the family and its files, whole as far as their headers say. Raises `UsageError` for a name nobody knows,
    `EnvironmentProblem` for weights that are not there or not whole."""
    family, snapshot = on_disk(name, offline=offline)
    if lacks := snapshot.lacks():
        file, trouble = lacks[0]
        more = f" (and {len(lacks) - 1} more)" if len(lacks) > 1 else ""
        advice = "use a whole copy" if is_folder(name) else _pull(family.card, offline)
        raise EnvironmentProblem(f"{name}: {snapshot.folder / file} {trouble}{more}: {advice}")
    return family, snapshot


def on_disk(name: str, *, offline: bool = False) -> tuple[Family, store.Snapshot]:
    """Return the same for weights that may be partial. A family goes before a folder of its name (`./name`)."""
    if not name:
        raise UsageError("no model is given: `docparse models list` shows all")
    family = family_of(name)
    if is_folder(name):
        return family, store.Snapshot(_folder_and_mode(name)[0])
    snapshot = family_snapshot(family.card)
    if snapshot is None:
        size = f"{family.card.parameters * WIDTH['bfloat16'] / 1e9:.1f} GB to download"
        raise EnvironmentProblem(
            f"{name}: its weights are not on this machine: {_pull(family.card, offline)} (about {size})"
        )
    return family, snapshot


def family_of(name: str) -> Family:
    """Return the family that a name or a folder means; weights need not be there. Raises `UsageError` for a name nobody
    knows, `EnvironmentProblem` for a folder of no known family."""
    if not is_folder(name):
        return known_family(name)
    folder, mode = _folder_and_mode(name)
    if not folder.is_dir():
        raise EnvironmentProblem(f"{name}: no such folder: name one with config.json and weights, or a model")
    return _in_mode(family_of_folder(str(folder)), mode)


def family_snapshot(card: Card) -> store.Snapshot | None:
    """Return its weights inside the package, else in the cache."""
    return store.shipped(card) or store.find(card)


def is_folder(name: str) -> bool:
    """Return whether it is not a family or its repository, and written like a path or there."""
    if family_named(name.partition(":")[0]) is not None:
        return False
    return os.sep in name or name.startswith((".", "~")) or _folder_and_mode(name)[0].is_dir()


def _folder_and_mode(name: str) -> tuple[Path, str]:
    """A folder may have a colon in its own name."""
    folder, before = Path(name).expanduser(), name.rpartition(":")[0]
    if folder.is_dir() or not before:
        return folder, ""
    return Path(before).expanduser(), name.rpartition(":")[2]


def _pull(card: Card, offline: bool) -> str:
    return f"run `docparse models pull {card.name}`" + (f" without {forbidden_by()}" if offline else "")
