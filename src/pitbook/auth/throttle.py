"""Rate limiting in memory: token buckets for requests, growing delays for failed sign-ins.

Each process counts for itself: where there are several, a guesser has as many times the chances, which stay few.
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


def neighbourhood(address: str) -> str:
    """What counts as one address: of IPv6 the whole /64, for one customer has all of it.

    >>> neighbourhood("2001:db8::1:2:3:4"), neighbourhood("::ffff:10.0.0.7"), neighbourhood("a socket")
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
    """A bucket of tokens by key: it holds `burst` and gains `per_second`. At most `most` keys are remembered."""

    def __init__(self, per_second: float, burst: float, clock: Clock, *, most: int = 50_000) -> None:
        self._per_second = per_second
        self._burst = burst
        self._clock = clock
        self._most = most
        self._lock = Lock()
        self._full_at: dict[Hashable, float] = {}
        """When a bucket will be full again: that is all there is to know of it."""

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: Hashable, tokens: float = 1) -> float:
        """Take so many tokens: no seconds to wait, or so many seconds and nothing was taken."""
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
        """Forget full buckets, and of the others all but the emptiest: a crowd of new keys does not hide a busy one."""
        lacking = [(key, at) for key, at in self._full_at.items() if at > now]
        self._full_at = dict(nlargest(self._most // 2, lacking, key=lambda pair: pair[1]))


@dataclass(frozen=True, slots=True)
class Delays:
    """So many failures are free; then each doubles the delay. After a quiet time all is forgotten."""

    free: int
    most_seconds: float
    quiet_seconds: float
    first_seconds: float = 1.0

    def after(self, failures: int) -> float:
        """How long to wait after so many failures."""
        if failures <= self.free:
            return 0.0
        return min(self.first_seconds * 2.0 ** min(failures - self.free - 1, 60), self.most_seconds)


BY_PAIR = Delays(free=3, most_seconds=900, quiet_seconds=3600)
BY_ADDRESS = Delays(free=20, most_seconds=60, quiet_seconds=900)
BY_NAME = Delays(free=10, most_seconds=30, quiet_seconds=3600)
BY_DEVICE = Delays(free=5, most_seconds=30, quiet_seconds=3600)


class Failures:
    """Failures by key, with the delays that follow from them. Not thread-safe by itself."""

    def __init__(self, delays: Delays, most: int) -> None:
        self.delays = delays
        self._most = most
        self._counts: dict[Hashable, tuple[int, float]] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def count(self, key: Hashable, now: float) -> int:
        """How many there were since the last quiet time."""
        failures, last = self._counts.get(key, (0, now))
        return failures if now - last <= self.delays.quiet_seconds else 0

    def wait(self, key: Hashable, now: float) -> float:
        """How long this key has still to wait."""
        failures = self.count(key, now)
        return max(0.0, self._counts[key][1] + self.delays.after(failures) - now) if failures else 0.0

    def add(self, key: Hashable, now: float) -> int:
        """One more; how many that makes."""
        failures = self.count(key, now) + 1
        self._counts[key] = (failures, now)
        if len(self._counts) > self._most:
            self._sweep(now)
        return failures

    def take_back(self, key: Hashable) -> None:
        """One of them was none."""
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
    """How many seconds a sign-in has to wait, so that guessing is slow and nobody can lock out somebody else.

    - From a browser that the person has signed in from before (`device`), only that browser's own failures count, and
      the wait stays short: whatever others do, it gets in.
    - From elsewhere count the failures of this name from this address, and those of this address under any name.
    - And those of this name from anywhere, for guesses from many addresses. Of one address only the first few go in, so
      that one address alone makes no other one wait.

    While many addresses guess one name, an unknown browser has to wait with them. A known one has not, and a one-time
    link always works.
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
        """No seconds: compare the password. Otherwise refuse without looking at it, and say how long to wait.

        `device` is the device cookie where this person is known to have signed in with it, and nothing otherwise.
        An attempt counts as failed from the start, so that a thousand at once are not let through together.
        """
        place, who = neighbourhood(address), _folded(name)
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
        """The password was right: the attempt was no failure, and the name's failures from here are forgiven.

        Not the address's: somebody with an account of their own would sign in between guesses at others.
        """
        self._undo(address, name, device)
        with self._lock:
            if device is not None:
                self._devices.clear((_folded(name), digest(device)))
            else:
                self._pairs.clear((neighbourhood(address), _folded(name)))

    def undone(self, address: str, name: str, device: str | None = None) -> None:
        """The attempt was neither right nor wrong, for the house could not compare the password."""
        self._undo(address, name, device)

    def _undo(self, address: str, name: str, device: str | None) -> None:
        place, who = neighbourhood(address), _folded(name)
        with self._lock:
            if device is not None:
                self._devices.take_back((who, digest(device)))
                return
            if self._pairs.count((place, who), self._clock()) <= self._pairs.delays.free:
                self._names.take_back(who)
            self._pairs.take_back((place, who))
            self._addresses.take_back(place)


def _folded(name: str) -> str:
    return name.strip().casefold()[:NAME_MAX]
