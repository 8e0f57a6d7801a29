"""One-time links: to sign in, to become the first manager, to set a password."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pitbook.auth.port import only_row
from pitbook.auth.secrets import digest, new_secret
from pitbook.auth.timestamps import checked

if TYPE_CHECKING:
    from pitbook.auth.port import Database

Purpose = Literal["sign-in", "first-manager", "set-password"]

COLUMNS = "purpose, person, expires"
WHICH = "hash = ? AND expires > ? AND purpose = COALESCE(?, purpose)"


@dataclass(frozen=True, slots=True)
class Link:
    """What a link is good for, and whom it lets in."""

    purpose: Purpose
    person: str
    expires: str


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link with the secret that its address carries."""

    secret: str = field(repr=False)
    link: Link


class Links:
    """The links that nobody has taken yet."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, purpose: Purpose, person: str, expires: str) -> NewLink:
        """A new link for a person."""
        secret = new_secret()
        self._database.fetch(
            f"INSERT INTO access_links (hash, {COLUMNS}) VALUES (?, ?, ?, ?)",
            (digest(secret), purpose, person, checked(expires)),
        )
        return NewLink(secret, Link(purpose, person, expires))

    def look(self, secret: str, now: str, purpose: Purpose | None = None) -> Link | None:
        """Return what a link is good for without taking it: showing its page must not use it up."""
        query = f"SELECT {COLUMNS} FROM access_links WHERE {WHICH}"
        row = only_row(self._database, query, (digest(secret), checked(now), purpose))
        return Link(*row) if row else None

    def take(self, secret: str, now: str, purpose: Purpose | None = None) -> Link | None:
        """Use a link up. Of several callers exactly one gets it; a link for another purpose is left alone."""
        query = f"DELETE FROM access_links WHERE {WHICH} RETURNING {COLUMNS}"
        row = only_row(self._database, query, (digest(secret), checked(now), purpose))
        return Link(*row) if row else None

    def revoke_all(self, person: str) -> int:
        """Drop all links of a person; how many."""
        return len(self._database.fetch("DELETE FROM access_links WHERE person = ? RETURNING 1", (person,)))

    def purge(self, now: str) -> int:
        """Drop those that have expired; how many."""
        return len(self._database.fetch("DELETE FROM access_links WHERE expires <= ? RETURNING 1", (checked(now),)))
