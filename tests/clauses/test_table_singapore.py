"""Singapore at the table: chips, procedure, irregularities, ranks. One test or more per clause, played out."""

from __future__ import annotations

from typing import Any

from pitbook.ledger.accounts import disputes
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide import Decision
from pitbook.table.refusals import Reason
from pitbook.table.state import betting_open, due, phase
from pitbook.table.view import cover
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy, patched
from tests.table.sic_bo import (
    ANN,
    BEN,
    DEALER,
    PIT_MANAGER,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    SINGAPORE,
    SicBoTable,
    act_of,
    bets_of,
    step_of,
)
from tests.table.sic_bo import bare as bare_table
from tests.table.sic_bo import ready as ready_table

FIVE = bets_of("small=5")
REACHED = {
    "between rounds": None,
    "betting": "open",
    "thrown": "tumble",
    "closed": "press-deal",
    "revealed": "enter-dice",
    "settling": "collect",
}
"""A step after which a round stands in each phase."""


def bare(copy: Copy, **changes: Any) -> SicBoTable:
    """An open table without players, all of it in order."""
    table = bare_table(copy.raw, "automated", **changes)
    table.inspect_all()
    return table


def ready(copy: Copy, **changes: Any) -> SicBoTable:
    return ready_table(copy.raw, "automated", **changes)


def at(copy: Copy, where: str, *bets: str) -> SicBoTable:
    """A table in a phase, with bets by ann that 1-2-3 wins unless others are named."""
    table = ready(copy)
    if where != "between rounds":
        table.bet(ANN, *(bets or ("small=10",)))
        table.go(REACHED[where] or "")
    assert phase(table.table) == where
    return table


def called_in(
    copy: Copy, irregularity: str, clause: str, phases: tuple[str, ...], *bets: int
) -> list[tuple[SicBoTable, Decision]]:
    """A table for each phase in which the irregularity can happen, after the dealer has called it there.

    In every other phase, and by a player, it is refused.
    """
    found = []
    for where in REACHED:
        table = at(copy, where)
        if where in phases:
            assert table.refused(ANN, c.Call(irregularity), Reason.WRONG_ROLE).policy
            found.append((table, table.does(DEALER, c.Call(irregularity, bets=bets))))
        else:
            assert table.refused(DEALER, c.Call(irregularity), Reason.NOT_NOW).clauses == (clause,)
    return found


def is_void(table: SicBoTable, outcome: Decision) -> None:
    """The round is void, every wager is back, and another round may begin."""
    assert isinstance(outcome.events[-1], e.RoundVoided)
    assert table.table.round.number == 2
    assert not table.table.bets
    assert table.holds("ann") == table.holds("ben") == 1_000_00


# -- 1: definitions


@holds(SINGAPORE, "1.1.1")
def test_sg_111_the_player_sets_the_value_of_colour_chips_on_buying_them(copy: Copy) -> None:
    table = bare(copy)
    for value in (0, -5, 3_00):
        assert table.refused(ANN, c.BuyIn(100_00, colour_value=value), Reason.COLOUR_CHIPS).clauses == ("1.1.1",)
    table.does(ANN, c.BuyIn(100_00, colour_value=5_00))
    table.take("open")
    odd = c.PlaceBets((c.BetRequest("small", 7_00, "colour"),))
    assert table.refused(ANN, odd, Reason.COLOUR_CHIPS).clauses == ("1.1.1",)
    table.does(ANN, c.PlaceBets((c.BetRequest("small", 10_00, "colour"),)))
    dearer = c.BuyIn(100_00, "ann", colour_value=10_00, marker=True)
    assert table.refused(DEALER, dearer, Reason.COLOUR_CHIPS).clauses == ("1.1.1",)
    table.finish()
    assert table.refused(DEALER, dearer, Reason.COLOUR_CHIPS).clauses == ("1.1.1",), "they are still out"
    table.does(ANN, c.CashOut(110_00, kind="colour"))
    table.does(DEALER, dearer)


@holds(SINGAPORE, "1.1.1")
def test_sg_111_above_the_table_minimum_a_marker_shows_the_value(copy: Copy) -> None:
    table = bare(copy)
    table.does(ANN, c.BuyIn(100_00, colour_value=5_00))
    refusal = table.refused(BEN, c.BuyIn(100_00, colour_value=10_00), Reason.COLOUR_CHIPS)
    assert refusal.clauses == ("1.1.1",)
    assert refusal.message.id == "refusals.chips.marker"
    assert [point.says for point in table.table.rules.equipment["colour-chips"].requires] == [
        "worth more than the table minimum, their value is shown by a marker or a cash chip of that value",
        "the marker or cash chip lies on the bank of colour chips, or on a stand kept for it",
    ]
    own = table.refused(BEN, c.BuyIn(100_00, colour_value=10_00, marker=True), Reason.COLOUR_CHIPS)
    assert own.clauses == ("1.1.1",)
    assert own.says == "Staff place and confirm the marker. Ask the dealer to enter the purchase."
    table.does(DEALER, c.BuyIn(100_00, "ben", colour_value=10_00, marker=True))


