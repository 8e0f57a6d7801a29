"""Submit commands to a table: check the people they name, and wait for the result."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Unpack

from msgspec.structs import replace

from pitbook.errors import quoted
from pitbook.house.answers import answer_of
from pitbook.ledger.accounts import WALK_IN, player
from pitbook.messages import Message
from pitbook.people.values import PATRONS
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.table import commands as c
from pitbook.table.people import AUDITOR, PLAYER, Person
from pitbook.table.refusals import Reason

if TYPE_CHECKING:
    from pitbook.house.answers import Answer
    from pitbook.house.house import CommandOptions
    from pitbook.journal.decisions import Outcome
    from pitbook.people.state import Account, People
    from pitbook.server.services import Services

PERSON_FIELDS = ("directed_by", "confirmed_by", "present")
"""Fields that name other people, who must hold the role that is given."""


def submit(
    services: Services,
    table: str,
    person: Person,
    command: c.Command,
    **options: Unpack[CommandOptions],
) -> asyncio.Future[Outcome]:
    """Submit a command; the future is done once its result is durable."""
    options["remote"] = person.role in (PLAYER, "shooter")
    reply = services.replies.create()
    services.router.submit_with(reply, table, person, command, **options)
    return reply.waiting


def count_result(services: Services, command: type[c.Command], outcome: Outcome) -> Answer:
    """Return the result of a command, and count it."""
    answer = answer_of(outcome)
    services.metrics.count_command(command.__name__, answer.refused)
    return answer


async def execute(
    services: Services,
    table: str,
    person: Person,
    command: c.Command,
    **options: Unpack[CommandOptions],
) -> Answer:
    """Submit a command and wait until its result is durable."""
    waiting = submit(services, table, person, command, **options)
    return count_result(services, type(command), await waiting)


def check_accepted(answer: Answer) -> Answer:
    """Return an answer; raise a refusal as a problem with its clauses."""
    if answer.refused is not None:
        raise Problem(answer.refused, answer.message, clauses=answer.clauses, reading=answer.reading)
    return answer


async def check_acceptable(
    services: Services,
    table: str,
    person: Person,
    command: c.Command,
    expected: tuple[int, int] | None,
    confirmed: frozenset[str] = frozenset(),
) -> None:
    """Raise a problem if the table would refuse a command even with everyone in `confirmed` as a witness.

    The missing second person is no reason to refuse yet.
    """
    trial = partial(services.house.trial, table, person, command, expected, confirmed=confirmed)
    refused = await asyncio.to_thread(trial)
    if refused is not None and refused.why not in (Reason.OWN_ACT, Reason.NO_CONSENT):
        raise Problem(refused.why, refused.message, clauses=refused.clauses, reading=refused.reading)


def named_player(command: c.Command) -> str | None:
    """Return the player whom staff name in a command."""
    named = getattr(command, "shooter" if isinstance(command, c.NewShooter) else "player", None)
    return named if isinstance(named, str) else None


async def with_walk_in(services: Services, table: str, command: c.Command) -> c.Command:
    """Return a command in which a player without an account has a walk-in's name, which no account can have.

    Players whose chips are older than the marking of walk-ins keep their plain names, which no account can get either.
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
    """Return whether someone has chips or bets under exactly this name."""
    here = services.house.table(table)
    if here.setup is None:
        return False
    return (
        bool(here.bets.of(name))
        or name in here.purses
        or any(services.house.store.balances([player(name, here.money)]).values())
    )


def works_at(account: Account, table: str) -> bool:
    """Return whether someone holds a staff role at a table."""
    return any(grant.role not in (*PATRONS, AUDITOR) and grant.table in (None, table) for grant in account.roles)


def check_people(people: People, table: str, command: c.Command) -> None:
    """Refuse a command that names someone as present or directing who does not hold that role here.

    Staff must write a player's account name exactly, so that an exclusion always applies.
    """
    named = named_player(command)
    account_named = people.find(named.removeprefix(WALK_IN)) if named is not None else None
    if account_named is not None and account_named.name != named:
        raise Problem("unprocessable", detail("exact-account", name=quoted(account_named.name)))
    if account_named is not None and works_at(account_named, table):
        raise Problem("own-act", Message("refusals.rights.own-table", {"person": account_named.name}))
    for field in PERSON_FIELDS:
        others = getattr(command, field, None)
        for one in (others,) if isinstance(others, Person) else others or ():
            account = people.find(one.name)
            if account is None or not account.active or not account.holds(one.role, table):
                raise Problem("unprocessable", detail("role-not-held", field=field, name=one.name, role=one.role))
