"""What bets could cost, followed from bet to bet, is what it would be if all were asked anew."""

from __future__ import annotations

from random import Random

import pytest

from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.table import costs
from pitbook.table.commands import PlaceBets, Wanted
from pitbook.table.refusals import Refusal
from pitbook.table.state import Table
from tests.table import craps, sic_bo
from tests.table.asking import next_step, put_in_order, some_bets, something_sensible
from tests.table.pits import Pit

ASKED = 200


def afresh(table: Table, *, booked: bool) -> tuple[list[int], costs.Hand]:
    """By what has followed nothing yet."""
    throws = costs._Following(costs._by_roll, lambda *_: pytest.fail("there is nothing to go on from"))
    hands = costs._Following(costs._hand, lambda *_: pytest.fail("there is nothing to go on from"))
    return throws.total(table, booked=booked).tolist(), hands.total(table, booked=booked)


@pytest.mark.parametrize("book", PACKAGED)
def test_costs_that_are_followed_are_those_worked_out_anew(book: str) -> None:
    chance = Random(book)
    pit: Pit = craps.felt(book) if book in craps.BOOKS else sic_bo.packaged(book)
    accepted = 0
    for _ in range(ASKED):
        if not pit.table.open:
            break
        asked = list(put_in_order(pit.table, chance))
        match chance.randint(0, 5):
            case 0:
                asked.append(something_sensible(pit.table, chance))
            case 1 | 2 | 3:
                asked.append(some_bets(pit.table, chance))
            case _:
                due = next_step(pit.table, chance)
                asked += [due] if due else []
        for person, command in asked:
            accepted += not isinstance(pit.ask(f"{person.name} the {person.role}", command), Refusal)
        for booked in (False, True):
            found = (
                costs.costs_by_roll(pit.table, booked=booked).tolist(),
                costs.costs_of_hand(pit.table, booked=booked),
            )
            assert found == afresh(pit.table, booked=booked)
    assert accepted > ASKED // 4


def test_a_bet_among_many_asks_only_about_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    pit = sic_bo.packaged("massachusetts-sic-bo")
    areas = tuple(Wanted(area, 5_00) for area in list(pit.table.rules.wagers)[:20])
    assert not isinstance(pit.ask("ann the player", PlaceBets(areas)), Refusal)
    costs.costs_by_roll(pit.table)
    asked: list[int] = []
    right = costs._by_roll

    def counted(table: Table, live: costs.Live) -> object:
        asked.append(len(live))
        return right(table, live)

    monkeypatch.setattr(costs._THROWS, "_summed", counted)
    assert not isinstance(pit.ask("ben the player", PlaceBets((areas[0],))), Refusal)
    costs.costs_by_roll(pit.table)
    assert not isinstance(pit.ask("ann the player", PlaceBets((areas[0],))), Refusal)
    costs.costs_by_roll(pit.table)
    assert asked == [0, 1, 1, 1]
