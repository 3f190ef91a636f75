"""Every family: its twin loads like real weights, reaches the engine unchanged, and says what it sees where."""

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch
from drafted import tokens_to
from greedy import generate
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from module_decoding import sequential

from docparse.accel.drafts import OCR, DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.accel.stack import parse_stack
from docparse.engine.hooks import RowMethods
from docparse.engine.lean import Lean
from docparse.engine.session import DecodeSession
from docparse.engine.tree import Candidate, Tree
from docparse.engine.weights import Unfit
from docparse.models.registry import families, family_named
from docparse.types import Category
from docparse.vlm.batch import Batch
from docparse.vlm.capture import decoder_inputs, device_inputs
from docparse.vlm.loaded import Vlm
from docparse.vlm.row import Limits, Row

every_family = pytest.mark.families
every_card = pytest.mark.parametrize("name", [family.card.name for family in families()])


@every_family
def test_nothing_stays_hooked(twin, noise, name):
    vlm = twin(name)
    encoded = vlm.encode(noise(120, 120), "Read.")
    vlm.prompt(encoded)
    broken = dict(device_inputs(encoded.inputs, vlm.model)) | {"input_ids": torch.zeros(1, 3, dtype=torch.long)}
    with pytest.raises(
        (ValueError, RuntimeError, IndexError)
    ):  # each family in its own words: a picture without a place
        decoder_inputs(vlm.model, torch.nn.Identity(), broken, vlm.text.axes, [encoded.visual])
    for module in vlm.model.modules():
        hooks = [*module._forward_pre_hooks.values(), *module._forward_hooks.values()]
        assert not [hook for hook in hooks if hook.__module__.startswith("docparse")]  # transformers leaves its own


@every_family
@pytest.mark.parametrize("size", [(150, 200), (220, 90)])
def test_the_engine_writes_what_generate_writes(twin, noise, name, size):
    """By the model's logits alone; what a family does to them besides is tested in `test_logits`."""
    vlm = twin(name)
    encoded = vlm.encode(noise(*size, seed=sum(size)), vlm.family.page_instruction)
    count = 48
    theirs = vlm.model.generate(
        **device_inputs(encoded.inputs, vlm.model), do_sample=False, max_new_tokens=count, min_new_tokens=count
    )
    text = replace(vlm.text, processors=())
    [ours] = generate(text, [vlm.prompt(encoded)], limits=Limits(count, guard=None, ignore_end=True))
    assert ours.tokens == theirs[0, -count:].tolist()


@every_family
@pytest.mark.parametrize("size", [(200, 160), (400, 90), (30, 30)])
def test_visual_tokens_are_of_views_and_see_the_whole_picture(twin, noise, name, size):
    encoded = twin(name).encode(noise(*size), "Read.")
    boxes = encoded.boxes[~encoded.structural]
    assert int(encoded.visual.sum()) == len(encoded.structural) == len(encoded.boxes)
    assert sum(view.tokens for view in encoded.views) == len(encoded.boxes)
    assert encoded.width in {view.width for view in encoded.views}
    assert encoded.height in {view.height for view in encoded.views}
    assert encoded.boxes[encoded.structural].isnan().all()
    assert (boxes >= 0).all() and (boxes <= 1).all()
    assert (boxes[:, :2] < boxes[:, 2:]).all() or size == (400, 90)  # tokens of what pads it to a square show nothing
    points = torch.cartesian_prod(torch.linspace(0.01, 0.99, 23), torch.linspace(0.01, 0.99, 23))
    inside = (boxes[None, :, :2] <= points[:, None]) & (points[:, None] <= boxes[None, :, 2:])
    assert inside.all(dim=-1).any(dim=1).all()


@every_family
def test_a_picture_too_large_is_made_smaller_and_that_is_said(twin, noise, name):
    vlm = twin(name)
    encoded = vlm.encode(noise(2100, 2970), "Read.")
    assert encoded.resized == f"from 2100x2970 to {encoded.width}x{encoded.height}"
    assert encoded.width < 2100 and encoded.height < 2970


@every_family
@pytest.mark.parametrize("size", [(1, 1), (3, 900), (1500, 2), (40, 30)])
def test_pictures_of_any_shape_can_be_read(twin, noise, name, size):
    vlm = twin(name)
    prompt = vlm.prompt(vlm.encode(noise(*size), "Read."))
    assert prompt.visual_tokens > 0
    assert prompt.embeds.isfinite().all()


@every_family
def test_what_a_twin_writes_depends_on_the_picture_and_does_not_loop(twin, noise, name):
    vlm = twin(name)
    prompts = [vlm.prompt(vlm.encode(noise(150, 200, seed), vlm.family.page_instruction)) for seed in (1, 2)]
    first, second = generate(vlm.text, prompts, limits=Limits(150, guard=None, ignore_end=True))
    assert first.tokens != second.tokens
    trigrams = {tuple(first.tokens[i : i + 3]) for i in range(148)}
    assert len(trigrams) > 120


