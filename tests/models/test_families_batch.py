"""Rows that join and leave a running batch write what they write alone: every family, any methods, any moment."""

import random
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docparse.accel.drafts import OCR, DraftTokens, Speculation
from docparse.accel.hsd import Hsd
from docparse.accel.lookup import Lookup
from docparse.accel.stack import parse_stack
from docparse.engine.batch import Batch, generate
from docparse.engine.hooks import RowMethods
from docparse.engine.row import Limits, Row

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
        return Row(self.vlm.text, prompt, proposer, Limits(length, guard=False, ignore_end=True), reader)

    def _alone(self, number, method, length, drafts):
        row = self.row(number, method, length, drafts)
        limits = Limits(length, guard=False, ignore_end=True)
        (out,) = generate(self.vlm.text, [row.prompt], [row.proposer], limits, readers=[row.reader])
        return tuple(out.tokens)


def rows(vlm):
    """A prompt, a method that the model can be read with (`vlm.engine` refuses the others), a length, and drafts."""
    methods = ANY + (() if vlm.text.window else DECIDE_LATER) + (() if vlm.text.recurrent else DROP)
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
