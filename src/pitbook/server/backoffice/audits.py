"""Audits of this house's journal, one at a time, by the independent auditor."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

import msgspec

from pitbook.child_processes import Job, ProcessEnded, report_progress
from pitbook.errors import InputError
from pitbook.server.http.problems import Problem
from pitbook.server.schemas.people import Names

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pitbook.auth.leases import Lease, Leases

log = logging.getLogger(__name__)

LEASE = "audit"
LEASE_SECONDS = 60.0
LISTED_MAX = 1_000
"""So many findings, and so many void rounds, are listed; all are counted."""


class RewrittenInfo(msgspec.Struct, frozen=True):
    """The part of a record that was changed, as checkpoints show it."""

    first: int
    last: int
    """Entries, both included."""
    held: str | None
    """The time of the last checkpoint that still holds; null where none before it was given."""
    broken: str
    """The time of the checkpoint that does not."""


class CheckpointHeld(msgspec.Struct, frozen=True):
    """A checkpoint that the journal was held against."""

    at: str
    entries: int
    tables: int
    signer: str
    """The id of the key that it says."""
    signature: Literal["right", "wrong", "by another key", "not checked"]


class FindingInfo(msgspec.Struct, frozen=True):
    """Something wrong, and where."""

    table: str
    """Empty where it is the journal as a whole."""
    sequence: int | None
    kind: str
    why: str
    at: str = ""
    round: int | None = None
    """The round that the table was in; null where it is no table's entry."""
    rewritten: RewrittenInfo | None = None
    about: str = "rules"
    """What is wrong in a word; `rules`: it could not have happened so."""


class VoidInfo(msgspec.Struct, frozen=True):
    """A round of an automatic table that was made void after betting had closed."""

    table: str
    round: int
    house: int
    """What the house would have won of it, in minor units: below nothing, it was spared a loss."""


class AuditReport(msgspec.Struct, frozen=True):
    """What an audit proved, or found wrong."""

    good: bool
    tables: int
    events: int
    refusals: int
    transfers: int
    postings: int
    bets: int
    throws: int
    lines: int
    steps: int
    calls: int
    inspections: int
    second_persons: int
    snapshots: int
    accounts: int
    people: int
    draws: int
    lost_seeds: int
    voids: list[VoidInfo]
    void_count: int
    findings: list[FindingInfo]
    """The first wrong entry of each table, the earliest first."""
    finding_count: int
    checkpoint: str | None
    """The latest that was held against it, in words; without one, what was cut off cannot be seen."""
    checkpoints: list[CheckpointHeld]
    """All of them, the earliest first."""
    key: str | None
    """The id of the key that their signatures were checked with."""
    seconds: float
    events_per_second: int


State = Literal["idle", "running", "finished", "cancelled", "failed"]


class AuditState(msgspec.Struct, frozen=True):
    """The audit that is under way, or the last one."""

    state: State
    by: str | None = None
    started: str | None = None
    ended: str | None = None
    events: int = 0
    """How many entries have been looked at so far."""
    total: int = 0
    """How many there were when it began."""
    table: str = ""
    """Where it is."""
    says: str = ""
    """Why it failed."""
    report: AuditReport | None = None
    names: Names = msgspec.field(default_factory=dict)


IDLE = AuditState("idle")


