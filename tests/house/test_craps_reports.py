"""Reports on craps tables add up to the ledger: hold, drop, statements and exported settlements.

Bets travel, odds stand behind them, commission is paid with a bet or from a win, bets are called off, taken down in
part and moved, rolls are corrected and settled again.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pitbook.house.cash_book import CashBook
from pitbook.house.flat_tables import SHEETS, Rounds
from pitbook.house.hold import HoldBook
from pitbook.house.house import House
from pitbook.house.statements import COLUMNS, Statement
from pitbook.ledger.accounts import Account, dealers, drop, escrow, float_of
from pitbook.table import commands as c
from pitbook.testing import FLOAT, JournalTable
from tests.audit.journals import house_at
from tests.audit.test_craps_tables import ANN, TABLES, Crowd
from tests.soaking import thorough

SOLD = 1_000_000
PLAYERS = ("ann", "ben")


def held(house: House, account: Account) -> int:
    return house.store.balances([account])[account]


def won_by(table: JournalTable, name: str) -> int:
    """Return what a player has won by the ledger, with what still lies on the layout."""
    lying = sum(bet.amount + bet.commission for bet in table.table.bets.of(name))
    return table.holds(name) + lying - SOLD


def statement(house: House, name: str) -> list[dict[str, object]]:
    data, rounds = Statement(name), Rounds()
    rows = [row for entry in house.store.entries("t1") for row in data.rows(entry, rounds.of(entry))]
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def settlements(house: House) -> list[dict[str, object]]:
    (sheet,) = [one for one in SHEETS if one.name == "settlements"]
    rounds = Rounds()
    rows = [row for entry in house.store.entries("t1") for row in sheet.rows(entry, rounds.of(entry))]
    return [dict(zip(sheet.columns, row, strict=True)) for row in rows]


@pytest.mark.parametrize("name", ["craps", *thorough(*(name for name in TABLES if name != "craps"))])
def test_every_report_adds_up_to_the_ledger(name: str, tmp_path: Path) -> None:
    with house_at(tmp_path / "house.db") as house:
        crowd = Crowd(house, name, seed=len(name) + 1)
        crowd.rolls(60)
        table = crowd.table
        won = {player: won_by(table, player) for player in PLAYERS}
        tipped = held(house, dealers("t1"))
        lying = held(house, escrow("t1"))
        assert lying == sum(bet.amount + bet.commission for bet in table.table.bets.values())
        stored = held(house, float_of("t1")) + held(house, drop("t1")) - FLOAT
        assert stored == -sum(won.values()) - tipped, "what the house has won is what the players have lost"

        book = HoldBook("t1", house.books)
        cash = CashBook()
        for entry in house.store.entries("t1"):
            book.apply(entry)
            cash.apply(entry)
        assert book.whole.whole.won == stored
        assert sum(tally.won for tally in book.whole.families.values()) == stored
        assert sum(day.whole.won for day in book.days.values()) == stored
        assert sum(tally.wagered for tally in book.whole.families.values()) == book.whole.whole.wagered
        assert book.whole.drop == held(house, drop("t1")) == 2 * SOLD
        assert sum(one.amount for one in cash.movements if one.kind == "buy-in") == 2 * SOLD

        exported: Counter[str] = Counter()
        for row in settlements(house):
            undone = row["event"] in ("RoundVoided", "DiceCorrected")
            exported[str(row["player"])] += -int(row["net"]) if undone else int(row["net"])  # type: ignore[call-overload]
        for player in PLAYERS:
            rows = statement(house, player)
            assert sum(int(row["net"] or 0) for row in rows) == won[player]  # type: ignore[call-overload]
            assert exported[player] == won[player]


def test_a_come_bet_with_odds_reads_as_it_was_played(tmp_path: Path) -> None:
    with house_at(tmp_path / "house.db") as house:
        table = JournalTable(house, "craps")
        table.buy_in("ann", SOLD)
        table.bet("ann", "pass-line=10")
        table.play_round(4, 2)
        table.bet("ann", "come=10")
        table.play_round(3, 2)
        table.bet("ann", "come-odds/5=20 buy/4=20")
        table.play_round(1, 4)
        table.does(ANN, c.TakeDown("buy/4"))
        table.play_round(3, 4)
        rows = [(row["round"], row["what"], row["wager"], row["amount"], row["net"]) for row in statement(house, "ann")]
    assert rows == [
        (1, "bought in", "", SOLD, None),
        (1, "bet", "pass-line", 10_00, None),
        (2, "bet", "come", 10_00, None),
        (3, "bet", "come-odds/5", 20_00, None),
        (3, "bet", "buy/4", 20_00, None),
        (3, "paid", "come-odds/5", 20_00, 30_00),
        (3, "paid", "come", 10_00, 10_00),
        (4, "taken down", "buy/4", 20_00, None),
        (4, "collected", "pass-line", 10_00, -10_00),
    ]
