"""Simulation runs of a house, one at a time; a run continues when the person who started it leaves."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import msgspec

from pitbook.auth.throttle import Buckets
from pitbook.errors import quoted
from pitbook.messages.message import stored
from pitbook.reports.background_run import PLAYER_NIGHTS_MAX, SECONDS_MAX, SECONDS_SPARE, launch_nights
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import MessageText, Problem, message_text
from pitbook.server.http.rate_limits import rate_limit_problem
from pitbook.server.schemas.simulation_runs import RunInfo, RunResult, Runs
from pitbook.server.simulations.store import RUNS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from pitbook.auth.leases import Lease, Leases
    from pitbook.messages import Message
    from pitbook.reports.background_run import NightsRun
    from pitbook.server.books.library import Library
    from pitbook.server.schemas.scenarios import ScenarioSize
    from pitbook.server.simulations.store import RunStore

log = logging.getLogger(__name__)

LEASE = "simulation"
LEASE_SECONDS = 15.0
"""How long after a crash of the server no other process can start a run."""
POLL_SECONDS = 0.25
WRITE_SECONDS = 1.0
STARTS_PER_MINUTE = 12
CHECKS_PER_SECOND = 4
ELSEWHERE = "elsewhere"


class Simulations:
    """The runs of a house, controlled from the event loop; each runs in a separate process."""

    def __init__(self, store: RunStore, library: Library, clock: Callable[[], datetime], leases: Leases) -> None:
        self.store = store
        self._library = library
        self._clock = clock
        self._leases = leases
        self._holder = uuid4().hex
        self._now: RunInfo | None = None
        self._nights: NightsRun | None = None
        self._starting = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._starts = Buckets(STARTS_PER_MINUTE / 60, STARTS_PER_MINUTE, time.monotonic)
        self._checks = Buckets(CHECKS_PER_SECOND, 10 * CHECKS_PER_SECOND, time.monotonic)

    def limit_checks(self, person: str) -> None:
        """Raise a problem if a person has scenarios checked too often."""
        wait = self._checks.take(person)
        if wait:
            raise rate_limit_problem(wait, detail("rate.scenarios"))

    async def start(self, by: str, scenario: str, size: ScenarioSize) -> RunInfo:
        """Start a run of a checked scenario; raise a problem if one is in progress."""
        async with self._starting:
            if self._now is not None:
                raise Problem("conflict", detail("run-in-progress", by=self._now.by))
            wait = self._starts.take(by)
            if wait:
                raise rate_limit_problem(wait, detail("rate.runs"))
            lease = await self._acquire_lease()
            try:
                return await self._begin(by, scenario, size, lease)
            except BaseException:
                await self._release_lease(lease)
                raise

    async def _begin(self, by: str, scenario: str, size: ScenarioSize, lease: Lease) -> RunInfo:
        at = self._clock()
        run = f"{at:%Y%m%d-%H%M%S}-{uuid4().hex[:8]}"
        info = RunInfo(run, "running", by, at.isoformat(timespec="seconds"), size, nights=size.nights)
        try:
            place = await asyncio.to_thread(self._create_files, info, scenario)
        except OSError as error:
            raise Problem("busy", detail("run-not-recorded", reason=error.strerror or error), retry_after=60) from None
        self._nights = await asyncio.to_thread(
            launch_nights, scenario, place, size.nights, books=self._library.own_books()
        )
        self._now = info
        self._task = asyncio.get_running_loop().create_task(self._follow(info, self._nights, lease))
        return info

    def _create_files(self, info: RunInfo, scenario: str) -> Path:
        place = self.store.create(info.run, scenario)
        self.store.write(info)
        self.store.prune(info.run)
        return place

    async def _acquire_lease(self) -> Lease:
        """Return the lease of the only run in the house."""
        lease = await asyncio.to_thread(self._leases.acquire, LEASE, self._holder, LEASE_SECONDS)
        if lease is None:
            raise Problem("conflict", detail("other-process-runs"))
        return lease

    async def _release_lease(self, lease: Lease) -> None:
        try:
            await asyncio.to_thread(self._leases.release, lease)
        except Exception as error:  # it expires
            log.warning("the simulation lease could not be released: %s", error)

    async def _follow(self, info: RunInfo, nights: NightsRun, lease: Lease) -> None:
        """Monitor a run until it has ended."""
        began = written = renewed = time.monotonic()
        try:
            while nights.state.status == "running":
                await asyncio.sleep(POLL_SECONDS)
                now = time.monotonic()
                if now - began > SECONDS_MAX + SECONDS_SPARE:
                    nights.cancel()
                if now - written > WRITE_SECONDS:
                    written = now
                    await asyncio.to_thread(self.store.write, self._current_info(info, nights))
                    if await asyncio.to_thread(self.store.is_stop_requested, info.run):
                        nights.stop()
                if now - renewed > LEASE_SECONDS / 3:
                    renewed = now
                    await self._renew(lease)
        except OSError as error:  # a full disk: its result could not be read
            log.warning("run %s was ended: %s", info.run, error)
            nights.cancel()
        finally:
            nights.cancel()
            await asyncio.shield(self._finish(info, nights, lease))

    async def _renew(self, lease: Lease) -> None:
        try:
            await asyncio.to_thread(self._leases.renew, lease, LEASE_SECONDS)
        except Exception as error:  # the run continues: at worst there are two for a while
            log.warning("the simulation lease could not be renewed: %s", error)

    async def _finish(self, info: RunInfo, nights: NightsRun, lease: Lease) -> None:
        await asyncio.to_thread(nights.wait, 10)
        ended = self._current_info(info, nights)
        try:
            await asyncio.to_thread(self.store.write, ended)
            await asyncio.to_thread(self.store.prune, info.run)
        except OSError as error:
            log.warning("the result of run %s cannot be written: %s", info.run, error)
        self._now = self._nights = None
        await self._release_lease(lease)
        log.info("run %s by %s: %s after %s nights", info.run, info.by, ended.state, ended.done)

    def _current_info(self, info: RunInfo, nights: NightsRun) -> RunInfo:
        state = nights.state
        return msgspec.structs.replace(
            info,
            state=state.status,
            done=state.done,
            rate=state.rate,
            seconds_left=state.seconds_left,
            **_reason(state.problem),
            ended=None if state.status == "running" else self._clock().isoformat(timespec="seconds"),
        )

    async def get_run(self, run: str) -> RunInfo:
        """Return a run; raise a problem if there is none of that name."""
        if self._now is not None and self._now.run == run and self._nights is not None:
            standing = self._current_info(self._now, self._nights)
            if standing.state == "running":
                return standing
            await self.wait_finished()
        info = await asyncio.to_thread(self.store.read, run)
        if info is None:
            raise Problem("not-found", detail("no-run", run=quoted(run)))
        return _translated((await self._mark_lost([info]))[0])

    async def list_runs(self) -> Runs:
        """Return the recent runs."""
        found = await self._mark_lost(await asyncio.to_thread(self.store.list_runs))
        info = [_translated(one) for one in found]
        running = next((one.run for one in info if one.state == "running"), None)
        if running is None and self._now is None and await self._held_elsewhere():
            running = ELSEWHERE
        return Runs(info, running, RUNS_MAX, SECONDS_MAX, PLAYER_NIGHTS_MAX)

    async def _mark_lost(self, info: list[RunInfo]) -> list[RunInfo]:
        """Mark runs as failed that are recorded as running and are not: they were lost with their server."""
        if all(one.state != "running" for one in info):
            return info
        elsewhere = await self._held_elsewhere()
        return [self._mark_if_lost(one, elsewhere) for one in info]

    def _mark_if_lost(self, info: RunInfo, elsewhere: bool) -> RunInfo:
        if info.state != "running":
            return info
        if self._now is not None and self._now.run == info.run and self._nights is not None:
            return self._current_info(self._now, self._nights)
        if elsewhere:
            return info
        return msgspec.structs.replace(info, state="failed", seconds_left=None, **_reason(detail("run-lost")))

    async def _held_elsewhere(self) -> bool:
        if self._now is not None:
            return False
        held = await asyncio.to_thread(self._leases.current, LEASE)
        return held is not None and held.holder != self._holder

    async def stop(self, run: str) -> RunInfo:
        """Stop a run after the current night; what was played is reported."""
        info = await self.get_run(run)
        if info.state != "running":
            raise Problem("conflict", detail("run-ended"))
        if self._now is not None and self._now.run == run and self._nights is not None:
            self._nights.stop()
        else:
            await asyncio.to_thread(self.store.request_stop, run)
        return info

    async def result(self, run: str) -> RunResult:
        """Return the result of a run."""
        info = await self.get_run(run)
        found = await asyncio.to_thread(self.store.result, run) if info.state in ("done", "stopped") else None
        if found is None:
            raise Problem("not-found", detail("no-result-yet" if info.state == "running" else "no-result"))
        return found

    async def wait_finished(self) -> None:
        """Wait for the end of the current run."""
        if self._task is not None:
            await asyncio.wait((self._task,))

    async def close(self) -> None:
        """Cancel the current run and wait for its end."""
        if self._nights is not None:
            self._nights.cancel()
        await self.wait_finished()


def _reason(problem: Message | None) -> dict[str, Any]:
    """Return the fields of a run that state why it failed; runs store them in English."""
    if problem is None:
        return {}
    text = problem.text()
    return {"says": text, "message": MessageText(problem.id, dict(problem.params), text)}


def _translated(info: RunInfo) -> RunInfo:
    """Return a run with the reason of its failure in the language that the current request asks for.

    Runs of older versions have only the English text.
    """
    if info.message is None:
        return info
    message = message_text(stored({"id": info.message.id, "params": info.message.params}, info.says))
    return msgspec.structs.replace(info, says=message.text, message=message)
