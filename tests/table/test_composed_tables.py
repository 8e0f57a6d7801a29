"""Several books on one hand: one settlement per roll, each book's steps, clauses and bets its own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pitbook.errors import InputError
from pitbook.house.books import HouseBooks
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.ledger.accounts import escrow
from pitbook.rulebooks.catalogue import load
from pitbook.rulebooks.composition import digest_of
from pitbook.rulebooks.editions import packaged_digest
from pitbook.rulebooks.table_needs import missing_for_table
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table import snapshots
from pitbook.table.refusals import Reason
from pitbook.testing import JournalTable
from tests.table.craps import BASE, BOX, STICK, craps_table, faces, lines_of
from tests.table.driving import SHARED_BOOKS

ALL = "craps+dice-works+dice-ology"
BONUS = "craps+craps-bonus"


@pytest.mark.parametrize("book", [ALL, BONUS, "dice-works+dice-ology", "craps+craps-bonus+dice-works"])
def test_books_on_one_hand_can_run_a_table(book: str) -> None:
    rules = load(book)
    assert missing_for_table(rules) == []
    assert {clause for step in rules.procedure.round for clause in step.clause} <= set(rules.clauses)
    assert {clause for rule in rules.irregularities.values() for clause in rule.clause} <= set(rules.clauses)
    assert {clause for thing in rules.equipment.values() for clause in thing.clause} <= set(rules.clauses)
    ids = [step.id for step in rules.procedure.round]
    assert len(set(ids)) == len(ids)
    assert all(ids.index(before) < ids.index(step.id) for step in rules.procedure.round for before in step.after)


def test_each_book_keeps_its_own_steps_and_clauses() -> None:
    rules = load(ALL)
    steps = {step.id: step for step in rules.procedure.round}
    assert list(steps) == [
        *("take-bets", "dice-ology-confirm", "dice-ology-place-tip", "roll", "dice-works-mark", "dice-ology-mark"),
        *("collect", "pay", "dice-works-remove-lammers", "dice-ology-remove-lammers", "dice-ology-re-bet"),
    ]
    assert steps["collect"].clause[0] == "10.4"
    assert "dice-ology (7)" in steps["collect"].clause
    assert steps["pay"].directed_by == ["stick-person"]
    assert {"layout", "dice-ology-layout", "dice", "puck"} <= set(rules.equipment)
    assert rules.irregularities["power-failure"].clause[0] == "10.8"


def test_one_roll_settles_the_base_game_and_the_side_bets_in_a_stated_order() -> None:
    table = craps_table(ALL)
    table.bet("ann", "pass-line=10 all-lows=5 little-ones=5 field=5")
    assert [bet.confirmed for bet in table.table.bets.values()] == [True] * 4
    events = table.rolls("4")
    assert [event.step for event in events if isinstance(event, e.StepTaken)] == [
        *("roll", "dice-works-mark", "dice-ology-mark", "pay")
    ]
    events = table.rolls("7")
    lines = lines_of(events)
    assert [(line.wager, line.net) for line in lines] == [
        *(("pass-line", -10_00), ("all-lows", -5_00), ("little-ones", -5_00))
    ]
    assert [line.clauses[0].split()[0] for line in lines] == ["2.1", "dice-works", "dice-ology"]
    removed = {event.step: event.areas for event in events if isinstance(event, e.StepTaken)}
    assert "little-ones" in removed["collect"]
    assert "all-lows" in removed["dice-works-remove-lammers"]
    assert not set(removed["collect"]) & set(removed["dice-works-remove-lammers"])


def test_only_the_book_that_asks_for_it_has_its_bets_confirmed() -> None:
    table = craps_table(ALL)
    table.does("ann the player", c.PlaceBets((c.BetRequest("pass-line", 10_00), c.BetRequest("little-ones", 5_00))))
    assert [bet.confirmed for bet in table.table.bets.values()] == [True, False]
    refusal = table.refused(BASE, c.TakeStep("roll", (2, 2)), Reason.UNCONFIRMED)
    assert refusal.clauses == ("dice-ology (5)",)
    table.does(BOX, c.ConfirmBets())
    table.roll(4)


def test_tips_are_taken_where_their_book_takes_them() -> None:
    table = craps_table(ALL)
    tip = (c.BetRequest("little-ones", 1_00, "tip in the area"),)
    table.does("ann the player", c.PlaceBets(tip))
    refusal = table.not_taken("ann", "pass-line=1", Reason.NOT_IN_THE_BOOK, "tip in the area")
    assert "no bets for the dealers" in refusal.says


def test_dealers_envy_is_paid_at_a_composed_table() -> None:
    table = craps_table("craps+dice-works")
    table.bet("ann", "parlay-envy/2x2=5")
    lines = table.lines("2 2")
    assert [line.wager for line in lines if line.envy] == ["parlay-envy/2x2"]
    assert table.dealers == sum(line.envy for line in lines)


def test_side_bets_lock_while_bets_of_the_base_game_move() -> None:
    table = craps_table(ALL)
    table.bet("ann", "all-lows=5 place/6=12")
    table.rolls("4")
    refusal = table.refused("ann the player", c.TakeDown("all-lows"), Reason.RUNNING)
    assert refusal.reading == "running-bets"
    table.does("ann the player", c.TakeDown("place/6"))
    on_layout = sum(bet.amount for bet in table.table.bets.values())
    assert table.balances[escrow("t1")] == on_layout == 5_00
    assert snapshots.load(snapshots.dump(table.table), SHARED_BOOKS) == table.table


def test_a_misread_roll_is_corrected_for_every_book_on_the_hand() -> None:
    table = craps_table(ALL)
    table.bet("ann", "pass-line=10 all-lows=5 little-ones=5")
    table.rolls("4")
    table.bet("ann", "pass-line-odds=30 come=10 place/6=12")
    before, marks = dict(table.balances), table.standing()
    lying = {bet.wager: bet.amount for bet in table.table.bets.values()}
    table.rolls("7")  # it was a five
    assert (len(table.table.bets), table.table.shooter) == (0, None)
    table.shooter("ben")
    table.bet("ben", "little-ones=5 pass-line=5")
    table.does(STICK, c.ProposeResettlement(2, faces(5), "it was a five"))
    table.does(BOX, c.ApproveResettlement(2))
    assert dict(table.balances) == before
    assert {bet.wager: bet.amount for bet in table.table.bets.values()} == lying
    table.finish()
    assert (marks["little-ones"], table.standing()["little-ones"]) == ([4], [4, 5])
    assert (table.table.shooter, table.table.point) == ("ann", 4)
    assert [bet.point for bet in table.table.bets.on("ann", "come")] == [5]


def test_a_no_roll_and_a_power_failure_hold_for_every_book_on_the_hand() -> None:
    table = craps_table(ALL)
    table.bet("ann", "pass-line=10 little-ones=5")
    table.rolls("2")
    table.bet("ann", "pass-line=10 big-ones=5 all-highs=5")
    marks = table.standing()
    table.does(STICK, c.Call("no-roll", "off the table"))
    assert table.standing() == marks
    table.does(BASE, c.Call("power-failure"))
    table.does("ann the player", c.Withdraw())
    assert {bet.wager: bet.amount for bet in table.table.bets.values()} == {"little-ones": 5_00}
    assert table.balances[escrow("t1")] == 5_00


def test_a_fire_bet_follows_the_shooters_points() -> None:
    table = craps_table(BONUS)
    table.bet("ann", "fire-bet=5 pass-line=10")
    table.rolls("4 4 5 5 6 6 8 8")
    lines = table.lines("4 7")
    assert [(line.wager, line.row) for line in lines if line.wager == "fire-bet"] == [("fire-bet", "4 points")]


def test_options_and_limits_go_by_book() -> None:
    table = craps_table(ALL, options={"odds": "10x", "dice-works.groups": "parlay"})
    assert "parlay/2x2" in table.table.rules.wagers
    assert table.not_taken("ann", "all-lows=5", Reason.UNKNOWN_WAGER).clauses == ("dice-works general/groups",)
    table.bet("ann", "pass-line=10")
    table.rolls("4")
    table.bet("ann", "pass-line-odds=100")


def test_books_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="its game is sic-bo"):
        load("craps+maryland-sic-bo")
    with pytest.raises(InputError, match="named twice"):
        load("craps+craps")


def test_the_journal_keeps_the_text_of_every_book_of_a_composed_table(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    store = SqliteStore(path)
    house = House(store, clock=lambda: datetime(2026, 3, 1, 12, tzinfo=UTC))
    table = JournalTable(house, ALL)
    parts = ALL.split("+")
    setup = table.table.setup
    assert setup is not None
    assert [part.id for part in setup.books] == parts
    assert all(part.text for part in setup.books)
    assert setup.digest == digest_of(packaged_digest(part) for part in parts)
    assert setup.text == ""
    for part in setup.books:
        assert store.attachment(part.digest) is not None
    table.buy_in("ann")
    table.bet("ann", "pass-line=10 little-ones=5 all-lows=5")
    table.play_round(2, 2)
    before = table.table
    house.close()
    store.close()
    again = House(SqliteStore(path), clock=lambda: datetime(2026, 3, 1, 13, tzinfo=UTC), books=HouseBooks())
    assert again.table("t1") == before
    assert again.table("t1").rules.id == ALL
    again.close()
