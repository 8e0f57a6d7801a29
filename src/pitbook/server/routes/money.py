"""A table's money and disputes, for managers, auditors and supervisors of the table."""

from __future__ import annotations

import msgspec
from litestar import get
from litestar.params import FromPath
from msgspec.structs import replace

from pitbook.house.cash_book import Correction, DisputeInfo, Movement
from pitbook.ledger.accounts import dealers, disputes, drop, escrow, float_of
from pitbook.server.backoffice.table_access import find_monitored
from pitbook.server.http.pages import PAGE_MAX, Cursor, PageSize, take_page
from pitbook.server.people.display_names import display_names
from pitbook.server.people.identity import Caller, RequestCaller
from pitbook.server.schemas.people import Names
from pitbook.server.services import HouseServices, Services
from pitbook.table.state import Inventory

TAGS = ["staff"]


class Balances(msgspec.Struct, frozen=True):
    """The table's balances in the ledger, in minor units."""

    float: int
    """The table's own chips: what a count should find."""
    escrow: int
    """Stakes on the layout."""
    drop_box: int
    """Cash in the drop box."""
    dealers: int
    """Tips and envy."""
    disputes: int
    """Negative: what corrections should have taken back and could not."""


class InventoryInfo(msgspec.Struct, frozen=True):
    """A table's takings and payments in a gaming day or a shift, in minor units."""

    day: str
    opening: int | None
    closing: int | None
    fills: int
    credits: int
    drop: int
    wagered: int
    won: int
    hold: float | None
    """The win as a share of the drop."""


class TableMoney(msgspec.Struct, frozen=True):
    """A table's money."""

    table: str
    sequence: int
    money: str
    balances: Balances
    day: InventoryInfo
    shift: InventoryInfo
    movements: list[Movement]
    """The latest first."""
    trouble: str | None = None
    """Why the record could not be read further."""
    names: Names = msgspec.field(default_factory=dict)


class TableDisputes(msgspec.Struct, frozen=True):
    """Disputes about rounds, and corrections of misread dice; the latest first."""

    table: str
    sequence: int
    money: str
    open: list[int]
    """Rounds whose records are frozen."""
    disputes: list[DisputeInfo]
    corrections: list[Correction]
    owed: int
    """Amounts that corrections could not collect from players, in minor units."""
    trouble: str | None = None
    """Why the record could not be read further."""
    names: Names = msgspec.field(default_factory=dict)


@get("/api/v1/tables/{table:str}/money", tags=TAGS, summary="A table's float, drop and fills")
async def show_money(
    table: FromPath[str], services: HouseServices, caller: RequestCaller, after: Cursor = None, limit: PageSize = 100
) -> TableMoney:
    """Return the table's balances, the results of the day and the shift, and the last movements.

    For managers, auditors and supervisors of the table.
    """
    page = await services.backoffice.work(_read_money, services, table, caller)
    return replace(page, movements=take_page(page.movements, _numbered, after, limit))


def _read_money(services: Services, name: str, caller: Caller) -> TableMoney:
    state, record = find_monitored(services.house, services.backoffice.monitor, name, caller)
    accounts = float_of(name), escrow(name), drop(name), dealers(name), disputes(name)
    held = services.house.store.balances(accounts)
    with record.guard:
        movements = list(record.cash.movements)
        named = (name for one in movements for name in (one.by, one.second, one.player))
        return TableMoney(
            table=name,
            sequence=record.head.sequence,
            money=state.money,
            balances=Balances(*(held[account] for account in accounts)),
            day=_inventory_info(state.inventory),
            shift=_inventory_info(state.shift_inventory),
            movements=movements,
            trouble=record.troubles.get("money"),
            names=display_names(services.house.people_seen, named),
        )


def _inventory_info(book: Inventory) -> InventoryInfo:
    hold = None if book.hold is None else float(book.hold)
    counted = book.day, book.opening, book.closing
    return InventoryInfo(*counted, book.fills, book.credits, book.drop, book.wagered, book.won, hold)


@get("/api/v1/tables/{table:str}/disputes", tags=TAGS, summary="Disputed rounds and corrections")
async def list_disputes(
    table: FromPath[str],
    services: HouseServices,
    caller: RequestCaller,
    after: Cursor = None,
    limit: PageSize = PAGE_MAX,
) -> TableDisputes:
    """Return disputes with their rulings, and corrections of dice with who approved them.

    For managers, auditors and supervisors of the table.
    """
    page = await services.backoffice.work(_read_disputes, services, table, caller)
    return replace(page, disputes=take_page(page.disputes, _numbered, after, limit))


def _numbered(one: Movement | DisputeInfo) -> str:
    """Return the cursor of a movement or dispute: its entry."""
    return str(one.sequence)


def _read_disputes(services: Services, name: str, caller: Caller) -> TableDisputes:
    state, record = find_monitored(services.house, services.backoffice.monitor, name, caller)
    account = disputes(name)
    owed = max(0, -services.house.store.balances([account])[account])
    with record.guard:
        ruled = (name for one in record.cash.disputes for name in (one.by, one.ruled_by))
        corrected = (name for one in record.cash.corrections for name in (one.by, one.done_by))
        return TableDisputes(
            table=name,
            sequence=record.head.sequence,
            money=state.money,
            open=sorted(state.disputed),
            disputes=record.cash.disputes[::-1],
            corrections=record.cash.corrections[::-1],
            owed=owed,
            trouble=record.troubles.get("money"),
            names=display_names(services.house.people_seen, (*ruled, *corrected)),
        )


handlers = [show_money, list_disputes]
