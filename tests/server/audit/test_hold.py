"""Hold against theory: the money is the table's own, theory is exact, and the band holds as often as it says."""

from __future__ import annotations

from itertools import pairwise
from math import log, sqrt
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from pitbook.dice import rolls
from pitbook.engine.analyse import analyse
from pitbook.fairness.bands import Drift
from pitbook.house.books import HouseBooks
from pitbook.house.daily_results import MARKS, DayBook, Thrown
from pitbook.house.hold import HoldBook
from pitbook.house.payoff_distribution import chances, law_of
from pitbook.house.records import read_entries
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.table import commands as c
from pitbook.testing import MANAGER
from pitbook.wager.machine import machine_of
from tests.audit.journals import BOOKS, play
from tests.server.audit.conftest import Office
from tests.server.streams.stream_helpers import entries_of
from tests.table.automatic import ANN, bet, close, commit, open_automatic, reveal

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("book", PACKAGED)
def test_the_law_of_a_stake_is_that_of_the_exact_figures(book: str) -> None:
    rules = load(book)
    for wager in rules.wagers.values():
        law = law_of(rules, wager.id, rules.paytable(wager), 1_000, False, None)
        assert float(chances(rules.dice) @ law.after) == pytest.approx(law.expected, abs=1e-9)
        assert law.expected == pytest.approx(1_000 * float(analyse(rules, wager).house_edge), abs=1e-9)


def test_envy_caps_and_rounding_are_part_of_theory() -> None:
    works = load("dice-works")
    wager = works.wagers["parlay-envy/2x2"]
    plain, envied = (law_of(works, wager.id, works.paytable(wager), 1_000, own, None).expected for own in (False, True))
    assert envied < plain
    ology = load("dice-ology")
    little = law_of(ology, "little-ones", None, 2_000, False, None)  # a win of 680 dollars, of which 340 are paid
    assert little.expected / 2_000 > 0.5 > float(analyse(ology, ology.wager("little-ones")).house_edge)
    exact = law_of(ology, "little-ones", None, 1_000, False, None)
    assert exact.expected / 1_000 == pytest.approx(float(analyse(ology, ology.wager("little-ones")).house_edge))


@pytest.mark.parametrize("book", BOOKS)
async def test_the_money_is_what_the_table_has_booked(office: Office, book: str) -> None:
    table = office.floor(book)
    play(table, 15)
    async with office.client_of("kim") as client:
        hold = (await client.get("/tables/t1/hold")).json()
    booked, whole = table.table.inventory, hold["whole"]["whole"]
    assert (whole["won"], whole["wagered"], hold["whole"]["drop"]) == (booked.won, booked.wagered, booked.drop)
    assert hold["whole"]["hold"] == pytest.approx(float(booked.hold or 0))
    families = hold["whole"]["families"].values()
    assert sum(one["won"] for one in families) == booked.won
    assert sum(one["theory"] for one in families) == pytest.approx(whole["theory"])
    assert sum(one["deviation"] for one in families) == pytest.approx(whole["deviation"])
    assert whole["band"]["low"] < whole["deviation"] < whole["band"]["high"]
    if table.rules.dice == 3:
        assert whole["deviation"] == pytest.approx(whole["won"] - whole["theory"])
    assert hold["trouble"] is None


async def test_at_craps_running_wagers_count_by_what_they_are_worth_now(office: Office) -> None:
    table = office.floor("dice-ology")
    table.bet("ann", "little-ones=5")
    table.play_round(1, 1)
    record = office.watch.monitor.record("t1")
    assert record is not None
    tally = record.hold.whole.families["little-ones"]
    state = table.table.areas["little-ones"][0]
    now = law_of(table.rules, "little-ones", None, 500, True, state).expected
    begun = law_of(table.rules, "little-ones", None, 500, True, None).expected
    assert (tally.wagered, tally.won) == (0, 0)
    assert tally.drift.total == pytest.approx(now - begun)
    table.play_round(3, 4)
    office.watch.monitor.record("t1")
    assert (tally.wagered, tally.won) == (500, 500)
    assert tally.theory == pytest.approx(begun)
    assert tally.drift.total == pytest.approx(500 - begun)


