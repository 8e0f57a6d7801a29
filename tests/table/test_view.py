"""What a table shows: exposure against brute force, the rest of a hand against formulas, nobody's name or money."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from pitbook.dice import Roll, rolls
from pitbook.engine.progress import advance
from pitbook.engine.settle import settle
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.server.presenters.tables import build_view
from pitbook.server.schemas.tables import Lammers
from pitbook.table import commands as c
from pitbook.table.liability import Liability
from pitbook.table.limits import honoured
from pitbook.table.state import Table, paytable_of
from pitbook.table.view import chances
from tests.clauses.copies import patched
from tests.table import craps, sic_bo
from tests.table.craps import BASE, craps_table, placed
from tests.table.driving import DrivenTable

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)


def brute(table: Table) -> dict[Roll, int]:
    """The house's result on each throw, bet by bet: every throw thrown, every bet settled."""
    rules = table.rules
    results = {}
    for roll in rolls(rules.dice):
        ended = advance(rules, table.progress, roll).ended
        results[roll] = 0
        for bet in table.bets.values():
            stake = honoured(table, bet)
            if stake and bet.wager in ended and bet.wager not in table.round.ended:
                wager, paytable = rules.wagers[bet.wager], paytable_of(table, bet.wager)
                settled = settle(rules, wager, Cents(stake), ended[bet.wager], paytable)
                results[roll] -= settled.net + (settled.envy if not bet.kind.startswith("tip") else 0)
    return results


def many_bets(book: str, seed: int) -> DrivenTable:
    """A table with bets of two players, some of them running for a while."""
    chance = Random(f"{book} {seed}")
    if book not in craps.BOOKS:
        layout = sic_bo.packaged(book, limits={"*": c.Limit(100, 1000_00)})
        wagers = chance.sample(list(layout.table.rules.wagers), 20)
        for place, wager in enumerate(wagers):
            layout.bet((sic_bo.ANN, sic_bo.BEN)[place % 2], f"{wager}={chance.randint(1, 40)}")
        return layout
    table = craps_table(book, paytables=paytables(book, chance), readings=readings(book, chance))
    wagers = list(table.table.rules.wagers)
    for _ in range(chance.randint(1, 12)):
        for name in ("ann", "ben"):
            kind: c.Kind = chance.choice(["cash", "tip in the area"]) if book == "dice-ology" else "cash"
            table.ask(BASE, placed(f"{chance.choice(wagers)}={chance.randint(1, 10)}", kind, name))
        table.rolls(str(chance.choice([2, 3, 4, 5, 6, 8, 9, 10, 11, 12])))
    for name in ("ann", "ben"):
        table.ask(BASE, placed(f"{chance.choice(wagers)}=3", "cash", name))
    return table


def paytables(book: str, chance: Random) -> dict[str, str]:
    found = craps_table(book).table.rules.groups
    return {name: chance.choice(group.paytables) for name, group in found.items()}


def readings(book: str, chance: Random) -> dict[str, str]:
    return {"dealer-envy-unit": chance.choice(["currency", "multiple"])} if book == "dice-works" else {}


@pytest.mark.parametrize("book", PACKAGED)
@pytest.mark.parametrize("seed", range(6))
def test_the_exposure_on_each_throw_is_what_settling_every_bet_on_it_would_cost(book: str, seed: int) -> None:
    table = many_bets(book, seed).table
    exposure, expected = Liability().exposure(table), brute(table)
    assert table.bets
    assert exposure.by_roll == expected
    assert exposure.worst is not None
    assert exposure.worst_result == expected[exposure.worst] == min(expected.values())


def test_exposure_worked_by_hand() -> None:
    table = craps_table("dice-ology")
    table.bet("ann", "little-ones=10")
    table.bet("ben", "boom-or-bust=2")
    table.rolls("2 3 4 5")
    exposure = Liability().exposure(table.table)
    # A six pays 340; a seven takes 12; anything else decides nothing.
    for roll, result in exposure.by_roll.items():
        assert result == {6: -340_00, 7: 12_00}.get(roll.total, 0), roll
    assert (exposure.worst, exposure.worst_result) == (Roll.of(1, 5), -340_00)
    # Both could still be won: 340 and 350.
    assert exposure.rest_of_hand_most == 690_00


