"""The audit: every table's chain and replay, then the balances, the checkpoint and the database's triggers."""

from __future__ import annotations

import time
from os import PathLike
from typing import TYPE_CHECKING

from pitbook.audit.archives import check_archive, check_signature
from pitbook.audit.chain import CORRECTS_TIME, GENESIS, check_link
from pitbook.audit.checkpoint import Signatures, read_checkpoint, running_checkpoint
from pitbook.audit.details import detail
from pitbook.audit.dice import DiceMoves
from pitbook.audit.errors import CheckFailed, Unreadable, ensure
from pitbook.audit.house import HOUSE, HouseReplay
from pitbook.audit.money import Ledger
from pitbook.audit.replay import MoneyOnly, Replay
from pitbook.audit.report import GUARDING, MISSING_BOOK, Finding, Report, Signed
from pitbook.audit.shelf import MissingBook, Shelf
from pitbook.audit.source import list_streams, open_source, read_detached, read_entries
from pitbook.audit.triggers import check_version, expected_triggers, find_book_table, find_trigger_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pitbook.audit.checkpoint import Checkpoint
    from pitbook.audit.roster import Roster
    from pitbook.audit.snapshots import Snapshot
    from pitbook.audit.source import Detached, Entry, Source

PROGRESS_EVERY = 20_000
"""Events between two reports of progress."""

SHARED = (
    "SELECT account FROM (SELECT DISTINCT account, table_name FROM postings) AS moved"
    " GROUP BY account HAVING count(*) > 1"
)
USED_TWICE = (
    "SELECT table_name, key FROM entries WHERE key IS NOT NULL GROUP BY table_name, key HAVING count(*) > 1 LIMIT 1"
)


def audit(
    database: str | PathLike[str],
    checkpoint: str | PathLike[str] | Sequence[str | PathLike[str]] | None = None,
    key: str | PathLike[str] | None = None,
    *,
    books: Iterable[str | PathLike[str]] = (),
    running_key: str | PathLike[str] | None = None,
    archives: Iterable[str | PathLike[str]] = (),
    progress: Callable[[int, str], None] | None = None,
) -> Report:
    """Audit a journal, by the path of its file or its URL.

    A checkpoint also shows what was cut off or rewritten; with the signer's public key its signature is verified, too.
    Several of them show between which two the record was rewritten. The running checkpoint beside a journal's file is
    one of them; its signature is verified with `key` or `running_key`, whichever has signed it.
    Archives are audited, too, and compared with what the journal says of the tables in them.
    Books are read from the journal, by the digests that setups name; older journals need those that are passed in.
    Raise `Unreadable` if there is nothing to audit.
    """
    started = time.perf_counter()
    shelf = Shelf()
    for book in books:
        _add_book(shelf, str(book))
    signed = [read_checkpoint(one, key) for one in _listed(checkpoint)]
    report = Report(str(database).rpartition("@")[2])
    keys = [one for one in (key, running_key) if one is not None]
    try:
        running = running_checkpoint(str(database), keys)
        signed += [running] if running is not None else []
    except Unreadable as error:
        report.findings.append(Finding("", None, "checkpoint", error.detail, about="checkpoint"))
    source = open_source(str(database))
    try:
        check_version(source, report.database)
        _Audit(source, report, signed, shelf, progress, keys).run()
        for archive in archives:
            found = audit(archive, None, key, books=books, running_key=running_key, progress=progress)
            check_archive(source, str(archive), found, report)
    finally:
        source.close()
    report.seconds = time.perf_counter() - started
    return report


def _listed(given: str | PathLike[str] | Sequence[str | PathLike[str]] | None) -> Sequence[str | PathLike[str]]:
    return () if given is None else (given,) if isinstance(given, str | PathLike) else given


def _add_book(shelf: Shelf, book: str) -> None:
    try:
        shelf.add_file(book)
    except CheckFailed as fault:
        raise Unreadable(fault.detail.id, **fault.detail.params) from None