async def test_a_corrected_roll_moves_the_stakes_once(office: Office) -> None:
    table = office.floor("dice-works")
    table.bet("ann", "all-lows=5")
    table.bet("ann", "the-works=5")
    table.play_round(1, 2)
    table.does(table.crew["box-person"], c.CorrectDice((1, 1), "a two"))
    corrected = office.watch.monitor.record("t1")
    assert corrected is not None
    other = office.floor("dice-works", "t2")
    other.bet("ann", "all-lows=5")
    other.bet("ann", "the-works=5")
    other.play_round(1, 1)
    plain = office.watch.monitor.record("t2")
    assert plain is not None
    assert corrected.hold.whole.whole.drift.total == pytest.approx(plain.hold.whole.whole.drift.total)
    assert corrected.hold.whole.whole.drift.results == 1
    assert corrected.hold.whole.throws == plain.hold.whole.throws == 1


async def test_a_void_round_counts_nowhere_and_a_resettlement_moves_the_difference(office: Office) -> None:
    table = office.floor()
    table.open_betting()
    table.bet("ann", "small=5")
    table.take_steps((1, 1, 2), until="collect losers")
    table.does(table.crew["dealer"], c.Call("no-roll", "a die left the shaker"))
    table.bet("ann", "small=5")
    table.play_round(6, 6, 5)
    number = table.table.round.number - 1
    record = office.watch.monitor.record("t1")
    assert record is not None
    small = record.hold.whole.families["small"]
    assert (small.wagered, small.won, small.drift.results) == (500, 500, 1)
    table.does(table.most_senior, c.ProposeResettlement(number, (1, 1, 2), "misread"))
    table.does(table.second, c.ApproveResettlement(number))
    office.watch.monitor.record("t1")
    assert (small.wagered, small.won, small.drift.results) == (500, -500, 1)
    assert small.drift.total == pytest.approx(small.won - small.theory)
    assert record.hold.whole.whole.won == table.table.inventory.won == -500


async def test_days_are_kept_apart(office: Office) -> None:
    table = office.floor()
    for day in ("2026-03-01", "2026-03-02"):
        table.does(MANAGER, c.StartDay(day))
        play(table, 3, seed=len(day))
    async with office.client_of() as client:
        hold = (await client.get("/tables/t1/hold")).json()
        last = (await client.get("/tables/t1/hold", params={"days": 1})).json()
        assert (await client.get("/tables/t1/hold", params={"days": 93})).status_code == 400
    played = [day for day in hold["days"] if day["throws"]]
    assert [day["day"] for day in played] == ["2026-03-02", "2026-03-01"]
    assert sum(day["whole"]["won"] for day in played) == hold["whole"]["whole"]["won"]
    assert [day["day"] for day in last["days"]] == ["2026-03-02"]


async def test_the_curve_goes_throw_by_throw_and_ends_with_what_is_known_now(office: Office) -> None:
    table = office.floor()
    for day in ("2026-03-01", "2026-03-02"):
        table.does(MANAGER, c.StartDay(day))
        play(table, 4, seed=len(day))
    async with office.client_of("fay") as client:
        hold = (await client.get("/tables/t1/hold")).json()
        first = (await client.get("/tables/t1/hold", params={"day": "2026-03-01"})).json()
        missing = await client.get("/tables/t1/hold", params={"day": "2025-01-01"})
    assert [point["throws"] for point in hold["curve"]] == list(range(1, hold["whole"]["throws"] + 1))
    last, whole = hold["curve"][-1], hold["whole"]["whole"]
    assert (last["won"], last["wagered"], last["deviation"]) == (whole["won"], whole["wagered"], whole["deviation"])
    assert (last["low"], last["high"]) == (whole["band"]["low"], whole["band"]["high"])
    assert all(point["low"] < 0 < point["high"] for point in hold["curve"])
    assert (hold["curve_of"], first["curve_of"]) == ("", "2026-03-01")
    assert first["curve"][-1]["won"] == hold["days"][1]["whole"]["won"]
    assert (missing.status_code, "no gaming day" in missing.json()["detail"]) == (404, True)