def test_the_dealers_envy_is_part_of_the_exposure() -> None:
    for unit, envy in (("currency", 2_00), ("multiple", 10_00)):
        table = craps_table("dice-works", readings={"dealer-envy-unit": unit})
        table.bet("ann", "parlay-envy/2x2=5")
        table.rolls("2")
        exposure = Liability().exposure(table.table)
        assert exposure.worst_result == -(39 * 5_00 + envy)
        assert exposure.rest_of_hand_most == 39 * 5_00 + envy
        # A two comes before a seven once in seven times.
        assert exposure.rest_of_hand_mean == Fraction(39 * 5_00 + envy, 7) - Fraction(6 * 5_00, 7)


def test_bets_that_do_not_count_or_are_decided_are_no_exposure() -> None:
    table = craps_table("dice-ology")
    table.does("ann the player", placed("little-ones=10"))
    assert Liability().exposure(table.table).rest_of_hand_most == 0, "not confirmed yet"
    assert Liability().exposure(table.table).worst is None
    table.does(BASE, c.ConfirmBets())
    assert Liability().exposure(table.table).rest_of_hand_most == 340_00
    table.rolls("2 3 4 5")
    table.roll(6)
    assert table.table.bets
    decided = Liability().exposure(table.table)
    assert (decided.rest_of_hand_most, decided.worst_result) == (0, 0), "won already, whatever comes next"
    works = craps_table("dice-works")
    works.bet("ann", "all-lows=1 the-works=1")
    works.rolls("2 3 4 5")
    works.roll(6)
    assert works.standing()["all-lows"] == "paid"
    assert Liability().exposure(works.table).rest_of_hand_most == 175_00
    assert Liability().exposure(works.table).by_roll == brute(works.table)


def test_a_cap_holds_in_the_exposure_too() -> None:

    raw = patched(craps_table("dice-ology").raw, {"wager.little-ones.limits.payoff_max": 100})
    table = craps_table(raw)
    table.bet("ann", "little-ones=10")
    table.rolls("2 3 4 5")
    exposure = Liability().exposure(table.table)
    assert (exposure.worst_result, exposure.rest_of_hand_most) == (-100_00, 100_00)
    assert exposure.rest_of_hand_mean == Fraction(5 * 100_00 - 6 * 10_00, 11)


# ---------------------------------------------------------------- the rest of the hand, by formulas of its own


@cache
def all_before_seven(missing: frozenset[int]) -> Fraction:
    """The chance that each of these totals comes before a seven."""
    if not missing:
        return Fraction(1)
    won = sum((WAYS[total] * all_before_seven(missing - {total}) for total in missing), Fraction(0))
    return won / (sum(WAYS[total] for total in missing) + WAYS[7])


@pytest.mark.parametrize("totals", ["", "2", "4 9", "12 2 11 3 8 4", "2 3 4 5 8 9 10 11"])
def test_the_expected_cost_of_collections_is_exact(totals: str) -> None:
    table = craps_table("dice-ology")
    table.bet("ann", "little-ones=4 big-ones=3 boom-or-bust=2")
    table.rolls(totals)
    seen = {int(total) for total in totals.split()}
    low, high = frozenset(range(2, 7)) - seen, frozenset(range(8, 13)) - seen
    wins = {34 * 4: all_before_seven(low), 34 * 3: all_before_seven(high), 175 * 2: all_before_seven(low | high)}
    stakes = {34 * 4: 4, 34 * 3: 3, 175 * 2: 2}
    mean = sum(chance * 100 * win - (1 - chance) * 100 * stakes[win] for win, chance in wins.items())
    assert Liability().exposure(table.table).rest_of_hand_mean == mean
    assert Liability().exposure(table.table).rest_of_hand_most == 100 * sum(wins)
    assert chances(table.table)["boom-or-bust"] == all_before_seven(low | high)


@pytest.mark.parametrize(
    ("selection", "totals", "left"), [("6x6", "6 6", 4), ("2x2", "", 2), ("10x4", "10 4 10 10", 1)]
)
def test_the_expected_cost_of_a_parlay_is_exact(selection: str, totals: str, left: int) -> None:
    table = craps_table("dice-works")
    table.bet("ann", f"parlay/{selection}=1")
    table.rolls(totals)
    number = int(selection.partition("x")[0])
    chance = Fraction(WAYS[number], WAYS[number] + WAYS[7]) ** left
    pays = {"6x6": 89_00, "2x2": 39_00, "10x4": 64_00}[selection]
    assert Liability().exposure(table.table).rest_of_hand_mean == chance * pays - (1 - chance) * 1_00


