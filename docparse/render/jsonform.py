"""The JSON document model: its published shape, the writer that streams it, and the way back.

`schema.json` beside this file is `schema()` written down; after a change of the shapes run
`python -c "from docparse.render.jsonform import publish; publish()"`.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TextIO

import msgspec

from docparse import __version__
from docparse.errors import InputError
from docparse.render.flow import as_text
from docparse.render.options import RenderOptions
from docparse.render.text import clean
from docparse.types import Block, Box, Category, Decoding, DocumentInfo, Page, Source, Span, Table, converted

SCHEMA = "docparse-document-1"

_UNKNOWN = 0.0  # a default is left out only if it is this very object
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Points = Annotated[float, msgspec.Meta(ge=0)]


class JsonBlock(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One element of a page. `order` is its 0-based place in the reading order of the page.

    `tokens` is how many tokens a vision-language model wrote for it, `draft_tokens` how many of them were drafts that
    it only confirmed.
    """

    order: Annotated[int, msgspec.Meta(ge=0)]
    category: Category
    box: Box
    confidence: Share
    source: Source
    text: str
    spans: tuple[Span, ...] = ()
    table: Table | None = None
    level: int = 0
    marker: str = ""
    image: str = ""
    font_size: float = _UNKNOWN
    bold: bool = False
    continues: bool = False
    tokens: Annotated[int, msgspec.Meta(ge=0)] = 0
    draft_tokens: Annotated[int, msgspec.Meta(ge=0)] = 0


class JsonPage(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One page. Lengths are points from the top left corner of the upright page.

    `status` tells whether it was read, `partial` that something of it may be missing, which `error` says; one that
    failed stands for all pages from `number` to `last`, where that is there. `decoding` is there where a
    vision-language model wrote it. `structure` says whether the structure tree of a tagged PDF was followed: "tagged",
    "untagged" where there is none, or "ignored: " and the reason. `rotation` and `skew` are the degrees by which the
    page was turned clockwise, then straightened counter-clockwise.
    """

    number: Annotated[int, msgspec.Meta(ge=1)]
    width: Points
    height: Points
    rotation: int
    status: Literal["ok", "partial", "failed"]
    engine: str
    text_quality: str
    structure: str
    blocks: tuple[JsonBlock, ...]
    decoding: Decoding | None = None
    warnings: tuple[str, ...] = ()
    error: str = ""
    error_category: str = ""
    last: Annotated[int, msgspec.Meta(ge=0)] = 0
    skew: float = _UNKNOWN


class JsonDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A converted document. `docparse` is the version that wrote it."""

    schema: Literal["docparse-document-1"]
    docparse: str
    document: DocumentInfo
    pages: tuple[JsonPage, ...]


def write_json(info: DocumentInfo, pages: Iterable[Page], out: TextIO, options: RenderOptions | None = None) -> None:
    """Write the document to `out`, a page per line, one at a time. Nothing is left out, running headers included.

    Seconds are not written, so that two conversions of a document give the same bytes. Where a model's decoding was
    accelerated, how many drafts it confirmed in how many steps may differ, as trees are sized by measured times.
    """
    head = {"schema": SCHEMA, "docparse": __version__, "document": _clean(msgspec.to_builtins(info))}
    out.write(_encode(head)[:-1] + ',"pages":[')
    separator = "\n"
    guard = (options or RenderOptions()).guard
    for page in pages:
        out.write(separator + guard(page.label, partial(_line, page), partial(_plain_line, page)))
        separator = ",\n"
    out.write("\n]}\n")


def _line(page: Page) -> str:
    return _encode(_clean(msgspec.to_builtins(json_page(page))))


def _plain_line(page: Page) -> str:
    """The page with its blocks as plain text."""
    return _line(msgspec.structs.replace(page, blocks=tuple(map(as_text, page.blocks))))


def read_json(data: bytes | str) -> tuple[DocumentInfo, list[Page]]:
    """Return the document and its pages as `write_json` wrote them (seconds excepted). Raises `InputError`."""
    try:
        document = msgspec.json.decode(data, type=JsonDocument)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not a docparse JSON document of schema {SCHEMA}: {error}") from None
    return document.document, [
        converted(page, Page, blocks=tuple(converted(block, Block) for block in page.blocks)) for page in document.pages
    ]


def json_page(page: Page) -> JsonPage:
    """Return the published form of a page: boxes to 2 digits, confidence to 3."""
    return converted(
        page,
        JsonPage,
        width=max(0.0, _round(page.width)),
        height=max(0.0, _round(page.height)),
        skew=_round(page.skew, 3) or _UNKNOWN,
        blocks=tuple(_json_block(order, block) for order, block in enumerate(page.blocks)),
    )


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of what `write_json` writes."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:docparse:{SCHEMA}"}
    whole = head | {"title": "A document converted by docparse"} | msgspec.json.schema(JsonDocument)
    for shape in whole["$defs"].values():
        if "description" in shape:  # docstrings, which msgspec leaves indented before 0.23
            shape["description"] = inspect.cleandoc(shape["description"])
    return whole


def publish(folder: Path = Path(__file__).parent) -> Path:
    """Write `schema()` to `schema.json` in `folder`."""
    path = folder / "schema.json"
    path.write_text(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _json_block(order: int, block: Block) -> JsonBlock:
    return converted(
        block,
        JsonBlock,
        order=order,
        box=Box(*(_round(value) for value in msgspec.structs.astuple(block.box))),
        confidence=min(1.0, max(0.0, _round(block.confidence, 3))),
        font_size=_round(block.font_size) or _UNKNOWN,
    )


def _round(value: float, digits: int = 2) -> float:
    """JSON has no infinities; a number that is none becomes 0."""
    return round(float(value), digits) + 0.0 if math.isfinite(value) else 0.0


def _clean(value: Any) -> Any:
    """`value` with clean strings: a lone surrogate in a PDF's text must not stop the document."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _clean(item) for key, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list | tuple) else value


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode("utf-8")
