"""How a document is printed: the choices that the three writers share."""

from __future__ import annotations

import mimetypes
import os
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from docparse.errors import EnvironmentProblem, OutputError
from docparse.guard import Guard

NOT_A_BLOCKS = (OSError, OutputError, EnvironmentProblem)  # what ends writing, whichever block it comes with


def _no_assets(name: str) -> bytes:
    raise FileNotFoundError(name)


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """`image_dir` is the assets folder as seen from the output file; `load_asset(name)` gives an image's bytes. A block
    that a writer fails at is printed as plain text, and `guard` remembers it."""

    tables: Literal["auto", "gfm", "html"] = "auto"
    images: Literal["none", "ref", "embed"] = "ref"
    keep_headers: bool = False
    page_breaks: bool = False
    image_dir: str = ""
    load_asset: Callable[[str], bytes] = _no_assets
    guard: Guard = field(default_factory=lambda: Guard(raised=NOT_A_BLOCKS))

    def image_url(self, name: str) -> str:
        """Return the link to an image: relative and percent-encoded, a data URI where images are embedded, else
        empty."""
        if self.images == "none" or not name:
            return ""
        if self.images == "embed":
            return data_uri(self.load_asset(name), mimetypes.guess_type(name)[0] or "image/png")
        folder = self.image_dir.rstrip("/")
        return quote(os.fsencode(f"{folder}/{name}" if folder else name))  # a folder's name need not be Unicode


def data_uri(content: bytes, kind: str) -> str:
    """Return a link that has in it what it leads to, of the MIME type `kind`."""
    return f"data:{kind};base64,{b64encode(content).decode('ascii')}"
