"""The auditor's own rules of craps agree with the engine's: every wager, every option, random bets on random rolls."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.audit import patterns, phases, side_bets
from pitbook.audit.books import Book
from pitbook.audit.settling import expected_line
from pitbook.audit.shelf import NamedBook, Shelf
from pitbook.audit.state import Bet
from pitbook.dice import Roll, rolls
from pitbook.engine import standing as engine
from pitbook.engine.progress import PAID, Progress, advance, initial_progress, marks
from pitbook.engine.standing import Standing
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import HOUSE_BOOKS, load
from pitbook.rulebooks.model import Rulebook
from tests.soaking import repetitions, thorough

CRAPS_OPTIONS = {name: tuple(one.choices) for name, one in load("craps").options.items()}
TABLES = [
    *(("craps", {name: choice}) for name, choices in CRAPS_OPTIONS.items() for choice in choices),
    ("craps", {"crapless": "on", "put": "on", "odds": "20x", "rounding": "chip"}),
    ("craps", {"commission": "when-bet", "hardways": "working", "rounding": "chip"}),
    ("craps-bonus", {}),
    ("craps-bonus", {"groups": "fire,repeater"}),
    ("craps+craps-bonus", {"crapless": "on"}),
    ("craps+dice-works+dice-ology", {"dice-works.groups": "parlay,high-roller", "put": "on"}),
]
RANDOM = TABLES[-6:]
"""The tables on which bets are drawn at random: together they have every wager, and options that change rows."""
THROWS = [roll for roll in rolls(2) for _ in range(roll.ways)]


def both(book: str, options: dict[str, str]) -> tuple[Rulebook, Book]:
    """Return a table's book as the engine reads it, and as the auditor does."""
    return _both(book, tuple(sorted(options.items())))


@cache
def _both(book: str, options: tuple[tuple[str, str], ...]) -> tuple[Rulebook, Book]:
    named = [NamedBook(name, load(name).digest) for name in book.split("+")]
    return load(book, options=dict(options)), Shelf().book_of(named, (), options)


def ids(table: tuple[str, dict[str, str]]) -> str:
    return "@".join([table[0], *(f"{name}={choice}" for name, choice in table[1].items())])


@pytest.mark.parametrize("table", TABLES, ids=ids)
def test_wagers_pays_and_clauses_are_read_alike(table: tuple[str, dict[str, str]]) -> None:
    rules, mine = both(*table)
    assert (mine.id, mine.digest, mine.unit, mine.wordings) == (
        rules.id, rules.digest, rules.odds.unit, tuple(rules.odds.wording),
    )  # fmt: skip
    assert mine.offered == set(rules.wagers)
    assert mine.clauses == set(rules.clauses)
    assert mine.hand == (rules.hand.points, tuple(sorted(rules.hand.naturals)))
    for wager in rules.wagers.values():
        own = mine.every[wager.id]
        for paytable, rows in wager.pays.items():
            read = own.pays[paytable]
            assert {row: read[row].gain for row in rows} == {row: odds.gain for row, odds in rows.items()}
            assert {row: read[row].commission for row in rows} == {row: odds.commission for row, odds in rows.items()}


