"""Authenticate requests, sign people in and out, and make every change of rights effective at once."""

from __future__ import annotations

import asyncio
import hmac
import logging
from typing import TYPE_CHECKING, Any

from pitbook.auth.policy import SessionPolicy
from pitbook.auth.timestamps import written
from pitbook.people import commands as c
from pitbook.server.http import request_context
from pitbook.server.http.problems import Problem
from pitbook.server.people.credentials import Credentials
from pitbook.server.people.event_recorder import EventRecorder
from pitbook.server.people.hashing import Hashing
from pitbook.server.people.identity import NOBODY, Caller
from pitbook.server.people.origins import SAFE_METHODS, cookie_of, read_headers
from pitbook.server.streams.projections import PUBLIC, Viewer

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pitbook.auth.passwords import Passwords
    from pitbook.auth.store import AuthStore
    from pitbook.house.house import House
    from pitbook.server.http.rate_limits import Rates
    from pitbook.server.people.credentials import Credential
    from pitbook.server.people.directory import Directory
    from pitbook.server.people.origins import Asking
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

BEARER = b"bearer "
PURGE_SECONDS = 3_600


class Authenticator:
    """Who asks, for every request; what lets people in, and how it is taken back."""

    def __init__(
        self,
        settings: Settings,
        house: House,
        auth: AuthStore,
        directory: Directory,
        rates: Rates,
        *,
        clock: Callable[[], datetime],
        passwords: Passwords | None = None,
    ) -> None:
        self.settings = settings
        self.auth = auth
        self.directory = directory
        self.rates = rates
        self.records = EventRecorder(house)
        self.hashing = Hashing(passwords)
        self.cookie = "__Host-pitbook" if settings.secure else "pitbook"
        self.policy = SessionPolicy(
            idle_minutes=settings.session_idle / 60, absolute_hours=settings.session_absolute / 3_600
        )
        self.on_end: list[Callable[[str], None]] = []
        """Called with the name of everybody who was signed out somewhere: their streams end, and may come back."""
        self._clock = clock
        self._credentials = Credentials(auth)
        self._cookie = self.cookie.encode()
        self._purging: asyncio.Task[None] | None = None

    def now(self) -> str:
        """The time, as it is kept."""
        return written(self._clock())

    # -- who asks

    async def caller(self, scope: Any) -> Caller:
        """Who asks. Unsafe requests with a cookie must come from our own pages, and prove it."""
        asking = read_headers(scope["headers"])
        now = self._clock()
        by_token = asking.authorization[: len(BEARER)].lower() == BEARER
        if by_token:
            text = asking.authorization[len(BEARER) :].strip().decode("latin-1")
            credential = await self._credentials.token(text, now)
        elif (secret := self.secret(asking)) is not None:
            credential = await self._credentials.session(secret, now)
        else:
            return NOBODY
        account = None if credential is None else self.directory.state.accounts.get(credential.key)
        if credential is not None and account is None:
            account = await self.directory.sought(credential.person)
        if credential is None or account is None or not account.active:
            if by_token:
                raise Problem("not-signed-in", "this token is not good, or not any more")
            return NOBODY
        request_context.current().person = account.name
        session = credential.session.id if credential.session is not None else None
        caller = Caller(account, credential.scopes, session, credential, self.records.denied)
        if session is not None and scope["method"] not in SAFE_METHODS:
            self._check_page(caller, credential, asking, scope["scheme"])
        return caller

    async def viewer_of(self, scope: Any) -> Viewer:
        """Who watches the table that a request's path names."""
        caller = await self.caller(scope)
        if caller.account is None:
            return PUBLIC
        return Viewer(caller.account.name, caller.sees_all(scope["path_params"]["table"]))

    def check_origin(self, asking: Asking, scheme: str) -> None:
        """A problem where a page of somebody else has the browser ask."""
        if not asking.from_own_page(scheme, self.settings.public_origins):
            raise Problem("forbidden", "pages of another origin may not do this; public_origins names those that may")

    def _check_page(self, caller: Caller, credential: Credential, asking: Asking, scheme: str) -> None:
        if not asking.from_own_page(scheme, self.settings.public_origins):
            raise caller.denied("pages of another origin may not do this; public_origins names those that may")
        if not hmac.compare_digest(asking.csrf, credential.csrf):
            raise caller.denied("the header X-CSRF-Token is missing or wrong; GET /api/v1/me tells it")

    # -- what the browser holds

    def secret(self, asking: Asking) -> str | None:
        """The secret of the browser's session."""
        return (cookie_of(asking.cookie, self._cookie) or None) if asking.cookie else None

    # -- taking back

    def ended(self, person: str) -> None:
        """Something that lets this person in was taken back: it holds at once, and streams are opened anew."""
        self._credentials.forget(person)
        for tell in self.on_end:
            tell(person)

    async def shut_out(self, person: str, words: str) -> None:
        """Ends all of a person's sessions, tokens and links."""

        def revoke() -> int:
            tokens = self.auth.tokens.revoke_all(person, self.now())
            return tokens + self.auth.links.revoke_all(person) + self.auth.sessions.revoke_all(person)

        if await asyncio.to_thread(revoke):
            self.records.note(c.RecordSessionEnd(person, words))
        self.ended(person)

    # -- its course

    def start(self) -> None:
        """Follows the people of the house from now on, and clears away what has ended; in the loop that serves."""
        self.directory.start()
        self._purging = asyncio.get_running_loop().create_task(self._purge())

    async def close(self) -> None:
        """The day is over."""
        await self.directory.close()
        if self._purging is not None:
            self._purging.cancel()
            await asyncio.wait((self._purging,))
        self.hashing.close()

    async def _purge(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self.auth.purge, self.now())
            except Exception as error:
                log.warning("ended sessions cannot be cleared away: %s", error)
            await asyncio.sleep(PURGE_SECONDS)
