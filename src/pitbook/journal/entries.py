"""A journal entry and its conversion to and from stored rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from pitbook.journal.errors import Broken
from pitbook.ledger.accounts import Account
from pitbook.ledger.transfers import Leg, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Row: TypeAlias = tuple[Any, ...]
"""A row of a query, or the values of a statement."""

HOUSE = "house"
"""The sequence of the house itself: people, roles, sign-ins, keys, equipment."""

GENESIS = bytes(32)
"""The previous hash of a table's first entry."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """A stored event of a table. The hash covers every other field."""

    table: str
    sequence: int
    kind: str
    body: bytes
    """The event as canonical JSON; the journal does not interpret it."""
    actor: str
    role: str
    at: str
    """ISO 8601, UTC; never earlier than the previous entry's time, unless the entry corrects the clock."""
    key: str | None
    """The idempotency key; set on the first entry of a command only, like request and answer."""
    request: bytes | None
    """SHA-256 of the request."""
    answer: bytes | None
    """The command's answer, returned again if the same request is repeated."""
    attachment: str
    """The digest of the attachment in force, or empty."""
    tag: int | None
    """A number to find the entry by, unique within its table."""
    transfers: tuple[Transfer, ...]
    before: bytes
    hash: bytes


COLUMNS = "table_name, sequence, kind, body, actor, role, at, key, request, answer, attachment, tag, before, hash"
"""The stored columns in the order of `to_row` and `assemble`; transfers are separate rows."""


def to_row(entry: Entry) -> Row:
    """Return the row of the entry itself."""
    values = msgspec.structs.astuple(entry)
    return values[:12] + values[13:]


def transfer_rows(entry: Entry) -> list[tuple[str, int, int, str]]:
    """Return a row for each transfer: table, sequence, number, why."""
    return [(entry.table, entry.sequence, number, moved.why) for number, moved in enumerate(entry.transfers, 1)]


def posting_rows(entry: Entry) -> list[tuple[str, int, int, int, str, int]]:
    """Return a row for each leg: table, sequence, transfer, leg, account, amount."""
    return [
        (entry.table, entry.sequence, number, place, leg.account, leg.amount)
        for number, moved in enumerate(entry.transfers, 1)
        for place, leg in enumerate(moved.legs, 1)
    ]


def assemble(rows: Sequence[Row], reasons: Iterable[Row], legs: Iterable[Row]) -> Iterator[Entry]:
    """Build entries from ordered rows: entries, (sequence, transfer, why), (sequence, transfer, leg, account, amount).

    Raise `Broken` for inconsistent rows: numbers that skip, or legs that do not sum to zero.
    """
    table = rows[0][0] if rows else ""
    moved: dict[int, list[tuple[str, list[Leg]]]] = {}
    for sequence, transfer, why in reasons:
        transfers = moved.setdefault(sequence, [])
        transfers.append((why, []))
        if transfer != len(transfers):
            raise Broken(table, sequence, "transfers")
    for sequence, transfer, place, account, amount in legs:
        transfers = moved.get(sequence, [])
        if not 0 < transfer <= len(transfers) or place != len(transfers[transfer - 1][1]) + 1:
            raise Broken(table, sequence, "postings")
        transfers[transfer - 1][1].append(Leg(Account(account), amount))
    for row in rows:
        try:
            whole = tuple(Transfer(why, tuple(parts)) for why, parts in moved.pop(row[1], []))
        except ValueError as error:
            raise Broken(row[0], row[1], "transfer", reason=error) from error
        *fields, before, hashed = row
        yield Entry(*fields, whole, before, hashed)  # type: ignore[call-arg] # fourteen columns and the transfers
    if moved:
        raise Broken(table, min(moved), "stray")
