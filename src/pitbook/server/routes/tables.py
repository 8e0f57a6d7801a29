"""Tables to look at: the lobby, a table now, its past rounds, and the proof of a draw."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.house.rounds import Past, entries_of, past_rounds, proof_of, revealed_later
from pitbook.ledger.accounts import player, purse
from pitbook.rulebooks.model import Rulebook
from pitbook.server.http.problems import Problem
from pitbook.server.people.display_names import names_of
from pitbook.server.people.identity import RequestCaller
from pitbook.server.presenters import tables as shapes
from pitbook.server.schemas.people import Names
from pitbook.server.services import HouseServices, Services
from pitbook.server.streams.projections import Viewer, data_of, project
from pitbook.server.tables.console import Chips, players_at
from pitbook.server.worker_pool import SHELF, WINDOW
from pitbook.table.liability import prospect
from pitbook.table.state import Table
from pitbook.tumbler.proof import CheckKind, Proof, check

PAGE_MAX = 500
ROUND_MAX = 2**53
EVENTS_MAX = 2_000
"""So many entries of a round are told at most."""

Limit = Annotated[int, QueryParameter(ge=1, le=PAGE_MAX, description="how many at most")]


class TablePage(msgspec.Struct, frozen=True):
    """A table, as far as who asks may see it."""

    table: str
    sequence: int
    """The entry after which it is so: a stream goes on from here."""
    view: dict[str, Any]
    """What the table shows now; the stream sends it again whenever a step is taken."""
    rules: dict[str, Any]
    """What holds until the set-up changes: limits, pay tables, the set-up itself."""
    mine: dict[str, Any] | None = None
    """A player's own bets and chips."""
    staff: dict[str, Any] | None = None
    """For who works at the table, manages or audits."""


class ProspectInfo(msgspec.Struct, frozen=True):
    """The most that one's own bets could win together, less the stakes that are then lost; in minor units."""

    most: int
    throw: tuple[int, ...] | None
    """The dice that bring it; null over the rest of a hand of craps, and where nothing lies."""


class RoundsPage(msgspec.Struct, frozen=True):
    """Past rounds, the latest first."""

    rounds: list[Past]
    next: int | None
    """What `below` is for the next page; null where this is the last."""


class RoundPage(msgspec.Struct, frozen=True):
    """A past round as it was settled, with its lit areas."""

    table: str
    round: int
    dice: tuple[int, ...]
    lit: tuple[str, ...]
    void: bool
    finished: bool
    lines: list[dict[str, Any]]
    """How each wager was settled, losers first; without names but for one's own and for staff."""
    events: list[dict[str, Any]]
    proof: Proof | None = None
    """Of an automatic table: all that the dice came of."""
    names: Names = msgspec.field(default_factory=dict)
    """For staff."""


class ProofStep(msgspec.Struct, frozen=True):
    """One step of the check."""

    name: str
    ok: bool
    says: str
    kind: CheckKind | None = None
    """What was seen, in a word."""
    values: dict[str, str] = {}
    """The same as values: `bytes` in hexadecimal, `dice`, a `byte` and what it leaves."""


class ProofChecked(msgspec.Struct, frozen=True):
    """A draw worked out anew."""

    good: bool
    steps: list[ProofStep]


@get("/api/v1/tables", tags=["tables"], summary="The lobby")
async def lobby(services: HouseServices) -> list[shapes.Summary]:
    """Every table that has been opened; those that are disabled last."""
    return await WINDOW.work(_lobby, services)


def _lobby(services: Services) -> list[shapes.Summary]:
    at = services.house.now()
    found = (shapes.summary(services.house.table(name), at) for name in services.house.tables())
    shown = [one for one in found if one is not None]
    return shown + [shapes.disabled_summary(name) for name in sorted(services.house.disabled)]


@get("/api/v1/tables/{table:str}", tags=["tables"], summary="A table now")
async def table_now(table: FromPath[str], services: HouseServices, caller: RequestCaller) -> TablePage:
    """What the table shows, lights and lammers, chances and limits; with what is one's own, and what staff need."""
    name, roles = caller.name, caller.roles_at(table)
    return await WINDOW.work(_now, services, table, name, roles, caller.sees_all(table))


def _now(services: Services, name: str, person: str | None, roles: list[str], staff: bool) -> TablePage:
    sequence, table = _opened(services, name)
    mine = None
    if person is not None:
        mine = shapes.own(table, person, _holdings(services, table, [person])[person])
        mine["names"] = names_of(services.house.people_seen, (bet["by"] for bet in mine["bets"]))
    at = services.house.now()
    shown, rules = shapes.now_shown(table, at, staff=staff), shapes.rules_shown(table)
    working = None
    if staff:
        holds = _holdings(services, table, players_at(table))
        people = services.house.people_seen
        working = shapes.staff(table, roles, people.accounts.values(), holds, at)
        working["names"] = names_of(people, shapes.concerned(working))
    return TablePage(name, sequence, shown, rules, mine, working)


@get("/api/v1/tables/{table:str}/prospect", tags=["tables"], summary="The most that one could win")
async def prospect_now(table: FromPath[str], services: HouseServices, caller: RequestCaller) -> ProspectInfo:
    """With one's own bets as they lie: on the next throw, or over the rest of a hand."""
    _, found = _opened(services, table)
    ahead = prospect(found, caller.signed_in().name)
    return ProspectInfo(ahead.most, ahead.roll.faces if ahead.roll else None)


