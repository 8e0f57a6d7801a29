"""Bets with their own state at a craps table: travelling, odds, calls, take-downs, commission, corrections."""

from __future__ import annotations

from copy import deepcopy

import pytest

from pitbook.house.codec import read_event
from pitbook.house.encoding import event_bytes
from pitbook.ledger.accounts import disputes, escrow, player
from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.evolve import evolve
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.snapshots import dump, load
from pitbook.table.standing import is_working, odds_of, take_down_refused
from pitbook.table.state import Bet
from tests.table.craps import BASE, BOX, FLOOR, STICK, CrapsTable, craps_table, faces, lines_of
from tests.table.driving import SHARED_BOOKS

ANN = "ann the player"


def bet_on(table: CrapsTable, wager: str, point: int | None = None) -> Bet:
    """Return ann's bet on a wager."""
    (found,) = [bet for bet in table.table.bets.on("ann", wager) if bet.point == point]
    return found


def lying(table: CrapsTable) -> dict[str, int]:
    """Return what lies on the layout, by wager."""
    return {bet.wager: bet.amount for bet in table.table.bets.values()}


def nets(events: list[e.Event]) -> dict[str, int]:
    """Return how bets came out, by wager."""
    return {line.wager: line.net for line in lines_of(events)}


def held(table: CrapsTable, name: str = "ann") -> int:
    """Return a player's cash chips."""
    return table.balances[player(name, "USD")]


def in_order(table: CrapsTable) -> None:
    """Compare escrow with the bets, and the state with the one of a snapshot."""
    on_layout = sum(bet.amount + bet.commission for bet in table.table.bets.values())
    assert table.balances.get(escrow("t1"), 0) == on_layout
    assert load(dump(table.table), SHARED_BOOKS) == table.table
    assert sum(table.balances.values()) == 0


# ---------------------------------------------------------------- travelling and odds


def test_a_come_bet_travels_to_its_number_and_wins_there() -> None:
    table = craps_table("craps")
    table.rolls("6")
    table.bet("ann", "come=10")
    (rolled,) = [event for event in table.rolls("5") if isinstance(event, e.Rolled)]
    assert rolled.bets == (e.BetRolled(1, point=5),)
    assert bet_on(table, "come", 5).running
    table.bet("ann", "come=10")
    assert {bet.point for bet in table.table.bets.on("ann", "come")} == {None, 5}
    assert nets(table.rolls("5")) == {"come": 10_00}
    assert bet_on(table, "come", 5).id == 2, "the second one has travelled to the number of the first"
    in_order(table)


def lit_by(table: CrapsTable, total: str) -> tuple[str, ...]:
    """Return the areas that a roll lights, without those of one roll."""
    (lit,) = [event for event in table.rolls(total) if isinstance(event, e.Illuminated)]
    return tuple(area for area in lit.wagers if table.table.rules.wagers[area].own_state)


def test_a_come_bet_lights_the_box_of_its_number_and_not_come() -> None:
    table = craps_table("craps")
    table.rolls("6")
    table.bet("ann", "come=10")
    assert lit_by(table, "11") == ("come",), "it has not travelled yet"
    table.bet("ann", "come=10 dont-come=10")
    table.rolls("5")
    assert lit_by(table, "5") == ("come-odds/5",)
    assert "Won: Come (5)" in table.transcript()
    table.bet("ann", "come=10")
    table.rolls("9")
    table.bet("ann", "come-odds/9=10 dont-come=10")
    table.rolls("4")
    assert lit_by(table, "9") == ("come-odds/9",)
    assert "Won: Come (9), Come odds 9" in table.transcript()
    assert lit_by(table, "7") == ("dont-come-odds/4",)


def test_two_players_have_odds_behind_their_own_bets_only() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.rolls("6")
    refusal = table.not_taken("ben", "pass-line-odds=10", Reason.WINDOW_CLOSED)
    assert refusal.clauses == ("4.1", "4.5")
    assert "needs a bet on Pass line" in refusal.says
    table.bet("ann", "pass-line-odds=50")
    assert table.not_taken("ann", "pass-line-odds=1", Reason.WINDOW_CLOSED).clauses == ("4.1", "4.5")


