"""pdfium's functions as plain-integer ctypes prototypes: about 0.3 microseconds a call.

pypdfium2's own wrappers convert and check every argument, which costs more than the work itself when a page asks
100,000 times. Here handles and addresses are integers, output goes straight into numpy buffers. The prototypes are
made beside pypdfium2's, whose argument and result types stay as they are.
"""

from __future__ import annotations

import ctypes
import functools
from collections import deque
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import Any

import numpy as np

_HANDLE, _INT = ctypes.c_size_t, ctypes.c_int
_PTR = ctypes.c_size_t

# function -> (result, arguments); addresses of output variables are plain integers
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "FPDFText_CountChars": (_INT, _HANDLE),
    "FPDFText_GetUnicode": (ctypes.c_uint, _HANDLE, _INT),
    "FPDFText_GetTextObject": (_HANDLE, _HANDLE, _INT),
    "FPDFText_GetLooseCharBox": (_INT, _HANDLE, _INT, _PTR),
    "FPDFText_GetCharBox": (_INT, _HANDLE, _INT, _PTR, _PTR, _PTR, _PTR),
    "FPDFText_GetMatrix": (_INT, _HANDLE, _INT, _PTR),
    "FPDFText_GetFontSize": (ctypes.c_double, _HANDLE, _INT),
    "FPDFText_IsGenerated": (_INT, _HANDLE, _INT),
    "FPDFText_HasUnicodeMapError": (_INT, _HANDLE, _INT),
    "FPDFTextObj_GetFont": (_HANDLE, _HANDLE),
    "FPDFTextObj_GetTextRenderMode": (_INT, _HANDLE),
    "FPDFFont_GetBaseFontName": (_PTR, _HANDLE, _PTR, _PTR),
    "FPDFFont_GetFlags": (_INT, _HANDLE),
    "FPDFFont_GetItalicAngle": (_INT, _HANDLE, _PTR),
    "FPDFPage_CountObjects": (_INT, _HANDLE),
    "FPDFPage_GetObject": (_HANDLE, _HANDLE, _INT),
    "FPDFFormObj_CountObjects": (_INT, _HANDLE),
    "FPDFFormObj_GetObject": (_HANDLE, _HANDLE, ctypes.c_ulong),
    "FPDFPageObj_GetType": (_INT, _HANDLE),
    "FPDFPageObj_GetMatrix": (_INT, _HANDLE, _PTR),
    "FPDFPageObj_GetBounds": (_INT, _HANDLE, _PTR, _PTR, _PTR, _PTR),
    "FPDFPageObj_HasTransparency": (_INT, _HANDLE),
    "FPDFPageObj_GetStrokeColor": (_INT, _HANDLE, _PTR, _PTR, _PTR, _PTR),
    "FPDFPageObj_GetFillColor": (_INT, _HANDLE, _PTR, _PTR, _PTR, _PTR),
    "FPDFPageObj_GetClipPath": (_HANDLE, _HANDLE),
    "FPDFClipPath_CountPaths": (_INT, _HANDLE),
    "FPDFClipPath_CountPathSegments": (_INT, _HANDLE, _INT),
    "FPDFClipPath_GetPathSegment": (_HANDLE, _HANDLE, _INT, _INT),
    "FPDFPageObj_GetStrokeWidth": (_INT, _HANDLE, _PTR),
    "FPDFPath_GetDrawMode": (_INT, _HANDLE, _PTR, _PTR),
    "FPDFPath_CountSegments": (_INT, _HANDLE),
    "FPDFPath_GetPathSegment": (_HANDLE, _HANDLE, _INT),
    "FPDFPathSegment_GetType": (_INT, _HANDLE),
    "FPDFPathSegment_GetPoint": (_INT, _HANDLE, _PTR, _PTR),
    "FPDFPathSegment_GetClose": (_INT, _HANDLE),
    "FPDFCatalog_IsTagged": (_INT, _HANDLE),
    "FPDFPageObj_GetMarkedContentID": (_INT, _HANDLE),
    "FPDF_StructTree_GetForPage": (_HANDLE, _HANDLE),
    "FPDF_StructTree_Close": (None, _HANDLE),
    "FPDF_StructTree_CountChildren": (_INT, _HANDLE),
    "FPDF_StructTree_GetChildAtIndex": (_HANDLE, _HANDLE, _INT),
    "FPDF_StructElement_GetType": (ctypes.c_ulong, _HANDLE, _PTR, ctypes.c_ulong),
    "FPDF_StructElement_CountChildren": (_INT, _HANDLE),
    "FPDF_StructElement_GetChildAtIndex": (_HANDLE, _HANDLE, _INT),
    "FPDF_StructElement_GetChildMarkedContentID": (_INT, _HANDLE, _INT),
    "FPDF_StructElement_GetAttributeCount": (_INT, _HANDLE),
    "FPDF_StructElement_GetAttributeAtIndex": (_HANDLE, _HANDLE, _INT),
    "FPDF_StructElement_Attr_GetValue": (_HANDLE, _HANDLE, _PTR),
    "FPDF_StructElement_Attr_GetNumberValue": (_INT, _HANDLE, _PTR),
}


class Native:
    """The functions of `_SIGNATURES` without their prefix `FPDF` or `FPDF_`: `FPDFText_GetUnicode` is
    `Text_GetUnicode`."""

    def __init__(self) -> None:
        from pypdfium2 import raw

        for name, signature in _SIGNATURES.items():
            address = ctypes.cast(getattr(raw, name), ctypes.c_void_p).value or 0
            # PYFUNCTYPE keeps the GIL: releasing it costs more than the call
            setattr(self, name.removeprefix("FPDF").removeprefix("_"), ctypes.PYFUNCTYPE(*signature)(address))

    def __getattr__(self, name: str) -> Callable[..., Any]:  # for type checkers: all attributes are set above
        raise AttributeError(f"no pdfium function named {name!r} is declared here")


@functools.cache
def native() -> Native:
    """The prototypes, made once per process."""
    return Native()


def address(handle: Any) -> int:
    """The address behind a pypdfium2 raw handle, 0 for null."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def ask(function: Callable[..., Any], dtype: Any, *arguments: Iterable[Any] | int) -> np.ndarray:
    """`function` over parallel arguments as one array; integers are repeated, at least one argument is a sequence."""
    columns = [repeat(argument) if isinstance(argument, int) else argument for argument in arguments]
    return np.fromiter(map(function, *columns), dtype)


def fill(function: Callable[..., Any], rows: np.ndarray, *arguments: Iterable[Any] | int) -> np.ndarray:
    """Let `function` write each row of the C-contiguous `rows`; the row's address is its last argument."""
    start, step = rows.ctypes.data, rows.strides[0]
    columns = [repeat(argument) if isinstance(argument, int) else argument for argument in arguments]
    deque(map(function, *columns, range(start, start + step * len(rows), step)), maxlen=0)
    return rows
