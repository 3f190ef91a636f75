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

_HANDLE, _INT = ctypes.c_size_t, ctypes.c_int
_PTR = ctypes.c_size_t
CHUNK = 1024  # rows filled together

# (result, arguments), and the functions that have them; addresses of output variables are plain integers
_SIGNATURES: tuple[tuple[tuple[Any, ...], str], ...] = (
    (
        (_INT, _HANDLE),
        "FPDFText_CountChars FPDFTextObj_GetTextRenderMode FPDFFont_GetFlags FPDFPage_CountObjects "
        "FPDFFormObj_CountObjects FPDFPageObj_GetType FPDFPageObj_HasTransparency FPDFClipPath_CountPaths "
        "FPDFPath_CountSegments FPDFPathSegment_GetType FPDFPathSegment_GetClose FPDFCatalog_IsTagged "
        "FPDFPageObj_GetMarkedContentID FPDFPageObj_CountMarks FPDF_StructTree_CountChildren "
        "FPDF_StructElement_CountChildren FPDF_StructElement_GetAttributeCount",
    ),
    ((_INT, _HANDLE, _INT, _INT, _PTR), "FPDFText_GetText"),
    ((ctypes.c_uint, _HANDLE, _INT), "FPDFText_GetUnicode"),
    (
        (_HANDLE, _HANDLE, _INT),
        "FPDFText_GetTextObject FPDFPage_GetObject FPDFPath_GetPathSegment FPDF_StructTree_GetChildAtIndex "
        "FPDF_StructElement_GetChildAtIndex FPDF_StructElement_GetAttributeAtIndex",
    ),
    ((_INT, _HANDLE, _INT, _PTR), "FPDFText_GetLooseCharBox FPDFText_GetMatrix"),
    ((_INT, _HANDLE, _INT, _PTR, _PTR, _PTR, _PTR), "FPDFText_GetCharBox"),
    ((ctypes.c_double, _HANDLE, _INT), "FPDFText_GetFontSize"),
    (
        (_INT, _HANDLE, _INT),
        "FPDFText_IsGenerated FPDFText_HasUnicodeMapError FPDFClipPath_CountPathSegments "
        "FPDF_StructElement_GetChildMarkedContentID",
    ),
    ((_HANDLE, _HANDLE), "FPDFTextObj_GetFont FPDFPageObj_GetClipPath FPDF_StructTree_GetForPage"),
    ((_PTR, _HANDLE, _PTR, _PTR), "FPDFFont_GetBaseFontName"),
    ((_INT, _HANDLE, _PTR, _PTR, _PTR), "FPDFFont_GetFontData"),
    ((_INT, _HANDLE, _PTR), "FPDFFont_GetItalicAngle FPDFPageObj_GetMatrix FPDF_StructElement_Attr_GetNumberValue"),
    ((_HANDLE, _HANDLE, ctypes.c_ulong), "FPDFFormObj_GetObject FPDFPageObj_GetMark"),
    (
        (_INT, _HANDLE, _PTR, _PTR, _PTR, _PTR),
        "FPDFPageObj_GetBounds FPDFPageObj_GetStrokeColor FPDFPageObj_GetFillColor",
    ),
    ((_HANDLE, _HANDLE, _INT, _INT), "FPDFClipPath_GetPathSegment"),
    ((_INT, _HANDLE, _PTR, _PTR), "FPDFPath_GetDrawMode FPDFPathSegment_GetPoint"),
    ((_INT, _HANDLE, _PTR, _PTR, ctypes.c_ulong, _PTR), "FPDFPageObjMark_GetParamBlobValue"),
    ((None, _HANDLE), "FPDF_StructTree_Close"),
    ((ctypes.c_ulong, _HANDLE, _PTR, ctypes.c_ulong), "FPDF_StructElement_GetType"),
    ((_HANDLE, _HANDLE, _PTR), "FPDF_StructElement_Attr_GetValue"),
)


class Native:
    """The functions of `_SIGNATURES` without `FPDF` or `FPDF_`: `FPDFText_GetUnicode` is `Text_GetUnicode`."""

    def __init__(self) -> None:
        from pypdfium2 import raw

        for name, signature in ((name, signature) for signature, names in _SIGNATURES for name in names.split()):
            address = ctypes.cast(getattr(raw, name), ctypes.c_void_p).value or 0
            # PYFUNCTYPE keeps the GIL: releasing it costs more than the call
            function: Any = ctypes.PYFUNCTYPE(*signature)(address)
            # the same function, which takes what is prepared as it is, and plain integers as C's int
            function.bare = ctypes.PYFUNCTYPE(signature[0])(address)
            setattr(self, name.removeprefix("FPDF").removeprefix("_"), function)

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
        super().__init__(map(_HANDLE.from_param, handles))


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