def test_odds_show_their_room_and_a_raise_takes_it() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.rolls("9")
    assert odds_of(table.table, bet_on(table, "pass-line")) == ("pass-line-odds", 0, 40_00)
    table.bet("ann", "pass-line-odds=15")
    table.rolls("3")
    table.bet("ann", "pass-line-odds=5")
    odds = bet_on(table, "pass-line-odds")
    assert (odds.amount, odds.since_roll) == (20_00, 5_00)
    assert odds_of(table.table, bet_on(table, "pass-line")) == ("pass-line-odds", 20_00, 20_00)
    assert nets(table.rolls("9")) == {"pass-line": 10_00, "pass-line-odds": 30_00}
    in_order(table)


def test_odds_are_offered_up_to_the_limit_of_the_table() -> None:
    table = craps_table("craps", limits={"*": c.Limit(1_00, 100_00)})
    table.bet("ann", "pass-line=50")
    table.rolls("6")
    assert odds_of(table.table, bet_on(table, "pass-line")) == ("pass-line-odds", 0, 100_00)
    table.bet("ann", "pass-line-odds=70")
    assert odds_of(table.table, bet_on(table, "pass-line")) == ("pass-line-odds", 70_00, 30_00)
    table.bet("ann", "pass-line-odds=30")
    assert odds_of(table.table, bet_on(table, "pass-line")) == ("pass-line-odds", 100_00, 0)
    in_order(table)


def come_odds_on_a_come_out() -> CrapsTable:
    """Return a table where Ann has a come bet on 5 with odds, and the pass line has just been decided."""
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.rolls("6")
    table.bet("ann", "come=10")
    table.rolls("5")
    table.bet("ann", "come-odds/5=20")
    table.rolls("6")
    return table


def test_come_odds_are_returned_when_their_bet_is_decided_on_a_come_out_roll() -> None:
    table = come_odds_on_a_come_out()
    assert not is_working(table.table, bet_on(table, "come-odds/5"))
    before = held(table)
    events = table.rolls("7")
    assert nets(events) == {"come": -10_00, "come-odds/5": 0}
    (odds,) = [line for line in lines_of(events) if line.wager == "come-odds/5"]
    assert (odds.row, odds.clauses) == ("returned", ("4.2", "4.5"))
    assert held(table) == before + 20_00
    in_order(table)


def test_taking_a_dont_bet_down_takes_its_odds_down_with_it() -> None:
    table = craps_table("craps", limits={"*": c.Limit(5_00, 5_000_00)})
    table.bet("ann", "dont-pass=20")
    table.rolls("6")
    table.bet("ann", "dont-pass-odds=120")
    taken = table.does(ANN, c.TakeDown("dont-pass", 10_00)).events
    assert taken == (e.BetTakenDown(1, 10_00), e.BetTakenDown(2, 60_00, tied_to=1))
    in_order(table)
    table.does(ANN, c.TakeDown("dont-pass"))
    assert lying(table) == {}
    in_order(table)


def test_odds_come_down_whole_if_less_than_their_minimum_would_stay() -> None:
    limits = {"*": c.Limit(5_00, 5_000_00), "dont-pass-odds": c.Limit(100_00, 5_000_00)}
    table = craps_table("craps", limits=limits)
    table.bet("ann", "dont-pass=20")
    table.rolls("6")
    table.bet("ann", "dont-pass-odds=120")
    taken = table.does(ANN, c.TakeDown("dont-pass", 10_00)).events
    assert taken == (e.BetTakenDown(1, 10_00), e.BetTakenDown(2, 120_00, tied_to=1))
    in_order(table)


def test_a_dont_come_bet_is_taken_down_by_its_number() -> None:
    table = craps_table("craps")
    table.rolls("6")
    table.bet("ann", "dont-come=10")
    table.rolls("5")
    table.bet("ann", "dont-come-odds/5=30 dont-come=5")
    assert "with a point of 9" in table.refused(ANN, c.TakeDown("dont-come", point=9), Reason.NO_SUCH_BET).says
    table.does(ANN, c.TakeDown("dont-come", point=5))
    assert lying(table) == {"dont-come": 5_00}
    in_order(table)