@dataclass
class Twins:
    """A player's table, evaluated by the engine and by the auditor."""

    rules: Rulebook
    mine: Book
    progress: Progress
    point: int | None
    areas: dict[str, side_bets.Area]
    standing: dict[int, Standing] = field(default_factory=dict)
    bets: dict[int, Bet] = field(default_factory=dict)
    made: int = 0

    @classmethod
    def at(cls, rules: Rulebook, mine: Book) -> Twins:
        return cls(rules, mine, initial_progress(rules), None, side_bets.new_areas(mine))

    def copy(self) -> Twins:
        """Return a table that stands as this one does."""
        bets = {number: replace(bet) for number, bet in self.bets.items()}
        return replace(self, areas=dict(self.areas), standing=dict(self.standing), bets=bets)

    def bet(self, name: str, amount: int) -> None:
        """Make a bet if both allow it; neither may allow what the other refuses."""
        wager, own = self.rules.wagers[name], self.mine.every[name]
        refused = engine.bet_refused(self.rules, self.progress, list(self.standing.values()), wager, Cents(amount))
        why = side_bets.window_closed(self.point, self.areas, own)
        if why is None:
            total = amount + sum(bet.amount for bet in self.bets.values() if bet.wager == name)
            why = phases.odds_refused(self.mine, self.point, self.bets.values(), "ann", own, total)
        assert (refused is None) == (why is None), (name, refused, why)
        if refused is None:
            self.made += 1
            self.standing[self.made] = engine.new_standing(self.progress, wager, Cents(amount))
            self.bets[self.made] = Bet(self.made, "ann", name, amount, "cash", confirmed=True)

    def call(self, number: int, how: engine.Called) -> None:
        bet = self.standing[number]
        refused = engine.call_refused(self.rules.wagers[bet.wager], how)
        assert (refused is None) == bool(self.mine.every[bet.wager].calls)
        if refused is None:
            self.standing[number] = engine.call(self.rules, self.progress, bet, how)
            self.bets[number].called = how

    def take_down(self, number: int) -> None:
        bet = self.bets[number]
        refused = engine.take_down_refused(self.rules, self.progress, self.standing[number])
        assert (refused is None) == (phases.take_down_refused(self.mine.every[bet.wager], bet, self.point) is None)
        if refused is None:
            del self.standing[number], self.bets[number]
            for odds, left in list(self.standing.items()):
                if engine.is_orphaned(self.rules, self.progress, list(self.standing.values()), left):
                    assert not phases.parents(self.mine, self.bets.values(), "ann", left.wager)
                    del self.standing[odds], self.bets[odds]

    def roll(self, roll: Roll) -> None:
        """Roll, and compare what it did to the hand, the areas and every bet."""
        step = advance(self.rules, self.progress, roll)
        moved = marks(self.rules, self.progress, step)
        own = side_bets.roll(self.mine, self.point, self.areas, roll.faces)
        assert (str(step.call), step.progress.hand.point) == (own.call, own.point)
        assert (frozenset(moved.placed), frozenset(moved.cleared)) == (own.placed, own.cleared)
        for name, area in own.areas.items():
            if name in self.rules.wagers:
                theirs = step.progress.areas[name]
                assert (theirs.state == PAID, theirs.just_won) == (area.paid, area.just_won), name
        standing = [bet for bet in self.bets.values() if not self.mine.every[bet.wager].marked]
        rows = phases.decided(self.mine, self.point, standing, roll.faces)
        areas = {**own.ended, **patterns.rows_reached(self.mine, roll.faces)}
        rows |= {bet.id: areas[bet.wager] for bet in self.bets.values() if bet.wager in areas}
        results = engine.roll_bets(self.rules, step.progress, list(self.standing.values()), roll)
        for number, result in zip(list(self.standing), results, strict=True):
            bet, settlement = self.bets[number], result.settlement
            wager = self.mine.every[bet.wager]
            assert rows.get(number) == (settlement.row if settlement else None), (bet, roll)
            stays = False
            if settlement is not None:
                line = expected_line(self.mine, {}, bet, bet.amount, settlement.row)
                assert (line["net"], line["capped"]) == (settlement.net, settlement.capped), (bet, roll)
                assert line["pays"] == settlement.odds.printed(self.rules.odds.wording)
                assert line["exact"] == (None if settlement.exact is None else str(settlement.exact))
                stays = phases.stays_on_layout(wager, wager.pays[settlement.paytable][settlement.row])
            assert (result.after is not None) == (settlement is None or stays)
            if result.after is None:
                del self.standing[number], self.bets[number]
                continue
            self.standing[number] = result.after
            bet.point = phases.travelled(self.mine, wager, bet.point, roll.total)
            assert bet.point == (result.after.hand.point if wager.own_point else None)
        self.progress, self.point, self.areas = step.progress, own.point, own.areas


