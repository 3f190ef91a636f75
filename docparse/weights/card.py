"""Which weights: what is published of a model, without its code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Card:
    """A family's published facts. `revision` is the pinned commit or tag ("" where none could be verified);
    `parameters` is the published count of the full size; `purpose` is "document" for models trained to write pages,
    "general" for chat models, "measuring" for one that is no use for anything else. A family without a `repository` is
    shipped with docparse. `aliases` are other spellings that name it on the command line."""

    name: str
    repository: str
    revision: str
    licence: str
    parameters: int
    purpose: Literal["document", "general", "measuring"] = "document"
    aliases: tuple[str, ...] = ()
    note: str = ""
