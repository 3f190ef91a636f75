"""pdfium's functions as plain-integer ctypes prototypes: about half a microsecond a call.

pypdfium2's own wrappers convert and check every argument, which costs more than the work itself when a page asks
100,000 times. Here handles and addresses are integers, output goes straight into numpy buffers. The prototypes are
made beside pypdfium2's, whose argument and result types stay as they are.

`ask` and `fill` call one function many times, and prepare its arguments: ctypes spends more on converting an argument
than pdfium on most answers, so what is the same in all calls is converted once, and results go to addresses that are
converted once per process.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any

import numpy as np

_INT = ctypes.c_int
CHUNK = 1024  # rows filled together

# a handle or a pointer, an integer of C, unsigned, unsigned long, a double, and nothing
_KINDS: dict[str, Any] = {
    "h": ctypes.c_size_t,
    "i": _INT,
    "u": ctypes.c_uint,
    "l": ctypes.c_ulong,
    "d": ctypes.c_double,
    "-": None,
}
# The functions by the kinds of their result and their arguments; addresses of output variables are plain integers
_SIGNATURES = {
    "i h": "Text_CountChars TextObj_GetTextRenderMode Font_GetFlags Page_CountObjects FormObj_CountObjects "
    "PageObj_GetType PageObj_HasTransparency ClipPath_CountPaths Path_CountSegments PathSegment_GetType "
    "PathSegment_GetClose Catalog_IsTagged PageObj_GetMarkedContentID PageObj_CountMarks _StructTree_CountChildren "
    "_StructElement_CountChildren _StructElement_GetAttributeCount",
    "i hi": "Text_IsGenerated Text_HasUnicodeMapError ClipPath_CountPathSegments "
    "_StructElement_GetChildMarkedContentID",
    "i hh": "Font_GetItalicAngle PageObj_GetMatrix _StructElement_Attr_GetNumberValue",
    "i hhh": "Path_GetDrawMode PathSegment_GetPoint",
    "i hih": "Text_GetLooseCharBox Text_GetMatrix",
    "i hiih": "Text_GetText",
    "i hhhh": "Font_GetFontData",
    "i hhhhh": "PageObj_GetBounds PageObj_GetStrokeColor PageObj_GetFillColor",
    "i hihhhh": "Text_GetCharBox",
    "i hhhlh": "PageObjMark_GetParamBlobValue",
    "h h": "TextObj_GetFont PageObj_GetClipPath _StructTree_GetForPage",
    "h hh": "_StructElement_Attr_GetValue",
    "h hi": "Text_GetTextObject Page_GetObject Path_GetPathSegment _StructTree_GetChildAtIndex "
    "_StructElement_GetChildAtIndex _StructElement_GetAttributeAtIndex",
    "h hl": "FormObj_GetObject PageObj_GetMark",
    "h hii": "ClipPath_GetPathSegment",
    "h hhh": "Font_GetBaseFontName",
    "u hi": "Text_GetUnicode",
    "l hhl": "_StructElement_GetType",
    "d hi": "Text_GetFontSize",
    "- h": "_StructTree_Close",
}


class Native:
    """The functions of `_SIGNATURES` without `FPDF` or `FPDF_`: `FPDFText_GetUnicode` is `Text_GetUnicode`."""

    def __init__(self) -> None:
        from pypdfium2 import raw

        for kinds, names in _SIGNATURES.items():
            result, *arguments = (_KINDS[kind] for kind in kinds.replace(" ", ""))
            for name in names.split():
                place = address(getattr(raw, f"FPDF{name}"))
                # PYFUNCTYPE keeps the GIL: releasing it costs more than the call
                function: Any = ctypes.PYFUNCTYPE(result, *arguments)(place)
                # the same function, which takes what is prepared as it is, and plain integers as C's int
                function.bare = ctypes.PYFUNCTYPE(result)(place)
                setattr(self, name.removeprefix("_"), function)

    def __getattr__(self, name: str) -> Callable[..., Any]:  # for type checkers: all attributes are set above
        raise AttributeError(f"no pdfium function named {name!r} is declared here")


@functools.cache
def native() -> Native:
    """Return the prototypes, made once per process."""
    return Native()


def address(handle: Any) -> int:
    """Return the address behind a pypdfium2 raw handle, 0 for null."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


class Handles(list[Any]):
    """Handles, prepared: for those that are asked about many things."""

    def __init__(self, handles: Iterable[int]) -> None:
        super().__init__(map(ctypes.c_size_t.from_param, handles))


def ask(function: Any, dtype: Any, *arguments: Iterable[int] | int) -> np.ndarray:
    """`function` over parallel arguments as one array; integers are repeated, at least one argument is a sequence."""
    return np.fromiter(each(function, *arguments), dtype)


def each(function: Any, *arguments: Iterable[int] | int) -> Iterable[Any]:
    """Return what `function` says over parallel arguments, called only when its answer is wanted."""
    return map(function.bare, *map(_column, function.argtypes, arguments))


def fill(function: Any, rows: np.ndarray, *arguments: Iterable[int] | int) -> np.ndarray:
    """Let `function` write each row of the C-contiguous `rows`; returns bool [n], what it said of each.

    Its last arguments, those not given, are the addresses of the parts of a row, which are of one length.
    """
    said = np.zeros(len(rows), bool)
    data = rows.view(np.uint8)
    length = data.shape[1]
    scratch, places = _places(length, len(function.argtypes) - len(arguments))
    columns = [iter(_column(*pair)) for pair in zip(function.argtypes, arguments, strict=False)]
    for start in range(0, len(rows), CHUNK):
        part = data[start : start + CHUNK]
        scratch[: len(part)] = part
        said[start : start + CHUNK] = np.fromiter(map(function.bare, *columns, *places), bool, len(part))
        part[:] = scratch[: len(part)]
    return said


def _column(kind: Any, argument: Iterable[int] | int) -> Iterable[Any]:
    """One argument of many calls, prepared."""
    if isinstance(argument, int):
        return repeat(kind.from_param(argument))
    return argument if kind is _INT or isinstance(argument, Handles) else map(kind.from_param, argument)


@functools.cache
def _places(length: int, parts: int) -> tuple[np.ndarray, list[list[Any]]]:
    """`CHUNK` rows of so many bytes, and the addresses of each of their parts, prepared."""
    memory = (ctypes.c_uint8 * (CHUNK * length))()
    addresses = [ctypes.byref(memory, offset) for offset in range(0, CHUNK * length, length // parts)]
    scratch = np.ctypeslib.as_array(memory).reshape(CHUNK, length)
    return scratch, [addresses[part::parts] for part in range(parts)]
