"""A checkpoint that was just pulled reads one page whose words are known: does it, how fast, and what differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter

import msgspec

from docparse.accel.stack import parse_stack
from docparse.errors import EnvironmentProblem, ran_out_of_memory
from docparse.guard import Guard
from docparse.layout.reader import PageReader
from docparse.models.family import Family
from docparse.models.names import locate
from docparse.pdf import open_document
from docparse.settings import Settings
from docparse.types import Category
from docparse.vlm.checkpoint import CheckpointFact
from docparse.vlm.engine import VlmEngine
from docparse.vlm.loaded import compared, load
from docparse.vlm.pages import PageView, draft_page
from docparse.vlm.reader import reading
from docparse.vlm.requests import VlmAnswer
from docparse.weights import weightfiles

DATA = Path(__file__).parent.parent / "data"
PAGE = DATA / "check.pdf"  # of check.typ
SMALL_PAGE = DATA / "check-small.pdf"  # docparse.synthetic's block of text with the seed bench/block/24
ENOUGH_WORDS = 0.8  # of the page's words: one that reads finds nearly all, one that does not finds a few small words
MAX_TOKENS = 2048  # tokens: four times what the page takes in the wordiest markup
SHOWN = 300  # characters of what was written


class SeenPicture(msgspec.Struct, frozen=True):
    """A picture as the model saw it: pixels, and the visual tokens that they became."""

    width: int
    height: int
    visual_tokens: int


class Speed(msgspec.Struct, frozen=True):
    """Seconds by stage, tokens of prompts (visual ones included) and of outputs, and tokens a second."""

    load: float
    vision: float
    prefill: float
    decode: float
    prompt_tokens: int
    tokens: int
    prefill_rate: float
    decode_rate: float


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The result of reading the page. `found` of its `words` are in what was written, which begins with `text`;
    `published` is the card's number of parameters, `reads` says whether the page is read whole or region by region."""

    name: str
    family: str
    revision: str
    folder: str
    bytes: int
    parameters: int
    published: int
    device: str
    dtype: str
    asked: tuple[CheckpointFact, ...]
    reads: str
    pictures: tuple[SeenPicture, ...]
    speed: Speed
    ending: str
    words: int
    found: int
    text: str

    @property
    def share(self) -> float:
        return self.found / max(1, self.words)

    @property
    def good(self) -> bool:
        """Return whether what was written is the page's text."""
        return self.share >= ENOUGH_WORDS


def check_model(name: str, *, device: str = "auto", dtype: str = "auto", offline: bool = False) -> Checked:
    """Return what came of loading a model and having it read the page, by its own way and without acceleration. Raises
    as `load` does, and `EnvironmentProblem` where memory runs out."""
    family, snapshot = locate(name, offline=offline)
    _ = family.published  # a new adapter may name what is not there; not every copy asks for it
    began = perf_counter()
    vlm = load(name, device=device, dtype=dtype, offline=offline, tell=lambda line: None)  # all of it is reported
    loaded = perf_counter() - began
    held, folder = weightfiles.parameters(snapshot.folder), str(snapshot.folder)
    settings = Settings(model=name, accel="none", images="none", max_tokens=MAX_TOKENS, dpi=vlm.family.dpi)
    view = _page(vlm.family, settings)
    answers = _answers(VlmEngine.of(vlm, parse_stack("none"), load), view, settings)
    expected = words_of(block.text for block in view.blocks if block.category is not Category.FORMULA)
    written = [answer.text.characters for answer in answers]
    return Checked(
        name=name,
        family=vlm.family.card.name,
        revision=vlm.revision,
        folder=folder,
        bytes=snapshot.size(),
        parameters=held,
        published=vlm.family.card.parameters,
        device=str(vlm.text.device),
        dtype=str(vlm.text.dtype).removeprefix("torch."),
        asked=tuple(compared(vlm, folder, held)),
        reads="page" if vlm.family.reads_whole(view.box) else "regions",
        pictures=tuple(SeenPicture(one.frame.width, one.frame.height, one.generation.visual_tokens) for one in answers),
        speed=_speed(answers, loaded, view.clock.seconds.get("vision", 0.0)),
        ending=", ".join(sorted({answer.generation.ending for answer in answers})),
        words=expected.total(),
        found=(expected & words_of(written)).total(),
        text=" ".join(" ".join(written).split())[:SHOWN],
    )


def words_of(texts: Iterable[str]) -> Counter[str]:
    """Return how often each word is in some texts, letter case aside; marks between letters part words."""
    return Counter(word for text in texts for word in re.findall(r"[^\W_]+", text.lower()))


def _page(family: Family, settings: Settings) -> PageView:
    """The page of a paper; for a model that knows only small pages, one of those."""
    path = PAGE if family.image_limits is None else SMALL_PAGE
    with open_document(path, name=path.name) as document:
        draft = draft_page(document.page(1), family, PageReader(settings), Guard())
    return PageView.of(draft, family, settings.page_seconds)


def _answers(engine: VlmEngine, view: PageView, settings: Settings) -> Sequence[VlmAnswer]:
    """Return what the model itself wrote: the pipeline's words, with which a page that fails is filled, prove
    nothing."""
    try:
        written = reading(engine, settings).write(view)
    except (MemoryError, RuntimeError) as error:
        if not ran_out_of_memory(error):
            raise
        raise EnvironmentProblem("not enough memory to read one page: try another --device or --dtype") from None
    return written.answers


def _speed(answers: Sequence[VlmAnswer], loaded: float, vision: float) -> Speed:
    seconds = Counter[str]()
    for answer in answers:
        seconds.update(answer.generation.seconds())
    prefill = seconds.pop("prefill", 0.0)
    prompt = sum(answer.generation.prompt_tokens for answer in answers)
    tokens = sum(len(answer.generation.tokens) for answer in answers)
    decode = seconds.total()
    return Speed(
        load=round(loaded, 3),
        vision=round(vision, 3),
        prefill=round(prefill, 3),
        decode=round(decode, 3),
        prompt_tokens=prompt,
        tokens=tokens,
        prefill_rate=round(prompt / max(prefill, 1e-6), 1),
        decode_rate=round(tokens / max(decode, 1e-6), 1),
    )
