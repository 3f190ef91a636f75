"""FastOCR over every family's twin: against its steps written out, on a cache of which nothing is lost, in batches."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stub_methods import Trees

from docparse.accel.fastocr import FastOcr, FastOcrSelector
from docparse.accel.vlcache import VlCache
from docparse.engine.prompt import Prompt
from docparse.engine.tree import Candidate, Tree

# Unlimited-OCR reads a window of what it wrote: with it FastOCR is refused.
COUNT = 20
FIFTH = FastOcr(keep=0.2, focal=0.5, warmup=3)

every_family = pytest.mark.families(but=("unlimited-ocr",))


class Logged(FastOcrSelector):
    """Keeps what was selected: of each pass, for each layer, None for everything or what is read by each node (a list
    of one where it is the same for all)."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.log: list[list[list[list[int]] | None]] = []

    def select(self, layer):
        chosen = super().select(layer)
        if layer == 0:
            self.log.append([])
        self.log[-1].append(None if chosen is None else by_node(chosen))
        return chosen


def by_node(chosen):
    assert chosen.reads.any(dim=0).sum() <= chosen.most
    return [own.nonzero()[:, 0].tolist() for own in chosen.reads]


class Literal:
    """The method's steps, one number at a time."""

    def __init__(self, method, structural, layers):
        self.method, self.layers = method, layers
        self.open = [token for token, fixed in enumerate(structural) if not fixed]
        self.fixed = {token for token, fixed in enumerate(structural) if fixed}
        self.count = math.ceil(round(method.shares[0] * len(self.open), 6))
        self.written = 0
        self.spent: list[list[float]] = [[] for _ in range(layers)]
        self.named = [int(layer) for layer in method.layers.split("/") if layer]
        self.focal: list[int] = []
        self.last: list[int] | None = None
        self.fixations: list[list[int]] = []

    def begin(self):
        self.seen: dict[int, list[list[float]]] = {}
        self.fixations = [] if self.last is None else [self.last]
        unknown = self.method.mode == "paper" and self.last is None
        self.anew = bool(self.focal) and (unknown or not self.method.reuse)

    def told(self, layer):
        if not self.focal or layer in self.focal or (self.anew and layer == 0):
            return None
        return [sorted(self.fixed.union(each)) for each in self.fixations]

    def saw(self, layer, seen):
        if self.told(layer) is not None:
            return
        self.seen[layer] = seen
        if self.focal:
            self.fixations = [self.largest(node) for node in seen]

    def largest(self, node):
        return sorted(self.open, key=lambda token: -node[token])[: self.count]

    def on_commit(self, path):
        nodes = [0, *path]
        for node in nodes:
            if self.written == self.method.warmup:
                break
            self.written += 1
            for layer, seen in self.seen.items():
                looks = sorted((seen[node][token] for token in self.open), reverse=True)
                self.spent[layer].append(sum(looks[: self.count] if self.method.rank == "peak" else looks))
        was = bool(self.focal)
        if not self.focal and self.written == self.method.warmup:
            self.choose()
        if self.focal and (was or self.method.mode == "ours"):
            self.last = self.largest(self.seen[max(self.focal)][nodes[-1]])

    def choose(self):
        if self.named:
            self.focal = self.named
            return
        shares = {layer: sum(spent) / len(spent) for layer, spent in enumerate(self.spent)}
        wanted = max(1, math.floor(round(self.method.shares[1] * self.layers, 6)))
        while shares and len(self.focal) < wanted:
            best = max(shares, key=lambda layer: shares[layer])
            self.focal.append(best)
            gap = self.method.gap or {"ours": 2, "paper": 1}[self.method.mode]
            shares = {layer: share for layer, share in shares.items() if abs(layer - best) >= gap}


