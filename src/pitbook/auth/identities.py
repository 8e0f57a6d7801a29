"""The person behind a pseudonym of the journal: the name to sign in with, and the display name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pitbook.auth.port import fetch_one

if TYPE_CHECKING:
    from pitbook.auth.port import Database


class Identity(NamedTuple):
    """A person's names."""

    person: str
    """The pseudonym: the account's name in the journal."""
    key: str
    """The name to sign in with, folded for comparison."""
    sign_in: str
    shown: str


class Identities:
    """The names that are stored beside the journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, identity: Identity) -> bool:
        """Store a person's names; return False if another person signs in with the same name."""
        query = "INSERT INTO access_identities (person, key, sign_in, shown) VALUES (?, ?, ?, ?)"
        return bool(self._database.fetch(f"{query} ON CONFLICT DO NOTHING RETURNING 1", identity))

    def find(self, key: str) -> Identity | None:
        """Return whose name to sign in with this is."""
        row = fetch_one(
            self._database, "SELECT person, key, sign_in, shown FROM access_identities WHERE key = ?", (key,)
        )
        return Identity(*row) if row else None

    def all(self) -> list[Identity]:
        """Return everyone's names."""
        return [
            Identity(*row) for row in self._database.fetch("SELECT person, key, sign_in, shown FROM access_identities")
        ]

    def erase(self, person: str) -> bool:
        """Delete a person's names; return whether there were any."""
        return bool(self._database.fetch("DELETE FROM access_identities WHERE person = ? RETURNING 1", (person,)))