def test_a_long_curve_is_thinned_out_and_a_throw_that_is_taken_back_leaves_it() -> None:
    book, law = DayBook(""), law_of(load("massachusetts-sic-bo"), "small", None, 1_000, True, None)
    thrown = None
    for _ in range(1_000):
        thrown = Thrown(chances(3))
        thrown.stake("small", law.after - law.expected, 1_000 - law.expected)
        thrown.count(book)
    assert thrown is not None
    places = [mark.throws for mark in book.curve()]
    assert places[-1] == book.throws == 1_000
    assert len(places) <= MARKS + 1
    assert len({after - before for before, after in pairwise(places[:-1])}) == 1
    thrown.take_back()
    assert [mark.throws for mark in book.curve()][-1] == book.throws == 999


@pytest.mark.parametrize(("book", "wager"), [("singapore-mbs-sic-bo-v6", "small"), ("dice-ology", "little-ones")])
def test_automatic_tables_are_followed_by_their_own_days(book: str, wager: str) -> None:
    pit, random = open_automatic(book), Random(6)
    for _ in range(12):
        seed = random.randbytes(32)
        commit(pit, seed)
        if not pit.table.bets:
            bet(pit, ANN, wager)
        close(pit)
        reveal(pit, seed)
        pit.later(hours=5)
    hold = HoldBook("t1", HouseBooks())
    for entry in entries_of(pit.record):
        hold.apply(entry)
    assert (hold.whole.whole.won, hold.whole.whole.wagered) == (pit.table.inventory.won, pit.table.inventory.wagered)
    assert hold.whole.whole.wagered > 0
    assert hold.whole.drop == pit.table.inventory.drop
    assert len(hold.days) >= (3 if not pit.table.craps else 1)


# ---------------------------------------------------------------- the band


def stakes(book: str, *bets: tuple[str, int]) -> NDArray[np.float64]:
    """What a throw brings beyond the mean, all bets together."""
    rules = load(book)
    laws = [law_of(rules, wager, rules.paytable(rules.wagers[wager]), stake, True, None) for wager, stake in bets]
    total: NDArray[np.float64] = np.array([law.after - law.expected for law in laws]).sum(axis=0)
    return total


LAYOUTS = (
    stakes("massachusetts-sic-bo", ("small", 500)),
    stakes("massachusetts-sic-bo", ("small", 2_500), ("total/4", 100), ("three-of-a-kind/6", 50)),
    stakes("massachusetts-sic-bo", ("big", 1_000), ("total/11", 1_000), ("one-of-a-kind/5", 1_000)),
    stakes("massachusetts-sic-bo", ("any-three-of-a-kind", 100)),
)


def test_the_evidence_is_a_martingale() -> None:
    drift = Drift()
    for law, place in ((LAYOUTS[1], 3), (LAYOUTS[0], 17), (LAYOUTS[2], 40), (LAYOUTS[3], 55)):
        after = [np.exp(drift.add_result(law, chances(3), float(result)).log_evidence) for result in law]
        assert chances(3) @ np.array(after) == pytest.approx(np.exp(drift.log_evidence), rel=1e-9)
        drift = drift.add_result(law, chances(3), float(law[place]))


