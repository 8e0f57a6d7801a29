"""Archives: the records of tables that a journal names as detached, compared with what it keeps of them."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from pitbook.audit import ed25519
from pitbook.audit.chain import encode_fields
from pitbook.audit.checkpoint import read_public_key
from pitbook.audit.details import detail
from pitbook.audit.errors import CheckFailed, ensure
from pitbook.audit.report import Finding
from pitbook.audit.source import open_source, read_detached, read_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from pitbook.audit.report import Report
    from pitbook.audit.source import Detached, Entry, Source

HOUSE = "house"


def check_signature(detached: Detached, keys: Sequence[str | PathLike[str]]) -> None:
    """Check the signature of a detached table with the one of these public keys that it names, if any."""
    for public in map(read_public_key, keys):
        if sha256(public).hexdigest()[:16] == detached.signer:
            table, length, head, at, file, moved, signer, signature = detached
            message = encode_fields(b"pitbook detached table 1", (table, length, head, at, file, moved, signer))
            ensure(ed25519.verify(public, message, signature), "not-signed", "detached", signer=signer)


def check_archive(source: Source, archive: str, audited: Report, report: Report) -> None:
    """Check that an archive is right in itself, and is the record of a table that the journal has detached."""
    report.findings += audited.findings
    opened = open_source(archive)
    try:
        found = [one for one in read_detached(source) if _last(opened, one.table) is not None]
        if not found:
            why = detail("archive-no-table", archive=archive)
            report.findings.append(Finding("", None, "archive", why, about="detached"))
        for detached in found:
            try:
                _compare(source, opened, detached)
                report.archives.append(archive)
            except CheckFailed as fault:
                why = detail("in-archive", archive=archive, reason=fault.detail)
                report.findings.append(Finding(detached.table, fault.sequence, "archive", why, about="detached"))
    finally:
        opened.close()


def _compare(source: Source, archive: Source, detached: Detached) -> None:
    head = _last(archive, detached.table)
    ensure(head == (detached.length, detached.head), "archive-end", "detached")
    moved = _moves(read_entries(archive, detached.table))
    ensure(moved == detached.moves(), "archive-amounts", "detached")
    house = _last(archive, HOUSE)
    if house is not None:
        row = next(source.rows("SELECT hash FROM entries WHERE table_name = ? AND sequence = ?", HOUSE, house[0]), None)
        ensure(row == (house[1],), "archive-house", "detached")


def _last(source: Source, table: str) -> tuple[int, bytes] | None:
    query = "SELECT sequence, hash FROM entries WHERE table_name = ? ORDER BY sequence DESC LIMIT 1"
    row = next(source.rows(query, table), None)
    return None if row is None else (row[0], row[1])


def _moves(entries: Iterable[Entry]) -> dict[str, tuple[int, int]]:
    """Return the highest and the final sum that entries move on each account."""
    moved: dict[str, tuple[int, int]] = {}
    for entry in entries:
        for _, legs in entry.transfers:
            for account, amount in legs:
                high, total = moved.get(account, (0, 0))
                moved[account] = max(high, total + amount), total + amount
    return moved