@holds(SINGAPORE, "1.1.2")
def test_sg_112_the_dice_are_tumbled_by_an_electronic_device(copy: Copy) -> None:
    manual = SicBoTable(raw=copy.raw, shaker="manual")
    manual.refused("max the manager", c.OpenTable(manual.setup()), Reason.CONFIGURATION)
    at(copy, "thrown")


@holds(SINGAPORE, "1.1.3")
def test_sg_113_a_round_runs_from_the_commencement_of_play_until_winners_are_paid(copy: Copy) -> None:
    table = ready(copy)
    assert due(table.table) == table.table.rules.procedure.round[0]
    assert due(table.table).id == "open"  # type: ignore[union-attr]
    table.bet(ANN, "small=10")
    for name in ("tumble", "close", "press-deal", "uncover", "check-flat"):
        table.take(name)
    for name in ("announce-outcome", "enter-dice", "collect", "pay"):
        for later in ("collect", "pay"):
            if later != name:
                table.refused(DEALER, step_of(later), Reason.NOT_DUE)
        assert table.table.round.number == 1
        table.take(name)
    assert table.table.round.number == 2
    assert due(table.table).id == "open"  # type: ignore[union-attr]


# -- 2: dice


@holds(SINGAPORE, "2.2")
def test_sg_22_the_game_is_played_with_three_dice_numbered_from_one_to_six_by_dots(copy: Copy) -> None:
    table = ready(copy)
    for count in (2, 4):
        assert table.refused(PIT_SUPERVISOR, c.PutDice("set 2", count=count), Reason.DICE_MISSING).clauses == ("2.2",)
    table.does(PIT_SUPERVISOR, c.PutDice("set 2", count=3))
    table.does(PIT_SUPERVISOR, c.CheckEquipment("dice", (True,)))
    assert "✓ each is numbered from one to six by dots [2.2]" in table.transcript()
    table.go("check-flat")
    for dice in ((1, 2), (1, 2, 3, 4), (1, 2, 7), (0, 2, 3)):
        table.refused(DEALER, c.TakeStep("announce-outcome", dice), Reason.BAD_DICE)
    table.finish()


# -- 3: how to play


@holds(SINGAPORE, "3.1")
def test_sg_31_play_commences_with_place_your_bets_please(copy: Copy) -> None:
    table = ready(copy)
    assert table.refused(ANN, FIVE, Reason.BETTING_CLOSED).clauses == ("3.1",)
    (opened,) = table.take("open").events
    assert isinstance(opened, e.StepTaken)
    assert opened.announced == "Place your bets, please"
    table.does(ANN, FIVE)


@holds(SINGAPORE, "3.2")
def test_sg_32_betting_closes_with_no_more_bets(copy: Copy) -> None:
    table = at(copy, "thrown")
    table.does(BEN, FIVE)
    (closed,) = table.take("close").events
    assert isinstance(closed, e.StepTaken)
    assert closed.announced == "No more bets"
    assert "3.2" in table.refused(BEN, FIVE, Reason.BETTING_CLOSED).clauses


@holds(SINGAPORE, "3.3")
def test_sg_33_wagers_are_cash_chips_or_colour_chips_or_both(copy: Copy) -> None:
    table = bare(copy)
    table.does(ANN, c.BuyIn(500_00))
    table.does(ANN, c.BuyIn(500_00, colour_value=5_00))
    table.take("open")
    both = (
        c.BetRequest("small", 10_00),
        c.BetRequest("small", 15_00, "colour"),
        c.BetRequest("total/6", 5_00, "colour"),
    )
    table.does(ANN, c.PlaceBets(both))
    table.finish()
    assert table.holds("ann") == 500_00 + 10_00
    assert table.holds_in_colour("ann") == 500_00 + 15_00 + 18 * 5_00
    tip = c.PlaceBets((c.BetRequest("small", 10_00, "tip in the area"),))
    table.take("open")
    table.refused(ANN, tip, Reason.NOT_IN_THE_BOOK)


