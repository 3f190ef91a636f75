"""Calls in a process of their own, in which Triton interprets its kernels on the CPU."""

from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context

import pytest
import torch


def release(package):
    """Major and minor version, () where the package is not installed."""
    try:
        return tuple(map(int, version(package).split(".")[:2]))
    except PackageNotFoundError:
        return ()


@pytest.fixture(scope="session")
def interpreted():
    """`interpreted(function, *arguments)`: the answer of a function of the package, its kernels interpreted. Triton
    reads TRITON_INTERPRET when it is imported, and this process may have imported it already."""
    triton, numpy = release("triton"), release("numpy")
    if not triton:
        pytest.skip("triton is not installed")
    if triton < (3, 7) and numpy >= (2, 4):
        pytest.skip("the interpreter of triton before 3.7 does what numpy 2.4 forbids: int() of an array of one")
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    with pytest.MonkeyPatch.context() as patch, pool:
        patch.setenv("TRITON_INTERPRET", "1")
        patch.setenv("DOCPARSE_KERNELS", "triton")
        pool.submit(torch.set_num_threads, 1).result()  # the process starts here
        patch.undo()
        yield lambda function, *arguments, **named: pool.submit(function, *arguments, **named).result()


@pytest.fixture(params=[torch.float32, torch.float16, torch.bfloat16], ids=lambda dtype: str(dtype)[6:])
def dtype(request):
    """The three that models come in."""
    return request.param