class Rule(Literal):
    """The steps as what a dense decoder must not read. `kept[l]` are the prompt's rows that layer l holds."""

    def __init__(self, method, page, kept=None):
        prompt, layers = page.prompt, page.vlm.text.layers
        super().__init__(method, prompt.structural.tolist(), layers)
        self.rows = prompt.visual.nonzero()[:, 0].tolist()
        self.prompt = len(prompt)
        self.kept = [range(len(prompt))] * layers if kept is None else [set(rows.tolist()) for rows in kept]
        self.passes = -1  # the prefill is none
        self.prefill: dict[int, list[list[float]]] = {}
        self.log: list[list[list[list[int]] | None]] = []

    def begin(self):
        self.passes += 1
        if self.passes:
            super().begin()
            self.log.append([])

    def hidden(self, layer, keys, nodes):
        if not self.passes:
            return [[]] * nodes
        evicted = [row for row in range(self.prompt) if row not in self.kept[layer]]
        self.log[-1].append(told := self.told(layer))
        unread = [set()] if told is None else [self.unread(each) for each in told]
        return [[*evicted, *each] for each in (unread * nodes if len(unread) == 1 else unread)]

    def unread(self, tokens):
        """The prompt's rows of all visual tokens but these."""
        return {row for token, row in enumerate(self.rows) if token not in tokens}

    def saw(self, layer, weights):
        """Of the prefill, only the words after the picture say anything about the picture that was read."""
        seen = weights.mean(dim=0)[:, self.rows].tolist()
        if self.passes:
            super().saw(layer, seen)
        else:
            self.prefill[layer] = seen[max(self.rows) + 1 :]

    def on_commit(self, count):
        if self.passes:
            super().on_commit(range(1, count))
        elif not self.method.warmup:
            for layer, seen in self.prefill.items():
                self.spent[layer] = [sum(node[token] for token in self.open) for node in seen]
            self.choose()
            if self.method.mode == "ours":
                self.last = self.largest(self.prefill[max(self.focal)][-1])


def as_written_out(page, dense, method, evicts=None):
    """A page's selector, once its tokens, its focal layers and what each layer read in each pass are found
    to be those of the steps written out."""
    compressor = evicts and evicts.compressor(page.prompt)
    selector = Logged(method, page.prompt, page.vlm.text.layers)
    output = page.read(COUNT, compressor=compressor, selector=selector)
    rule = Rule(method, page, compressor and compressor.keep())
    assert output.tokens == dense(page.vlm, page.prompt, rule).greedy(COUNT)
    assert selector.log == rule.log
    assert selector.focal == tuple(sorted(rule.focal))
    assert [step.read for step in output.steps] == [
        tuple(
            i + len(set(rows) - (set() if chosen is None else rule.unread(chosen[0])))
            for rows, chosen in zip(rule.kept, layers, strict=True)
        )
        for i, layers in enumerate(rule.log)
    ]
    return selector


@every_family
def test_its_focal_layers_fixations_and_tokens_are_those_of_its_steps_written_out(asked, dense, name):
    selector = as_written_out(asked(name), dense, FIFTH)
    assert len({tuple(chosen[0]) for step in selector.log for chosen in step if chosen is not None}) > 3


@every_family
def test_after_eviction_a_layer_reads_what_it_still_holds_of_the_fixation(asked, dense, name):
    page, evicts = asked(name), VlCache(budget=0.5)
    as_written_out(page, dense, FIFTH, evicts=evicts)
    alone = page.read(COUNT, compressor=evicts.compressor(page.prompt))
    everything = FastOcr(keep=1.0, focal=0.5, warmup=3).selector(page.prompt, page.vlm.text.layers)
    assert page.read(COUNT, compressor=evicts.compressor(page.prompt), selector=everything).tokens == alone.tokens