@holds(SINGAPORE, "3.5")
def test_sg_35_a_player_may_wager_on_any_or_all_areas(copy: Copy) -> None:
    table = ready(copy)
    areas = list(copy.rules.wagers)
    assert len(areas) == 104
    table.bet(ANN, *(f"{area}=5" for area in areas))
    assert len(table.table.bets) == 104
    table.refused(BEN, bets_of("double-and-single/112=5"), Reason.UNKNOWN_WAGER)
    table.finish((1, 2, 3))
    won = 5 * (1 + 1 + 18 + 6 * 3 + 30 + 1 + 1 + 1 + 7)
    assert table.holds("ann") == 1_000_00 + 100 * (won - 5 * (104 - 11))


@holds(SINGAPORE, "3.6")
def test_sg_36_the_dots_on_the_uppermost_sides_decide(copy: Copy) -> None:
    table = at(copy, "closed", "single-die/6=10", "single-die/1=10")
    table.go("announce-outcome", (6, 6, 2))
    table.refused(DEALER, c.TakeStep("enter-dice", (1, 1, 5)), Reason.DICE_DIFFER)
    table.finish((6, 6, 2))
    assert table.table.history[-1].dice == (2, 6, 6)
    assert table.holds("ann") == 1_000_00 + 20_00 - 10_00


@holds(SINGAPORE, "3.7")
def test_sg_37_dealer_pit_supervisor_and_manager_place_wagers_at_a_players_request(copy: Copy) -> None:
    by_name = Copy(patched(copy.raw, {"ranks.acting": "the position named"}))  # without 6.2: 3.7 names them itself
    table = ready(by_name)
    table.take("open")
    for who in (DEALER, PIT_SUPERVISOR, PIT_MANAGER):
        assert "3.7" in table.refused(who, FIVE, Reason.WRONG_ROLE).clauses  # they say for whom
        table.does(who, bets_of("small=5", player="ann"))
    assert "3.7" in table.refused(SHIFT_MANAGER, bets_of("small=5", player="ann"), Reason.WRONG_ROLE).clauses
    table.refused(BEN, bets_of("small=5", player="ann"), Reason.WRONG_ROLE)
    table.does(ANN, FIVE)
    assert [bet.amount for bet in table.table.bets.values()] == [20_00]
    table.go("close")
    for who in (DEALER, PIT_SUPERVISOR, PIT_MANAGER):
        table.refused(who, bets_of("small=5", player="ann"), Reason.BETTING_CLOSED)


@holds(SINGAPORE, "3.8")
def test_sg_38_the_dealer_starts_the_tumbler_and_dice_tumble_at_least_three_times(copy: Copy) -> None:
    for tumbles in (3, 4):
        table = at(copy, "betting")
        table.refused(ANN, c.TakeStep("tumble", shakes=tumbles), Reason.WRONG_ROLE)
        table.step(DEALER, "tumble", shakes=tumbles)
        assert (table.table.round.shakes, cover(table.table)) == (tumbles, "on")
        table.take("close")
    table = at(copy, "betting")
    assert table.refused(DEALER, c.TakeStep("tumble"), Reason.TOO_FEW_SHAKES).clauses == ("3.8",)


@holds(SINGAPORE, "3.9")
def test_sg_39_all_wagers_placed_no_more_bets_then_the_deal_button(copy: Copy) -> None:
    table = at(copy, "betting")
    assert table.refused(DEALER, step_of("close"), Reason.NOT_DUE).clauses == ("3.8",)
    table.take("tumble")
    table.does(BEN, FIVE)
    assert "3.9" in table.refused(DEALER, step_of("press-deal"), Reason.NOT_DUE).clauses
    (closed,) = table.take("close").events
    assert isinstance(closed, e.StepTaken)
    assert closed.announced == "No more bets"
    table.take("press-deal")


@holds(SINGAPORE, "3.10")
def test_sg_310_the_dealer_uncovers_the_tumbler_and_sees_that_every_die_rests_flat(copy: Copy) -> None:
    table = at(copy, "thrown")
    table.take("close")
    assert table.refused(DEALER, step_of("uncover"), Reason.NOT_DUE).clauses == ("3.9",)
    table.take("press-deal")
    assert cover(table.table) == "on"
    table.take("uncover")
    assert cover(table.table) == "off"
    assert table.refused(DEALER, step_of("announce-outcome"), Reason.NOT_DUE).clauses == ("3.10",)
    assert table.refused(DEALER, c.TakeStep("check-flat", flat=False), Reason.BAD_DICE).clauses == ("5.3",)
    table.take("check-flat")
    table.finish()


