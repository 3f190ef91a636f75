"""What a vision-language model family has to say about itself: data, a few functions, and what its makers published
(`published/NAME.json`). Everything generic is done by others from these answers."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, Protocol

from docparse.errors import EnvironmentProblem
from docparse.settings import DPI, MAX_TOKENS
from docparse.types import Block, Box, Category
from docparse.weights.card import Card

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image
    from torch import Tensor, nn
    from transformers import PreTrainedConfig

    from docparse.logits import LogitsRule, Sampling


HALF = (0.5, 0.5, 0.5)


@dataclass(frozen=True)
class Frame:
    """A picture of a page or of a part of it: `box` is the part in page space (points), `width` and `height` are the
    pixels of the picture as the model sees it (after its own resizing), the space of the model's box coordinates."""

    box: Box
    width: int
    height: int

    def to_page(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        sx, sy = self.box.width / self.width, self.box.height / self.height
        return Box(self.box.x0 + x0 * sx, self.box.y0 + y0 * sy, self.box.x0 + x1 * sx, self.box.y0 + y1 * sy)

    def to_pixels(self, box: Box) -> tuple[float, float, float, float]:
        """Return a box of the page in the picture's pixels."""
        sx, sy = self.width / self.box.width, self.height / self.box.height
        left, top = self.box.x0, self.box.y0
        return (box.x0 - left) * sx, (box.y0 - top) * sy, (box.x1 - left) * sx, (box.y1 - top) * sy


@dataclass(frozen=True)
class Draft:
    """Blocks written as the model would write them. `blocks[i]` begins at character `starts[i]` of `text`; a block
    that this dialect does not write has no entry."""

    text: str
    blocks: tuple[Block, ...]
    starts: tuple[int, ...]


@dataclass(frozen=True)
class ParsedOutput:
    """A model's output as blocks. `extents[i]` are the first and one-past-last character of `blocks[i]` in the output
    text. `boxed` is False for dialects that write no boxes: then each block's box is the whole frame's. `below` are the
    blocks that may go on with the one before: nothing but a line break parts them. `headings` is False where a text may
    be a heading that the model does not mark. `problems` says, in one line each, what was broken and how it was read.
    `turned` are the degrees, against the clock, by which the model wants the picture turned before it reads it."""

    blocks: tuple[Block, ...]
    extents: tuple[tuple[int, int], ...]
    boxed: bool
    problems: tuple[str, ...] = ()
    below: frozenset[int] = frozenset()
    headings: bool = True
    turned: int = 0


class Dialect(Protocol):
    """A markup, both ways. `read(write(blocks).text)` gives the blocks back, in what the markup can say."""

    def write(self, blocks: Sequence[Block], frame: Frame) -> Draft:
        """Return blocks in reading order as the model would write the whole page (or region)."""

    def read(self, text: str, frame: Frame) -> ParsedOutput:
        """Never raises for anything a model may write: cut-off, unbalanced or senseless markup is read as far as it
        goes, the rest becomes text, and `problems` says so."""


@dataclass(frozen=True)
class View:
    """One of the ways in which the encoder sees a picture: `tokens` visual tokens in a row (structural ones included)
    from the whole picture at `width` x `height` pixels; tiles cut from it are one view together."""

    tokens: int
    width: int
    height: int


@dataclass(frozen=True)
class Encoded:
    """A picture and an instruction as the model's processor prepares them: `inputs` of its forward (batch of one).

    `visual [P]`, `structural [V]` and `boxes [V, 4]` are as in `docparse.engine.prompt.Prompt`. `width` and `height`
    are the pixels of the picture as the model sees it; `resized` says, where it had to be made smaller than given, from
    what to what. `views` are in the order of their tokens. Pixels reach the encoder divided by 255 and by `std`, and
    shifted.
    """

    inputs: Mapping[str, Any]
    visual: Tensor
    structural: Tensor
    boxes: Tensor
    width: int
    height: int
    resized: str = ""
    views: tuple[View, ...] = ()
    std: tuple[float, ...] = HALF


class Processor(Protocol):
    """Tokenizer and image preprocessing of one loaded folder."""

    tokenizer: Any  # transformers' PreTrainedTokenizerFast: encode without special tokens, offsets, decode

    def encode(self, image: Image | np.ndarray, instruction: str) -> Encoded:
        """Encode one RGB picture and an instruction in the published chat format, up to the model's turn."""


@dataclass(frozen=True)
class ImageLimits:
    """The pictures that a model trained on small pages can be shown: from `smallest` to `largest` pixels (width,
    height), in steps of `cell`. A larger page (in points) is read by regions, with type `type_size` pixels high."""

    smallest: tuple[int, int]
    largest: tuple[int, int]
    cell: int
    type_size: float

    def holds(self, page: Box) -> bool:
        """Return whether a page is read whole."""
        width, height = self.largest
        return page.width <= width and page.height <= height


@dataclass(frozen=True)
class OwnLayout:
    """The first step of a family that finds a page's regions itself, before it reads them: the page squeezed into
    `width` x `height` pixels, and `instruction`, which it answers in `dialect` with a box and a kind for each."""

    instruction: str
    dialect: Dialect
    width: int
    height: int


class Family(ABC):
    """One model family. Instances are cheap; torch and transformers are imported when a method is called."""

    card: Card
    dialect: Dialect  # of page_instruction's output
    page_instruction: str
    crop_instructions: Mapping[Category, str] = {}  # of a region, by its category,
    crop_instruction: str = ""  # and of all others; empty: the page's
    crop_dialect: Dialect | None = None  # of a region; None: the page's
    model_types: tuple[str, ...]  # `model_type` in config.json by which a folder is recognised
    end_token: str  # the special token that ends an output, as the published tokenizer spells it
    position_axes: int = 1
    picture_in_text: bool = False  # whether its chats have the picture as tokens in their text
    sees_together: bool = True  # whether its forward makes of several pictures the same prompts as of each alone
    spare: tuple[str, ...] = ()  # parameters that its class declares and no forward reads: a checkpoint may lack them
    modes: tuple[str, ...] = ()  # other ways to read than the usual one, chosen as `name:mode`
    dpi: int = DPI  # of pages, as the authors draw them, and the most tokens that they let it write
    max_tokens: int = MAX_TOKENS
    reads: Literal["page", "regions"] = "page"  # "regions": reads crops only,
    layout: OwnLayout | None = None  # of regions that it finds itself; None: the pipeline does
    logits: tuple[LogitsRule, ...] = ()  # what its authors do to logits, in this order
    rereads: tuple[Sampling, ...] = ()  # how its authors read a page again that came out wrong
    published_as: str = ""  # the family whose published files are this one's as well; empty: it has its own
    image_limits: ImageLimits | None = None  # None: any picture will do

    def recognises(self, config: Mapping[str, Any]) -> bool:
        """Return whether a folder with this config.json holds weights of the family."""
        return config.get("model_type") in self.model_types

    def in_mode(self, mode: str) -> Family:
        raise NotImplementedError(f"{self.card.name} has no mode {mode!r}")

    def reads_whole(self, page: Box) -> bool:
        """Return whether a page of that size (points) is read at once; otherwise region by region."""
        return self.reads == "page" and (self.image_limits is None or self.image_limits.holds(page))

    def region_instruction(self, category: Category) -> str:
        """Return the published instruction for the crop of one region; the page's where there is no other."""
        return self.crop_instructions.get(category, self.crop_instruction or self.page_instruction)

    def region_dialect(self, category: Category) -> Dialect:
        return self.crop_dialect or self.dialect

    @property
    def published(self) -> dict[str, Any]:
        """Return what the published files say, as far as it is read: file -> content; under `tokens` the special tokens
        that prompts and outputs use -> id (None: not verified), under `source` where it is from."""
        name = f"{self.published_as or self.card.name}.json"
        file = files("docparse.models") / "published" / name
        if not file.is_file():
            raise EnvironmentProblem(
                f"{self.card.name}: no docparse/models/published/{name}: write it, or set published_as"
            )
        return dict(json.loads(file.read_text(encoding="utf-8")))

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """Return the special tokens that prompts and outputs use, as the published tokenizer spells them."""
        return tuple(self.published["tokens"])

    def full_config(self) -> PreTrainedConfig:
        """Return the published shape: nothing is downloaded."""
        return self.config_of(self.published["config.json"])

    @abstractmethod
    def config_of(self, given: Mapping[str, Any]) -> PreTrainedConfig:
        """Return what a config.json says in the terms of the model's classes."""

    @abstractmethod
    def build(self, config: PreTrainedConfig) -> nn.Module:
        """Return the model, with fresh random weights, on torch's current default device (also `meta`)."""

    @abstractmethod
    def load(self, folder: str, *, dtype: Any, device: str) -> nn.Module:
        """Return the model with the weights in `folder` (published parameter names). Raises `EnvironmentProblem` with
        one line for weights that are corrupt, partial or of another family."""

    @abstractmethod
    def processor(self, folder: str) -> Processor:
        """Return what the folder's tokenizer and preprocessor files say."""

    def decoder(self, model: Any) -> nn.Module:
        return model.get_decoder()

    def head(self, model: Any, hidden: Tensor) -> Tensor:
        """Return logits as the model's own forward computes them."""
        return model.lm_head(hidden)

    def end_tokens(self, model: nn.Module, processor: Processor) -> frozenset[int]:
        """Return tokens that end an output: those of the generation config, the tokenizer's own and the family's."""
        config = getattr(model, "generation_config", None)
        return ids_of(getattr(config, "eos_token_id", None)) | self.own_end_tokens(processor)

    def own_end_tokens(self, processor: Processor) -> frozenset[int]:
        """Return the tokenizer's and the family's."""
        tokenizer = processor.tokenizer
        found = tokenizer.eos_token_id, tokenizer.get_added_vocab().get(self.end_token)
        return frozenset(token for token in found if token is not None)


def ids_of(said: Any) -> frozenset[int]:
    """Return the token ids that a configuration says: one, a list, or what is neither and says nothing."""
    return frozenset(each for each in (said if isinstance(said, list) else [said]) if type(each) is int)
