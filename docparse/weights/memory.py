"""Whether a model fits: what it needs in a dtype, and what the device it would run on has. Torch is not imported."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from docparse.errors import EnvironmentProblem
from docparse.machine import Gpu, available_memory, gpus

GIB = 2**30
WIDTH = {"float32": 4, "bfloat16": 2, "float16": 2}  # bytes of a parameter
# Bytes beside the weights, by width: pictures, activations and cache of one page. Measured: 1.0 GiB for HunyuanOCR in
# float32 with 1,410 visual tokens; the rest is for the largest pictures, by the sizes of dots.ocr's vision tower.
WORKING = {4: 3 * GIB, 2: 2 * GIB}
AUTO = {"cpu": ("float32", "bfloat16")}  # best first; on every other device the second


@dataclass(frozen=True)
class Device:
    """A device that models run on: torch's name for it, what a person calls it, and its free bytes (0: unknown)."""

    name: str
    what: str
    free: int

    @property
    def kind(self) -> str:
        return self.name.partition(":")[0]


@dataclass(frozen=True)
class MemoryPlan:
    """A model of so many parameters on a device: the dtype, and the bytes it needs there. `compromise` says, where
    `auto` could not have the dtype it prefers, why."""

    device: Device
    dtype: str
    needed: int
    compromise: str = ""

    def __str__(self) -> str:
        return f"{self.dtype} on {self.device.name}" + (f" ({self.compromise})" if self.compromise else "")

    @property
    def weights(self) -> int:
        return self.needed - WORKING[WIDTH[self.dtype]]

    @property
    def fits(self) -> bool:
        return not self.device.free or self.needed <= self.device.free

    def shortage(self) -> str:
        """`needs 8.1 GiB as bfloat16, and 5.0 GiB of NVIDIA L4 are free`."""
        have = f"{self.device.free / GIB:.1f} GiB of {self.device.what} are free"
        return f"needs {self.needed / GIB:.1f} GiB as {self.dtype}, and {have}"


def plan(parameters: int, device: Device, dtype: str = "auto") -> MemoryPlan:
    """Return the dtype and the memory; with `auto`: bfloat16, on a CPU float32 where that fits."""
    best, *others = (dtype,) if dtype != "auto" else AUTO.get(device.kind, ("bfloat16",))
    plans = [MemoryPlan(device, best, _needed(parameters, best))]
    plans += [MemoryPlan(device, one, _needed(parameters, one), f"{best} does not fit") for one in others]
    return next((one for one in plans if one.fits), plans[-1])


def _needed(parameters: int, dtype: str) -> int:
    return parameters * WIDTH[dtype] + WORKING[WIDTH[dtype]]


def here() -> Device:
    """Return the device that `auto` means: the first NVIDIA one where torch can use it, else the CPU."""
    found = cuda_devices()
    return Device("cuda", found[0].name, found[0].free) if found else named("cpu")


def named(name: str) -> Device:
    """Return a device that was asked for by torch's name. Raises `EnvironmentProblem` where it is not here."""
    kind, _, number = name.partition(":")
    if kind == "cpu":
        return Device(name, "memory", available_memory())
    if kind != "cuda":
        from docparse.weights.device import find_device  # of others torch alone knows

        return find_device(name)
    found = cuda_devices()
    check_present(name, len(found))
    return Device(name, found[int(number or 0)].name, found[int(number or 0)].free)


def check_present(name: str, count: int) -> None:
    """Raise `EnvironmentProblem` where a device is not among the `count` of its kind that are here."""
    kind, _, number = name.partition(":")
    if int(number or 0) >= count:
        have = ", ".join(f"{kind}:{index}" for index in range(count)) or f"no {kind} device that torch can use"
        raise EnvironmentProblem(f"device {name} is not available: this machine has {have}: use --device auto or cpu")


def cuda_devices() -> tuple[Gpu, ...]:
    return gpus() if torch_knows_cuda() else ()


def unused_gpu() -> str:
    """Return a GPU that is here for nothing, in words; "" where there is none."""
    found = () if torch_knows_cuda() else gpus()
    return f"this PyTorch is built without CUDA and cannot use the {found[0].name} that is here" if found else ""


def torch_knows_cuda() -> bool:
    """Return whether torch's build knows CUDA, by its name: those for the CPU alone say so (`2.13.0+cpu`)."""
    try:
        return not version("torch").endswith("+cpu")
    except PackageNotFoundError:
        return False