class Auditing:
    """The audit of a house. Called in the event loop; the work is done in a process of its own."""

    def __init__(self, clock: Callable[[], datetime], leases: Leases, books: tuple[str, ...]) -> None:
        self._clock = clock
        self._books = books
        self._leases = leases
        self._holder = uuid4().hex
        self._state = IDLE
        self._progress: tuple[int, str] = (0, "")
        self._job: Job | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def state(self) -> AuditState:
        """How it stands here."""
        if self._state.state != "running":
            return self._state
        events, table = self._progress
        return msgspec.structs.replace(self._state, events=events, table=table)

    async def look(self) -> AuditState:
        """How it stands, wherever it is done."""
        if self._state.state != "running":
            held = await asyncio.to_thread(self._leases.look, LEASE)
            if held is not None and held.holder != self._holder:
                return AuditState("running", says="another process of this house does it")
        return self.state

    async def start(self, by: str, place: str, total: int, kept: tuple[str, ...], key: str | None) -> AuditState:
        """Begin an audit; a problem where one is under way."""
        if self._state.state == "running":
            raise Problem("conflict", f"an audit is under way, started by {self._state.by}; wait for it or cancel it")
        mine = self._state = AuditState("running", by, self._now(), total=total)
        self._progress = (0, "")
        lease = await asyncio.to_thread(self._leases.acquire, LEASE, self._holder, LEASE_SECONDS)
        if lease is None:
            self._state = IDLE
            raise Problem("conflict", "another process of this house does an audit; wait for it")
        task = asyncio.get_running_loop().create_task(self._run(mine, lease, place, kept, key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return mine

    def cancel(self) -> AuditState:
        """End it before its time."""
        if self._state.state != "running":
            raise Problem("conflict", "no audit is under way here")
        self._end("cancelled")
        return self._state

    def end(self) -> None:
        """The server ends."""
        if self._state.state == "running":
            self._end("cancelled", "the server was stopped")

    async def close(self) -> None:
        """The same, waiting until nothing is left of it."""
        self.end()
        await self.finished()

    async def finished(self) -> None:
        """Wait for it."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _now(self) -> str:
        return self._clock().isoformat(timespec="seconds")

    def _end(self, state: State, says: str = "", report: AuditReport | None = None) -> None:
        self._state = msgspec.structs.replace(
            self.state, state=state, ended=self._now(), says=says, report=report, table=""
        )
        job, self._job = self._job, None
        if job is not None:
            job.kill()

    async def _run(self, mine: AuditState, lease: Lease, place: str, kept: tuple[str, ...], key: str | None) -> None:
        renewing = asyncio.create_task(self._renew(lease))
        try:
            data = await asyncio.to_thread(self._work, mine, place, kept, key)
        except ProcessEnded:
            self._over(mine, "failed", "the process that audited was lost")
        except InputError as mistake:
            self._over(mine, "failed", " ".join(str(mistake).split()))
        except Exception:
            log.exception("an audit failed")
            self._over(mine, "failed", "a fault of this server's; the log has it")
        else:
            report = report_of(data)
            self._progress = (report.events, "")
            self._over(mine, "finished", report=report)
            log.info("audit by %s: %s", mine.by, "right" if report.good else f"WRONG, {report.finding_count} findings")
        finally:
            renewing.cancel()
            await asyncio.to_thread(self._leases.release, lease)

    async def _renew(self, lease: Lease) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                await asyncio.to_thread(self._leases.renew, lease, LEASE_SECONDS)
            except Exception as error:  # the audit goes on: it only reads
                log.warning("the right to audit alone could not be renewed: %s", error)

    def _over(self, mine: AuditState, state: State, says: str = "", report: AuditReport | None = None) -> None:
        if self._state is mine:  # not cancelled meanwhile
            self._end(state, says, report)

    def _work(self, mine: AuditState, place: str, kept: tuple[str, ...], key: str | None) -> Any:
        job = Job(audited, place, kept, key, self._books)
        if self._state is mine:
            self._job = job
        if self._state is not mine:  # cancelled before it began
            job.kill()
        return job.result(self._hear)

    def _hear(self, progress: tuple[int, str]) -> None:
        self._progress = progress


def audited(place: str, kept: tuple[str, ...], key: str | None, books: tuple[str, ...] = ()) -> dict[str, Any]:
    """Run the audit, in a child process; checkpoints and key become files, because the auditor reads files."""
    from pitbook.audit import audit
    from pitbook.audit.errors import Unreadable

    with TemporaryDirectory(prefix="pitbook-audit-") as folder:
        checkpoints = [
            _written(Path(folder), f"checkpoint {number}" if len(kept) > 1 else "the checkpoint", content)
            for number, content in enumerate(kept, 1)
        ]
        public = None if key is None else _written(Path(folder), "the public key", key)
        try:
            report = audit(
                place,
                checkpoints,
                public,
                books=books,
                progress=lambda events, table: report_progress((events, table)),
            )
        except Unreadable as error:
            raise InputError(str(error).replace(folder + "/", "").replace(place, "the journal")) from None
    return report.as_dict()


def _written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def report_of(data: dict[str, Any]) -> AuditReport:
    """An auditor's report as it is told here."""
    listed = {name: data[name][:LISTED_MAX] for name in ("findings", "voids")}
    counts = {"finding_count": len(data["findings"]), "void_count": len(data["voids"])}
    return msgspec.convert({**data, **listed, **counts}, AuditReport)
