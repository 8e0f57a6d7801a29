"""A table's page: everything on it is of one moment, though others bet while it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx
import pytest
from litestar import Router
from litestar.di import Provide

from pitbook.journal.queries import ConnectionReader
from pitbook.ledger.accounts import Account
from pitbook.server.routes import me, tables
from pitbook.testing import JournalTable
from tests.server.audit.conftest import provide_caller
from tests.server.conftest import HouseApp

pytestmark = pytest.mark.anyio

HELD = 100_00
PAGES = Router(
    "/",
    route_handlers=[tables.show_table, me.list_balances],
    dependencies={"caller": Provide(provide_caller, sync_to_thread=False)},
)


@pytest.fixture
def table(house_app: HouseApp) -> JournalTable:
    """A table where ann has bet once."""
    table = JournalTable(house_app.services.house, "massachusetts-sic-bo")
    table.buy_in("ann", HELD)
    table.bet("ann", "small=5")
    return table


@contextmanager
def bet_before_balances_are_read(table: JournalTable) -> Iterator[None]:
    """Let ann bet once more at the next moment in which balances are read."""
    read = ConnectionReader.balances

    def bet_first(self: ConnectionReader, accounts: Sequence[Account]) -> dict[Account, int]:
        patched.undo()
        table.bet("ann", "big=20")
        return read(self, accounts)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ConnectionReader, "balances", bet_first)
        yield
    assert len(table.table.bets) == 2, "no balances were read"


async def ask(client: httpx.AsyncClient, who: str, path: str) -> httpx.Response:
    response = await client.get(f"/api/v1{path}", headers={"x-asks": who})
    return response.raise_for_status()


async def test_a_player_sees_a_stake_on_the_layout_or_in_the_rail(house_app: HouseApp, table: JournalTable) -> None:
    async with house_app.client(PAGES) as client:
        with bet_before_balances_are_read(table):
            during = (await ask(client, "ann", "/tables/t1")).json()
        after = (await ask(client, "ann", "/tables/t1")).json()
    for page in (during, after):
        assert page["mine"]["balance"] + sum(bet["amount"] for bet in page["mine"]["bets"]) == HELD
    assert after["mine"]["balance"] == 75_00
    assert after["sequence"] > during["sequence"]


async def test_staff_see_a_stake_on_the_layout_or_in_the_rail(house_app: HouseApp, table: JournalTable) -> None:
    async with house_app.client(PAGES) as client:
        with bet_before_balances_are_read(table):
            staff = (await ask(client, "max", "/tables/t1")).json()["staff"]
    assert [one["holds"] for one in staff["players"]] == [HELD - sum(bet["amount"] for bet in staff["bets"])]


async def test_all_chips_of_a_player_are_of_one_moment(house_app: HouseApp, table: JournalTable) -> None:
    async with house_app.client(PAGES) as client:
        with bet_before_balances_are_read(table):
            (holding,) = (await ask(client, "ann", "/me/balances")).json()
    assert holding["balance"] + holding["at_stake"] == HELD
