"""Size limits of commands: refuse what no table would ever need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.ledger.accounts import WALK_IN
from pitbook.messages import Message
from pitbook.people.names import fold_name, is_line, is_reserved, name_problem
from pitbook.server.http.problems import InvalidField, Problem
from pitbook.table import commands as c

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pitbook.table.people import Person

AMOUNT_MAX = 10**14
"""The largest number in a command: a million millions in minor units."""
BETS_MAX = 200
ITEMS_MAX = 400
NAME_MAX = 200
WORDS_MAX = 2_000
KEY_MAX = 200


def check_bets(bets: tuple[c.Wanted, ...]) -> None:
    """Refuse bets that are too many or too large; a quick path, as bets come by the thousand."""
    if len(bets) > BETS_MAX:
        raise Problem("bad-request", f"body.bets: at most {BETS_MAX} bets at once, not {len(bets)}")
    for number, one in enumerate(bets):
        if len(one.wager) > NAME_MAX or not -AMOUNT_MAX <= one.amount <= AMOUNT_MAX or not one.wager.isprintable():
            found = list(_size_errors(msgspec.to_builtins(one), f"body.bets[{number}]"))
            found = found or [InvalidField(f"body.bets[{number}].wager", "no control characters")]
            raise Problem("bad-request", f"{found[0].place}: {found[0].says}", errors=found)


def check_command(command: c.Command) -> None:
    """Refuse a command that is too large in any part, naming the place."""
    if isinstance(command, c.PlaceBets) and len(command.bets) > BETS_MAX:
        raise Problem("bad-request", f"body.bets: at most {BETS_MAX} bets at once, not {len(command.bets)}")
    found = list(_size_errors(msgspec.to_builtins(command), "body"))[:20]
    player = command.shooter if isinstance(command, c.NewShooter) else getattr(command, "player", None)
    if isinstance(player, str) and not found and not _is_valid_player_name(player):
        found = [InvalidField("body.player", "a name is one line without colons or surrounding spaces")]
    if found:
        raise Problem("bad-request", f"{found[0].place}: {found[0].says}", errors=found)


def check_key(person: Person, key: str | None) -> str | None:
    """Return an idempotency key with its person's name in front, or None.

    Nobody can use up another person's keys, or those of the server, which contain no slash.
    """
    if key is None:
        return None
    if not key.isprintable() or not 1 <= len(key) <= KEY_MAX:
        raise Problem("bad-request", f"Idempotency-Key: 1 to {KEY_MAX} printable characters")
    return f"{person.name}/{key}"


def check_table_name(name: str, others: Iterable[str]) -> None:
    """Refuse a name that a new table cannot have: it is used in URLs and in the record permanently."""
    if is_reserved(name):
        raise Problem("unprocessable", Message("refusals.people.name.reserved", {"name": name[:NAME_MAX]}))
    problem = name_problem(name)
    if problem is not None:
        raise Problem("unprocessable", problem)
    alike = next((one for one in others if one != name and fold_name(one) == fold_name(name)), None)
    if alike is not None:
        raise Problem("unprocessable", f"there is a table {alike!r}; choose a name that differs by more than its case")


def _is_valid_player_name(player: str) -> bool:
    """Return whether a player, who need not have an account, can have this name."""
    plain = player.removeprefix(WALK_IN)
    return is_line(plain, NAME_MAX) and plain == plain.strip() and ":" not in plain


def _size_errors(value: Any, place: str) -> Iterator[InvalidField]:
    if isinstance(value, str):
        longest = WORDS_MAX if place.endswith((".words", ".sealed")) else NAME_MAX
        if len(value) > longest:
            yield InvalidField(place, f"at most {longest} characters, not {len(value)}")
        elif not value.isprintable() and not _is_text(value):
            yield InvalidField(place, "no control characters or unpaired surrogates")
    elif isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > AMOUNT_MAX:
            yield InvalidField(place, f"numbers from -{AMOUNT_MAX} to {AMOUNT_MAX}")
    elif isinstance(value, dict):
        yield from _length_errors(value, place)
        for name, inner in value.items():
            yield from _size_errors(name, f"{place}.{str(name)[:NAME_MAX]}")
            yield from _size_errors(inner, f"{place}.{str(name)[:NAME_MAX]}")
    elif isinstance(value, list | tuple):
        yield from _length_errors(value, place)
        for number, inner in enumerate(value[:ITEMS_MAX]):
            yield from _size_errors(inner, f"{place}[{number}]")


def _length_errors(value: Any, place: str) -> Iterator[InvalidField]:
    if len(value) > ITEMS_MAX:
        yield InvalidField(place, f"at most {ITEMS_MAX} items, not {len(value)}")


def _is_text(value: str) -> bool:
    """Return whether a value is text with at most line breaks, tabs and unusual spaces."""
    return all(letter.isprintable() or letter in "\n\t" or letter.isspace() for letter in value) and "\0" not in value
