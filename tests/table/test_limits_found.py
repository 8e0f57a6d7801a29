"""Wagers found outside the limits, Singapore 5.10 and 5.11: collecting one bet never changes how another is settled."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from pitbook.ledger.accounts import drop, float_of
from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.table.sic_bo import ANN, DEALER, FLOOR, MASSACHUSETTS, SINGAPORE, SicBoTable, packaged, ready


def layout(**changes: Any) -> SicBoTable:
    return packaged(SINGAPORE, **changes)


def test_the_excess_over_the_maximum_goes_back_even_after_the_bet_was_collected() -> None:
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
    chips, box = float_of("t1"), drop("t1")
    start = table.balances[chips] + table.balances[box]
    table.bet(ANN, "big=100")
    table.finish((1, 2, 3))
    table.does(ANN, c.CashOut(900_00))
    table.does("ben the player", c.CashOut(1_000_00))
    assert table.balances[chips] + table.balances[box] - start == 100_00 == table.table.inventory.won


def test_what_stays_of_a_bet_is_the_minimum_or_more_or_nothing() -> None:
    table = layout()
    table.bet(ANN, "big=10", "small=5")
    refusal = table.refused(ANN, c.TakeDown("big", 5_01), Reason.UNDER_MINIMUM)
    assert refusal.says == "S$4.99 would stay on Big, below the minimum of S$5. Take all of it down."
    table.does(ANN, c.TakeDown("big", 5_00))
    table.does(ANN, c.TakeDown("small", 5_00))
    assert [(bet.wager, bet.amount) for bet in table.table.bets.values()] == [("big", 5_00)]


def test_the_tables_payout_limit_holds_for_a_bet_that_is_moved() -> None:
    table = layout(payout_max=200_00)
    table.bet(ANN, "small=100")
    refusal = table.refused(ANN, c.MoveBet("small", "total/4", 100_00), Reason.PAYOUT_LIMIT)
    assert refusal.says == "With this bet, one throw could cost S$6,200; this table pays at most S$200. Bet less."
    table.does(ANN, c.MoveBet("small", "big", 100_00))


def test_no_wager_is_found_after_the_winners_were_paid() -> None:
    raw = deepcopy(packaged_raw(SINGAPORE))
    clear = {"id": "clear", "act": "clear", "who": ["dealer"], "clause": "3.11", "after": ["pay"], "says": "clear"}
    raw["procedure"]["round"].append(clear)
    table = ready(raw, "automated")
    table.bet(ANN, "big=10")
    table.go("collect")
    table.does(DEALER, c.RecordFound("ann", "small", 2_00))
    table.go("pay")
    for found in (c.RecordFound("ben", "small", 2_00), c.RecordFound("ben", "small", 10_00, late=True)):
        refusal = table.refused(DEALER, found, Reason.NOT_NOW)
        assert refusal.says.startswith("Such a bet is settled only ")
        assert refusal.clauses == (("5.6",) if found.late else ("5.10",))


def test_a_found_wager_is_covered_by_the_chips_of_its_player() -> None:
    table = layout()
    table.take("open")
    table.go("close")
    table.does(ANN, c.CashOut(400_00))
    table.refused(DEALER, c.RecordFound("ann", "small", 0), Reason.BAD_AMOUNT)
    short = table.refused(DEALER, c.RecordFound("ann", "small", 600_01), Reason.NO_FUNDS)
    assert "Not enough chips: ann has S$600." in short.says
    table.does(DEALER, c.RecordFound("ann", "small", 600_00))
    assert table.holds("ann") == 0


def test_a_bet_is_taken_down_or_moved_by_those_whom_the_clause_names() -> None:
    table = packaged(MASSACHUSETTS)
    table.bet(ANN, "small=10")
    for command in (c.TakeDown("small", 5_00, player="ann"), c.MoveBet("small", "big", 5_00, player="ann")):
        assert table.refused(FLOOR, command, Reason.WRONG_ROLE).clauses == ("3(b)",)
        table.does(DEALER, command)


def test_bets_of_one_command_on_the_same_area_count_together_with_what_lies_there() -> None:
    table = packaged(MASSACHUSETTS)
    table.bet(ANN, "small=100")
    several = (c.BetRequest("small", 300_00), c.BetRequest("small", 100_01))
    assert "The maximum on Small" in table.refused(ANN, c.PlaceBets(several), Reason.OVER_MAXIMUM).says
    table.does(ANN, c.PlaceBets((several[0], c.BetRequest("small", 100_00))))
    assert table.holds("ann") == 500_00
