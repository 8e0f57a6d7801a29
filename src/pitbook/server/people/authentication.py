"""Authenticate requests, sign people in and out, and make every change of rights effective at once."""

from __future__ import annotations

import asyncio
import hmac
import logging
from typing import TYPE_CHECKING, Any

from pitbook.auth.policy import SessionPolicy, input_due
from pitbook.auth.timestamps import format_timestamp
from pitbook.people import commands as c
from pitbook.server.http import request_context
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.people.credentials import Credentials
from pitbook.server.people.event_recorder import EventRecorder
from pitbook.server.people.hashing import Hashing
from pitbook.server.people.identity import ANONYMOUS, Caller
from pitbook.server.people.origins import SAFE_METHODS, find_cookie, parse_headers
from pitbook.server.people.pseudonyms import Pseudonyms
from pitbook.server.people.session_state import factor_step, is_session_locked, lock_minutes
from pitbook.server.streams.projections import PUBLIC, Viewer

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pitbook.auth.passwords import Passwords
    from pitbook.auth.store import AuthStore
    from pitbook.house.house import House
    from pitbook.people.state import Account
    from pitbook.server.http.rate_limits import Rates
    from pitbook.server.people.credentials import Credential
    from pitbook.server.people.directory import Directory
    from pitbook.server.people.origins import RequestHeaders
    from pitbook.server.settings import Settings

log = logging.getLogger(__name__)

BEARER = b"bearer "
WHILE_LOCKED = "while_locked"
"""Marks handlers (`opt`) that a locked session may call, and whose requests are no input by a person."""
PURGE_SECONDS = 3_600


