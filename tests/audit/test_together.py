"""Several bets in one entry: the audit works out each of them, and the sum."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.journal.entries import Entry
from pitbook.journal.sqlite import SqliteStore
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import JournalTable
from tests.audit.journals import house_at
from tests.audit.test_tampering import body_changed, forged, place

BOOK = "massachusetts-sic-bo"
THREE = (c.BetRequest("small", 10_00), c.BetRequest("total/6", 5_00), c.BetRequest("small", 5_00))


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ann and Ben bet three times each in one command, one of them a raise of another."""
    path = tmp_path_factory.mktemp("together") / "house.db"
    with house_at(path, snapshot_every=5) as house:
        table = JournalTable(house, BOOK, BOOK)
        for name in ("ann", "ben"):
            table.buy_in(name)
            answer = house.ask(BOOK, Person(name, "player"), c.PlaceBets(THREE))
            assert (answer.refused, answer.events) == (None, ("BetsPlaced",))
    return path


def test_several_bets_are_one_entry_and_one_transfer_and_the_audit_agrees(record: Path) -> None:
    store = SqliteStore(record, read_only=True)
    placed = [entry for entry in store.entries(BOOK) if entry.kind == "BetsPlaced"]
    escrow = f"escrow:{BOOK}"
    legs = [[(leg.account, leg.amount) for leg in entry.transfers[0].legs] for entry in placed]
    assert legs == [[(f"player:{name}:USD", -20_00), (escrow, 20_00)] for name in ("ann", "ben")]
    assert [len(entry.transfers) for entry in placed] == [1, 1]
    store.close()
    report = audit(record)
    assert report.good, str(report)
    assert report.bets == 6


def moved_back(entries: list[Entry]) -> list[Entry]:
    """The second entry of all says that it was written before the first."""
    return [entries[0], replace(entries[1], at="2020-01-01T00:00:00.000000+00:00"), *entries[2:]]


def lonely(entries: list[Entry]) -> list[Entry]:
    at = place(entries, "BetsPlaced")
    body = b'{"type":"BetsPlaced","bets":[],"player":"ann"}'
    return [*entries[:at], replace(entries[at], body=body, transfers=()), *entries[at + 1 :]]


FORGED: dict[str, tuple[Callable[[list[Entry]], list[Entry]], str]] = {
    "a stake changed": (body_changed("BetsPlaced", b'"amount":1000', b'"amount":1100'), "the money moved is"),
    "another player's": (body_changed("BetsPlaced", b'"player":"ann"', b'"player":"ben"'), "ann acted for ben"),
    "a number skipped": (body_changed("BetsPlaced", b'"bet":2', b'"bet":3'), "the next bet is number 2, not 3"),
    "a raise of another bet": (body_changed("BetsPlaced", b'"bet":2', b'"bet":1'), "bet 1 is a different bet"),
    "over the maximum": (
        body_changed("BetsPlaced", b'"amount":1000', b'"amount":1000000000000000'),
        "outside the limits",
    ),
    "nothing staked": (body_changed("BetsPlaced", b'"amount":1000', b'"amount":0'), "the stake is zero"),
    "no bets at all": (lonely, "several bets are announced"),
    "a player of its own": (
        body_changed("BetsPlaced", b'"amount":1000', b'"player":"ben","amount":1000'),
        "one of the bets names a player",
    ),
    "a time before the one before": (moved_back, "before the previous entry"),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forgery_among_several_bets_is_seen(forgery: str, record: Path, tmp_path: Path) -> None:
    change, why = FORGED[forgery]
    first = audit(forged(record, tmp_path / "forged.db", change)).first
    assert first is not None
    assert why in first.why, str(first)
