"""Passwords are compared in threads of their own, and whoever comes while too many wait is asked to come back."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from pitbook.auth.passwords import Passwords
from pitbook.server.http.problems import Problem
from pitbook.server.people.hashing import Hashing
from tests.server.forking import FAST_HASHING
from tests.waiting import HANG, until_async

pytestmark = pytest.mark.anyio


async def test_a_password_is_compared_with_the_stored_hash() -> None:
    hashing = Hashing(Passwords(FAST_HASHING))
    password_hash = await hashing.hash_password("nine red dice")
    for password, matches in (("nine red dice", True), ("nine red dots", False)):
        verified, compared = await hashing.verify(password, lambda: password_hash)
        assert (verified.matches, compared) == (matches, password_hash)
    hashing.close()


async def test_too_many_at_once_are_asked_to_wait_and_room_is_made_again() -> None:
    hashing = Hashing(Passwords(FAST_HASHING), at_once=1, waiting_max=2)
    for _ in range(2):
        await fill(hashing)
    hashing.close()


async def fill(hashing: Hashing) -> None:
    """Let two wait, and check that a third is refused until they are through."""
    gate, begun = Event(), Event()

    def wait_for_gate() -> None:
        begun.set()
        gate.wait(HANG)

    first, second = (asyncio.create_task(hashing.verify("x", wait_for_gate)) for _ in range(2))
    await until_async(begun.is_set)
    with pytest.raises(Problem, match="busy: too many people are signing in at once") as caught:
        await hashing.hash_password("nine red dice")
    assert caught.value.retry_after == 3
    gate.set()
    assert not (await first)[0].matches
    assert not (await second)[0].matches
    assert await hashing.hash_password("nine red dice")
