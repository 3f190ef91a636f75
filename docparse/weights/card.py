"""Which weights: what is published of a model, without its code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Card:
    """A family's published facts. `revision` is the pinned commit or tag ("" where none could be verified);
    `parameters` is the published count of the full size; `purpose` is "document" for models trained to write pages,
    "general" for chat models, "measuring" for one that is no use for anything else. A family without a `repository` is
    shipped with docparse. `aliases` are other spellings that name it on the command line. `hashes`: commit -> file ->
    hash, of each file in the top folder: SHA-256 of large files, git's SHA-1 of others, as the hub lists them."""

    name: str
    repository: str
    revision: str
    licence: str
    parameters: int
    purpose: Literal["document", "general", "measuring"] = "document"
    aliases: tuple[str, ...] = ()
    note: str = ""
    hashes: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False)
