"""A JSON list of elements with `bbox`, `category` and `text`, read however broken it is.

Models cut lists off, forget to escape quotation marks and backslashes (`"$\theta$"` is a tab and "heta" to a JSON
parser), wrap the list in a code fence, or talk. Every character of a text knows where in the output it came from.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

_SKIP = re.compile(r"(?:[\s,\[\]}]|```(?:json)?)+")
_OPEN = re.compile(r'\{\s*(?=["}]|$)')
_KEY = re.compile(r'[\s,]*"(\w+)"\s*:\s*')
_NUMBER = r"\s*(-?\d+(?:\.\d+)?)\s*"
_BOX = re.compile(rf"\[{_NUMBER},{_NUMBER},{_NUMBER},{_NUMBER}\]")
_CLOSE = re.compile(r"\s*\}")
_VALUE = re.compile(r"[^,}\"]*")
# A quotation mark ends a string where JSON goes on after it; elsewhere it is a quotation mark of the text.
_STRING_END = re.compile(r'"(?=\s*(?:$|[}\]]|,\s*(?:$|"\w*"?\s*(?::|$)|[{}])))')
_QUOTATION = re.compile('"')
_UNIT = re.compile(  # a character as a string has it; two halves of a surrogate pair are one
    r'\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\["\\/bfnrt]|.', re.DOTALL
)
_UNESCAPED = re.compile(r'(?<!\\)(?:\\\\)*\\(?:[^"\\/bfnrtu]|[bf][a-zA-Z]|u(?![0-9a-fA-F]{4}))')
_COMMAND = re.compile(
    r"\\(?:b|f|n(?=(?:abla|eq?|u|i|ot|mid|exists|leq|geq|parallel|olimits)\b)"
    r"|r(?=(?:ho|ight\w*|angle|floor|ceil|m)\b)|t(?=(?:heta|au|imes|ext\w*|ilde|o|op|frac|anh?|ag|riangle\w*)\b))"
)


@dataclass
class Element:
    """`text[i]` came from character `offsets[i]` of the output (one more offset for the end); the element from
    characters `start` to `end`."""

    start: int
    end: int = 0
    bbox: tuple[float, float, float, float] | None = None
    category: str = ""
    text: str = ""
    offsets: list[int] = field(default_factory=lambda: [0])


def read_elements(text: str) -> tuple[list[Element], list[str]]:
    """The elements of `text` in order, and what was wrong with it. What is no element becomes one of its own."""
    elements: list[Element] = []
    problems: list[str] = []
    at = 0
    while at < len(text):
        if skip := _SKIP.match(text, at):
            at = skip.end()
        elif _OPEN.match(text, at):
            element, complete = _element(text, at)
            at = element.end
            if not complete:
                problems.append(f"an element is cut off or broken: read as far as it goes (character {element.start})")
            if element.bbox or element.category or element.text:
                elements.append(element)
        else:
            opening = re.compile(r'\{\s*"|$').search(text, at + 1)
            end = opening.start() if opening else len(text)
            problems.append(f"words outside of the list: read as text (character {at})")
            elements.append(Element(at, end, text=text[at:end], offsets=list(range(at, end + 1))))
            at = end
    if elements and not text.rstrip().removesuffix("```").rstrip().endswith("]"):
        problems.append("the list is cut off")
    return elements, problems


def _element(text: str, start: int) -> tuple[Element, bool]:
    """The element that begins at `start`, and whether it is whole."""
    element = Element(start)
    at = start + 1
    while key := _KEY.match(text, at):
        at = key.end()
        if text[at : at + 1] == "[" and key[1] != "bbox":
            element.end = at  # an object that holds the list
            return element, True
        at = _value(text, at, key[1], element)
    closing = _CLOSE.match(text, at)
    element.end = closing.end() if closing else at
    if closing or element.end >= len(text):
        return element, closing is not None
    rest = re.compile(r'\}\s*,?\s*(?=\{\s*"|\]|$)|(?=\{\s*")|$').search(text, at)
    end = rest.end() if rest else len(text)
    left = text[at : rest.start() if rest else end]
    if left.strip(" \n\t,"):
        element.text, element.offsets = element.text + left, [*element.offsets[:-1], *range(at, at + len(left) + 1)]
    element.end = max(end, at + 1)
    return element, False


def _value(text: str, at: int, key: str, element: Element) -> int:
    """Read the value at `at` into `element`; its end."""
    if key == "bbox" and (box := _BOX.match(text, at)):
        element.bbox = (float(box[1]), float(box[2]), float(box[3]), float(box[4]))
        return box.end()
    if text[at : at + 1] != '"':
        found = _VALUE.match(text, at)
        return found.end() if found else at
    words, offsets, end = _string(text, at + 1, _STRING_END if key == "text" else _QUOTATION)
    if key == "category":
        element.category = words
    elif key == "text":
        element.text, element.offsets = words, offsets
    return end


def _string(text: str, at: int, ending: re.Pattern[str]) -> tuple[str, list[int], int]:
    """The string whose first character is at `at`: its characters, the offset of each and of its end, and where
    reading goes on."""
    end = at
    while end < len(text) and not (text[end] == '"' and ending.match(text, end)):
        end += 2 if text[end] == "\\" else 1
    end = min(end, len(text))
    raw = text[at:end]
    broken = _UNESCAPED.search(raw) is not None
    chars: list[str] = []
    offsets: list[int] = []
    for unit in _UNIT.finditer(raw):
        literal = len(unit[0]) == 1 or (broken and _COMMAND.match(raw, unit.start()))
        said = unit[0] if literal else json.loads(f'"{unit[0]}"')
        chars += said
        offsets += range(at + unit.start(), at + unit.start() + len(said))
    return "".join(chars), [*offsets, end], min(end + 1, len(text))
