"""Commands, decisions and outcomes. Events are opaque bytes; the caller supplies the decision function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from pitbook.ledger.accounts import Account
from pitbook.ledger.transfers import Transfer

State = TypeVar("State")
Seen_co = TypeVar("Seen_co", covariant=True)


class Event(msgspec.Struct, frozen=True):
    """An event and its transfers."""

    kind: str
    body: bytes
    transfers: tuple[Transfer, ...] = ()
    tag: int | None = None
    """A number to find the entry by, unique within its table."""


class Accepted(msgspec.Struct, frozen=True):
    """A command's events and answer. Without events nothing is recorded, not even the key."""

    events: tuple[Event, ...]
    answer: bytes
    attachment: str = ""
    """The digest of the attachment in force."""
    beside: tuple[Event, ...] = ()
    """Events for the second sequence of a `Joint` decision, written in the same transaction."""
    attachments: dict[str, bytes] = {}
    """Contents that the events refer to, by digest; stored in the same transaction."""
    after: Any = None
    """The state after the events, if the decision computed it; otherwise the journal folds the entries."""


class Refused(msgspec.Struct, frozen=True):
    """A refused command. Refusals are recorded too; frequent ones as a count."""

    name: str
    answer: bytes
    attachment: str = ""


Decision: TypeAlias = Accepted | Refused
Decide: TypeAlias = Callable[[State, Mapping[Account, int], str], Decision]
"""A pure function of state, balances and time, called under the table's lock and again on each retry.

The time is the command's, or that of the table's last entry if later.

Looking up an account in the mapping reads and locks it; those of `Command.accounts` are locked first, in order.
"""


@dataclass(frozen=True, slots=True)
class Joint(Generic[State]):
    """A decision that reads and may write a second sequence.

    Both sequences are locked until the commit, the command's table first. Commands of the second sequence never lock
    a table, so the lock order is the same for all.
    """

    beside: str
    """The second sequence."""
    decide: Callable[[State, State, Mapping[Account, int], str], Decision]
    """Like `Decide`, with both states; the time is not earlier than the last entry of either sequence."""


class Sequences(Protocol[Seen_co]):
    """Read access to other sequences inside a transaction."""

    def names(self) -> list[str]:
        """Return the names of all sequences with entries as this transaction sees them."""

    def view(self, table: str) -> Seen_co:
        """Return a sequence's state as this transaction sees it, without locking it."""

    def lock(self, name: str) -> None:
        """Lock an arbitrary name until the end of the transaction."""


@dataclass(frozen=True, slots=True)
class Overview(Generic[State]):
    """A decision that reads other sequences and writes only its own.

    Decisions that depend on each other lock the same name before reading.
    """

    decide: Callable[[State, Sequences[State], Mapping[Account, int], str], Decision]
    """Like `Decide`, with access to the other sequences."""


@dataclass(frozen=True, slots=True)
class Command(Generic[State]):
    """A request to a table, its actor, and its decision function."""

    table: str
    request: bytes
    decide: Decide[State] | Joint[State] | Overview[State]
    actor: str
    role: str
    at: str
    """ISO 8601, UTC, with a fixed number of digits: times are compared as text."""
    key: str | None = None
    staff: bool = False
    """Staff commands are served before the others."""
    accounts: tuple[Account, ...] = ()
    """The accounts that the decision will look up, as far as known."""
    fence: int | None = None
    """Raise `Fenced` if the table has a command with a higher fence; None: never."""
    restarts_time: bool = False
    """Whether the command corrects the clock: it keeps its time even if the last entry is later."""


class Outcome(msgspec.Struct, frozen=True):
    """The durable result of a command."""

    answer: bytes
    sequence: int
    """The last entry when it was decided; if repeated, the first entry that it wrote."""
    refused: str | None = None
    repeated: bool = False
    """Whether its key had been answered before."""
