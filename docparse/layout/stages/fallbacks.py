"""What stands in for a stage that failed: simple enough not to fail itself, and no word is lost."""

from __future__ import annotations

import re
from dataclasses import replace

from docparse.layout.blocks import plain_block, without_images
from docparse.layout.chained import chained
from docparse.layout.state import PageState
from docparse.layout.text.groups import Group
from docparse.layout.text.lines import Line, downward
from docparse.layout.text.words import SMALLEST, Word
from docparse.pdf.content import Characters
from docparse.types import Block, Box, Category

SAME_LINE = 0.5  # font sizes between the baselines of one line


def unchanged(state: PageState) -> PageState:
    """Return the page as it was."""
    return state


def plain_words(state: PageState) -> PageState:
    """Return the page with the words of its text layer as the spaces part them, whatever the gaps and styles say."""
    layer = state.content.characters
    if layer is None:
        return state
    found = [_word(layer, *match.span()) for match in re.finditer(r"\S+", layer.text)]
    return replace(state, words=found)


def plain_lines(state: PageState) -> PageState:
    """Return the page with its words in lines, a new one wherever the file goes back or to another baseline."""

    def goes_on(chain: list[Word], word: Word) -> bool:
        return abs(word.baseline - chain[-1].baseline) <= SAME_LINE * word.size and word.box.x0 >= chain[-1].box.x0

    chains = chained(sorted(state.upright, key=lambda word: word.index), goes_on)
    return replace(state, lines=downward(Line(tuple(chain)) for chain in chains))


def pictures_without_labels(state: PageState) -> PageState:
    """Return the page with its pictures bare; what is printed in them stays running text."""
    bare = [Block(category=Category.PICTURE, box=box.rounded(), source="layout") for box in state.pictures]
    return replace(state, figures=bare)


def line_by_line(state: PageState) -> PageState:
    """Return the page with every line a paragraph."""
    return replace(state, groups=[Group([line]) for line in state.lines])


def word_by_word(state: PageState) -> PageState:
    """Return the page with every word that is not upright a paragraph of its own."""
    loose = [Group([Line((word,))]) for word in state.words if word.angle]
    return replace(state, groups=[*state.groups, *loose])


def all_text(state: PageState) -> PageState:
    """Return the page with everything but running headers and footers a paragraph."""
    named = [state.furniture.get(i, Category.TEXT) for i in range(len(state.groups))]
    return replace(state, categories=named)


def plain_texts(state: PageState) -> PageState:
    """Return the page with the words of every group as they are."""
    pairs = zip(state.groups, state.categories, strict=True)
    return replace(state, texts=[plain_block(group, category, state.source) for group, category in pairs])


def top_down(state: PageState) -> PageState:
    """Return the page with its blocks from top to bottom."""
    return replace(state, blocks=state.framed(sorted(state.body, key=lambda block: (block.box.y0, block.box.x0))))


def no_images(state: PageState) -> PageState:
    """Return the page without crops."""
    return replace(state, blocks=without_images(state.blocks), assets={})


def _word(layer: Characters, start: int, end: int) -> Word:
    box = layer.box[start:end]
    corners = *box[:, :2].min(axis=0).tolist(), *box[:, 2:].max(axis=0).tolist()
    font = layer.fonts[int(layer.font[start])]
    return Word(
        text=layer.text[start:end],
        box=Box(*corners),
        baseline=float(layer.baseline[start]),
        size=font.size or SMALLEST,
        angle=font.angle,
        index=start,
    )
