"""The house: tables over a journal, and back from its snapshots."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.house.codec import domain
from pitbook.house.house import House
from pitbook.journal.runner import Settings
from pitbook.journal.sqlite import SqliteStore
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.table import commands as c
from pitbook.testing import person
from tests.table.driving import setup
from tests.waiting import HANG

SETTINGS = Settings(snapshot_every=1)


@pytest.mark.parametrize("book", PACKAGED)
def test_a_table_comes_back_from_its_snapshot_as_it_was_to_the_order_of_its_areas(tmp_path: Path, book: str) -> None:
    shaker = "automated" if book.startswith("singapore") else "manual"
    path = tmp_path / "house.db"
    with House(SqliteStore(path), SETTINGS) as house:
        for who, command in (
            ("max the manager", c.OpenTable(setup(book, shaker=shaker))),
            ("ann the player", c.BuyIn(1_000_00)),
        ):
            assert house.ask("t1", person(who), command).refused is None
        before = house.table("t1")
    with House(SqliteStore(path), SETTINGS) as house:
        snapshot = house.store.snapshot("t1")
        assert snapshot is not None
        assert snapshot.sequence == 2
        after = house.table("t1")
    assert after == before == domain(house.books).load("t1", snapshot.content)
    assert list(after.areas) == list(before.areas)


def test_bets_handed_in_together_are_all_taken_and_in_order(tmp_path: Path) -> None:
    with House(SqliteStore(tmp_path / "house.db")) as house:
        house.ask("t1", person("max the manager"), c.OpenTable(setup("dice-ology")))
        handed = [house.submit("t1", person("ann the player"), c.BuyIn(100), key=str(number)) for number in range(300)]
        sequences = [future.result(HANG).sequence for future in handed]
        assert sequences == list(range(2, 302))
