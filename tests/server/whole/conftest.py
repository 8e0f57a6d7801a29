"""Houses with real processes, shared by the tests of a module."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from tests.journal.conftest import postgres_role, postgres_server, postgres_url
from tests.server.whole.premises import Premises

__all__ = ["postgres_role", "postgres_server", "postgres_url"]


@pytest.fixture(scope="module")
def make_premises(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Premises]]:
    """Makes houses, nobody in them yet, and ends their processes."""
    made: list[Premises] = []

    def make(place: str | None = None) -> Premises:
        folder: Path = tmp_path_factory.mktemp("premises")
        made.append(Premises(folder, place))
        return made[-1]

    yield make
    for premises in made:
        premises.close()


@pytest.fixture(scope="module")
def demo_house(make_premises: Callable[..., Premises]) -> Iterator[Premises]:
    """A demo house that is open, for a whole module; its record must be right in the end."""
    premises = make_premises()
    premises.start()
    yield premises
    premises.audited()


@pytest.fixture(scope="module")
def module_postgres_url(postgres_role: str) -> Iterator[str]:
    """An empty schema of one's own, for a whole module; its connections bear its name."""
    schema = f"pitbook_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_role, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    mark = "&" if "?" in postgres_role else "?"
    yield f"{postgres_role}{mark}options={quote(f'-csearch_path={schema}')}&application_name={schema}"
    with psycopg.connect(postgres_role, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {schema} CASCADE")
