"""The fonts of a page as the file has them: what pdfium does not tell is read with pypdf."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdf import PdfReader
    from pypdf.generic import DictionaryObject


class PageFonts:
    """Reads the fonts of one file's pages. The file is opened at the first page that is asked for, and stays so until
    `close`: to find a page again in every page's turn would take longer the more of them there are."""

    def __init__(self, source: Path | bytes, password: str) -> None:
        self._source, self._password = source, password
        self._reader: PdfReader | None = None

    def of(self, number: int) -> Iterator[DictionaryObject]:
        """Yield the fonts of page `number` and of the forms on it. Raises `PyPdfError` where pypdf cannot read the
        file."""
        from pypdf.generic import DictionaryObject

        seen: set[int] = set()
        reader = self._open()
        reader.resolved_objects.clear()  # of the pages before: pictures, too
        holders: list[DictionaryObject] = [reader.pages[number - 1]]
        while holders:
            resources = inside(holders.pop(), "/Resources")
            fonts = (font.get_object() for font in inside(resources, "/Font").values())
            yield from (font for font in fonts if isinstance(font, DictionaryObject))
            for reference in inside(resources, "/XObject").values():
                held = reference.get_object()
                if id(held) not in seen and held.get("/Subtype") == "/Form":
                    seen.add(id(held))
                    holders.append(held)

    def close(self) -> None:
        """Forget what was read; it is read again where it is asked for."""
        if self._reader is not None:
            self._reader.close()
        self._reader = None

    def _open(self) -> PdfReader:
        from pypdf import PdfReader

        if self._reader is None:
            logging.getLogger("pypdf").setLevel(logging.ERROR)  # what is wrong with a file is pdfium's to say
            source = io.BytesIO(self._source) if isinstance(self._source, bytes) else self._source
            self._reader = PdfReader(source, password=self._password or None)
        return self._reader


def inside(holder: DictionaryObject, key: str) -> DictionaryObject:
    """Return the dictionary at `key`; an empty one where there is none."""
    from pypdf.generic import DictionaryObject

    found = holder.get(key, DictionaryObject()).get_object()
    return found if isinstance(found, DictionaryObject) else DictionaryObject()
