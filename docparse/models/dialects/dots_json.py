"""dots.ocr's JSON: a list of elements with `bbox`, `category` and `text`, on one line.

`[{"bbox": [140, 141, 536, 175], "category": "Section-header", "text": "## ABSTRACT"}, {"bbox": ..., "category":
"Picture"}]`: keys in this order, a space after every comma and colon, whole pixels of the resized picture, Unicode
unescaped, no `text` for pictures, LaTeX without dollar signs for formulas, HTML for tables, Markdown for the rest
(the prompt of the model card; outputs kept as test data by docling). A `List-item` element may hold a whole list. A
text goes on as Markdown (`layoutjson2md` of rednote-hilab/dots.ocr at 69f1c40), in which a line break is a space and an
empty line parts paragraphs.

The list is read however broken it is: cut off, with quotation marks and backslashes that are not escaped, in a code
fence, or with talk about it. Every character of a text knows where in the output it came from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from docparse.models.dialects.elements import ElementReader, lists_together, read_element
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Draft, Frame, ParsedOutput
from docparse.render.tables import HtmlStyle
from docparse.types import Block, Category, union

_CATEGORIES = {category.value.lower(): category for category in Category}
_UNSAID = {Category.CODE: Category.TEXT}  # no category of the model's
_MARKDOWN = MarkdownDialect(
    math=("$", "$", "", ""), html=HtmlStyle(header_cells=True, sections=True), bullet="*", furniture=True
)
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


@dataclass(frozen=True)
class DotsJson:
    """dots.ocr's layout with text. Neighbouring list items share an element, as the model writes them."""

    markdown: MarkdownDialect = _MARKDOWN

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        text = "["
        starts: list[int] = []
        for part in lists_together(blocks):
            text += ", " if starts else ""
            element, inner_starts = self._element(part, frame)
            starts += [len(text) + start for start in inner_starts]
            text += element
        return Draft(text + "]", tuple(blocks), tuple(starts))

    def _element(self, blocks: Sequence[Block], frame: Frame) -> tuple[str, list[int]]:
        """The element of one block, or of the items of a list, and where in it each begins."""
        category = blocks[0].category
        box = [round(value) for value in frame.to_pixels(union(block.box for block in blocks))]
        head = f'{{"bbox": {box}, "category": {json.dumps(_UNSAID.get(category, category).value)}'
        if category is Category.PICTURE:
            return head + "}", [0]
        draft = self.markdown.write(blocks, frame)
        head += ', "text": "'
        begins = {id(block): start for block, start in zip(draft.blocks, draft.starts, strict=True)}
        starts = [len(head) + len(_quoted(draft.text[: begins.get(id(block), 0)])) for block in blocks]
        return f'{head}{_quoted(draft.text)}"}}', [0, *starts[1:]]

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        reader = ElementReader(text, frame)
        elements, reader.problems = read_elements(text)
        for element in elements:
            box = frame.to_page(*element.bbox) if element.bbox else frame.box
            category = _CATEGORIES.get(element.category.lower(), Category.TEXT)
            inner = read_element(element.text, category, box, items_in_text=False)
            begins = tuple((element.offsets[start], element.end) for start, _ in inner.extents)
            reader.take(replace(inner, extents=begins), element.start, element.end)
        return reader.read()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


# ---- the list, however broken it is


@dataclass
class Element:
    """`text[i]` came from character `offsets[i]` of the output (and one for its end), the element from `start` to
    `end`."""

    start: int
    end: int = 0
    bbox: tuple[float, float, float, float] | None = None
    category: str = ""
    text: str = ""
    offsets: list[int] = field(default_factory=lambda: [0])


def read_elements(text: str) -> tuple[list[Element], list[str]]:
    """Return the elements of `text` in order, and what was wrong with it. What is no element becomes one of its own."""
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
    """The string that begins at `at`: its characters, the offset of each and of its end, where reading goes on."""
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
