"""The true Markdown of a document."""

from __future__ import annotations

from collections.abc import Sequence

from training.devset.content import Document, Element

NUMBERED = ("bracket", "decimal", "paren", "alpha", "roman")


def markdown(document: Document) -> str:
    """The document as Markdown; what may stand anywhere is marked as a float."""
    return "\n\n".join(part for element in document.body for part in _element(element)) + "\n"


def _float(parts: Sequence[str]) -> list[str]:
    return ["<!-- float -->", *parts, "<!-- /float -->"]


def _element(element: Element) -> list[str]:
    parts: list[str] = []
    match element.kind:
        case "title":
            parts = [f"# {element.text}"]
        case "heading":
            number = f"{element.number} " if element.number else ""
            parts = [f"{'#' * (element.level + 1)} {number}{element.text}"]
        case "text" | "line":
            parts = [element.text]
        case "quote":
            parts = [f"> {element.text}"]
        case "list":
            parts = ["\n".join(_items(element, 0))]
        case "terms":
            parts = [part for item in element.items for part in (f"**{item.text}**", *item.more)]
        case "code":
            parts = ["```\n" + "\n".join(element.lines) + "\n```"]
        case "table":
            head, *rows = [[cell.replace("|", "/") for cell in row] for row in element.rows]
            lines = [head, ["---"] * len(head), *rows]
            parts = ["\n".join("| " + " | ".join(line) + " |" for line in lines)]
        case "formula":
            parts = [f"$$\n{element.text}\n$$"]
        case "toc":
            parts = ["\n".join(f"- {item.text} … {item.more[0]}" for item in element.items)]
        case "cards" | "card" | "note":
            parts = [part for inner in element.inner for part in _element(inner)]
        case "aside":
            return _float([part for inner in element.inner for part in _element(inner)])
    if element.caption:
        caption = _float([element.caption])
        parts = [*caption, *parts] if element.caption_above else [*parts, *caption]
    for mark, text in element.notes:
        parts += _float([f"{mark} {text}"])
    return parts


def _items(element: Element, depth: int) -> list[str]:
    lines: list[str] = []
    pad = "    " * depth
    for i, item in enumerate(element.items):
        mark = f"{i + 1}." if element.style in NUMBERED else "-"
        lines.append(f"{pad}{mark} {item.text}")
        lines += [line for more in item.more for line in ("", f"{pad}    {more}", "")]
        if item.inner is not None:
            lines += _items(item.inner, depth + 1)
    return lines
