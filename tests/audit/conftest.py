"""A PostgreSQL for one journal, the same as the journal's own tests use."""

from __future__ import annotations

from tests.journal.conftest import postgres_role, postgres_server, postgres_url

__all__ = ["postgres_role", "postgres_server", "postgres_url"]
