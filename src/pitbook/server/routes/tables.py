"""The lobby, a table now, its past rounds, and the proof of a draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec.structs import replace

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.errors import quoted
from pitbook.house.rounds import PastRound, entries_of, past_rounds, proof_of, revealed_later
from pitbook.ledger.accounts import Account, player, purse
from pitbook.rulebooks.model import Rulebook
from pitbook.server.http.deprecation import Deprecation
from pitbook.server.http.errors import detail
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, link_next, take_page
from pitbook.server.http.problems import Problem, message_text
from pitbook.server.people.display_names import display_names
from pitbook.server.people.identity import RequestCaller
from pitbook.server.presenters import tables as shapes
from pitbook.server.schemas.people import Names
from pitbook.server.schemas.tables import LineInfo, OwnView, StaffView, Summary, TableRules, TableView
from pitbook.server.services import HouseServices, Services
from pitbook.server.streams.projections import StreamEntry, Viewer, parse_frame, project
from pitbook.server.tables.console import Chips, players_at
from pitbook.server.worker_pool import HISTORY_QUERIES, TABLE_QUERIES
from pitbook.table.state import Table
from pitbook.tumbler.proof import Check, CheckKind, Proof, RecordCheckKind, check

ROUND_MAX = 2**53
EVENTS_MAX = 2_000
"""The most entries of a round that are returned."""

BELOW = Deprecation(date(2026, 11, 17), date(2027, 12, 31), "use `after`, as in all lists.", ("below",))
RoundNumber = Annotated[
    int | None,
    QueryParameter(required=False, ge=1, le=ROUND_MAX, description="The last round known: earlier ones follow."),
]


class TablePage(msgspec.Struct, frozen=True):
    """A table, as far as the caller may see it."""

    table: str
    sequence: int
    """The entry that it is based on; a stream continues from here."""
    view: TableView
    """The table's current view; the stream sends it again whenever a step is taken."""
    rules: TableRules
    """Data that applies until the set-up changes: limits, pay tables, the set-up itself."""
    mine: OwnView | None = None
    """A player's own bets and chips."""
    staff: StaffView | None = None
    """For staff of the table, managers and auditors."""


class ProspectInfo(msgspec.Struct, frozen=True):
    """The most that the caller's bets could win together, less the stakes that are then lost; in minor units."""

    most: int
    throw: tuple[int, ...] | None
    """The dice with which they win it; null over the rest of a hand of craps, and without bets."""


class RoundsPage(msgspec.Struct, frozen=True):
    """Past rounds, the latest first."""

    rounds: list[PastRound]
    next: int | None
    """The `below` of the next page; null on the last."""


class RoundPage(msgspec.Struct, frozen=True):
    """A past round as it was settled, with its lit areas."""

    table: str
    round: int
    dice: tuple[int, ...]
    lit: tuple[str, ...]
    void: bool
    finished: bool
    lines: list[LineInfo]
    """How each wager was settled, losers first; names only for staff and on the caller's own lines."""
    events: list[StreamEntry]
    proof: Proof | None = None
    """For an automatic table: everything that the dice were derived from."""
    names: Names = msgspec.field(default_factory=dict)
    """For staff."""


class ProofStep(msgspec.Struct, frozen=True):
    """One step of the check."""

    name: str
    ok: bool
    says: str
    """In the language that the request asks for, without the bytes."""
    kind: CheckKind | RecordCheckKind | None = None
    """The kind of the step."""
    values: dict[str, str] = {}
    """Details as values: `bytes` in hexadecimal, `dice`, a `byte` and its remainder."""


class ProofChecked(msgspec.Struct, frozen=True):
    """A draw that was recomputed."""

    good: bool
    steps: list[ProofStep]


@get("/api/v1/tables", tags=["tables"], summary="The lobby")
async def list_tables(services: HouseServices, after: Cursor = None, limit: PageSize = PAGE_MAX) -> list[Summary]:
    """List every table that has been opened, disabled ones last."""
    return take_page(await TABLE_QUERIES.work(_lobby, services), lambda one: one.id, after, limit)