def test_the_band_is_where_the_evidence_is_below_its_threshold() -> None:
    drift = Drift()
    random = Random(2)
    for _ in range(200):
        law = random.choice(LAYOUTS)
        drift = drift.add_result(law, chances(3), float(random.choices(list(law), list(chances(3)))[0]))
    low, high = drift.band(0.01)
    for edge, inwards in ((low, 1), (high, -1)):
        assert drift.correct_result(edge - drift.total).log_evidence == pytest.approx(log(100), abs=1e-6)
        assert drift.correct_result(edge + inwards * 10 - drift.total).log_evidence < log(100)
    assert 2.5 * sqrt(drift.variance) < high < 8 * sqrt(drift.variance)


@pytest.mark.parametrize("level", [0.01, 0.1])
def test_fair_nights_leave_the_band_no_oftener_than_it_says(level: float) -> None:
    """4,000 nights of 300 rounds: the stakes of each round are those of one night, the dice are every night's own."""
    nights, generator = 4_000, np.random.default_rng(5)
    drift, sums = Drift(), np.zeros(nights)
    left = np.zeros(nights, bool)
    for number in range(300):
        law = LAYOUTS[number * 7 % 4]
        drift = drift.add_result(law, chances(3), 0.0)
        sums += generator.choice(law, nights, p=chances(3))
        low, high = drift.band(level)
        left |= (sums <= low) | (sums >= high)
    allowed = nights * level
    assert left.sum() <= allowed + 3 * sqrt(allowed)
    assert left.any() or level < 0.05, "a band that is never left says nothing"


@pytest.mark.thorough
def test_players_who_double_after_every_loss_do_not_break_the_band() -> None:
    """1,000 nights on which each stake follows what was won and lost before: the very plan to get outside."""
    generator, small = np.random.default_rng(11), LAYOUTS[0]
    left = 0
    for _ in range(1_000):
        drift, factor = Drift(), 1
        for place in generator.choice(len(small), 60, p=chances(3)):
            law = factor * small
            drift = drift.add_result(law, chances(3), float(law[place]))
            factor = min(64, 2 * factor) if law[place] > 0 else 1
        left += drift.ever_left(0.01)
    assert left <= 10 + 3 * sqrt(10)


def test_a_game_that_pays_other_than_its_book_leaves_the_band() -> None:
    """A dealer who pays every fortieth losing bet as if it had won."""
    generator, small = np.random.default_rng(3), LAYOUTS[0]
    drift = Drift()
    for number, place in enumerate(generator.choice(len(small), 20_000, p=chances(3))):
        result = float(small[place])
        if number % 20 == 0 and result > 0:
            result -= 1_000.0
        drift = drift.add_result(small, chances(3), result)
    assert drift.ever_left(0.01)
    assert drift.total < drift.band(0.01)[0]


@pytest.mark.thorough
def test_craps_hands_stay_inside_as_often_as_they_should() -> None:
    """Wagers that run: 400 nights of 100 rolls, a new bet whenever the last one has ended."""
    rules, generator = load("dice-ology"), np.random.default_rng(8)
    wager = rules.wagers["little-ones"]
    machine = machine_of(wager.spec, rules.dice)
    every = rolls(2)
    left = 0
    for _ in range(400):
        drift, state = Drift(), machine.start()
        for place in generator.choice(len(every), 100, p=chances(2)):
            law = law_of(rules, wager.id, None, 500, True, state)
            moved = law.after - law.expected
            drift = drift.add_result(moved, chances(2), float(moved[place]))
            target = machine.step(state, every[place])
            state = target if machine.end(target) is None else machine.start()
        left += drift.ever_left(0.05)
    assert left <= 20 + 3 * sqrt(20)


def test_the_fold_needs_no_more_than_the_entries(office: Office) -> None:
    play(office.floor("dice-works"), 10)
    book = HoldBook("t1", HouseBooks())
    for one in read_entries(office.house.store, "t1"):
        book.apply(one.entry)
    record = office.watch.monitor.record("t1")
    assert record is not None
    assert record.hold.whole.whole.drift.total == book.whole.whole.drift.total
