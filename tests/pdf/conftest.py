"""The first page of a PDF, as the layout gets it."""

import pytest

from docparse.pdf import open_document


@pytest.fixture(scope="session")
def read():
    """`read(source, **how)` -> the first page of a path or of the bytes of a PDF."""

    def first_page(source, **how):
        with open_document(source, name="page.pdf") as document:
            return document.page(1, **how)

    return first_page
