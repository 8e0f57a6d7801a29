"""What the journal is asked and what it answers: events are bytes, and how to decide is handed in."""

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
    """Something that happened, and the money that it moves."""

    kind: str
    body: bytes
    transfers: tuple[Transfer, ...] = ()
    tag: int | None = None
    """A number by which the entry can be found; unique in its table."""


class Accepted(msgspec.Struct, frozen=True):
    """A command's events and its answer. Without events nothing is recorded, and the key is not remembered."""

    events: tuple[Event, ...]
    answer: bytes
    attachment: str = ""
    """The digest of the attachment that the events are written under."""
    beside: tuple[Event, ...] = ()
    """Events for the second sequence of a `Joint` decision, written in the same transaction."""
    attachments: dict[str, bytes] = {}
    """Contents that the events name, by digest; kept in the same transaction."""
    after: Any = None
    """The state after the events, where deciding has led to it. None: the journal folds the entries."""


class Refused(msgspec.Struct, frozen=True):
    """A command refused, by name. On record too, one by one; floods of them are counted."""

    name: str
    answer: bytes
    attachment: str = ""


Decision: TypeAlias = Accepted | Refused
Decide: TypeAlias = Callable[[State, Mapping[Account, int], str], Decision]
"""Pure: called with the state, what accounts hold and the time, under the table's lock, and called again where the
database asks for it. The time is the command's, or that of the table's last entry where that is later.

Every account that is looked up in the mapping is read and locked, those of `Command.accounts` first and in order.
"""


@dataclass(frozen=True, slots=True)
class Joint(Generic[State]):
    """A decision that needs the state of a second sequence and may write to it.

    Both sequences are locked until the commit: the command's own table first, then the second one. Commands of the
    second sequence never lock a table, so that the order of locks is the same for all.
    """

    beside: str
    """The second sequence."""
    decide: Callable[[State, State, Mapping[Account, int], str], Decision]
    """Pure, like `Decide`: called with the table's state, the second sequence's, balances and the time.

    The time is not earlier than the last entry of either sequence.
    """


class Sequences(Protocol[Seen_co]):
    """Other sequences, from inside a transaction."""

    def view(self, table: str) -> Seen_co:
        """Return a sequence's state: what is committed, and what this transaction has written. It is not locked."""

    def lock(self, name: str) -> None:
        """Let nobody else lock the same name before the end of the transaction; any name will do."""


@dataclass(frozen=True, slots=True)
class Overview(Generic[State]):
    """A decision that depends on other sequences and writes to its own only.

    Decisions that must see each other lock the same name before they look.
    """

    decide: Callable[[State, Sequences[State], Mapping[Account, int], str], Decision]
    """Like `Decide`, with access to the other sequences."""


@dataclass(frozen=True, slots=True)
class Command(Generic[State]):
    """A request to a table, with who asks and how it is decided."""

    table: str
    request: bytes
    decide: Decide[State] | Joint[State] | Overview[State]
    actor: str
    role: str
    at: str
    """ISO 8601, UTC, always with as many digits: times are compared as texts."""
    key: str | None = None
    staff: bool = False
    """Staff commands overtake the others that wait."""
    accounts: tuple[Account, ...] = ()
    """The accounts whose balances it will look up, as far as known."""
    fence: int | None = None
    """Refused with `Fenced` if a command under a higher fence was written to the table; None: never."""
    restarts_time: bool = False
    """Whether it is written with its own time even where the last entry has a later one: it corrects the clock."""


class Outcome(msgspec.Struct, frozen=True):
    """What a command came to, durably."""

    answer: bytes
    sequence: int
    """The table's head when it was decided: whoever has read so far has seen it. Repeated: the first entry it wrote."""
    refused: str | None = None
    repeated: bool = False
    """Whether it had been answered before, by its key."""
