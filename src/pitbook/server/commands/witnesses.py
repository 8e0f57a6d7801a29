"""Witnesses who confirm their presence: with a PIN at the console, or on their own device."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.table import commands as c

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from pitbook.server.schemas.people import Confirmation
    from pitbook.server.services import Services
    from pitbook.table.people import Person


def named_witnesses(command: c.Command) -> tuple[Person, ...]:
    """Return the people whom a command names as witnesses."""
    if isinstance(command, c.Call):
        return command.present
    if isinstance(command, c.TakeStep):
        return tuple(one for one in (command.directed_by, command.confirmed_by) if one is not None)
    return ()


def unconfirmed_witnesses(
    services: Services, table: str, command: c.Command, confirmed: Container[str]
) -> list[Person]:
    """Return the witnesses who still have to confirm, where house policy requires it."""
    if not named_witnesses(command):
        return []
    setup = services.house.table(table).setup
    if setup is None or setup.witness == "named":
        return []
    return [one for one in named_witnesses(command) if one.name not in confirmed]


async def check_pins(
    services: Services, command: c.Command, confirmations: Iterable[Confirmation], player: str | None = None
) -> frozenset[str]:
    """Return the names of those whose PIN is right; raise a problem for anyone else.

    Only witnesses, and the player whose consent is needed, confirm by PIN.
    """
    authenticator = services.authenticator
    named = {player, *(one.name for one in named_witnesses(command))}
    for one in confirmations:
        if one.name not in named:
            raise Problem("unprocessable", detail("no-pin-needed", name=one.name))
        authenticator.rates.pin(one.name)
        verified, _ = await authenticator.hashing.verify(one.pin, partial(authenticator.auth.pin_of, one.name))
        if not verified.matches:
            authenticator.records.record_sign_in_failure(
                one.name, known=True, why="the PIN given at a console is wrong"
            )
            raise Problem("unprocessable", detail("wrong-pin", name=one.name))
    return frozenset(one.name for one in confirmations)
