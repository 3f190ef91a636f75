"""What a run may be told: one frozen object, filled as flag > environment > file > default.

An unknown key is an error, whichever way it came in. `pipeline_key` is the part of the settings that changes what a
page says; it goes into the key under which finished pages are kept for `--resume`.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from docparse.errors import UsageError
from docparse.sizes import parse_size, shown_size

ENVIRONMENT_PREFIX = "DOCPARSE_"
MAX_NUMBER = 1e6  # of anything counted or timed: far more than anybody waits for, and what the system's calls can take
MAX_BYTES = 2**60
MIN_MEMORY = 2**28  # bytes; the interpreter, pdfium and a page of text
# Variables with our prefix that mean something else: the tests' public data, the implementation of docparse.kernels.
NOT_SETTINGS = frozenset({"data_dir", "kernels"})
ONLY_TYPED = frozenset({"out", "resume", "config", "quiet", "verbose", "json"})  # options that are no settings
SWITCH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
WHOLE, NUMBER, TEXT = "a whole number", "a number", "text (in quotes)"
KINDS = {bool: "true or false", int: WHOLE, int | None: WHOLE, float: NUMBER, float | None: NUMBER, str: TEXT}
LISTS = ("format", "pages", "devices")  # written with commas; a file of settings may have a list, or one number
COUNTS = ("document_timeout", "retries", "rereads", "max_pages", "max_damaged", "workers", "threads", "batch")
DEVICE = re.compile(r"auto|cpu|mps|(cuda|xpu)(:\d+)?")
RAY = re.compile(r"local|auto|(ray://)?[^\s/]+:\d{1,5}")
DEVICES = ("auto", "cpu", "cuda", "cuda:1", "mps", "xpu")
PIPELINE_SECONDS = 120.0  # for a page, unless something else is said
DPI, MAX_TOKENS = 144, 8192  # unless something else is said, or a model's authors use something else
MODEL_SECONDS = 7200.0  # a model of 3 B parameters writes a dense page in half an hour on a few CPU cores, alone


READ, WRITE, RUN = "What reads the page", "What is written", "How the run goes"  # panels of the help


def told(text: str, metavar: str = "", panel: str = "", *, off: str = "", least: int | None = None) -> msgspec.Meta:
    """Return what the help says of an option: `metavar` stands for its value ("": the words it may be, if any), `off`
    is the flag that switches it off, if there is one, and `least` the smallest number that is taken."""
    return msgspec.Meta(description=text, extra={"metavar": metavar, "panel": panel, "off": off, "least": least})


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting of `docparse convert`, with what its help says; lengths of time are seconds."""

    # "": what the suffix of the output file says, else Markdown
    format: Annotated[str, told("One or several, with commas (default: md).", "md,html,json")] = ""
    pages: Annotated[str, told("Pages, such as 1-3,7,-1; ranges may reach beyond the last page.", "RANGES")] = ""
    password: Annotated[str, told("Password of encrypted PDFs.", "TEXT")] = ""

    model: Annotated[
        str,
        told(
            "Read pages with the pipeline, or with a vision-language model: its name (docparse models list) or folder.",
            "auto|pipeline|NAME|FOLDER",
            READ,
        ),
    ] = "auto"
    accel: Annotated[
        str,
        told(
            "How to make a model faster: none, lossless, balanced, fast, or methods joined with +, such as "
            "rtprune+hsd(tau=0.75). auto is lossless where that pays; auto(lossy=true) may change the text.",
            "auto|PRESET|METHOD+...",
            READ,
        ),
    ] = "auto"
    device: Annotated[str, told("Where a model runs.", "auto|cpu|cuda[:N]|mps", READ)] = "auto"
    dtype: Annotated[
        Literal["auto", "float32", "bfloat16", "float16"], told("Precision a model computes in.", "", READ)
    ] = "auto"
    # None: what the authors of the model use, else `MAX_TOKENS`
    max_tokens: Annotated[
        int | None, told("Longest output of a model for a page or region (default: what its authors use).", "N", READ)
    ] = None
    rereads: Annotated[
        int,
        told(
            "Let a model read a page again up to N times, by sampling as its authors do, if it repeats itself, reaches "
            "a limit or writes broken markup (default: 0, always greedy).",
            "N",
            READ,
        ),
    ] = 0
    layout_engine: Annotated[
        Literal["none", "paddle"], told("Program that finds the regions of a page; none: docparse itself.", "", READ)
    ] = "none"
    text_layer: Annotated[
        Literal["auto", "off", "only"],
        told("Text in the PDF: use it if it is good (auto), never (off), or nothing else (only).", "", READ),
    ] = "auto"
    hidden_text: Annotated[
        bool,
        told(
            "Keep text of the PDF that nobody can see (invisible, white on white, half a point high).",
            "",
            READ,
            off="--no-hidden-text",
        ),
    ] = False
    ocr: Annotated[
        Literal["auto", "force", "off"],
        told("Read the pixels where needed (auto), always (force) or never (off).", "", READ),
    ] = "auto"
    # None: what the authors of the model use, else `DPI`
    dpi: Annotated[
        int | None,
        told("Resolution for OCR, figures and models (default: 144, or what a model's authors use).", "N", READ),
    ] = None

    tables: Annotated[
        Literal["auto", "gfm", "html"], told("Pipe tables (gfm) or HTML; auto: HTML only where cells span.", "", WRITE)
    ] = "auto"
    formulas: Annotated[bool, told("Write formulas as LaTeX.", "", WRITE, off="--no-formulas")] = True
    images: Annotated[
        Literal["none", "ref", "embed"],
        told("Figures: left out (none), as files (ref), inside the output (embed).", "", WRITE),
    ] = "ref"
    keep_headers: Annotated[bool, told("Keep running headers and footers.", "", WRITE, off="--drop-headers")] = False
    page_breaks: Annotated[bool, told("Mark where pages begin.", "", WRITE, off="--no-page-breaks")] = False
    layout_pdf: Annotated[
        bool, told("Also write a PDF of the pages with their regions drawn.", "", WRITE, off="--no-layout-pdf")
    ] = False

    page_timeout: Annotated[float | None, told("Seconds for one page (default: 120, with a model 7200).", "S", RUN)] = (
        None
    )
    document_timeout: Annotated[float, told("Seconds for one document (default: 0, no limit).", "S", RUN)] = 0.0
    retries: Annotated[int, told("Further attempts at a page whose worker crashed or ran out of memory.", "N", RUN)] = 1
    max_pages: Annotated[int, told("Most pages to read of one document; 0: all.", "N", RUN)] = 10_000
    max_damaged: Annotated[int, told("Give up a document after N unreadable pages in a row; 0: never.", "N", RUN)] = 20
    workers: Annotated[
        int, told("Worker processes of the pipeline (default: 0, one per core; with a model on a CPU, one).", "N", RUN)
    ] = 0
    threads: Annotated[int, told("Threads per worker (default: 0, cores / workers).", "N", RUN)] = 0
    server: Annotated[str, told("Let a model on an OpenAI-compatible server read the pages.", "URL", RUN)] = ""
    served_model: Annotated[str, told("The model's name on the server.", "NAME", RUN)] = ""
    devices: Annotated[str, told("Run one process of the model on each: cuda:0,cuda:1 or all.", "D,D|all", RUN)] = ""
    batch: Annotated[
        int, told("Pages that a model reads at once (default: 0, as many as make it faster).", "N", RUN)
    ] = 0
    ahead: Annotated[int, told("Pages that the pipeline prepares ahead of the model.", "N", RUN)] = 8
    max_memory: Annotated[
        str,
        told(
            "Memory limit per worker (default: a share of the machine's); a model's process has no limit.", "SIZE", RUN
        ),
    ] = ""
    max_spool: Annotated[str, told("Size limit of a document from a pipe or URL.", "SIZE", RUN)] = "2G"
    ray: Annotated[
        str,
        told(
            "Use a Ray cluster: start one here (local), join this machine's (auto), or one at an address.",
            "local|auto|[ray://]HOST:PORT",
            RUN,
        ),
    ] = ""
    offline: Annotated[bool, told("Forbid network access.", "", RUN, off="--online")] = False

    def __post_init__(self) -> None:
        if not 18 <= self.resolution <= 1200:
            raise UsageError(f"--dpi {self.dpi}: use a value from 18 to 1200")
        if self.page_timeout is not None and not 0 < self.page_timeout <= MAX_NUMBER:
            raise UsageError(f"--page-timeout {self.page_timeout:g}: use a number of seconds above 0")
        for name in COUNTS:
            number = getattr(self, name)
            if not 0 <= number <= MAX_NUMBER:
                raise UsageError(f"{as_option(name)} {number:g}: use 0 or a larger number")
        for name in ("max_memory", "max_spool"):
            _check_size(name, getattr(self, name))
        if not 1 <= self.ahead <= MAX_NUMBER:
            raise UsageError(f"--ahead {self.ahead}: use a number of pages, at least 1")
        if not 1 <= self.output_tokens <= MAX_NUMBER:
            raise UsageError(f"--max-tokens {self.max_tokens}: use a number from 1 to {MAX_NUMBER:.0f}")
        if not DEVICE.fullmatch(self.device):
            hint = nearest("cuda" if self.device.lower() == "gpu" else self.device, DEVICES)
            raise UsageError(f"--device {self.device!r} is not one of {', '.join(DEVICES)}{hint}")
        if self.ray and not RAY.fullmatch(self.ray):
            raise UsageError(f"--ray {self.ray!r}: use local, auto, HOST:PORT or ray://HOST:PORT")
        if self.text_layer == "only" and self.ocr == "force":
            raise UsageError("--text-layer only and --ocr force exclude each other: leave one of them out")

    @property
    def reads_with_model(self) -> bool:
        """Return whether a vision-language model writes the pages; `auto` counts as none until it has been decided."""
        return self.model not in ("auto", "pipeline")

    @property
    def may_read_pixels(self) -> bool:
        """Return whether OCR may be run, on a whole page or on a part of it."""
        return self.ocr != "off" and self.text_layer != "only"

    @property
    def resolution(self) -> int:
        """Return pixels to the inch of the pages that OCR and models see, and that crops are cut from."""
        return DPI if self.dpi is None else self.dpi

    @property
    def output_tokens(self) -> int:
        """Return the most that a model may write for a page or a region."""
        return MAX_TOKENS if self.max_tokens is None else self.max_tokens

    @property
    def page_seconds(self) -> float:
        """Return how long one page may take."""
        return self.page_timeout or (MODEL_SECONDS if self.reads_with_model else PIPELINE_SECONDS)

    @property
    def pipeline_seconds(self) -> float:
        """Return how long the pipeline may take with one page."""
        return self.page_timeout or PIPELINE_SECONDS

    def pipeline_key(self, version: str) -> str:
        """Hex digest over everything that can change the content of a page (not the way it is printed)."""
        names = ["model", "layout_engine", "text_layer", "hidden_text", "ocr", "formulas", "images"]
        names += ["accel", "dtype", "rereads"] if self.reads_with_model else []
        content = {name: getattr(self, name) for name in names} | {"version": version, "dpi": self.resolution}
        content |= {"max_tokens": self.output_tokens} if self.reads_with_model else {}
        return hashlib.sha256(msgspec.json.encode(content, order="sorted")).hexdigest()[:16]


