"""Trees of different sizes, one after the other in one pass, answer as they do side by side."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from docparse.engine.packet import Packet
from docparse.engine.session import DecodeSession
from docparse.engine.tree import Candidate, Tree
from docparse.engine.verify import Acceptance, accept, score

KINDS = ("plain", "m-rope", "xd-rope", "windowed")
words = st.lists(st.integers(0, 60), min_size=1, max_size=6)
trees = st.builds(
    lambda root, branches: Tree.grow(root, [Candidate(branch, "a") for branch in branches], 12),
    st.integers(0, 60),
    st.lists(words, max_size=3),
)


def padded_layout(session: DecodeSession, trees: list[Tree], count: int) -> Packet:
    packet = Packet(session.model.axes, session.rows, count, session.model.layers, session.model.device)
    packet.write(trees, session._next, session.cache.lengths)
    return packet


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=15)
@given(
    rows=st.lists(st.tuples(st.integers(3, 20), trees, trees), min_size=1, max_size=4), tau=st.sampled_from((1.0, 0.6))
)
def test_packed_passes_answer_and_commit_as_padded_ones(toys: Any, kind: str, rows: list[Any], tau: float) -> None:
    toy = toys(kind)
    prompts = [toy.prompt(length, number) for number, (length, _, _) in enumerate(rows)]
    sessions = [DecodeSession(toy.text), DecodeSession(toy.text)]
    sessions[0]._lay_out = partial(padded_layout, sessions[0])
    for session in sessions:
        session.prefill(prompts)
    for which in (1, 2):
        grown = [row[which] for row in rows]
        padded, packed = (session.feed(grown) for session in sessions)
        assert len(packed.every) == sum(map(len, grown))
        for row in range(len(rows)):
            torch.testing.assert_close(packed[row], padded[row], atol=1e-9, rtol=0)
        acceptances = [Acceptance(tau)] * len(rows)
        judged = []
        for session, logits in zip(sessions, (padded, packed), strict=True):
            scores = score(logits, grown, acceptances)
            judged.append(list(map(accept, grown, scores, acceptances)))
            session.commit([each.path for each in judged[-1]])
        assert judged[0] == judged[1]
    assert (sessions[0].cache.lengths == sessions[1].cache.lengths).all()
