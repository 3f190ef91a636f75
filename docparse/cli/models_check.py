"""`docparse models check`: a page through a model that was just pulled, and what a person wants to know of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer

from docparse.cli.models import Located
from docparse.cli.options import Json, Quiet, Verbose
from docparse.cli.progress import Console, print_json
from docparse.errors import ExitCode
from docparse.settings import load_settings

if TYPE_CHECKING:
    from docparse.vlm.model_check import Checked

SHOWN_PICTURES = 3


def check_model(
    name: Located,
    device: Annotated[str | None, typer.Option("--device", metavar="DEVICE", help="auto, cpu, cuda[:N], mps.")] = None,
    dtype: Annotated[
        str | None, typer.Option("--dtype", metavar="DTYPE", help="auto, bfloat16, float16, float32.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Let a model read one bundled page. Are files, prompt and text right, and how fast is it? Run this first."""
    from docparse.models.names import locate

    settings = load_settings({"device": device, "dtype": dtype})
    locate(name, offline=settings.offline)  # before torch is imported: a wrong name is told at once
    from docparse.vlm.model_check import check_model

    console = Console(quiet=quiet, verbose=0)
    console.say(f"{name}: loading, then reading one page; on a CPU that takes minutes for a large model")
    checked = check_model(name, device=settings.device, dtype=settings.dtype, offline=settings.offline)
    if json:
        print_json(msgspec.to_builtins(checked) | {"share": round(checked.share, 4), "good": checked.good})
    elif not quiet or not checked.good:
        for about, text in _lines(checked):
            print(f"{about:20}{text}")
    sys.stdout.flush()
    return int(ExitCode.OK if checked.good else ExitCode.PARTIAL)


def _lines(checked: Checked) -> list[tuple[str, str]]:
    speed, count = checked.speed, len(checked.pictures)
    same = checked.parameters == checked.published
    size = "as published" if same else f"the published weights have {checked.published:,}"
    lines = [
        ("model", f"{checked.family} {checked.revision}".rstrip() + f", {checked.dtype} on {checked.device}"),
        ("files", f"whole as their headers say, {checked.bytes / 1e9:.2f} GB in {checked.folder}"),
        ("parameters", f"{checked.parameters:,}{',' if same else ';'} {size}"),
    ]
    lines += [(each.about, ("" if each.same else "DIFFERS: ") + each.text) for each in checked.asked]
    if not any(each.about == "chat template" for each in checked.asked):
        lines.append(("chat template", "the folder has none to compare with"))
    pictures = [f"{each.width} x {each.height} px as {each.visual_tokens} tokens" for each in checked.pictures]
    more = f" and {count - SHOWN_PICTURES} more" if count > SHOWN_PICTURES else ""
    what = "the page whole" if checked.reads == "page" else f"{count} regions"
    lines += [
        ("pictures", f"{what}: {', '.join(pictures[:SHOWN_PICTURES])}{more}"),
        ("loading", f"{speed.load:.1f} s"),
        ("vision", f"{speed.vision:.1f} s"),
        ("prefill", f"{speed.prompt_tokens} tokens in {speed.prefill:.1f} s: {speed.prefill_rate:.0f} tokens/s"),
        ("decode", f"{speed.tokens} tokens in {speed.decode:.1f} s: {speed.decode_rate:.1f} tokens/s"),
        ("ending", checked.ending),
        ("written", checked.text or "nothing"),
        ("words", f"{checked.found} of the page's {checked.words} ({100 * checked.share:.0f} %)"),
        ("verdict", "good: it reads the page" if checked.good else "BAD: what it wrote is not the page's text"),
    ]
    return lines