@holds(SINGAPORE, "3.11")
def test_sg_311_wagers_are_settled_by_where_the_chips_lie_when_the_dice_are_revealed(copy: Copy) -> None:
    table = at(copy, "thrown", "big=10")
    table.does(ANN, c.MoveBet("big", "small"))
    table.go("uncover")
    assert table.refused(ANN, c.MoveBet("small", "big"), Reason.BETTING_CLOSED).clauses == ("5.7",)
    table.go("announce-outcome")
    for early in ("collect", "pay"):
        table.refused(DEALER, step_of(early), Reason.NOT_DUE)
    table.take("enter-dice")
    assert "3.11" in table.refused(DEALER, step_of("pay"), Reason.NOT_DUE).clauses
    table.finish()
    assert table.holds("ann") == 1_010_00


@holds(SINGAPORE, "3.12")
def test_sg_312_the_pit_supervisor_or_above_decides_on_wagers_that_lie_unclear(copy: Copy) -> None:
    as_stated = Copy(patched(copy.raw, {"ranks.acting": "or above where stated"}))  # 3.12 says it without 6.2
    for senior in (PIT_SUPERVISOR, PIT_MANAGER, SHIFT_MANAGER):
        table = at(as_stated, "revealed", "small=10", "total/6=5")
        ruling = c.RuleOnBet(1, "big", "it lay across the line")
        assert table.refused(senior, ruling, Reason.NOT_NOW).clauses == ("3.12",)
        table.does(DEALER, c.Call("unclear-wagers", "ann's ten lies across the line", bets=(1, 2)))
        assert table.refused(DEALER, step_of("collect"), Reason.NOT_NOW).clauses == ("3.12",)
        for other in (ANN, DEALER):
            refusal = table.refused(other, ruling, Reason.WRONG_ROLE)
            assert refusal.clauses == ("3.12",)
            assert "pit supervisor or someone more senior" in refusal.says
        table.refused(senior, c.RuleOnBet(9, "big", "no such bet"), Reason.NO_SUCH_BET)
        table.refused(senior, c.RuleOnBet(1, "biggish", "no such area"), Reason.UNKNOWN_WAGER)
        table.does(senior, ruling)
        table.does(senior, c.RuleOnBet(2, None, "moved by a sleeve"))
        assert table.holds("ann") == 1_000_00 - 10_00
        table.finish()
        assert table.holds("ann") == 990_00


@holds(SINGAPORE, "3.12")
def test_sg_312_it_is_seen_after_the_reveal_while_settling_too(copy: Copy) -> None:
    for table, _ in called_in(copy, "unclear-wagers", "3.12", ("revealed", "settling"), 1):
        where = phase(table.table)
        table.does(PIT_SUPERVISOR, c.RuleOnBet(1, "big", "it lay on big"))
        table.finish()
        assert table.holds("ann") == 990_00
        collected = [event.lines for event in table.events_of(e.LosersCollected)]  # type: ignore[attr-defined]
        assert [len(lines) for lines in collected] == ([1] if where == "revealed" else [0, 1])


# -- 5: irregularities


@holds(SINGAPORE, "5.1")
def test_sg_51_fewer_than_three_tumbles_void_the_round(copy: Copy) -> None:
    for table, outcome in called_in(copy, "too-few-tumbles", "5.1", ("thrown", "closed", "revealed")):
        is_void(table, outcome)


@holds(SINGAPORE, "5.1")
def test_sg_51_a_tumble_that_was_too_short_is_recorded_and_the_round_stops(copy: Copy) -> None:
    table = at(copy, "betting")
    table.step(DEALER, "tumble", shakes=2)
    assert table.refused(DEALER, step_of("close"), Reason.TOO_FEW_SHAKES).clauses == ("5.1",)
    is_void(table, table.does(DEALER, c.Call("too-few-tumbles")))
    table.refused(DEALER, step_of("open"), Reason.SHAKER)
    table.does(PIT_SUPERVISOR, c.Repair("dice-tumbler"))
    table.bet(ANN, "small=10")
    table.finish()


@holds(SINGAPORE, "5.2")
def test_sg_52_dice_exposed_before_no_more_bets_void_the_round(copy: Copy) -> None:
    for table, outcome in called_in(copy, "exposed-early", "5.2", ("betting", "thrown")):
        is_void(table, outcome)
        table.bet(ANN, "small=10")
        table.finish()


@holds(SINGAPORE, "5.3")
def test_sg_53_a_die_that_is_not_flat_voids_the_round(copy: Copy) -> None:
    for table, outcome in called_in(copy, "not-flat", "5.3", ("revealed", "settling")):
        is_void(table, outcome)
        table.bet(ANN, "small=10")
        table.finish()