def _lobby(services: Services) -> list[Summary]:
    at = services.house.now()
    found = (shapes.summary(services.house.table(name), at) for name in services.house.tables())
    summaries = [one for one in found if one is not None]
    return summaries + [shapes.disabled_summary(name) for name in sorted(services.house.disabled)]


@get("/api/v1/tables/{table:str}", tags=["tables"], summary="A table now")
async def show_table(table: FromPath[str], services: HouseServices, caller: RequestCaller) -> TablePage:
    """Return the table's view, chances and limits, the caller's own bets, and what staff need."""
    name, roles = caller.name, caller.roles_at(table)
    return await TABLE_QUERIES.work(_read_table, services, table, name, roles, caller.sees_all(table))


def _read_table(services: Services, name: str, person: str | None, roles: list[str], staff: bool) -> TablePage:
    _check_exists(services, name)
    with services.house.consistent_view() as committed:
        sequence, table = _check_open(*committed.read_table(name))
        named = {*([person] if person is not None else ()), *(players_at(table) if staff else ())}
        holds = _holdings(table, named, committed.balances)
    people = services.house.people_seen
    mine = None
    if person is not None:
        mine = shapes.build_own_view(table, person, holds[person])
        mine = replace(mine, names=display_names(people, (bet.by for bet in mine.bets)))
    at, liability = services.house.now(), services.house.liability
    view, rules = shapes.build_view(table, at, liability, staff=staff), shapes.build_rules(table)
    working = None
    if staff:
        working = shapes.build_staff_view(table, roles, people.accounts.values(), holds, at, liability)
        working = replace(working, names=display_names(people, shapes.mentioned_people(working)))
    return TablePage(name, sequence, view, rules, mine, working)


@get("/api/v1/tables/{table:str}/prospect", tags=["tables"], summary="The most that one could win")
async def show_prospect(table: FromPath[str], services: HouseServices, caller: RequestCaller) -> ProspectInfo:
    """Return the most that the caller's bets can win, on the next throw or over the rest of a hand."""
    _, found = _find_open_table(services, table)
    ahead = services.house.liability.prospect(found, caller.require_account().name)
    return ProspectInfo(ahead.most, ahead.roll.faces if ahead.roll else None)


def _holdings(
    table: Table, names: Iterable[str], balances: Callable[[Sequence[Account]], dict[Account, int]]
) -> dict[str, Chips]:
    """Return the cash chips and the colour chips of players here."""
    cash = {name: player(name, table.money) for name in names}
    colour = {
        name: purse(name, table.money, table.id, table.purses[name].colour) for name in cash if name in table.purses
    }
    held = balances([*cash.values(), *colour.values()])
    return {name: Chips(held[cash[name]], held[colour[name]] if name in colour else 0) for name in cash}


def _find_open_table(services: Services, name: str) -> tuple[int, Table]:
    _check_exists(services, name)
    return _check_open(*services.house.read_table(name))


def _check_exists(services: Services, name: str) -> None:
    if not services.house.has_table(name):
        raise Problem("not-found", detail("no-table", table=quoted(name)))


def _check_open(sequence: int, table: Table) -> tuple[int, Table]:
    """Return a table, unless all that its record has are refusals."""
    if table.setup is None:
        raise Problem("not-found", detail("no-table", table=quoted(table.id)))
    return sequence, table


@get(
    "/api/v1/tables/{table:str}/rounds",
    tags=["tables"],
    summary="Past rounds, for road maps",
    opt={"deprecation": BELOW},
)
async def list_rounds(
    table: FromPath[str],
    services: HouseServices,
    after: RoundNumber = None,
    below: RoundNumber = None,
    limit: PageSize = 100,
) -> RoundsPage:
    """List the rounds that have an outcome, the latest first. If a display and the dice differ, the dice count."""
    page = await HISTORY_QUERIES.work(_rounds, services, table, below if after is None else after, limit)
    link_next(page.next)
    return page


def _rounds(services: Services, name: str, below: int | None, limit: int) -> RoundsPage:
    _, now = _find_open_table(services, name)
    found = past_rounds(services.house.store, name, below, limit)
    if not now.craps:
        found = [replace(past, lit=_lit_areas(now.rules, past.dice)) for past in found]
    return RoundsPage(found, found[-1].number if len(found) == limit else None)


