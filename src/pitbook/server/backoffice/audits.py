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
from pitbook.messages import compose
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import MessageText, Problem, message_text
from pitbook.server.schemas.people import Names

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pitbook.auth.leases import Lease, Leases
    from pitbook.messages import Message

log = logging.getLogger(__name__)

LEASE = "audit"
LEASE_SECONDS = 60.0
LISTED_MAX = 1_000
"""The most findings, and the most void rounds, that are listed; all are counted."""


class RewrittenInfo(msgspec.Struct, frozen=True):
    """The part of a record that was changed, as checkpoints show."""

    first: int
    last: int
    """Both entries included."""
    held: str | None
    """The time of the last checkpoint that still matches; null if none was given."""
    broken: str
    """The time of the first checkpoint that does not match."""


class CheckpointHeld(msgspec.Struct, frozen=True):
    """A checkpoint that the journal was compared with."""

    at: str
    entries: int
    tables: int
    signer: str
    """The id of the key that it names."""
    signature: Literal["right", "wrong", "by another key", "not checked"]


class FindingInfo(msgspec.Struct, frozen=True):
    """Something wrong, and where."""

    table: str
    """Empty for the journal as a whole."""
    sequence: int | None
    kind: str
    why: str
    """The details in English."""
    detail: MessageText
    """The details in the language that the request asks for."""
    at: str = ""
    round: int | None = None
    """The round that the table was in; null for other entries."""
    rewritten: RewrittenInfo | None = None
    about: str = "rules"
    """The kind of finding; `rules` if the rules do not allow it."""
    message: MessageText | None = None
    """The kind of finding in the language that the request asks for."""


class VoidInfo(msgspec.Struct, frozen=True):
    """A round of an automatic table that was voided after betting had closed."""

    table: str
    round: int
    house: int
    """The house's win if the round had counted, in minor units; negative for a loss avoided."""


class AuditReport(msgspec.Struct, frozen=True):
    """The result of an audit."""

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
    """The latest checkpoint in words; without one, a truncated record cannot be detected."""
    checkpoints: list[CheckpointHeld]
    """All of them, the earliest first."""
    key: str | None
    """The id of the key that verified their signatures."""
    seconds: float
    events_per_second: int


State = Literal["idle", "running", "finished", "cancelled", "failed"]


class AuditState(msgspec.Struct, frozen=True):
    """The audit in progress, or the last one."""

    state: State
    by: str | None = None
    started: str | None = None
    ended: str | None = None
    events: int = 0
    """The entries read so far."""
    total: int = 0
    """The entries that there were at the start."""
    table: str = ""
    """The table being read."""
    says: str = ""
    """Why it failed."""
    report: AuditReport | None = None
    names: Names = msgspec.field(default_factory=dict)


IDLE = AuditState("idle")