def _check_size(name: str, text: str) -> None:
    """Raises `UsageError` where `text` is no size; that of a worker's memory may be open, but not too small."""
    least = MIN_MEMORY if name == "max_memory" else 1
    try:
        size = parse_size(text) if text or name != "max_memory" else least
    except ValueError:
        size = 0
    if not 0 < size <= MAX_BYTES:
        raise UsageError(f"{as_option(name)} {text!r}: use a size such as 2G, 512M or a number of bytes")
    if size < least:
        raise UsageError(f"{as_option(name)} {text!r}: a worker needs at least {shown_size(least)}")


def as_option(key: str) -> str:
    """Return how a setting is written on the command line."""
    return "--" + key.replace("_", "-")


def load_settings(
    flags: Mapping[str, Any],
    *,
    file: Path | None = None,
    environ: Mapping[str, str] | None = None,
    written: Callable[[str], str] = as_option,
) -> Settings:
    """Merge the layers. `flags` holds only what was typed (no `None`s), as it is `written`.

    `file` is a TOML file whose top-level keys are settings, with dashes or underscores; without one, `docparse.toml`
    in the current folder is read if it exists. A variable that is set to nothing counts as not set. Raises
    `UsageError` for an unknown key, a value of the wrong kind, or an unreadable file.
    """
    path = file or Path("docparse.toml")
    values = _checked(_read_file(path) if file or path.is_file() else {}, lambda key: f"{path}: {key}")
    variables = {
        key.removeprefix(ENVIRONMENT_PREFIX).lower(): value
        for key, value in (os.environ if environ is None else environ).items()
        if key.startswith(ENVIRONMENT_PREFIX) and value
    }
    variables = {key: value for key, value in variables.items() if key not in NOT_SETTINGS}
    values |= _checked(variables, lambda key: ENVIRONMENT_PREFIX + key.upper())
    values |= _checked({key: value for key, value in flags.items() if value is not None}, written)
    return Settings(**values)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        return {key.replace("-", "_"): value for key, value in found.items()}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or error
        raise UsageError(f"{path}: cannot read settings: {reason}") from None


