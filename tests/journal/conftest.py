"""Journals to test with: an SQLite file, and its own schema in a real PostgreSQL."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import pytest

from pitbook.journal import fault_injection
from pitbook.journal.port import Store
from pitbook.journal.runner import Runner, Settings
from tests.journal import bank
from tests.postgres import running_postgres

ROLE = "pitbook_test"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Return the URL of a PostgreSQL server for this run: an existing one, or one started here."""
    if url := os.environ.get("PITBOOK_TEST_POSTGRES_URL"):
        yield url
        return
    with running_postgres() as url:
        yield url


@pytest.fixture(scope="session")
def postgres_role(postgres_server: str) -> str:
    """Return the URL of a role without superuser rights, so that revoked privileges apply."""
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone():
            connection.execute(f"CREATE ROLE {ROLE} LOGIN PASSWORD '{ROLE}'")
        database = connection.info.dbname
        connection.execute(f'GRANT CREATE, CONNECT ON DATABASE "{database}" TO {ROLE}')
    parts = urlsplit(postgres_server)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{ROLE}:{ROLE}@{place}"))


@pytest.fixture
def postgres_url(postgres_role: str) -> Iterator[str]:
    """Create an empty schema for the test; return its URL."""
    schema = f"pitbook_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_role, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    mark = "&" if "?" in postgres_role else "?"
    yield f"{postgres_role}{mark}options={quote(f'-csearch_path={schema}')}"
    with psycopg.connect(postgres_role, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


ON_SQLITE = pytest.mark.parametrize("where", ["sqlite"], indirect=True)
ON_POSTGRES = pytest.mark.parametrize("where", ["postgres"], indirect=True)
"""For a test about one of the two kinds of journal only."""


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the location of a journal: a file, then a PostgreSQL URL."""
    if request.param == "sqlite":
        return str(tmp_path / "journal.db")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    opened = bank.open_store(where)
    yield opened
    opened.close()


@pytest.fixture
def run(store: Store) -> Iterator[Callable[..., Runner[bank.Table]]]:
    """Create runners and close them afterwards."""
    runners: list[Runner[bank.Table]] = []

    def make(settings: Settings | None = None, over: Store | None = None) -> Runner[bank.Table]:
        runners.append(Runner(over or store, bank.DOMAIN, settings))
        return runners[-1]

    yield make
    for runner in runners:
        runner.close()


@pytest.fixture
def runner(run: Callable[..., Runner[bank.Table]]) -> Runner[bank.Table]:
    return run()


@pytest.fixture(autouse=True)
def harmless() -> Iterator[None]:
    """Disarm all fault points."""
    yield
    fault_injection.disarm()