class AuditRunner:
    """Audits of a house, controlled from the event loop; each runs in a separate process."""

    def __init__(self, clock: Callable[[], datetime], leases: Leases, books: tuple[str, ...]) -> None:
        self._clock = clock
        self._books = books
        self._leases = leases
        self._holder = uuid4().hex
        self._state = IDLE
        self._progress: tuple[int, str] = (0, "")
        self._why: Message | None = None
        """Why the last audit failed."""
        self._job: Job | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def state(self) -> AuditState:
        """The state of the audit of this process."""
        if self._state.state != "running":
            return self._state if self._why is None else _with_reason(self._state, self._why)
        events, table = self._progress
        return msgspec.structs.replace(self._state, events=events, table=table)

    async def get_state(self) -> AuditState:
        """Return the state of the audit, whichever process runs it."""
        if self._state.state != "running":
            held = await asyncio.to_thread(self._leases.current, LEASE)
            if held is not None and held.holder != self._holder:
                return _with_reason(AuditState("running"), detail("audit-elsewhere"))
        return self.state

    async def start(
        self, by: str, place: str, total: int, checkpoint_texts: tuple[str, ...], key: str | None
    ) -> AuditState:
        """Start an audit; raise a problem if one is in progress."""
        if self._state.state == "running":
            raise Problem("conflict", detail("audit-in-progress", by=self._state.by))
        mine = self._state = AuditState("running", by, self._now(), total=total)
        self._progress, self._why = (0, ""), None
        lease = await asyncio.to_thread(self._leases.acquire, LEASE, self._holder, LEASE_SECONDS)
        if lease is None:
            self._state = IDLE
            raise Problem("conflict", detail("other-process-audits"))
        task = asyncio.get_running_loop().create_task(self._run(mine, lease, place, checkpoint_texts, key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return mine

    def cancel(self) -> AuditState:
        """Cancel the audit."""
        if self._state.state != "running":
            raise Problem("conflict", detail("no-audit"))
        self._end("cancelled")
        return self.state

    def cancel_silently(self) -> None:
        """Cancel the audit, if any, because the server stops."""
        if self._state.state == "running":
            self._end("cancelled", detail("audit-stopped"))

    async def close(self) -> None:
        """Cancel the audit, if any, and wait until it has ended."""
        self.cancel_silently()
        await self.wait_finished()

    async def wait_finished(self) -> None:
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _now(self) -> str:
        return self._clock().isoformat(timespec="seconds")

    def _end(self, state: State, why: Message | None = None, report: AuditReport | None = None) -> None:
        self._state = msgspec.structs.replace(self.state, state=state, ended=self._now(), report=report, table="")
        self._why = why
        job, self._job = self._job, None
        if job is not None:
            job.kill()

    async def _run(
        self, mine: AuditState, lease: Lease, place: str, checkpoint_texts: tuple[str, ...], key: str | None
    ) -> None:
        renewing = asyncio.create_task(self._renew(lease))
        try:
            data = await asyncio.to_thread(self._work, mine, place, checkpoint_texts, key)
        except ProcessEnded:
            self._finish(mine, "failed", detail("audit-lost"))
        except InputError as error:
            self._finish(mine, "failed", error.message)
        except Exception:
            log.exception("an audit failed")
            self._finish(mine, "failed", detail("audit-failed"))
        else:
            report = build_report(data)
            self._progress = (report.events, "")
            self._finish(mine, "finished", report=report)
            log.info("audit by %s: %s", mine.by, "right" if report.good else f"WRONG, {report.finding_count} findings")
        finally:
            renewing.cancel()
            await asyncio.to_thread(self._leases.release, lease)

    async def _renew(self, lease: Lease) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 3)
            try:
                await asyncio.to_thread(self._leases.renew, lease, LEASE_SECONDS)
            except Exception as error:  # the audit only reads, so it may continue
                log.warning("the audit lease could not be renewed: %s", error)

    def _finish(
        self, mine: AuditState, state: State, why: Message | None = None, report: AuditReport | None = None
    ) -> None:
        if self._state is mine:  # not cancelled meanwhile
            self._end(state, why, report)

    def _work(self, mine: AuditState, place: str, checkpoint_texts: tuple[str, ...], key: str | None) -> Any:
        job = Job(run_audit, place, checkpoint_texts, key, self._books)
        if self._state is mine:
            self._job = job
        if self._state is not mine:  # cancelled before it began
            job.kill()
        return job.result(self._set_progress)

    def _set_progress(self, progress: tuple[int, str]) -> None:
        self._progress = progress


def _with_reason(state: AuditState, why: Message) -> AuditState:
    """Return a state with the reason in the language that the current request asks for."""
    return msgspec.structs.replace(state, says=message_text(why).text)


def run_audit(
    place: str, checkpoint_texts: tuple[str, ...], key: str | None, books: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Run the audit in a child process; the auditor reads checkpoints and key from files."""
    from pitbook.audit import audit
    from pitbook.audit.errors import Unreadable

    with TemporaryDirectory(prefix="pitbook-audit-") as folder:
        checkpoints = [
            _write_file(
                Path(folder), f"checkpoint {number}" if len(checkpoint_texts) > 1 else "the checkpoint", content
            )
            for number, content in enumerate(checkpoint_texts, 1)
        ]
        public = None if key is None else _write_file(Path(folder), "the public key", key)
        try:
            report = audit(
                place,
                checkpoints,
                public,
                books=books,
                progress=lambda events, table: report_progress((events, table)),
            )
        except Unreadable as error:
            params = {
                name: str(value).replace(folder + "/", "").replace(place, "the journal")
                for name, value in error.detail.params.items()
            }
            raise InputError("common.text", text=compose(f"checks.{error.detail.id}", **params)) from None
    return report.as_dict()


def _write_file(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def build_report(data: dict[str, Any]) -> AuditReport:
    """Return an auditor's report for the API."""
    findings = [one | {"detail": one["detail"] | {"text": one["why"]}} for one in data["findings"][:LISTED_MAX]]
    listed = {"findings": findings, "voids": data["voids"][:LISTED_MAX]}
    counts = {"finding_count": len(data["findings"]), "void_count": len(data["voids"])}
    return msgspec.convert({**data, **listed, **counts}, AuditReport)
