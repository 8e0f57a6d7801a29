"""Houses of every release and of every older schema: migrated forward, audited, served and continued."""

from __future__ import annotations

import gzip
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import apsw
import psycopg
import pytest

from pitbook import books
from pitbook.audit import audit
from pitbook.auth.stores import SUFFIX
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal import migrations
from pitbook.journal.copying import order_without_overdraft
from pitbook.journal.entries import COLUMNS, posting_rows, to_row, transfer_rows
from pitbook.journal.port import Head
from pitbook.journal.sqlite import APPLICATION
from pitbook.storage.migrations import scripts
from pitbook.storage.places import is_postgres
from pitbook.testing import START, Clock, JournalTable
from tests.journal.conftest import ROLE, postgres_role, postgres_server, postgres_url
from tests.releases.make_fixture import ACCESS, DUMP, FOLDER, JOURNAL, PASSWORD, SCHEMA, TABLES
from tests.releases.make_fixture import ROLE as DUMPED_ROLE
from tests.server.whole.clients import Visitor
from tests.server.whole.conftest import make_deployment
from tests.server.whole.deployment import Deployment

__all__ = ["make_deployment", "postgres_role", "postgres_server", "postgres_url"]

RELEASES = sorted(folder.name for folder in FOLDER.iterdir() if (folder / JOURNAL).exists())
PACKAGED = [Path(books.__path__[0]) / f"{book}.toml" for book in TABLES.values()]
SNAPSHOTS_SINCE, BOOKS_SINCE, TAGS_SINCE = 2, 4, 5
NEWEST = max(scripts(migrations.__name__, "sqlite"))
CHANGELOG = FOLDER.parents[1] / "CHANGELOG.md"


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def unpack(release: str, folder: Path) -> str:
    """Unpack the SQLite files of a release and return the journal's path."""
    place = folder / "journal.db"
    place.write_bytes(gzip.decompress((FOLDER / release / JOURNAL).read_bytes()))
    place.with_name(place.name + SUFFIX).write_bytes(gzip.decompress((FOLDER / release / ACCESS).read_bytes()))
    return str(place)


@pytest.fixture
def unpack_dump(postgres_role: str, postgres_server: str) -> Iterator[Callable[[str], str]]:
    """Load the PostgreSQL dump of a release into its own database and return its URL."""
    assert DUMPED_ROLE == ROLE
    name = f"release_{secrets.token_hex(6)}"

    def load(release: str) -> str:
        with psycopg.connect(postgres_server, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} OWNER {ROLE}")
        database = urlunsplit(urlsplit(postgres_role)._replace(path=f"/{name}"))
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(gzip.decompress((FOLDER / release / DUMP).read_bytes()))
        return f"{database}{'&' if '?' in database else '?'}options={quote(f'-csearch_path={SCHEMA}')}"

    yield load
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def heads_of(place: str) -> dict[str, Head]:
    with closing(open_store(place)) as store:
        return store.heads()


def continue_play(place: str, before: dict[str, Head]) -> None:
    """Finish the round that the fixture left open, play another, and check that nothing before it has changed."""
    clock = Clock(START)
    clock.later(days=1)
    with House(open_store(place), clock=clock) as house:
        assert not house.disabled
        sic_bo, craps = JournalTable(house, name="sic-bo"), JournalTable(house, name="craps")
        assert [bet.wager for bet in sic_bo.table.bets.values()] == ["small"]
        held = sic_bo.holds("ann")
        sic_bo.play_round(1, 2, 3)
        assert sic_bo.holds("ann") == held + 40_00  # the stake and its odds of one to one
        craps.play_round(6, 5)
        for table, head in before.items():
            (stored,) = house.store.entries(table, head.sequence - 1, 1)
            assert stored.hash == head.hash, table


def check_audit(place: str) -> None:
    report = audit(place)
    assert report.good, str(report)


