"""Singapore's colour chips, and each sentence of the readings on wagers that are outside the limits or late."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.ledger.accounts import disputes, purse
from pitbook.table import commands as c
from pitbook.table.decide import Decision
from pitbook.table.decide.chips import COLOURS
from pitbook.table.refusals import Reason
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy
from tests.table.sic_bo import (
    ANN,
    BEN,
    BOSS,
    DEALER,
    PIT_MANAGER,
    PIT_SUPERVISOR,
    SINGAPORE,
    SicBoTable,
    bets_of,
)
from tests.table.sic_bo import ready as ready_table


def ready(copy: Copy) -> SicBoTable:
    return ready_table(copy.raw, "automated")


def colour(*bets: tuple[str, int]) -> c.PlaceBets:
    """Bets in colour chips."""
    return c.PlaceBets(tuple(c.BetRequest(wager, amount, "colour") for wager, amount in bets))


def with_chips(copy: Copy, amount: int = 100_00, value: int = 5_00) -> SicBoTable:
    """A table at which betting is open and ann has colour chips."""
    table = ready(copy)
    table.does(DEALER, c.BuyIn(amount, "ann", colour_value=value, marker=True))
    table.take("open")
    return table


# -- 1.1.1 and 3.3: a purse by table, player and colour


@holds(SINGAPORE, "1.1.1")
def test_sg_1_1_1_colour_chips_are_a_purse_beside_the_cash_chips(copy: Copy) -> None:
    table = with_chips(copy)
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_000_00, 100_00)
    assert table.balances[purse("ann", "SGD", "t1", "blue")] == 100_00
    assert table.refused(ANN, colour(("small", 105_00)), Reason.NO_FUNDS).reading == "colour-chips"
    table.refused(ANN, colour(("small", 60_00), ("big", 45_00)), Reason.NO_FUNDS)
    table.refused(BEN, colour(("small", 5_00)), Reason.COLOUR_CHIPS)
    table.does(ANN, colour(("small", 60_00), ("big", 40_00)))
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_000_00, 0)
    table.refused(ANN, colour(("small", 5_00)), Reason.NO_FUNDS)


@holds(SINGAPORE, "1.1.1")
def test_sg_1_1_1_two_players_never_share_a_colour_at_a_table(copy: Copy) -> None:
    table = with_chips(copy)
    taken = table.refused(BEN, c.BuyIn(50_00, colour_value=5_00, colour="blue"), Reason.COLOUR_CHIPS)
    assert taken.reading == "colour-chips"
    table.does(BEN, c.BuyIn(50_00, colour_value=5_00))
    assert table.table.purses["ben"].colour == COLOURS[1]
    table.refused(BEN, c.BuyIn(50_00, colour_value=5_00, colour="pink"), Reason.COLOUR_CHIPS)
    table.refused(BEN, c.BuyIn(50_00, colour_value=5_00, colour="tartan"), Reason.COLOUR_CHIPS)
    table.refused(BEN, c.BuyIn(50_00, colour="pink"), Reason.COLOUR_CHIPS)
    table.does(ANN, c.CashOut(100_00, kind="colour"))
    table.does(BEN, c.CashOut(50_00, kind="colour"))
    table.does(BEN, c.BuyIn(50_00, colour_value=5_00, colour="blue"))
    assert set(table.table.purses) == {"ben"}
    table.does(ANN, c.BuyIn(50_00, colour_value=5_00))
    assert table.table.purses["ann"].colour == COLOURS[1]


@holds(SINGAPORE, "1.1.1")
def test_sg_1_1_1_the_value_stays_until_all_chips_are_redeemed(copy: Copy) -> None:
    table = with_chips(copy)
    other = c.BuyIn(100_00, "ann", colour_value=10_00, marker=True)
    table.does(ANN, colour(("small", 100_00)))
    assert table.refused(DEALER, other, Reason.COLOUR_CHIPS).clauses == ("1.1.1",), "all of them lie as wagers"
    table.does(DEALER, c.BuyIn(100_00, "ann", colour_value=5_00))
    table.finish()
    assert table.holds_in_colour("ann") == 300_00
    table.does(ANN, c.CashOut(295_00, kind="colour"))
    assert table.refused(DEALER, other, Reason.COLOUR_CHIPS).clauses == ("1.1.1",), "one is left"
    table.does(ANN, c.CashOut(5_00, kind="colour"))
    table.does(DEALER, other)
    assert table.table.purses["ann"].value == 10_00


@holds(SINGAPORE, "1.1.1")
def test_sg_1_1_1_chips_collected_in_a_round_that_may_be_void_keep_colour_and_value(copy: Copy) -> None:
    table = with_chips(copy)
    table.does(ANN, colour(("big", 100_00)))
    table.go("collect")
    assert table.holds_in_colour("ann") == 0
    others = c.BuyIn(50_00, "ben", colour_value=5_00, colour="blue")
    dearer = c.BuyIn(100_00, "ann", colour_value=10_00, marker=True)
    table.refused(DEALER, others, Reason.COLOUR_CHIPS)
    table.refused(DEALER, dearer, Reason.COLOUR_CHIPS)
    table.does(DEALER, c.Call("breakage"))
    assert table.holds_in_colour("ann") == 100_00
    assert table.table.purses["ann"].value == 5_00


@holds(SINGAPORE, "1.1.1")
def test_sg_1_1_1_once_the_round_is_over_lost_chips_are_free_for_others(copy: Copy) -> None:
    table = with_chips(copy)
    table.does(ANN, colour(("big", 100_00)))
    table.finish()
    table.does(DEALER, c.BuyIn(50_00, "ben", colour_value=5_00, colour="blue"))
    assert set(table.table.purses) == {"ben"}


@holds(SINGAPORE, "1.1.1")
def test_sg_1_1_1_chips_are_redeemed_at_their_own_table_in_whole_chips(copy: Copy) -> None:
    table = with_chips(copy)
    assert table.refused(ANN, c.CashOut(7_00, kind="colour"), Reason.COLOUR_CHIPS).reading == "colour-chips"
    table.refused(ANN, c.CashOut(105_00, kind="colour"), Reason.NO_FUNDS)
    assert table.refused(BEN, c.CashOut(5_00, kind="colour"), Reason.COLOUR_CHIPS).reading == "colour-chips"
    table.does(ANN, c.CashOut(1_000_00))
    table.refused(ANN, c.CashOut(5_00), Reason.NO_FUNDS)
    table.does(ANN, c.CashOut(35_00, kind="colour"))
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (0, 65_00)


@holds(SINGAPORE, "1.1.1")
def test_sg_1_1_1_a_table_closes_once_staff_have_redeemed_all_colour_chips(copy: Copy) -> None:
    table = ready(copy)
    table.does(ANN, c.BuyIn(100_00, colour_value=5_00))
    refusal = table.refused(BOSS, c.CloseTable(), Reason.COLOUR_CHIPS)
    assert refusal.reading == "colour-chips"
    assert "still have colour chips: ann" in refusal.says
    table.does(DEALER, c.CashOut(100_00, "ann", kind="colour"))
    table.does(BOSS, c.CloseTable())
    assert table.table.purses == {}


@holds(SINGAPORE, "1.1.1")
def test_sg_1_1_1_a_marker_counts_only_when_staff_enter_the_purchase(copy: Copy) -> None:
    table = ready(copy)
    for value in (5_00, 10_00):
        own = table.refused(ANN, c.BuyIn(100_00, colour_value=value, marker=True), Reason.COLOUR_CHIPS)
        assert own.clauses == ("1.1.1",)
    assert table.refused(DEALER, c.BuyIn(100_00, "ann", colour_value=10_00), Reason.COLOUR_CHIPS).clauses == ("1.1.1",)
    table.does(DEALER, c.BuyIn(100_00, "ann", colour_value=10_00, marker=True))
    assert "shown by a marker [1.1.1]" in table.transcript()


@holds(SINGAPORE, "3.3")
def test_sg_3_3_stakes_and_winnings_in_colour_chips_return_to_the_purse(copy: Copy) -> None:
    table = with_chips(copy)
    table.does(ANN, c.PlaceBets((c.BetRequest("small", 10_00), c.BetRequest("small", 20_00, "colour"))))
    table.finish()
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_010_00, 120_00)


@holds(SINGAPORE, "3.3")
def test_sg_3_3_taking_down_and_moving_keep_a_stake_in_its_own_chips(copy: Copy) -> None:
    table = with_chips(copy)
    table.does(ANN, colour(("small", 40_00)))
    assert table.refused(ANN, c.TakeDown("small", 7_00, "colour"), Reason.COLOUR_CHIPS).clauses == ("1.1.1",)
    table.does(ANN, c.TakeDown("small", 10_00, "colour"))
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_000_00, 70_00)
    table.does(ANN, c.MoveBet("small", "big", 20_00, "colour"))
    table.does(ANN, c.TakeDown("big", kind="colour"))
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_000_00, 90_00)


@holds(SINGAPORE, "3.3")
def test_sg_3_3_wagers_given_back_return_to_the_purse(copy: Copy) -> None:
    for undo in ("void", "withdraw", "void after collecting"):
        table = with_chips(copy)
        table.does(ANN, colour(("small", 20_00), ("big", 30_00)))
        if undo == "withdraw":
            table.go("tumble")
            table.does(DEALER, c.Call("power-failure-before"))
            table.does(ANN, c.Withdraw())
        else:
            table.go("collect" if undo == "void after collecting" else "uncover")
            table.does(DEALER, c.Call("damaged-dice"))
        assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_000_00, 100_00), undo


@holds(SINGAPORE, "3.3")
def test_sg_3_3_a_resettlement_corrects_the_purse_and_then_the_cash_chips(copy: Copy) -> None:
    table = with_chips(copy)
    table.does(ANN, colour(("small", 50_00)))
    table.does(BEN, bets_of("big=5"))
    table.finish((1, 2, 3))
    assert table.holds_in_colour("ann") == 150_00
    table.does(ANN, c.CashOut(120_00, kind="colour"))
    table.does(ANN, c.CashOut(960_00))
    table.does(PIT_SUPERVISOR, c.ProposeResettlement(1, (6, 5, 6), "the camera shows 5-6-6"))
    table.does(PIT_MANAGER, c.ApproveResettlement(1))
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (0, 0)
    assert table.balances[disputes("t1")] == -30_00
    table.does(PIT_SUPERVISOR, c.ProposeResettlement(1, (1, 2, 3), "they were 1-2-3"))
    table.does(PIT_MANAGER, c.ApproveResettlement(1))
    assert table.holds_in_colour("ann") == 100_00


@holds(SINGAPORE, "3.3")
def test_sg_3_3_what_is_not_a_whole_chip_is_paid_in_cash_chips(copy: Copy) -> None:
    for wager, cash, chips in (("big", 100_00, 300_00), ("small", 50_00, 1_350_00)):
        table = with_chips(copy, 900_00, 150_00)
        table.does(BEN, bets_of("odd=5"))
        table.go("close")
        table.does(DEALER, c.RecordFound("ann", wager, 600_00, kind="colour"))
        table.finish((1, 2, 3))
        assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_000_00 + cash, chips), wager


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_sg_3_3_money_is_conserved_whatever_is_done_with_colour_chips(data: st.DataObject) -> None:
    """After each event the driver checks that all accounts sum to nothing, and that purses hold whole chips."""
    table = ready(Copy.packaged(SINGAPORE))
    amounts = st.sampled_from([5_00, 7_00, 10_00, 35_00, 70_00])
    people = st.sampled_from([ANN, BEN])
    for _ in range(data.draw(st.integers(5, 25))):
        who = data.draw(people)
        name, amount = who.split()[0], data.draw(amounts)
        kind: c.Chips = data.draw(st.sampled_from(["colour", "colour", "cash"]))
        act = data.draw(st.sampled_from(["buy", "redeem", "bet", "take down", "round", "void"]))
        before = {one: (table.table.purses.get(one), table.holds_in_colour(one)) for one in ("ann", "ben")}
        match act:
            case "buy":
                value = data.draw(st.sampled_from([5_00, 7_00, 35_00]))
                table.ask(DEALER, c.BuyIn(amount, name, colour_value=value, marker=value > 5_00))
            case "redeem":
                table.ask(who, c.CashOut(amount, kind=kind))
            case "bet":
                table.ask(DEALER, c.TakeStep("open"))
                area = data.draw(st.sampled_from(["small", "big", "total/6"]))
                table.ask(who, c.PlaceBets((c.BetRequest(area, amount, kind),)))
            case "take down":
                table.ask(who, c.TakeDown("small", kind=kind))
            case "round":
                table.finish(data.draw(st.sampled_from([(1, 2, 3), (6, 6, 5), (2, 2, 2)])))
            case _:
                if isinstance(table.ask(DEALER, c.Call("damaged-dice")), Decision):
                    assert not table.table.bets
                    table.does(PIT_SUPERVISOR, c.PutDice(f"set {len(table.record)}", count=3))
                    table.check_over("dice", PIT_SUPERVISOR)
        for one, (own, held) in before.items():
            now = table.table.purses.get(one)
            if own is not None and held:
                assert now is not None
                assert now.value == own.value, "the value changed while chips were out"


# -- found-on-layout, over-maximum, under-minimum: each sentence of the readings


def at(copy: Copy, step: str) -> SicBoTable:
    table = ready(copy)
    table.bet(ANN, "small=10")
    table.go(step)
    return table


@holds(SINGAPORE, "5.6")
def test_sg_5_6_a_players_own_entry_after_the_close_is_refused(copy: Copy) -> None:
    for step in ("close", "uncover", "collect"):
        assert "5.6" in at(copy, step).refused(BEN, bets_of("small=10"), Reason.BETTING_CLOSED).clauses


@holds(SINGAPORE, "5.6")
def test_sg_5_6_of_a_late_increase_only_the_increase_is_not_honoured(copy: Copy) -> None:
    for dice, won in (((1, 2, 3), 10_00), ((6, 6, 5), -10_00)):
        table = at(copy, "close")
        table.refused(ANN, c.RecordFound("ann", "small", 90_00, late=True), Reason.WRONG_ROLE)
        table.does(DEALER, c.RecordFound("ann", "small", 90_00, late=True))
        table.finish(dice)
        assert table.holds("ann") == 1_000_00 + won
        (late,) = [line for line in table.table.history[-1].lines if line.stake == 90_00]
        assert (late.honoured, late.net, late.pays) == (0, 0, "returned")
        assert late.clauses == ("5.6",)


@holds(SINGAPORE, "5.6")
def test_sg_5_6_a_late_wager_in_colour_chips_is_returned_to_the_purse(copy: Copy) -> None:
    table = with_chips(copy)
    table.does(ANN, colour(("small", 10_00)))
    table.go("close")
    table.refused(DEALER, c.RecordFound("ann", "small", 7_00, late=True, kind="colour"), Reason.COLOUR_CHIPS)
    table.does(DEALER, c.RecordFound("ann", "small", 40_00, late=True, kind="colour"))
    table.finish()
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_000_00, 110_00)


@holds(SINGAPORE, "5.10")
def test_sg_5_10_every_wager_under_the_minimum_counts_in_the_first_round(copy: Copy) -> None:
    table = at(copy, "enter-dice")
    table.does(DEALER, c.RecordFound("ben", "big", 2_00))
    table.does(DEALER, c.RecordFound("ben", "odd", 2_00))
    table.take("collect")
    table.does(DEALER, c.RecordFound("ben", "small", 2_00))  # still the first round
    table.does(DEALER, c.RecordFound("ben", "even", 2_00))
    table.finish()
    assert table.holds("ben") == 1_000_00 - 2_00 - 2_00 + 2_00 + 2_00
    table.bet(ANN, "small=10")
    table.go("enter-dice")
    for wager in ("small", "big"):
        table.does(DEALER, c.RecordFound("ben", wager, 2_00))
    table.finish()
    assert table.holds("ben") == 1_000_00
    returned = [line for line in table.table.history[-1].lines if line.player == "ben"]
    assert [(line.pays, line.clauses) for line in returned] == [("returned", ("5.10",))] * 2


@holds(SINGAPORE, "5.10")
def test_sg_5_10_later_ones_are_returned_to_that_player_only_also_after_reopening(copy: Copy) -> None:
    table = at(copy, "enter-dice")
    table.does(DEALER, c.RecordFound("ben", "small", 2_00))
    table.finish()
    table.does(BOSS, c.CloseTable())
    table.does(BOSS, c.OpenTable(table.setup()))
    table.ask(PIT_SUPERVISOR, c.PutDice("set 2", count=3))
    table.check_over("dice", PIT_SUPERVISOR)
    table.ask(DEALER, c.TakeOver())
    table.bet(ANN, "small=10")
    table.go("enter-dice")
    for name in ("ann", "ben"):
        table.does(DEALER, c.RecordFound(name, "total/6", 2_00))
    table.finish()
    assert table.holds("ben") == 1_002_00
    assert table.holds("ann") == 1_000_00 + 2 * 10_00 + 18 * 2_00


@holds(SINGAPORE, "5.10")
def test_sg_5_10_colour_chips_under_the_minimum_return_to_the_purse(copy: Copy) -> None:
    table = with_chips(copy, 20_00, 2_00)
    table.does(BEN, bets_of("small=5"))
    table.go("enter-dice")
    table.does(DEALER, c.RecordFound("ann", "small", 4_00, kind="colour"))
    table.finish()
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_000_00, 24_00)


@holds(SINGAPORE, "5.11")
def test_sg_5_11_what_is_above_the_maximum_is_given_back_won_or_lost(copy: Copy) -> None:
    for wager, net in (("small", 500_00), ("big", -500_00)):
        table = at(copy, "close")
        table.does(DEALER, c.RecordFound("ben", wager, 800_00))
        table.finish()
        assert table.holds("ben") == 1_000_00 + net
        (line,) = [line for line in table.table.history[-1].lines if line.player == "ben"]
        assert (line.stake, line.honoured, line.net) == (800_00, 500_00, net)
        assert "of which S$300 was returned" in table.transcript()


@holds(SINGAPORE, "5.11")
def test_sg_5_11_nothing_of_a_wager_on_top_of_the_maximum_is_settled(copy: Copy) -> None:
    table = ready(copy)
    table.bet(ANN, "small=500")
    table.go("close")
    table.does(DEALER, c.RecordFound("ann", "small", 100_00))
    table.finish()
    assert table.holds("ann") == 1_500_00
