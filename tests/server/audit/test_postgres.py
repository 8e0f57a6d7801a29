"""The same over PostgreSQL: pages, audit, checkpoint, hold, and what another process has written."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.journal.postgres import PostgresStore
from pitbook.server.services import Services
from pitbook.server.settings import Settings
from pitbook.testing import JournalTable
from tests.audit.journals import play
from tests.journal.conftest import postgres_role, postgres_server, postgres_url
from tests.server.audit.conftest import Office
from tests.server.audit.test_audits import ended
from tests.server.audit.test_journal_pages import entries, pages
from tests.server.worker_jobs import sleeps

__all__ = ["postgres_role", "postgres_server", "postgres_url"]

pytestmark = pytest.mark.anyio


class Branch(Office):
    """A process of a house on PostgreSQL."""

    def __init__(self, folder: Path, url: str) -> None:
        self.house = House(PostgresStore(url))
        settings = Settings(data=folder, demo=False, journal=url, signing_key=folder / "signing.key", request_rate=0)
        self.access = open_auth_store(url)
        self.services = Services(settings, self.house, self.access)

    def close(self) -> None:
        self.watch.close()
        self.house.close()
        self.access.close()


@pytest.mark.thorough
async def test_two_processes_tell_the_same(tmp_path: Path, postgres_url: str) -> None:
    here, there = Branch(tmp_path, postgres_url), Branch(tmp_path, postgres_url)
    try:
        table = JournalTable(here.house, "massachusetts-sic-bo")
        table.buy_in("ann")
        table.buy_in("ben")
        play(table, 2)
        async with there.client_of() as client:
            first = (await client.get("/tables/t1/hold")).json()
            play(table, 1)
            hold = (await client.get("/tables/t1/hold")).json()
            found = entries(await pages(client, "t1"))
            by_person = entries(await pages(client, "t1", person="ann", limit=5))
            by_text = entries(await pages(client, "t1", text="no more bets"))
            by_time = entries(await pages(client, "t1", **{"from": found[9]["at"], "to": found[-9]["at"]}))
            replay = (await client.get("/journal/t1/rounds/2")).json()
            checkpoint = await client.post("/checkpoints")
            await client.post("/audit", json={"checkpoint": checkpoint.text})
            report = (await ended(client))["report"]
            unknown = await client.get("/journal/%00")
        assert first["whole"]["throws"] == 2
        assert hold["whole"]["throws"] == 3
        assert hold["whole"]["whole"]["won"] == table.table.inventory.won
        assert len(found) == here.house.store.head("t1").sequence
        named = [one for one in found if one["actor"] == "ann" or "'ann'" in str(one["event"])]
        assert named == [one for one in by_person if one in named]
        assert len(by_text) == 3
        assert by_time == [one for one in found if found[9]["at"] <= one["at"] < found[-9]["at"]]
        assert [one["entry"] for one in replay["frames"]] == [one for one in found if one["round"] == 2]
        assert report["good"], report["findings"]
        assert postgres_url not in checkpoint.text
        assert unknown.status_code == 404
    finally:
        here.close()
        there.close()


async def test_of_several_processes_one_audits_at_a_time(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = Branch(tmp_path, postgres_url), Branch(tmp_path, postgres_url)
    try:
        JournalTable(here.house, "massachusetts-sic-bo")
        with monkeypatch.context() as patched:
            patched.setattr("pitbook.server.backoffice.audits.run_audit", sleeps)
            async with here.client_of() as one, there.client_of() as other:
                assert (await one.post("/audit", json={})).status_code == 202
                assert (await other.post("/audit", json={})).status_code == 409
                assert (await other.get("/audit")).json()["says"] == "another process of this house is running it"
                await one.delete("/audit")
                await here.watch.auditing.wait_finished()
                assert (await other.get("/audit")).json()["state"] == "idle"
        async with there.client_of() as other:
            assert (await other.post("/audit", json={})).status_code == 202
            assert (await ended(other))["report"]["good"]
            await there.watch.auditing.wait_finished()
    finally:
        here.close()
        there.close()