@every_family
def test_weights_in_half_precision_make_prompts_in_half_precision(twin_folder, noise, name):
    family, folder = family_named(name), str(twin_folder(name))
    model = family.load(folder, dtype=torch.bfloat16, device="cpu")
    vlm = Vlm.of(name, family, model, family.processor(folder))
    prompt = vlm.prompt(vlm.encode(noise(150, 120), "Read."))
    whole = tuple(getattr(model, "_keep_in_fp32_modules_strict", None) or ())  # routers, since transformers 5.24
    halved = {parameter.dtype for name, parameter in model.named_parameters() if not name.endswith(whole)}
    assert halved == {prompt.embeds.dtype} == {torch.bfloat16}
    [written] = generate(vlm.text, [prompt], limits=Limits(8, guard=None, ignore_end=True))
    assert len(written.tokens) == 8


@every_family
def test_an_output_can_end(twin, name):
    vlm = twin(name)
    tokenizer = vlm.processor.tokenizer
    assert tokenizer.convert_tokens_to_ids(vlm.family.end_token) in vlm.text.end
    assert {tokenizer.convert_ids_to_tokens(end) for end in vlm.text.end} <= set(vlm.family.special_tokens)


@every_card
def test_every_kind_of_region_has_an_instruction_and_a_dialect(name):
    family = family_named(name)
    told = name not in ("lighton-ocr", "tiny")  # which take a picture alone
    assert bool(family.page_instruction) == told
    for category in Category:
        assert bool(family.region_instruction(category)) == told
        assert hasattr(family.region_dialect(category), "read")


@every_family
def test_pixels_reach_the_encoder_in_the_scale_that_is_told(twin, name):
    black, white = (twin(name).encode(np.full((180, 140, 3), level, dtype=np.uint8), "Read.") for level in (0, 255))
    between = white.inputs["pixel_values"] - black.inputs["pixel_values"]
    found = {round(float(each), 3) for each in between.unique()} - {0.0}  # of what surrounds the picture
    assert sorted(found) == pytest.approx(sorted({round(1 / each, 3) for each in white.std}), abs=2e-3)


@every_family
def test_prompts_of_a_batch_are_those_of_each_picture(twin, noise, name):
    """Of which two are of one size."""
    vlm = twin(name)
    asked = (((90, 60), "Read."), ((140, 120), "Read this now."), ((90, 60), "Read."))
    encoded = [vlm.encode(noise(*size, seed), words) for seed, (size, words) in enumerate(asked)]
    for each, alone in zip(vlm.prompts(encoded), map(vlm.prompt, encoded), strict=True):
        for features, own in zip((each.embeds, *each.deepstack), (alone.embeds, *alone.deepstack), strict=True):
            torch.testing.assert_close(features, own, atol=1e-9, rtol=0)
        for field in ("positions", "next_position", "ids"):
            assert torch.equal(getattr(each, field), getattr(alone, field))


EVICTING = ("vlcache", "aircache", "streamingllm", "h2o", "snapkv", "pyramidkv")


@every_family
def test_a_full_budget_of_the_cache_changes_nothing(twin, noise, name):
    """Though the rows of every layer were chosen and moved: the log has them."""
    vlm = twin(name)
    prompts = [vlm.prompt(vlm.encode(noise(*size), "Read this page.")) for size in ((200, 260), (300, 180))]
    limits = Limits(12, guard=None, ignore_end=True)
    plain = generate(vlm.text, prompts, limits=limits)
    assert {step.read for output in plain for step in output.steps} == {()}
    for stack in EVICTING:
        method = parse_stack(f"{stack}:budget=1").compressing
        readers = [RowMethods(method.compressor(prompt)) for prompt in prompts]
        outputs = generate(vlm.text, prompts, limits=limits, readers=readers)
        assert [output.tokens for output in outputs] == [output.tokens for output in plain], stack
        for output, prompt in zip(outputs, prompts, strict=True):
            assert [step.read for step in output.steps] == [(len(prompt) + i,) * vlm.text.layers for i in range(11)]


# ---- Every family whose decoder is Llama-shaped decodes lean, and its logits are those of transformers' own modules.

OF_EXPERTS = {"deepseek-ocr", "deepseek-ocr-2", "unlimited-ocr"}
HYBRID = {"chandra-ocr-2", "ovisocr2", "surya-ocr-2"}  # with layers of linear attention, computed in float32


