"""Tiny random decoders of six kinds, prompts for them, and what the plain decoder answers without our engine."""

import random
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import pytest
import torch
from module_decoding import module_logits, sequential
from torch import nn

from docparse.engine.prompt import Prompt
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Candidate, Tree

WINDOW = 5  # written tokens that the windowed one reads
WORDS, WIDTH = 64, 32
SIZES = {"vocab_size": WORDS, "hidden_size": WIDTH, "intermediate_size": 48, "num_hidden_layers": 2}
SIZES |= {"num_attention_heads": 4, "num_key_value_heads": 2}
EXPERTS = {"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 16, "num_key_value_heads": 4}
EXPERTS |= {"mlp_layer_types": ["dense", "sparse"]}
DENSE = {"mlp_layer_types": ["dense", "dense"], "num_key_value_heads": 4, "sliding_window": WINDOW}


def rope(*sections, **more):
    usual = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": list(sections)}
    return {"head_dim": 8, "rope_parameters": usual | more}


HYBRID = rope(2, 1, 1, mrope_interleaved=True, partial_rotary_factor=0.5)
HYBRID |= {"head_dim": 16, "num_hidden_layers": 4, "full_attention_interval": 2}
HYBRID |= {"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 6}
DECODERS = {  # transformers' class, its axes of positions, and its configuration besides `SIZES`
    "plain": ("qwen2.modeling_qwen2.Qwen2", 1, {}),
    "m-rope": ("qwen3_vl.modeling_qwen3_vl.Qwen3VLText", 3, rope(2, 1, 1)),  # with deepstack
    "xd-rope": ("hunyuan_vl.modeling_hunyuan_vl.HunYuanVLText", 4, rope(1, 1, 1, 1)),
    "experts": ("deepseek_ocr2.modeling_deepseek_ocr2.DeepseekOcr2Text", 1, EXPERTS),
    "windowed": ("unlimited_ocr.modeling_unlimited_ocr.UnlimitedOcrText", 1, DENSE),
    "hybrid": ("qwen3_5.modeling_qwen3_5.Qwen3_5Text", 3, HYBRID),  # with layers of linear attention
}
KINDS = tuple(DECODERS)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    torch.set_num_threads(1)


def random_decoder(kind):
    path, _, more = DECODERS[kind]
    module, _, name = path.rpartition(".")
    found = import_module(f"transformers.models.{module}")
    decoder = getattr(found, f"{name}Model")(getattr(found, f"{name}Config")(**SIZES | more))
    if kind == "experts":
        decoder.set_experts_implementation("eager")  # the grouped kernel knows no float64
    return decoder


@dataclass(frozen=True)
class Toy:
    """A tiny model whose outputs do not loop, and its plain answers."""

    kind: str
    text: TextModel

    @property
    def rounding(self):
        """Return by how much logits may differ: layers of linear attention compute in float32, whatever is asked."""
        return 1e-5 if self.kind == "hybrid" else 1e-6

    def prompt(self, length, seed=0):
        """`length` random embeddings; from the third on up to six visual ones, on a grid of two rows."""
        made = torch.Generator().manual_seed(seed)
        axes, dtype = self.text.axes, self.text.dtype
        visual = torch.zeros(length, dtype=torch.bool)
        visual[2 : min(8, length - 1)] = True
        count = int(visual.sum())
        positions = torch.arange(length).repeat(axes, 1)
        if axes > 1:  # a picture takes fewer positions than it has tokens
            place = torch.arange(count)
            positions[:, 2 : 2 + count] = 2
            positions[-2, 2 : 2 + count] += place // 3
            positions[-1, 2 : 2 + count] += place % 3
            positions[:, 2 + count :] -= max(0, count - 3)
        features = [torch.randn(count, WIDTH, generator=made).to(dtype) for _ in range(2)]
        return Prompt(
            ids=torch.randint(WORDS, (length,), generator=made),
            embeds=torch.randn(length, WIDTH, generator=made).to(dtype),
            positions=positions,
            next_position=positions.max(dim=1).values + 1,
            visual=visual,
            structural=torch.zeros(count, dtype=torch.bool),
            boxes=torch.zeros(count, 4),
            deepstack=tuple(features) if self.kind == "m-rope" and count else (),
        )

    def sequential(self, prompt, tokens):
        return sequential(self.text, prompt, tokens)

    def after(self, prompt, written, token, past):
        """Logits `[V]` after one more token."""
        position = (prompt.next_position + written)[:, None]
        return module_logits(self.text, self.text.embed(torch.tensor([token])), position, past)[-1]

    def greedy(self, prompt, count, process=lambda tokens, logits: logits):
        """The first `count` tokens of greedy decoding by transformers' own attention and cache; `process` may change
        the logits that follow an output."""
        rows, past = self.sequential(prompt, [])
        tokens, logits = [], rows[-1]
        while len(tokens) < count:
            tokens.append(int(process(tokens, logits).argmax()))
            logits = self.after(prompt, len(tokens) - 1, tokens[-1], past)
        return tokens


@cache
def made(kind, dtype):
    torch.manual_seed(KINDS.index(kind))
    decoder, head = random_decoder(kind), nn.Linear(WIDTH, WORDS, bias=False)
    for module in (decoder, head):
        for weight in module.parameters():
            if weight.dim() > 1:  # large enough that the next token depends on all that came before
                nn.init.normal_(weight, std=0.4)
        module.to(dtype).eval()
        module.requires_grad_(False)
    return Toy(kind, TextModel(decoder, head, frozenset(), DECODERS[kind][1], f"toy-{kind}"))


@pytest.fixture(scope="session")
def toys():
    """`toys(kind, dtype=torch.float64)`; each is made once."""
    return lambda kind, dtype=torch.float64: made(kind, dtype)


@pytest.fixture(scope="session", params=KINDS)
def kind(request):
    return request.param


@pytest.fixture(scope="session")
def toy(kind):
    """Each kind in float64, where near-ties do not decide."""
    return made(kind, torch.float64)


@pytest.fixture(scope="session")
def random_tree():
    """`random_tree(seed, most)`: a packed tree of up to `most` nodes besides the root."""

    def build(seed, most):
        dice = random.Random(seed)
        candidates = [
            Candidate([dice.randrange(6) for _ in range(dice.randrange(1, 7))], "any") for _ in range(dice.randrange(6))
        ]
        return Tree.grow(dice.randrange(WORDS), candidates, most)

    return build
