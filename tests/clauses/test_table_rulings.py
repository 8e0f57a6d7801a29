"""Irregularities and rulings: when they can be called, what can be decided, and the money of a decision."""

from __future__ import annotations

from msgspec.structs import replace

from pitbook.ledger.accounts import disputes
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide import Decision
from pitbook.table.people import Person
from pitbook.table.refusals import Reason
from pitbook.table.state import phase
from pitbook.testing import person
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy
from tests.table.sic_bo import (
    ANN,
    BEN,
    BOSS,
    DEALER,
    FLOOR,
    MARYLAND,
    MASSACHUSETTS,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    SINGAPORE,
    SUPERVISOR,
    SicBoTable,
    bets_of,
    packaged,
    ready,
    step_of,
)

NO_ROLL = c.Call("no-roll", "a die leans on another")
SHAKERS = ("manual", "automated")


def played(copy: Copy, to: str, *bets: str, shaker: str = "manual") -> SicBoTable:
    """A table after a step of a round in which 1-2-3 is thrown, with bets of ann."""
    table = ready(copy.raw, shaker)
    table.bet(ANN, *(bets or ("small=10", "big=20")))
    table.go(to)
    return table


def unclear(copy: Copy, to: str, *bets: str, named: tuple[int, ...] = (1,)) -> SicBoTable:
    """A table of Singapore at which the dealer has called some wagers unclear."""
    table = played(copy, to, *bets, shaker="automated")
    table.does(DEALER, c.Call("unclear-wagers", "moved by a sleeve", bets=named))
    return table


# -- "No Roll"


@holds(MASSACHUSETTS, "6(a)")
def test_ma_6a_no_roll_is_called_with_the_cover_off_until_a_winner_is_paid(copy: Copy) -> None:
    for shaker, first in (("manual", "uncover"), ("automated", "shake-automated")):
        seen = False
        for step in ready(copy.raw, shaker).order[:-1]:
            seen = seen or step == first
            table = played(copy, step, shaker=shaker)
            if seen and step != "pay":
                table.does(DEALER, NO_ROLL)
                assert table.holds("ann") == 1_000_00
            else:
                refusal = table.refused(DEALER, NO_ROLL, Reason.NOT_NOW)
                assert refusal.clauses == ("6(a)",)
                assert ("Dispute" in refusal.says) is (step == "pay")


@holds(MARYLAND, "7.A")
def test_md_7A_no_roll_is_called_with_the_cover_off_until_a_winner_is_paid(copy: Copy) -> None:
    for shaker in SHAKERS:
        for step in ready(copy.raw, shaker).order[:-1]:
            table = played(copy, step, shaker=shaker)
            if step in ("uncover", "announce-dice", "enter-dice", "collect"):
                table.does(DEALER, NO_ROLL)
                assert table.holds("ann") == 1_000_00
            else:
                assert table.refused(DEALER, NO_ROLL, Reason.NOT_NOW).clauses == ("7.A",)


@holds(MARYLAND, "7.A")
def test_md_7A_wagers_collected_before_the_no_roll_go_back_as_well(copy: Copy) -> None:
    table = played(copy, "collect")
    assert table.holds("ann") == 970_00
    _, returned = table.does(DEALER, NO_ROLL).events
    assert isinstance(returned, e.WagersReturned)
    assert [line.wager for line in returned.undone] == ["big"]
    assert table.holds("ann") == 1_000_00
    assert (table.table.inventory.wagered, table.table.inventory.won) == (0, 0)
    assert "Collected, and now returned: ann: US$20 on Big" in table.transcript()


@holds(MASSACHUSETTS, "6(a)")
def test_ma_6a_where_wagers_stand_those_collected_lie_again(copy: Copy) -> None:
    table = ready(copy.raw, readings={"no-roll-wagers": "stand"})
    table.bet(ANN, "small=10", "big=20")
    table.go("collect")
    table.does(DEALER, NO_ROLL)
    assert {bet.wager: bet.amount for bet in table.table.bets.values()} == {"small": 10_00, "big": 20_00}
    assert table.table.inventory.won == 0
    table.finish((4, 5, 6))
    assert table.holds("ann") == 1_010_00


