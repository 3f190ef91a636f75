"""Where the words of a page come from: its text layer, what a structure tree says of it, or the pixels."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from docparse.layout.kinds.line_numbers import without_line_numbers
from docparse.layout.ocr.audit import is_faithful
from docparse.layout.ocr.scripts import foreign_script, unreadable
from docparse.layout.ocr.unnamed import has_unnamed, with_letters
from docparse.layout.ocr.upright import levelled, straightened, turned
from docparse.layout.state import PageState
from docparse.layout.tagged.inserted import with_inserted
from docparse.layout.tagged.plan import plan_of
from docparse.layout.tagged.trust import believed, objection
from docparse.layout.text.justified import with_stretched_spaces
from docparse.layout.text.leaders import with_leaders
from docparse.layout.text.marks import (
    TICKS,
    in_pills,
    with_marks,
    with_roots,
    with_typed_hyphens,
    with_underscores,
)
from docparse.layout.text.symbol_bullets import with_symbol_bullets
from docparse.layout.text.turned import is_vertical, laid_level
from docparse.layout.text.word_finding import words_of
from docparse.pdf.content import Characters, PageContent, TextQuality
from docparse.pdf.marks import ROOT

UNKNOWN = 0.02  # share of the characters of a page that OCR could not tell, at most: else it reads the page anew
BITMAPS = 0.5  # share of the characters in fonts without a name, as the bitmaps are that TeX makes of its fonts


def is_bitmap_type(characters: Characters) -> bool:
    """Return whether most characters are of fonts that have no name to look their letters up by."""
    nameless = np.array([not font.name for font in characters.fonts])
    return bool(nameless[characters.font].mean() > BITMAPS)


def may_be_audited(content: PageContent) -> bool:
    """Return whether a text layer of doubtful worth is compared with the pixels before OCR replaces it."""
    if content.characters is None:
        return False
    if content.quality is TextQuality.BROKEN:
        return is_bitmap_type(content.characters) or bool(foreign_script(content.characters.text))
    return content.quality is TextQuality.OCR_LAYER


def is_layer_doubtful(state: PageState) -> bool:
    """Return whether the page itself has to say what its words are read from: the settings leave it open."""
    return state.settings.ocr == state.settings.text_layer == "auto" and may_be_audited(state.content)


def audit(state: PageState) -> PageState:
    """Compare the OCR layer under a scan with the scan; where they differ, OCR replaces it."""
    content = state.content
    assert content.characters is not None  # only then the stage is needed
    layer, broken = words_of(content.characters), content.quality is TextQuality.BROKEN
    draft = state.settings.reads_with_model
    faithful = is_faithful(layer, lambda boxes: state.engines.read(content, boxes), draft=draft, broken=broken)
    return replace(state, ocr=not faithful)


def is_scan(state: PageState) -> bool:
    """Return whether the page is read from its pixels, or was by who made the file."""
    layered = state.content.quality is TextQuality.OCR_LAYER and state.content.characters is not None
    return state.ocr or layered


def orientation(state: PageState) -> PageState:
    """Turn a page that is read from its pixels and straighten it; straighten a scan whose text layer is believed."""
    from docparse.layout.ocr.orientation import DESKEW_DPI, deskew_angle

    content = state.content
    if not state.ocr:
        return replace(state, content=levelled(content, deskew_angle(content.render(DESKEW_DPI).pixels)))
    content = turned(content, state.engines.quarter_turn(content))
    return replace(state, content=straightened(content, deskew_angle(content.render(DESKEW_DPI).pixels)))


def watermark(state: PageState) -> PageState:
    """Take pale lines that run askew over the page off its picture."""
    from docparse.layout.ocr.watermark import find_watermark, without_watermark

    mark = find_watermark(state.image(), state.engines.ocr.finder)
    return replace(state, content=without_watermark(state.content, mark))


def flatten(state: PageState) -> PageState:
    """Draw paper that did not lie flat with level lines."""
    from docparse.layout.ocr.bends import bend_on, unbent

    return replace(state, content=unbent(state.content, bend_on(state.image(), state.engines.ocr.finder)))


def ocr(state: PageState) -> PageState:
    """Read the words from the pixels, and the bullets before them; say so where they cannot be read. A page of Chinese
    in columns is turned, so that they are lines, as one with a text layer is."""
    from docparse.layout.ocr.bullets import with_bullets

    result = state.engines.read(state.content)
    characters = state.content.characters
    said = unreadable(result.lines, characters.text if characters is not None else "")
    content, found = state.content, with_bullets(result.words, state.image())
    if is_vertical(found):
        content, found = turned(content, 270), laid_level(found, content.box)
    found = with_leaders(with_stretched_spaces(without_line_numbers(found)))
    return replace(state, content=content, words=found, source="ocr", unreadable=said, unread_lines=result.unread)


def has_unnamed_letters(state: PageState) -> bool:
    """Return whether fonts of the text layer do not say what their letters are, and OCR may tell."""
    layer = state.content.characters
    return not state.ocr and layer is not None and state.settings.may_read_pixels and has_unnamed(layer)


def letters(state: PageState) -> PageState:
    """See what the letters are of fonts that do not say it; where many stay unknown, OCR reads the page."""
    content = state.content
    assert content.characters is not None  # only then the stage is needed
    layer = with_letters(content.characters, lambda boxes: state.engines.read(content, boxes))
    if content.quality is not TextQuality.UNTOLD:
        return replace(state, content=replace(content, characters=layer))
    if layer.glyph is not None and (layer.glyph >= 0).mean() > UNKNOWN:
        return replace(state, ocr=True)
    return replace(state, content=replace(content, characters=layer, quality=TextQuality.GOOD))


def has_tree(state: PageState) -> bool:
    """Return whether a tagged PDF says what the words are that are about to be read."""
    content = state.content
    read = state.source != "ocr" and content.quality is TextQuality.GOOD
    return read and content.structure is not None and content.characters is not None


def structure(state: PageState) -> PageState:
    """See what the structure tree of a tagged PDF says of the text, and whether the page bears it out."""
    content = state.content
    assert content.structure is not None and content.characters is not None  # only then the stage is needed
    plan = plan_of(content.structure, content.characters)
    if against := objection(plan, content.characters):
        return replace(state, structure=f"ignored: {against}")
    return replace(state, plan=believed(plan, content.characters), structure="tagged")


def words(state: PageState) -> PageState:
    """Read the words from the text layer: also where OCR was wanted and failed."""
    characters = state.content.characters
    if characters is None:
        return replace(state, words=())
    found = with_symbol_bullets(with_typed_hyphens(words_of(characters, state.plan.wholes)))
    if not state.is_tagged:
        found = without_line_numbers(found)
    if state.noisy:
        return replace(state, words=found)
    hooks = [box for box, text in state.content.marks if text == ROOT]
    marks = [mark for mark in state.content.marks if mark[1] != ROOT]
    found = with_roots(found, hooks)
    if state.is_tagged:
        marks = [mark for mark in marks if mark[1] in TICKS]  # a tree has the bullets
    if state.is_tagged and state.settings.formulas:
        found = with_inserted(found, state.plan, state.content.rulings)
    found = with_underscores(with_stretched_spaces(found), state.content.rulings)
    return replace(state, words=in_pills(with_marks(found, marks), state.content.panels))


def may_have_lines_shown(state: PageState) -> bool:
    """Return whether images may hold lines of a page that has a text layer, and OCR is allowed."""
    drawn = len(state.content.images) > 0 and len(state.words) > 0
    return drawn and not state.noisy and state.settings.may_read_pixels


def lines_shown(state: PageState) -> PageState:
    """Read the lines that are images, as titles of slides are that have a shadow."""
    from docparse.layout.pictures.excerpts import lines_shown, read_line

    assert state.content.characters is not None  # it is where the words come from
    content, last = state.content, len(state.content.characters)
    found = [word for box in lines_shown(content) for word in read_line(state.engines.read(content, [box]))]
    more = [msgspec.structs.replace(word, index=last + i) for i, word in enumerate(found)]
    return replace(state, words=[*state.words, *more])
