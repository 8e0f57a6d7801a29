"""Data for the dealer's console: what the table would accept, the hand, and the players."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from msgspec.structs import asdict, replace

from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.server.presenters.tables import build_own_view, build_staff_view, build_view
from pitbook.server.schemas.tables import OwnRuling, PlayerInfo, RoundResult, ShakerInfo, TableView
from pitbook.server.tables import console
from pitbook.table import commands as c
from pitbook.table.decide import Context, decide
from pitbook.table.people import Person
from pitbook.table.refusals import Reason, Refusal
from pitbook.table.state import Ruling
from pitbook.testing import START
from tests.table.craps import craps_table
from tests.table.sic_bo import (
    ANN,
    DEALER,
    FLOOR,
    MARYLAND,
    MASSACHUSETTS,
    ORDER,
    SINGAPORE,
    SicBoTable,
    bare,
    packaged,
)

DAN = Person("dan", "dealer")
NOT_HERE = (Reason.NOT_NOW, Reason.NOTHING_TO_DO, Reason.WRONG_ROLE)


def callable_now(table: SicBoTable) -> set[str]:
    """What the table would let the dealer call, apart from the people who must be present."""
    found = set()
    for name in table.table.rules.irregularities:
        command = c.Call(name, "seen")
        outcome = decide(table.table, command, Context(DAN, table.now.isoformat(), table.balances))
        if isinstance(outcome, Refusal) and outcome.reading == "unclear-wagers":
            command = c.Call(name, "seen", bets=(next(iter({**table.table.bets, **table.table.round.taken})),))
            outcome = decide(table.table, command, Context(DAN, table.now.isoformat(), table.balances))
        if not isinstance(outcome, Refusal) or outcome.why not in NOT_HERE:
            found.add(name)
    return found


def offered(table: SicBoTable) -> set[str]:
    return {one.id for one in console.irregularities(table.table, [DAN.role]) if one.mine}


@pytest.mark.parametrize(("book", "shaker"), ORDER)
def test_at_every_step_just_those_irregularities_are_offered_that_can_be_called(book: str, shaker: str) -> None:
    table = packaged(book, shaker)
    assert offered(table) == callable_now(table)
    table.bet(ANN, "small=10")
    for step in table.order:
        if step not in table.table.round.done:
            table.take(step)
        assert offered(table) == callable_now(table), step


def test_supervisors_are_offered_what_the_book_gives_them() -> None:
    table = packaged(MARYLAND)
    mine = {one.id: one.mine for one in console.irregularities(table.table, ["above-floorperson"])}
    assert mine["device-malfunction"], "a floorperson or above"
    massachusetts = packaged(MASSACHUSETTS)
    mine = {one.id: one.mine for one in console.irregularities(massachusetts.table, ["floorperson"])}
    assert not mine["device-malfunction"], "the dealer or the casino supervisor, and no one else"


def test_dice_can_be_corrected_from_the_announcement_until_losers_are_collected() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10")
    can = {}
    for step in table.order:
        can[step] = build_staff_view(table.table, [DAN.role]).can_correct
        if step not in table.table.round.done:
            table.take(step)
    assert [step for step, may in can.items() if may] == ["enter-dice", "collect"]


@pytest.mark.parametrize("book", ["dice-works", "dice-ology"])
def test_a_hand_runs_from_the_last_seven_out_and_keeps_its_own_until_the_next_roll(book: str) -> None:
    table = craps_table(book)
    table.rolls("4 6 4 11 5")
    calls = [(sum(one.dice), one.call) for one in console.rolls_of_hand(table.table)]
    assert calls == [
        *((4, "point set"), (6, "no decision"), (4, "point made")),
        *((11, "natural"), (5, "point set")),
    ]
    table.rolls("7")
    assert console.rolls_of_hand(table.table)[-1].call == "seven-out"
    table.rolls("12")
    assert [one.call for one in console.rolls_of_hand(table.table)] == ["craps"]


def test_sic_bo_has_no_hand_and_past_rounds_come_newest_first() -> None:
    table = packaged(MASSACHUSETTS)
    for dice in ((1, 2, 3), (4, 5, 6)):
        table.bet(ANN, "small=10")
        table.finish(dice)
    assert console.rolls_of_hand(table.table) == []
    assert console.past_results(table.table) == [RoundResult(2, (4, 5, 6)), RoundResult(1, (1, 2, 3))]


def test_players_are_known_by_their_bets_and_listed_with_their_chips() -> None:
    table = packaged(MASSACHUSETTS)
    assert console.players_at(table.table) == []
    table.bet(ANN, "small=10")
    assert console.players(table.table, {"ann": console.Chips(990_00)}) == [PlayerInfo("ann", 990_00, None, None)]
    table.finish()
    assert console.players_at(table.table) == ["ann"], "still, after the round"


def test_only_an_automated_shaker_is_put_away_and_as_the_book_says() -> None:
    assert build_staff_view(packaged(MASSACHUSETTS).table, [DAN.role]).put_away == []
    assert build_staff_view(packaged(MASSACHUSETTS, "automated").table, [DAN.role]).put_away == ["removed"]
    assert build_staff_view(packaged(MARYLAND, "automated").table, [DAN.role]).put_away == ["covered", "sign"]


def test_irregularities_of_the_round_are_listed_until_it_is_over() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10")
    table.go("uncover")
    table.does(DEALER, c.Call("late-withdrawal"))
    assert build_staff_view(table.table, [DAN.role]).called == ("late-withdrawal",)
    table.finish()
    assert build_staff_view(table.table, [DAN.role]).called == ()


def view_of(table: SicBoTable) -> TableView:
    """Return what anyone sees of the table."""
    return build_view(table.table, table.now)


def test_a_table_that_is_not_ready_takes_no_bets_and_says_so_to_everyone() -> None:
    table = bare(packaged_raw(MASSACHUSETTS))
    assert (view_of(table).ready, view_of(table).betting) == (False, False), "nothing has been inspected"
    table.inspect_all()
    assert (view_of(table).ready, view_of(table).betting) == (True, True)
    ready_until = view_of(table).ready_until
    assert ready_until is not None
    put_in, table.now = table.now, datetime.fromisoformat(ready_until)
    assert view_of(table).ready, "the dice may still be used"
    table.now += timedelta(seconds=1)
    assert (view_of(table).ready, view_of(table).ready_until) == (False, None), "the dice are too old"
    table.now = put_in
    table.seat()
    table.bet(ANN, "small=10")
    assert (view_of(table).ready, view_of(table).ready_until) == (True, None), "a round that has begun continues"


def test_the_call_is_shown_to_everyone_and_again_after_a_round_without_an_outcome() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10")
    table.go("uncover")
    table.does(DEALER, c.Call("late-withdrawal"))
    assert view_of(table).called == ("late-withdrawal",)
    table.finish()
    assert view_of(table).called == ()
    table.bet(ANN, "small=10")
    table.go("uncover")
    number = table.table.round.number
    table.does(DEALER, c.Call("not-flat"))
    assert table.table.round.number == number + 1
    assert view_of(table).called == ("not-flat",), "it is shown in the next round"
    table.finish()
    assert view_of(table).called == ()


def test_a_ruling_on_a_wager_is_shown_to_its_player_and_staff_until_the_round_ends() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10", "even=20")
    table.go("check-flat")
    small, even = (bet.id for bet in table.table.bets.values())
    table.does(DEALER, c.Call("unclear-wagers", bets=(small, even)))
    assert build_own_view(table.table, "ann", console.Chips(0)).unruled == [small, even]
    assert build_own_view(table.table, "ben", console.Chips(0)).unruled == []
    for stands in ("big", "odd"):
        table.does(table.junior, c.RuleOnBet(small, stands, "it leaned to that side"))
    table.does(table.junior, c.RuleOnBet(even, None, "nobody knows"))
    displayed = [
        OwnRuling(small, 10_00, "small", "odd", None),
        OwnRuling(even, 20_00, "even", None, None),
    ]
    assert build_own_view(table.table, "ann", console.Chips(0)).unruled == []
    assert build_own_view(table.table, "ann", console.Chips(0)).rulings == displayed
    assert build_own_view(table.table, "ben", console.Chips(0)).rulings == []
    assert build_staff_view(table.table, [DAN.role]).rulings == tuple(
        Ruling(**asdict(one), player="ann") for one in displayed
    )
    table.finish()
    assert build_staff_view(table.table, [DAN.role]).rulings == ()


def test_wagers_awaiting_a_ruling_are_shown_to_staff_with_those_already_collected() -> None:
    table = packaged(SINGAPORE)
    table.bet(ANN, "small=10", "big=20")
    table.go("collect")
    table.does(DEALER, c.Call("unclear-wagers", "moved by a sleeve", bets=(2,)))
    staff_view = build_staff_view(table.table, [DAN.role])
    assert (staff_view.unclear, staff_view.unruled, staff_view.undecided) == ((2,), (2,), ("unclear-wagers",))
    assert [(bet.id, bet.player, bet.wager) for bet in staff_view.taken] == [(2, "ann", "big")]
    assert staff_view.callers == {"unclear-wagers": "dan"}
    table.does(table.junior, c.RuleOnBet(2, "small", "seen on camera"))
    assert build_staff_view(table.table, [DAN.role]).unruled == ()


def test_the_step_that_shows_the_dice_asks_whether_they_lie_flat() -> None:
    for book, shaker, command in (
        (MASSACHUSETTS, "manual", "uncover"),
        (MASSACHUSETTS, "automated", "shake-automated"),
        (MARYLAND, "automated", "uncover"),
        (SINGAPORE, "automated", "check-flat"),
    ):
        table = packaged(book, shaker)
        steps = build_view(table.table, table.now).procedure
        assert [step.id for step in steps if step.asks_flat] == [command]


def test_staff_see_the_dice_their_first_use_and_the_state_of_each_shaker() -> None:
    table = packaged(MASSACHUSETTS, "automated")
    table.later(hours=1)
    table.does(FLOOR, c.PutDice("set 2", serials=("r1", "r2", "r3")))
    table.later(hours=1)
    table.does(FLOOR, c.PutDice("set 1"))
    seen = build_staff_view(table.table, [DAN.role]).equipment
    assert seen.dice is not None
    assert seen.dice.first_used == START.isoformat()
    assert seen.dice_until == (START + timedelta(hours=24)).isoformat()
    assert seen.dice_movable
    shaker = ShakerInfo("automated", "automated-shaker", "", "in use")
    assert seen.shakers == [shaker]
    table.bet(ANN, "small=10")
    table.go("shake-automated")
    assert not build_staff_view(table.table, [DAN.role]).equipment.dice_movable
    table.does(DEALER, c.Call("shaker-malfunction"))
    assert build_staff_view(table.table, [DAN.role]).equipment.shakers == [replace(shaker, state="under repair")]
    table.does(DEALER, c.PutAwayShaker("removed"))
    seen = build_staff_view(table.table, [DAN.role]).equipment
    assert (seen.dice, seen.shakers) == (None, [replace(shaker, state="removed")])
    assert seen.automated_away