# ---------------------------------------------------------------- calls, take-downs, moves


def test_a_place_bet_stays_up_after_a_win_until_it_is_taken_down() -> None:
    table = craps_table("craps")
    table.rolls("4")
    table.bet("ann", "place/6=12")
    (line,) = lines_of(table.rolls("6"))
    assert (line.net, line.stays) == (14_00, True)
    in_order(table)
    (line,) = lines_of(table.rolls("6"))
    assert line.net == 14_00
    table.does(ANN, c.TakeDown("place/6"))
    assert held(table) == 1000_00 + 28_00
    in_order(table)


def test_a_raise_of_a_running_place_bet_is_paid_in_one_payment() -> None:
    table = craps_table("craps", options={"rounding": "chip"})
    table.rolls("4")
    table.bet("ann", "place/6=3")
    table.rolls("5")
    table.bet("ann", "place/6=3")
    assert len(table.table.bets) == 1
    assert nets(table.rolls("6")) == {"place/6": 7_00}


def test_place_bets_are_off_on_a_come_out_roll_unless_called_on() -> None:
    table = craps_table("craps")
    table.bet("ann", "place/6=12 place/8=12")
    assert not is_working(table.table, bet_on(table, "place/6"))
    called = table.does(ANN, c.CallBets("on", ("place/6",))).events
    assert called == (e.BetsCalled("ann", (1,), "on"),)
    assert is_working(table.table, bet_on(table, "place/6"))
    assert nets(table.rolls("7")) == {"place/6": -12_00}
    assert lying(table) == {"place/8": 12_00}
    table.does(BASE, c.CallBets("off", player="ann"))
    table.rolls("5")
    assert not is_working(table.table, bet_on(table, "place/8"))
    assert nets(table.rolls("8")) == {}
    back = table.does(ANN, c.CallBets("rule"))
    assert back.events == (e.BetsCalled("ann", (2,), None),)
    assert nets(table.rolls("8")) == {"place/8": 14_00}


def test_a_bet_without_calls_is_not_called() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    assert table.refused(ANN, c.CallBets("off", ("pass-line",)), Reason.NOT_IN_THE_BOOK).clauses == ("2.1",)
    assert table.refused(ANN, c.CallBets("off"), Reason.NO_SUCH_BET).policy
    assert table.refused(ANN, c.CallBets("off", ("place/6",)), Reason.NO_SUCH_BET).says.startswith(
        "ann has no such bet on Place"
    )
    assert table.refused(ANN, c.CallBets("off", ("nothing",)), Reason.UNKNOWN_WAGER).clauses == ("1.1",)


def test_bets_are_called_by_their_player_or_by_the_crew_of_the_betting_step() -> None:
    table = craps_table("craps")
    table.bet("ann", "place/6=12")
    assert table.refused(FLOOR, c.CallBets("on", player="ann"), Reason.WRONG_ROLE).clauses
    for who in (BASE, ANN):
        table.does(who, c.CallBets("on", player="ann"))
        assert (
            "already called that way" in table.refused(who, c.CallBets("on", player="ann"), Reason.NOTHING_TO_DO).says
        )
        table.does(who, c.CallBets("rule", player="ann"))


def test_a_contract_bet_is_not_taken_down() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.does(ANN, c.TakeDown("pass-line", 5_00))
    table.rolls("6")
    table.bet("ann", "come=10")
    table.rolls("5")
    for command, clauses in (
        (c.TakeDown("pass-line"), ("2.2",)),
        (c.TakeDown("pass-line", 1_00), ("2.2",)),
        (c.TakeDown("come", point=5), ("3.4",)),
        (c.MoveBet("pass-line", "place/6"), ("2.2",)),
    ):
        assert table.refused(ANN, command, Reason.RUNNING).clauses == clauses
    assert take_down_refused(table.table, bet_on(table, "come", 5)) is not None
    in_order(table)


