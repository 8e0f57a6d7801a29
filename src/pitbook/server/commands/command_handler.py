"""Submit commands to a table: check the people they name, and wait for the result."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pitbook.house.house import answer_of
from pitbook.ledger.accounts import WALK_IN, player
from pitbook.people.values import PATRONS
from pitbook.server.http.problems import Problem
from pitbook.table import commands as c
from pitbook.table.people import AUDITOR, PLAYER, Consent, Person
from pitbook.table.refusals import Why

if TYPE_CHECKING:
    from pitbook.house.house import Answer
    from pitbook.people.state import Account, People
    from pitbook.server.services import Services

NAMED = ("directed_by", "confirmed_by", "present")
"""Fields in which somebody says who else was there; they must be people of the house, in a role that they hold."""


async def carry_out(
    services: Services,
    table: str,
    person: Person,
    command: c.Command,
    *,
    key: str | None = None,
    expected: tuple[int, int] | None = None,
    confirmed: frozenset[str] = frozenset(),
    consent: Consent | None = None,
) -> Answer:
    """Have a command decided and written, and wait until that is durable."""
    remote = person.role in (PLAYER, "shooter")
    reply = services.replies.reply()
    services.house.hand_in(
        reply,
        table,
        person,
        command,
        key=key,
        expected=expected,
        remote=remote,
        confirmed=confirmed,
        consent=consent,
    )
    answer = answer_of(await reply.waiting)
    services.metrics.commanded(type(command).__name__, answer.refused)
    return answer


def told(answer: Answer) -> Answer:
    """Return an answer; raise a refusal as a problem with its clauses."""
    if answer.refused is not None:
        raise Problem(answer.refused, answer.says, clauses=answer.clauses, reading=answer.reading)
    return answer


async def check_trial(
    services: Services,
    table: str,
    person: Person,
    command: c.Command,
    expected: tuple[int, int] | None,
    confirmed: frozenset[str] = frozenset(),
) -> None:
    """Refuse to park what the table would refuse even with everybody in `confirmed` as a witness.

    The person named as the second one does not count yet.
    """
    trial = partial(services.house.trial, table, person, command, expected, confirmed=confirmed)
    refused = await asyncio.to_thread(trial)
    if refused is not None and refused.why not in (Why.OWN_ACT, Why.NO_CONSENT):
        raise Problem(refused.why, refused.says, clauses=refused.clauses, reading=refused.reading)


def named_player(command: c.Command) -> str | None:
    """Return the player whom staff name in a command."""
    named = getattr(command, "shooter" if isinstance(command, c.NewShooter) else "player", None)
    return named if isinstance(named, str) else None


async def with_walk_in(services: Services, table: str, command: c.Command) -> c.Command:
    """Return a command in which a player without an account is a walk-in, whose name no account can have.

    Whoever has chips from before walk-ins had names of their own keeps the plain name: no account can get it either.
    """
    name = named_player(command)
    if name is None or name.startswith(WALK_IN) or services.people.find(name) is not None:
        return command
    if isinstance(command, c.OpenTable) or await asyncio.to_thread(_has_chips, services, table, name):
        return command
    field = "shooter" if isinstance(command, c.NewShooter) else "player"
    changed: c.Command = replace(command, **{field: WALK_IN + name})
    return changed


def _has_chips(services: Services, table: str, name: str) -> bool:
    """Return whether somebody has chips or bets under exactly this name."""
    here = services.house.table(table)
    if here.setup is None:
        return False
    return (
        bool(here.bets.of(name))
        or name in here.purses
        or any(services.house.store.balances([player(name, here.money)]).values())
    )


def works_at(account: Account, table: str) -> bool:
    """Return whether somebody holds a staff role at a table."""
    return any(grant.role not in (*PATRONS, AUDITOR) and grant.table in (None, table) for grant in account.roles)


def check_persons(people: People, table: str, command: c.Command) -> None:
    """Refuse a command that names somebody as present or directing who does not hold that role here.

    A player with an account is called by its name and no other way: an exclusion holds however staff write it.
    """
    named = named_player(command)
    meant = people.find(named.removeprefix(WALK_IN)) if named is not None else None
    if meant is not None and meant.name != named:
        raise Problem("unprocessable", f"player: there is an account {meant.name!r}; write it so, or another name")
    if meant is not None and works_at(meant, table):
        raise Problem("own-act", f"player: {meant.name} works at this table and cannot play here (house policy)")
    for field in NAMED:
        others = getattr(command, field, None)
        for one in (others,) if isinstance(others, Person) else others or ():
            account = people.find(one.name)
            if account is None or not account.active or not account.holds(one.role, table):
                raise Problem("unprocessable", f"{field}: {one.name} does not hold the role {one.role!r} here")
