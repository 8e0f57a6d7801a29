"""What people ask of tables: bets, and every other command."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, JSONBody

from pitbook.errors import quoted
from pitbook.server.books.library import books
from pitbook.server.commands.approvals import consents, needs_second, park
from pitbook.server.commands.command_handler import carry_out, check_persons, check_trial, told, with_walk_in
from pitbook.server.commands.size_limits import check_bets, check_command, check_key, check_table_name
from pitbook.server.commands.witnesses import confirmed_by_pin, unconfirmed
from pitbook.server.http.bodies import RequestBody
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import DEAL, MANAGE, PLAY, Caller, RequestCaller
from pitbook.server.schemas.people import Confirmation
from pitbook.server.services import HouseServices, Services
from pitbook.table import commands as c
from pitbook.table.decide.rights import MANAGERS, PLAYERS, TUMBLERS
from pitbook.table.people import PLAYER, Consent, Person
from pitbook.table.refusals import Why

Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="the same key with the same request is carried out once, and answered the same again",
    ),
]


class Bets(RequestBody, frozen=True):
    """Stakes on wagers: all of them, or none."""

    bets: Annotated[
        tuple[c.Wanted, ...],
        msgspec.Meta(
            min_length=1, examples=[[{"wager": "small", "amount": 500}]], description="amounts in minor units"
        ),
    ]


class ExpectedStep(RequestBody, frozen=True):
    """The round and step that the asker's screen showed."""

    round: int
    step: int


class CommandRequest(RequestBody, frozen=True):
    """A command, and in which role it is given."""

    command: Annotated[c.AnyCommand, msgspec.Meta(examples=[{"type": "TakeStep", "step": "close"}])]
    role: Annotated[str | None, msgspec.Meta(description="needed where you hold several roles at the table")] = None
    expected: Annotated[
        ExpectedStep | None, msgspec.Meta(description="staff: refused as stale where the table has moved on since")
    ] = None
    confirmations: Annotated[
        tuple[Confirmation, ...],
        msgspec.Meta(
            max_length=4, description="PINs of the witnesses named in the command, and of the player who consents to it"
        ),
    ] = ()


class Done(msgspec.Struct, frozen=True):
    """What a command came to, durably."""

    sequence: int
    """The table's last entry then: whoever has read so far has seen it."""
    events: tuple[str, ...]
    repeated: bool
    """Whether it had been carried out before, under the same key."""
    approval: str | None = None
    """Not carried out yet: the approval that waits for a second person."""


@post("/api/v1/tables/{table:str}/bets", tags=["play"], summary="Bet", status_code=200)
async def place_bets(
    table: FromPath[str], data: JSONBody[Bets], services: HouseServices, caller: RequestCaller, key: Key = None
) -> Done:
    """Bets of the player's own. Refused as a whole where one of them is."""
    return await bet(services, caller, table, data, key)


async def bet(services: Services, caller: Caller, table: str, data: Bets, key: str | None) -> Done:
    """A player's bets, however they came here."""
    caller.need_scope(PLAY)
    person = caller.acting(table, PLAYER)
    services.rates.bet(person.name)
    check_bets(data.bets)
    command = c.PlaceBets(data.bets)
    _check_table(services, table, command)
    answer = told(await carry_out(services, table, person, command, key=check_key(person, key)))
    return Done(answer.sequence, answer.events, answer.repeated)


@post(
    "/api/v1/tables/{table:str}/commands",
    tags=["play", "staff"],
    summary="Ask anything of a table",
    status_code=200,
    responses={202: ResponseSpec(Done, description="It waits for a second person.", generate_examples=False)},
)
async def ask(
    table: FromPath[str],
    data: JSONBody[CommandRequest],
    services: HouseServices,
    caller: RequestCaller,
    key: Key = None,
) -> Response[Done]:
    """Any command, by whoever holds the role for it. One that needs a second person waits for them: 202, and an id."""
    person, command = await _checked(services, caller, table, data)
    expected = (data.expected.round, data.expected.step) if data.expected else None
    player = consents(services, table, person, command)
    confirmed = await confirmed_by_pin(services, command, data.confirmations, player)
    missing = unconfirmed(services, table, command, confirmed)
    if len(missing) > 1:
        names = " and ".join(one.name for one in missing)
        raise Problem("unprocessable", f"{names} must confirm as witnesses; all but one of them with a PIN")
    witness = missing[0] if missing else None
    if needs_second(command, confirmed, witness, player) is not None:
        everybody = confirmed | {one.name for one in missing}
        await check_trial(services, table, person, command, expected, everybody)
        waiting = await park(
            services,
            table,
            person,
            command,
            expected=expected,
            key=check_key(person, key),
            confirmed=confirmed,
            witness=witness,
            player=player,
        )
        return Response(Done(0, (), False, waiting), status_code=202)
    consent = None if player is None else Consent("pin", Person(player, PLAYER))
    answer = told(
        await carry_out(
            services,
            table,
            person,
            command,
            key=check_key(person, key),
            expected=expected,
            confirmed=confirmed,
            consent=consent,
        )
    )
    return Response(Done(answer.sequence, answer.events, answer.repeated))


