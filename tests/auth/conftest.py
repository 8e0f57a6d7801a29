"""The auth store on both databases; PostgreSQL is shared with the journal's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pitbook.auth.store import AuthStore
from pitbook.auth.stores import open_auth_store
from tests.journal.conftest import postgres_role, postgres_server, postgres_url

__all__ = ["postgres_role", "postgres_server", "postgres_url"]


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the location of the journal: a file, then a PostgreSQL URL."""
    if request.param == "sqlite":
        return str(tmp_path / "journal.db")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def access(where: str) -> Iterator[AuthStore]:
    with open_auth_store(where) as opened:
        yield opened


@pytest.fixture
def other(where: str, access: AuthStore) -> Iterator[AuthStore]:
    """Return a second connection to the same store, as another process would have."""
    with open_auth_store(where) as opened:
        yield opened
