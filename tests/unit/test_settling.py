"""Settling: one wager, many at once, caps, rounding, envy, limits; progress and windows of a table."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.dice import Roll, parse_rolls, rolls
from pitbook.engine.bank import Bank
from pitbook.engine.chance import chance, chances
from pitbook.engine.illuminate import illuminate
from pitbook.engine.play import Bet, play
from pitbook.engine.progress import PAID, advance, initial_progress, lammers
from pitbook.engine.settle import settle
from pitbook.engine.windows import window_closed
from pitbook.errors import InputError
from pitbook.messages import Message
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.wager.machine import machine_of

BOOKS = {book: load(book) for book in PACKAGED} | {"printed": load("massachusetts-sic-bo", as_printed=True)}


@given(st.data(), st.sampled_from(sorted(BOOKS)))
def test_settling_many_wagers_at_once_equals_settling_each(data: st.DataObject, name: str) -> None:
    book = BOOKS[name]
    ids = list(book.wagers)
    chosen = data.draw(st.lists(st.sampled_from(ids), min_size=1, max_size=12))
    stakes = data.draw(st.lists(st.integers(1, 10**6), min_size=len(chosen), max_size=len(chosen)))
    sequence = data.draw(st.lists(st.sampled_from(rolls(book.dice)), min_size=1, max_size=30))
    tables = {wager: data.draw(st.sampled_from(book.wagers[wager].paytables)) for wager in set(chosen)}
    bank = Bank(book, {wager: table for wager, table in tables.items() if table})
    places, money = bank.seat(chosen), np.array(stakes, dtype=np.int64)
    states = [machine_of(book.wagers[wager].spec, book.dice).start() for wager in chosen]
    live = list(range(len(chosen)))
    for roll in sequence:
        settled = bank.settle(places[live], money[live], roll)
        places[live] = settled.places
        still = []
        for spot, index in enumerate(live):
            wager = book.wagers[chosen[index]]
            machine = machine_of(wager.spec, book.dice)
            target = machine.step(states[index], roll)
            row = machine.end(target)
            assert settled.running[spot] == (row is None)
            if row is None:
                states[index] = target
                still.append(index)
                assert settled.nets[spot] == 0
                assert bank.place(wager.id, target) == settled.places[spot]
            else:
                one = settle(book, wager, Cents(stakes[index]), row, tables[wager.id])
                assert settled.nets[spot] == one.net
                assert bank.labels[settled.places[spot]] == (wager.id, row)
        live = still
        if not live:
            break


def test_money_beyond_64_bits_is_refused() -> None:
    bank = Bank(load("dice-works"))
    with pytest.raises(InputError, match="64-bit"):
        bank.settle(bank.seat(["parlay-envy/10x10"]), np.array([10**15]), Roll.of(1, 1))
    with pytest.raises(InputError, match="did you mean all-lows"):
        bank.seat(["all-low"])


def test_a_tenth_of_a_stake_is_rounded_up_because_the_odds_are_a_minimum() -> None:
    book = BOOKS["printed"]
    settled = settle(book, book.wagers["one-of-a-kind/2"], Cents(25), "one die")
    assert (settled.net, settled.rounding) == (3, Fraction(1, 2))
    assert settled.clauses == ("2(a)(8)", "4(b)")


def test_a_payoff_cap_takes_what_is_above_it() -> None:
    book = load("dice-ology")
    settled = settle(book, book.wagers["little-ones"], book.cents(11), "win")
    assert (settled.net, settled.capped) == (34_000, 3_400)
    assert "(3)" in settled.clauses
    nets = (
        Bank(book)
        .settle(
            np.array([Bank(book).place("little-ones", _all_but(book, "little-ones", 6))], dtype=np.int32),
            np.array([book.cents(11)]),
            Roll.of(3, 3),
        )
        .nets
    )
    assert nets.tolist() == [34_000]


def _all_but(book: object, wager: str, last: int) -> int:
    from pitbook.rulebooks.model import Rulebook

    assert isinstance(book, Rulebook)
    machine = machine_of(book.wagers[wager].spec, 2)
    return machine.place[frozenset({2, 3, 4, 5, 6} - {last})]


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6"])
def test_what_lights_up_is_what_is_paid(book: str) -> None:
    rules = BOOKS[book]
    bets = [Bet(wager, Cents(100)) for wager in rules.wagers]
    for roll in rolls(3):
        played = play(rules, bets, [roll])
        assert {outcome.bet.wager for outcome in played.outcomes if outcome.net > 0} == set(illuminate(rules, roll))


def test_progress_goes_on_without_bets_and_a_paid_area_waits_for_a_seven() -> None:
    book = load("dice-works")
    progress = initial_progress(book)
    for roll in parse_rolls("1-1 2-1 2-2 3-2 3-3", 2):
        progress = advance(book, progress, roll).progress
    assert progress.areas["all-lows"].state == PAID
    assert lammers(book, progress)["all-lows"] == {"paid": True}
    assert lammers(book, progress)["the-works"]["marked"] == [2, 3, 4, 5, 6]
    assert "all-lows" not in chances(book, progress)
    step = advance(book, progress, Roll.of(3, 4))
    assert "all-lows" not in step.ended, "no one can lose on an area that is paid"
    assert step.ended["the-works"] == "lose"
    assert step.progress.areas["all-lows"] == initial_progress(book).areas["all-lows"]


@given(st.lists(st.sampled_from(rolls(2)), max_size=60), st.sampled_from(["dice-works", "dice-ology"]))
def test_the_lammers_show_what_was_rolled_since_the_last_seven(sequence: list[Roll], name: str) -> None:
    book = load(name, options={"rebet": "off"} if name == "dice-ology" else None)
    progress = initial_progress(book)
    since: list[int] = []
    for roll in sequence:
        progress = advance(book, progress, roll).progress
        since = [] if roll.total == 7 else [*since, roll.total]
    displayed = lammers(book, progress)
    for wager, numbers in [
        ("all-lows", {2, 3, 4, 5, 6}),
        ("little-ones", {2, 3, 4, 5, 6}),
        ("all-highs", {8, 9, 10, 11, 12}),
    ]:
        if wager in displayed:
            marked = numbers & set(since)
            assert displayed[wager].get("marked", sorted(numbers)) == sorted(marked)
            assert displayed[wager]["paid"] == (marked == numbers)
    if "parlay/8x6" in displayed:
        assert displayed["parlay/8x6"].get("count", 6) == min(since.count(8), 6)


def test_chance_falls_to_nothing_or_certainty_as_a_wager_goes_on() -> None:
    book = load("dice-ology")
    wager = book.wagers["little-ones"]
    machine = machine_of(wager.spec, 2)
    assert chance(book, wager, machine.start()) == Fraction(20049, 760760)
    assert chance(book, wager, machine.place[frozenset({2, 3, 4, 5})]) == Fraction(5, 11)


def test_a_bet_is_refused_before_a_roll_that_does_not_come() -> None:
    with pytest.raises(InputError, match="only 1 roll was given"):
        play(load("dice-works"), [Bet("all-lows", Cents(100), 5)], [Roll.of(1, 1)])


def test_a_window_watches_a_wager_that_is_not_offered() -> None:
    book = load("dice-works", readings={"works-window": "none-of-the-ten"}, options={"works-window": "any-roll"})
    offered = {wager_id: wager for wager_id, wager in book.wagers.items() if wager_id != "the-works"}
    fewer = replace(book, wagers=offered, withheld={"the-works": Message("errors.books.withheld.left-out")})
    progress = initial_progress(fewer)
    assert window_closed(fewer, progress, fewer.wager("all-lows")) is None
    step = advance(fewer, progress, Roll.of(4, 4))
    assert window_closed(fewer, step.progress, fewer.wager("all-lows")) is not None
    assert "the-works" not in lammers(fewer, step.progress)
    assert "the-works" not in advance(fewer, step.progress, Roll.of(3, 4)).ended


def test_what_lights_up_depends_on_the_pay_table() -> None:
    book = load("dice-works")
    progress = initial_progress(book)
    for roll in parse_rolls("6-5 6-5 6-5 2-2", 2):
        progress = advance(book, progress, roll).progress
    assert illuminate(book, Roll.of(3, 4), progress) == ("roll-the-line",)
    assert illuminate(book, Roll.of(3, 4), progress, {"roll-the-line": "PT6"}) == ()


@pytest.mark.parametrize("stake", [0, -500])
def test_a_stake_is_at_least_one_minor_unit(stake: int) -> None:
    with pytest.raises(InputError, match="at least one minor unit"):
        play(load("dice-works"), [Bet("all-lows", Cents(stake))], [Roll.of(3, 4)])