def test_bets_outside_their_phase_are_refused_with_their_clause() -> None:
    table = craps_table("craps")
    assert table.not_taken("ann", "come=10", Reason.WINDOW_CLOSED).clauses == ("3.1",)
    assert table.not_taken("ann", "dont-come=10", Reason.WINDOW_CLOSED).clauses == ("3.3",)
    assert table.not_taken("ann", "pass-line-odds=10", Reason.WINDOW_CLOSED).clauses == ("4.1",)
    assert table.not_taken("ann", "come-odds/5=10", Reason.WINDOW_CLOSED).clauses == ("4.2", "4.5")
    assert table.not_taken("ann", "place/2=10", Reason.UNKNOWN_WAGER).clauses == ("9.3",)
    table.rolls("6")
    assert table.not_taken("ann", "pass-line=10", Reason.WINDOW_CLOSED).clauses == ("2.2",)
    assert table.not_taken("ann", "dont-pass=10", Reason.WINDOW_CLOSED).clauses == ("2.6",)
    in_order(table)


def test_a_place_bet_is_moved_to_another_number() -> None:
    table = craps_table("craps")
    table.rolls("4")
    table.bet("ann", "place/6=12")
    table.rolls("5")
    table.does(BASE, c.MoveBet("place/6", "buy/10", player="ann"))
    assert lying(table) == {"buy/10": 12_00}
    in_order(table)


def test_odds_come_down_with_a_bet_that_is_moved() -> None:
    table = craps_table("craps")
    table.bet("ann", "dont-pass=10")
    table.rolls("5")
    table.bet("ann", "dont-pass-odds=60 dont-come=10")
    table.rolls("9")
    table.bet("ann", "dont-come-odds/9=60")
    table.does(ANN, c.MoveBet("dont-pass", "place/6"))
    assert lying(table) == {"place/6": 10_00, "dont-come": 10_00, "dont-come-odds/9": 60_00}
    table.does(ANN, c.MoveBet("dont-come", "place/8", point=9))
    assert lying(table) == {"place/6": 10_00, "place/8": 10_00}
    for target, clauses in (("dont-pass", ("2.6",)), ("pass-line", ("2.2",)), ("pass-line-odds", ("4.1", "4.5"))):
        assert table.refused(ANN, c.MoveBet("place/6", target), Reason.WINDOW_CLOSED).clauses == clauses
    assert held(table) == 1000_00 - 20_00
    in_order(table)


def test_hardways_are_called_on_and_off() -> None:
    table = craps_table("craps")
    table.bet("ann", "hard/6=5 hard/8=5")
    assert nets(table.rolls("7")) == {}
    table.does(ANN, c.CallBets("on", ("hard/6", "hard/6")))
    (called,) = [event for event in table.events if isinstance(event, e.BetsCalled)]
    assert called.bets == (1,)
    assert nets(table.rolls("7")) == {"hard/6": -5_00}
    table.rolls("5")
    table.does(ANN, c.CallBets("off", ("hard/8",)))
    assert nets(table.rolls("8 7")) == {}
    assert lying(table) == {"hard/8": 5_00}
    in_order(table)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (c.TakeDown("place/6", 0), Reason.BAD_AMOUNT),
        (c.TakeDown("place/6", -5_00), Reason.BAD_AMOUNT),
        (c.TakeDown("place/6", 12_01), Reason.BAD_AMOUNT),
        (c.TakeDown("place/6", point=6), Reason.NO_SUCH_BET),
        (c.TakeDown("place/8"), Reason.NO_SUCH_BET),
        (c.MoveBet("place/6", "place/8", -1), Reason.BAD_AMOUNT),
        (c.MoveBet("place/6", "nothing"), Reason.UNKNOWN_WAGER),
        (c.MoveBet("place/6", "come-odds/6"), Reason.WINDOW_CLOSED),
        (c.PlaceBets((c.BetRequest("field", 5_00), c.BetRequest("come-odds/6", 5_00))), Reason.WINDOW_CLOSED),
        (c.PlaceBets((c.BetRequest("field", 0),)), Reason.BAD_AMOUNT),
        (c.PlaceBets((c.BetRequest("field", 989_00),)), Reason.NO_FUNDS),
    ],
)
def test_what_cannot_be_done_to_a_bet_loses_nothing(command: c.Command, why: Reason) -> None:
    table = craps_table("craps")
    table.rolls("4")
    table.bet("ann", "place/6=12")
    before = table.table
    table.refused(ANN, command, why)
    for stranger in ("ben the player", "ben the shooter"):
        assert isinstance(table.ask(stranger, c.TakeDown("place/6", player="ann")), Refusal)
    assert table.table == before
    in_order(table)