LADDERS = {
    "high-roller": [-1, -1, -1, 4, 9, 19, 29, 49, 99, 190, 299],
    "roll-the-line": [-1, -1, 0, 1, 2, 4, 6, 8, 15, 20, 25, 50],
}


@pytest.mark.parametrize("wager", LADDERS)
@pytest.mark.parametrize("hand", ["", "6", "6 6", "11 6 6 9", "7 7 2 12 5"])
def test_the_expected_cost_of_a_count_is_exact(wager: str, hand: str) -> None:
    table = craps_table("dice-works")
    table.bet("ann", f"{wager}=3")
    table.rolls(hand)
    made = {point: Fraction(WAYS[point], WAYS[point] + WAYS[7]) for point in POINTS}
    come_outs = {point: Fraction(WAYS[point]) for point in POINTS}
    naturals = WAYS[7] + WAYS[11] if wager == "roll-the-line" else 0
    decided = sum(come_outs.values()) + naturals
    # From a come-out: the chance to count one more before the seven-out.
    again = Fraction(sum(come_outs[point] * made[point] for point in POINTS) + naturals) / Fraction(decided)
    ladder = LADDERS[wager]
    count, point = {
        "": (0, None), "6": (0, 6), "6 6": (1, None), "11 6 6 9": (2, 9), "7 7 2 12 5": (2, 5),
    }[hand]  # fmt: skip
    if wager == "high-roller":
        count = {"11 6 6 9": 1, "7 7 2 12 5": 0}.get(hand, count)

    def from_come_out(now: int) -> Fraction:
        """Ends with the next count or more, geometrically; the ladder's top holds from its last rung on."""
        top = len(ladder) - 1
        if now >= top:
            return Fraction(ladder[top])
        return again * from_come_out(now + 1) + (1 - again) * ladder[now]

    if point is None:
        mean = from_come_out(count)
    else:
        mean = made[point] * from_come_out(count + 1) + (1 - made[point]) * ladder[count]
    assert Liability().exposure(table.table).rest_of_hand_mean == 3_00 * mean


@pytest.mark.parametrize("book", ["massachusetts-sic-bo", "singapore-mbs-sic-bo-v6"])
def test_at_sic_bo_the_rest_of_the_hand_is_one_throw(book: str) -> None:
    table = many_bets(book, 1).table
    results = brute(table)
    mean = sum(Fraction(-results[Roll.of(*throw)], 216) for throw in product(range(1, 7), repeat=3))
    assert Liability().exposure(table).rest_of_hand_mean == mean


# ---------------------------------------------------------------- what is shown, and what is not


@pytest.mark.parametrize("book", PACKAGED)
def test_the_view_shows_neither_names_nor_balances(book: str) -> None:
    table = many_bets(book, 2)
    view = msgspec.json.decode(msgspec.json.encode(build_view(table.table, table.now)))
    values = list(leaves(view))
    people = {"ann", "ben", "bea", "sam", "bob", "flo", "max", "dan", "fay", "cas", "abe", "pia", "pam"}
    assert not people & {str(value) for value in values}
    for account, balance in table.balances.items():
        assert str(account) not in values
        assert balance not in values or not balance or account.startswith("escrow:"), "stakes are there to be seen"
    # Whatever is added to the view is seen by everyone at the table: add it here when that is meant.
    assert set(view) == {
        "table", "book", "round", "step", "phase", "due", "cover", "dice", "lit", "point", "lammers", "chances",
        "staked", "payout_max", "disputed", "open", "ready", "ready_until", "betting", "procedure", "stakes",
        "power_failed", "failed", "has_shooter", "called", "announced", "closed", "travelled",
    }  # fmt: skip


def leaves(value: Any) -> Iterator[Any]:
    """Every single value, and every key, in something nested."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


def test_the_view_follows_a_hand() -> None:
    table = craps_table("dice-ology", payout_max=2000_00)
    table.bet("ann", "little-ones=10")
    table.rolls("4")
    view = build_view(table.table, table.now)
    assert (view.phase, view.due, view.point, view.staked) == ("betting", "roll", 4, 10_00)
    assert view.lammers["little-ones"] == Lammers(paid=False, marked=[4], missing=[2, 3, 5, 6])
    assert view.payout_max == 2000_00
    table.rolls("2 3 5")
    table.roll(6)
    view = build_view(table.table, table.now)
    assert (view.phase, view.due, view.dice) == ("revealed", "mark", (1, 5))
    assert view.lit == ("little-ones",)
    assert view.cover is None
    table.finish()
    assert build_view(table.table, table.now).lit == ()