@holds(MASSACHUSETTS, "6(a)")
def test_ma_6a_a_die_seen_not_flat_stops_the_round_until_no_roll_is_called(copy: Copy) -> None:
    for shaker, step in (("manual", "uncover"), ("automated", "shake-automated")):
        table = ready(copy.raw, shaker)
        table.bet(ANN, "small=10")
        table.go(table.order[table.order.index(step) - 1])
        table.step(DEALER, step, shakes=3, flat=False)
        assert phase(table.table) == "revealed"
        assert table.refused(DEALER, step_of("announce-dice"), Reason.BAD_DICE).clauses == ("6(a)",)
        table.does(DEALER, NO_ROLL)
        table.bet(ANN, "small=10")
        table.finish()


@holds(MARYLAND, "7.A")
def test_md_7A_a_die_under_the_cover_cannot_be_seen(copy: Copy) -> None:
    for shaker in SHAKERS:
        table = ready(copy.raw, shaker)
        table.step(DEALER, f"shake-{shaker}", shakes=3, flat=False)
        table.take("close")
        table.step(DEALER, "uncover", flat=False)
        assert table.refused(DEALER, step_of("announce-dice"), Reason.BAD_DICE).clauses == ("7.A",)
        table.does(DEALER, NO_ROLL)


# -- a device that failed


@holds(MASSACHUSETTS, "6(b)")
def test_ma_6b_after_the_device_failed_no_new_wager_is_taken(copy: Copy) -> None:
    table = ready(copy.raw)
    table.bet(ANN, "small=10")
    table.does(DEALER, c.Call("device-malfunction", present=(person(SUPERVISOR),)))
    for command in (bets_of("big=10"), c.MoveBet("small", "big")):
        refusal = table.refused(ANN, command, Reason.SUSPENDED)
        assert refusal.clauses == ("6(b)",)
        assert "play stops after this round" in refusal.says
    table.does(SUPERVISOR, c.Repair("electrical-device"))  # not even once it works again: this round is the last
    table.refused(ANN, bets_of("big=10"), Reason.SUSPENDED)
    table.finish()
    assert table.holds("ann") == 1_010_00
    table.refused(ANN, bets_of("big=10"), Reason.NOT_INSPECTED)
    table.inspect_device()
    table.bet(ANN, "big=10", "small=10")


@holds(MARYLAND, "7.B")
def test_md_7B_after_the_device_or_area_failed_no_new_wager_is_taken(copy: Copy) -> None:
    for failure in ("device-malfunction", "area-malfunction"):
        table = ready(copy.raw)
        table.bet(ANN, "small=10")
        table.go("shake-manual")
        table.does(DEALER, c.Call(failure, present=(person(FLOOR),)))
        assert table.refused(BEN, bets_of("big=10"), Reason.SUSPENDED).clauses == ("7.B", "7.C")
        table.does(ANN, c.TakeDown("small"))
        table.finish()


# -- wagers that lie unclear


@holds(SINGAPORE, "3.12")
def test_sg_3_12_the_call_names_wagers_of_this_round(copy: Copy) -> None:
    table = played(copy, "enter-dice", shaker="automated")
    refusal = table.refused(DEALER, c.Call("unclear-wagers"), Reason.NOTHING_TO_DO)
    assert refusal.clauses == ("3.12",)
    table.refused(DEALER, c.Call("unclear-wagers", bets=(1, 7)), Reason.NO_SUCH_BET)
    table.refused(DEALER, c.Call("not-flat", bets=(1,)), Reason.NOTHING_TO_DO)
    table.does(DEALER, c.Call("unclear-wagers", bets=(2,)))
    assert "To be decided: ann: S$20 on Big" in table.transcript()


@holds(SINGAPORE, "3.12")
def test_sg_3_12_only_named_wagers_are_ruled_on_and_each_of_them_must_be(copy: Copy) -> None:
    table = unclear(copy, "enter-dice", "small=10", "big=20", "odd=30", named=(1, 2))
    refusal = table.refused(PIT_SUPERVISOR, c.RuleOnBet(3, "even", "it lay there"), Reason.NOT_NOW)
    assert refusal.clauses == ("3.12",)
    assert "wasn't named in the call" in refusal.says
    for number in (1, 2):
        table.refused(DEALER, step_of("collect"), Reason.NOT_NOW)
        table.does(PIT_SUPERVISOR, c.RuleOnBet(number, "even", "it lay there"))
    table.finish()
    assert table.holds("ann") == 1_000_00 + 30_00 - 30_00 - 60_00 + 60_00


