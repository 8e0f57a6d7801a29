"""Commands to tables: bets, and every other command."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec
from litestar import Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, JSONBody

from pitbook.errors import quoted
from pitbook.rulebooks.composition import parts_of
from pitbook.server.commands.approvals import consenting_player, request_approval, second_person_roles
from pitbook.server.commands.command_handler import (
    check_acceptable,
    check_accepted,
    check_people,
    count_result,
    execute,
    submit,
    with_walk_in,
)
from pitbook.server.commands.size_limits import check_bets, check_command, check_key, check_table_name
from pitbook.server.commands.witnesses import check_pins, unconfirmed_witnesses
from pitbook.server.http.bodies import RequestBody
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import MessageText, Problem, message_text
from pitbook.server.people.authentication import WHILE_LOCKED
from pitbook.server.people.identity import DEAL, MANAGE, PLAY, Caller, RequestCaller
from pitbook.server.schemas.people import Confirmation
from pitbook.server.services import HouseServices, Services
from pitbook.table import commands as c
from pitbook.table.decide.rights import MANAGERS, PLAYERS, TUMBLERS
from pitbook.table.people import PLAYER, Consent, Person
from pitbook.table.refusals import Reason

if TYPE_CHECKING:
    from pitbook.journal.decisions import Outcome

Key = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        description="the same key with the same request is carried out once, and answered the same again",
    ),
]


class Bets(RequestBody, frozen=True):
    """Stakes on wagers, accepted or refused as a whole."""

    bets: Annotated[
        tuple[c.BetRequest, ...],
        msgspec.Meta(
            min_length=1, examples=[[{"wager": "small", "amount": 500}]], description="amounts in minor units"
        ),
    ]


class ExpectedStep(RequestBody, frozen=True):
    """The round and step that the caller's screen showed."""

    round: int
    step: int


class CommandRequest(RequestBody, frozen=True):
    """A command, and the role in which it is given."""

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
    """The durable result of a command."""

    sequence: int
    """The table's last entry after the command."""
    events: tuple[str, ...]
    repeated: bool
    """Whether it had been executed before under the same key."""
    approval: str | None = None
    """The approval that the command waits for, if it has not been executed yet."""


@post("/api/v1/tables/{table:str}/bets", tags=["play"], summary="Bet", status_code=200)
async def place_bets(
    table: FromPath[str], data: JSONBody[Bets], services: HouseServices, caller: RequestCaller, key: Key = None
) -> Done:
    """Place the caller's own bets; if one is refused, all are."""
    return placed_bets(services, await submit_bets(services, caller, table, data, key))


def submit_bets(services: Services, caller: Caller, table: str, data: Bets, key: str | None) -> asyncio.Future[Outcome]:
    """Submit a player's bets; the future is done once the result is durable."""
    caller.require_scope(PLAY)
    person = caller.acting_person(table, PLAYER)
    services.rates.bet(person.name)
    check_bets(data.bets)
    command = c.PlaceBets(data.bets)
    _check_table(services, table, command)
    return submit(services, table, person, command, key=check_key(person, key))


def placed_bets(services: Services, outcome: Outcome) -> Done:
    """Return the result of bets; raise a refusal as a problem."""
    answer = check_accepted(count_result(services, c.PlaceBets, outcome))
    return Done(answer.sequence, answer.events, answer.repeated)


