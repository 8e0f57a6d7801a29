"""Houses with real processes, shared by the tests of a module."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from tests.journal.conftest import postgres_role, postgres_server, postgres_url
from tests.server.whole.deployment import Deployment

__all__ = ["postgres_role", "postgres_server", "postgres_url"]


@pytest.fixture(scope="module")
def make_deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Deployment]]:
    """Return a factory of empty houses; stop their processes afterwards."""
    made: list[Deployment] = []

    def make(place: str | None = None) -> Deployment:
        folder: Path = tmp_path_factory.mktemp("deployment")
        made.append(Deployment(folder, place))
        return made[-1]

    yield make
    for deployment in made:
        deployment.close()


@pytest.fixture(scope="module")
def demo_house(make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """Start a demo house for a module; its record must pass the audit in the end."""
    deployment = make_deployment()
    deployment.start()
    yield deployment
    deployment.audited()


@pytest.fixture(scope="module")
def module_postgres_url(postgres_role: str) -> Iterator[str]:
    """Create an empty schema for a module; connections carry its name."""
    schema = f"pitbook_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_role, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
    mark = "&" if "?" in postgres_role else "?"
    yield f"{postgres_role}{mark}options={quote(f'-csearch_path={schema}')}&application_name={schema}"
    with psycopg.connect(postgres_role, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA {schema} CASCADE")
