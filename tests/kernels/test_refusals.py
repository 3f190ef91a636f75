"""Every kernel refuses tensors whose shapes disagree, and settings out of range, in one line."""

import pytest
import torch

from docparse.kernels.commit import commit
from docparse.kernels.decode_attention import Reads
from docparse.kernels.decode_attention import fused as attend
from docparse.kernels.focal_attention import focal_attention
from docparse.kernels.rotary_cache import HeadNorms
from docparse.kernels.rotary_cache import fused as rotate
from docparse.kernels.sinkhorn import sinkhorn


def ints(*shape):
    return torch.zeros(shape, dtype=torch.long)


def bools(*shape):
    return torch.ones(shape, dtype=torch.bool)


SLAB = torch.zeros(2, 2, 3, 1, 8, 4)  # L, 2, B, KV, S, D
QUERY, KEY = torch.zeros(2, 4, 3, 8), torch.zeros(2, 2, 20, 8)  # B, H, N, D and B, KV, S, D
READS = Reads(ints(2, 5), ints(2), ints(2), bools(2, 3, 3))
WHOLE = READS._replace(rows=None, since=None)
QKV, TURN, CACHE = torch.zeros(2, 3, 32), torch.zeros(2, 3, 8), torch.zeros(2, 2, 1, 9, 8)
NORMS = HeadNorms(torch.zeros(3, 8), 1e-5)
REFUSED = [
    (
        "does not go with",
        commit,
        [(SLAB, ints(1, 3), ints(3, 2)), (SLAB, ints(2, 3), ints(2, 2)), (SLAB, ints(2, 3), ints(2))],
    ),
    (
        "does not go with",
        attend,
        [
            (QUERY[:1], KEY, KEY, READS, 1.0),
            (QUERY[:, :3], KEY, KEY, READS, 1.0),
            (QUERY[..., :4], KEY, KEY, READS, 1.0),
            (QUERY, KEY, KEY[:, :, 1:], READS, 1.0),
            (QUERY, KEY, KEY, READS._replace(tree=None), 1.0),
            (QUERY, KEY, KEY, READS._replace(rows=ints(5)), 1.0),
            (QUERY, KEY, KEY, READS._replace(starts=ints(1)), 1.0),
            (QUERY, KEY, KEY, READS._replace(own=bools(2, 2, 5)), 1.0),
            (QUERY, KEY, KEY, READS._replace(own=bools(2, 3, 5), rows=None), 1.0),
        ],
    ),
    (r"\[B, V\]", focal_attention, [(QUERY, KEY, KEY, WHOLE, ints(7), 1.0)]),
    (
        "do not go with",
        rotate,
        [
            (QKV[:, :, :31], TURN, TURN, CACHE, ints(2), NORMS, False),
            (QKV, TURN[:, :2], TURN, CACHE, ints(2), NORMS, False),
            (QKV, TURN, TURN, CACHE[:, :1], ints(2), NORMS, False),
            (QKV, TURN, TURN, CACHE, ints(1), NORMS, False),
            (QKV, TURN, TURN, CACHE, ints(2), HeadNorms(torch.zeros(8), 1e-5), False),
        ],
    ),
    ("similarities", sinkhorn, [(torch.zeros(shape),) for shape in ((0, 2, 2), (1, 0, 2), (1, 2, 0), (2, 2))]),
    ("must be positive", sinkhorn, [(torch.zeros(1, 2, 2), 0.2, *each) for each in ((0,), (9, -1.0))]),
]


@pytest.mark.parametrize(("message", "function", "calls"), REFUSED, ids=[f"{f.__module__}-{m}" for m, f, _ in REFUSED])
def test_what_disagrees_is_refused(message, function, calls):
    for arguments in calls:
        with pytest.raises(ValueError, match=message):
            function(*arguments)
