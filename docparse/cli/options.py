"""What the options of all commands have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from docparse.network import remember_who_forbids
from docparse.settings import Settings, allowed_values, load_settings, origin

SWITCH = " "  # the metavar of options without a value: the help names no type for them
DEFAULTS = Settings()
CHOICES = allowed_values()


def setting(flag: str, help_text: str, metavar: str = "", **more: Any) -> Any:
    """An option for the setting of the same name: unset unless typed, its default shown in the help."""
    name = flag.split("/", maxsplit=1)[0].lstrip("-").replace("-", "_")
    default = getattr(DEFAULTS, name)
    if default and not isinstance(default, bool):
        shown = default if isinstance(default, str) else f"{default:g}"
        help_text = f"{help_text.removesuffix('.')} (default: {shown})."
    metavar = metavar or "|".join(CHOICES.get(name, ())) or SWITCH
    return typer.Option(flag, help=help_text, metavar=metavar, show_default=False, **more)


def settings_of(flags: Mapping[str, Any], file: Path | None = None) -> Settings:
    """Return what was typed, else the environment's, else the file's; messages then name which of them forbids the
    network."""
    settings = load_settings(flags, file=file)
    remember_who_forbids(origin("offline", flags, file=file) if settings.offline else "")
    return settings
