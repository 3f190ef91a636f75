"""In place of CUDA's graphs: a pass is recorded operation by operation, and replayed on the same memory.

Nothing of Python runs again. An operation that asks the device, or brings memory of the host, cannot be captured and is
refused; kernels take part as one operation each, as they are one launch or two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map

from docparse.engine import lean as lean_file
from docparse.engine import tree_attention
from docparse.engine.graphs import Graphs
from docparse.engine.lean import Lean
from docparse.engine.text_model import TextModel
from docparse.kernels.rms_norm import RmsNorm

ASKING = {"_local_scalar_dense", "item", "nonzero", "unique", "_unique2", "is_nonzero", "masked_select", "equal"}
FROM_THE_HOST = {"lift_fresh", "lift_fresh_copy"}


class Recorder(TorchDispatchMode):
    """`capture(compute)` runs `compute` and returns what runs its operations again."""

    def __init__(self) -> None:
        super().__init__()
        self.made = 0
        self.operations: list[tuple[Callable[..., Any], Any, Any, Any]] = []  # of the last that was captured
        self._capturing = False

    def capture(self, compute: Callable[[], Any]) -> Callable[[], Any]:
        self.made += 1
        compute()  # as on a device: what is made once, such as views, is there
        self.operations, self._capturing = (operations := []), True
        with self:
            out = tree_map(lambda each: each, compute())
        self._capturing = False

        def replay() -> Any:
            for function, args, kwargs, made in operations:
                for old, new in zip(tree_leaves(made), tree_leaves(function(*args, **kwargs)), strict=True):
                    if isinstance(old, Tensor) and old.data_ptr() != new.data_ptr():
                        assert old.shape == new.shape
                        old.copy_(new)
            return out

        return replay

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func.overloadpacket.__name__
        if name in ASKING | FROM_THE_HOST:
            raise AssertionError(f"{name} cannot be captured")
        return self.record(func, args, kwargs or {})

    def record(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        out = function(*args, **kwargs)
        if self._capturing:
            self.operations.append((function, args, kwargs, out))
        return out

    def as_one_operation(self, patch: pytest.MonkeyPatch, module: Any, name: str) -> None:
        own = getattr(module, name)

        def launch(*args: Any, **kwargs: Any) -> Any:
            with _disable_current_modes():
                return self.record(own, args, kwargs)

        patch.setattr(module, name, launch)


def recorded(text: TextModel, patch: pytest.MonkeyPatch) -> tuple[TextModel, Recorder]:
    """Return the same model as it runs on a GPU, its kernels by their references, and what records its passes."""

    class ByKernels(TextModel):
        by_kernels = True

    recorder = Recorder()
    recorder.as_one_operation(patch, RmsNorm, "__call__")
    for name in ("rotate_and_store", "swiglu"):
        recorder.as_one_operation(patch, lean_file, name)
    for name in ("decode_attention", "focal_attention"):
        recorder.as_one_operation(patch, tree_attention, name)
    patch.setattr(lean_file, "use_triton", lambda states: True)
    model = ByKernels(text.decoder, text.head, text.end, text.axes, text.key)
    model.__dict__["graphs"] = Graphs(recorder.capture) if isinstance(model.lean, Lean) else None
    return model, recorder