@lru_cache(maxsize=4_096)
def _lit_areas(rules: Rulebook, dice: tuple[int, ...]) -> tuple[str, ...]:
    """Return the winning areas that are not one of a series."""
    if not dice:
        return ()
    return tuple(wager for wager in illuminate(rules, Roll.of(*dice)) if rules.wagers[wager].selection is None)


@get("/api/v1/tables/{table:str}/rounds/{number:int}", tags=["tables"], summary="Any past round again")
async def show_round(
    table: FromPath[str], number: FromPath[int], services: HouseServices, caller: RequestCaller
) -> RoundPage:
    """Return the dice, the lit layout and the settlement of a round, from the journal."""
    viewer = Viewer(caller.name, staff=caller.sees_all(table))
    return await HISTORY_QUERIES.work(_read_round, services, table, number, viewer)


def _read_round(services: Services, name: str, number: int, viewer: Viewer) -> RoundPage:
    _, table = _find_open_table(services, name)
    reading = services.house.store
    entries = []
    for entry in entries_of(reading, name, number) if 0 < number <= ROUND_MAX else ():
        entries.append(entry)
        if len(entries) >= EVENTS_MAX and entry.kind in ("BetPlaced", "BetsPlaced", "BetTakenDown"):
            entries.pop()
    if not entries:
        raise Problem("not-found", detail("no-round", table=name, round=number))
    events = [parse_frame(project(entry).frame(viewer)) for entry in entries]
    dice: tuple[int, ...] = ()
    lit: tuple[str, ...] = ()
    lines: list[dict[str, Any]] = []
    clearing, cleared = {step.id for step in table.rules.procedure.round if step.act == "clear"}, False
    for entry, data in zip(entries, events, strict=True):
        event = data.event or {}
        if entry.tag is not None or entry.kind in ("DiceCorrected", "Resettled"):
            dice = tuple(event["dice"])
        if entry.kind == "StepTaken":
            cleared = event["step"] in clearing
        if entry.kind == "Illuminated" and not cleared:  # keep what was lit before the layout was cleared
            lit = tuple(event["wagers"])
        if entry.kind == "Resettled":
            lines = []
        if entry.kind in ("LosersCollected", "WinnersPaid", "Resettled"):
            mine = {line["bet"]: line for line in (data.own or {}).get("lines", ())}
            lines += [mine.get(line["bet"], line) for line in event["lines"]]
    kinds = {entry.kind for entry in entries}
    revealed = revealed_later(reading, name, entries)
    proof = proof_of(name, [*entries, *([revealed] if revealed else [])], table.rules.dice)
    void = bool({"RoundVoided", "WagersReturned"} & kinds)
    finished = bool({"RoundEnded", "RoundVoided", "WagersReturned", "BettingReopened"} & kinds)
    people = services.house.people_seen
    names = display_names(people, (line.get("player") for line in lines)) if viewer.staff else {}
    settled = msgspec.convert(lines, list[LineInfo])
    return RoundPage(name, number, dice, lit, void, finished, settled, events, proof, names)


@get("/api/v1/tables/{table:str}/rounds/{number:int}/proof", tags=["verify"], summary="The proof of a draw")
async def show_proof(table: FromPath[str], number: FromPath[int], services: HouseServices) -> Proof:
    """Return everything that an automatic round's dice were derived from, as `pitbook verify-round` reads it."""
    found = (await HISTORY_QUERIES.work(_read_round, services, table, number, Viewer())).proof
    if found is None:
        raise Problem("not-found", detail("no-seed", round=number))
    return found


@post("/api/v1/verify", tags=["verify"], summary="Recompute a draw", status_code=200)
async def verify_proof(data: JSONBody[Proof]) -> ProofChecked:
    """Recompute every step from the seed to the dice; `pitbook verify-round` does it without a server."""
    steps = check(data)
    return ProofChecked(all(step.ok for step in steps), [_proof_step(step) for step in steps])


def _proof_step(step: Check) -> ProofStep:
    return ProofStep(step.name, step.ok, message_text(step.message).text, step.kind, step.shown_values)


handlers = [list_tables, show_table, show_prospect, list_rounds, show_round, show_proof, verify_proof]