@holds(SINGAPORE, "5.4")
def test_sg_54_damaged_dice_void_the_round_even_while_it_is_settled(copy: Copy) -> None:
    phases = ("betting", "thrown", "closed", "revealed", "settling")
    for table, outcome in called_in(copy, "damaged-dice", "5.4", phases):
        is_void(table, outcome)
        table.refused(DEALER, step_of("open"), Reason.DICE_MISSING)
        table.does(PIT_SUPERVISOR, c.PutDice("set 2", count=3))
        table.check_over("dice", PIT_SUPERVISOR)
        table.bet(ANN, "small=10")
        table.finish()


@holds(SINGAPORE, "5.4")
def test_sg_54_damaged_dice_are_replaced_and_never_repaired(copy: Copy) -> None:
    table = at(copy, "betting")
    is_void(table, table.does(DEALER, c.Call("damaged-dice")))
    assert table.refused(PIT_SUPERVISOR, c.Repair("dice"), Reason.DICE_MISSING).policy
    table.does(PIT_SUPERVISOR, c.PutDice("set 2", count=3))
    assert table.register.sets["set 1"].standing == "cancelled"
    table.refused(PIT_SUPERVISOR, c.Repair("dice"), Reason.NOTHING_TO_DO)


@holds(SINGAPORE, "5.4")
def test_sg_54_what_was_collected_of_a_void_round_is_given_back(copy: Copy) -> None:
    table = at(copy, "settling", "big=10", "small=10")
    assert table.holds("ann") == 980_00
    before = table.table.inventory
    is_void(table, table.does(DEALER, c.Call("damaged-dice")))
    assert not table.table.history[-1].lines
    assert table.table.inventory.won == before.won - 10_00


@holds(SINGAPORE, "5.5")
def test_sg_55_a_broken_dome_or_broken_dice_void_the_round(copy: Copy) -> None:
    phases = ("betting", "thrown", "closed", "revealed", "settling")
    for table, outcome in called_in(copy, "breakage", "5.5", phases):
        is_void(table, outcome)
        table.refused(DEALER, step_of("open"), Reason.SHAKER)
        table.does(PIT_SUPERVISOR, c.Repair("dice-tumbler"))
        table.bet(ANN, "small=10")


@holds(SINGAPORE, "5.6")
def test_sg_56_after_no_more_bets_no_wager_is_placed_or_raised(copy: Copy) -> None:
    for where in ("closed", "revealed", "settling"):
        table = at(copy, where)
        for late in (FIVE, bets_of("total/6=5")):
            assert "5.6" in table.refused(ANN, late, Reason.BETTING_CLOSED).clauses
        table.does(DEALER, c.RecordFound("ann", "small", 50_00, late=True))
        table.does(DEALER, c.RecordFound("ben", "total/6", 5_00, late=True))
        table.finish()
        assert (table.holds("ann"), table.holds("ben")) == (1_010_00, 1_000_00)
        lines = table.events_of(e.WinnersPaid)[-1].lines  # type: ignore[attr-defined]
        assert {(line.player, line.stake, line.honoured, line.clauses) for line in lines if line.row is None} == {
            ("ann", 50_00, 0, ("5.6",)),
            ("ben", 5_00, 0, ("5.6",)),
        }
    table = at(copy, "thrown")
    table.refused(DEALER, c.RecordFound("ben", "total/6", 5_00, late=True), Reason.NOT_NOW)


@holds(SINGAPORE, "5.6")
def test_sg_56_a_late_wager_is_refused_and_the_round_goes_on(copy: Copy) -> None:
    for table, _ in called_in(copy, "late-wager", "5.6", ("closed", "revealed", "settling")):
        table.finish()
        assert table.holds("ann") == 1_010_00


@holds(SINGAPORE, "5.7")
def test_sg_57_a_wager_withdrawn_after_no_more_bets_is_still_won_or_lost(copy: Copy) -> None:
    for table, _ in called_in(copy, "late-withdrawal", "5.7", ("closed", "revealed", "settling")):
        assert table.refused(ANN, c.TakeDown("small"), Reason.BETTING_CLOSED).clauses == ("5.7",)
        assert table.refused(ANN, c.TakeDown("small", 5_00), Reason.BETTING_CLOSED).clauses == ("5.7",)
        table.finish()
        assert table.holds("ann") == 1_010_00
    lost = at(copy, "closed", "big=10")
    lost.refused(ANN, c.TakeDown("big"), Reason.BETTING_CLOSED)
    lost.finish()
    assert lost.holds("ann") == 990_00


@holds(SINGAPORE, "5.8")
def test_sg_58_equipment_that_fails_after_the_outcome_lets_the_round_go_on(copy: Copy) -> None:
    for table, _ in called_in(copy, "equipment-malfunction", "5.8", ("revealed", "settling")):
        table.finish()
        assert table.holds("ann") == 1_010_00


