"""Two models to decode with: a function from prefix to next token, and tiny transformers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import pytest

from docparse.engine.seams import Proposer, Verified
from docparse.engine.tree import Tree

if TYPE_CHECKING:
    from docparse.engine.prompt import Prompt
    from docparse.engine.seams import Picture
    from docparse.engine.text_model import TextModel
    from docparse.models.family import Encoded
    from docparse.vlm.loaded import Vlm

NextToken = Callable[[Sequence[int]], int]


@dataclass
class Run:
    """An output, the trees that were verified for it, and what was accepted of each."""

    tokens: list[int]
    trees: list[Tree] = field(default_factory=list)
    paths: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def aal(self) -> float:
        return sum(map(len, self.paths)) / max(1, len(self.paths))

    @property
    def nodes(self) -> int:
        """Draft tokens verified."""
        return sum(len(tree) - 1 for tree in self.trees)


def _verify(tree: Tree, tokens: Sequence[int], model: NextToken) -> Verified:
    """The path of `tree` that the model itself would write after `tokens`."""
    prefix, path, node = list(tokens), [], 0
    while True:
        wanted = model(prefix)
        child = next((child for child in tree.children(node) if tree.tokens[child] == wanted), None)
        if child is None:
            return Verified(tree, tuple(path), wanted)
        path.append(child)
        prefix.append(wanted)
        node = child


@pytest.fixture(scope="session")
def decode() -> Callable[[NextToken, Proposer, int], Run]:
    """Speculative decoding of `length` tokens at tau = 1 with a table for a model."""

    def decode(model: NextToken, proposer: Proposer, length: int) -> Run:
        run = Run([model([])])
        while len(run.tokens) < length:
            tree = proposer.propose(run.tokens)
            assert tree.tokens[0] == run.tokens[-1]
            verified = _verify(tree, run.tokens, model)
            run.trees.append(tree)
            run.paths.append(verified.path)
            run.tokens += [*(tree.tokens[node] for node in verified.path), verified.free]
            proposer.observe(verified, 0.0)
        del run.tokens[length:]
        return run

    return decode


@pytest.fixture(scope="session")
def script() -> Callable[[Sequence[int]], NextToken]:
    """A model that writes a given text, and counts on from there."""

    def script(text: Sequence[int]) -> NextToken:
        return lambda prefix: text[len(prefix)] if len(prefix) < len(text) else 10_000 + len(prefix)

    return script


@pytest.fixture(scope="session")
def tiny_model() -> Callable[[int], TextModel]:
    """Tiny Qwen2 decoders by seed, in float64 so that no near-tie decides; their outputs do not loop at once."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    from docparse.engine.text_model import TextModel

    @cache
    def tiny_model(seed: int) -> TextModel:
        torch.set_num_threads(1)
        torch.manual_seed(seed)
        shape = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "vocab_size": 97}
        heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": False}
        model = Qwen2ForCausalLM(Qwen2Config(**shape, **heads, initializer_range=0.4)).double().eval()
        return TextModel(model.model, model.lm_head, frozenset(), 1, f"tiny-{seed}")

    return tiny_model


@pytest.fixture(scope="session")
def make_prompt() -> Callable[[TextModel, int], Prompt]:
    """A prompt of `length` text tokens."""
    import torch

    from docparse.engine.prompt import Prompt

    def make_prompt(model: TextModel, length: int) -> Prompt:
        ids = torch.randint(0, 97, (length,), generator=torch.Generator().manual_seed(length))
        return Prompt(
            ids=ids,
            embeds=model.embed(ids).detach(),
            positions=torch.arange(length)[None],
            next_position=torch.tensor([length]),
            visual=torch.zeros(length, dtype=torch.bool),
            structural=torch.zeros(0, dtype=torch.bool),
            boxes=torch.zeros(0, 4),
        )

    return make_prompt


@pytest.fixture
def installed(request: pytest.FixtureRequest) -> None:
    """Skip a test over families for one whose classes the installed transformers is too old to have."""
    from docparse.errors import EnvironmentProblem
    from docparse.models.native import NativeFamily, named
    from docparse.models.registry import family_named

    family = family_named(request.node.callspec.params["name"])
    if isinstance(family, NativeFamily):
        try:
            named(family.config_class)
        except EnvironmentProblem as problem:
            pytest.skip(str(problem))


@dataclass(frozen=True)
class Asked:
    """A picture as a twin's prompt: `vlm`, what it was `encoded` to, the `prompt`, and its `views`."""

    vlm: Vlm
    encoded: Encoded
    prompt: Prompt
    views: list[tuple[int, Picture]]


@pytest.fixture(scope="session")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Vlm]:
    """`twin(name)` -> the loaded twin of a family in float64, where no two logits tie."""
    import torch

    from docparse.models.registry import family_named
    from docparse.models.twins import make_twin
    from docparse.vlm.loaded import Vlm

    @cache
    def load(name: str) -> Vlm:
        torch.set_num_threads(1)
        folder, family = str(tmp_path_factory.mktemp("weights")), family_named(name)
        assert family is not None
        make_twin(family, folder)
        model = family.load(folder, dtype=torch.float64, device="cpu")
        return Vlm.of(name, family, model, family.processor(folder))

    return load


@pytest.fixture(scope="session")
def asked(twin: Callable[[str], Vlm]) -> Callable[..., Asked]:
    """`asked(name, page=0)` -> a page of dark bars, different ones for each number, and the instruction to read it."""
    import numpy as np

    from docparse.engine.seams import Picture

    @cache
    def ask(name: str, page: int = 0) -> Asked:
        vlm, dice = twin(name), np.random.default_rng(page)
        pixels = np.full((220, 150, 3), 255, dtype=np.uint8)
        for top in range(10, 120, 12):
            pixels[top : top + 5, 10 : int(dice.integers(40, 140))] = dice.integers(0, 120, 3)
        encoded = vlm.encode(pixels, vlm.family.page_instruction)
        scale = encoded.mean, encoded.std
        views = [(view.tokens, Picture(pixels, view.width, view.height, *scale)) for view in encoded.views]
        return Asked(vlm, encoded, vlm.prompt(encoded), views)

    return ask