def test_a_put_bet_and_its_odds_are_made_in_one_command() -> None:
    table = craps_table("craps", options={"put": "on"})
    table.rolls("6")
    table.bet("ann", "pass-line=10 pass-line-odds=50")
    assert nets(table.rolls("6")) == {"pass-line": 10_00, "pass-line-odds": 60_00}


# ---------------------------------------------------------------- commission


def test_commission_paid_with_the_bet_is_held_and_given_back() -> None:
    table = craps_table("craps", options={"commission": "when-bet"})
    table.rolls("5")
    (placed,) = table.bet("ann", "buy/4=20").events
    assert isinstance(placed, e.BetPlaced)
    assert placed.commission == 1_00
    assert held(table) == 1000_00 - 21_00
    in_order(table)
    table.does(ANN, c.TakeDown("buy/4", 10_00))
    assert held(table) == 1000_00 - 10_50
    in_order(table)
    assert nets(table.rolls("4")) == {"buy/4": 20_00 - 50}
    in_order(table)
    assert nets(table.rolls("7")) == {"buy/4": -10_50}
    assert held(table) == 1000_00 - 10_50 + 19_50
    in_order(table)


def test_a_bet_whose_commission_cannot_be_paid_is_refused() -> None:
    table = craps_table("craps", "ann", options={"commission": "when-bet"})
    table.rolls("5")
    refusal = table.not_taken("ann", "buy/4=1000", Reason.NO_FUNDS)
    assert "US$50 commission" in refusal.says
    in_order(table)


def test_a_bet_is_not_moved_to_one_whose_commission_cannot_be_paid() -> None:
    table = craps_table("craps", "ann", options={"commission": "when-bet"})
    table.rolls("5")
    table.bet("ann", "place/6=12")
    table.does(ANN, c.CashOut(988_00))
    assert "commission" in table.refused(ANN, c.MoveBet("place/6", "buy/4"), Reason.NO_FUNDS).says
    assert lying(table) == {"place/6": 12_00}
    table.does(ANN, c.MoveBet("place/6", "place/8"))
    in_order(table)


@pytest.mark.parametrize(
    ("charged", "commissions", "lost", "won"),
    [
        # 5 % of a win of 20.50, of 0.33 and of 1.01: 1.025, 0.0165 and 0.0505.
        ("on-a-win", (0, 0, 0), (-33, -1_01), (47, 1_96)),
        ("when-bet", (1_03, 2, 6), (-35, -1_07), (47, 1_96)),
    ],
)
def test_commission_is_rounded_once_with_the_payment(
    charged: str, commissions: tuple[int, ...], lost: tuple[int, int], won: tuple[int, int]
) -> None:
    table = craps_table("craps", options={"commission": charged})
    table.rolls("6")
    table.bet("ann", "lay/4=41 buy/5=0.33 buy/10=1.01")
    assert tuple(bet.commission for bet in table.table.bets.values()) == commissions
    in_order(table)
    assert nets(table.rolls("5 10")) == {"buy/5": won[0], "buy/10": won[1]}
    in_order(table)
    assert nets(table.rolls("7")) == {"buy/5": lost[0], "buy/10": lost[1], "lay/4": 19_47}
    table.does(ANN, c.TakeDown("lay/4"))
    assert held(table) == 1000_00 + sum(won) + sum(lost) + 19_47
    in_order(table)


