"""FastV over every family's twin: what is dropped is as if masked from its layer on, and its rows are gone."""

from dataclasses import replace

import pytest

from docparse.accel.dart import Dart
from docparse.accel.fastv import FastV
from docparse.errors import UsageError


class Literal:
    """Ranks by the last word's attention in the layer before, and hides what is not among the best ever after."""

    def __init__(self, method, prompt):
        self.method = method
        structural = iter(prompt.structural.tolist())
        self.open = [row for row, visual in enumerate(prompt.visual.tolist()) if visual and not next(structural)]
        self.dropped: list[int] = []
        self.prefilled = -1

    def begin(self):
        self.prefilled += 1

    def hidden(self, layer, keys, nodes):
        return [self.dropped if layer >= self.method.layer else []] * nodes

    def saw(self, layer, weights):
        if not self.prefilled and layer + 1 == self.method.layer:
            seen = weights[:, -1].mean(dim=0).tolist()
            ranked = sorted(self.open, key=lambda row: -seen[row])
            self.dropped = ranked[round(self.method.keep * len(ranked)) :]

    def on_commit(self, count):
        pass


@pytest.mark.families
def test_it_is_the_decoder_with_dropped_tokens_masked_from_its_layer_on(asked, dense, name):
    page, method = asked(name), FastV(keep=0.1, layer=1)
    compressor = method.compressor(page.prompt)
    output = page.read(12, compressor=compressor)
    literal = Literal(method, page.prompt)
    assert output.tokens == dense(page.vlm, page.prompt, literal).greedy(12)
    assert sorted({*range(len(page.prompt))} - {*literal.dropped}) == compressor.stays.tolist()
    assert 0 < len(literal.dropped) == len(literal.open) - round(method.keep * len(literal.open))
    left = len(page.prompt) - len(literal.dropped)
    early, late = method.layer, page.vlm.text.layers - method.layer
    assert [step.read for step in output.steps] == [
        (len(page.prompt) + i,) * early + (left + i,) * late for i in range(11)
    ]


@pytest.mark.families
@pytest.mark.parametrize("method", [FastV(keep=1.0, layer=1), Dart(keep=1.0, layer=1)], ids=lambda method: method.name)
def test_keeping_everything_gives_the_plain_tokens_through_the_same_machinery(asked, name, method):
    page = asked(name)
    compressor, plain = method.compressor(page.prompt), page.read(12)
    assert page.read(12, compressor=compressor).tokens == plain.tokens
    assert compressor.prefill_rows(1).tolist() == list(range(len(page.prompt)))
    thin = replace(method, keep=0.1).compressor(page.prompt)
    assert page.read(12, compressor=thin).cache_bytes < plain.cache_bytes


@pytest.mark.parametrize("layer", [4, 9])
def test_a_layer_that_the_model_does_not_have_is_refused(layer):
    with pytest.raises(UsageError, match=f"fastv: layer={layer}: the model has 4 layers"):
        FastV(layer=layer).check_layers(4)
