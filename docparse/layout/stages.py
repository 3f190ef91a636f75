"""What happens to a page of the pipeline, in order: `STAGES`.

A stage takes a `PageState` and returns the next one. It groups, names and orders what the page holds, and takes no
word away. Where one fails, its `fallback` stands in: the page goes on without what the stage would have added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import msgspec

from docparse.layout.audit import is_faithful
from docparse.layout.blocks import crops, formula_block, picture_block, table_block, text_block, with_image_names
from docparse.layout.classify import categorise, followers, marker_of, page_style
from docparse.layout.contents import entries_apart
from docparse.layout.engines import Engines
from docparse.layout.fallbacks import (
    all_text,
    line_by_line,
    no_images,
    pictures_without_labels,
    plain_lines,
    plain_texts,
    plain_words,
    top_down,
    unchanged,
    word_by_word,
)
from docparse.layout.formula import find_formulas, find_scanned_formulas, parted
from docparse.layout.frames import frames_of
from docparse.layout.furniture import find_furniture
from docparse.layout.groups import EXACT, NOISY, Group, groups_of
from docparse.layout.items import without_marker
from docparse.layout.lines import EXACT_SPACING, NOISY_SPACING, Line, lines_of, snapped, steadied
from docparse.layout.order import Words, ranked, reading_order
from docparse.layout.pictures import find_pictures, labels_apart
from docparse.layout.scripts import foreign_script, unreadable
from docparse.layout.stacked import gathered
from docparse.layout.state import PageState
from docparse.layout.tables import find_tables, rulings_from_image
from docparse.layout.turned import turned_lines
from docparse.layout.upright import levelled, straightened, turned
from docparse.layout.words import Word, words_of
from docparse.pdf.content import PageContent, TextQuality
from docparse.settings import Settings
from docparse.types import Block, Box, Category

SNAP_OCR, SNAP_LAYER = 0.2, 0.35  # by what share measured sizes jitter: our OCR, OCR layers found in files


def first_state(content: PageContent, settings: Settings) -> PageState:
    """Return the page before its first stage, with what the settings and the triage say of OCR."""
    wanted = content.quality is not TextQuality.GOOD and not _audited(content)
    if settings.ocr == "force" or settings.text_layer == "off":
        wanted = True
    if settings.ocr == "off" or settings.text_layer == "only":
        wanted = False
    return PageState(content=content, settings=settings, ocr=wanted)


def _always(state: PageState) -> bool:
    return True


@dataclass(frozen=True)
class Stage:
    """One thing that happens to a page. `needed` says whether it happens to this one; `run` does it and may use the
    models; `fallback` returns the state to go on with where `run` fails, and cannot fail itself."""

    name: str
    run: Callable[[PageState, Engines], PageState]
    fallback: Callable[[PageState], PageState] = unchanged
    needed: Callable[[PageState], bool] = _always


def _audited(content: PageContent) -> bool:
    """Whether a text layer of doubtful worth is compared with the pixels before OCR replaces it."""
    if content.characters is None:
        return False
    broken = content.quality is TextQuality.BROKEN and bool(foreign_script(content.characters.text))
    return broken or content.quality is TextQuality.OCR_LAYER


def _has_foreign_ocr(state: PageState) -> bool:
    """Whether the page has an OCR layer that the file brought along."""
    return state.content.quality is TextQuality.OCR_LAYER and state.content.characters is not None


def _may_choose(state: PageState) -> bool:
    """Whether the settings leave open what the words are read from."""
    return state.settings.ocr == "auto" and state.settings.text_layer == "auto"


def _may_have_pictures(state: PageState) -> bool:
    drawn = bool(state.content.images) or len(state.content.drawings) > 0
    return drawn or any(region.category is Category.PICTURE for region in state.regions)


def _lines(state: PageState) -> list[Line]:
    if not state.noisy:
        return lines_of(state.upright, EXACT_SPACING)
    found = [steadied(line) for line in lines_of(state.upright, NOISY_SPACING)]
    return snapped(found, SNAP_OCR if state.source == "ocr" else SNAP_LAYER)


def _marked(group: Group, category: Category, state: PageState) -> Block:
    block = text_block(group, category, state)
    if category.is_furniture:
        return block
    marker = marker_of(group, category)
    return msgspec.structs.replace(block, marker=marker, spans=without_marker(block.spans, marker))


def _body_size(words: Sequence[Word]) -> float:
    """Size in points of most characters; 10 where there are none."""
    weight: dict[float, int] = {}
    for word in words:
        weight[word.size] = weight.get(word.size, 0) + len(word.text)
    return max(weight, key=lambda size: (weight[size], size), default=10.0)


# ---- the words


def audit(state: PageState, engines: Engines) -> PageState:
    """Is the OCR layer that somebody put under the scan what the scan says? Where it is not, OCR replaces it."""
    content = state.content
    assert content.characters is not None  # only then the stage is needed
    faithful = is_faithful(words_of(content.characters), lambda boxes: engines.read(content, boxes))
    return replace(state, ocr=not faithful)


def orientation(state: PageState, engines: Engines) -> PageState:
    """Turn a page that is read from its pixels and straighten it; straighten a scan whose text layer is believed."""
    from docparse.layout.orientation import DESKEW_DPI, deskew_angle
    from docparse.layout.resolution import small_dpi

    content = state.content
    if not state.ocr:
        return replace(state, content=levelled(content, deskew_angle(content.render(DESKEW_DPI).pixels)))
    content = turned(content, engines.orientation.angle(content.render(small_dpi(content))))
    return replace(state, content=straightened(content, deskew_angle(content.render(DESKEW_DPI).pixels)))


def ocr(state: PageState, engines: Engines) -> PageState:
    """Read the words from the pixels; say so where they cannot be read."""
    result = engines.read(state.content)
    characters = state.content.characters
    said = unreadable(result.lines, characters.text if characters is not None else "")
    return replace(state, words=result.words, source="ocr", unreadable=said, unread_lines=result.unread)


def words(state: PageState, engines: Engines) -> PageState:
    """Read the words from the text layer: also where OCR was wanted and failed."""
    characters = state.content.characters
    return replace(state, words=words_of(characters) if characters is not None else ())


# ---- regions, tables, pictures, formulas: what takes words before they are running text


def layout(state: PageState, engines: Engines) -> PageState:
    """Ask PP-StructureV3 what it sees where."""
    return replace(state, regions=engines.regions(state.content))


def rulings(state: PageState, engines: Engines) -> PageState:
    """Take the strokes of the file; find them in the pixels of a scan."""
    content, found = state.content, state.content.rulings
    if state.noisy and len(found) == 0:
        found = rulings_from_image(content.render(engines.ocr_dpi(content)))
    return replace(state, rulings=found, frames=frames_of(content.panels, found))


def tables(state: PageState, engines: Engines) -> PageState:
    """Rebuild tables; their words are no running text."""
    upright = state.upright
    found = find_tables(upright, state.rulings, state.regions, state.content.box)
    taken = {id(upright[i]) for table in found for i in table.words}
    return replace(
        state,
        tables=[table_block(table, state.source) for table in found],
        words=[word for word in state.words if id(word) not in taken],
    )


def pictures(state: PageState, engines: Engines) -> PageState:
    """Find the figures; which words are printed in them is decided line by line, later."""
    boxes = [table.box for table in state.tables]
    drawings = [Box(*map(float, box)) for box in state.content.drawings]
    found = find_pictures(state.regions, state.content.images, drawings, boxes, _lines(state), state.content.box)
    return replace(state, pictures=found)


def formulas(state: PageState, engines: Engines) -> PageState:
    """Read displayed formulas outside figures: as LaTeX where boxes and sizes are exact, else as pictures."""
    upright = [word for word in state.upright if not any(box.holds(*word.box.center) for box in state.pictures)]
    if state.noisy:
        found = find_scanned_formulas(upright, state.regions)
    else:
        found = find_formulas(upright, state.regions, state.rulings, state.content.box, _body_size(upright))
    taken = {id(upright[i]) for formula in found for i in formula.words}
    return replace(
        state,
        formulas=[formula_block(formula, upright, state.source) for formula in found],
        words=[word for word in state.words if id(word) not in taken],
    )


# ---- running text: lines, groups, categories


def lines(state: PageState, engines: Engines) -> PageState:
    """Put the words that are left into lines."""
    return replace(state, lines=_lines(state))


def stacked(state: PageState, engines: Engines) -> PageState:
    """Gather fractions, limits and other small stacks into the line of text that they belong to."""
    return replace(state, lines=gathered(state.lines, state.rulings))


def labels(state: PageState, engines: Engines) -> PageState:
    """Part the words printed in figures from the running text."""
    running, found = labels_apart(state.lines, state.pictures)
    figures = [picture_block(*pair) for pair in zip(state.pictures, found, strict=True)]
    return replace(state, lines=running, figures=figures)


def groups(state: PageState, engines: Engines) -> PageState:
    """Group the lines of one paragraph, heading or item."""
    return replace(state, groups=groups_of(state.lines, state.regions, state.rulings, NOISY if state.noisy else EXACT))


def entries(state: PageState, engines: Engines) -> PageState:
    """Part groups where a formula stands between their lines, and at the entries of a table of contents."""
    return replace(state, groups=entries_apart(parted(state.groups, [formula.box for formula in state.formulas])))


def sideways(state: PageState, engines: Engines) -> PageState:
    """Add the lines that run up, down or upside down."""
    return replace(state, groups=[*state.groups, *(Group([line]) for line in turned_lines(state.words))])


def style(state: PageState, engines: Engines) -> PageState:
    """Measure what is normal on this page."""
    return replace(state, style=page_style(state.groups, state.content.box, noisy=state.noisy))


def furniture(state: PageState, engines: Engines) -> PageState:
    """Tell running headers and footers."""
    page, body = state.content.box, state.page_style.body
    return replace(state, furniture=find_furniture(state.groups, state.floats, page, body, state.rulings))


def categories(state: PageState, engines: Engines) -> PageState:
    """Say of every group what it is."""
    below = followers(state.groups)
    named = [
        state.furniture.get(i) or categorise(group, state.page_style, state.floats, state.rulings, below[i])
        for i, group in enumerate(state.groups)
    ]
    return replace(state, categories=named)


def texts(state: PageState, engines: Engines) -> PageState:
    """Join the lines of every group: hyphens mended, emphasis and formulas marked, the marker of an item apart."""
    return replace(state, texts=[_marked(*pair, state) for pair in zip(state.groups, state.categories, strict=True)])


# ---- the page


def order(state: PageState, engines: Engines) -> PageState:
    """Put everything into reading order: headers, body, footers."""
    body = state.body
    rtl = sum(line.rtl for line in state.lines) > len(state.lines) / 2
    strokes = state.rulings
    for box in (table.box.padded(2) for table in state.tables):  # strokes inside tables part nothing
        inside = (strokes >= (box.x0, box.y0, box.x0, box.y0)) & (strokes <= (box.x1, box.y1, box.x1, box.y1))
        strokes = strokes[~inside.all(axis=1)]
    boxes = [block.box for block in body]
    words = [Words(block.text, block.category is Category.SECTION_HEADER) for block in body]
    em = state.page_style.body
    found = reading_order(boxes, em=em, rtl=rtl, strokes=strokes, frames=state.frames, words=words)
    found = ranked(boxes, found, state.regions)
    return replace(state, blocks=state.framed([body[i] for i in found]))


def images(state: PageState, engines: Engines) -> PageState:
    """Cut out pictures, and formulas that could not be read."""
    content = state.content
    blocks = with_image_names(state.blocks, content.number)
    return replace(state, blocks=blocks, assets=crops(blocks, lambda: content.render(state.settings.dpi)))


STAGES = (
    Stage("audit", audit, needed=lambda state: _audited(state.content) and _may_choose(state)),
    Stage("orientation", orientation, needed=lambda state: state.ocr or _has_foreign_ocr(state)),
    Stage("ocr", ocr, needed=lambda state: state.ocr),
    Stage("words", words, plain_words, needed=lambda state: state.source != "ocr"),
    Stage("layout", layout, needed=lambda state: state.settings.layout_engine != "none"),
    Stage("rulings", rulings),
    Stage("tables", tables),
    Stage("pictures", pictures, needed=_may_have_pictures),
    Stage("formulas", formulas, needed=lambda state: state.settings.formulas),
    Stage("lines", lines, plain_lines),
    Stage("stacked", stacked, needed=lambda state: state.settings.formulas and not state.noisy),
    Stage("labels", labels, pictures_without_labels),
    Stage("groups", groups, line_by_line),
    Stage("entries", entries),
    Stage("sideways", sideways, word_by_word),
    Stage("style", style),
    Stage("furniture", furniture),
    Stage("categories", categories, all_text),
    Stage("texts", texts, plain_texts),
    Stage("order", order, top_down),
    Stage("images", images, no_images, needed=lambda state: state.settings.images != "none"),
)

TEXT_ALONE = (
    Stage("words", words, plain_words),
    Stage("lines", lines, plain_lines),
    Stage("groups", groups, line_by_line),
    Stage("sideways", sideways, word_by_word),
    Stage("categories", lambda state, engines: all_text(state)),
    Stage("texts", lambda state, engines: plain_texts(state)),
    Stage("order", order, top_down),
)
"""The words of the text layer as paragraphs: for a page that nothing else could be done with."""
