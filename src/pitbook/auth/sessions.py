"""Sessions of signed-in people. The browser holds a secret; the store has only its hash."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pitbook.auth.policy import SessionPolicy, idle_until, touch_due
from pitbook.auth.port import fetch_one
from pitbook.auth.secrets import clean_label, derive, digest, new_id, new_secret
from pitbook.auth.timestamps import check_timestamp

if TYPE_CHECKING:
    from pitbook.auth.port import Database, Row

Authentication = Literal["password", "link", "demo", "guest"]

COLUMNS = (
    "id, person, created, seen, idle_seconds, idle_until, ends, address, agent, authenticated_by,"
    " factor_at, active, locked"
)
LIVE = "idle_until > ?"
"""A database constraint ensures that `idle_until` is never after `ends`."""


@dataclass(frozen=True, slots=True)
class Session:
    """One sign-in of a person."""

    id: str
    """Public; it identifies the session but cannot be used to sign in."""
    person: str
    created: str
    seen: str
    """The time of the last request, within a minute."""
    idle_seconds: float
    idle_until: str
    ends: str
    address: str
    agent: str
    authenticated_by: Authentication
    factor_at: str | None = None
    """When the person last confirmed with a second factor."""
    active: str | None = None
    """The time of the last input, within a few seconds; None in sessions from before it was recorded."""
    locked: str | None = None
    """When its person locked it."""
    csrf: str = field(default="", repr=False)
    """The token against request forgery, derived from the session's secret and not stored."""


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session with its secret, which is sent to the browser once."""

    secret: str = field(repr=False)
    session: Session


class Sessions:
    """All sessions that have not ended."""

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
        """Create a session, always with a new secret, to prevent session fixation."""
        policy = policy or SessionPolicy()
        secret, ends = new_secret(), policy.ends(now)
        idle = policy.idle_seconds
        until = idle_until(now, idle, ends)
        row = (
            new_id(),
            person,
            now,
            now,
            idle,
            until,
            ends,
            clean_label(address),
            clean_label(agent),
            authenticated_by,
            None,
            now,
            None,
        )
        places = ", ".join("?" * (len(row) + 1))
        self._database.fetch(f"INSERT INTO access_sessions (hash, {COLUMNS}) VALUES ({places})", (digest(secret), *row))
        return _new(secret, row)

    def find(self, secret: str, now: str) -> Session | None:
        """Return the session of a secret, or None if it ended; record its use at most once a minute."""
        query = f"SELECT {COLUMNS} FROM access_sessions WHERE hash = ? AND {LIVE}"
        row = fetch_one(self._database, query, (digest(secret), check_timestamp(now)))
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
        """Replace a session's secret; return None if the session has ended."""
        new = new_secret()
        query = f"UPDATE access_sessions SET hash = ? WHERE hash = ? AND {LIVE} RETURNING {COLUMNS}"
        row = fetch_one(self._database, query, (digest(new), digest(secret), check_timestamp(now)))
        return _new(new, row) if row else None

    def confirm(self, secret: str, now: str) -> NewSession | None:
        """Record a second factor, with a new secret, since the session gains rights; None if it has ended."""
        new = new_secret()
        query = (
            "UPDATE access_sessions SET hash = ?, factor_at = ?, active = ?, locked = NULL"
            f" WHERE hash = ? AND {LIVE} RETURNING {COLUMNS}"
        )
        row = fetch_one(self._database, query, (digest(new), check_timestamp(now), now, digest(secret), now))
        return _new(new, row) if row else None

    def record_input(self, session: str, now: str) -> None:
        """Record that a person used a session that is not locked."""
        query = "UPDATE access_sessions SET active = ? WHERE id = ? AND locked IS NULL AND COALESCE(active, '') < ?"
        self._database.fetch(query, (check_timestamp(now), session, now))

    def lock(self, session: str, now: str) -> None:
        """Lock a session until its person unlocks it."""
        query = "UPDATE access_sessions SET locked = ? WHERE id = ? AND locked IS NULL"
        self._database.fetch(query, (check_timestamp(now), session))

    def unlock(self, session: str, now: str) -> Session | None:
        """Unlock a session; None if it has ended."""
        query = f"UPDATE access_sessions SET locked = NULL, active = ? WHERE id = ? AND {LIVE} RETURNING {COLUMNS}"
        row = fetch_one(self._database, query, (check_timestamp(now), session, now))
        return Session(*row) if row else None

    def revoke(self, secret: str) -> bool:
        """Sign out; return False if the session had already ended."""
        return self._deleted("hash = ?", digest(secret)) > 0

    def revoke_by_id(self, person: str, session: str) -> bool:
        """End one of a person's sessions by its public id."""
        return self._deleted("person = ? AND id = ?", person, session) > 0

    def revoke_all(self, person: str, but: str | None = None) -> int:
        """End a person's sessions except that of a secret, and return their number."""
        return self._deleted("person = ? AND hash <> ?", person, digest(but) if but is not None else b"")

    def of_person(self, person: str, now: str) -> tuple[Session, ...]:
        """Return a person's sessions, most recently used first."""
        rows = self._database.fetch(
            f"SELECT {COLUMNS} FROM access_sessions WHERE person = ? AND {LIVE} ORDER BY seen DESC, id",
            (person, check_timestamp(now)),
        )
        return tuple(Session(*row) for row in rows)

    def purge(self, now: str) -> int:
        """Delete ended sessions and return their number."""
        return self._deleted("idle_until <= ?", check_timestamp(now))

    def _deleted(self, which: str, *values: object) -> int:
        return len(self._database.fetch(f"DELETE FROM access_sessions WHERE {which} RETURNING 1", values))


def _new(secret: str, row: Row) -> NewSession:
    return NewSession(secret, replace(Session(*row), csrf=derive(secret, "csrf")))
