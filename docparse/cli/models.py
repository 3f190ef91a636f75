"""`docparse models`: what there is, what is cached, what runs here; downloading and checking weights."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from docparse.cli.options import Json, PanelHelp, Quiet, Verbose
from docparse.cli.progress import Console, bar, print_json
from docparse.errors import EnvironmentProblem, UsageError
from docparse.models import names
from docparse.models.family import Card
from docparse.models.registry import families
from docparse.network import forbidden_by
from docparse.settings import load_settings
from docparse.types import converted
from docparse.weights import memory, pins, store
from docparse.weights.pull import Watcher, pull
from docparse.weights.store import FileCheck, verify

if TYPE_CHECKING:
    from rich.progress import Progress

GB, MB = 1e9, 1e6
models = typer.Typer(
    rich_markup_mode=None,
    invoke_without_command=True,
    help="List, download and check vision-language models (default: list).",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A name of `docparse models list`.")]
Located = Annotated[str, typer.Argument(metavar="NAME", help="A name of `docparse models list`, or a folder.")]
HEADINGS = ("NAME", "FOR", "PARAMETERS", "ON DISK", "STATE", "MEMORY NEEDED", "LICENCE")


class ModelRow(msgspec.Struct, frozen=True):
    """The state of one family on this machine. Sizes are bytes; `disk` is an estimate unless it is cached."""

    name: str
    purpose: str
    licence: str
    parameters: int
    repository: str
    revision: str  # of the weights on disk, else the pinned one
    state: str  # shipped, cached, partial, absent
    folder: str
    disk: int
    dtype: str
    device: str
    needed: int
    fits: bool
    aliases: tuple[str, ...]
    note: str


@models.callback()
def list_unless_told(context: typer.Context) -> int | None:
    return list_models() if context.invoked_subcommand is None else None


@models.command("list", cls=PanelHelp)
def list_models(json: Json = False, quiet: Quiet = False, verbose: Verbose = 0) -> int:
    """List all families: size, licence, memory, what is downloaded."""
    place = memory.here()
    rows = [_row(family.card, place) for family in families()]
    if json:
        print_json(rows)
        return 0
    lines = [HEADINGS, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    console = Console(quiet=quiet, verbose=0)
    free = f"{place.free / memory.GIB:.1f} GiB of {place.what} free" if place.free else "free memory unknown"
    console.say(f"on {place.name}: {free}; weights are kept in {store.cache_folder()}")
    if unused := memory.unused_gpu():
        console.say(unused)
    return 0


def _row(card: Card, place: memory.Device) -> ModelRow:
    plan = memory.plan(card.parameters, place)
    snapshot = names.family_snapshot(card)
    if snapshot is None:
        state = "absent"
    elif snapshot.lacks():
        state = "partial"
    else:
        state = "shipped" if store.shipped(card) else "cached"
    return converted(
        card,
        ModelRow,
        revision=snapshot.revision if snapshot else card.revision,
        state=state,
        folder=str(snapshot.folder) if snapshot else "",
        disk=snapshot.size() if snapshot and state != "partial" else card.parameters * memory.WIDTH["bfloat16"],
        dtype=plan.dtype,
        device=place.name,
        needed=plan.needed,
        fits=plan.fits,
    )


def _cells(row: ModelRow) -> tuple[str, ...]:
    about = "" if row.state in ("cached", "shipped") else "~"
    return (
        row.name,
        row.purpose,
        f"{row.parameters / 1e9:.1f} B" if row.parameters >= 1e9 else f"{row.parameters / 1e6:.0f} M",
        f"{about}{row.disk / GB:.1f} GB" if row.disk >= GB / 10 else f"{about}{row.disk / MB:.0f} MB",
        row.state if row.state != "absent" else "-",
        f"{row.needed / memory.GIB:.1f} GiB {row.dtype}{'' if row.fits else ': too much'}",
        row.licence,
    )


@models.command("pull", cls=PanelHelp)
def pull_model(
    name: Name,
    revision: Annotated[
        str | None,
        typer.Option("--revision", metavar="REV", help="A commit, tag or branch in place of the pinned commit."),
    ] = None,
    offline: Annotated[
        bool | None,
        typer.Option(
            "--offline/--online", show_default=False, help="Refuse to download, whatever the settings say; or allow it."
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="S", min=0.1, help="Seconds without data before it tries again.")
    ] = 30.0,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Download weights, or continue a download. They go into the Hugging Face cache; the folder is printed."""
    card = names.known_family(name).card
    console = Console(quiet=quiet, verbose=0)
    if shipped := store.shipped(card):
        if revision is not None:
            raise UsageError(f"--revision {revision}: {card.name} comes with docparse, in one revision")
        console.say(f"{card.name} comes with docparse: there is nothing to pull")
        _print_folder(card, shipped, as_json=json)
        return 0
    pinned = revision is None and bool(card.revision)
    card = replace(card, revision=(card.revision or store.MAIN) if revision is None else revision)
    pins.check_revision(card.revision)
    _refuse_offline(card, offline)
    at = f"{'pinned ' if pinned else ''}revision {card.revision}"
    console.say(f"{card.name}: {card.repository} at {at}, licence {card.licence}")
    with bar(console, "DownloadColumn", "TransferSpeedColumn", "TimeRemainingColumn") as progress:
        watcher = PullLines(console) if progress is None else PullBar(console, progress)
        snapshot = pull(card, timeout=timeout, watcher=watcher)
    console.say(f"{card.name}: complete and as published, revision {snapshot.revision}, {snapshot.size() / GB:.1f} GB")
    _print_folder(card, snapshot, as_json=json)
    return 0


