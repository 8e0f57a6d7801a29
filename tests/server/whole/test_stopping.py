"""An orderly stop while bets flood: what was acknowledged is on record, and watchers are notified."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack

from pitbook.journal.entries import HOUSE
from tests.server.whole.clients import RawConnection
from tests.server.whole.deployment import Deployment, key_of
from tests.server.whole.racing import PLACED
from tests.waiting import HANG, until_async

TABLE = "massachusetts"
LINES = 12
ENOUGH = 100
"""So many bets are acknowledged before the signal comes."""


async def flood(house: Deployment, how: int) -> tuple[dict[str, int], set[str]]:
    """Bets as fast as they are answered, and a signal in the midst of them: sequence by key, and those unanswered."""
    acknowledged: dict[str, int] = {}
    unanswered: set[str] = set()
    names = ("demo-ann", "demo-ben", "demo-chen")

    async def bets(line: RawConnection, name: str) -> None:
        number = 0
        while True:
            key, number = f"{name} {number}", number + 1
            answer = await line.bet(TABLE, f"total/{number % 14 + 4}=100", key=key)
            if answer.status == 0:
                unanswered.add(key)
                return
            if answer.status == 200:
                acknowledged[key] = answer.body["sequence"]
            elif answer.status == 503:
                return
            else:
                assert answer.body["refusal"] in ("no-funds", "over-maximum"), answer

    async with AsyncExitStack() as stack:
        lines = [
            await stack.enter_async_context(
                RawConnection(house.process.open_at, house.visitor(names[one % 3]).token or "")
            )
            for one in range(LINES)
        ]
        bettors = [asyncio.create_task(bets(line, f"line {number}")) for number, line in enumerate(lines)]
        await until_async(lambda: len(acknowledged) > ENOUGH, "enough bets")
        house.process.process.send_signal(how)
        async with asyncio.timeout(HANG):
            await asyncio.gather(*bettors)
    return acknowledged, unanswered


def _keyed(house: Deployment, start: int) -> dict[str | None, int]:
    """The bets on record, by the keys that were sent."""
    return {key_of(entry): entry.sequence for entry in house.record(TABLE, start) if entry.kind in PLACED}


def test_a_stop_while_bets_flood_keeps_every_acknowledged_bet_and_says_good_bye(
    make_deployment: Callable[..., Deployment],
) -> None:
    house = make_deployment()
    process = house.start()
    ann, dealer = house.visitor("demo-ann"), house.visitor("demo-dealer")
    house.visitor("demo-ben")
    house.visitor("demo-chen")
    start = ann.table(TABLE)["sequence"]
    with ann.watch(TABLE, start) as own, dealer.watch(TABLE, start) as staff:
        data, _ = asyncio.run(flood(house, signal.SIGTERM))
        assert process.process.wait(HANG) == 0
        for watching in (own, staff):
            watching.until_ended()
            assert watching.frames[-1].kind == "bye"
    assert len(data) > ENOUGH
    entries = _keyed(house, start)
    assert entries == data, "every accepted request was answered"
    assert house.record(HOUSE)[-1].kind == "ServerStopped"
    assert not [line for line in process.log_lines if line["level"] in ("warning", "error")]
    house.audited()


def test_a_process_killed_under_many_bets_has_every_acknowledged_bet_on_record(
    make_deployment: Callable[..., Deployment],
) -> None:
    house = make_deployment()
    house.start()
    for name in ("demo-ben", "demo-chen"):
        house.visitor(name)
    start = house.visitor("demo-ann").table(TABLE)["sequence"]
    data, unanswered = asyncio.run(flood(house, signal.SIGKILL))
    house.process.process.wait(HANG)
    house.start()
    entries = _keyed(house, start)
    assert len(data) > ENOUGH
    assert data.items() <= entries.items()
    assert entries.keys() - data.keys() <= unanswered
    assert house.process.stop() == 0
    house.audited()
