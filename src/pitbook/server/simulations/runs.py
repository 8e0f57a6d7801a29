"""Simulation runs of a house, one at a time; a run continues when the person who started it leaves."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from pitbook.auth.throttle import Buckets
from pitbook.reports.background_run import (
    PLAYER_NIGHTS_MOST,
    SECONDS_MOST,
    SECONDS_SPARE,
    launch_nights,
)
from pitbook.server.http.problems import Problem
from pitbook.server.http.rate_limits import too_many
from pitbook.server.schemas.simulation_runs import RunInfo, RunResult, Runs
from pitbook.server.simulations.store import KEPT

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from pitbook.auth.leases import Lease, Leases
    from pitbook.reports.background_run import Nights
    from pitbook.server.books.library import Library
    from pitbook.server.schemas.scenarios import ScenarioSize
    from pitbook.server.simulations.store import RunStore

log = logging.getLogger(__name__)

LEASE = "simulation"
LEASE_SECONDS = 15.0
"""After a server was killed, so long no other process of the house starts a run."""
LOOK_EVERY = 0.25
WRITE_EVERY = 1.0
STARTS_A_MINUTE = 12
CHECKS_A_SECOND = 4
ELSEWHERE = "elsewhere"
LOST = "the server was stopped while it ran; start it again"


class Simulations:
    """The runs of a house. Called in the event loop; nights are played in a process of their own."""

    def __init__(self, shelf: RunStore, library: Library, clock: Callable[[], datetime], leases: Leases) -> None:
        self.shelf = shelf
        self._library = library
        self._clock = clock
        self._leases = leases
        self._holder = uuid4().hex
        self._now: RunInfo | None = None
        self._nights: Nights | None = None
        self._starting = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._starts = Buckets(STARTS_A_MINUTE / 60, STARTS_A_MINUTE, time.monotonic)
        self._checks = Buckets(CHECKS_A_SECOND, 10 * CHECKS_A_SECOND, time.monotonic)

    def may_check(self, person: str) -> None:
        """A problem for who has scenarios checked without end."""
        wait = self._checks.take(person)
        if wait:
            raise too_many(wait, "too many scenarios in a short time")

    async def start(self, by: str, scenario: str, size: ScenarioSize) -> RunInfo:
        """Begin a run of a scenario that was checked; a problem where one is under way."""
        async with self._starting:
            if self._now is not None:
                raise Problem("conflict", f"a run of {self._now.by}'s is under way; wait for it or stop it")
            wait = self._starts.take(by)
            if wait:
                raise too_many(wait, "too many runs in a short time")
            lease = await self._alone()
            try:
                return await self._begin(by, scenario, size, lease)
            except BaseException:
                await self._let_go(lease)
                raise

    async def _begin(self, by: str, scenario: str, size: ScenarioSize, lease: Lease) -> RunInfo:
        at = self._clock()
        run = f"{at:%Y%m%d-%H%M%S}-{uuid4().hex[:8]}"
        told = RunInfo(run, "running", by, at.isoformat(timespec="seconds"), size, nights=size.nights)
        try:
            place = await asyncio.to_thread(self._laid_out, told, scenario)
        except OSError as error:
            raise Problem(
                "busy", f"the run cannot be written down: {error.strerror or error}", retry_after=60
            ) from None
        self._nights = await asyncio.to_thread(
            launch_nights, scenario, place, size.nights, books=self._library.own_books()
        )
        self._now = told
        self._task = asyncio.get_running_loop().create_task(self._follow(told, self._nights, lease))
        return told

    def _laid_out(self, told: RunInfo, scenario: str) -> Path:
        place = self.shelf.begin(told.run, scenario)
        self.shelf.write(told)
        self.shelf.tidy(told.run)
        return place

    async def _alone(self) -> Lease:
        """Return the right to run, which one process of the house has at a time."""
        lease = await asyncio.to_thread(self._leases.acquire, LEASE, self._holder, LEASE_SECONDS)
        if lease is None:
            raise Problem("conflict", "another process of this house simulates; wait for it or stop it")
        return lease

    async def _let_go(self, lease: Lease) -> None:
        try:
            await asyncio.to_thread(self._leases.release, lease)
        except Exception as error:  # it runs out by itself
            log.warning("the right to simulate alone could not be given back: %s", error)

    async def _follow(self, told: RunInfo, nights: Nights, lease: Lease) -> None:
        """Looks after a run until it has ended."""
        began = written = renewed = time.monotonic()
        try:
            while nights.state.status == "running":
                await asyncio.sleep(LOOK_EVERY)
                now = time.monotonic()
                if now - began > SECONDS_MOST + SECONDS_SPARE:
                    nights.cancel()
                if now - written > WRITE_EVERY:
                    written = now
                    await asyncio.to_thread(self.shelf.write, self._standing(told, nights))
                    if await asyncio.to_thread(self.shelf.is_asked_to_stop, told.run):
                        nights.stop()
                if now - renewed > LEASE_SECONDS / 3:
                    renewed = now
                    await self._renew(lease)
        except OSError as error:  # a full disk: nobody could read what it comes to
            log.warning("run %s is ended: %s", told.run, error)
            nights.cancel()
        finally:
            nights.cancel()
            await asyncio.shield(self._finish(told, nights, lease))

    async def _renew(self, lease: Lease) -> None:
        try:
            await asyncio.to_thread(self._leases.renew, lease, LEASE_SECONDS)
        except Exception as error:  # the run goes on: at worst there are two for a while
            log.warning("the right to simulate alone could not be renewed: %s", error)

    async def _finish(self, told: RunInfo, nights: Nights, lease: Lease) -> None:
        await asyncio.to_thread(nights.wait, 10)
        ended = self._standing(told, nights)
        try:
            await asyncio.to_thread(self.shelf.write, ended)
            await asyncio.to_thread(self.shelf.tidy, told.run)
        except OSError as error:
            log.warning("how run %s ended cannot be written: %s", told.run, error)
        self._now = self._nights = None
        await self._let_go(lease)
        log.info("run %s by %s: %s after %s nights", told.run, told.by, ended.state, ended.done)

    def _standing(self, told: RunInfo, nights: Nights) -> RunInfo:
        state = nights.state
        return msgspec.structs.replace(
            told,
            state=state.status,
            done=state.done,
            rate=state.rate,
            seconds_left=state.seconds_left,
            says=state.problem,
            ended=None if state.status == "running" else self._clock().isoformat(timespec="seconds"),
        )

    async def look(self, run: str) -> RunInfo:
        """How a run stands; a problem where there is none of that name."""
        if self._now is not None and self._now.run == run and self._nights is not None:
            standing = self._standing(self._now, self._nights)
            if standing.state == "running":
                return standing
            await self.finished()
        told = await asyncio.to_thread(self.shelf.read, run)
        if told is None:
            raise Problem("not-found", f"there is no run {run[:80]!r}; older ones are deleted")
        return (await self._truly([told]))[0]

    async def all(self) -> Runs:
        """The last runs."""
        told = await self._truly(await asyncio.to_thread(self.shelf.runs))
        running = next((one.run for one in told if one.state == "running"), None)
        if running is None and self._now is None and await self._held_elsewhere():
            running = ELSEWHERE
        return Runs(told, running, KEPT, SECONDS_MOST, PLAYER_NIGHTS_MOST)

    async def _truly(self, told: list[RunInfo]) -> list[RunInfo]:
        """A run that is written down as running, and that nobody runs, was lost with its server."""
        if all(one.state != "running" for one in told):
            return told
        elsewhere = await self._held_elsewhere()
        return [self._true(one, elsewhere) for one in told]

    def _true(self, told: RunInfo, elsewhere: bool) -> RunInfo:
        if told.state != "running":
            return told
        if self._now is not None and self._now.run == told.run and self._nights is not None:
            return self._standing(self._now, self._nights)
        if elsewhere:
            return told
        return msgspec.structs.replace(told, state="failed", says=LOST, seconds_left=None)

    async def _held_elsewhere(self) -> bool:
        if self._now is not None:
            return False
        held = await asyncio.to_thread(self._leases.look, LEASE)
        return held is not None and held.holder != self._holder

    async def stop(self, run: str) -> RunInfo:
        """Have a run play no further night; what was played is reported."""
        told = await self.look(run)
        if told.state != "running":
            raise Problem("conflict", "this run has ended already")
        if self._now is not None and self._now.run == run and self._nights is not None:
            self._nights.stop()
        else:
            await asyncio.to_thread(self.shelf.ask_to_stop, run)
        return told

    async def result(self, run: str) -> RunResult:
        """What a run came to."""
        told = await self.look(run)
        found = await asyncio.to_thread(self.shelf.result, run) if told.state in ("done", "stopped") else None
        if found is None:
            raise Problem("not-found", "this run has no result" + (" yet" if told.state == "running" else ""))
        return found

    async def finished(self) -> None:
        """Wait for the end of the run under way."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def close(self) -> None:
        """The server stops, and what it runs with it."""
        if self._nights is not None:
            self._nights.cancel()
        await self.finished()