class Trial(msgspec.Struct, frozen=True):
    """What a command would come to, if it were given now."""

    refused: Annotated[str | None, msgspec.Meta(description="The name of the refusal; null: it would be carried out.")]
    says: str
    clauses: Annotated[tuple[str, ...], msgspec.Meta(description="The clauses that the refusal rests on.")]
    reading: Annotated[str | None, msgspec.Meta(description="The reading it rests on, where no clause decides.")]
    policy: Annotated[bool, msgspec.Meta(description="Whether it is house policy: neither of the two decides.")]
    second: Annotated[bool, msgspec.Meta(description="Whether it would wait for a second person.")]


@post("/api/v1/tables/{table:str}/trial", tags=["staff"], summary="Would it be refused?", status_code=200)
async def try_command(
    table: FromPath[str], data: JSONBody[CommandRequest], services: HouseServices, caller: RequestCaller
) -> Trial:
    """What a table would say to a command of its staff. Nothing is done, and nothing is on record."""
    if isinstance(data.command, PLAYERS):
        raise Problem("unprocessable", "only what staff ask can be tried; a player bets, or does not")
    person, command = await _checked(services, caller, table, data)
    expected = (data.expected.round, data.expected.step) if data.expected else None
    missing = unconfirmed(services, table, command, ())
    player = consents(services, table, person, command)
    second = needs_second(command, (), missing[0] if missing else None, player) is not None
    everybody = frozenset(one.name for one in missing)
    trial = partial(services.house.trial, table, person, command, expected, confirmed=everybody)
    found = await asyncio.to_thread(trial)
    if found is None or (second and found.why in (Why.OWN_ACT, Why.NO_CONSENT)):
        return Trial(None, "", (), None, policy=False, second=second)
    return Trial(found.why, found.says, found.clauses, found.reading, policy=found.policy, second=second)


async def _checked(services: Services, caller: Caller, table: str, data: CommandRequest) -> tuple[Person, c.Command]:
    """Return who asks and what, after all that is checked before a table is: for a command as for its trial."""
    command: c.Command = data.command
    _check_scope(caller, command)
    _check_table(services, table, command)
    person = caller.acting(table, data.role)
    if isinstance(command, PLAYERS):
        services.rates.bet(person.name)
    if isinstance(command, c.OpenTable):
        await asyncio.to_thread(_check_opening, services, table, command.setup)
    check_command(command)
    command = await with_walk_in(services, table, command)
    check_persons(services.people.state, table, command)
    return person, command


def _check_scope(caller: Caller, command: c.Command) -> None:
    if isinstance(command, TUMBLERS):
        raise Problem("forbidden", "the electronic tumbler does this, and nobody else")
    caller.need_scope(MANAGE if isinstance(command, MANAGERS) else PLAY if isinstance(command, PLAYERS) else DEAL)


def _check_table(services: Services, table: FromPath[str], command: c.Command) -> None:
    """A table begins with its opening: others ask in vain, and leave no trace of a table that there is not."""
    if not isinstance(command, c.OpenTable):
        if not services.house.has_table(table):
            raise Problem("not-found", f"there is no table {table!r}")
        return
    real = command.setup.automatic is not None and command.setup.automatic.real_money
    if real and not services.people.state.policy.real_money_automatic:
        raise Problem("forbidden", "automatic tables run for play money here; the house's policy can say otherwise")


def _check_opening(services: Services, table: str, setup: c.Setup) -> None:
    """Refuses a new table with a name that is none, and a book that would be any file of this machine."""
    tables = services.house.tables()
    if table not in tables:
        check_table_name(table, tables)
    used = (services.house.table(name).setup for name in tables)
    known = [one.book for one in books()]
    if setup.book not in known and setup.book not in {one.book for one in used if one is not None}:
        there_are = f"there are {', '.join(known)}"
        raise Problem("unprocessable", f"no table here runs by a book {quoted(setup.book)}; {there_are}")


handlers = [place_bets, ask, try_command]
