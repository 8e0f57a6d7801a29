"""One entry of the journal, and how it is put together from stored rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.journal.errors import Broken
from pitbook.ledger.accounts import Account
from pitbook.ledger.transfers import Leg, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HOUSE = "house"
"""The sequence that belongs to no table: people, roles, sign-ins, keys."""

GENESIS = bytes(32)
"""What stands before the first entry of a table."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One event of one table, as it is stored. The hash covers every other field."""

    table: str
    sequence: int
    kind: str
    body: bytes
    """The event as canonical JSON; the journal never looks inside."""
    actor: str
    role: str
    at: str
    """ISO 8601, UTC, handed in; never before that of the table's entry before it, unless it corrects the clock."""
    key: str | None
    """The idempotency key; on the first entry of its command only, like request and answer."""
    request: bytes | None
    """SHA-256 of the request."""
    answer: bytes | None
    """What the command was answered, so that the same request is answered the same again."""
    attachment: str
    """The digest of the attachment that it was written under; empty where there is none."""
    tag: int | None
    """A number by which it can be found; no other entry of its table has the same."""
    transfers: tuple[Transfer, ...]
    before: bytes
    hash: bytes


COLUMNS = "table_name, sequence, kind, body, actor, role, at, key, request, answer, attachment, tag, before, hash"
"""The stored columns, in the order of `to_row` and `assemble`; transfers have rows of their own."""


def to_row(entry: Entry) -> tuple[Any, ...]:
    """The entry's own row."""
    values = msgspec.structs.astuple(entry)
    return values[:12] + values[13:]


def transfer_rows(entry: Entry) -> list[tuple[str, int, int, str]]:
    """One row for each transfer: table, sequence, number, why."""
    return [(entry.table, entry.sequence, number, moved.why) for number, moved in enumerate(entry.transfers, 1)]


def posting_rows(entry: Entry) -> list[tuple[str, int, int, int, str, int]]:
    """One row for each leg: table, sequence, transfer, leg, account, amount."""
    return [
        (entry.table, entry.sequence, number, place, leg.account, leg.amount)
        for number, moved in enumerate(entry.transfers, 1)
        for place, leg in enumerate(moved.legs, 1)
    ]


def assemble(
    rows: Sequence[Sequence[Any]], reasons: Iterable[Sequence[Any]], legs: Iterable[Sequence[Any]]
) -> Iterator[Entry]:
    """Entries from their rows, from (sequence, transfer, why) and (sequence, transfer, leg, account, amount), in order.

    Rows that cannot be of ours (numbers that skip, legs that do not sum to nothing) are `Broken`.
    """
    table = rows[0][0] if rows else ""
    moved: dict[int, list[tuple[str, list[Leg]]]] = {}
    for sequence, transfer, why in reasons:
        transfers = moved.setdefault(sequence, [])
        transfers.append((why, []))
        if transfer != len(transfers):
            raise Broken(table, sequence, "its transfers are not numbered one by one")
    for sequence, transfer, place, account, amount in legs:
        transfers = moved.get(sequence, [])
        if not 0 < transfer <= len(transfers) or place != len(transfers[transfer - 1][1]) + 1:
            raise Broken(table, sequence, "its postings are not numbered one by one")
        transfers[transfer - 1][1].append(Leg(Account(account), amount))
    for row in rows:
        try:
            whole = tuple(Transfer(why, tuple(parts)) for why, parts in moved.pop(row[1], []))
        except ValueError as error:
            raise Broken(row[0], row[1], str(error)) from error
        *fields, before, hashed = row
        yield Entry(*fields, whole, before, hashed)  # type: ignore[call-arg] # fourteen columns and the transfers
    if moved:
        raise Broken(table, min(moved), "it has transfers, but there is no such entry")