@holds(SINGAPORE, "5.8")
def test_sg_58_where_the_lights_are_wrong_the_dice_decide(copy: Copy) -> None:
    for where in ("revealed", "settling"):
        table = at(copy, where)
        table.does(DEALER, c.Call("wrong-lights", "big is lit"))
        table.finish()
        assert table.holds("ann") == 1_010_00
    table = at(copy, "closed")
    table.go("check-flat")
    table.does(DEALER, c.Call("wrong-lights", "nothing lights up"))
    table.finish()
    assert not table.events_of(e.Illuminated)
    assert table.holds("ann") == 1_010_00
    table.does(PIT_SUPERVISOR, c.Repair("electronic-equipment"))
    table.bet(ANN, "small=10")
    table.finish()
    assert table.events_of(e.Illuminated)


@holds(SINGAPORE, "5.9")
def test_sg_59_if_the_deal_button_was_not_pressed_the_outcome_stands_and_is_entered(copy: Copy) -> None:
    for table, _ in called_in(copy, "deal-not-pressed", "5.9", ("closed", "revealed")):
        table.finish()
        assert table.holds("ann") == 1_010_00
    table = at(copy, "thrown")
    table.take("close")
    table.refused(DEALER, step_of("uncover"), Reason.NOT_DUE)
    table.does(DEALER, c.Call("deal-not-pressed", "the cover is off"))
    for name in ("uncover", "check-flat", "announce-outcome", "reset-equipment", "enter-dice"):
        table.take(name)
    assert "small" in table.table.round.lit
    table.finish()
    assert table.holds("ann") == 1_010_00


@holds(SINGAPORE, "5.10")
def test_sg_510_a_wager_under_the_minimum_is_settled_once_and_later_returned(copy: Copy) -> None:
    for wager, won in (("small", 2_00), ("big", -2_00)):
        for where in ("revealed", "settling"):
            table = at(copy, where)
            table.refused(BEN, bets_of("small=2"), Reason.BETTING_CLOSED)
            table.does(DEALER, c.RecordFound("ben", wager, 2_00))
            table.finish()
            assert table.holds("ben") == 1_000_00 + won
            for again in ("small", "big"):
                table.bet(ANN, "small=10")
                table.go("uncover")
                table.does(DEALER, c.RecordFound("ben", again, 2_00))
                table.finish()
                assert table.holds("ben") == 1_000_00 + won
            table.bet(ANN, "small=10")
            table.go("uncover")
            table.does(DEALER, c.RecordFound("ann", "small", 495_00))  # over the maximum: a different case
            table.finish()


@holds(SINGAPORE, "5.10")
def test_sg_510_it_is_found_after_the_outcome_and_a_players_own_entry_is_refused(copy: Copy) -> None:
    table = at(copy, "betting")
    assert table.refused(BEN, bets_of("small=2"), Reason.UNDER_MINIMUM).reading == "found-on-layout"
    for where in ("betting", "thrown", "closed"):
        found = c.RecordFound("ben", "small", 2_00)
        assert at(copy, where).refused(DEALER, found, Reason.NOT_NOW).clauses == ("5.10",)
    for called, _ in called_in(copy, "under-minimum", "5.10", ("revealed", "settling")):
        called.finish()
        assert called.holds("ann") == 1_010_00


@holds(SINGAPORE, "5.10")
def test_sg_510_a_void_round_settles_nothing_so_the_once_is_not_used_up(copy: Copy) -> None:
    table = at(copy, "revealed")
    table.does(DEALER, c.RecordFound("ben", "big", 2_00))
    table.take("collect")
    table.does(DEALER, c.Call("damaged-dice"))
    table.does(PIT_SUPERVISOR, c.PutDice("set 2"))
    table.check_over("dice", PIT_SUPERVISOR)
    table.bet(ANN, "small=10")
    table.go("uncover")
    table.does(DEALER, c.RecordFound("ben", "small", 2_00))
    table.finish()
    assert table.holds("ben") == 1_002_00


@holds(SINGAPORE, "5.11")
def test_sg_511_a_wager_over_the_maximum_is_paid_or_collected_to_the_maximum_only(copy: Copy) -> None:
    for wager, won in (("small", 500_00), ("big", -500_00)):
        table = at(copy, "closed")
        table.does(DEALER, c.RecordFound("ben", wager, 700_00))
        table.finish()
        assert table.holds("ben") == 1_000_00 + won
        (line,) = [line for line in table.table.history[-1].lines if line.player == "ben"]
        assert (line.stake, line.honoured, line.net) == (700_00, 500_00, won)
        assert "5.11" in line.clauses
    table = at(copy, "betting")
    assert table.refused(BEN, bets_of("small=501"), Reason.OVER_MAXIMUM).reading == "found-on-layout"


