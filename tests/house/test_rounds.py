"""Past rounds are found without reading the whole record, on either database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitbook.house.house import House
from pitbook.house.records import read_entries
from pitbook.house.rounds import KINDS, KINDS_INDEX, entries_of, past_rounds
from pitbook.journal.port import Store
from pitbook.journal.postgres import PostgresStore
from pitbook.journal.queries import kinds_in
from pitbook.journal.sqlite import SqliteStore
from pitbook.table import commands as c
from pitbook.testing import JournalTable
from tests.audit.journals import house_at, play


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path) -> Iterator[House]:  # type: ignore[no-untyped-def]
    store: Store
    if request.param == "sqlite":
        store = SqliteStore(tmp_path / "house.db")
    else:
        store = PostgresStore(request.getfixturevalue("postgres_url"))
    with house_at(store) as made:
        yield made


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "dice-ology"])
def test_a_rounds_entries_are_those_that_the_whole_record_gives_it(house: House, book: str) -> None:
    table = JournalTable(house, book)
    table.buy_in("ann")
    play(table, 6, players=("ann",))
    if book == "massachusetts-sic-bo":
        table.open_betting()
        table.bet("ann", "small=10")
        table.does(table.crew["dealer"], c.Call("power-failure"))
    record = list(read_entries(house.store, "t1"))
    for number in range(1, table.table.round.number + 1):
        right = [one.entry.sequence for one in record if one.before.round.number == number and one.entry.sequence]
        found = [entry.sequence for entry in entries_of(house.store, "t1", number)]
        assert found == right, number
    assert list(entries_of(house.store, "t1", 99)) == []


def test_the_latest_rounds_come_first_page_by_page_with_their_corrections(house: House) -> None:
    table = JournalTable(house, "massachusetts-sic-bo")
    table.buy_in("ann", 50_000)
    for number in range(1, 8):
        table.open_betting()
        table.bet("ann", "small=10")
        table.take_steps((1, 2, 3), until="collect losers")
        if number == 3:
            table.does(table.most_senior, c.CorrectDice((4, 5, 6), "misread"))
        table.take_steps()
        if number == 5:
            table.does(table.crew["dealer"], c.ProposeResettlement(5, (6, 6, 5), "misread"))
            table.does(table.most_senior, c.ApproveResettlement(5))
    first = past_rounds(house.store, "t1", limit=4)
    rest = past_rounds(house.store, "t1", below=first[-1].number, limit=4)
    dice = {past.number: (past.dice, past.corrected) for past in (*first, *rest)}
    assert [past.number for past in (*first, *rest)] == [7, 6, 5, 4, 3, 2, 1]
    assert dice[3] == ((4, 5, 6), True)
    assert dice[5] in (((6, 6, 5), True), ((5, 6, 6), True))
    assert dice[1] == ((1, 2, 3), False)


def test_the_index_is_used(house: House) -> None:
    table = JournalTable(house, "massachusetts-sic-bo")
    assert table.table.open
    query = f"SELECT sequence FROM entries WHERE table_name = 't1' AND sequence > 0 AND {kinds_in(KINDS)}"
    store = house.store
    with store.reader() as reader:  # type: ignore[attr-defined]
        if isinstance(store, SqliteStore):
            plan = str(reader.fetch(f"EXPLAIN QUERY PLAN {query} ORDER BY sequence", ()))
        else:
            reader.fetch("SELECT set_config('enable_seqscan', 'off', false)", ())
            plan = str(reader.fetch(f"EXPLAIN {query} ORDER BY sequence", ()))
    assert KINDS_INDEX in plan
