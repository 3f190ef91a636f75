"""The structure tree of a tagged PDF as plain data: what its author's program said of the text of one page.

Content is tied to the tree by numbers in the page's content stream (marked-content ids). pdfium tells the id of every
text object and the ids under every element; here both become one list of pieces of content in the order of the tree.
What the file says is not judged here: see `docparse.layout.tagged`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from docparse.pdf.native import ask, native
from docparse.pdf.textlayer import RawText

MAX_ELEMENTS = 20_000  # of one page: a page full of figures in cells has some thousands
MAX_DEPTH = 100  # pdfium itself stops sooner; a cycle must stop here
MAX_SPAN = 1_000  # rows or columns of one cell
LONGEST = 64  # characters of a type; a longer one is none that anybody knows
CELLS = ("TH", "TD")
NONE = -1


@dataclass(frozen=True, slots=True)
class Element:
    """One element. `kind` is its type after the file's role map ("P", "H2", "TD"), `parent` an index or -1.

    `rowspan` and `colspan` are those of a table's cell.
    """

    kind: str
    parent: int
    rowspan: int = 1
    colspan: int = 1


@dataclass(frozen=True, slots=True)
class Structure:
    """The tree of one page, flat. `elements` stand in the order of the tree, parents before children.

    `owners` has the element of each piece of marked content, in the order of the tree; `Characters.piece` says which
    characters belong to which piece.
    """

    elements: tuple[Element, ...]
    owners: tuple[int, ...]

    def up(self, element: int) -> Iterator[int]:
        """Yield the element and those around it, from the innermost out."""
        while element != NONE:
            yield element
            element = self.elements[element].parent


@dataclass(slots=True)
class _Walk:
    """One walk over the elements of a page: what was found, and the ids of content in the order of the tree."""

    elements: list[Element] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    piece_of: dict[int, int] = field(default_factory=dict)  # by marked-content id; the first element to claim it has it
    seen: set[int] = field(default_factory=set)
    buffer: ctypes.Array[ctypes.c_char] = field(default_factory=lambda: ctypes.create_string_buffer(2 * LONGEST))

    def element(self, handle: int, parent: int, depth: int) -> None:
        if handle in self.seen or depth > MAX_DEPTH or len(self.elements) >= MAX_ELEMENTS:
            return
        self.seen.add(handle)
        pdf, index = native(), len(self.elements)
        kind = self.kind(handle)
        rowspan, colspan = (_number(handle, b"RowSpan"), _number(handle, b"ColSpan")) if kind in CELLS else (1, 1)
        self.elements.append(Element(kind, parent, rowspan, colspan))
        get_content, get_child = pdf.StructElement_GetChildMarkedContentID, pdf.StructElement_GetChildAtIndex
        for child in range(pdf.StructElement_CountChildren(handle)):
            content = get_content(handle, child)
            if content >= 0:
                self.content(content, index)
            elif below := get_child(handle, child):
                self.element(below, index, depth + 1)
            elif kind == "TR":  # nothing on this page: most often a cell without words
                self.elements.append(Element("", index))

    def kind(self, handle: int) -> str:
        """Return the type of an element, which pdfium writes as UTF-16 with a null character behind it."""
        size = native().StructElement_GetType(handle, ctypes.addressof(self.buffer), 2 * LONGEST)
        return self.buffer.raw[: size - 2].decode("utf-16-le", "replace") if 2 < size <= 2 * LONGEST else ""

    def content(self, number: int, owner: int) -> None:
        if number not in self.piece_of:
            self.piece_of[number] = len(self.owners)
            self.owners.append(owner)


def read_structure(page: int, raw: RawText, forms: Mapping[int, int]) -> Structure | None:
    """Return the tree of a pdfium page of a tagged file, and set `raw.piece`; None where the page is in no tree.

    Ids of text objects within a form say nothing of the page's: they are of the piece that the form stands in. `forms`
    are the outermost forms around text objects, both by handle.
    """
    walk = _Walk()
    for root in _roots(page):
        walk.element(root, NONE, 0)
    if not walk.owners:
        return None
    on_page = [forms.get(handle, handle) for handle in raw.handle.tolist()]
    ids = ask(native().PageObj_GetMarkedContentID, np.int32, on_page)
    raw.piece = np.array([walk.piece_of.get(number, NONE) for number in ids.tolist()], np.int32)
    return Structure(tuple(walk.elements), tuple(walk.owners))


def _roots(page: int) -> Iterator[int]:
    """The outermost elements; they are valid until the next one is asked for."""
    pdf = native()
    tree = pdf.StructTree_GetForPage(page)
    if not tree:
        return
    try:
        for index in range(max(0, pdf.StructTree_CountChildren(tree))):
            if child := pdf.StructTree_GetChildAtIndex(tree, index):
                yield child
    finally:
        pdf.StructTree_Close(tree)


def _number(handle: int, name: bytes) -> int:
    """A whole number among the attributes of an element; 1 where it is not said or makes no sense."""
    pdf, value = native(), ctypes.c_float()
    text = ctypes.create_string_buffer(name)
    for index in range(max(0, pdf.StructElement_GetAttributeCount(handle))):
        attribute = pdf.StructElement_GetAttributeAtIndex(handle, index)
        found = pdf.StructElement_Attr_GetValue(attribute, ctypes.addressof(text))
        said = found and pdf.StructElement_Attr_GetNumberValue(found, ctypes.addressof(value))
        if said and 1 <= value.value <= MAX_SPAN:
            return int(value.value)
    return 1