def _checked(layer: Mapping[str, Any], typed: Callable[[str], str]) -> dict[str, Any]:
    """The values of a layer in the types of `Settings`; `typed` is how a person wrote a key there."""
    kinds, values = get_type_hints(Settings), {}
    for key, value in layer.items():
        if key in ONLY_TYPED:
            raise UsageError(f"{typed(key)} works only on the command line: leave it out here")
        if key not in kinds:
            hint = nearest(key, kinds, lambda near: typed(near).rpartition(": ")[2])
            raise UsageError(f"{typed(key)} is not a setting{hint}")
        kind = kinds[key]
        if get_origin(kind) is Literal and value not in (words := get_args(kind)):
            hint = nearest(str(value), words)
            raise UsageError(f"{typed(key)}: {value!r} is not one of {', '.join(words)}{hint}")
        try:
            values[key] = msgspec.convert(_meant(key, value, kind), kind, strict=False)
        except msgspec.ValidationError:
            raise UsageError(f"{typed(key)}: {value!r} is not {KINDS[kind]}") from None
    return values


def _meant(key: str, value: Any, kind: Any) -> Any:
    """A value as the command line has it: one text with commas for a list, and what a word says of a switch."""
    if key in LISTS and type(value) in (list, int):
        return ",".join(map(str, value if isinstance(value, list) else [value]))
    word = value.strip().lower() if isinstance(value, str) else value
    return SWITCH.get(word, value) if kind is bool else value


def nearest(word: str, known: Iterable[str], shown: Callable[[str], str] = str) -> str:
    """Return the end of an error message: the known word that was probably meant, as it is `shown`, or nothing."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {shown(near[0])!r}?" if near else ""
