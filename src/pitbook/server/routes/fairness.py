"""The fairness of dice, the hold of tables, and alarms for managers."""

from typing import Annotated

from litestar import get
from litestar.params import FromPath, QueryParameter

from pitbook.errors import quoted
from pitbook.house.daily_results import DAYS_MAX
from pitbook.server.backoffice.fairness import (
    Alarms,
    Fairness,
    FoundAlarm,
    Hold,
    build_fairness,
    build_hold,
    with_curve,
)
from pitbook.server.backoffice.rights import manager_or_auditor
from pitbook.server.backoffice.table_access import find_monitored
from pitbook.server.http.errors import detail
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import Caller, RequestCaller
from pitbook.server.services import HouseServices, Services
from pitbook.server.webhooks.service import alarm_id

TAGS = ["fairness"]


@get("/api/v1/tables/{table:str}/fairness", tags=TAGS, summary="Are a table's dice fair?")
async def show_fairness(table: FromPath[str], services: HouseServices, caller: RequestCaller) -> Fairness:
    """Return the evidence against each set of dice, valid however often you look; alarms stay with the set.

    For managers, auditors and supervisors of the table.
    """
    return await services.backoffice.work(_fairness, services, table, caller)


def _fairness(services: Services, name: str, caller: Caller) -> Fairness:
    _, record = find_monitored(services.house, services.backoffice.monitor, name, caller)
    with record.guard:
        return build_fairness(record)


@get("/api/v1/tables/{table:str}/hold", tags=TAGS, summary="What a table held, against theory")
async def show_hold(
    table: FromPath[str],
    services: HouseServices,
    caller: RequestCaller,
    days: Annotated[int, QueryParameter(ge=0, le=DAYS_MAX, required=False, description="so many gaming days")] = 14,
    day: Annotated[
        str | None,
        QueryParameter(max_length=100, required=False, description="the curve of this day; of the whole unless named"),
    ] = None,
) -> Hold:
    """Return wagers, wins and hold by gaming day and family, with theory and a band that is valid at all times.

    For managers, auditors and supervisors of the table.
    """
    return await services.backoffice.work(_hold, services, table, caller, days, day)


def _hold(services: Services, name: str, caller: Caller, days: int, day: str | None) -> Hold:
    state, record = find_monitored(services.house, services.backoffice.monitor, name, caller)
    with record.guard:
        if day is not None and day not in record.hold.days:
            raise Problem("not-found", detail("no-gaming-day", table=name, day=quoted(day)))
        known = build_hold(record, state.setup.currency if state.setup else "", days, day)
        marks = (record.hold.whole if day is None else record.hold.days[day]).curve()
    return with_curve(known, marks)


@get("/api/v1/alarms", tags=TAGS, summary="What a manager should know now")
async def list_alarms(
    services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = PAGE_MAX
) -> Alarms:
    """Return alarms about dice, tumblers, seeds, disabled tables, the clock and the journal."""
    manager_or_auditor(caller)
    found, complete, now, recorded = await services.backoffice.work(_alarms, services)
    page = take_page(found, alarm_id, after, limit)
    return Alarms([one.info() for one in page], complete, now, recorded)


def _alarms(services: Services) -> tuple[list[FoundAlarm], bool, str, dict[str, str]]:
    monitor = services.backoffice.monitor
    if monitor.complete or not monitor.running:
        monitor.catch_up()
    house = services.house
    now = house.now().isoformat(timespec="seconds")
    return services.find_alarms(), monitor.complete, now, house.recorded()


handlers = [show_fairness, show_hold, list_alarms]
