"""`--help` in the user's language: the parts of it that the library would print in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cyclopts import Group
from cyclopts.help import ColumnSpec, DefaultFormatter, InlineText
from cyclopts.help.specs import get_default_parameter_columns
from rich.text import Text

from pitbook.cli.language import say

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions


def default_text(value: object) -> str | None:
    """Return how help shows a default; None if it is nothing, as for a flag that is off."""
    return None if value in (None, False, "") else str(value)


def groups() -> dict[str, Group]:
    """Return the sections of a command's help."""
    names = {"group_commands": "commands", "group_arguments": "arguments", "group_parameters": "parameters"}
    return {kind: Group(say(f"help.app.{name}")) for kind, name in names.items()}


class Formatter(DefaultFormatter):
    """Help whose labels are messages, too."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a section."""
        if panel.format == "parameter":
            *first, last = get_default_parameter_columns(console, options, panel.entries)
            columns = (*first, ColumnSpec(renderer=_description, header=last.header, overflow="fold"))
            DefaultFormatter(column_specs=columns)(console, options, panel)
        else:
            super().__call__(console, options, panel)

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:  # noqa: ARG002
        """Print the line with the command's form."""
        if usage:
            form = str(usage).removeprefix("Usage:").strip()
            console.print(Text(f"{say('help.app.usage')} {form}\n", style="bold"))


def _description(entry: HelpEntry) -> InlineText:
    given = entry.description
    text = given if isinstance(given, InlineText) else InlineText(Text(str(given or "")))
    if entry.choices:
        text.append(Text(say("help.app.choices", choices=entry.choices), "dim"))
    if entry.default is not None:
        text.append(Text(say("help.app.default", value=entry.default), "dim"))
    if entry.required:
        text.append(Text(say("help.app.required"), "red"))
    return text
