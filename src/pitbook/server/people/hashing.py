"""Verify and hash passwords off the event loop, a few at a time."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from pitbook.auth.passwords import Passwords
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.auth.passwords import Verified

T = TypeVar("T")

CONCURRENCY = max(1, min(4, os.cpu_count() or 1))
WAITING_MAX = 64
BUSY_SECONDS = 3


class Hashing:
    """A thread pool for argon2id, which takes some 50 milliseconds and 64 MiB."""

    def __init__(
        self, passwords: Passwords | None = None, *, at_once: int = CONCURRENCY, waiting_max: int = WAITING_MAX
    ) -> None:
        self._passwords = passwords or Passwords(at_once=at_once)
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self._waiting_max = waiting_max
        self._waiting = 0

    async def verify(self, password: str, load_hash: Callable[[], str | None]) -> tuple[Verified, str | None]:
        """Return whether a password matches the stored hash, and that hash; takes as long if there is none."""

        def compare() -> tuple[Verified, str | None]:
            stored = load_hash()
            return self._passwords.verify(password, stored), stored

        return await self._run(compare)

    async def hash_password(self, password: str) -> str:
        return await self._run(lambda: self._passwords.hash_password(password))

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= self._waiting_max:
            raise Problem("busy", detail("many-sign-ins"), retry_after=BUSY_SECONDS)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
