"""The house's register of dice."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

import msgspec
from litestar import get, post
from litestar.params import JSONBody
from msgspec.structs import replace

from pitbook.dice_register import commands as c
from pitbook.dice_register.decide import NAME_MAX, REASON_MAX, SERIALS_MAX
from pitbook.dice_register.state import Move, SetRecord, Standing
from pitbook.house.answers import answer_of
from pitbook.server.http.bodies import RequestBody
from pitbook.server.http.errors import detail
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.http.problems import Problem
from pitbook.server.people.display_names import display_names
from pitbook.server.people.identity import DEAL, MANAGE, READ, Caller, RequestCaller
from pitbook.server.presenters.tables import dice_until
from pitbook.server.services import HouseServices, Services
from pitbook.server.worker_pool import TABLE_QUERIES
from pitbook.table.people import MANAGER, Person

TAGS = ["staff"]

SetName = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX, examples=["red 12"])]
Serials = Annotated[tuple[Annotated[str, msgspec.Meta(max_length=NAME_MAX)], ...], msgspec.Meta(max_length=SERIALS_MAX)]
InRole = Annotated[str | None, msgspec.Meta(description="in which of your roles; needed only where it matters")]


class DiceSetInfo(msgspec.Struct, frozen=True):
    """A set of dice in the house."""

    set: str
    serials: tuple[str, ...]
    standing: Standing
    first_used: str | None
    """When it was first put into a shaker for use; its lifetime counts from then."""
    table: str | None
    """The table where it is in use."""
    shaker: str | None
    until: str | None
    """When it must be replaced; null if it is in no shaker or the book sets no limit."""
    moves: tuple[Move, ...]
    """Its history, in order."""


class DiceInfo(msgspec.Struct, frozen=True):
    """The register."""

    sets: list[DiceSetInfo]
    """Sets in use first, then by name."""
    may_keep: bool
    """Whether you may receive and retire sets."""
    names: dict[str, str]
    """Display names of the people who are mentioned."""


class NewDice(RequestBody, frozen=True):
    """A set that the house has received."""

    set: SetName
    serials: Serials = ()
    role: InRole = None


class RetiredDice(RequestBody, frozen=True):
    """A set that can never be used again."""

    set: SetName
    fate: Literal["cancelled", "destroyed"]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=REASON_MAX)]
    role: InRole = None


@get("/api/v1/dice", tags=TAGS, summary="The house's register of dice")
async def list_dice(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> DiceInfo:
    """List every set with its serial numbers, location and period of use, for staff of any table."""
    caller.require_account()
    caller.require_scope(DEAL, MANAGE, READ)
    if not caller.is_staff:
        raise caller.denied(detail("register-for-staff"))
    page = await TABLE_QUERIES.work(_list_sets, services, caller)
    return replace(page, sets=take_page(page.sets, lambda one: one.set, after, limit))


def _list_sets(services: Services, caller: Caller) -> DiceInfo:
    house = services.house
    records = sorted(house.dice.sets.values(), key=lambda one: (one.standing != "in use", one.set))
    named = {move.by for one in records for move in one.moves}
    may_keep = bool(house.keepers_of_dice() & caller.roles_anywhere())
    return DiceInfo(
        [_set_info(services, one) for one in records], may_keep, display_names(services.people.state, named)
    )


def _set_info(services: Services, one: SetRecord) -> DiceSetInfo:
    table = services.house.table(one.table) if one.table else None
    here = table is not None and table.dice is not None and table.dice.set == one.set
    until = dice_until(table) if table is not None and here else None
    return DiceSetInfo(
        one.set,
        one.serials,
        one.standing,
        one.first_used or None,
        one.table or None,
        one.shaker or None,
        until,
        one.moves,
    )


@post("/api/v1/dice", status_code=201, tags=TAGS, summary="Receive a set of dice")
async def receive_dice(data: JSONBody[NewDice], services: HouseServices, caller: RequestCaller) -> DiceInfo:
    """Receive a set, as a manager or above the rank of dealers; an unknown set is received on first use."""
    return await _execute(services, caller, data.role, c.ReceiveDice(data.set, data.serials))


@post("/api/v1/dice/retirement", status_code=200, tags=TAGS, summary="Cancel or destroy a set of dice")
async def retire_dice(data: JSONBody[RetiredDice], services: HouseServices, caller: RequestCaller) -> DiceInfo:
    """Retire a set that is in no shaker permanently, as a manager or above the rank of dealers."""
    return await _execute(services, caller, data.role, c.RetireDice(data.set, data.fate, data.reason))


async def _execute(services: Services, caller: Caller, role: str | None, command: c.Command) -> DiceInfo:
    account = caller.require_account()
    caller.require_scope(DEAL, MANAGE)
    held = caller.roles_anywhere()
    allowed = await TABLE_QUERIES.work(services.house.keepers_of_dice)
    chosen = role or next(iter(sorted(held & allowed, key=lambda one: (one != MANAGER, one))), None)
    if chosen is None or chosen not in held:
        raise caller.denied(detail("register-keepers"))
    future = await asyncio.to_thread(services.house.submit_dice, Person(account.name, chosen), command)
    answer = answer_of(await asyncio.wrap_future(future))
    if answer.refused is not None:
        raise Problem(answer.refused, answer.message)
    return await TABLE_QUERIES.work(_list_sets, services, caller)


handlers = [list_dice, receive_dice, retire_dice]
