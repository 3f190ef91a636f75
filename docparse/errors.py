"""What can go wrong, as types: each error is one line for the user and one exit code for the shell."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Process exit codes of every docparse command."""

    OK = 0
    PARTIAL = 1  # some documents failed or are partial
    USAGE = 2
    ENVIRONMENT = 3  # a device, model, font or package is missing or broken
    NOTHING = 4  # no document was converted
    INTERRUPTED = 130


class DocparseError(Exception):
    """An expected failure. `str(error)` is one line: what is wrong, where, and what to do next."""

    exit_code = ExitCode.PARTIAL
    category = "internal"  # the word written to the journal


class UsageError(DocparseError):
    """The command cannot mean what was typed."""

    exit_code = ExitCode.USAGE
    category = "usage"


class EnvironmentProblem(DocparseError):
    """Something this run needs is not installed or not available on this machine."""

    exit_code = ExitCode.ENVIRONMENT
    category = "environment"


class InputError(DocparseError):
    """One input cannot be read; the other inputs of the run go on."""

    category = "input"


class PasswordError(InputError):
    """The document is encrypted and the password is missing or wrong."""

    category = "password"


class PageError(DocparseError):
    """One page failed; the other pages of the document go on. The line does not name the page."""

    def __init__(self, line: str, category: str = "damaged") -> None:
        super().__init__(line)
        self.category = category


class DeviceLost(DocparseError):
    """The device does nothing more for this process, another process may use it."""

    exit_code = ExitCode.ENVIRONMENT
    category = "device"


class OutputError(DocparseError):
    """The result cannot be written: the folder is read-only, the disk is full."""

    category = "output"


def error_of(category: str, line: str) -> DocparseError:
    """Return the exception for a failure that the journal has under `category`."""
    kinds: list[type[DocparseError]] = [InputError, PasswordError, EnvironmentProblem, OutputError, UsageError]
    kind = next((kind for kind in kinds if kind.category == category), None)
    return kind(line) if kind else PageError(line, category)


def one_line(said: object, longest: int = 200) -> str:
    """Return the beginning of what somebody else says, an error of another package for one, in one line."""
    return " ".join(str(said).split())[:longest]


def install_advice(extra: str) -> str:
    """Return how to get the packages of an `extra`. By folder: the package index has another project of our name."""
    return f"run `pip install -e '.[{extra}]'` in the clone of docparse"


# Both builds of OpenCV write one folder; the one with windows, unpacked last, wants a library that servers lack.
WITHOUT_WINDOWS = "pip install --force-reinstall --no-deps opencv-python-headless==5.0.0.93"


def import_advice(reason: str) -> str:
    """Return what to do about a package that is installed but cannot be imported for this `reason`, in words for one
    line."""
    return f"run `{WITHOUT_WINDOWS}`" if "libGL" in reason else "run `docparse doctor`"


# How libraries say that there was no memory.
NO_MEMORY = (
    "bad_alloc",
    "out of memory",
    "Failed to allocate",
    "Unable to allocate",
    "can't allocate",  # torch, on a CPU
    "ALLOC_FAILED",  # cuBLAS and cuDNN
    "Insufficient memory",
)


def ran_out_of_memory(error: BaseException) -> bool:
    """Return whether an exception says that there was no memory; libraries have their own words for it."""
    return isinstance(error, MemoryError) or any(word in str(error) for word in NO_MEMORY)
