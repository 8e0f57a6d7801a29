"""The command line: one module per command, imported when it runs."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from cyclopts import App, CycloptsError

COMMANDS = (
    "books",
    "show",
    "wagers",
    "clauses",
    "check",
    "illuminate",
    "settle",
    "analyse",
    "spread",
    "simulate",
    "compare",
    "lint",
    "design",
    "draw",
    "replay",
    "export",
    "backup",
    "restore",
    "archive",
    "move",
    "audit",
    "verify-round",
    "checkpoint",
    "serve",
    "accept-loss",
    "reset-password",
    "erase-person",
    "rotate-key",
    "disable-demo",
)
"""The commands in the order of `--help`: each is the function of that name in the module of that name, with _ for a
dash. `messages/cli/help.toml` has their help."""


def main(arguments: list[str] | None = None) -> None:
    """Run one command; an input error is one line and exit code 2."""
    from cyclopts import CycloptsError

    from pitbook.cli.language import language, say
    from pitbook.errors import InputError, InputErrors
    from pitbook.rulebooks.errors import InvalidBook

    _open_streams()
    try:
        outcome = _app()(
            sys.argv[1:] if arguments is None else arguments,
            exit_on_error=False,
            print_error=False,
            result_action="return_value",
        )
        sys.stdout.flush()
    except (InvalidBook, InputErrors) as several:
        _fail(several.text(language()))
    except InputError as error:
        _fail(" ".join(error.text(language()).split()))
    except CycloptsError as error:
        _fail(_usage_error(error))
    except BrokenPipeError:  # the reader has closed the pipe
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        reason = error.strerror or error
        _fail(
            say("usage.file", file=error.filename, reason=reason)
            if error.filename
            else say("usage.output", reason=reason)
        )
    except KeyboardInterrupt:
        _fail(say("usage.stopped"), code=130)
    except Exception as error:
        line = " ".join(str(error).split())
        if _is_journal_error(error):
            _fail(say("usage.damaged", reason=line) if type(error).__name__ == "Broken" else line)
        if not _is_database_error(error):
            raise
        _fail(say("usage.database", reason=line))
    else:
        sys.exit(outcome if isinstance(outcome, int) else 0)


def _app() -> App:
    from cyclopts import App, Parameter

    from pitbook.cli.help import Formatter, default_text, groups
    from pitbook.cli.language import say

    app = App(
        name="pitbook",
        help=say("help.app.about"),
        version=_version,
        help_format="plaintext",
        help_formatter=Formatter(),
        default_parameter=Parameter(show_default=default_text),
        **cast("dict[str, Any]", groups()),
    )
    app["--help"].help = say("help.app.help")
    app["--version"].help = say("help.app.version")
    for order, name in enumerate(COMMANDS):
        module = name.replace("-", "_")
        app.command(f"pitbook.cli.{module}:{module}", name=name, help=_summary(name), sort_key=order)
    return app


def _summary(command: str) -> str:
    """Return a command's help: the summary, then details if there are any."""
    from pitbook.cli.language import say
    from pitbook.messages.catalogue import find

    known = [part for part in ("summary", "details") if find(f"cli.help.{command}.{part}")]
    return "\n\n".join(say(f"help.{command}.{part}") for part in known)


def _usage_error(error: CycloptsError) -> str:
    """Return what is wrong with a command's arguments, and which help to read."""
    from cyclopts import CoercionError, MissingArgumentError, UnknownCommandError, UnknownOptionError

    from pitbook.cli.language import say

    message, _, rest = " ".join(str(error).split()).partition(" Available ")[0].partition(" Did you mean ")
    nearest = rest.partition("?")[0]
    match error:
        case UnknownOptionError(token=token):
            problem = say("usage.unknown-option", option=token.keyword or token.value)
        case UnknownCommandError(unused_tokens=[command, *_]):
            problem = say("usage.unknown-command", command=command)
        case MissingArgumentError(argument=argument) if argument is not None:
            problem = say("usage.missing", parameter=error.keyword or argument.name)
        case CoercionError(argument=argument, token=token) if (
            argument and token and (choices := argument.get_choices())
        ):
            given = {"value": token.value, "parameter": token.keyword or argument.name.lstrip("-").upper()}
            problem = say("usage.choice", choices=choices, **given)
        case _:  # in the library's English
            problem = (message[:1].lower() + message[1:]).rstrip("., ")
    command = " ".join(["pitbook", *(error.command_chain or ())])
    if nearest:
        return say("usage.did-you-mean", problem=problem, nearest=nearest, command=command)
    return say("usage.see-help", problem=problem, command=command)


def _is_database_error(error: Exception) -> bool:
    """Return whether an error comes from a database driver, as for a file that is not a journal."""
    return type(error).__module__.split(".")[0] in ("apsw", "psycopg")


def _is_journal_error(error: Exception) -> bool:
    """Return whether an error is a journal's own: unavailable, damaged or altered; its text says what to do."""
    return type(error).__module__ in ("pitbook.journal.errors", "pitbook.auth.errors")


def _open_streams() -> None:
    """Make output streams usable if they are closed, and replace what their encoding cannot write."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - to the end
        elif isinstance(stream, TextIOWrapper) and "utf" not in stream.encoding.lower():
            stream.reconfigure(errors="replace" if name == "stdout" else "backslashreplace")


def _drop_output() -> None:
    """Discard further output, so that Python does not try again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(line: str, code: int = 2) -> None:
    print(f"pitbook: {line}", file=sys.stderr)
    sys.exit(code)


def _version() -> str:
    from importlib.metadata import version

    return version("pitbook")