def _print_folder(card: Card, snapshot: store.Snapshot, *, as_json: bool) -> None:
    if as_json:
        form = {"name": card.name, "repository": card.repository, "revision": snapshot.revision}
        print_json(form | {"folder": str(snapshot.folder), "bytes": snapshot.size()})
    else:
        print(snapshot.folder)


def _refuse_offline(card: Card, offline: bool | None) -> None:
    variables, on = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"), {"1", "ON", "YES", "TRUE"}
    by_hub = next((name for name in variables if os.environ.get(name, "").upper() in on), "")
    if who := forbidden_by() if is_offline(offline) else by_hub:
        raise EnvironmentProblem(f"{card.name}: {who} forbids network access: leave it out, then pull again")


def is_offline(typed: bool | None = None) -> bool:
    """Return the setting: typed, else the environment's, else the file's."""
    return load_settings({"offline": typed}).offline


@models.command("verify", cls=PanelHelp)
def verify_model(name: Located, json: Json = False, quiet: Quiet = False, verbose: Verbose = 0) -> int:
    """Compare the files on disk with the published hashes."""
    family, snapshot = names.on_disk(name, offline=is_offline())
    findings = []
    for finding in verify(snapshot):
        findings.append(finding)
        if not json and (finding.status == "wrong" or not quiet):
            print(f"{finding.status:8}{finding.file}  {finding.text}", flush=True)
    if json:
        found = {"name": name, "folder": str(snapshot.folder), "revision": snapshot.revision}
        print_json(found | {"findings": findings})
    _conclude(name, family.card, findings, Console(quiet=quiet, verbose=0), folder=names.is_folder(name))
    return 0


def _conclude(name: str, card: Card, findings: list[FileCheck], console: Console, *, folder: bool) -> None:
    wrong = [finding for finding in findings if finding.status == "wrong"]
    unknown = sum(finding.status == "unknown" for finding in findings)
    if wrong:
        mend = "put a whole copy there" if folder else f"run `docparse models pull {card.name}`"
        raise EnvironmentProblem(f"{name}: {len(wrong)} of {len(findings)} files are not as published: {mend}")
    whole = f"{len(findings) - unknown} files as published"
    console.say(f"{name}: {whole}" + (f", {unknown} without a recorded hash" if unknown else ""))


@models.command("path", cls=PanelHelp)
def path_of_model(name: Name, json: Json = False, quiet: Quiet = False, verbose: Verbose = 0) -> int:
    """Print the folder that holds a model's weights."""
    family, snapshot = names.locate(name, offline=is_offline())
    if json:
        print_json({"name": family.card.name, "folder": str(snapshot.folder), "revision": snapshot.revision})
    else:
        print(snapshot.folder)
    return 0


class PullLines(Watcher):
    def __init__(self, console: Console) -> None:
        self.console = console

    def begin(self, revision: str, total: int, there: int) -> None:
        have = f", {there / GB:.2f} GB of them are there" if there else ""
        self.console.say(f"revision {revision}: {total / GB:.2f} GB{have}")

    def file(self, name: str, size: int) -> None:
        self.console.say(f"{name}: {size / 1e6:.1f} MB")

    def note(self, text: str) -> None:
        self.console.say(text)


class PullBar(PullLines):
    """One bar for all the bytes, with speed and the time that is left."""

    def __init__(self, console: Console, progress: Progress) -> None:
        super().__init__(console)
        self.progress = progress
        self.bar = progress.add_task("")

    def begin(self, revision: str, total: int, there: int) -> None:
        super().begin(revision, total, there)
        self.progress.update(self.bar, total=total, completed=there)

    def file(self, name: str, size: int) -> None:
        self.progress.update(self.bar, description=name)

    def arrived(self, count: int) -> None:
        self.progress.advance(self.bar, count)
