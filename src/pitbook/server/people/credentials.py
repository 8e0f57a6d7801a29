"""What a browser or a program shows to prove who it is: looked up once, then at hand for a second."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING

from pitbook.auth.secrets import digest
from pitbook.auth.timestamps import written
from pitbook.people.names import folded

if TYPE_CHECKING:
    from pitbook.auth.sessions import Session
    from pitbook.auth.store import AuthStore
    from pitbook.auth.tokens import Token

AT_HAND = timedelta(seconds=1)
"""So long another process's sign-out may take to hold here; one of this process holds at once."""
MOST = 20_000


@dataclass(frozen=True, slots=True)
class Credential:
    """A session or a token that was good when it was looked up."""

    person: str
    key: str
    """The person's name as accounts are found by it."""
    since: datetime
    until: datetime
    """It is looked up again after this."""
    session: Session | None = None
    scopes: frozenset[str] | None = None
    csrf: bytes = field(default=b"", repr=False)


class Credentials:
    """Those at hand; the others are looked up in a thread."""

    def __init__(self, auth: AuthStore) -> None:
        self._auth = auth
        self._sessions: dict[bytes, Credential] = {}
        self._tokens: dict[bytes, Credential] = {}
        self._revoked = 0
        self._lock = Lock()

    async def session(self, secret: str, now: datetime) -> Credential | None:
        """A browser's session by its secret."""
        key = digest(secret)
        known = self._sessions.get(key)
        if known is not None and known.since <= now < known.until:
            return known
        revoked = self._revoked
        found = await asyncio.to_thread(self._auth.sessions.find, secret, written(now))
        if found is None:
            return None
        made = _of_session(found, now)
        self._keep(self._sessions, key, made, revoked)
        return made

    async def token(self, text: str, now: datetime) -> Credential | None:
        """A program's token by its text."""
        key = digest(text)
        known = self._tokens.get(key)
        if known is not None and known.since <= now < known.until:
            return known
        revoked = self._revoked
        found = await asyncio.to_thread(self._auth.tokens.find, text, written(now))
        if found is None:
            return None
        made = _of_token(found, now)
        self._keep(self._tokens, key, made, revoked)
        return made

    def forget(self, person: str) -> None:
        """Something of this person's was revoked: everything of theirs is looked up anew. From any thread."""
        with self._lock:
            self._revoked += 1
            for kept in (self._sessions, self._tokens):
                for key in [key for key, known in kept.items() if known.person == person]:
                    del kept[key]

    def _keep(self, kept: dict[bytes, Credential], key: bytes, found: Credential, revoked: int) -> None:
        with self._lock:
            if revoked == self._revoked:  # otherwise it may be what was revoked while it was looked up
                if len(kept) >= MOST:
                    kept.clear()
                kept[key] = found


def _of_session(session: Session, now: datetime) -> Credential:
    brief = min(AT_HAND, timedelta(seconds=session.idle_seconds / 20))  # or its use would not be noted in time
    until = min(now + brief, datetime.fromisoformat(session.idle_until))
    return Credential(session.person, folded(session.person), now, until, session, None, session.csrf.encode())


def _of_token(token: Token, now: datetime) -> Credential:
    until = now + AT_HAND
    if token.expires is not None:
        until = min(until, datetime.fromisoformat(token.expires))
    return Credential(token.person, folded(token.person), now, until, None, frozenset(token.scopes))