@pytest.mark.parametrize("table", RANDOM, ids=ids)
@settings(max_examples=repetitions(10, 500))
@given(data=st.data())
def test_random_bets_on_random_rolls_are_followed_alike(table: tuple[str, dict[str, str]], data: st.DataObject) -> None:
    rules, mine = both(*table)
    twins = Twins.at(rules, mine)
    names = sorted(rules.wagers)
    tied = [name for name in names if mine.every[name].tied]
    for _ in range(data.draw(st.integers(1, 12), label="rolls")):
        for name in data.draw(st.lists(st.sampled_from(names), max_size=4), label="bets"):
            twins.bet(name, data.draw(st.integers(1, 3_000), label="amount"))
        for name in data.draw(st.lists(st.sampled_from(tied), max_size=2), label="odds") if tied else ():
            twins.bet(name, data.draw(st.integers(1, 9_000), label="amount"))
        for number in data.draw(st.lists(st.sampled_from(sorted(twins.bets)), max_size=2)) if twins.bets else ():
            twins.call(number, data.draw(st.sampled_from(["on", "off"])))
        taken = data.draw(st.booleans())
        if twins.bets and taken:
            twins.take_down(data.draw(st.sampled_from(sorted(twins.bets)), label="taken down"))
        twins.roll(data.draw(st.sampled_from(THROWS), label="roll"))


@pytest.mark.parametrize("table", [*thorough(*((table,) for table in TABLES[:-6])), *RANDOM], ids=ids)
def test_every_wager_is_decided_alike_on_every_hand_and_roll(table: tuple[str, dict[str, str]]) -> None:
    rules, mine = both(*table)
    for point in (None, *rules.hand.points):
        before = Twins.at(rules, mine)
        if point is not None:
            before.roll(total(point))
        for name in rules.wagers:
            before.bet(name, 1_003)
        for roll in rolls(2):
            before.copy().roll(roll)


def total(number: int) -> Roll:
    """Return a roll with a total."""
    return next(roll for roll in rolls(2) if roll.total == number)


def test_odds_called_off_go_back_with_their_bet_though_another_travels_to_its_number() -> None:
    twins = Twins.at(*both("craps", {}))
    twins.roll(total(8))
    twins.bet("come", 1_000)
    twins.roll(total(6))
    twins.bet("come-odds/6", 2_000)
    twins.call(2, "off")
    twins.bet("come", 500)
    twins.roll(total(6))
    assert [(bet.id, bet.point) for bet in twins.bets.values()] == [(3, 6)], "clause 4.3"


COMPLETED = {
    "fire-bet": [point for point in (4, 5, 6, 8, 9, 10) for _ in range(2)],
    "hot-hand": [2, 3, 4, 5, 6, 8, 9, 10, 11, 12],
    "small": [2, 3, 4, 5, 6],
}


@pytest.mark.parametrize("name", COMPLETED)
def test_a_bonus_bet_that_is_complete_waits_for_a_seven(name: str) -> None:
    twins = Twins.at(*both("craps-bonus", {}))
    twins.bet(name, 1_000)
    for number in COMPLETED[name]:
        assert twins.bets
        twins.roll(total(number))
    assert not twins.bets
    assert twins.areas[name].paid
    twins.bet(name, 1_000)
    assert not twins.bets
    for number in (4, 4, 5, 7):
        twins.roll(total(number))
    assert not twins.areas[name].paid
    twins.bet(name, 1_000)
    assert twins.bets


@pytest.mark.parametrize("book", HOUSE_BOOKS)
def test_the_house_books_are_read_under_every_choice(book: str) -> None:
    for name, option in load(book).options.items():
        for choice in option.choices:
            rules, mine = both(book, {name: choice})
            assert mine.offered == set(rules.wagers), (name, choice)
