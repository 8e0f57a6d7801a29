"""Wagers found outside the limits, Singapore 5.10 and 5.11: collecting one bet never changes how another is settled."""

from __future__ import annotations

from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.table import commands as c
from tests.table.sic_bo import ANN, DEALER, SINGAPORE, Layout


def layout() -> Layout:
    table = Layout(raw=packaged_raw(SINGAPORE), shaker="automated")
    table.open()
    table.inspect_all()
    table.seat()
    return table


def test_what_is_found_above_the_maximum_goes_back_although_the_bet_below_it_was_collected_first() -> None:
    table = layout()
    table.bet(ANN, "big=500")
    table.go("close")
    table.does(DEALER, c.RecordFound("ann", "big", 300_00))
    table.finish((1, 2, 3))
    assert table.holds("ann") == 1_000_00 - 500_00


def test_two_wagers_under_the_minimum_in_the_first_such_round_both_stand() -> None:
    table = layout()
    table.take("open")
    table.go("uncover")
    table.does(DEALER, c.RecordFound("ann", "big", 2_00))
    table.does(DEALER, c.RecordFound("ann", "small", 3_00))
    table.finish((1, 2, 3))
    assert table.holds("ann") == 1_000_00 - 2_00 + 3_00
    table.take("open")
    table.go("uncover")
    table.does(DEALER, c.RecordFound("ann", "small", 3_00))
    table.finish((1, 2, 3))
    assert table.holds("ann") == 1_000_00 - 2_00 + 3_00, "after that they go back"


def test_the_win_is_what_the_table_gained_when_players_cash_at_the_cage() -> None:
    table = layout()
    start = table.balances["float:t1"] + table.balances["drop:t1"]
    table.bet(ANN, "big=100")
    table.finish((1, 2, 3))
    table.does(ANN, c.CashOut(900_00))
    table.does("ben the player", c.CashOut(1_000_00))
    assert table.balances["float:t1"] + table.balances["drop:t1"] - start == 100_00 == table.table.inventory.won
