"""Commands that need two people: pending until a second signed-in person approves, then executed once."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from secrets import token_hex
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from pitbook.people.commands import AskApproval, GiveApproval, RefuseApproval, UseApproval, WithdrawApproval
from pitbook.people.decide.approvals import STAFF, is_second_person
from pitbook.people.values import PATRONS
from pitbook.server.commands.command_handler import check_accepted, execute, named_player
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.server.people.identity import DEAL, PLAY
from pitbook.server.people.pending_commands import PendingCommand, pending_command
from pitbook.table import commands as c
from pitbook.table.people import PLAYER, Consent, Person

if TYPE_CHECKING:
    from collections.abc import Container

    from pitbook.house.answers import Answer
    from pitbook.people.state import Approval
    from pitbook.server.people.identity import Caller
    from pitbook.server.services import Services

TWO_PERSON_COMMANDS = (c.Count, c.Fill, c.Credit, c.CollectDrop)
"""Commands that always need two people."""
CONSENT_COMMANDS = (c.BuyIn, c.CashOut, c.RecordFound, c.PlaceBets, c.MoveBet)
"""Commands for a player with an account that need consent; bets only where house policy says so."""


def consenting_player(services: Services, table: str, person: Person, command: c.Command) -> str | None:
    """Return the player whose consent staff need for a command, or None."""
    setup = services.house.table(table).setup if isinstance(command, CONSENT_COMMANDS) else None
    if setup is None or person.role in PATRONS:
        return None
    if isinstance(command, c.PlaceBets | c.MoveBet) and not setup.bet_consent:
        return None
    account = services.people.find(named_player(command) or "")
    return None if account is None else account.name


def second_person_roles(
    command: c.Command, confirmed: Container[str] = (), witness: Person | None = None, player: str | None = None
) -> tuple[str, ...] | None:
    """Return the roles of which the second person must have one, or None if one person is enough."""
    if isinstance(command, TWO_PERSON_COMMANDS) or (player is not None and player not in confirmed):
        return (STAFF,)
    if isinstance(command, c.TakeStep) and command.confirmed_by is not None:
        return None if command.confirmed_by.name in confirmed else (command.confirmed_by.role,)
    return None if witness is None else (witness.role,)


async def request_approval(
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
    """Hold a command until a second person approves it, and return the approval's id; equal keys give equal ids.

    Money is moved whatever step the table is at by then; a step is only confirmed if it is still due, and a wager that
    was found belongs to the round and step in which it was found.
    """
    needs = second_person_roles(command, confirmed, witness, player)
    assert needs is not None, f"{type(command).__name__} needs nobody else"
    number = _approval_id(table, person, key) if key is not None else token_hex(8)
    step = expected if isinstance(command, c.TakeStep | c.Call | c.RecordFound) else None
    if step is None and isinstance(command, c.RecordFound):
        here = services.house.table(table)
        step = here.round.number, here.step
    pending = PendingCommand(command, step, tuple(sorted(confirmed)), witness)
    text = msgspec.json.encode(pending, order="deterministic").decode()
    request = AskApproval(number, table, text, person.role, needs, words, player)
    await services.authenticator.records.execute(person, request, key=f"ask {number}")
    return number


def find_approval(services: Services, number: str) -> Approval:
    """Return an approval that is open or was answered recently."""
    found = services.people.state.find_approval(number)
    if found is None:
        raise Problem("no-such-approval")
    return found


async def fetch_approval(services: Services, number: str) -> Approval:
    """Return an approval, after reading the journal if this process does not know it yet."""
    if services.people.state.find_approval(number) is None:
        await asyncio.to_thread(services.people.refresh)
    return find_approval(services, number)


def approver(caller: Caller, approval: Approval, role: str | None) -> Person:
    """Return the second person, in the role they name or in the first of theirs that suffices.

    The player whose chips are moved consents as a player.
    """
    if approval.player is not None and approval.player == caller.name:
        caller.require_scope(PLAY)
        return caller.acting_person(approval.table, PLAYER)
    caller.require_scope(DEAL)
    if role is None:
        role = next((one for one in caller.roles_at(approval.table) if is_second_person(approval.needs, one)), None)
    if role is None:
        raise caller.denied(detail("approver", roles=approval.needs), table=approval.table)
    return caller.acting_person(approval.table, role)


async def approve(services: Services, caller: Caller, number: str, role: str | None = None) -> Answer:
    """Give an approval and execute the command; the same person may repeat this if it was interrupted."""
    authenticator = services.authenticator
    approval = await fetch_approval(services, number)
    second = approver(caller, approval, role)
    again = approval.standing == "given" and approval.by == second.name
    if not again:
        await authenticator.records.execute(second, GiveApproval(number))
    elif services.people.state.find_given(number, authenticator.now()) is None:
        raise Problem("approval-expired")
    pending = pending_command(approval)
    second = second if not again else Person(second.name, approval.role or second.role)
    command = _with_second_person(pending, second)
    asker = Person(approval.asker, approval.by_role)
    answer = check_accepted(
        await execute(
            services,
            approval.table,
            asker,
            command,
            key=f"approval {number}",
            expected=pending.expected,
            confirmed=frozenset((*pending.confirmed, second.name)),
            consent=_consent(approval, second),
        )
    )
    await authenticator.records.submit(THE_SERVER, UseApproval(number, answer.sequence))
    return answer


async def refuse(services: Services, caller: Caller, number: str, words: str, role: str | None = None) -> None:
    """Record that the second person refuses."""
    second = approver(caller, await fetch_approval(services, number), role)
    await services.authenticator.records.execute(second, RefuseApproval(number, words))


async def withdraw(services: Services, caller: Caller, number: str) -> None:
    """Record that the asker withdraws the request."""
    approval = await fetch_approval(services, number)
    role = approval.by_role if approval.asker == caller.name else None
    await services.authenticator.records.execute(caller.acting_person(approval.table, role), WithdrawApproval(number))


def _consent(approval: Approval, second: Person) -> Consent | None:
    if approval.player is None:
        return None
    return Consent("device" if second.name == approval.player else "second person", second, approval.id)


def _with_second_person(pending: PendingCommand, second: Person) -> c.Command:
    """Return the command with the person who approved, in place of the one named in the request."""
    command, witness = pending.command, pending.witness
    if isinstance(command, CONSENT_COMMANDS):
        return command
    if isinstance(command, TWO_PERSON_COMMANDS):
        return replace(command, second=second)
    if isinstance(command, c.Call) and witness is not None:
        return replace(command, present=tuple(second if one == witness else one for one in command.present))
    if isinstance(command, c.TakeStep):
        directing = witness is not None and command.directed_by == witness
        return replace(command, directed_by=second) if directing else replace(command, confirmed_by=second)
    raise Problem("unprocessable", detail("no-approval-needed"))


def _approval_id(table: str, person: Person, key: str) -> str:
    return sha256(msgspec.json.encode((table, person.name, key))).hexdigest()[:32]
