"""The guide for operators does what it shows: its commands run in the order of the page, on a house that is in use."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.auth.passwords import Passwords
from pitbook.auth.stores import open_auth_store
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.people import commands as people
from pitbook.people.names import SERVER
from pitbook.people.values import Grant
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import MANAGER, Clock, JournalTable
from tests.audit.journals import enrol, play
from tests.guides import GuideRun
from tests.journal.conftest import postgres_server
from tests.server.whole.clients import Visitor, done
from tests.server.whole.test_reload import write_certificate
from tests.waiting import until

__all__ = ["postgres_server"]

BOOK, OLD, LIVE = "massachusetts-sic-bo", "sic-bo-1-2024", "sic-bo-1-2026"
PASSWORD = "a long walk by the river"
PAGE = "operations.md"


@pytest.fixture
def walk(tmp_path: Path, postgres_server: str) -> Iterator[GuideRun]:
    """A walk with the folders that a machine has; the example's file of a day is today's."""
    today = f"pitbook-{datetime.now(UTC):%Y-%m-%d}.db"
    hosts = {"10.0.0.5:8100": f"127.0.0.1:{free_port()}", "--host 0.0.0.0": "--host 127.0.0.1"}
    no_proxy = {'["https://tables.example"]': "[]"}  # whose cookies only a browser with TLS would send
    walking = GuideRun(PAGE, tmp_path, postgres_server, replace={"pitbook-2026-03-01.db": today, **hosts, **no_proxy})
    for folder in ("/var/lib/pitbook", "/etc/pitbook", "/backup/pitbook", "/archive", "/tmp"):
        walking.place(folder)
    write_certificate(walking.place("/etc/pitbook"), "tables.example")
    yield walking
    walking.close()


def free_port() -> int:
    """Return a free port that no connection of another test takes before it is used: one below the ephemeral ports."""
    for port in range(20_000 + os.getpid() % 10_000, 32_768):
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
    raise AssertionError("no port is free")


def write_house(place: str) -> None:
    """Play at a table that was closed long ago and at one that is open; add the manager."""
    clock = Clock(datetime.now(UTC) - timedelta(days=730))
    with House(open_store(place), clock=clock) as house:
        added = house.manage(Person(SERVER, SERVER), people.AddPerson(MANAGER.name, "Max", (Grant(MANAGER.role),)))
        assert added.refused is None, added
        enrol(house, BOOK)
        old, live = (JournalTable(house, BOOK, name) for name in (OLD, LIVE))
        for table in (old, live):
            for player in ("ann", "ben"):
                table.buy_in(player, 500_00)
            play(table, 2)
        old.does(old.most_senior, c.CollectDrop(old.second))
        old.does(MANAGER, c.CloseTable())
    with closing(open_auth_store(place)) as access:
        access.set_password(MANAGER.name, Passwords().hash_password(PASSWORD), clock().isoformat())


def test_every_command_of_the_guide_works(walk: GuideRun) -> None:
    house = str(walk.place("/var/lib/pitbook") / "house.db")
    backups, archives = walk.place("/backup/pitbook"), walk.place("/archive")
    write_house(house)

    def backed_up() -> None:
        until(lambda: [*backups.glob("pitbook-????-??-??.db-access")], "a scheduled backup with its passwords")

    def add_and_close_cora() -> None:
        with Visitor(walk.address).sign_in(MANAGER.name, PASSWORD) as manager:
            manager.set_up_factor()
            added = done(manager.post("/people", {"name": "cora", "shown": "Cora", "roles": [{"role": "player"}]}), 201)
            done(manager.post(f"/people/{added['name']}/deactivation", {"words": "asked for it"}))

    def add_the_auditors_role() -> None:
        walk.database("auditor", "house")

    walk.run(
        {
            "Restore": backed_up,
            "Personal data and erasure": add_and_close_cora,
            "Several processes on PostgreSQL": add_the_auditors_role,
        }
    )
    assert {"pitbook accept-loss", "pitbook archive", "pitbook move", "pitbook erase-person"} <= set(walk.commands)
    assert [file.name.startswith(OLD) for file in archives.glob("*.db")] == [True]
    assert audit(walk.database("pitbook", "house")).good
