"""Memory beyond what was in use before."""

from __future__ import annotations

import numpy as np
import torch

from docparse.bench.memory import memory_growth

MIB = 2**20


def test_growth_is_what_was_needed_for_a_while() -> None:
    with memory_growth(torch.device("cpu")) as growth:
        np.ones(64 * MIB // 8)  # gone at once
    assert growth.bytes == 0 or 48 * MIB < growth.bytes < 128 * MIB  # 0: the system does not tell


def test_what_was_in_use_before_does_not_count() -> None:
    before = np.ones(64 * MIB // 8)
    with memory_growth(torch.device("cpu")) as growth:
        pass
    assert before.sum() > 0
    assert growth.bytes < 8 * MIB
