"""A decoder's attention is ours during a pass and its own at every other time."""

import threading
from types import SimpleNamespace

import pytest
import torch
from transformers import Qwen2Config, Qwen2Model
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from docparse.engine.attention import PromptAttention
from docparse.engine.modules import LINEAR, NAME, attending, refuse_config, refuse_variants
from docparse.engine.session import DecodeSession
from docparse.engine.text_model import TextModel
from docparse.engine.tree import Tree
from docparse.errors import EnvironmentProblem


def test_it_is_lent_for_a_pass_and_given_back_after_an_exception(toys):
    decoder = toys("plain").text.decoder
    own = decoder.config._attn_implementation
    with pytest.raises(KeyboardInterrupt), attending(decoder, PromptAttention(torch.zeros(0), [], [])):
        assert decoder.config._attn_implementation == NAME in ALL_ATTENTION_FUNCTIONS
        raise KeyboardInterrupt
    assert decoder.config._attn_implementation == own != NAME
    assert NAME not in ALL_ATTENTION_FUNCTIONS


def test_engines_work_at_once_in_threads(toys):
    """Two of them share a model that is lent our attention, and two a lean one."""
    found = {}
    made = [toys(kind) for kind in ("experts", "plain", "plain", "experts")]

    def decode(number):
        toy = made[number]
        session = DecodeSession(toy.text)
        session.prefill([toy.prompt(9, number)])
        for token in range(10):
            found[number] = session.feed([Tree.bare(token)])[0][0]
            session.commit([()])

    jobs = [threading.Thread(target=decode, args=(number,)) for number in range(len(made))]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    for number, toy in enumerate(made):
        expected, _ = toy.sequential(toy.prompt(9, number), range(10))
        torch.testing.assert_close(found[number], expected[-1], atol=1e-6, rtol=0)
    assert NAME not in ALL_ATTENTION_FUNCTIONS


class Stubborn(torch.nn.Module):
    """A decoder that never asks for the attention it is told to use."""

    def __init__(self, decoder):
        super().__init__()
        self.config, self.words = decoder.config, decoder.embed_tokens

    def get_input_embeddings(self):
        return self.words

    def forward(self, inputs_embeds, **_):
        return SimpleNamespace(last_hidden_state=inputs_embeds)


def test_a_decoder_that_attends_by_itself_is_refused(toys):
    toy = toys("plain")
    text = TextModel(Stubborn(toy.text.decoder), toy.text.head, frozenset(), 1, "stubborn")
    with pytest.raises(EnvironmentProblem, match="AttentionInterface"):
        DecodeSession(text).prefill([toy.prompt(5)])


def sliding(window):
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2, "num_key_value_heads": 1}
    slides = {"use_sliding_window": True, "sliding_window": window, "max_window_layers": 1}
    config = Qwen2Config(vocab_size=8, num_hidden_layers=2, max_position_embeddings=128, **sizes, **slides)
    return TextModel(Qwen2Model(config), torch.nn.Linear(16, 8), frozenset(), 1, "sliding")


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda: refuse_variants(softcap=30.0), "choose another model"),
        (lambda: refuse_variants(s_aux=torch.zeros(2)), "choose another model"),
        (
            lambda: refuse_config(SimpleNamespace(layer_types=["full_attention", LINEAR], num_hidden_layers=2)),
            "linear_attention",
        ),
        (lambda: DecodeSession(sliding(64)), "sliding window of 64 positions"),
    ],
    ids=["softcap", "sinks", "linear attention", "sliding window"],
)
def test_other_kinds_of_attention_are_refused(ask, why):
    with pytest.raises(EnvironmentProblem, match=why):
        ask()
    assert DecodeSession(sliding(128)).rows == 0  # a window that never slides is none
