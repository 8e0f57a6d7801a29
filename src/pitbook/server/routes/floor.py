"""The floor: all tables that the caller supervises."""

from __future__ import annotations

from litestar import get
from msgspec.structs import replace

from pitbook.ledger.accounts import float_of
from pitbook.server.backoffice.monitor import Monitor
from pitbook.server.backoffice.rights import is_supervisor
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.http.problems import message_text
from pitbook.server.people.identity import DEAL, MANAGE, READ, Caller, RequestCaller
from pitbook.server.presenters.floor import (
    CallerView,
    DayWin,
    DisabledInfo,
    Floor,
    FloorTable,
    floor_table,
    floor_totals,
)
from pitbook.server.presenters.people import approval_info
from pitbook.server.services import HouseServices, Services
from pitbook.server.worker_pool import TABLE_QUERIES


@get("/api/v1/floor", tags=["staff"], summary="The tables that you look after")
async def show_floor(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> Floor:
    """Return each table's status, readiness, obstacles, exposure and win, and the totals of all of them.

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
    wins = _day_wins(services.backoffice.monitor, at)
    for name, table in states.items():
        if table.setup is None:
            continue
        here = [one for one in waiting if one.table == name]
        yours = sum(approval_info(one, caller, at).yours for one in here)
        supervised = is_supervisor(caller, table)
        view = CallerView(len(here), yours, supervised, wins.get(name) if supervised else None)
        tables.append(floor_table(table, people.accounts.values(), at, held[float_of(name)], house, view))
    stopped = [one for name, one in sorted(house.disabled.items()) if caller.sees_all(name)]
    disabled = [DisabledInfo(one.table, one.cause, message_text(one.message).text) for one in stopped]
    return Floor(tables, disabled, floor_totals(tables))


def _day_wins(monitor: Monitor, at: str) -> dict[str, DayWin]:
    """Return what each table won in its gaming day, by records that were read to their end.

    Where the monitor runs, nobody waits for entries that it has not read yet: the floor is polled often.
    """
    if not monitor.running:
        monitor.catch_up()
    found: dict[str, DayWin] = {}
    for record in monitor.records() if monitor.complete else ():
        if "hold" in record.troubles:
            continue
        with record.guard:
            tally = record.hold.tally_at(at)
            found[record.table] = DayWin(tally.wagered, tally.won, tally.theory)
    return found


handlers = [show_floor]
