"""FastV over every family's twin: what is dropped is as if masked from its layer on, and its rows are gone."""

from dataclasses import replace

import pytest
import torch

from docparse.accel.dart import Dart
from docparse.accel.fastocr import FastOcr
from docparse.accel.fastv import FastV
from docparse.engine.batch import generate
from docparse.engine.hooks import RowMethods
from docparse.engine.row import Limits
from docparse.engine.session import DecodeSession
from docparse.errors import UsageError

LIMITS = Limits(12, guard=False, ignore_end=True)

every_family = pytest.mark.families
qwen = pytest.mark.parametrize("name", ["qwen3-vl"])


class Literal:
    """Ranks by the last word's attention in the layer before, and hides what is not among the best ever after."""

    def __init__(self, method: FastV, prompt) -> None:
        self.method = method
        structural = iter(prompt.structural.tolist())
        self.open = [row for row, visual in enumerate(prompt.visual.tolist()) if visual and not next(structural)]
        self.dropped: list[int] = []
        self.prefilled = -1

    def begin(self) -> None:
        self.prefilled += 1

    def hidden(self, layer: int, keys: int, nodes: int) -> list[list[int]]:
        return [self.dropped if layer >= self.method.layer else []] * nodes

    def saw(self, layer: int, weights) -> None:
        if not self.prefilled and layer + 1 == self.method.layer:
            heads = weights[:, -1].tolist()
            seen = {row: sum(head[row] for head in heads) / len(heads) for row in self.open}
            ranked = sorted(self.open, key=lambda row: -seen[row])
            self.dropped = ranked[round(self.method.keep * len(ranked)) :]

    def on_commit(self, count: int) -> None:
        pass


@every_family
@pytest.mark.parametrize("method", [FastV(keep=0.1, layer=1)], ids=str)
def test_it_is_the_decoder_with_dropped_tokens_masked_from_its_layer_on(asked, dense, name, method):
    page = asked(name)
    compressor = method.compressor(page.prompt)
    [output] = generate(page.vlm.text, [page.prompt], limits=LIMITS, readers=[RowMethods(compressor)])
    literal = Literal(method, page.prompt)
    assert output.tokens == dense(page.vlm, page.prompt, literal).greedy(12)
    assert sorted({*range(len(page.prompt))} - {*literal.dropped}) == compressor.stays.tolist()
    assert 0 < len(literal.dropped) == len(literal.open) - round(method.keep * len(literal.open))
    left = len(page.prompt) - len(literal.dropped)
    early, late = method.layer, page.vlm.text.layers - method.layer
    assert [step.read for step in output.steps] == [
        (len(page.prompt) + i,) * early + (left + i,) * late for i in range(11)
    ]


@every_family
@pytest.mark.parametrize("method", [FastV(keep=1.0), Dart(keep=1.0)], ids=lambda method: method.name)
def test_keeping_everything_gives_the_plain_tokens_through_the_same_machinery(asked, name, method):
    page = asked(name)
    compressor = method.compressor(page.prompt)
    [output] = generate(page.vlm.text, [page.prompt], limits=LIMITS, readers=[RowMethods(compressor)])
    [plain] = generate(page.vlm.text, [page.prompt], limits=LIMITS)
    assert output.tokens == plain.tokens
    assert compressor.prefill_rows(2).tolist() == list(range(len(page.prompt)))
    thin = replace(method, keep=0.1, layer=1).compressor(page.prompt)
    [smaller] = generate(page.vlm.text, [page.prompt], limits=LIMITS, readers=[RowMethods(thin)])
    assert smaller.cache_bytes < plain.cache_bytes


@qwen
def test_what_a_token_held_where_it_is_dropped_is_never_read(asked, name, monkeypatch):
    """Later layers would see a dropped token's hidden state as nonsense, if they saw it."""
    page = asked(name)
    method = FastV(keep=0.3)

    def logits(spoil):
        compressor = method.compressor(page.prompt)
        layer = page.vlm.text.decoder.layers[method.layer]

        def spoiled(_, arguments):
            dropped = torch.ones(len(page.prompt), dtype=torch.bool).index_fill(0, compressor.stays, False)
            hidden = arguments[0].clone()
            hidden[:, dropped] = hidden[:, dropped] * spoil
            return (hidden, *arguments[1:])

        hook = layer.register_forward_pre_hook(spoiled)
        try:
            return DecodeSession(page.vlm.text).prefill([page.prompt], [RowMethods(compressor)])
        finally:
            hook.remove()

    assert torch.equal(logits(1.0), logits(-7.0))


@qwen
def test_rows_of_a_batch_are_as_alone(asked, name):
    pages = [asked(name, number) for number in (0, 1)]
    method = FastV(keep=0.3)
    readers = [RowMethods(method.compressor(page.prompt)) for page in pages]
    together = generate(pages[0].vlm.text, [page.prompt for page in pages], limits=LIMITS, readers=readers)
    for page, output in zip(pages, together, strict=True):
        [alone] = generate(
            page.vlm.text, [page.prompt], limits=LIMITS, readers=[RowMethods(method.compressor(page.prompt))]
        )
        assert output.tokens == alone.tokens


@qwen
def test_fastocr_reads_what_is_left(asked, name):
    page = asked(name)
    method = FastV(keep=0.3)
    [alone] = generate(
        page.vlm.text, [page.prompt], limits=LIMITS, readers=[RowMethods(method.compressor(page.prompt))]
    )
    selector = FastOcr(keep=1.0, focal=0.5, warmup=2).selector(page.prompt, page.vlm.text.layers)
    readers = [RowMethods(method.compressor(page.prompt), selector)]
    [both] = generate(page.vlm.text, [page.prompt], limits=LIMITS, readers=readers)
    assert both.tokens == alone.tokens
    assert len(selector.focal) == 2


@pytest.mark.parametrize("name", ["qwen3-vl"])
@pytest.mark.parametrize("layer", [4, 9])
def test_a_layer_that_the_model_does_not_have_is_refused(asked, name, layer):
    page = asked(name)
    with pytest.raises(UsageError, match=f"fastv: layer={layer}: the model has 4 layers"):
        DecodeSession(page.vlm.text).prefill([page.prompt], [RowMethods(FastV(layer=layer).compressor(page.prompt))])
