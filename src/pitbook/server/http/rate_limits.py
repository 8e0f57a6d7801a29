"""Rate limits of each process: requests by address, bets by person, sign-in attempts."""

from __future__ import annotations

import time
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING

from pitbook.auth.throttle import Buckets, SignInThrottle, network_of
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem

if TYPE_CHECKING:
    from pitbook.auth.throttle import Clock
    from pitbook.messages import Message
    from pitbook.server.settings import Settings

BURST_SECONDS = 2
"""Bursts of up to this many seconds' worth are allowed."""

_network = lru_cache(maxsize=8192)(network_of)


class Rates:
    """All limits of a process; above one, a request ends with `too-many-requests` and the time to wait."""

    def __init__(self, settings: Settings, clock: Clock = time.monotonic) -> None:
        self.sign_ins = SignInThrottle(clock)
        """Growing delays after wrong passwords."""
        self._requests = _buckets(settings.request_rate, BURST_SECONDS, clock)
        self._bets = _buckets(settings.bet_rate, BURST_SECONDS, clock)
        self._attempts = _buckets(settings.sign_in_rate / 60, 60, clock)

    def request(self, address: str) -> None:
        """Count a request from an address."""
        _take(self._requests, _network(address), detail("rate.requests"))

    def bet(self, person: str) -> None:
        """Count a player's request to a table."""
        _take(self._bets, person, detail("rate.bets"))

    def sign_in(self, address: str) -> None:
        """Count an attempt to sign in, register or use a link."""
        _take(self._attempts, _network(address), detail("rate.address"))

    def own_password(self, person: str) -> None:
        """Count an attempt of a signed-in person to confirm the password."""
        _take(self._attempts, ("own", person), detail("rate.attempts"))

    def pin(self, person: str) -> None:
        """Count an attempt to confirm a witness with a PIN, from any address."""
        _take(self._attempts, ("pin", person), detail("rate.pin", name=person))


def rate_limit_problem(wait: float, reason: Message) -> Problem:
    """Return the problem for a rate limit."""
    seconds = max(1, ceil(wait))
    return Problem("too-many-requests", detail("rate.wait", reason=reason, seconds=seconds), retry_after=seconds)


def _buckets(per_second: float, burst_seconds: float, clock: Clock) -> Buckets | None:
    return Buckets(per_second, max(1.0, per_second * burst_seconds), clock) if per_second else None


def _take(buckets: Buckets | None, key: object, reason: Message) -> None:
    if buckets is not None:
        wait = buckets.take(key)
        if wait:
            raise rate_limit_problem(wait, reason)