@holds(SINGAPORE, "3.12")
def test_sg_3_12_a_collected_wager_is_ruled_on_with_its_money(copy: Copy) -> None:
    for stands, holds_then in (("small", 1_000_00 + 20_00), ("big", 980_00), (None, 1_000_00)):
        table = unclear(copy, "collect", "big=20")
        assert table.holds("ann") == 980_00
        (ruled,) = table.does(PIT_SUPERVISOR, c.RuleOnBet(1, stands, "the camera shows it")).events
        assert isinstance(ruled, e.BetRuled)
        assert ruled.undone[0].net == -20_00
        assert table.holds("ann") == holds_then
        table.finish()
        assert table.holds("ann") == holds_then
        assert table.table.inventory.won == 1_000_00 - holds_then


@holds(SINGAPORE, "5.11")
def test_sg_5_11_a_wager_moved_by_a_ruling_is_paid_to_the_maximum_only(copy: Copy) -> None:
    limits = {"*": c.Limit(5_00, 500_00), "specific-triple": c.Limit(1_00, 50_00)}
    for to in ("enter-dice", "collect"):
        table = ready(copy.raw, "automated", limits=limits)
        table.bet(ANN, "big=500")
        table.go(to, (1, 1, 1))
        table.does(DEALER, c.Call("unclear-wagers", bets=(1,)))
        table.does(PIT_SUPERVISOR, c.RuleOnBet(1, "specific-triple/1", "it lay on the triple"))
        table.finish((1, 1, 1))
        assert table.holds("ann") == 1_000_00 + 180 * 50_00
        lines = table.table.history[-1].lines
        assert (lines[-1].stake, lines[-1].honoured) == (500_00, 50_00)
        assert "5.11" in lines[-1].clauses


@holds(SINGAPORE, "5.11")
def test_sg_5_11_a_resettled_line_still_names_why_part_of_it_is_given_back(copy: Copy) -> None:
    limits = {"*": c.Limit(5_00, 500_00), "specific-triple": c.Limit(1_00, 50_00)}
    table = ready(copy.raw, "automated", limits=limits)
    table.bet(ANN, "big=500")
    table.go("collect", (1, 1, 1))
    table.does(DEALER, c.Call("unclear-wagers", bets=(1,)))
    table.does(PIT_SUPERVISOR, c.RuleOnBet(1, "specific-triple/1", "it lay on the triple"))
    table.finish((1, 1, 1))
    table.does(DEALER, c.ProposeResettlement(1, (1, 1, 2), "misread"))
    table.does(PIT_SUPERVISOR, c.ApproveResettlement(1))
    (line,) = table.table.history[-1].lines
    assert (line.stake, line.honoured, line.net) == (500_00, 50_00, -50_00)
    assert line.clauses == ("3.5.5.1", "5.11", "3.12")