# ---------------------------------------------------------------- no roll, power, line bet


def test_no_roll_is_called_by_the_stick_or_the_box_and_moves_nothing() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10 field=5")
    before = table.table
    assert table.refused(BASE, c.CallNoRoll("in the bowl"), Reason.WRONG_ROLE).clauses == ("10.5",)
    called = table.does(STICK, c.CallNoRoll("in the bowl")).events
    assert [type(event) for event in called] == [e.IrregularityCalled, e.RollCancelled]
    table.does(BOX, c.Call("no-roll", "on the rail"))
    assert (table.table.bets, table.table.point, table.table.areas) == (before.bets, before.point, before.areas)
    table.refused(STICK, c.CallNoRoll(" "), Reason.NOTHING_TO_DO)


def test_after_a_power_failure_only_what_was_bet_since_the_last_roll_is_withdrawn() -> None:
    table = craps_table("craps", options={"commission": "when-bet"})
    table.rolls("6")
    table.bet("ann", "place/8=12 buy/4=20")
    table.rolls("5")
    table.bet("ann", "place/8=6 buy/4=20 field=5")
    table.does(BASE, c.Call("power-failure"))
    (event,) = table.does(ANN, c.Withdraw()).events
    assert event == e.PlayerWithdrew("ann", (3,), (e.Part(1, 6_00), e.Part(2, 20_00, 1_00)))
    assert lying(table) == {"place/8": 12_00, "buy/4": 20_00}
    in_order(table)
    table.refused(ANN, c.Withdraw(), Reason.NO_SUCH_BET)
    assert table.refused(ANN, c.CallBets("off"), Reason.SUSPENDED).clauses == ("10.8",)


def test_the_house_may_ask_the_shooter_for_a_line_bet() -> None:
    table = craps_table("craps", options={"line-bet": "on"})
    refusal = table.refused(STICK, c.TakeStep("roll", (1, 3)), Reason.NOT_NOW)
    assert refusal.clauses == ("10.7",)
    table.bet("ann", "dont-pass=10")
    table.rolls("4")
    table.does(ANN, c.TakeDown("dont-pass"))
    table.rolls("5")


def test_a_power_failure_between_the_roll_and_its_settlement_takes_nothing_back() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10 field=5")
    table.roll(7)
    table.does(BASE, c.Call("power-failure"))
    table.refused(ANN, c.Withdraw(), Reason.NO_SUCH_BET)
    assert table.refused(BASE, c.TakeStep("collect"), Reason.SUSPENDED).clauses == ("10.8",)
    table.does(BOX, c.Resume())
    assert nets(table.finish()) == {"field": -5_00, "pass-line": 10_00}
    in_order(table)


@pytest.mark.parametrize("bet_again", [False, True])
def test_odds_that_a_put_bet_allowed_are_withdrawn_with_it(bet_again: bool) -> None:
    table = craps_table("craps", options={"put": "on"})
    table.bet("ann", "pass-line=10")
    table.rolls("6")
    table.bet("ann", "pass-line-odds=50")
    table.rolls("5")
    if bet_again:
        table.does(ANN, c.TakeDown("pass-line-odds"))
    table.bet("ann", "pass-line=10")
    table.bet("ann", "pass-line-odds=100" if bet_again else "pass-line-odds=50")
    table.does(BASE, c.Call("power-failure"))
    table.does(ANN, c.Withdraw())
    assert lying(table) == {"pass-line": 10_00} | ({} if bet_again else {"pass-line-odds": 50_00})
    in_order(table)


def test_a_shooter_with_a_contract_bet_keeps_the_dice_and_the_bet_outlives_the_chips() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.rolls("6")
    assert table.refused(ANN, c.PassDice(), Reason.NOT_NOW).clauses == ("10.6",)
    assert table.refused("max the manager", c.CloseTable(), Reason.NOT_NOW).policy
    changed = c.ChangeSetup(table.setup(options={"put": "on"}))
    assert table.refused("max the manager", changed, Reason.NOT_NOW).policy
    table.does(ANN, c.CashOut(990_00))
    assert nets(table.rolls("6")) == {"pass-line": 10_00}
    assert held(table) == 20_00
    table.bet("ann", "pass-line=10")
    table.does(ANN, c.PassDice())
    table.shooter("ben")
    assert nets(table.rolls("4 7")) == {"pass-line": -10_00}
    in_order(table)


