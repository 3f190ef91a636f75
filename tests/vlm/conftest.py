"""A model that writes what it is told, whatever the picture shows, and pages for it to read."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
import torch
from toy_decoders import random_tree, toys
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from docparse.accel.stack import Stack
from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.guard import Guard
from docparse.layout.reader import PageReader, PageResult
from docparse.logits import Sampling
from docparse.models.dialects.markdown import MarkdownDialect
from docparse.models.family import Encoded
from docparse.pdf import open_document
from docparse.pdf.content import PageContent
from docparse.settings import Settings
from docparse.vlm.engine import VlmEngine
from docparse.vlm.pages import PageView, draft_page, quiet
from docparse.vlm.random_weights import train_tokenizer
from docparse.vlm.reader import VlmReader, blank_page, reading

__all__ = ["random_tree", "toys"]

END = "<|end|>"
PROMPT = 5  # tokens, three of them visual
ROOM = 100_000  # positions between the prompts of two outputs

MARKDOWN = MarkdownDialect()
torch.set_num_threads(1)  # faster for models this small


class Positions(torch.nn.Module):
    """A decoder whose hidden state is the position: what comes next is looked up there."""

    def __init__(self, vocabulary):
        super().__init__()
        self.embedding = torch.nn.Embedding(vocabulary, 1)
        sizes = {"num_hidden_layers": 1, "num_attention_heads": 1, "hidden_size": 1, "vocab_size": vocabulary}
        self.config = SimpleNamespace(**sizes, _attn_implementation="eager")

    def get_input_embeddings(self):
        return self.embedding

    def set_attn_implementation(self, name): ...

    def forward(self, inputs_embeds, position_ids, **_):
        nothing = torch.zeros_like(inputs_embeds)[:, None]
        ALL_ATTENTION_FUNCTIONS[self.config._attn_implementation](
            SimpleNamespace(layer_idx=0), nothing, nothing, nothing, None
        )
        return SimpleNamespace(last_hidden_state=position_ids[..., None].float())


@dataclass
class Parrot:
    """Stands for a loaded model: `say` gives the text for a picture and an instruction; `heard` are those given."""

    say: Callable[[np.ndarray, str], str]
    tokenizer: object
    family: object

    def __post_init__(self):
        self.heard: list[tuple[np.ndarray, str]] = []
        self.lines: list[list[int]] = []
        self.processor = SimpleNamespace(tokenizer=self.tokenizer)
        end = self.tokenizer.convert_tokens_to_ids(END)
        decoder = Positions(len(self.tokenizer))
        self.text = TextModel(decoder, self._logits, frozenset({end}), 1, "parrot")

    def encode(self, image, instruction):
        self.heard.append((image, instruction))
        height, width = image.shape[:2]
        return Encoded({"heard": len(self.heard) - 1}, torch.zeros(0), torch.zeros(0), torch.zeros(0), width, height)

    def prompts(self, encoded):
        return [self.prompt(each) for each in encoded]

    def prompt(self, encoded):
        ids = self.tokenizer.encode(self.say(*self.heard[encoded.inputs["heard"]]), add_special_tokens=False)
        self.lines.append([*ids, *self.text.end])
        begin = ROOM * len(self.lines)
        visual = torch.tensor([False, True, True, True, False])
        return Prompt(
            ids=torch.zeros(PROMPT, dtype=torch.long),
            embeds=torch.zeros(PROMPT, 1),
            positions=torch.arange(begin - PROMPT, begin)[None],
            next_position=torch.tensor([begin]),
            visual=visual,
            structural=torch.zeros(3, dtype=torch.bool),
            boxes=torch.zeros(3, 4),
        )

    def _logits(self, hidden):
        logits = torch.zeros(*hidden.shape[:-1], self.text.vocabulary)
        said = [self._after(position + 1) for position in hidden.flatten().long().tolist()]
        return logits.scatter_(-1, torch.tensor(said).view(*hidden.shape[:-1], 1), math.e)

    def _after(self, position):
        line, offset = divmod(position, ROOM)
        words = self.lines[line - 1]
        return words[min(offset, len(words) - 1)]


@pytest.fixture(scope="session")
def tokenizer():
    return train_tokenizer(["<|begin|>", END], END)


@pytest.fixture(scope="session")
def page_family():
    """`page_family(dialect, reads="page", ...)` -> a family that asks `Read the page.` and `Read the region.`"""

    def make(dialect=MARKDOWN, reads="page", **more):
        usual = {"card": SimpleNamespace(name="parrot"), "image_limits": None, "layout": None}
        usual["rereads"] = (Sampling(0.5, top_p=1e-6), Sampling(0.8, top_p=1e-6))  # what it says, and nothing else
        usual["page_instruction"] = "Read the page."
        usual["region_instruction"] = lambda category: f"Read the region: {category.value}."
        usual |= {"dialect": dialect, "region_dialect": lambda category: dialect}
        return SimpleNamespace(reads=reads, reads_whole=lambda box: reads == "page", **(usual | more))

    return make


class ReadsOnce(PageReader):
    """The pipeline, which reads a page once with the same settings, whatever the model says to it."""

    known: ClassVar[dict[tuple[int, Settings], tuple[PageContent, PageResult]]] = {}

    def read(self, content, **more):
        key = id(content), self.settings
        if key not in self.known:
            self.known[key] = content, super().read(content, **more)
        return self.known[key][1]


def read_page(content, reader, pipeline, *, guard=None, document=None, tell=quiet):
    """Return a page read by the pipeline and then by the model, in this process."""
    family, settings = reader.model.family, reader.settings
    draft = draft_page(content, family, pipeline, guard or Guard())
    if draft.blank:
        return blank_page(draft, family, settings)
    view = PageView.of(draft, family, settings.page_seconds, tell, document)
    reader.begin("page", view)
    while not (written := dict(reader.advance())):
        pass
    return reader.finished(draft, view, written["page"])


@dataclass
class Reads:
    """A reader with its pipeline: `read(content)` is a page read by one after the other."""

    reader: VlmReader
    pipeline: PageReader

    @property
    def vlm(self):
        return self.reader.model.vlm

    def read(self, content, **more):
        return read_page(content, self.reader, self.pipeline, **more)


@pytest.fixture
def reader(tokenizer, page_family):
    """`reader(say, method=None, family=..., **settings)` -> a reader whose model says `say(picture, instruction)`."""

    def make(say, method=None, family=None, **settings):
        chosen = Settings(**{"model": "parrot", "layout_engine": "none", **settings})
        parrot = Parrot(say, tokenizer, family or page_family())
        return Reads(reading(VlmEngine(parrot, Stack((method,) if method else ())), chosen), ReadsOnce(chosen))

    return make


@pytest.fixture
def read_small(one_page_pdf):
    """`read_small(engine, settings)` -> the small page as a model reads it."""

    def read(engine, settings):
        with open_document(one_page_pdf, name="page.pdf") as document:
            return read_page(document.page(1), reading(engine, settings), PageReader(settings)).page

    return read


@pytest.fixture(scope="session")
def pages(example_pdf):
    """`pages(1)` -> the content of a page of the example paper."""
    with open_document(example_pdf, name=example_pdf.name) as document:
        yield cache(document.page)


@pytest.fixture(scope="session")
def found(pages):
    """`found(1)` -> the page as the pipeline reads it."""

    @cache
    def read(number):
        return PageReader(Settings()).read(pages(number))

    return read


@pytest.fixture(scope="session")
def written(found):
    """`written(1)` -> the page as a model that makes no mistake would write it, in Markdown."""
    from docparse.models.family import Frame

    def write(number, blocks=None):
        page = found(number)
        frame = Frame(page.content.box, 1000, 1400)
        return MarkdownDialect().write(page.page.blocks if blocks is None else blocks, frame).text

    return write
