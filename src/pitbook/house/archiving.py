"""Archive a table that is over: write its record to a file, audit the file, then remove the record from the journal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.errors import InputError, quoted
from pitbook.journal import fault_injection
from pitbook.journal.archiving import write_archive
from pitbook.journal.entries import HOUSE
from pitbook.ledger.accounts import disputes, drop, escrow
from pitbook.messages import compose

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from pitbook.house.house import House
    from pitbook.journal.port import DetachedTable
    from pitbook.messages import Message

DAYS_MIN = 30
"""Nothing younger than this many days is archived: programs may still retry commands and resume streams."""


class Archived(NamedTuple):
    """A table that was archived, and its file."""

    table: DetachedTable
    file: Path


def archive_table(
    house: House, table: str, folder: Path, key: Ed25519PrivateKey, days: int, audit: Callable[[str], None]
) -> Archived:
    """Archive a table; raise an `InputError` if something in its record is still needed.

    `audit` raises an error unless the journal at a place is right. If the process is killed, the journal either still
    has the whole record, or the archive does.
    """
    if reason := retention_reason(house, table, days):
        raise InputError("common.text", text=reason)
    now = datetime.now(UTC)
    last = house.store.head(table)
    target = folder / f"{table}-{last.sequence}.db"
    at = now.isoformat(timespec="seconds")
    detached = write_archive(house.store, table, target, key, at, "the journal that it was archived from")
    audit(str(target))
    house.store.detach(detached)
    fault_injection.point("after-detach")
    return Archived(detached, target)


def retention_reason(house: House, table: str, days: int) -> Message | None:
    """Return why the record of a table must not be archived yet, or None."""
    if days < DAYS_MIN:
        return _needed("days", days=DAYS_MIN)
    if table == HOUSE:
        return _needed("house")
    if not house.has_table(table):
        return _needed("no-table", table=quoted(table))
    state = house.table(table)
    if state.open:
        return _needed("open", table=quoted(table))
    if state.disputed or state.proposal is not None:
        return _needed("disputes", table=quoted(table))
    if state.draw is not None:
        return _needed("seed", table=quoted(table))
    if any(approval.table == table for approval in house.people.approvals.values()):
        return _needed("approval", table=quoted(table))
    accounts = escrow(table), drop(table), disputes(table)
    held = {account: amount for account, amount in house.store.balances(accounts).items() if amount}
    if held:
        accounts_held = [f"{account}: {amount}" for account, amount in held.items()]
        return _needed("money", table=quoted(table), accounts=accounts_held)
    (last,) = house.store.entries(table, house.store.head(table).sequence - 1, 1)
    if datetime.fromisoformat(last.at) > datetime.fromisoformat(house.store.now()) - timedelta(days=days):
        return _needed("recent", table=quoted(table), date=last.at[:10], days=days)
    return None


def _needed(id: str, /, **params: Any) -> Message:  # noqa: A002
    return compose(f"errors.journal.needed.{id}", **params)