def _holdings(services: Services, table: Table, names: Iterable[str]) -> dict[str, Chips]:
    """Return the cash chips and the colour chips of players here."""
    cash = {name: player(name, table.money) for name in names}
    colour = {
        name: purse(name, table.money, table.id, table.purses[name].colour) for name in cash if name in table.purses
    }
    held = services.house.store.balances([*cash.values(), *colour.values()])
    return {name: Chips(held[cash[name]], held[colour[name]] if name in colour else 0) for name in cash}


def _opened(services: Services, name: str) -> tuple[int, Table]:
    found = services.house.look(name) if services.house.has_table(name) else None
    if found is None or found[1].setup is None:
        raise Problem("not-found", f"there is no table {name!r}")
    return found


@get("/api/v1/tables/{table:str}/rounds", tags=["tables"], summary="Past rounds, for road maps")
async def rounds(
    table: FromPath[str],
    services: HouseServices,
    below: Annotated[
        int | None, QueryParameter(ge=1, le=ROUND_MAX, description="only rounds with lower numbers")
    ] = None,
    limit: Limit = 100,
) -> RoundsPage:
    """The rounds that have an outcome. If a display and the dice differ, the dice count."""
    return await SHELF.work(_rounds, services, table, below, limit)


def _rounds(services: Services, name: str, below: int | None, limit: int) -> RoundsPage:
    _, now = _opened(services, name)
    found = past_rounds(services.house.store, name, below, limit)
    if not now.craps:
        found = [msgspec.structs.replace(past, lit=_lit(now.rules, past.dice)) for past in found]
    return RoundsPage(found, found[-1].number if len(found) == limit else None)


@lru_cache(maxsize=4_096)
def _lit(rules: Rulebook, dice: tuple[int, ...]) -> tuple[str, ...]:
    """The areas that are not one of a row of like ones, and win on these dice."""
    if not dice:
        return ()
    return tuple(wager for wager in illuminate(rules, Roll.of(*dice)) if rules.wagers[wager].selection is None)


@get("/api/v1/tables/{table:str}/rounds/{number:int}", tags=["tables"], summary="Any past round again")
async def recall(
    table: FromPath[str], number: FromPath[int], services: HouseServices, caller: RequestCaller
) -> RoundPage:
    """The dice, the lit layout and the settlement of a round, from the journal."""
    viewer = Viewer(caller.name, staff=caller.sees_all(table))
    return await SHELF.work(_recall, services, table, number, viewer)


def _recall(services: Services, name: str, number: int, viewer: Viewer) -> RoundPage:
    _, table = _opened(services, name)
    reading = services.house.store
    entries = []
    for entry in entries_of(reading, name, number) if 0 < number <= ROUND_MAX else ():
        entries.append(entry)
        if len(entries) >= EVENTS_MAX and entry.kind in ("BetPlaced", "BetsPlaced", "BetTakenDown"):
            entries.pop()
    if not entries:
        raise Problem("not-found", f"table {name!r} has had no round {number}")
    told = [data_of(project(entry).frame(viewer)) for entry in entries]
    dice: tuple[int, ...] = ()
    lit: tuple[str, ...] = ()
    lines: list[dict[str, Any]] = []
    clearing, cleared = {step.id for step in table.rules.procedure.round if step.act == "clear"}, False
    for entry, data in zip(entries, told, strict=True):
        event = data.get("event", {})
        if entry.throw is not None or entry.kind in ("DiceCorrected", "Resettled"):
            dice = tuple(event["dice"])
        if entry.kind == "StepTaken":
            cleared = event["step"] in clearing
        if entry.kind == "Illuminated" and not cleared:  # the round is told as it was before the layout was cleared
            lit = tuple(event["wagers"])
        if entry.kind == "Resettled":
            lines = []
        if entry.kind in ("LosersCollected", "WinnersPaid", "Resettled"):
            mine = {line["bet"]: line for line in data.get("own", {}).get("lines", ())}
            lines += [mine.get(line["bet"], line) for line in event["lines"]]
    kinds = {entry.kind for entry in entries}
    revealed = revealed_later(reading, name, entries)
    proof = proof_of(name, [*entries, *([revealed] if revealed else [])], table.rules.dice)
    void = bool({"RoundVoided", "WagersReturned"} & kinds)
    finished = bool({"RoundEnded", "RoundVoided", "WagersReturned", "BettingReopened"} & kinds)
    people = services.house.people_seen
    names = names_of(people, (line.get("player") for line in lines)) if viewer.staff else {}
    return RoundPage(name, number, dice, lit, void, finished, lines, told, proof, names)


@get("/api/v1/tables/{table:str}/rounds/{number:int}/proof", tags=["verify"], summary="The proof of a draw")
async def proof(table: FromPath[str], number: FromPath[int], services: HouseServices) -> Proof:
    """All that an automatic round's dice came of, as `pitbook verify-round` reads it."""
    found = (await SHELF.work(_recall, services, table, number, Viewer())).proof
    if found is None:
        raise Problem("not-found", f"round {number} has no seed that was revealed")
    return found


@post("/api/v1/verify", tags=["verify"], summary="Work a draw out anew", status_code=200)
async def verify(data: JSONBody[Proof]) -> ProofChecked:
    """Every step from the seed to the dice, in words. Whoever trusts no server runs `pitbook verify-round` instead."""
    steps = check(data)
    return ProofChecked(all(step.ok for step in steps), [ProofStep(*step[:4], dict(step.values)) for step in steps])


handlers = [lobby, table_now, prospect_now, rounds, recall, proof, verify]