class _Audit:
    def __init__(
        self,
        source: Source,
        report: Report,
        signed: Sequence[Checkpoint],
        shelf: Shelf,
        progress: Callable[[int, str], None] | None,
        keys: Sequence[str | PathLike[str]],
    ) -> None:
        self._source = source
        self._report = report
        self._signed = sorted(signed, key=lambda one: one.at)
        self._shelf = shelf
        self._progress = progress
        self._keys = keys
        self._detached = read_detached(source)
        self._roster: Roster | None = None
        self._ledger = Ledger(account for (account,) in source.rows(SHARED))
        self._dice = DiceMoves(source)
        self._numbered: dict[int, list[str]] = {}
        """The tables that are open at the end of their records, by their numbers on the floor."""

    def run(self) -> None:
        report = self._report
        self._books()
        tables = list_streams(self._source)
        for detached in self._detached:
            self._check_detached(detached, tables)
        for table in sorted(tables, key=lambda name: name != HOUSE):  # the house first: it has the roles
            report.tables += 1
            self._table(table)
        report.findings.sort(key=lambda finding: finding.at)
        stored = dict(self._source.rows("SELECT account, balance FROM balances"))
        report.accounts = len(stored)
        left_early = [one for one in report.findings if one.table and one.kind != MISSING_BOOK]
        if not left_early:  # a table that was left early has moved no more money here
            report.findings += [
                Finding("", None, "balances", why, about="balances") for why in self._ledger.find_errors(stored)
            ]
        for table, key in self._source.rows(USED_TWICE):
            report.findings.append(Finding(table, None, "", detail("key-twice", key=key), about="key"))
        for number, (first, *others) in self._numbered.items():
            same = detail("number-twice", number=number, table=first)
            report.findings += [Finding(table, None, "", same) for table in others]
        self._checkpoints()
        faults = list(find_trigger_errors(self._source))
        report.findings += [Finding("", None, GUARDING, why, about=GUARDING) for why in faults]
        report.guards = len(expected_triggers(self._source)) if not faults else 0

    def _check_detached(self, detached: Detached, tables: Sequence[str]) -> None:
        """Check what the journal keeps of a table whose record is in another file, and carry what it moved."""
        text = detail("detached-table", table=detached.table, entries=detached.length, file=detached.file)
        self._report.detached.append(text)
        try:
            ensure(detached.table not in tables, "archived-rows", "detached")
            self._ledger.add_detached(detached.table, detached.moves())
            check_signature(detached, self._keys)
        except CheckFailed as fault:
            self._report.findings.append(Finding(detached.table, None, "", fault.detail, detached.at, about="detached"))

    def _books(self) -> None:
        """Load the books of the journal; an older schema has none."""
        name = find_book_table(self._source)
        if name is None:
            return
        for digest, content in self._source.rows(f"SELECT digest, content FROM {name} ORDER BY digest"):
            try:
                self._shelf.add_text(digest, content)
            except CheckFailed as fault:
                self._report.findings.append(Finding("", None, "book", fault.detail, about="book"))

    def _compare_detached(self, detached: Detached) -> None:
        """Compare the last entry of a table whose record is in another file with what was signed."""
        signatures = Signatures(self._signed, detached.table)
        try:
            signatures.check(detached.length, detached.head)
            why = signatures.truncation(detached.length)
        except CheckFailed as fault:
            why = fault.detail
        if why is not None:
            self._report.findings.append(Finding(detached.table, detached.length, "", why, detached.at, about="signed"))

    def _table(self, table: str) -> None:
        """Audit one table to its end, or to the first entry that is wrong."""
        replay: HouseReplay | Replay | MoneyOnly = self._replay(table)
        signatures = Signatures(self._signed, table)
        snapshots = self._snapshots(table)
        sequence, before, kind, at = 0, GENESIS, "", ""
        try:
            for entry in read_entries(self._source, table):
                sequence, kind, earlier, at = sequence + 1, entry.columns[2], at, entry.columns[6]
                check_link(entry, sequence, before)
                before = entry.columns[13]
                signatures.check(sequence, before)
                try:
                    replay.apply(entry)
                except MissingBook as missing:
                    self._report.findings.append(
                        Finding(table, sequence, MISSING_BOOK, missing.detail, at, about="book")
                    )
                    replay = MoneyOnly(table, self._ledger)
                    replay.apply(entry)
                if at < earlier and kind not in CORRECTS_TIME:
                    raise CheckFailed("written-before", about="time", at=at, earlier=earlier)
                if sequence in snapshots:
                    self._snapshot(replay, snapshots.pop(sequence), before)
                self._count(entry, table)
            kind = ""
            replay.finish()
            if isinstance(replay, Replay) and replay.number is not None:
                self._numbered.setdefault(replay.number, []).append(table)
        except CheckFailed as fault:
            place, kind = (fault.sequence, "") if fault.sequence else (sequence or None, kind)
            number = replay.state.round.number if isinstance(replay, Replay) and replay.state.open else None
            wrong = Finding(table, place, kind, fault.detail, at, number, signatures.rewritten, fault.about)
            self._report.findings.append(wrong)
            return
        for left in snapshots:
            stray = detail("snapshot-no-entry")
            self._report.findings.append(Finding(table, left, "", stray, at, about="snapshot"))
        cut = signatures.truncation(sequence)
        if cut is not None:
            self._report.findings.append(Finding(table, sequence, "", cut, about="cut"))

    def _replay(self, table: str) -> HouseReplay | Replay:
        if table != HOUSE:
            return Replay(table, self._ledger, self._report, self._dice, self._roster, self._shelf)
        house = HouseReplay(self._report)
        self._roster = house.roster
        return house

    def _snapshot(self, replay: HouseReplay | Replay | MoneyOnly, snapshot: Snapshot, head: bytes) -> None:
        try:
            replay.check_snapshot(snapshot, head)
        except CheckFailed as fault:
            fault.about = "snapshot"
            raise
        self._report.snapshots += not isinstance(replay, MoneyOnly)

    def _snapshots(self, table: str) -> dict[int, Snapshot]:
        query = "SELECT sequence, head, content, hash FROM snapshots WHERE table_name = ?"
        return {row[0]: (row[0], row[1], row[2], row[3]) for row in self._source.rows(query, table)}

    def _count(self, entry: Entry, table: str) -> None:
        report = self._report
        report.events += 1
        report.transfers += len(entry.transfers)
        for _, legs in entry.transfers:
            report.postings += len(legs)
        if self._progress and report.events % PROGRESS_EVERY == 0:
            self._progress(report.events, table)

    def _checkpoints(self) -> None:
        report = self._report
        known = set(list_streams(self._source))
        for detached in self._detached:
            self._compare_detached(detached)
            known.add(detached.table)
        for table in sorted({table for signed in self._signed for table in signed.heads} - known):
            count = max(signed.heads[table][0] for signed in self._signed if table in signed.heads)
            report.findings.append(Finding(table, None, "", detail("all-cut", count=count), about="cut"))
        faults = [signed.fault for signed in self._signed if signed.fault is not None]
        report.findings[:0] = [Finding("", None, "checkpoint", fault, about="checkpoint") for fault in faults]
        for one in self._signed:
            report.checkpoints.append(Signed(one.at, one.entries, len(one.heads), one.signer, one.signature))
            report.checkpoint, report.key = one.detail, one.key
