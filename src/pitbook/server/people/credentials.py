"""Sessions and tokens that were looked up, cached for a second."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING

from pitbook.auth.secrets import digest
from pitbook.auth.timestamps import format_timestamp
from pitbook.people.names import fold_name

if TYPE_CHECKING:
    from pitbook.auth.sessions import Session
    from pitbook.auth.store import AuthStore
    from pitbook.auth.tokens import Token

CACHE_TIME = timedelta(seconds=1)
"""How long a sign-out in another process may take to apply here; one in this process applies at once."""
MAX_CACHED = 20_000


@dataclass(frozen=True, slots=True)
class Credential:
    """A session or a token that was valid when it was looked up."""

    person: str
    key: str
    """The person's name folded, as accounts are indexed."""
    since: datetime
    until: datetime
    """When it must be looked up again."""
    session: Session | None = None
    scopes: frozenset[str] | None = None
    csrf: bytes = field(default=b"", repr=False)


class Credentials:
    """A cache of credentials; others are looked up in a thread."""

    def __init__(self, auth: AuthStore) -> None:
        self._auth = auth
        self._sessions: dict[bytes, Credential] = {}
        self._tokens: dict[bytes, Credential] = {}
        self._revoked = object()
        """Another object after every revocation."""
        self._lock = Lock()

    async def find_session(self, secret: str, now: datetime) -> Credential | None:
        """Return a browser's session by its secret."""
        if (known := self.cached_session(secret, now)) is not None:
            return known
        revoked = self._revoked
        found = await asyncio.to_thread(self._auth.sessions.find, secret, format_timestamp(now))
        if found is None:
            return None
        credential = _from_session(found, now)
        self._store(self._sessions, digest(secret), credential, revoked)
        return credential

    async def find_token(self, text: str, now: datetime) -> Credential | None:
        """Return a program's token by its text."""
        if (known := self.cached_token(text, now)) is not None:
            return known
        revoked = self._revoked
        found = await asyncio.to_thread(self._auth.tokens.find, text, format_timestamp(now))
        if found is None:
            return None
        credential = _from_token(found, now)
        self._store(self._tokens, digest(text), credential, revoked)
        return credential

    def cached_session(self, secret: str, now: datetime) -> Credential | None:
        """Return a browser's session, or None if it has to be looked up."""
        return _valid(self._sessions.get(digest(secret)), now)

    def cached_token(self, text: str, now: datetime) -> Credential | None:
        """Return a program's token, or None if it has to be looked up."""
        return _valid(self._tokens.get(digest(text)), now)

    def forget(self, person: str) -> None:
        """Drop everything of a person after a revocation. Thread-safe."""
        with self._lock:
            self._revoked = object()
            for cache in (self._sessions, self._tokens):
                for key in [key for key, known in cache.items() if known.person == person]:
                    del cache[key]

    def _store(self, cache: dict[bytes, Credential], key: bytes, found: Credential, revoked: object) -> None:
        with self._lock:
            if revoked is self._revoked:  # otherwise it may have been revoked during the lookup
                if len(cache) >= MAX_CACHED:
                    cache.clear()
                cache[key] = found


def _valid(known: Credential | None, now: datetime) -> Credential | None:
    return known if known is not None and known.since <= now < known.until else None


def _from_session(session: Session, now: datetime) -> Credential:
    brief = min(CACHE_TIME, timedelta(seconds=session.idle_seconds / 20))  # so that its use is recorded in time
    until = min(now + brief, datetime.fromisoformat(session.idle_until))
    return Credential(session.person, fold_name(session.person), now, until, session, None, session.csrf.encode())


def _from_token(token: Token, now: datetime) -> Credential:
    until = now + CACHE_TIME
    if token.expires is not None:
        until = min(until, datetime.fromisoformat(token.expires))
    return Credential(token.person, fold_name(token.person), now, until, None, frozenset(token.scopes))
