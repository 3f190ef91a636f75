"""What a PDF and an image have in common: pages that can be read one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import NamedTuple, Self

from docparse.errors import InputError
from docparse.guard import Guard
from docparse.pdf.content import PageContent
from docparse.sizes import counted
from docparse.types import DocumentInfo


class Wanted(NamedTuple):
    """The parts of a page that are asked for besides its pixels."""

    text_layer: bool
    hidden_text: bool
    graphics: bool


class DocumentFile(ABC):
    """An open document. Use it as a context manager, in the process that opened it."""

    info: DocumentInfo

    @property
    def pages(self) -> int:
        return self.info.pages

    def page(
        self,
        number: int,
        *,
        text_layer: bool = True,
        hidden_text: bool = False,
        graphics: bool = True,
        guard: Guard | None = None,
    ) -> PageContent:
        """Return page `number` (1-based). With `text_layer=False` no characters are read and the quality is NONE;
        with `graphics=False` nothing is asked of what the page draws. Characters that nobody can see are left out and
        counted in a warning, unless `hidden_text` asks for them.

        What of the page cannot be read is left out, and `guard` remembers it. The page can be rendered as long as the
        document is open. Raises `InputError` for a number out of range and `PageError` where the page itself is
        damaged.
        """
        if not 1 <= number <= self.pages:
            have = counted(self.pages, "page")
            raise InputError(f"{self.info.name}: there is no page {number}: the document has {have}")
        return self._read_page(number, Wanted(text_layer, hidden_text, graphics), guard or Guard())

    @abstractmethod
    def _read_page(self, number: int, wanted: Wanted, guard: Guard) -> PageContent: ...

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