@holds(SINGAPORE, "5.11")
def test_sg_511_what_lies_there_already_counts(copy: Copy) -> None:
    table = at(copy, "betting", "small=400")
    assert table.refused(ANN, bets_of("small=101"), Reason.OVER_MAXIMUM).reading == "found-on-layout"
    table.go("close")
    table.refused(DEALER, c.RecordFound("ann", "small", 100_00), Reason.NOTHING_TO_DO)
    table.does(DEALER, c.RecordFound("ann", "small", 300_00))
    table.finish()
    assert table.holds("ann") == 1_500_00


@holds(SINGAPORE, "5.11")
def test_sg_511_calling_it_stops_nothing(copy: Copy) -> None:
    for table, _ in called_in(copy, "over-maximum", "5.11", ("closed", "revealed", "settling")):
        table.finish()
        assert table.holds("ann") == 1_010_00


@holds(SINGAPORE, "5.12")
def test_sg_512_wagers_outside_the_limits_in_earlier_rounds_stay_settled(copy: Copy) -> None:
    table = at(copy, "closed")
    table.does(DEALER, c.RecordFound("ben", "small", 700_00))
    table.finish()
    settled = table.table.history
    for where in REACHED.values():
        if where:
            table.bet(ANN, "small=10")
            table.go(where)
        bets = dict(table.table.bets)
        table.does(DEALER, c.Call("earlier-limits", "the 700 of the last round"))
        assert (table.table.history[: len(settled)], dict(table.table.bets)) == (settled, bets)
        if where:
            table.finish()
        assert table.holds("ben") == 1_500_00


@holds(SINGAPORE, "5.13.1")
def test_sg_5131_if_power_fails_without_an_outcome_players_withdraw_all_or_none(copy: Copy) -> None:
    for where in ("betting", "thrown", "closed"):
        table = ready(copy)
        table.bet(ANN, "small=10", "total/6=5")
        table.bet(BEN, "big=10")
        table.go(REACHED[where] or "")
        assert table.refused(ANN, c.Withdraw(), Reason.NOT_NOW).clauses == (("5.7",) if where == "closed" else ())
        table.does(DEALER, c.Call("power-failure-before"))
        for partly in (c.TakeDown("small"), c.MoveBet("small", "big")):
            table.refused(ANN, partly, Reason.SUSPENDED)
        table.refused(BEN, FIVE, Reason.SUSPENDED)
        table.refused(DEALER, step_of(table.order[len(table.table.round.done)]), Reason.SUSPENDED)
        table.does(ANN, c.Withdraw())
        assert table.holds("ann") == 1_000_00
        assert table.refused(ANN, c.Withdraw(), Reason.NO_SUCH_BET).clauses == ()
        table.does(DEALER, c.Resume())
        table.finish()
        assert (table.holds("ann"), table.holds("ben")) == (1_000_00, 990_00)


@holds(SINGAPORE, "5.13.1")
def test_sg_5131_it_is_called_before_an_outcome_only(copy: Copy) -> None:
    for table, _ in called_in(copy, "power-failure-before", "5.13.1", ("betting", "thrown", "closed")):
        assert table.table.power_failed


@holds(SINGAPORE, "5.13.2")
def test_sg_5132_if_power_fails_with_an_outcome_play_continues(copy: Copy) -> None:
    for table, _ in called_in(copy, "power-failure-after", "5.13.2", ("revealed", "settling")):
        assert table.refused(ANN, c.Withdraw(), Reason.NOT_NOW).clauses == ("5.13.2",)
        table.finish()
        assert table.holds("ann") == 1_010_00


# -- 6: general provisions


@holds(SINGAPORE, "6.1")
def test_sg_61_the_gaming_shift_manager_decides_in_words_what_the_rules_do_not_cover(copy: Copy) -> None:
    for where in REACHED:
        table = at(copy, where)
        table.does(DEALER, c.Call("not-covered", "a bird has landed on the layout"))
        waits = table.order[len(table.table.round.done) - (1 if "illuminate" in table.table.round.done else 0)]
        assert table.refused(DEALER, step_of(waits), Reason.NOT_NOW).clauses == ("6.1",)
        for other in (ANN, DEALER, PIT_SUPERVISOR, PIT_MANAGER):
            assert table.refused(other, c.RuleInWords("it flies on"), Reason.WRONG_ROLE).clauses == ("6.1",)
        assert table.refused(SHIFT_MANAGER, c.RuleInWords(" "), Reason.NOTHING_TO_DO).reading == "free-ruling"
        table.does(SHIFT_MANAGER, c.RuleInWords("the wagers stand as they were"))
        assert "“the wagers stand as they were” [6.1]" in table.transcript()
        table.finish()


