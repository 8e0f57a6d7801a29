"""The driver of automatic tables: one process at a time per table, by a lease that another takes over."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pitbook.house.answers import answer_of
from pitbook.house.disabled import TableDisabled
from pitbook.journal.entries import HOUSE
from pitbook.journal.errors import Unavailable
from pitbook.server.tables.turns import next_turn
from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER
from pitbook.table.refusals import Reason
from pitbook.table.state import overdue
from pitbook.tumbler.health import Seeds, Unhealthy, self_test
from pitbook.tumbler.mapping import MAPPING, commitment
from pitbook.tumbler.seals import BadSeal, LostKey, UnusableKey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pitbook.auth.leases import Lease
    from pitbook.auth.store import AuthStore
    from pitbook.house.answers import Answer
    from pitbook.house.house import House
    from pitbook.messages import Message
    from pitbook.server.tables.turns import Act, Turn
    from pitbook.table.state import Table
    from pitbook.tumbler.seals import SealingKeys

log = logging.getLogger(__name__)

LEASE_SECONDS = 6.0
KEY_SECONDS = 5.0
"""The time limit for reading the sealing key."""
EXPECTED = (Reason.NOT_NOW, Reason.NOTHING_TO_DO, Reason.SUSPENDED, Reason.TABLE_NOT_OPEN, Reason.STALE_STEP)
"""Refusals because people were faster; the table is read again."""


@dataclass(slots=True)
class _DrivenTable:
    """An automatic table that this process may drive."""

    table: str
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    rest_until: datetime | None = None
    clock_failure: Message | None = None
    """Why the table waits for the clock, or None."""
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
        on_draw: Callable[[str], None] = lambda _table: None,
        poll_seconds: float = 1.0,
        lease_seconds: float = LEASE_SECONDS,
    ) -> None:
        """Create a driver that also checks its tables every `poll_seconds`, in case a notification got lost."""
        self._house = house
        self._auth = auth
        self._keys = keys
        self._clock = clock
        self._holder = holder or f"driver {secrets.token_hex(8)}"
        self._seeds = seeds or Seeds()
        self._on_draw = on_draw
        self._poll_seconds = poll_seconds
        self._lease_seconds = lease_seconds
        self._driven: dict[str, _DrivenTable] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._search_task: asyncio.Task[None] | None = None
        self._stopping = False
        self.should_drive: Callable[[str], bool] = lambda _table: True
        """Returns whether this process should drive a table: not while another process owns it."""

    # -- from any thread

    def changed(self, tables: Iterable[str]) -> None:
        """Note that tables have changed."""
        loop = self._loop
        if loop is not None and not self._stopping:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._wake, tuple(tables))

    def _wake(self, tables: tuple[str, ...]) -> None:
        for table in tables:
            driven = self._driven.get(table)
            if driven is not None:
                driven.changed.set()

    # -- in the loop

    async def start(self) -> None:
        """Run the self-test, then drive all automatic tables, including new ones."""
        self_test()
        self._loop = asyncio.get_running_loop()
        await self._add_new_tables()
        self._search_task = self._loop.create_task(self._search())

    async def close(self) -> None:
        """Stop between two acts; another process or the next start continues from there."""
        self._stopping = True
        tasks = [task for task in (self._search_task, *(driven.task for driven in self._driven.values())) if task]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _search(self) -> None:
        while not self._stopping:
            await asyncio.sleep(2 * self._poll_seconds)
            try:
                await self._add_new_tables()
            except Exception as error:
                log.warning("cannot look up the automatic tables: %s", error)

    async def _add_new_tables(self) -> None:
        for name in await asyncio.to_thread(self._automatic):
            if name not in self._driven:
                driven = self._driven[name] = _DrivenTable(name)
                assert self._loop is not None
                driven.task = self._loop.create_task(self._drive(driven), name=f"driving {name}")

    def _automatic(self) -> list[str]:
        names = [name for name in self._house.tables() if name != HOUSE and name not in self._driven]
        return [name for name in names if self._house.table(name).automatic is not None]

    async def _drive(self, driven: _DrivenTable) -> None:
        while not self._stopping:
            lease = None
            try:
                lease = (
                    await asyncio.to_thread(self._acquire, driven.table) if self.should_drive(driven.table) else None
                )
                if lease is not None:
                    await self._drive_under_lease(driven, lease)
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
                log.log(level, "table %s is not driven for the moment: %s", driven.table, error, exc_info=level > 30)
            await asyncio.sleep(self._poll_seconds)

    def _acquire(self, table: str) -> Lease | None:
        return self._auth.leases.acquire(f"automatic {table}", self._holder, self._lease_seconds)

    async def _drive_under_lease(self, driven: _DrivenTable, lease: Lease) -> None:
        """Take turn after turn as long as the lease is renewed in time."""
        loop = asyncio.get_running_loop()
        renewed = loop.time()
        while not self._stopping and self.should_drive(driven.table):
            if loop.time() - renewed > self._lease_seconds / 3:
                before = loop.time()
                if not await asyncio.to_thread(self._auth.leases.renew, lease, self._lease_seconds):
                    log.warning("table %s: another process drives it now", driven.table)
                    return
                renewed = before
            driven.changed.clear()
            if await self._waits_for_clock(driven):
                continue
            table = await asyncio.to_thread(self._house.table, driven.table)
            turn = next_turn(table, driven.rest_until)
            wait = self._wait(turn)
            if turn.act is not None and wait <= 0:
                await self._perform(driven, table, turn.act)
            else:
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(wait, self._poll_seconds) if turn.act else self._poll_seconds):
                        await driven.changed.wait()

    async def _waits_for_clock(self, driven: _DrivenTable) -> bool:
        """Wait briefly if the clock prevents a table from continuing; log it once."""
        failure = await asyncio.to_thread(self._house.time_failure, driven.table)
        if (failure is None) != (driven.clock_failure is None):
            log.warning("table %s %s", driven.table, f"waits: {failure}" if failure else "continues")
        driven.clock_failure = failure
        if failure is not None:
            await asyncio.sleep(self._poll_seconds)
        return failure is not None

    def _wait(self, turn: Turn) -> float:
        return 0.0 if turn.at is None else (turn.at - self._clock()).total_seconds()

    async def _perform(self, driven: _DrivenTable, table: Table, act: Act) -> None:
        match act:
            case "commit":
                await self._commit(table)
            case "count down":
                await self._submit(table, c.StartCountdown())
            case "close":
                # The entry's hash covers this random key, so that not even a holder of the seed can predict the draw.
                await self._submit(table, c.CloseBetting(), key=f"close {table.round.number} {secrets.token_hex(16)}")
            case "reveal":
                await self._reveal(driven, table)

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
            await self._submit(table, c.CommitSeed(commitment(seed), sealed, MAPPING))

    async def _reveal(self, driven: _DrivenTable, table: Table) -> None:
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
        revealed = self._clock()
        answer = await self._submit(table, c.RevealSeed(seed.hex()))
        if answer.refused is None and table.automatic is not None and not draw.voided:
            driven.rest_until = revealed + timedelta(seconds=table.automatic.rest_seconds)
            self._on_draw(table.id)
        elif answer.refused == Reason.BAD_SEED:
            await self._fail(table, "the seal holds another seed than was committed to", lost=True)

    async def _load_keys(self) -> SealingKeys:
        """Return the sealing keys; raise `UnusableKey` for any other error or a timeout."""
        try:
            async with asyncio.timeout(KEY_SECONDS):
                return await asyncio.to_thread(self._keys)
        except (LostKey, UnusableKey):
            raise
        except Exception as error:
            reason = f"{type(error).__name__} {error}"
            raise UnusableKey("server.key-not-read", "it cannot be read", reason=reason) from error

    async def _fail(self, table: Table, words: str, cause: Exception | None = None, *, lost: bool = False) -> None:
        """Record that the tumbler has failed: the round is voided, and the table waits for repair."""
        log.error("table %s: the electronic tumbler has failed: %s", table.id, cause or words)
        if table.open and (lost or table.tumbler_failed is None):
            await self._submit(table, c.ReportTumbler(words, lost))
        else:  # only the seed of a void round is left to reveal; retry later
            await asyncio.sleep(60)

    async def _submit(self, table: Table, command: c.Command, *, key: str | None = None) -> Answer:
        """Submit a command that is valid only for this state of the table."""
        expected = (table.round.number, table.step)
        future = self._house.submit(table.id, ELECTRONIC_TUMBLER, command, key=key, expected=expected)
        answer = answer_of(await asyncio.shield(asyncio.wrap_future(future)))
        if answer.refused is not None and answer.refused not in EXPECTED:
            log.warning("table %s refuses the electronic tumbler: %s", table.id, answer.says)
            await asyncio.sleep(self._poll_seconds)
        return answer
