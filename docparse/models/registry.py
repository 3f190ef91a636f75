"""All families by name. A new model is one adapter file and one line here."""

from __future__ import annotations

from collections.abc import Iterator

from docparse.models.family import Family


def families() -> Iterator[Family]:
    """Every family, in the order `docparse models list` shows them."""
    raise NotImplementedError


def family_named(name: str) -> Family | None:
    """By the card's name or an alias, letter case, dots, dashes and underscores aside."""
    raise NotImplementedError