class Authenticator:
    """Authentication of requests, and revocation of sessions, tokens and links."""

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
        self.pseudonyms = directory.pseudonyms = Pseudonyms(house, auth, on=settings.pseudonyms)
        self.rates = rates
        self.records = EventRecorder(house)
        self.hashing = Hashing(passwords)
        self.cookie = "__Host-pitbook" if settings.secure else "pitbook"
        self.policy = SessionPolicy(
            idle_minutes=settings.session_idle / 60, absolute_hours=settings.session_absolute / 3_600
        )
        self.on_sign_out: list[Callable[[str], None]] = []
        """Called with the name of everyone who was signed out somewhere: their streams end, and may be resumed."""
        self._clock = clock
        self._credentials = Credentials(auth)
        self._cookie = self.cookie.encode()
        self._purging: asyncio.Task[None] | None = None

    def now(self) -> str:
        """Return the time as a stored timestamp."""
        return format_timestamp(self._clock())

    # -- callers

    async def caller(self, scope: Any) -> Caller:
        """Return the caller. An unsafe request with a cookie must come from our own pages and carry the CSRF token."""
        headers = parse_headers(scope["headers"])
        if (token := _bearer_token(headers)) is not None:
            credential = await self._credentials.find_token(token, self._clock())
        elif (secret := self.session_secret(headers)) is not None:
            credential = await self._credentials.find_session(secret, self._clock())
        else:
            return ANONYMOUS
        account = None if credential is None else self.directory.state.accounts.get(credential.key)
        if credential is not None and account is None:
            account = await self.directory.fetch(credential.person)
        if credential is None or account is None or not account.active:
            if token is not None:
                raise Problem("not-signed-in", detail("bad-token"))
            return ANONYMOUS
        caller = self._caller(scope, headers, credential, account)
        await self._check_lock(caller, scope)
        return caller

    def cached_caller(self, scope: Any) -> Caller | None:
        """Like `caller`, but return None if something has to be looked up, or nobody is signed in."""
        headers = parse_headers(scope["headers"])
        if (token := _bearer_token(headers)) is not None:
            credential = self._credentials.cached_token(token, self._clock())
        else:
            secret = self.session_secret(headers)
            credential = self._credentials.cached_session(secret, self._clock()) if secret is not None else None
        account = None if credential is None else self.directory.state.accounts.get(credential.key)
        if credential is None or account is None or not account.active:
            return None
        if credential.session is not None and lock_minutes(self.directory.state.policy, account):
            return None  # whether it is locked takes a longer look
        return self._caller(scope, headers, credential, account)

    def _caller(self, scope: Any, headers: RequestHeaders, credential: Credential, account: Account) -> Caller:
        context = request_context.current()
        context.person = account.name
        context.accepts = context.accepts or account.language or ""
        session = credential.session
        if session is None:
            return Caller(account, credential.scopes, None, None, credential, self.records.record_denial)
        confirmed = factor_step(self.directory.state.policy, account, session) is None
        who = (account, None) if confirmed else (None, account)
        caller = Caller(who[0], None, session.id, who[1], credential, self.records.record_denial)
        if scope["method"] not in SAFE_METHODS:
            self._check_page(caller, credential, headers, scope["scheme"])
        return caller

    async def _check_lock(self, caller: Caller, scope: Any) -> None:
        """Refuse what a locked session asks for; take any other request for a change as input by its person."""
        session = None if caller.credential is None else caller.credential.session
        account, policy = caller.account, self.directory.state.policy
        if session is None or account is None or scope["method"] in SAFE_METHODS:
            return
        minutes = lock_minutes(policy, account)
        if not minutes or scope["route_handler"].opt.get(WHILE_LOCKED):
            return
        now = self.now()
        if is_session_locked(policy, account, session, now):
            raise Problem("session-locked")
        if input_due(session.active or session.created, now, minutes):
            await asyncio.to_thread(self.auth.sessions.record_input, session.id, now)
            self._credentials.forget(account.name)

    async def viewer(self, scope: Any) -> Viewer:
        """Return the viewer of the table that a request's path names."""
        caller = await self.caller(scope)
        if caller.account is None:
            return PUBLIC
        return Viewer(caller.account.name, caller.sees_all(scope["path_params"]["table"]))

    def check_origin(self, headers: RequestHeaders, scheme: str) -> None:
        """Raise a problem if the request comes from a page of another origin."""
        if not headers.is_same_origin(scheme, self.settings.public_origins):
            raise Problem("forbidden", detail("other-origin"))

    def _check_page(self, caller: Caller, credential: Credential, headers: RequestHeaders, scheme: str) -> None:
        if not headers.is_same_origin(scheme, self.settings.public_origins):
            raise caller.denied(detail("other-origin"))
        if not hmac.compare_digest(headers.csrf, credential.csrf):
            raise caller.denied(detail("csrf-token"))

    # -- what the browser holds

    def session_secret(self, headers: RequestHeaders) -> str | None:
        """Return the secret of the browser's session."""
        return (find_cookie(headers.cookie, self._cookie) or None) if headers.cookie else None

    def forget(self, person: str) -> None:
        """Look up a person's sessions again before their next request."""
        self._credentials.forget(person)

    # -- revocation

    def signed_out(self, person: str) -> None:
        """Handle that a person was signed out somewhere: forget their credentials and end their streams."""
        self._credentials.forget(person)
        for callback in self.on_sign_out:
            callback(person)

    async def revoke_all(self, person: str, words: str) -> None:
        """End all of a person's sessions, tokens and links."""

        def revoke() -> int:
            tokens = self.auth.tokens.revoke_all(person, self.now())
            return tokens + self.auth.links.revoke_all(person) + self.auth.sessions.revoke_all(person)

        if await asyncio.to_thread(revoke):
            self.records.record(c.RecordSessionEnd(person, words))
        self.signed_out(person)

    # -- lifecycle

    def start(self) -> None:
        """Follow the accounts of the house and purge what has expired; call this in the event loop."""
        self.directory.start()
        self._purging = asyncio.get_running_loop().create_task(self._purge())

    async def close(self) -> None:
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
                log.warning("ended sessions cannot be removed: %s", error)
            await asyncio.sleep(PURGE_SECONDS)


def _bearer_token(headers: RequestHeaders) -> str | None:
    if headers.authorization[: len(BEARER)].lower() != BEARER:
        return None
    return headers.authorization[len(BEARER) :].strip().decode("latin-1")