# ---------------------------------------------------------------- a roll that was misread


def test_a_roll_is_corrected_before_anything_is_settled() -> None:
    table = craps_table("craps")
    table.rolls("6")
    table.bet("ann", "come=10")
    table.rolls("5")
    table.bet("ann", "come-odds/5=20 come=10")
    table.does(BOX, c.CorrectDice(faces(8), "it was an eight"))
    assert bet_on(table, "come", 8).amount == 10_00
    assert len(table.table.bets) == 1
    in_order(table)


def test_a_settled_roll_that_was_misread_is_corrected_by_two_persons() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10 place/6=12")
    table.bet("ben", "dont-pass=10")
    table.rolls("4")
    before, lay = dict(table.balances), table.table.bets
    table.rolls("6")  # read as a six; it was a seven
    table.bet("ann", "come=10 place/6=6")
    number = table.table.round.number - 1
    table.refused(STICK, c.ProposeResettlement(number, faces(6), "the same"), Reason.NOTHING_TO_DO)
    table.does(STICK, c.ProposeResettlement(number, faces(7), "it was a seven"))
    assert "own act" in table.refused("sam the box-person", c.ApproveResettlement(number), Reason.OWN_ACT).says
    table.refused(BASE, c.ApproveResettlement(number), Reason.WRONG_ROLE)
    done = table.does(BOX, c.ApproveResettlement(number)).events
    corrected = done[0]
    assert isinstance(corrected, e.DiceCorrected)
    assert [line.net for line in corrected.undone] == [14_00]
    assert (corrected.returned, corrected.parts) == ((4,), (e.Part(2, 6_00),))
    assert dict(table.balances) == before
    in_order(table)
    assert {bet.wager for bet in table.table.bets.values()} == {bet.wager for bet in lay.values()}
    assert nets(table.finish()) == {"pass-line": -10_00, "dont-pass": 10_00, "place/6": -12_00}
    assert table.table.shooter is None
    in_order(table)


def test_odds_stand_again_behind_their_bets_and_go_with_them() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.rolls("6")
    table.bet("ann", "come=10")
    table.rolls("5")
    table.bet("ann", "come-odds/5=40 pass-line-odds=50")
    table.rolls("5")  # it was a seven
    table.bet("ann", "come=10")
    table.does(STICK, c.ProposeResettlement(3, faces(7), "it was a seven"))
    table.does(BOX, c.ApproveResettlement(3))
    assert lying(table) == {"pass-line": 10_00, "pass-line-odds": 50_00, "come": 10_00, "come-odds/5": 40_00}
    lost = {"pass-line": -10_00, "pass-line-odds": -50_00, "come": -10_00, "come-odds/5": -40_00}
    assert nets(table.finish()) == lost
    assert lying(table) == {}
    in_order(table)


def test_returned_odds_lie_again_when_the_roll_that_returned_them_is_corrected() -> None:
    table = come_odds_on_a_come_out()
    before, lay = held(table), lying(table)
    table.rolls("7")  # it was a four
    number = table.table.round.number - 1
    table.does(STICK, c.ProposeResettlement(number, faces(4), "it was a four"))
    table.does(BOX, c.ApproveResettlement(number))
    assert (held(table), lying(table)) == (before, lay)
    in_order(table)


def test_what_a_player_no_longer_holds_is_owed() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.rolls("7")
    table.does(ANN, c.CashOut(1010_00))
    number = table.table.round.number - 1
    table.does(STICK, c.ProposeResettlement(number, faces(4), "it was a four"))
    table.does(BOX, c.ApproveResettlement(number))
    assert lying(table) == {"pass-line": 10_00}
    assert table.balances[disputes("t1")] == -20_00
    in_order(table)


