"""Signed-in sessions. The browser holds a secret; the store has only its hash."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pitbook.auth.policy import SessionPolicy, idle_until, touch_due
from pitbook.auth.port import only_row
from pitbook.auth.secrets import derived, digest, label, new_id, new_secret
from pitbook.auth.timestamps import checked

if TYPE_CHECKING:
    from pitbook.auth.port import Database, Row

Authentication = Literal["password", "link", "demo"]

COLUMNS = "id, person, created, seen, idle_seconds, idle_until, ends, address, agent, authenticated_by"
LIVE = "idle_until > ?"
"""The database itself sees to it that `idle_until` is never after `ends`."""


@dataclass(frozen=True, slots=True)
class Session:
    """One sign-in of a person."""

    id: str
    """Short and public: to name the session by, not to sign in with."""
    person: str
    created: str
    seen: str
    """When something was last asked, give or take a minute."""
    idle_seconds: float
    idle_until: str
    ends: str
    address: str
    agent: str
    authenticated_by: Authentication
    csrf: str = field(default="", repr=False)
    """What a page sends back to prove that it is ours: it follows from the session's secret and is kept nowhere."""


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session with the secret that goes to the browser, once."""

    secret: str = field(repr=False)
    session: Session


class Sessions:
    """All sign-ins that have not ended."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self,
        person: str,
        now: str,
        *,
        authenticated_by: Authentication,
        address: str = "",
        agent: str = "",
        policy: SessionPolicy | None = None,
    ) -> NewSession:
        """Sign a person in. The secret is always a new one, so that nobody can have planted it before."""
        policy = policy or SessionPolicy()
        secret, ends = new_secret(), policy.ends(now)
        idle = policy.idle_seconds
        until = idle_until(now, idle, ends)
        row = (new_id(), person, now, now, idle, until, ends, label(address), label(agent), authenticated_by)
        self._database.fetch(
            f"INSERT INTO access_sessions (hash, {COLUMNS}) VALUES ({', '.join('?' * 11)})", (digest(secret), *row)
        )
        return _new(secret, row)

    def find(self, secret: str, now: str) -> Session | None:
        """Return the session of a secret, or None if it ended; note at most once a minute that it was seen."""
        query = f"SELECT {COLUMNS} FROM access_sessions WHERE hash = ? AND {LIVE}"
        row = only_row(self._database, query, (digest(secret), checked(now)))
        if row is None:
            return None
        session = _new(secret, row).session
        if touch_due(session.seen, now, session.idle_seconds):
            until = idle_until(now, session.idle_seconds, session.ends)
            session = replace(session, seen=now, idle_until=until)
            self._database.fetch(
                "UPDATE access_sessions SET seen = ?, idle_until = ? WHERE hash = ? AND seen < ?",
                (now, until, digest(secret), now),
            )
        return session

    def rotate(self, secret: str, now: str) -> NewSession | None:
        """Give the session a new secret, which replaces the old one; None if the session has ended."""
        new = new_secret()
        query = f"UPDATE access_sessions SET hash = ? WHERE hash = ? AND {LIVE} RETURNING {COLUMNS}"
        row = only_row(self._database, query, (digest(new), digest(secret), checked(now)))
        return _new(new, row) if row else None

    def revoke(self, secret: str) -> bool:
        """Sign out. False where it had ended already."""
        return self._deleted("hash = ?", digest(secret)) > 0

    def revoke_by_id(self, person: str, session: str) -> bool:
        """End one of a person's sessions by its public id."""
        return self._deleted("person = ? AND id = ?", person, session) > 0

    def revoke_all(self, person: str, but: str | None = None) -> int:
        """End all of a person's sessions, but the one of this secret; how many."""
        return self._deleted("person = ? AND hash <> ?", person, digest(but) if but is not None else b"")

    def of(self, person: str, now: str) -> tuple[Session, ...]:
        """A person's sessions, the last seen first."""
        rows = self._database.fetch(
            f"SELECT {COLUMNS} FROM access_sessions WHERE person = ? AND {LIVE} ORDER BY seen DESC, id",
            (person, checked(now)),
        )
        return tuple(Session(*row) for row in rows)

    def purge(self, now: str) -> int:
        """Drop what has ended; how many."""
        return self._deleted("idle_until <= ?", checked(now))

    def _deleted(self, which: str, *values: object) -> int:
        return len(self._database.fetch(f"DELETE FROM access_sessions WHERE {which} RETURNING 1", values))


def _new(secret: str, row: Row) -> NewSession:
    return NewSession(secret, replace(Session(*row), csrf=derived(secret, "csrf")))
