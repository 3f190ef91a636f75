"""What the options of all commands have in common; those of convert and bench are made from described classes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperOption

from docparse.settings import as_option

PLAIN, KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
Command = TypeVar("Command", bound=Callable[..., int])


def _remember(context: typer.Context, verbose: int) -> int:
    """Leave in the context how much is to be said of an error: `cli.tell` looks there."""
    context.ensure_object(dict)["verbose"] = verbose
    return verbose


def no_option(context: typer.Context, value: Any) -> Any:
    """Return the value of an option. Raises `typer.BadParameter` where it was forgotten, and the next option taken for
    it: `--json -q` would write a file called `-q`."""
    if str(value) in {name for other in context.command.params for name in (*other.opts, *other.secondary_opts)}:
        raise typer.BadParameter(f"it needs a value, and {value} is an option")
    return value


class PanelHelp(TyperCommand):
    """A command whose help has a section for each panel of its options, in plain text: boxes with five columns leave no
    room for sentences at 80 characters."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for each in self.get_params(ctx):
            if record := each.get_help_record(ctx):
                name, text = record
                kind = "Options" if isinstance(each, TyperOption) else "Arguments"
                panel = getattr(each, "rich_help_panel", None) or kind
                sections.setdefault(panel, []).append((name.partition(" <")[0], text))
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records, col_max=24)


def verbosity(help_text: str) -> Any:
    return typer.Option("-v", "--verbose", count=True, show_default=False, help=help_text, callback=_remember)


Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Errors only.")]
Verbose = Annotated[int, verbosity("-vv: with tracebacks.")]
Json = Annotated[bool, typer.Option("--json", help="The result on stdout, as JSON.")]


def with_options(*described: type) -> Callable[[Command], Command]:
    """Let a typer command take an option for every field of these classes, all in its `**typed`; None: not typed. The
    help has them before the command's own options that are keywords only."""
    options = [
        _option(name, hint, getattr(each(), name))
        for each in described
        for name, hint in get_type_hints(each, include_extras=True).items()
    ]

    def taking(command: Command) -> Command:
        signature = inspect.signature(command, eval_str=True)
        own = {kind: [each for each in signature.parameters.values() if each.kind is kind] for kind in (PLAIN, KEYWORD)}
        parameters = [*own[PLAIN], *options, *own[KEYWORD]]
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return command

    return taking


def _option(name: str, described: Any, default: object) -> inspect.Parameter:
    """Return an option that is unset unless typed, its default shown in the help."""
    kind, told = get_args(described)
    choices, extra = get_args(kind) if get_origin(kind) is Literal else (), told.extra or {}
    flag, text = as_option(name), told.description or ""
    if kind is bool and extra["off"]:
        flag += f"/{extra['off']}"
        default = "on" if default else "off"
    if default:
        text = f"{text.removesuffix('.')} (default: {default if isinstance(default, str) else f'{default:g}'})."
    option = typer.Option(
        flag,
        help=text,
        metavar=extra["metavar"] or "|".join(choices) or None,
        show_default=False,
        rich_help_panel=extra["panel"] or None,
        min=extra["least"],
        callback=no_option if kind is str else None,
    )
    hint = Annotated[(str if choices else kind) | None, option]  # type: ignore[valid-type]
    return inspect.Parameter(name, KEYWORD, default=None, annotation=hint)
