"""Commands that need two people: pending until a second signed-in person approves, then executed once."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from pitbook.people.commands import AskApproval, GiveApproval, RefuseApproval, UseApproval, WithdrawApproval
from pitbook.people.decide.approvals import STAFF, fits
from pitbook.people.values import PATRONS
from pitbook.server.commands.command_handler import carry_out, named_player, told
from pitbook.server.http.problems import Problem
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.people.identity import DEAL, PLAY
from pitbook.server.people.pending_commands import PendingCommand, pending_command
from pitbook.table import commands as c
from pitbook.table.people import PLAYER, Consent, Person

if TYPE_CHECKING:
    from collections.abc import Container

    from pitbook.house.house import Answer
    from pitbook.people.state import Approval
    from pitbook.server.people.identity import Caller
    from pitbook.server.services import Services

SHARED = (c.Count, c.Fill, c.Credit, c.CollectDrop)
"""Acts that are always done by two."""
CONSENTED = (c.BuyIn, c.CashOut, c.RecordFound, c.PlaceBets, c.MoveBet)
"""Acts for a player who has an account, which need consent: bets only where house policy says so."""


def consents(services: Services, table: str, person: Person, command: c.Command) -> str | None:
    """Return the player whose consent staff need for a command; None where they need nobody's."""
    setup = services.house.table(table).setup if isinstance(command, CONSENTED) else None
    if setup is None or person.role in PATRONS:
        return None
    if isinstance(command, c.PlaceBets | c.MoveBet) and not setup.bet_consent:
        return None
    account = services.people.find(named_player(command) or "")
    return None if account is None else account.name


def needs_second(
    command: c.Command, confirmed: Container[str] = (), witness: Person | None = None, player: str | None = None
) -> tuple[str, ...] | None:
    """Return the roles of which the second person must have one; None where one person is enough."""
    if isinstance(command, SHARED) or (player is not None and player not in confirmed):
        return (STAFF,)
    if isinstance(command, c.TakeStep) and command.confirmed_by is not None:
        return None if command.confirmed_by.name in confirmed else (command.confirmed_by.role,)
    return None if witness is None else (witness.role,)


async def park(
    services: Services,
    table: str,
    person: Person,
    command: c.Command,
    *,
    expected: tuple[int, int] | None = None,
    key: str | None = None,
    words: str = "",
    confirmed: frozenset[str] = frozenset(),
    witness: Person | None = None,
    player: str | None = None,
) -> str:
    """Hold a command until a second person approves it, and return the approval's id; the same key gives the same one.

    Money is moved whatever step the table is at by then; a step is only confirmed if it is still due, and a wager that
    was found belongs to the round and step in which it was found.
    """
    needs = needs_second(command, confirmed, witness, player)
    assert needs is not None, f"{type(command).__name__} needs nobody else"
    number = _numbered(table, person, key) if key is not None else token_hex(8)
    step = expected if isinstance(command, c.TakeStep | c.Call | c.RecordFound) else None
    if step is None and isinstance(command, c.RecordFound):
        here = services.house.table(table)
        step = here.round.number, here.step
    parked = PendingCommand(command, step, tuple(sorted(confirmed)), witness)
    text = msgspec.json.encode(parked, order="deterministic").decode()
    asked = AskApproval(number, table, text, person.role, needs, words, player)
    await services.authenticator.records.done(person, asked, key=f"ask {number}")
    return number


def waiting(services: Services, number: str) -> Approval:
    """Return an approval that is open or was answered recently."""
    found = services.people.state.approval(number)
    if found is None:
        raise Problem("no-such-approval")
    return found


async def sought(services: Services, number: str) -> Approval:
    """Return an approval like `waiting`; read the journal if another process may have just made it."""
    if services.people.state.approval(number) is None:
        await asyncio.to_thread(services.people.refresh)
    return waiting(services, number)


def answering_as(caller: Caller, approval: Approval, role: str | None) -> Person:
    """Return the second person, in the role they name or in the first of theirs that suffices.

    The player whose chips are moved consents as a player.
    """
    if approval.player is not None and approval.player == caller.name:
        caller.need_scope(PLAY)
        return caller.acting(approval.table, PLAYER)
    caller.need_scope(DEAL)
    if role is None:
        role = next((one for one in caller.roles_at(approval.table) if fits(approval.needs, one)), None)
    if role is None:
        needed = " or ".join(approval.needs)
        raise caller.denied(f"this needs {needed}, and you hold no such role here", table=approval.table)
    return caller.acting(approval.table, role)


async def approve(services: Services, caller: Caller, number: str, role: str | None = None) -> Answer:
    """Give an approval and carry the command out; if that was cut off, the same person may do it again."""
    authenticator = services.authenticator
    approval = await sought(services, number)
    second = answering_as(caller, approval, role)
    again = approval.standing == "given" and approval.by == second.name
    if not again:
        await authenticator.records.done(second, GiveApproval(number))
    elif services.people.state.approved(number, authenticator.now()) is None:
        raise Problem("approval-expired")
    parked = pending_command(approval)
    second = second if not again else Person(second.name, approval.role or second.role)
    command = _shared_with(parked, second)
    asker = Person(approval.asker, approval.by_role)
    answer = told(
        await carry_out(
            services,
            approval.table,
            asker,
            command,
            key=f"approval {number}",
            expected=parked.expected,
            confirmed=frozenset((*parked.confirmed, second.name)),
            consent=_consent(approval, second),
        )
    )
    await authenticator.records.ask(THE_SERVER, UseApproval(number, answer.sequence))
    return answer


async def refuse(services: Services, caller: Caller, number: str, words: str, role: str | None = None) -> None:
    """Record that the second person refuses."""
    second = answering_as(caller, await sought(services, number), role)
    await services.authenticator.records.done(second, RefuseApproval(number, words))


async def withdraw(services: Services, caller: Caller, number: str) -> None:
    """Record that the person who asked no longer wants it."""
    approval = await sought(services, number)
    role = approval.by_role if approval.asker == caller.name else None
    await services.authenticator.records.done(caller.acting(approval.table, role), WithdrawApproval(number))


def _consent(approval: Approval, second: Person) -> Consent | None:
    if approval.player is None:
        return None
    return Consent("device" if second.name == approval.player else "second person", second, approval.id)


def _shared_with(parked: PendingCommand, second: Person) -> c.Command:
    """Return the command with the person who approved in it, not the one named when it was asked for."""
    command, witness = parked.command, parked.witness
    if isinstance(command, CONSENTED):
        return command
    if isinstance(command, SHARED):
        return replace(command, second=second)
    if isinstance(command, c.Call) and witness is not None:
        return replace(command, present=tuple(second if one == witness else one for one in command.present))
    if isinstance(command, c.TakeStep):
        directing = witness is not None and command.directed_by == witness
        return replace(command, directed_by=second) if directing else replace(command, confirmed_by=second)
    raise Problem("unprocessable", "nobody else is needed for this")


def _numbered(table: str, person: Person, key: str) -> str:
    return sha256(msgspec.json.encode((table, person.name, key))).hexdigest()[:32]
