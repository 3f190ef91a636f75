"""Invented documents: what is drawn from a seed, and what the sources for every printer hold of it."""

import random

import pytest

from training.devset.html import HtmlWriter
from training.devset.latex import LatexWriter
from training.devset.office import OfficeWriter
from training.devset.recipes import RECIPES
from training.devset.truth import markdown
from training.devset.typst import TYPST_FAMILIES, TypstWriter


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_a_seed_is_one_document_and_every_printer_gets_its_words(name):
    document = RECIPES[name](random.Random(name))
    assert markdown(document).strip() and markdown(document) == markdown(RECIPES[name](random.Random(name)))
    word = max((word for element in document.body for word in element.text.split() if word.isalpha()), key=len)
    rng = random.Random(1)
    typst = TypstWriter(rng, next(iter(TYPST_FAMILIES)))
    for source in (
        HtmlWriter(rng).document(document, "d0"),
        typst.document(document),
        LatexWriter(rng, name).document(document),
        OfficeWriter(rng).document(document),
    ):
        assert word in source