@post(
    "/api/v1/tables/{table:str}/commands",
    tags=["play", "staff"],
    summary="Ask anything of a table",
    status_code=200,
    responses={202: ResponseSpec(Done, description="It waits for a second person.", generate_examples=False)},
)
async def send_command(
    table: FromPath[str],
    data: JSONBody[CommandRequest],
    services: HouseServices,
    caller: RequestCaller,
    key: Key = None,
) -> Response[Done]:
    """Execute any command for which the caller holds the role; one that needs a second person waits: 202 with an id."""
    person, command = await _check_request(services, caller, table, data)
    expected = (data.expected.round, data.expected.step) if data.expected else None
    player = consenting_player(services, table, person, command)
    confirmed = await check_pins(services, command, data.confirmations, player)
    missing = unconfirmed_witnesses(services, table, command, confirmed)
    if len(missing) > 1:
        names = [one.name for one in missing]
        raise Problem("unprocessable", detail("own-device-or-pin", names=names))
    witness = missing[0] if missing else None
    if second_person_roles(command, confirmed, witness, player) is not None:
        everybody = confirmed | {one.name for one in missing}
        await check_acceptable(services, table, person, command, expected, everybody)
        waiting = await request_approval(
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
    answer = check_accepted(
        await execute(
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
    """The result that a command would have now."""

    refused: Annotated[str | None, msgspec.Meta(description="The name of the refusal; null: it would be carried out.")]
    says: str
    clauses: Annotated[tuple[str, ...], msgspec.Meta(description="The clauses that the refusal rests on.")]
    reading: Annotated[str | None, msgspec.Meta(description="The reading it rests on, where no clause decides.")]
    policy: Annotated[bool, msgspec.Meta(description="Whether it is house policy: neither of the two decides.")]
    second: Annotated[bool, msgspec.Meta(description="Whether it would wait for a second person.")]
    message: Annotated[
        MessageText | None, msgspec.Meta(description="Why, in the language that the request asks for.")
    ] = None


@post(
    "/api/v1/tables/{table:str}/trial",
    tags=["staff"],
    summary="Would it be refused?",
    status_code=200,
    opt={WHILE_LOCKED: True},
)
async def try_command(
    table: FromPath[str], data: JSONBody[CommandRequest], services: HouseServices, caller: RequestCaller
) -> Trial:
    """Return whether a table would refuse a command of its staff, without executing or recording anything."""
    if isinstance(data.command, PLAYERS):
        raise Problem("unprocessable", detail("not-tried-out"))
    person, command = await _check_request(services, caller, table, data)
    expected = (data.expected.round, data.expected.step) if data.expected else None
    missing = unconfirmed_witnesses(services, table, command, ())
    player = consenting_player(services, table, person, command)
    second = second_person_roles(command, (), missing[0] if missing else None, player) is not None
    everybody = frozenset(one.name for one in missing)
    trial = partial(services.house.trial, table, person, command, expected, confirmed=everybody)
    found = await asyncio.to_thread(trial)
    if found is None or (second and found.why in (Reason.OWN_ACT, Reason.NO_CONSENT)):
        return Trial(None, "", (), None, policy=False, second=second)
    message = message_text(found.message)
    return Trial(
        found.why, found.says, found.clauses, found.reading, policy=found.policy, second=second, message=message
    )


async def _check_request(
    services: Services, caller: Caller, table: str, data: CommandRequest
) -> tuple[Person, c.Command]:
    """Return the acting person and the command after all checks that do not need the table's state."""
    command: c.Command = data.command
    _check_scope(caller, command)
    _check_table(services, table, command)
    person = caller.acting_person(table, data.role)
    if isinstance(command, PLAYERS):
        services.rates.bet(person.name)
    if isinstance(command, c.OpenTable):
        await asyncio.to_thread(_check_opening, services, table, command.setup)
    check_command(command)
    command = await with_walk_in(services, table, command)
    check_people(services.people.state, table, command)
    return person, command


def _check_scope(caller: Caller, command: c.Command) -> None:
    if isinstance(command, TUMBLERS):
        raise Problem("forbidden", detail("tumbler-only"))
    caller.require_scope(MANAGE if isinstance(command, MANAGERS) else PLAY if isinstance(command, PLAYERS) else DEAL)


def _check_table(services: Services, table: FromPath[str], command: c.Command) -> None:
    """Refuse commands to a table that has never been opened, so that they leave no trace."""
    if not isinstance(command, c.OpenTable):
        if not services.house.has_table(table):
            raise Problem("not-found", detail("no-table", table=quoted(table)))
        return
    real = command.setup.automatic is not None and command.setup.automatic.real_money
    if real and not services.people.state.policy.real_money_automatic:
        raise Problem("forbidden", detail("play-money-only"))


def _check_opening(services: Services, table: str, setup: c.Setup) -> None:
    """Refuse a new table with an invalid name or with books that are not in the library."""
    tables = services.house.tables()
    if table not in tables:
        check_table_name(table, tables)
    used = (services.house.table(name).setup for name in tables)
    known = [one.book for one in services.library.list_books()]
    if not set(parts_of(setup.book)) <= set(known) and setup.book not in {one.book for one in used if one is not None}:
        raise Problem("unprocessable", detail("no-book-for-table", book=quoted(setup.book), books=known))


handlers = [place_bets, send_command, try_command]
