"""The house's clock after a jump: a manager accepts the current time."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from litestar import post
from litestar.params import JSONBody

from pitbook.people.names import WORDS_MAX
from pitbook.server.http.bodies import RequestBody
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import RequestCaller
from pitbook.server.services import HouseServices

TAGS = ["fairness"]


class PresentClock(RequestBody, frozen=True):
    """A statement that the current clock is right, whatever was recorded."""

    words: Annotated[str, msgspec.Meta(min_length=1, max_length=WORDS_MAX, examples=["the time server was wrong"])]


class ClockInfo(msgspec.Struct, frozen=True):
    """The time from which tables continue."""

    clock: str
    sequence: int
    """The entry of the house's record that accepted it."""


@post("/api/v1/clock", status_code=200, tags=TAGS, summary="Accept the present clock after a jump")
async def accept_clock(data: JSONBody[PresentClock], services: HouseServices, caller: RequestCaller) -> ClockInfo:
    """Accept the current clock, as a manager and on record.

    Every table whose last recorded time is ahead of the clock continues at the clock's time: a countdown starts
    again, and a round that was closed and not revealed is void.
    """
    manager, house = caller.require_manager(), services.house
    answer = await asyncio.to_thread(house.accept_clock, manager, data.words)
    if answer.refused is not None:
        raise Problem(answer.refused, answer.message)
    return ClockInfo(house.now().isoformat(timespec="microseconds"), answer.sequence)


handlers = [accept_clock]
