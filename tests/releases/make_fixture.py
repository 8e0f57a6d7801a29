"""Make the fixture of a release: a small house as this version stores it, on SQLite and on PostgreSQL.

Run it once for each release, when the version is set, and commit the folder that it writes with the release:

    .venv/bin/python -m tests.releases.make_fixture

`test_upgrade.py` upgrades the fixtures of all releases. Never make that of an earlier release again: the journals that
houses have were not written by today's code.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import psycopg

from pitbook.auth.moving import move_credentials
from pitbook.auth.passwords import Passwords
from pitbook.auth.stores import SUFFIX, open_auth_store
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal.copying import move_journal
from pitbook.journal.runner import Settings
from pitbook.people import commands as people
from pitbook.people.names import SERVER
from pitbook.people.values import Grant
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import MANAGER, START, Clock, JournalTable
from tests.audit.journals import enrol, play
from tests.postgres import PACKAGE, RELEASE, running_postgres

FOLDER = Path(__file__).parent
ROLE, SCHEMA = "pitbook_test", "pitbook_release"
"""The owner and the schema of a PostgreSQL fixture."""
TABLES = {"sic-bo": "massachusetts-sic-bo", "craps": "dice-works"}
PASSWORD = "fixture password of a house"  # of this fixture only
JOURNAL, ACCESS, DUMP = "journal.db.gz", "journal.db-access.gz", "postgres.sql.gz"


def make(folder: Path) -> None:
    """Write the fixture of the installed version."""
    folder.mkdir()
    with TemporaryDirectory() as temporary:
        place = str(Path(temporary) / "journal.db")
        write_house(place)
        for name, file in ((JOURNAL, place), (ACCESS, place + SUFFIX)):
            compress(Path(file).read_bytes(), folder / name)
        with running_postgres() as url:
            compress(dump_of(place, url), folder / DUMP)


def compress(content: bytes, file: Path) -> None:
    """Write a compressed file whose bytes do not depend on the time."""
    file.write_bytes(gzip.compress(content, mtime=0))


def write_house(place: str) -> None:
    """Play at two tables, with refusals, a dispute and a resettlement; leave one of them in the middle of a round."""
    clock = Clock(START)
    with House(open_store(place), Settings(snapshot_every=40), clock=clock) as house:
        added = house.manage(Person(SERVER, SERVER), people.AddPerson(MANAGER.name, "Max", (Grant(MANAGER.role),)))
        assert added.refused is None, added
        enrol(house, *TABLES.values())
        for name, book in TABLES.items():
            table = JournalTable(house, book, name)
            for player in ("ann", "ben"):
                table.buy_in(player)
            play(table, 3)
            clock.later(minutes=5)
            assert house.ask(name, table.crew[next(iter(table.crew))], c.TakeStep("no such step")).refused
        table = JournalTable(house, name="sic-bo")
        table.does("ben the player", c.Dispute(1, "that was a four"))
        table.does(table.most_senior, c.SettleDispute(1, "looked at the film"))
        table.does("dealer-1 the dealer", c.ProposeResettlement(3, (1, 2, 4), "it was a four"))
        table.does(table.most_senior, c.ApproveResettlement(3))
        table.open_betting()
        table.bet("ann", "small=20")
    with closing(open_auth_store(place)) as access:
        access.set_password("max", Passwords().hash_password(PASSWORD), START.isoformat(timespec="microseconds"))
    make_self_contained(Path(place))
    make_self_contained(Path(place + SUFFIX))


def make_self_contained(file: Path) -> None:
    """Leave no write-ahead log beside a file."""
    with closing(apsw.Connection(str(file))) as connection:
        connection.pragma("journal_mode", "delete")


def dump_of(place: str, server: str) -> bytes:
    """Move the house to PostgreSQL and return the dump of its schema, as text."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {ROLE} LOGIN")
        connection.execute(f"CREATE SCHEMA {SCHEMA} AUTHORIZATION {ROLE}")
    url = f"{server.replace('postgres:@', f'{ROLE}@')}&options=-csearch_path%3D{SCHEMA}"
    with closing(open_store(place, read_only=True)) as source, closing(open_store(url)) as target:
        move_journal(source, target, lambda _done, _total: None)
    with closing(open_auth_store(place)) as old, closing(open_auth_store(url)) as new:
        move_credentials(old.database, new.database)
    command: list[str | Path] = [
        PACKAGE / RELEASE / "bin" / "pg_dump",
        "--schema",
        SCHEMA,
        "--no-owner",
        "--rows-per-insert=100",
        server,
    ]
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    stored = [
        line for line in text.splitlines() if not line.startswith(("--", "\\"))
    ]  # versions, and psql's own commands
    return "\n".join(stored).encode()


if __name__ == "__main__":
    make(FOLDER / version("pitbook"))
    sys.stdout.write(f"wrote {FOLDER / version('pitbook')}\n")