@holds(SINGAPORE, "5.11")
def test_sg_5_11_what_was_placed_there_comes_before_what_was_moved_there(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.bet(ANN, "big=400")
    table.bet(ANN, "small=300")
    table.go("collect")
    table.does(DEALER, c.Call("unclear-wagers", bets=(1,)))
    table.does(PIT_SUPERVISOR, c.RuleOnBet(1, "small", "it lay on small"))
    table.finish()
    assert table.holds("ann") == 1_000_00 + 500_00  # 300 as placed, and 200 of the 400 moved


@holds(SINGAPORE, "5.11")
def test_sg_5_11_wagers_moved_to_one_area_stay_within_its_maximum_in_any_order(copy: Copy) -> None:
    for to in ("enter-dice", "collect"):
        for order in ((1, 2), (2, 1)):
            table = ready(copy.raw, "automated")
            table.bet(ANN, "big=400", "odd=400")
            table.go(to)
            table.does(DEALER, c.Call("unclear-wagers", bets=(1, 2)))
            for number in order:
                table.does(PIT_SUPERVISOR, c.RuleOnBet(number, "small", "it lay on small"))
            table.finish()
            assert table.holds("ann") == 1_000_00 + 500_00


@holds(SINGAPORE, "5.11")
def test_sg_5_11_a_wager_moved_away_makes_room_for_one_that_still_lies(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.bet(ANN, "small=500")
    table.go("close")
    table.does(DEALER, c.RecordFound("ann", "small", 100_00))
    table.go("collect")
    table.does(DEALER, c.Call("unclear-wagers", bets=(1,)))
    table.does(PIT_SUPERVISOR, c.RuleOnBet(1, "even", "it lay on even"))
    table.finish()
    assert table.holds("ann") == 1_000_00 + 500_00 + 100_00


# -- what the rules do not cover


def referred(copy: Copy, to: str, *bets: str) -> SicBoTable:
    """A table of Singapore at which the dealer has called something that the rules do not cover."""
    table = played(copy, to, *bets, shaker="automated")
    table.does(DEALER, c.Call("not-covered", "a glass fell on the layout"))
    return table


@holds(SINGAPORE, "6.1")
def test_sg_6_1_a_decision_needs_the_call_first_in_words_and_by_someone_else(copy: Copy) -> None:
    table = played(copy, "enter-dice", shaker="automated")
    for ruling in (c.RuleInWords("void", void=True), c.RuleInWords("go on")):
        assert table.refused(SHIFT_MANAGER, ruling, Reason.NOT_NOW).clauses == ("6.1",)
    assert table.refused(DEALER, c.Call("not-covered", " "), Reason.NOTHING_TO_DO).reading == "free-ruling"
    table.does(SHIFT_MANAGER, c.Call("not-covered", "a glass fell on the layout"))
    assert table.refused(SHIFT_MANAGER, c.RuleInWords("go on"), Reason.OWN_ACT).clauses == ("6.1",)
    table.does("gil the gaming-shift-manager", c.RuleInWords("go on"))
    table.refused(SHIFT_MANAGER, c.RuleInWords("void", void=True), Reason.NOT_NOW)  # that call was answered
    assert "gil (gaming shift manager) ruled on the call by gus: “go on” [6.1]" in table.transcript()
    table.finish()


@holds(SINGAPORE, "6.1")
def test_sg_6_1_a_decision_gives_wagers_back_and_pays_them_itself(copy: Copy) -> None:
    for to in ("close", "enter-dice", "collect"):
        table = referred(copy, to, "small=10", "big=20", "odd=30", "even=40")
        ruling = c.RuleInWords("as if it had not fallen", returns=(2,), pays=(c.Award(3, 15_00),))
        (ruled,) = table.does(SHIFT_MANAGER, ruling).events
        assert isinstance(ruled, e.Ruled)
        assert ruled.called_by == "dan"
        table.finish()
        assert table.holds("ann") == 1_000_00 + 10_00 + 15_00 + 40_00
        assert table.table.inventory.won == -65_00


@holds(SINGAPORE, "6.1")
def test_sg_6_1_a_decision_names_wagers_of_this_round_once_each(copy: Copy) -> None:
    table = referred(copy, "enter-dice")
    for ruling, why in (
        (c.RuleInWords("x", returns=(9,)), Reason.NO_SUCH_BET),
        (c.RuleInWords("x", pays=(c.Award(9, 1_00),)), Reason.NO_SUCH_BET),
        (c.RuleInWords("x", pays=(c.Award(1, 0),)), Reason.BAD_AMOUNT),
        (c.RuleInWords("x", returns=(1,), pays=(c.Award(1, 1_00),)), Reason.NOTHING_TO_DO),
        (c.RuleInWords("x", returns=(1,), void=True), Reason.NOTHING_TO_DO),
    ):
        reading = None if why is Reason.NO_SUCH_BET else "free-ruling"
        refusal = table.refused(SHIFT_MANAGER, ruling, why)
        assert (refusal.clauses, refusal.reading) == ((), reading)


@holds(SINGAPORE, "6.1")
def test_sg_6_1_a_void_round_undoes_what_an_earlier_decision_paid(copy: Copy) -> None:
    table = referred(copy, "collect")
    table.does(SHIFT_MANAGER, c.RuleInWords("paid", pays=(c.Award(2, 50_00),)))
    table.does(ANN, c.CashOut(1_040_00))
    table.does(DEALER, c.Call("not-covered", "another glass"))
    table.does(SHIFT_MANAGER, c.RuleInWords("void", void=True))
    assert table.holds("ann") == 0
    assert table.balances[disputes("t1")] == -40_00
    assert table.table.inventory.won == 0


@holds(SINGAPORE, "6.1")
def test_sg_6_1_nobody_decides_on_their_own_call_under_the_cover_of_another(copy: Copy) -> None:
    table = played(copy, "enter-dice", shaker="automated")
    table.does(SHIFT_MANAGER, c.Call("not-covered", "the wagers look odd"))
    refusal = table.refused(DEALER, c.Call("not-covered", "a fly sits on the dome"), Reason.NOT_NOW)
    assert refusal.reading == "free-ruling"
    assert "Rule on the call by gus first." in refusal.says
    table.refused(SHIFT_MANAGER, c.RuleInWords("void", void=True), Reason.OWN_ACT)


@holds(SINGAPORE, "6.1")
def test_sg_6_1_what_is_not_covered_waits_beyond_a_void_round_and_keeps_it_open(copy: Copy) -> None:
    table = referred(copy, "enter-dice")
    table.does(DEALER, c.Call("damaged-dice"))
    assert table.refused(BOSS, c.CloseTable(), Reason.NOT_NOW).clauses == ("6.1",)
    table.does(PIT_SUPERVISOR, c.PutDice("set 2"))
    table.check_over("dice", PIT_SUPERVISOR)
    assert table.refused(DEALER, step_of("open"), Reason.NOT_NOW).clauses == ("6.1",)
    table.does(SHIFT_MANAGER, c.RuleInWords("the layout is dried"))
    assert "ruled on the call by dan: “the layout is dried” [6.1]" in table.transcript()
    table.finish()
    table.does(ANN, c.CashOut(1_000_00))
    table.does(BOSS, c.CloseTable())


@holds(SINGAPORE, "6.1")
def test_sg_6_1_between_rounds_a_decision_is_words_only(copy: Copy) -> None:
    table = ready(copy.raw, "automated")
    table.does(DEALER, c.Call("not-covered", "a glass fell on the layout"))
    table.does(SHIFT_MANAGER, c.RuleInWords("another layout is put down"))
    table.bet(ANN, "small=10")
    table.finish()


# -- after a power failure


@holds(SINGAPORE, "5.13.2")
def test_sg_5_13_2_after_an_outcome_nobody_withdraws(copy: Copy) -> None:
    table = played(copy, "enter-dice", shaker="automated")
    table.does(DEALER, c.Call("power-failure-after"))
    assert table.refused(ANN, c.Withdraw(), Reason.NOT_NOW).clauses == ("5.13.2",)


# -- witnesses and claims


def test_nobody_is_their_own_witness_under_any_role() -> None:
    table = packaged(MASSACHUSETTS)
    table.bet(ANN, "small=10")
    table.go("uncover")
    for name, role in (("dan", "casino-supervisor"), ("dan", "dealer")):
        table.refused(DEALER, c.Call("device-malfunction", present=(Person(name, role),)), Reason.OWN_ACT)
    table.refused(SUPERVISOR, c.Call("device-malfunction", present=(person(SUPERVISOR),)), Reason.OWN_ACT)
    dan, step = Person("dan", "floorperson"), c.TakeStep("announce-dice", (1, 2, 3))
    for named in (replace(step, directed_by=dan), replace(step, confirmed_by=dan)):
        table.refused(DEALER, named, Reason.OWN_ACT)
    table.refused(FLOOR, c.Fill(1_00, Person("fay", "casino-supervisor")), Reason.OWN_ACT)
    table.does(DEALER, c.Call("device-malfunction", present=(person(SUPERVISOR),)))
    assert "Present: cas (casino supervisor), named by dan" in table.transcript()


def test_a_claim_is_refused_with_a_reason() -> None:
    table = packaged(MASSACHUSETTS)
    table.finish()
    table.does(ANN, c.Dispute(1, "it was a six"))
    table.refused(SUPERVISOR, c.SettleDispute(1, " ", upheld=False), Reason.NOTHING_TO_DO)
    outcome = table.does(SUPERVISOR, c.SettleDispute(1, "the camera shows a five", upheld=False))
    assert isinstance(outcome, Decision)
    assert outcome.events == (e.DisputeSettled(1, "the camera shows a five", upheld=False),)
    assert "rejected the dispute over round 1: “the camera shows a five”" in table.transcript()
    assert not table.table.disputed