@pytest.mark.parametrize(
    "method",
    [replace(FIFTH, mode="paper"), replace(FIFTH, warmup=0), replace(FIFTH, layers="3/0")],
    ids=["paper", "by the prefill", "named"],
)
def test_other_rules_for_focal_layers_and_fixations_written_out(asked, dense, method):
    as_written_out(asked("qwen3-vl"), dense, method)


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), keep=st.sampled_from([0.05, 0.2]))
def test_a_tree_verifies_like_a_sequence_where_the_first_layer_is_focal(asked, seed, keep):
    """Every other layer knows at once what each node fixates. (What comes before the first focal layer would have to
    wait for the node before.) The tree may be of any shape, its branches right or wrong."""
    page = asked("qwen3-vl")
    method = FastOcr(keep=keep, focal=0.5, warmup=1)

    def run(proposer):
        selector = Logged(method, page.prompt, page.vlm.text.layers)
        selector.focal, selector._left = (0, 2), 0
        return page.read(COUNT, proposer, selector=selector), selector

    alone, one_by_one = run(None)
    output, selector = run(Trees(alone.tokens, seed))
    assert output.tokens == alone.tokens
    assert output.accepted > 3
    position = 0
    for step, together in zip(output.steps, selector.log, strict=True):
        assert [each if each is None else each[0] for each in together] == [
            each if each is None else each[0] for each in one_by_one.log[position]
        ]
        position += step.accepted + 1


methods = st.builds(
    FastOcr,
    keep=st.integers(0, 20).map(lambda each: each / 20),
    focal=st.integers(0, 10).map(lambda each: each / 10),
    gap=st.none() | st.integers(1, 3),
    warmup=st.integers(1, 4),
    rank=st.sampled_from(["share", "peak"]),
    mode=st.sampled_from(["ours", "paper"]),
    reuse=st.booleans(),
)


@given(methods, st.data())
def test_on_any_attention_its_choices_are_those_of_its_steps_written_out(method, data):
    """All options, trees of any shape, any path of each accepted; weights are 64ths, whose sums are exact."""
    layers = data.draw(st.integers(1, 6), "layers")
    structural = data.draw(st.lists(st.booleans(), min_size=1, max_size=12), "structural")
    dice = data.draw(st.randoms(use_true_random=False), "dice")
    count = len(structural)  # of a prompt that is nothing but a picture
    tokens = torch.zeros(count, dtype=torch.int64), torch.zeros(count, 2), torch.arange(count)[None]
    visual = torch.ones(count, dtype=torch.bool), torch.tensor(structural), torch.zeros(count, 4)
    chooser = method.selector(Prompt(*tokens, torch.tensor([count]), *visual), layers)
    literal = Literal(method, structural, layers)
    for _ in range(5):
        candidates = [
            Candidate([dice.randrange(3) for _ in range(dice.randrange(4))], "any") for _ in range(dice.randrange(4))
        ]
        tree = Tree.grow(0, candidates, 6)
        chooser.begin()
        literal.begin()
        for layer in range(layers):
            chosen = chooser.select(layer)
            assert (None if chosen is None else by_node(chosen)) == literal.told(layer)
            seen = [[dice.randrange(64) / 64 for _ in structural] for _ in range(len(tree))]
            if chosen is None:
                chooser.observe(layer, torch.tensor(seen, dtype=torch.float64))
            literal.saw(layer, seen)
        path = []
        while (children := tree.children(path[-1] if path else 0)) and dice.random() < 0.7:
            path.append(dice.choice(children))
        chooser.on_commit(path, chooser.left())
        literal.on_commit(path)
        assert chooser.focal == tuple(sorted(literal.focal))


def test_presets_are_the_papers_settings_and_what_is_given_comes_first():
    assert FastOcr().shares == FastOcr(preset="safe").shares == (0.2, 0.2)
    assert FastOcr(preset="fast").shares == (0.05, 0.1)
    assert FastOcr(preset="fast", keep=0.5).shares == (0.5, 0.1)
    assert FastOcr(focal=0.0).shares == (0.2, 0.0)
    assert FastOcr(focal=0.29).focal_count(100) == 29  # which is 28.999999999999996 in floating point
