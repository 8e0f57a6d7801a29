"""The components of an opened server are connected with each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.auth.passwords import Passwords
from pitbook.server.app import create_app
from pitbook.server.bootstrap import open_services
from pitbook.server.settings import Settings
from pitbook.table import commands as c
from pitbook.table.people import Person
from tests.server.forking import FAST_HASHING
from tests.table.driving import setup
from tests.waiting import until_async

MANAGER = Person("max", "manager")

pytestmark = pytest.mark.anyio


async def test_the_monitor_of_an_open_server_reads_what_is_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitbook.server.backoffice.monitor.TABLES_SECONDS", 1e6)  # it does not look on its own
    keys = {"sealing_key": tmp_path / "seal.key", "signing_key": tmp_path / "sign.key"}
    services = open_services(Settings(data=tmp_path, demo=False, **keys), passwords=Passwords(FAST_HASHING))
    monitor = services.backoffice.monitor
    async with create_app(services).lifespan():
        await until_async(lambda: monitor.complete, "the monitor's first look")
        answer = services.house.ask("t1", MANAGER, c.OpenTable(setup("massachusetts-sic-bo")))
        assert answer.refused is None
        await until_async(lambda: [one.table for one in monitor.records()] == ["t1"], "the new table")
        assert monitor.running
    services.close()