def test_only_the_last_roll_is_corrected_and_only_while_its_bets_are_unchanged() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10 field=5 place/6=12")
    table.rolls("4")
    first = table.table.round.number - 1
    table.does(ANN, c.TakeDown("place/6"))
    refusal = table.refused(STICK, c.ProposeResettlement(first, faces(7), "a seven"), Reason.NOT_NOW)
    assert "ann's place/6" in refusal.says
    table.bet("ann", "field=5")
    table.rolls("5")
    refusal = table.refused(STICK, c.ProposeResettlement(first, faces(7), "a seven"), Reason.NOT_NOW)
    assert "Only the last roll" in refusal.says


def test_a_roll_is_corrected_only_before_the_first_step_of_the_next() -> None:
    raw = deepcopy(packaged_raw("craps"))
    steps = raw["procedure"]["round"]
    closing = {"id": "close", "act": "close betting", "who": ["stick-person"], "clause": "10.4", "says": "close"}
    steps.insert(1, closing | {"after": ["take-bets"]})
    table = craps_table(raw)
    table.bet("ann", "field=5")
    table.does(STICK, c.TakeStep("close"))
    table.rolls("4")
    table.does(STICK, c.ProposeResettlement(1, faces(7), "a seven"))
    table.does(STICK, c.TakeStep("close"))
    for command in (c.ProposeResettlement(1, faces(8), "an eight"), c.ApproveResettlement(1)):
        assert "still being settled" in table.refused(BOX, command, Reason.NOT_NOW).says


def test_a_bet_called_between_the_proposal_and_the_approval_stops_it() -> None:
    table = craps_table("craps")
    table.bet("ann", "place/6=12 field=5")
    table.rolls("4")
    table.does(STICK, c.ProposeResettlement(1, faces(7), "a seven"))
    table.does(ANN, c.CallBets("off"))
    table.refused(FLOOR, c.ApproveResettlement(1), Reason.NOT_NOW)
    in_order(table)


def test_a_misread_seven_out_gives_the_dice_back() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.rolls("6 7")
    table.shooter("ben")
    table.does(STICK, c.ProposeResettlement(2, faces(8), "an eight"))
    table.does(BOX, c.ApproveResettlement(2))
    assert (table.table.shooter, table.table.point, lying(table)) == ("ann", 6, {"pass-line": 10_00})
    in_order(table)


def test_a_first_bet_is_within_the_limits_to_the_cent() -> None:
    table = craps_table("craps", limits={"*": c.Limit(5_00, 100_00)})
    for wager in ("pass-line", "field"):
        table.not_taken("ann", f"{wager}=4.99", Reason.UNDER_MINIMUM)
        table.not_taken("ann", f"{wager}=100.01", Reason.OVER_MAXIMUM)
        table.bet("ann", f"{wager}=5")
        table.not_taken("ann", f"{wager}=95.01", Reason.OVER_MAXIMUM)
        table.bet("ann", f"{wager}=95")


# ---------------------------------------------------------------- the record


@pytest.mark.parametrize("option", ["", "crapless", "put"])
def test_the_events_of_a_hand_fold_to_the_same_state_from_their_bytes(option: str) -> None:
    table = craps_table("craps", options={option: "on"} if option else {})
    table.bet("ann", "pass-line=10 field=5 hard/6=5 horn=4 hop/3-3=1 place/6=12")
    table.rolls("6")
    table.bet("ann", "come=10 pass-line-odds=20 lay/4=41 big/8=5")
    table.does(ANN, c.CallBets("off", ("place/6",)))
    table.rolls("9 5 6 8 4 10 7")
    state = SHARED_BOOKS.new_table("t1")
    for text in table.record:
        if not isinstance(text.what, Refusal):
            state = evolve(state, read_event(event_bytes(text.what)))
    assert state == table.table
    in_order(table)


def test_a_payment_needs_a_witness_only_where_dealers_get_something() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10")
    table.roll(7)
    table.does(BASE, c.TakeStep("pay"))
    assert held(table) == 1010_00
