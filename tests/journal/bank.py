"""A toy to run the journal with: players buy in, bet and are paid; dice are thrown; a table can be closed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from pitbook.journal.decisions import Accepted, Command, Decide, Decision, Event, Refused
from pitbook.journal.entries import Entry
from pitbook.journal.port import Store
from pitbook.journal.postgres import PostgresStore
from pitbook.journal.sqlite import SqliteStore
from pitbook.journal.states import Domain
from pitbook.ledger.accounts import Account, cage, escrow, float_of, player
from pitbook.ledger.transfers import move

AT = "2026-01-01T00:00:00Z"
BOOK = "5ec0de"


class Table(msgspec.Struct, frozen=True):
    """The state of a toy table: event counts and stakes."""

    name: str
    events: int = 0
    staked: int = 0
    closed: bool = False


class Fact(msgspec.Struct, frozen=True):
    """The body of every event."""

    amount: int = 0
    who: str = ""


def load(table: str, content: bytes | None) -> Table:
    return Table(table) if content is None else msgspec.json.decode(content, type=Table)


def evolve(table: Table, entry: Entry) -> Table:
    fact = msgspec.json.decode(entry.body, type=Fact)
    staked = {"bet": fact.amount, "paid": -fact.amount}.get(entry.kind, 0)
    closed = {"closed": True, "opened": False}.get(entry.kind, table.closed)
    return Table(table.name, table.events + 1, table.staked + staked, closed)


DOMAIN = Domain(load, evolve, msgspec.json.encode)


def event(kind: str, fact: Fact, *moves: tuple[Account, Account], tag: int | None = None) -> Event:
    transfers = tuple(move(kind, source, target, fact.amount) for source, target in moves)
    return Event(kind, msgspec.json.encode(fact), transfers, tag)


def command(
    table: str, decide: Decide[Table], key: str | None, words: str, *, staff: bool = False, who: str = "ann"
) -> Command[Table]:
    role = "dealer" if staff else "player"
    return Command(table, words.encode(), decide, who, role, AT, key, staff, (player(who, "USD"),))


def buy(table: str, who: str, amount: int, key: str | None = None) -> Command[Table]:
    """Return a command that sells chips."""

    def decide(state: Table, balances: Mapping[Account, int], at: str) -> Decision:
        bought = event("bought", Fact(amount, who), (cage("USD"), player(who, "USD")))
        return Accepted((bought,), f"bought {amount}".encode(), BOOK)

    return command(table, decide, key, f"buy {who} {amount}", who=who)


def bet(table: str, who: str, amount: int, key: str | None = None) -> Command[Table]:
    """Return a command that places a bet, if the table is open and the player can afford it."""

    def decide(state: Table, balances: Mapping[Account, int], at: str) -> Decision:
        if state.closed:
            return Refused("closed", b"no more bets", BOOK)
        if balances[player(who, "USD")] < amount:
            return Refused("short", b"not enough", BOOK)
        placed = event("bet", Fact(amount, who), (player(who, "USD"), escrow(table)))
        return Accepted((placed,), f"bet {amount} as {state.events}".encode(), BOOK)

    return command(table, decide, key, f"bet {who} {amount}", who=who)


def pay(table: str, who: str, amount: int, key: str | None = None) -> Command[Table]:
    """Return a command that pays a bet: two events in one command."""

    def decide(state: Table, balances: Mapping[Account, int], at: str) -> Decision:
        if state.staked < amount:
            return Refused("no-such-bet", b"", BOOK)
        back = event(
            "paid", Fact(amount, who), (escrow(table), player(who, "USD")), (float_of(table), player(who, "USD"))
        )
        return Accepted((event("won", Fact(amount, who)), back), b"paid", BOOK)

    return command(table, decide, key, f"pay {who} {amount}", who=who, staff=True)


def tell(table: str, kind: str, key: str | None = None, *, tag: int | None = None) -> Command[Table]:
    """Return a command by staff: close, open or throw."""

    def decide(state: Table, balances: Mapping[Account, int], at: str) -> Decision:
        return Accepted((event(kind, Fact(), tag=tag),), kind.encode(), BOOK)

    return command(table, decide, key, f"{kind} {tag}", staff=True, who="dan")


def open_store(where: str) -> Store:
    """Open a store by file path or URL."""
    return PostgresStore(where) if where.startswith("postgresql:") else SqliteStore(Path(where))
