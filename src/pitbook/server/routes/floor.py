"""The floor: all tables that the caller looks after."""

from __future__ import annotations

from litestar import get
from msgspec.structs import replace

from pitbook.ledger.accounts import float_of
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.people.identity import DEAL, MANAGE, READ, Caller, RequestCaller
from pitbook.server.presenters.floor import DisabledInfo, Floor, FloorTable, floor_table
from pitbook.server.presenters.people import approval_info
from pitbook.server.services import HouseServices, Services
from pitbook.server.worker_pool import TABLE_QUERIES


@get("/api/v1/floor", tags=["staff"], summary="The tables that you look after")
async def show_floor(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> Floor:
    """Return each table's status, readiness, obstacles and exposure.

    Staff see the tables where they work, managers and auditors all of them.
    """
    caller.require_account()
    caller.require_scope(DEAL, MANAGE, READ)
    page = await TABLE_QUERIES.work(_floor, services, caller)
    return replace(page, tables=take_page(page.tables, lambda one: one.id, after, limit))


def _floor(services: Services, caller: Caller) -> Floor:
    house, people = services.house, services.people.state
    at = services.clock().isoformat(timespec="microseconds")
    waiting = [one for one in people.approvals.values() if one.standing == "waiting" and at < one.until]
    tables: list[FloorTable] = []
    seen = [name for name in house.tables() if caller.sees_all(name)]
    with house.consistent_view() as committed:
        states = {name: committed.read_table(name)[1] for name in seen}
        held = committed.balances([float_of(name) for name in seen])
    for name, table in states.items():
        if table.setup is None:
            continue
        here = [one for one in waiting if one.table == name]
        yours = sum(approval_info(one, caller, at).yours for one in here)
        float_held = held[float_of(name)]
        tables.append(floor_table(table, people.accounts.values(), at, (len(here), yours), float_held, house))
    stopped = [one for name, one in sorted(house.disabled.items()) if caller.sees_all(name)]
    return Floor(tables, [DisabledInfo(*one) for one in stopped])


handlers = [show_floor]
