"""A PostgreSQL for a house, the same as the journal's own tests use; no fault point stays armed."""

from __future__ import annotations

from tests.journal.conftest import harmless, postgres_role, postgres_server, postgres_url, store, where

__all__ = ["harmless", "postgres_role", "postgres_server", "postgres_url", "store", "where"]