def test_every_release_has_a_fixture() -> None:
    released = re.findall(r"^## \[?(\d[^\]\s]*)", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    assert {*released, version("pitbook")} <= set(RELEASES), "write it with python -m tests.releases.make_fixture"


@pytest.mark.parametrize("release", RELEASES)
def test_a_house_of_a_release_is_upgraded_audited_served_and_continued(
    release: str,
    kind: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    make_deployment: Callable[..., Deployment],
) -> None:
    place = unpack(release, tmp_path) if kind == "sqlite" else request.getfixturevalue("unpack_dump")(release)
    check_audit(place)  # as it was released, before anything is migrated
    before = heads_of(place)
    assert set(before) == {"house", *TABLES}
    check_audit(place)
    continue_play(place, before)
    deployment = make_deployment(place)
    process = deployment.start(demo=False)
    with Visitor(process.open_at).sign_in("max", PASSWORD) as manager:
        manager.set_up_factor()
        assert {table["id"] for table in manager.get("/tables").json()} == set(TABLES)
        assert "ann" in manager.get("/tables/sic-bo").text
        assert manager.get("/tables/sic-bo/rounds/4").status_code == 200
    assert process.stop() == 0
    deployment.audited()


def write_older(place: str, fixture: str, number: int) -> None:
    """Write the record of a fixture to an empty database as an older schema stored it."""
    columns = COLUMNS if number >= TAGS_SINCE else COLUMNS.replace("attachment", "book").replace("tag", "throw")
    table = "attachments" if number >= TAGS_SINCE else "books"
    with closing(open_store(fixture)) as store, closing(Older(place, number)) as old:
        for entry in order_without_overdraft({name: store.entries(name) for name in store.names()}):
            for row in posting_rows(entry):
                old.insert("postings", "table_name, sequence, transfer, leg, account, amount", row)
            for transfer in transfer_rows(entry):
                old.insert("transfers", "table_name, sequence, transfer, why", transfer)
            old.insert("entries", columns, to_row(entry))
        for digest in store.attachments() if number >= BOOKS_SINCE else ():
            old.insert(table, "digest, content", (digest, store.attachment(digest)))
        for taken in map(store.snapshot, store.names()) if number >= SNAPSHOTS_SINCE else ():
            if taken is not None:
                fields = (taken.table, taken.sequence, taken.head, taken.content, taken.hash)
                old.insert("snapshots", "table_name, sequence, head, content, hash", fields)


class Older:
    """A database with the schema of an older version, written by plain statements in one transaction."""

    def __init__(self, place: str, number: int) -> None:
        self._connection: Any = psycopg.connect(place) if is_postgres(place) else apsw.Connection(place)
        self._mark = "%s" if is_postgres(place) else "?"
        if not is_postgres(place):
            self._connection.execute("BEGIN")
        for step, script in scripts(migrations.__name__, "postgres" if is_postgres(place) else "sqlite").items():
            if step <= number:
                self._connection.execute(script)
        if is_postgres(place):
            self._connection.execute("CREATE TABLE schema_version (version integer NOT NULL)")
            self._connection.execute(f"INSERT INTO schema_version VALUES ({number})")
        else:
            self._connection.execute(f"PRAGMA user_version = {number}; PRAGMA application_id = {APPLICATION}")

    def insert(self, table: str, columns: str, row: tuple[object, ...]) -> None:
        marks = ", ".join([self._mark] * len(row))
        self._connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", row)

    def close(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.close()


@pytest.mark.parametrize("number", range(1, NEWEST))
def test_a_house_of_every_older_schema_is_upgraded_and_continued(
    number: int, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    fixture = unpack(RELEASES[0], tmp_path)
    place = str(tmp_path / "older.db") if kind == "sqlite" else str(request.getfixturevalue("postgres_url"))
    write_older(place, fixture, number)
    if number >= SNAPSHOTS_SINCE:  # the oldest that the auditor reads
        report = audit(place, books=() if number >= BOOKS_SINCE else PACKAGED)
        assert report.good, str(report)
    before = heads_of(place)
    with closing(open_store(place)) as upgraded, closing(open_store(fixture)) as written:
        assert before == written.heads()
        for table in before:
            assert list(upgraded.entries(table)) == list(written.entries(table))
    continue_play(place, before)
    assert audit(place, books=PACKAGED).good
