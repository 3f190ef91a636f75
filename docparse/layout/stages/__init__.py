"""What happens to a page, in order: `STAGES`.

A stage takes a `PageState` and returns the next one. It groups, names and orders what the page holds, and takes no word
away. Where one fails, its fallback stands in: the page goes on without what the stage would have added. The stages
themselves only ask the rooms of `docparse.layout`, which know words, lines and boxes, but no `PageState`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import get_args, get_origin, get_type_hints

from docparse.errors import UsageError
from docparse.layout.engines import Engines
from docparse.layout.stages import fallbacks, kinds, page, parts, text, words
from docparse.layout.state import PageState
from docparse.pdf.content import PageContent, TextQuality
from docparse.types import Block, plain

Step = Callable[[PageState], PageState]
SEQUENCES: dict[str, type] = {
    name: get_args(kind)[0]
    for name, kind in get_type_hints(PageState).items()
    if get_origin(kind) is Sequence and isinstance(get_args(kind)[0], type)
}
"""The fields of a state that are sequences, with the type of what they hold."""


@dataclass(frozen=True)
class Stage:
    """One thing that happens to a page. `adds` are the fields of the state that it may change, `needed` says whether it
    happens to this page; `fallback` returns the state to go on with where `run` fails, and cannot fail itself."""

    name: str
    run: Step
    fallback: Step = fallbacks.unchanged
    adds: tuple[str, ...] = ()
    needed: Callable[[PageState], bool] = lambda _: True

    def __post_init__(self) -> None:
        if unknown := sorted({*self.adds} - {each.name for each in fields(PageState)}):
            raise UsageError(f"the stage {self.name!r} adds {', '.join(unknown)}, which no PageState has")

    def checked(self, before: PageState, after: PageState) -> PageState:
        """Return `after`, which `run` made of `before`. Raises `TypeError` where that is no state or holds what it must
        not, `ValueError` where it differs in other fields than `adds` or its blocks have lost words."""
        if not isinstance(after, PageState):
            raise TypeError(f"it returned {type(after).__name__}, not a PageState")
        changed = {each.name for each in fields(before) if getattr(after, each.name) is not getattr(before, each.name)}
        if others := sorted(changed.difference(self.adds)):
            raise ValueError(f"it changed {', '.join(others)}, which its adds do not name")
        for name in changed & SEQUENCES.keys():
            _check_elements(name, getattr(after, name))
        if "blocks" in changed and (lost := _letters_only_in(before, after) - _letters_only_in(after, before)) > 0:
            raise ValueError(f"it took {lost} letters away with its blocks")
        return after


def _check_elements(name: str, elements: object) -> None:
    """Raises `TypeError` where the field `name` is no sequence of what it is to hold."""
    kind = SEQUENCES[name]
    if not isinstance(elements, Sequence):
        raise TypeError(f"its {name} are a {type(elements).__name__}, not a list or tuple")
    if wrong := [type(each).__name__ for each in elements if not isinstance(each, kind)]:
        raise TypeError(f"its {name} hold a {wrong[0]}, not only {kind.__name__}")


def _letters_only_in(state: PageState, other: PageState) -> int:
    """Return how many letters and digits are in blocks that another state does not have, those of tables too."""
    known = {id(block) for block in other.blocks}
    blocks = [block for block in state.blocks if id(block) not in known]
    cells = (plain(cell.spans) for block in blocks if block.table for cell in block.table.cells)
    texts = (text for block in blocks for text in (block.marker, block.text))
    return sum(sum(map(str.isalnum, text)) for text in (*texts, *cells))


OF_EXCERPTS = ("ocr", "rulings", "plots", "code", "tables", "blanks", "formulas", "lines", "labels", "groups",
               "style", "categories", "texts", "order")  # fmt: skip
"""The names of the stages that read the picture of a text."""


def _excerpts(state: PageState) -> PageState:
    """Put the text that pictures show in the place of these."""

    def read(page: PageState) -> Sequence[Block]:
        for stage in STAGES:
            if stage.name in OF_EXCERPTS and stage.needed(page):
                page = stage.run(page)
        return page.blocks

    return text.excerpts(state, read)


STAGES = (
    # where the words come from: the text layer, or the pixels
    Stage("audit", words.audit, adds=("ocr",), needed=words.is_layer_doubtful),
    Stage("letters", words.letters, adds=("content", "ocr"), needed=words.has_unnamed_letters),
    Stage("orientation", words.orientation, adds=("content",), needed=words.is_scan),
    Stage("watermark", words.watermark, adds=("content",), needed=lambda state: state.ocr),
    Stage("flatten", words.flatten, adds=("content",), needed=lambda state: state.ocr),
    Stage(
        "ocr",
        words.ocr,
        adds=("content", "words", "source", "unreadable", "unread_lines"),
        needed=lambda state: state.ocr,
    ),
    Stage("structure", words.structure, adds=("plan", "structure"), needed=words.has_tree),
    Stage("words", words.words, fallbacks.plain_words, adds=("words",), needed=lambda state: state.source != "ocr"),
    Stage("lines shown", words.lines_shown, adds=("words",), needed=words.may_have_lines_shown),
    # what takes words before they are running text
    Stage("layout", parts.layout, adds=("regions",), needed=lambda state: state.settings.layout_engine != "none"),
    Stage("rulings", parts.rulings, adds=("rulings", "panels", "shapes", "frames")),
    Stage("plots", parts.plots, adds=("plots", "captioned", "charts"), needed=parts.may_have_plots),
    Stage("named tables", parts.named_tables, adds=("tables", "places", "words"), needed=lambda state: state.is_tagged),
    Stage("code", parts.code, adds=("code", "words"), needed=parts.knows_monospaced),
    Stage("algorithms", parts.algorithms, adds=("code", "words"), needed=parts.may_have_algorithms),
    Stage("tables", parts.tables, adds=("tables", "places", "words")),
    Stage("blanks", parts.blanks, adds=("words",)),
    Stage("pictures", parts.pictures, adds=("pictures",), needed=parts.may_have_pictures),
    Stage("fractions", parts.fractions, adds=("words",), needed=parts.may_have_inline_formulas),
    Stage(
        "formulas", parts.formulas, adds=("formulas", "places", "words"), needed=lambda state: state.settings.formulas
    ),
    Stage("inline formulas", parts.inline_formulas, adds=("words",), needed=parts.may_have_inline_formulas),
    # the running text: words, lines, groups of lines
    Stage("lines", text.lines, fallbacks.plain_lines, adds=("lines",)),
    Stage("stacked", text.stacked, adds=("lines",), needed=lambda state: state.settings.formulas and not state.noisy),
    Stage("labels", text.labels, fallbacks.pictures_without_labels, adds=("lines", "figures")),
    Stage("excerpts", _excerpts, adds=("figures",), needed=text.may_have_excerpts),
    Stage("groups", text.groups, fallbacks.line_by_line, adds=("groups",)),
    Stage("entries", text.entries, adds=("groups",)),
    Stage("sideways", text.sideways, fallbacks.word_by_word, adds=("groups",)),
    # what every group is
    Stage("style", kinds.style, adds=("style",)),
    Stage("furniture", kinds.furniture, adds=("furniture",)),
    Stage("categories", kinds.categories, fallbacks.all_text, adds=("categories",)),
    Stage("texts", kinds.texts, fallbacks.plain_texts, adds=("texts", "code")),
    # the page
    Stage("order", page.order, fallbacks.top_down, adds=("blocks",)),
    Stage("images", page.images, fallbacks.no_images, adds=("blocks", "assets"), needed=page.wants_images),
)

TEXT_ALONE = (
    Stage("words", words.words, fallbacks.plain_words, adds=("words",)),
    Stage("lines", text.lines, fallbacks.plain_lines, adds=("lines",)),
    Stage("groups", text.groups, fallbacks.line_by_line, adds=("groups",)),
    Stage("sideways", text.sideways, fallbacks.word_by_word, adds=("groups",)),
    Stage("categories", fallbacks.all_text, adds=("categories",)),
    Stage("texts", fallbacks.plain_texts, adds=("texts",)),
    Stage("order", page.order, fallbacks.top_down, adds=("blocks",)),
)
"""The words of the text layer as paragraphs: for a page that nothing else could be done with."""


def first_state(content: PageContent, engines: Engines) -> PageState:
    """Return the page before its first stage, with what the settings and the triage say of OCR."""
    settings = engines.settings
    told = content.quality in (TextQuality.GOOD, TextQuality.UNTOLD)
    poor = not told and not words.may_be_audited(content)
    wanted = poor or settings.ocr == "force" or settings.text_layer == "off"
    return PageState(content=content, engines=engines, ocr=wanted and settings.may_read_pixels)
