"""The lean decoder is the module's forward in fewer operations; a decoder of another kind is told apart."""

import pytest
import torch
from greedy import generate
from recorded import recorded
from stub_methods import Keeps, Trees, chain
from torch import Tensor, nn
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from docparse.engine import graphs as graph_file
from docparse.engine.graphs import NODES, Graphs
from docparse.engine.hooks import WHOLE, RowMethods
from docparse.engine.lean import Lean
from docparse.engine.session import DecodeSession
from docparse.engine.text_model import TextModel
from docparse.engine.weights import Unfit
from docparse.vlm.row import Limits

LIMITS = Limits(24, guard=None, ignore_end=True)
DENSE = ("plain", "m-rope", "xd-rope")
VIEWS = {"view", "_unsafe_view", "t", "transpose", "permute", "select", "slice", "split", "split_with_sizes", "expand"}
VIEWS |= {"unsqueeze", "unbind", "alias", "detach", "as_strided", "narrow", "chunk", "reshape"}


def tiny():
    from transformers import Qwen2Config, Qwen2Model

    torch.manual_seed(2)
    sizes = {"hidden_size": 32, "intermediate_size": 48, "num_attention_heads": 4, "num_key_value_heads": 2}
    return Qwen2Model(Qwen2Config(vocab_size=20, num_hidden_layers=2, **sizes)).eval().requires_grad_(False)


def test_its_weights_are_the_modules_own():
    """The module answers as before, and a weight that changes there has changed here."""
    decoder, embeds = tiny(), torch.randn(1, 5, 32)
    before = decoder(inputs_embeds=embeds).last_hidden_state
    lean = Lean.of(decoder, 1)
    torch.testing.assert_close(decoder(inputs_embeds=embeds).last_hidden_state, before)
    decoder.layers[0].self_attn.k_proj.weight.fill_(0.5)
    assert (lean.layers[0].qkv.weight[:, 32:48] == 0.5).all()
    stores = {weight.untyped_storage().data_ptr(): weight.untyped_storage().nbytes() for weight in decoder.parameters()}
    assert sum(stores.values()) == sum(weight.nbytes for weight in decoder.parameters())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: setattr(d.config, "hidden_act", "gelu"), "gelu"),
        (lambda d: d.layers[1].add_module("extra", nn.Identity()), "extra"),
        (lambda d: d.layers[1].mlp.add_module("extra", nn.Identity()), "extra"),
        (lambda d: d.layers[1].self_attn.add_module("extra", nn.Identity()), "extra"),
        (lambda d: setattr(d, "norm", nn.LayerNorm(32)), "LayerNorm"),
        (lambda d: setattr(d.layers[0].mlp, "down_proj", nn.Bilinear(48, 48, 32)), "Bilinear"),
        (lambda d: d.layers[1].mlp.register_forward_hook(lambda m, given, out: out + 1), "layer 1 answers differently"),
        (lambda d: setattr(d.layers[0].self_attn, "scaling", 0.9), "layer 0 answers differently|layer 1"),
    ],
)
def test_what_does_not_fit_is_found_at_load(change, why):
    decoder = tiny()
    change(decoder)
    with pytest.raises(Unfit, match=why):
        Lean.of(decoder, 1)


@pytest.mark.parametrize("kind", DENSE)
@pytest.mark.parametrize("nodes", [1, 16])
def test_a_layer_takes_ten_kernels(toys, monkeypatch, kind, nodes):
    """As on a GPU, where kernels are one operation each. (What asks the device cannot be recorded.)"""
    toy = toys(kind, torch.float32)
    text, recorder = recorded(toy.text, monkeypatch)
    session = DecodeSession(text)
    session.prefill([toy.prompt(9)])
    for _ in range(2):  # the second pass of a size is captured
        session.feed([chain(range(nodes))])
    made = [getattr(function, "overloadpacket", function).__name__ for function, *_ in recorder.operations]
    names = [name for name in made if name not in VIEWS]
    first, second = (place for place, name in enumerate(names) if name == "rotate_and_store")
    assert second - first == 9  # kernels of a layer, of which attention is two
    assert len(names) <= 9 * text.layers + 14  # embedding, angles, the last norm, the head


def test_on_a_cpu_passes_of_all_sizes_compute_in_the_memory_of_the_largest(toys):
    toy = toys("plain")
    text = TextModel(toy.text.decoder, toy.text.head, frozenset(), 1, "sizes")
    session = DecodeSession(text)
    session.prefill([toy.prompt(9)])
    for nodes in (3, 8, 1, 5, 8):
        session.feed([chain(range(nodes))])
    session.close()
    packets = text.spare.packets[-1].values()
    assert sorted(packet.tokens.numel() for packet in packets) == [1, 5, 8]
    assert len({packet.shared.gate_up.data_ptr() for packet in packets}) == 1


