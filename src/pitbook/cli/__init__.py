"""The command line: one module per command, imported when it runs."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

COMMANDS = {
    "books": "List the packaged rulebooks.",
    "show": "Show a whole book: wagers, pays, options, readings, procedure, irregularities.",
    "wagers": "List every wager of a book, with what its rows pay.",
    "clauses": "List every clause of a text, what models it and which test holds it.",
    "check": "Report every problem of a book at once.",
    "illuminate": "Show the areas of the layout that win on these dice.",
    "settle": "Settle bets on rolls, by the book.",
    "analyse": "Exact chance, house edge, variance and duration of every wager.",
    "spread": "The joint result of several one-roll wagers, on one throw and after many rounds.",
    "simulate": "Bets on the same dice, or a whole night of players and tables, by chance.",
    "compare": "The same bets under different books or pay tables, side by side.",
    "lint": "What a careful mathematician would question in a book.",
    "design": "The pay, in whole odds, that comes closest to a house edge.",
    "draw": "Draw the machine of a wager.",
    "replay": "Tell what happened at a table, or in one round.",
    "export": "Write a journal's entries, postings and settlements as CSV or Parquet.",
    "backup": "Copy a journal to a file while tables go on.",
    "restore": "Put a backup in place as a new journal, or prove with --check that it could be.",
    "archive": "Move the records of closed tables to files, with their proof.",
    "move": "Copy a whole house from SQLite to PostgreSQL or back, audited on both sides.",
    "audit": "Prove a journal right with code of its own, or name the first entry that is wrong.",
    "verify-round": "Recompute the dice of an automatic table from its revealed seed, step by step.",
    "checkpoint": "Sign where every table's record stands, for others to keep.",
    "serve": "Run the table server.",
    "accept-loss": "Go on with a record that has lost entries, on record.",
    "reset-password": "Let a person choose a new password when no manager can help.",
    "erase-person": "Erase the names of a closed account that are stored beside the journal.",
    "rotate-key": "Replace the sealing key or the signing key of a house.",
    "disable-demo": "Take the published password away from the demo accounts of a house.",
}
"""Each command with its summary: the function of that name in the module of that name, with _ for a dash."""


def main(arguments: list[str] | None = None) -> None:
    """Run one command; an input error is one line and exit code 2."""
    from cyclopts import App, CycloptsError

    from pitbook.errors import InputError, InputErrors
    from pitbook.rulebooks.errors import InvalidBook

    _open_streams()
    app = App(
        name="pitbook",
        help="Dice tables, run by the book: rules as data, every wager a machine, exact figures.",
        version=_version,
        help_format="plaintext",
    )
    for order, (name, line) in enumerate(COMMANDS.items()):
        module = name.replace("-", "_")
        app.command(f"pitbook.cli.{module}:{module}", name=name, help=line, sort_key=order)
    try:
        outcome = app(
            sys.argv[1:] if arguments is None else arguments,
            exit_on_error=False,
            print_error=False,
            result_action="return_value",
        )
        sys.stdout.flush()
    except (InvalidBook, InputErrors) as several:
        _fail(str(several))
    except InputError as error:
        _fail(" ".join(str(error).split()))
    except CycloptsError as error:
        _fail(_usage_error(str(error), error.command_chain or ()))
    except BrokenPipeError:  # the reader has closed the pipe
        _drop_output()
        sys.exit(0)
    except OSError as error:
        _drop_output()
        _fail(f"cannot use {error.filename or 'the output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        _fail("stopped", code=130)
    except Exception as error:
        line = " ".join(str(error).split())
        if _is_journal_error(error):
            damaged = type(error).__name__ == "Broken"
            _fail(f"the record is damaged: {line}; keep the file, and restore a backup" if damaged else line)
        if not _is_database_error(error):
            raise
        _fail(f"the database cannot be read: {line}; is it a journal, and whole?")
    else:
        sys.exit(outcome if isinstance(outcome, int) else 0)


def _usage_error(words: str, command: Iterable[str]) -> str:
    """Return what was wrong with a command's arguments, and whose help to read.

    >>> _usage_error("Unknown option: --prot. Did you mean --port?", ["serve"])
    'unknown option --prot; did you mean --port? See pitbook serve --help'
    """
    message, _, suggested = " ".join(words.split()).partition(" Available ")[0].partition(" Did you mean ")
    message = (message[:1].lower() + message[1:]).replace("unknown option: ", "unknown option ").rstrip("., ")
    nearest = f"; did you mean {suggested.partition('?')[0]}? See" if suggested else "; see"
    return f"{message}{nearest} {' '.join(['pitbook', *command])} --help"


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