@pytest.mark.families
def test_prefill_and_trees_in_a_batch_answer_as_the_modules_do(twin, noise, name):
    vlm = twin(name)
    assert isinstance(vlm.text.lean, Unfit if name in OF_EXPERTS | HYBRID else Lean)
    prompts = [vlm.prompt(vlm.encode(noise(*size), "Read this.")) for size in ((90, 60), (140, 120))]
    session = DecodeSession(vlm.text)
    first = session.prefill(prompts).every
    trees = [Tree.grow(9, [Candidate([30, 41, 22], "a"), Candidate([30, 7], "b")], 8), Tree.grow(11, [], 8)]
    logits = session.feed(trees)
    atol = 1e-3 if name in HYBRID else 5e-6
    for row, (prompt, tree) in enumerate(zip(prompts, trees, strict=True)):
        for node in range(len(tree)):
            expected, _ = sequential(vlm.text, prompt, [tree.tokens[0], *tokens_to(tree, node)])
            torch.testing.assert_close(first[row], expected[0], atol=atol, rtol=0)
            torch.testing.assert_close(logits[row][node], expected[-1], atol=atol, rtol=0)


# ---- Rows that join and leave a running batch write what they write alone: every family, any methods, any moment.

SIZES = ((90, 60), (140, 120), (60, 90))
FASTOCR = "fastocr(keep=0.3,focal=0.5,warmup=2)"
ANY = ("none", *(f"{name}:budget=0.4" for name in ("vlcache", "aircache", "snapkv", "pyramidkv", "prefixkv")))
DECIDE_LATER = ("h2o:budget=0.5", "streamingllm:budget=0.5", FASTOCR, f"vlcache:budget=0.4+{FASTOCR}")
DROP = ("fastv:keep=0.3", "dart:keep=0.3", f"fastv:keep=0.3+{FASTOCR}")
DRAFTS = ("none", "hsd", "lookup")
LENGTHS = (1, 5, 14)


class Outputs:
    """Rows of one family's twin, and what each writes alone."""

    def __init__(self, vlm, noise):
        self.vlm = vlm
        self.prompts = [vlm.prompt(vlm.encode(noise(*size), "Read this.")) for size in SIZES]
        self.plain = cache(lambda *which: self._alone(*which, drafts="none"))
        self.alone = cache(self._alone)

    def row(self, number, method, length, drafts):
        prompt, stack = self.prompts[number], parse_stack(method)
        reader = RowMethods(
            None if stack.compressing is None else stack.compressing.compressor(prompt),
            None if stack.selecting is None else stack.selecting.selector(prompt, self.vlm.text.layers),
        )
        proposer = None
        if drafts == "hsd":
            chance = random.Random(number)
            edited = [token if chance.random() < 0.8 else 7 for token in self.plain(number, method, length)]
            proposer = Hsd().proposer(Speculation([DraftTokens(tuple(edited), OCR)], prompt.ids.tolist()))
        elif drafts == "lookup":
            proposer = Lookup().proposer(Speculation(prompt=prompt.ids.tolist()))
        return Row(self.vlm.text, prompt, proposer, Limits(length, guard=None, ignore_end=True), reader)

    def _alone(self, number, method, length, drafts):
        row = self.row(number, method, length, drafts)
        limits = Limits(length, guard=None, ignore_end=True)
        (out,) = generate(self.vlm.text, [row.prompt], [row.proposer], limits, readers=[row.reader])
        return tuple(out.tokens)


def rows(vlm):
    """A prompt, a method that the model can be read with (`vlm.engine` refuses the others), a length, and drafts."""
    methods = ANY + (() if vlm.text.window else DECIDE_LATER) + (() if vlm.text.recurrent else DROP)
    methods = tuple(each for each in methods if not (vlm.text.window and FASTOCR in each))
    return st.tuples(st.integers(0, len(SIZES) - 1), *map(st.sampled_from, (methods, LENGTHS, DRAFTS)))


@pytest.mark.families
def test_whoever_joins_or_leaves_every_row_writes_what_it_writes_alone(twin, noise, name):
    outputs = Outputs(twin(name), noise)
    one = rows(outputs.vlm)

    @settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
    @given(
        joining=st.lists(st.tuples(st.integers(0, 4), st.lists(one, min_size=1, max_size=3)), min_size=1, max_size=3),
        leaving=st.sets(st.integers(0, 8), max_size=2),
    )
    def holds(joining, leaving):
        batch, known, ended = Batch(outputs.vlm.text), {}, []
        for steps, wanted in joining:
            made = [outputs.row(*each) for each in wanted]
            known |= {id(row): (row, each) for row, each in zip(made, wanted, strict=True)}
            ended += batch.join(made)
            for _ in range(steps):
                ended += batch.step()
        step = 0
        while batch.rows:
            if step in leaving and len(batch.rows) > 1:  # one has to go, and is never heard of again
                known.pop(id(batch.rows[0]))
                batch.release(batch.rows[0])
            ended += batch.step()
            step += 1
        assert {id(row) for row in ended} == set(known)
        for row, wanted in known.values():
            assert tuple(row.generation.tokens) == outputs.alone(*wanted)

    holds()
