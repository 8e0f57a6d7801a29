"""What is kept beside a journal, on both databases; the PostgreSQL is the same as the journal's own tests use."""

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
    """Where the journal is: what follows holds for both kinds."""
    if request.param == "sqlite":
        return str(tmp_path / "journal.db")
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def access(where: str) -> Iterator[AuthStore]:
    with open_auth_store(where) as opened:
        yield opened


@pytest.fixture
def other(where: str, access: AuthStore) -> Iterator[AuthStore]:
    """The same as another process sees it."""
    with open_auth_store(where) as opened:
        yield opened
