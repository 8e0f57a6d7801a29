"""Size limits of commands: refuse what no table would ever need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.errors import quoted
from pitbook.ledger.accounts import WALK_IN
from pitbook.messages import Message
from pitbook.people.names import fold_name, is_line, is_reserved, name_problem
from pitbook.server.http.errors import FieldError, detail
from pitbook.server.http.problems import Problem, invalid_fields
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


def check_bets(bets: tuple[c.BetRequest, ...]) -> None:
    """Refuse bets that are too many or too large; a quick path, as bets come by the thousand."""
    if len(bets) > BETS_MAX:
        raise Problem("bad-request", detail("too-many-bets", most=BETS_MAX, given=len(bets)))
    for number, one in enumerate(bets):
        if len(one.wager) > NAME_MAX or not -AMOUNT_MAX <= one.amount <= AMOUNT_MAX or not one.wager.isprintable():
            found = list(_size_errors(msgspec.to_builtins(one), f"body.bets[{number}]"))
            found = found or [FieldError(f"body.bets[{number}].wager", detail("field.control-characters"))]
            raise invalid_fields(found)


def check_command(command: c.Command) -> None:
    """Refuse a command that is too large in any part, naming the place."""
    if isinstance(command, c.PlaceBets) and len(command.bets) > BETS_MAX:
        raise Problem("bad-request", detail("too-many-bets", most=BETS_MAX, given=len(command.bets)))
    found = list(_size_errors(msgspec.to_builtins(command), "body"))[:20]
    player = command.shooter if isinstance(command, c.NewShooter) else getattr(command, "player", None)
    if isinstance(player, str) and not found and not _is_valid_player_name(player):
        found = [FieldError("body.player", detail("field.player-name"))]
    if found:
        raise invalid_fields(found)


def check_key(person: Person, key: str | None) -> str | None:
    """Return an idempotency key with its person's name in front, or None.

    Nobody can use up another person's keys, or those of the server, which contain no slash.
    """
    if key is None:
        return None
    if not key.isprintable() or not 1 <= len(key) <= KEY_MAX:
        raise Problem("bad-request", detail("idempotency-key", most=KEY_MAX))
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
        raise Problem("unprocessable", detail("table-alike", table=quoted(alike)))


def _is_valid_player_name(player: str) -> bool:
    """Return whether a player, who need not have an account, can have this name."""
    plain = player.removeprefix(WALK_IN)
    return is_line(plain, NAME_MAX) and plain == plain.strip() and ":" not in plain


def _size_errors(value: Any, place: str) -> Iterator[FieldError]:
    if isinstance(value, str):
        longest = WORDS_MAX if place.endswith((".words", ".sealed")) else NAME_MAX
        if len(value) > longest:
            yield FieldError(place, detail("field.too-long", most=longest, given=len(value)))
        elif not value.isprintable() and not _is_text(value):
            yield FieldError(place, detail("field.unreadable-characters"))
    elif isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > AMOUNT_MAX:
            yield FieldError(place, detail("field.between", least=-AMOUNT_MAX, most=AMOUNT_MAX))
    elif isinstance(value, dict):
        yield from _length_errors(value, place)
        for name, inner in value.items():
            yield from _size_errors(name, f"{place}.{str(name)[:NAME_MAX]}")
            yield from _size_errors(inner, f"{place}.{str(name)[:NAME_MAX]}")
    elif isinstance(value, list | tuple):
        yield from _length_errors(value, place)
        for number, inner in enumerate(value[:ITEMS_MAX]):
            yield from _size_errors(inner, f"{place}[{number}]")


def _length_errors(value: Any, place: str) -> Iterator[FieldError]:
    if len(value) > ITEMS_MAX:
        yield FieldError(place, detail("field.too-many-items", most=ITEMS_MAX, given=len(value)))


def _is_text(value: str) -> bool:
    """Return whether a value is text with at most line breaks, tabs and unusual spaces."""
    return all(letter.isprintable() or letter in "\n\t" or letter.isspace() for letter in value) and "\0" not in value