@holds(SINGAPORE, "6.1")
def test_sg_61_the_decision_may_be_that_the_round_is_void(copy: Copy) -> None:
    table = at(copy, "revealed")
    table.does(DEALER, c.Call("not-covered", "the table was knocked over"))
    is_void(table, table.does(SHIFT_MANAGER, c.RuleInWords("the round is void", void=True)))


@holds(SINGAPORE, "6.2")
def test_sg_62_a_higher_position_may_do_what_a_lower_one_may_and_never_the_reverse(copy: Copy) -> None:
    for senior in (PIT_SUPERVISOR, PIT_MANAGER, SHIFT_MANAGER):
        table = ready(copy)
        table.does(senior, c.TakeStep("open"))
        table.does(senior, bets_of("small=10", player="ann"))
        for name in table.order[1:6]:
            table.does(senior, step_of(name))
        table.does(senior, c.Call("unclear-wagers", bets=(1,)))
        table.does(senior, c.RuleOnBet(1, "small", "it lay on small"))
        for name in table.order[6:]:
            table.does(senior, step_of(name))
        assert table.holds("ann") == 1_010_00
    table = at(copy, "revealed")
    table.does(DEALER, c.Call("unclear-wagers", bets=(1,)))
    table.refused(DEALER, c.RuleOnBet(1, "small", "it lay on small"), Reason.WRONG_ROLE)
    table.does(PIT_SUPERVISOR, c.Call("not-covered", "the lights went out and came back"))
    table.refused(PIT_MANAGER, c.RuleInWords("it stands"), Reason.WRONG_ROLE)
    table.refused(ANN, step_of("collect"), Reason.WRONG_ROLE)


@holds(SINGAPORE, "6.3")
def test_sg_63_a_wrong_display_changes_nothing(copy: Copy) -> None:
    for where in REACHED:
        table = at(copy, where)
        before = due(table.table)
        table.does(DEALER, c.Call("wrong-display", "it shows 6-6-6"))
        assert due(table.table) == before
        table.finish()
        assert table.holds("ann") == (1_010_00 if where != "between rounds" else 1_000_00)


@holds(SINGAPORE, "6.3")
def test_sg_63_two_persons_settle_a_round_with_a_wrong_outcome_again_by_the_dice(copy: Copy) -> None:
    table = ready(copy)
    table.bet(ANN, "small=100")
    table.bet(BEN, "big=100")
    table.finish((1, 2, 3))
    assert (table.holds("ann"), table.holds("ben")) == (1_100_00, 900_00)
    table.does(ANN, c.CashOut(1_050_00))
    proposal = c.ProposeResettlement(1, (6, 5, 6), "the camera shows 5-6-6")
    table.refused(ANN, proposal, Reason.WRONG_ROLE)
    table.does(PIT_SUPERVISOR, proposal)
    table.refused(PIT_SUPERVISOR, c.ApproveResettlement(1), Reason.OWN_ACT)
    table.refused(DEALER, c.ApproveResettlement(1), Reason.WRONG_ROLE)
    table.does(PIT_MANAGER, c.ApproveResettlement(1))
    assert (table.holds("ann"), table.holds("ben")) == (0, 1_100_00)
    assert table.balances[disputes("t1")] == -150_00
    assert table.table.history[-1].dice == (5, 6, 6)
    assert betting_open(table.table) is False
    assert "S$150 is no longer available and is owed to the house" in table.transcript()


def test_sg_a_step_out_of_order_is_refused_with_the_clause_and_what_is_due() -> None:
    table = ready(Copy.packaged(SINGAPORE))
    for place, name in enumerate(table.order):
        for other in table.order[:place] + table.order[place + 1 :]:
            refusal = table.refused(DEALER, step_of(other), Reason.NOT_DUE)
            assert refusal.clauses
            assert refusal.message.params["act"] == act_of(table, name)
        table.take(name)


def test_sg_510_511_limits_count_cash_and_colour_chips_together() -> None:
    table = ready(Copy.packaged(SINGAPORE))
    table.does(ANN, c.BuyIn(1_000_00, colour_value=5_00))
    table.bet(ANN, "small=400")
    more = c.PlaceBets((c.BetRequest("small", 105_00, "colour"),))
    table.refused(ANN, more, Reason.OVER_MAXIMUM)
    table.does(ANN, c.PlaceBets((c.BetRequest("small", 100_00, "colour"),)))
    table.finish()
    assert (table.holds("ann"), table.holds_in_colour("ann")) == (1_400_00, 1_100_00)
