"""Rate limits in memory: token buckets for requests, growing delays for failed sign-ins.

Each process counts separately, so several processes allow as many times the guesses, which are still few.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from heapq import nlargest
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock

from pitbook.auth.secrets import digest

Clock = Callable[[], float]
"""Seconds that never go backwards, such as time.monotonic."""

NAME_MAX = 100


def network_of(address: str) -> str:
    """Return what counts as one address: for IPv6 the /64 prefix, which belongs to one customer.

    >>> network_of("2001:db8::1:2:3:4"), network_of("::ffff:10.0.0.7"), network_of("a socket")
    ('2001:db8::/64', '10.0.0.7', 'a socket')
    """
    try:
        there = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:NAME_MAX]
    if not isinstance(there, IPv6Address):
        return str(there)
    return str(there.ipv4_mapped or ip_network((there, 64), strict=False))


class Buckets:
    """Token buckets by key: each holds `burst` tokens and refills at `per_second`; at most `most` are stored."""

    def __init__(self, per_second: float, burst: float, clock: Clock, *, most: int = 50_000) -> None:
        self._per_second = per_second
        self._burst = burst
        self._clock = clock
        self._most = most
        self._lock = Lock()
        self._full_at: dict[Hashable, float] = {}
        """The time at which each bucket will be full again, which determines its content."""

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: Hashable, tokens: float = 1) -> float:
        """Take tokens and return 0, or take none and return the seconds to wait."""
        if tokens > self._burst:
            raise ValueError(f"{tokens} tokens never fit into a bucket of {self._burst}")
        with self._lock:
            now = self._clock()
            full_at = max(self._full_at.get(key, now), now) + tokens / self._per_second
            wait = full_at - now - self._burst / self._per_second
            if wait > 1e-9:
                return wait
            self._full_at[key] = full_at
            if len(self._full_at) > self._most:
                self._sweep(now)
            return 0.0

    def _sweep(self, now: float) -> None:
        """Remove full buckets, then all but the emptiest, so that many new keys do not evict a busy one."""
        lacking = [(key, at) for key, at in self._full_at.items() if at > now]
        self._full_at = dict(nlargest(self._most // 2, lacking, key=lambda pair: pair[1]))


@dataclass(frozen=True, slots=True)
class Delays:
    """The first failures are free, then each doubles the delay; a quiet period resets the count."""

    free: int
    most_seconds: float
    quiet_seconds: float
    first_seconds: float = 1.0

    def after(self, failures: int) -> float:
        """Return the delay after a number of failures."""
        if failures <= self.free:
            return 0.0
        return min(self.first_seconds * 2.0 ** min(failures - self.free - 1, 60), self.most_seconds)


BY_PAIR = Delays(free=3, most_seconds=900, quiet_seconds=3600)
BY_ADDRESS = Delays(free=20, most_seconds=60, quiet_seconds=900)
BY_NAME = Delays(free=10, most_seconds=30, quiet_seconds=3600)
BY_DEVICE = Delays(free=5, most_seconds=30, quiet_seconds=3600)


class Failures:
    """Failures by key and the resulting delays. Not thread-safe."""

    def __init__(self, delays: Delays, most: int) -> None:
        self.delays = delays
        self._most = most
        self._counts: dict[Hashable, tuple[int, float]] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def count(self, key: Hashable, now: float) -> int:
        """Return the number of failures since the last quiet period."""
        failures, last = self._counts.get(key, (0, now))
        return failures if now - last <= self.delays.quiet_seconds else 0

    def wait(self, key: Hashable, now: float) -> float:
        """Return how long a key still has to wait."""
        failures = self.count(key, now)
        return max(0.0, self._counts[key][1] + self.delays.after(failures) - now) if failures else 0.0

    def add(self, key: Hashable, now: float) -> int:
        """Add a failure and return their number."""
        failures = self.count(key, now) + 1
        self._counts[key] = (failures, now)
        if len(self._counts) > self._most:
            self._sweep(now)
        return failures

    def undo(self, key: Hashable) -> None:
        """Remove one failure."""
        failures, last = self._counts.get(key, (0, 0.0))
        if failures > 1:
            self._counts[key] = (failures - 1, last)
        else:
            self.clear(key)

    def clear(self, key: Hashable) -> None:
        self._counts.pop(key, None)

    def _sweep(self, now: float) -> None:
        """Forget the quiet keys, then those with the fewest failures: made-up names push no real one out."""
        loud = [(key, self._counts[key]) for key in self._counts if self.count(key, now)]
        self._counts = dict(nlargest(self._most // 2, loud, key=lambda item: item[1]))


class SignInThrottle:
    """Delays for sign-ins, so that guessing is slow and nobody can lock out anyone else.

    - From a browser that the person has signed in from before (`device`), only that browser's failures count, and the
      delay stays short, whatever others do.
    - From elsewhere, the failures of this name from this address count, and those of this address with any name.
    - So do the failures of this name from anywhere, against guesses from many addresses. Only the first few from each
      address are counted, so that one address alone does not delay others.

    While many addresses guess one name, an unknown browser has to wait too. A known one does not, and a one-time link
    always works.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        pair: Delays = BY_PAIR,
        address: Delays = BY_ADDRESS,
        name: Delays = BY_NAME,
        device: Delays = BY_DEVICE,
        most: int = 50_000,
    ) -> None:
        self._clock = clock
        self._lock = Lock()
        self._pairs = Failures(pair, most)
        self._addresses = Failures(address, most)
        self._names = Failures(name, most)
        self._devices = Failures(device, most)

    def attempt(self, address: str, name: str, device: str | None = None) -> float:
        """Return 0 if the password may be compared, otherwise the seconds to wait.

        `device` is the device cookie if this person has signed in with it before, otherwise None. An attempt counts as
        failed from the start, so that concurrent attempts are limited, too.
        """
        place, who = network_of(address), _folded(name)
        with self._lock:
            now = self._clock()
            if device is not None:
                key = (who, digest(device))
                wait = self._devices.wait(key, now)
                if not wait:
                    self._devices.add(key, now)
                return wait
            wait = max(
                self._pairs.wait((place, who), now), self._addresses.wait(place, now), self._names.wait(who, now)
            )
            if not wait:
                self._addresses.add(place, now)
                if self._pairs.add((place, who), now) <= self._pairs.delays.free:
                    self._names.add(who, now)
            return wait

    def succeeded(self, address: str, name: str, device: str | None = None) -> None:
        """Record that the password was correct, and reset the failures of this name from here.

        The address's failures stay: otherwise someone with an account could sign in between guesses at others.
        """
        self.cancelled(address, name, device)
        with self._lock:
            if device is not None:
                self._devices.clear((_folded(name), digest(device)))
            else:
                self._pairs.clear((network_of(address), _folded(name)))

    def cancelled(self, address: str, name: str, device: str | None = None) -> None:
        """Cancel an attempt because the password could not be compared."""
        place, who = network_of(address), _folded(name)
        with self._lock:
            if device is not None:
                self._devices.undo((who, digest(device)))
                return
            if self._pairs.count((place, who), self._clock()) <= self._pairs.delays.free:
                self._names.undo(who)
            self._pairs.undo((place, who))
            self._addresses.undo(place)


def _folded(name: str) -> str:
    return name.strip().casefold()[:NAME_MAX]
