"""Archives: the record of a table that is over, in a separate file that can be read and audited like a journal.

An archive holds the house's own record, the table's record and the texts that it names; the house's other tables are
detached in it, as the archived table is in the journal. Of a detached table a journal keeps the head and what it moved:
for each account the highest sum at any time, and the final sum. With the highest first and the rest last, no account
falls below what it held in truth, so the other tables can be copied and audited without the detached record.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import msgspec

from pitbook.errors import InputError, quoted
from pitbook.journal import fault_injection
from pitbook.journal.backup import make_self_contained, new_file
from pitbook.journal.chain import netstrings
from pitbook.journal.checkpoints import sign
from pitbook.journal.copying import copy_new_entries
from pitbook.journal.entries import HOUSE
from pitbook.journal.keys import key_id
from pitbook.journal.port import DetachedTable, Head
from pitbook.journal.running_checkpoint import SUFFIX, save
from pitbook.journal.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from pitbook.journal.entries import Entry
    from pitbook.journal.port import Store
    from pitbook.ledger.accounts import Account


def moves_of(entries: Iterable[Entry]) -> dict[Account, tuple[int, int]]:
    """Return the highest and the final sum that entries move on each account."""
    moved: dict[Account, tuple[int, int]] = {}
    for entry in entries:
        for transfer in entry.transfers:
            for leg in transfer.legs:
                high, total = moved.get(leg.account, (0, 0))
                total += leg.amount
                moved[leg.account] = max(high, total), total
    return dict(sorted(moved.items()))


def detached_table(
    store: Store, table: str, head: Head, key: Ed25519PrivateKey, *, at: str, file: str
) -> DetachedTable:
    """Return a table as it is detached at its head, signed."""
    moved = msgspec.json.encode(moves_of(store.entries(table, 0, head.sequence)), order="sorted")
    signer = key_id(key.public_key())
    content = netstrings("pitbook detached table 1", (table, head.sequence, head.hash, at, file, moved, signer))
    return DetachedTable(table, head.sequence, head.hash, at, file, moved, signer, key.sign(content))


def write_archive(
    store: Store, table: str, target: Path, key: Ed25519PrivateKey, at: str, source: str
) -> DetachedTable:
    """Write a table's record to a new file, signed, and return the table as it is detached from the journal.

    An archive of the same record that an interrupted run has left is used again. `source` is the journal's name.
    """
    head = store.head(table)
    fault_injection.point("before-archive")
    if not target.exists():
        others = {name: end for name, end in store.heads().items() if name not in (HOUSE, table)}
        detached = [detached_table(store, name, end, key, at=at, file=source) for name, end in others.items()]
        detached += store.detached().values()
        with new_file(target) as unfinished:
            with closing(SqliteStore(unfinished)) as copy:
                heads = copy_new_entries(store, copy, only=(HOUSE, table), detached=detached)
            make_self_contained(unfinished)
            save(sign(heads, key, at), target.with_name(target.name + SUFFIX))
    with closing(SqliteStore(target, read_only=True)) as archive:
        if archive.heads().get(table) != head:
            raise InputError("journal.archive-differs", file=target, table=quoted(table))
    fault_injection.point("archive-written")
    return detached_table(store, table, head, key, at=at, file=target.name)
