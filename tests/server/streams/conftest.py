"""A PostgreSQL for streams, the same as the journal's own tests use."""

from __future__ import annotations

from tests.journal.conftest import harmless, postgres_role, postgres_server, postgres_url

__all__ = ["harmless", "postgres_role", "postgres_server", "postgres_url"]
