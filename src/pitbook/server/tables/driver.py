"""Drives the automatic tables: exactly one process at a time each, by a lease that is taken over when it dies."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.house.disabled import TableDisabled
from pitbook.house.house import answer_of
from pitbook.journal.entries import HOUSE
from pitbook.journal.errors import Unavailable
from pitbook.server.tables.turns import next_turn
from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER
from pitbook.table.refusals import Why
from pitbook.table.state import overdue
from pitbook.tumbler.health import Seeds, Unhealthy, self_test
from pitbook.tumbler.mapping import MAPPING, commitment
from pitbook.tumbler.seals import BadSeal, LostKey, UnusableKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pitbook.auth.leases import Lease
    from pitbook.auth.store import AuthStore
    from pitbook.house.house import Answer, House
    from pitbook.server.tables.turns import Act, Turn
    from pitbook.table.state import Table
    from pitbook.tumbler.seals import SealingKeys

log = logging.getLogger(__name__)

LEASE_SECONDS = 6.0
KEY_SECONDS = 5.0
"""So long reading the sealing key may take."""
EXPECTED = (Why.NOT_NOW, Why.NOTHING_TO_DO, Why.SUSPENDED, Why.TABLE_NOT_OPEN, Why.STALE_STEP)
"""Refusals that come from people who were quicker: the table is looked at again."""


@dataclass(slots=True)
class _Wheel:
    """One automatic table that this process may drive."""

    table: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    rested: datetime | None = None
    waits: str | None = None
    """Why it waits for the clock."""
    task: asyncio.Task[None] | None = None


class Driver:
    """The electronic tumbler of this process, at every automatic table of the house."""

    def __init__(
        self,
        house: House,
        auth: AuthStore,
        keys: Callable[[], SealingKeys],
        *,
        clock: Callable[[], datetime],
        holder: str | None = None,
        seeds: Seeds | None = None,
        drawn: Callable[[str], None] = lambda _table: None,
        look_seconds: float = 1.0,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        """A table that waits is looked at every so many seconds, in case nobody told of a change."""
        self._house = house
        self._auth = auth
        self._keys = keys
        self._clock = clock
        self._holder = holder or f"driver {secrets.token_hex(8)}"
        self._seeds = seeds or Seeds()
        self._drawn = drawn
        self._look_seconds = look_seconds
        self._lease_seconds = lease_seconds
        self._wheels: dict[str, _Wheel] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._looking: asyncio.Task[None] | None = None
        self._stopping = False
        self.drives: Callable[[str], bool] = lambda _table: True
        """Whether this process is to drive a table: not while another process owns it."""

    # -- from any thread

    def changed(self, tables: Iterable[str]) -> None:
        """Tables have moved: whoever waits for them looks again."""
        loop = self._loop
        if loop is not None and not self._stopping:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._wake, tuple(tables))

    def _wake(self, tables: tuple[str, ...]) -> None:
        for table in tables:
            wheel = self._wheels.get(table)
            if wheel is not None:
                wheel.changed.set()

    # -- in the loop

    async def start(self) -> None:
        """Tests itself, then looks for automatic tables from now on."""
        self_test()
        self._loop = asyncio.get_running_loop()
        await self._find()
        self._looking = self._loop.create_task(self._look())

    async def close(self) -> None:
        """Stops between two acts. What is closed and not settled, another process or the next start settles."""
        self._stopping = True
        tasks = [task for task in (self._looking, *(wheel.task for wheel in self._wheels.values())) if task]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _look(self) -> None:
        while not self._stopping:
            await asyncio.sleep(2 * self._look_seconds)
            try:
                await self._find()
            except Exception as error:
                log.warning("the automatic tables cannot be looked up: %s", error)

    async def _find(self) -> None:
        for name in await asyncio.to_thread(self._automatic):
            if name not in self._wheels:
                wheel = self._wheels[name] = _Wheel(name)
                assert self._loop is not None
                wheel.task = self._loop.create_task(self._drive(wheel), name=f"driving {name}")

    def _automatic(self) -> list[str]:
        names = [name for name in self._house.tables() if name != HOUSE and name not in self._wheels]
        return [name for name in names if self._house.table(name).automatic is not None]

    async def _drive(self, wheel: _Wheel) -> None:
        while not self._stopping:
            lease = None
            try:
                lease = await asyncio.to_thread(self._acquire, wheel.table) if self.drives(wheel.table) else None
                if lease is not None:
                    await self._hold(wheel, lease)
                    await asyncio.to_thread(self._auth.leases.release, lease)
            except asyncio.CancelledError:
                if lease is not None:
                    with suppress(Exception):
                        await asyncio.shield(asyncio.to_thread(self._auth.leases.release, lease))
                raise
            except TableDisabled:
                return  # until the next start; the house has logged it
            except Exception as error:
                level = logging.WARNING if isinstance(error, Unavailable) else logging.ERROR
                log.log(level, "table %s is not driven for the moment: %s", wheel.table, error, exc_info=level > 30)
            await asyncio.sleep(self._look_seconds)

    def _acquire(self, table: str) -> Lease | None:
        return self._auth.leases.acquire(f"automatic {table}", self._holder, self._lease_seconds)

    async def _hold(self, wheel: _Wheel, lease: Lease) -> None:
        """Takes turn after turn for as long as the lease is renewed in time."""
        loop = asyncio.get_running_loop()
        renewed = loop.time()
        while not self._stopping and self.drives(wheel.table):
            if loop.time() - renewed > self._lease_seconds / 3:
                before = loop.time()
                if not await asyncio.to_thread(self._auth.leases.renew, lease, self._lease_seconds):
                    log.warning("table %s: another process drives it now", wheel.table)
                    return
                renewed = before
            wheel.changed.clear()
            if await self._waits_for_clock(wheel):
                continue
            table = await asyncio.to_thread(self._house.table, wheel.table)
            turn = next_turn(table, wheel.rested)
            wait = self._wait(turn)
            if turn.act is not None and wait <= 0:
                await self._take(wheel, table, turn.act)
            else:
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(wait, self._look_seconds) if turn.act else self._look_seconds):
                        await wheel.changed.wait()

    async def _waits_for_clock(self, wheel: _Wheel) -> bool:
        """Wait a moment where the time keeps a table from going on; say so once."""
        trouble = await asyncio.to_thread(self._house.time_trouble, wheel.table)
        if (trouble is None) != (wheel.waits is None):
            log.warning("table %s %s", wheel.table, f"waits: {trouble}" if trouble else "goes on")
        wheel.waits = trouble
        if trouble is not None:
            await asyncio.sleep(self._look_seconds)
        return trouble is not None

    def _wait(self, turn: Turn) -> float:
        return 0.0 if turn.at is None else (turn.at - self._clock()).total_seconds()

    async def _take(self, wheel: _Wheel, table: Table, act: Act) -> None:
        match act:
            case "commit":
                await self._commit(table)
            case "count down":
                await self._ask(table, c.StartCountdown())
            case "close":
                # A random key goes into the entry's hash, so that not even who holds the seed can foretell the draw.
                await self._ask(table, c.CloseBetting(), key=f"close {table.round.number} {secrets.token_hex(16)}")
            case "reveal":
                await self._reveal(wheel, table)

    async def _commit(self, table: Table) -> None:
        try:
            self_test()
            seed = self._seeds.draw()
            sealed = (await self._load_keys()).seal(seed, table.id, table.round.number)
        except Unhealthy as failure:
            await self._fail(table, str(failure))
        except LostKey:
            await self._fail(table, "there is no key to seal seeds with")
        except UnusableKey as unusable:
            await self._fail(table, f"the key that seals seeds cannot be used: {unusable.why}", unusable)
        else:
            await self._ask(table, c.CommitSeed(commitment(seed), sealed, MAPPING))

    async def _reveal(self, wheel: _Wheel, table: Table) -> None:
        draw = table.draw
        assert draw is not None
        if not draw.voided and overdue(draw, self._clock().isoformat(timespec="microseconds")):
            words = f"the dice were due by {draw.reveal_by} and were not revealed; by house policy the round is void"
            await self._fail(table, words, lost=True)
            return
        try:
            self_test()
            seed = (await self._load_keys()).unseal(draw.sealed, table.id, draw.round)
        except Unhealthy as failure:
            await self._fail(table, str(failure))
            return
        except LostKey:
            await self._fail(table, "the key that sealed this round's seed is lost", lost=True)
            return
        except UnusableKey as unusable:
            words = f"the key that sealed this round's seed cannot be used: {unusable.why}"
            await self._fail(table, words, unusable, lost=True)
            return
        except BadSeal:
            await self._fail(table, "the seal of this round's seed was altered", lost=True)
            return
        answer = await self._ask(table, c.RevealSeed(seed.hex()))
        if answer.refused is None and table.automatic is not None and not draw.voided:
            wheel.rested = self._clock() + timedelta(seconds=table.automatic.rest_seconds)
            self._drawn(table.id)
        elif answer.refused == Why.BAD_SEED:
            await self._fail(table, "the seal holds another seed than was committed to", lost=True)

    async def _load_keys(self) -> SealingKeys:
        """Return the sealing keys. Whatever else goes wrong with them, or takes too long, is an `UnusableKey`."""
        try:
            async with asyncio.timeout(KEY_SECONDS):
                return await asyncio.to_thread(self._keys)
        except (LostKey, UnusableKey):
            raise
        except Exception as error:
            says = f"the sealing key cannot be read: {type(error).__name__} {error}"
            raise UnusableKey(says, "it cannot be read") from error

    async def _fail(self, table: Table, words: str, cause: Exception | None = None, *, lost: bool = False) -> None:
        """Record that the tumbler has failed: a round that is not void becomes so, and the table waits for repair."""
        log.error("table %s: the electronic tumbler has failed: %s", table.id, cause or words)
        if table.open and (lost or table.tumbler_failed is None):
            await self._ask(table, c.ReportTumbler(words, lost))
        else:  # only a void round's seed is left; it is tried again later
            await asyncio.sleep(60)

    async def _ask(self, table: Table, command: c.Command, *, key: str | None = None) -> Answer:
        """One act, meant for the table as it was seen."""
        expected = (table.round.number, table.step)
        future = self._house.submit(table.id, ELECTRONIC_TUMBLER, command, key=key, expected=expected)
        answer = answer_of(await asyncio.shield(asyncio.wrap_future(future)))
        if answer.refused is not None and answer.refused not in EXPECTED:
            log.warning("table %s refuses the electronic tumbler: %s", table.id, answer.says)
            await asyncio.sleep(self._look_seconds)
        return answer
