"""Passwords compared and hashed off the event loop, a few at a time; too many at once are asked to wait."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from pitbook.auth.passwords import Passwords
from pitbook.server.http.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.auth.passwords import Verified

T = TypeVar("T")

AT_ONCE = max(1, min(4, os.cpu_count() or 1))
WAITING_MAX = 64
BUSY_SECONDS = 3


class Hashing:
    """argon2id takes some 50 milliseconds and 64 MiB: here it holds nobody else up."""

    def __init__(self, passwords: Passwords | None = None, *, at_once: int = AT_ONCE, most: int = WAITING_MAX) -> None:
        self._passwords = passwords or Passwords(at_once=at_once)
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="passwords")
        self._most = most
        self._waiting = 0

    async def verify(self, password: str, kept_of: Callable[[], str | None]) -> tuple[Verified, str | None]:
        """Whether a password is the one that is kept, and what is kept; it takes as long where nothing is."""

        def compare() -> tuple[Verified, str | None]:
            kept = kept_of()
            return self._passwords.verify(password, kept), kept

        return await self._run(compare)

    async def hashed(self, password: str) -> str:
        """What is kept of a password."""
        return await self._run(lambda: self._passwords.hash_password(password))

    async def _run(self, work: Callable[[], T]) -> T:
        if self._waiting >= self._most:
            raise Problem("busy", "too many sign in at once", retry_after=BUSY_SECONDS)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Compares no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
