"""One-time links: to sign in, to become the first manager, to set a password."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pitbook.auth.port import fetch_one
from pitbook.auth.secrets import digest, new_secret
from pitbook.auth.timestamps import check_timestamp

if TYPE_CHECKING:
    from pitbook.auth.port import Database

Purpose = Literal["sign-in", "first-manager", "set-password"]

COLUMNS = "purpose, person, expires"
VALID_LINK = "hash = ? AND expires > ? AND purpose = COALESCE(?, purpose)"


@dataclass(frozen=True, slots=True)
class Link:
    """The purpose of a link and the person it is for."""

    purpose: Purpose
    person: str
    expires: str


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link with the secret in its URL."""

    secret: str = field(repr=False)
    link: Link


class Links:
    """The links that have not been used yet."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, purpose: Purpose, person: str, expires: str) -> NewLink:
        """Create a link for a person."""
        secret = new_secret()
        self._database.fetch(
            f"INSERT INTO access_links (hash, {COLUMNS}) VALUES (?, ?, ?, ?)",
            (digest(secret), purpose, person, check_timestamp(expires)),
        )
        return NewLink(secret, Link(purpose, person, expires))

    def find(self, secret: str, now: str, purpose: Purpose | None = None) -> Link | None:
        """Return a link without using it, so that its page can be shown."""
        query = f"SELECT {COLUMNS} FROM access_links WHERE {VALID_LINK}"
        row = fetch_one(self._database, query, (digest(secret), check_timestamp(now), purpose))
        return Link(*row) if row else None

    def redeem(self, secret: str, now: str, purpose: Purpose | None = None) -> Link | None:
        """Use a link; only one of several callers gets it. A link for another purpose is left alone."""
        query = f"DELETE FROM access_links WHERE {VALID_LINK} RETURNING {COLUMNS}"
        row = fetch_one(self._database, query, (digest(secret), check_timestamp(now), purpose))
        return Link(*row) if row else None

    def revoke_all(self, person: str) -> int:
        """Delete all links of a person and return their number."""
        return len(self._database.fetch("DELETE FROM access_links WHERE person = ? RETURNING 1", (person,)))

    def purge(self, now: str) -> int:
        """Delete expired links and return their number."""
        return len(
            self._database.fetch("DELETE FROM access_links WHERE expires <= ? RETURNING 1", (check_timestamp(now),))
        )
