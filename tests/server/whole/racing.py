"""Bets that race against the close of their round, and what the journal must show afterwards."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from pitbook.journal.entries import Entry
from tests.server.whole.clients import RawConnection, RawResponse
from tests.server.whole.dealing import ORDER, fields_of
from tests.server.whole.deployment import Deployment, body, key_of
from tests.soaking import SOAK

TABLE = "massachusetts"
PLACED = ("BetPlaced", "BetsPlaced")
MOVED = (*PLACED, "BetTakenDown")
"""What players do to the layout, and must not do any more once betting is closed."""
OVER = ("RoundEnded", "WagersReturned", "RoundVoided", "BettingReopened")
ASKED = (("first", "second"), ("first", "down"))
WHOLE_EVERY = 25
"""So many rounds are given back by a No Roll, which is quick, before one is settled."""


@dataclass
class Races:
    """The responses of all races."""

    accepted: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    mixed: int = 0
    """Races in which some bets were in time and others were not: those that were close."""
    run: int = 0

    def note(self, keys: Sequence[str], responses: Sequence[RawResponse]) -> None:
        for key, one in zip(keys, responses, strict=True):
            if one.status == 200:
                self.accepted.add(key)
            else:
                late = (one.status, one.body["refusal"]) == (409, "betting-closed")
                assert late or (key.endswith("down") and one.body["refusal"] == "no-such-bet"), one
                self.refused.add(key)
        self.mixed += len({one.status for one in responses}) == 2
        self.run += 1


async def race(
    dealers: Sequence[str], bettors: Sequence[str], house: Deployment, races: int, seed: int = 1 + SOAK
) -> Races:
    """Has players bet (and take bets down) and the dealer close at the same time, so often; at these processes.

    The dealer's line moves from process to process; each player has a line at each of theirs.
    """
    rng, result = random.Random(seed), Races()
    names = ("demo-ann", "demo-ben", "demo-chen")
    async with AsyncExitStack() as stack:
        token = house.visitor("demo-dealer").token or ""
        closers = [await stack.enter_async_context(RawConnection(one, token)) for one in dealers]
        players = [
            await stack.enter_async_context(RawConnection(one, house.visitor(name).token or ""))
            for one in bettors
            for name in names
        ]
        for number in range(races):
            dealer = closers[number % len(closers)]
            keys = [
                f"race {seed} {number} {place} {what}" for place in range(len(players)) for what in ASKED[place % 2]
            ]

            answered = asyncio.Semaphore(0)

            async def bets(
                place: int, keys: list[str] = keys, answered: asyncio.Semaphore = answered
            ) -> list[RawResponse]:
                """Send two bets, or one bet that is then taken down."""
                line, (first, second) = players[place], keys[2 * place : 2 * place + 2]
                responses = [await line.bet(TABLE, "small=100", key=first)]
                answered.release()
                if second.endswith("down"):
                    request = {"command": {"type": "TakeDown", "wager": "small", "amount": 100}}
                    return [*responses, await line.post(f"/tables/{TABLE}/commands", request, second)]
                return [*responses, await line.bet(TABLE, "small=100", key=second)]

            async def close(
                dealer: RawConnection = dealer,
                first: int = rng.randint(0, len(players)),
                answered: asyncio.Semaphore = answered,
            ) -> None:
                """Close betting after some of the first bets were answered."""
                for _ in range(first):
                    await answered.acquire()
                response = await dealer.command(TABLE, "TakeStep", step="close")
                assert response.status == 200, response

            *responses, _ = await asyncio.gather(*(bets(place) for place in range(len(players))), close())
            answers = [one for some in responses for one in some or ()]
            result.note(keys, answers)
            await _finish(dealer, whole=number % WHOLE_EVERY == WHOLE_EVERY - 1)
    return result


async def _finish(dealer: RawConnection, *, whole: bool) -> None:
    """Finish a round with its dice, or with a no roll that returns the wagers."""
    steps = ORDER[TABLE][1:] if whole else ("shake-manual", "uncover")
    for step in steps:
        response = await dealer.command(TABLE, "TakeStep", step=step, **fields_of(step, (4, 5, 6)))
        assert response.status == 200, response
    if not whole:
        response = await dealer.command(TABLE, "Call", irregularity="no-roll", words="a die leans")
        assert response.status == 200, response


def check_record(entries: Sequence[Entry], races: Races) -> None:
    """Check that no bet was changed after the close, and that exactly the accepted commands are recorded."""
    closed, closes = False, 0
    placed: list[str] = []
    for entry in entries:
        if entry.kind == "StepTaken" and body(entry)["step"] == "close":
            closed, closes = True, closes + 1
        elif entry.kind in OVER:
            closed = False
        elif entry.kind in MOVED:
            assert not closed, f"entry {entry.sequence} ({entry.kind}) comes after the close"
            key = key_of(entry)
            assert key is not None
            placed.append(key)
    assert closes == races.run
    assert len(placed) == len(set(placed))
    assert set(placed) == races.accepted
    assert not races.refused & set(placed)
