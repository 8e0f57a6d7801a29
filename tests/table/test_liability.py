"""What bets could cost, followed from bet to bet, is what it would be if all were asked again."""

from __future__ import annotations

from random import Random

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from pitbook.dice import rolls
from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.table.commands import BetRequest, PlaceBets
from pitbook.table.liability import Hand, Liability, Live
from pitbook.table.refusals import Refusal
from pitbook.table.state import Table
from tests.soaking import repetitions
from tests.table import craps, sic_bo
from tests.table.driving import DrivenTable
from tests.table.random_commands import next_step, put_in_order, some_bets, something_sensible

ASKED = repetitions(80, 2_000)


def costs(liability: Liability, table: Table, *, booked: bool) -> tuple[list[int], Hand]:
    return liability.costs_by_roll(table, booked=booked).tolist(), liability.costs_of_hand(table, booked=booked)


@pytest.mark.parametrize("book", PACKAGED)
def test_liabilities_that_are_tracked_equal_those_recomputed(book: str) -> None:
    chance, followed = Random(book), Liability()
    table: DrivenTable = craps.craps_table(book) if book in craps.BOOKS else sic_bo.packaged(book)
    accepted = 0
    for _ in range(ASKED):
        if not table.table.open:
            break
        commands = list(put_in_order(table.table, chance))
        match chance.randint(0, 5):
            case 0:
                commands.append(something_sensible(table.table, chance))
            case 1 | 2 | 3:
                commands.append(some_bets(table.table, chance))
            case _:
                due = next_step(table.table, chance)
                commands += [due] if due else []
        for person, command in commands:
            accepted += not isinstance(table.ask(f"{person.name} the {person.role}", command), Refusal)
        for booked in (False, True):
            assert costs(followed, table.table, booked=booked) == costs(Liability(), table.table, booked=booked)
    assert accepted > ASKED // 4


class Counting(Liability):
    """Counts the bets of each sum."""

    def __init__(self) -> None:
        self.summed: list[int] = []
        super().__init__()

    def _sum_by_roll(self, table: Table, live: Live) -> NDArray[np.int64]:
        self.summed.append(len(live))
        return super()._sum_by_roll(table, live)


def test_a_bet_among_many_asks_only_about_itself() -> None:
    table = sic_bo.packaged("massachusetts-sic-bo")
    areas = tuple(BetRequest(area, 5_00) for area in list(table.table.rules.wagers)[:20])
    liability = Counting()
    assert not isinstance(table.ask("ann the player", PlaceBets(areas)), Refusal)
    liability.costs_by_roll(table.table)
    for player in ("ben", "ann"):
        assert not isinstance(table.ask(f"{player} the player", PlaceBets((areas[0],))), Refusal)
        liability.costs_by_roll(table.table)
    assert liability.summed == [20, 0, 1, 1, 1]


@pytest.mark.parametrize("book", PACKAGED)
def test_a_prospect_is_the_best_that_a_players_own_bets_can_bring(book: str) -> None:
    chance = Random(book)
    table: DrivenTable = craps.craps_table(book) if book in craps.BOOKS else sic_bo.packaged(book)
    seen = set()
    for _ in range(ASKED // 2):
        commands = [*put_in_order(table.table, chance), some_bets(table.table, chance)]
        if chance.random() < 0.3 and (due := next_step(table.table, chance)):
            commands.append(due)
        for person, command in commands:
            table.ask(f"{person.name} the {person.role}", command)
        players = {bet.player for bet in table.table.bets.values()}
        for player in players:
            lying = table.table.bets.values()
            others = [bet.id for bet in lying if bet.player != player or bet.kind not in ("cash", "colour")]
            alone = msgspec.structs.replace(table.table, bets=table.table.bets.without(others), id=f"{player}'s own")
            found = Liability().prospect(table.table, player)
            if table.table.craps:
                assert found.roll is None
            else:
                throws = Liability().costs_by_roll(alone, booked=True).tolist()
                assert found.most == max(throws)
                assert found.roll is not None
                assert throws[rolls(table.table.rules.dice).index(found.roll)] == found.most
            seen.add(found.most)
    assert len(seen) > 3
    assert Liability().prospect(table.table, "nobody") == (0, None)


def test_the_prospect_of_a_side_bet_is_its_pay_on_the_rest_of_the_hand() -> None:
    table = craps.craps_table("dice-works")
    bets = PlaceBets((BetRequest("all-lows", 5_00), BetRequest("all-highs", 2_00)))
    assert not isinstance(table.ask("ann the player", bets), Refusal)
    pays = {wager: table.table.rules.wagers[wager].pays for wager in ("all-lows", "all-highs")}
    assert {str(rows["PT1"]["win"]) for rows in pays.values()} == {"34 to 1"}
    assert Liability().prospect(table.table, "ann") == (7_00 * 34, None)