@pytest.mark.parametrize("kind", DENSE)
@pytest.mark.parametrize("seed", range(3))
def test_a_captured_pass_depends_on_nothing_but_its_memory(toys, monkeypatch, kind, seed):
    """Whatever tree comes, from a pass that was captured with another one, and whatever was evicted before."""
    toy = toys(kind, torch.float32)
    prompts = [toy.prompt(length, length + seed) for length in (6, 11, 9)]
    evicting = [WHOLE, RowMethods(Keeps([torch.arange(3, 11), torch.arange(5)])), WHOLE]
    answers = [out.tokens for out in generate(toy.text, prompts, None, LIMITS, readers=evicting)]
    text, recorder = recorded(toy.text, monkeypatch)
    for _ in range(2):
        outs = generate(text, prompts, [Trees(answer, seed) for answer in answers], LIMITS, readers=evicting)
        assert [out.tokens for out in outs] == answers
    assert 0 < recorder.made <= 3 * len(NODES)
    assert recorder.made < sum(len(out.steps) for out in outs)


def test_what_cannot_be_captured_runs_uncaptured_and_is_told_once(toys, monkeypatch, capsys):
    def refuse(compute):
        raise RuntimeError("operation not permitted when stream is capturing\nmore")

    toy = toys("plain", torch.float32)
    text = TextModel(toy.text.decoder, toy.text.head, frozenset(), 1, "captured")
    text.__dict__["graphs"] = Graphs(refuse)
    answers = generate(toy.text, [toy.prompt(7)], None, LIMITS)
    monkeypatch.setattr(TextModel, "by_kernels", True)
    outs = generate(text, [toy.prompt(7)], None, LIMITS)
    assert [out.tokens for out in outs] == [out.tokens for out in answers]
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "docparse: decode passes cannot be captured (operation not permitted when stream is capturing): "
        "they run uncaptured"
    ]


def test_passes_are_padded_to_few_sizes_and_large_trees_run_uncaptured():
    graphs = Graphs(lambda compute: pytest.fail("captured"))
    sizes = [graphs.nodes(count) for count in range(1, 67)]
    assert set(sizes) == {*NODES, 66} and all(size >= count for count, size in enumerate(sizes, 1))
    for _ in range(3):
        assert graphs.run("key", 1, 66, lambda: torch.ones(1)).item() == 1


class Outside(TorchDispatchMode):
    """What operations read that none of them made."""

    def __init__(self):
        super().__init__()
        self.read: dict[int, StorageWeakRef] = {}
        self.made: list[Tensor] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        inside = {each.untyped_storage().data_ptr() for each in self.made}
        for each in tree_leaves((args, kwargs)) if "lift_fresh" not in func.name() else ():  # a constant of Python's
            if isinstance(each, Tensor) and (pointer := each.untyped_storage().data_ptr()) not in inside:
                self.read[pointer] = StorageWeakRef(each.untyped_storage())
        out = func(*args, **(kwargs or {}))
        self.made += [each for each in tree_leaves(out) if isinstance(each, Tensor)]
        return out


@pytest.mark.parametrize("nodes", [1, 4])
def test_what_a_captured_pass_reads_outlives_it(toys, monkeypatch, nodes):
    """A graph reads the same memory again; what was freed there may be anybody's by then."""
    toy, outside = toys("plain", torch.float32), Outside()
    text = TextModel(toy.text.decoder, toy.text.head, frozenset(), 1, "outliving")

    def capture(compute):
        with outside:
            out = compute()
        outside.made.clear()
        return lambda: out

    monkeypatch.setattr(TextModel, "by_kernels", True)
    text.__dict__["graphs"] = Graphs(capture)
    session = DecodeSession(text)
    session.prefill([toy.prompt(9), toy.prompt(7)])
    for _ in range(2):  # the second pass of a size is captured
        session.feed([chain(range(nodes))] * 2)
    assert outside.read and not any(storage.expired() for storage in outside.read.values())


class Graph:
    def __init__(self, handle):
        self.handle = handle

    def pool(self):
        return self.handle


def test_graphs_share_memory_as_long_as_one_lives_and_a_later_one_gets_its_own(monkeypatch):
    handles = iter(range(1, 9))
    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: next(handles))
    monkeypatch.setattr(graph_file, "_living", type(graph_file._living)())
    assert graph_file._pool() == 1
    graph = Graph(1)
    graph_file._living.add(graph)
    assert graph_file._pool() == 1
    del graph
    assert graph_file._pool() == 2
