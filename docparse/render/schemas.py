"""JSON Schemas of what docparse writes: made from the types, and published beside them as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec


def schema_of(kind: type[msgspec.Struct], name: str, title: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of `kind`; `name` is what its JSON has for `schema`."""
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:docparse:{name}", "title": title}
    return head | msgspec.json.schema(kind)


def write_schema(schema: dict[str, Any], path: Path) -> Path:
    """Write it down, readable and with a line end; returns `path`."""
    path.write_text(json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
