"""Players' own limits over two automatic tables: bets that race never exceed them, on either kind of journal."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from pitbook.journal.decisions import Outcome
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.table.refusals import Reason
from pitbook.testing import MANAGER
from pitbook.tumbler.mapping import MAPPING, commitment
from tests.house.racing import TwoHouses, hold_first_write, two_houses
from tests.people.people_in_memory import SERVER
from tests.table.driving import setup
from tests.waiting import HANG

SINGAPORE = "singapore-mbs-sic-bo-v6"
ANN = Person("ann", "player")
LIMIT, STAKE = 30_00, 20_00


@pytest.fixture
def houses(where: str) -> Iterator[TwoHouses]:
    """Two automatic tables for the same money, each in the house of a process where the journal allows two."""
    with two_houses(where) as both:
        first = both.first
        for adds, name, role in ((SERVER, "max", "manager"), (MANAGER, "ann", "player")):
            assert first.manage(adds, people.AddPerson(name, name, (Grant(role),))).refused is None
        for table in ("t1", "t2"):
            opening = c.OpenTable(setup(SINGAPORE, automatic=c.Automatic(), shaker="automated"))
            seed = c.CommitSeed(commitment(b"s" * 32), "sealed", MAPPING)
            for who, command in ((MANAGER, opening), (ELECTRONIC_TUMBLER, seed)):
                answer = first.ask(table, who, command)
                assert answer.refused is None, answer
        yield both


def buy(houses: TwoHouses, colour_value: int | None = None) -> None:
    for house, table in ((houses.first, "t1"), (houses.second, "t2")):
        answer = house.ask(table, ANN, c.BuyIn(100_00, colour_value=colour_value))
        assert answer.refused is None, answer


@pytest.mark.parametrize(("kind", "refusal"), [("loss", Reason.LOSS_LIMIT), ("stake", Reason.STAKE_LIMIT)])
@pytest.mark.parametrize("chips", ["cash", "colour"])
def test_two_racing_bets_at_two_tables_never_exceed_a_limit(
    houses: TwoHouses, kind: str, refusal: Reason, chips: c.Kind
) -> None:
    """Colour chips lie in an account for each table: no account is locked by both bets."""
    buy(houses, colour_value=1 if chips == "colour" else None)
    money = {houses.first.table("t1").money: LIMIT}
    wish = people.SetLimits(loss_per_day=money) if kind == "loss" else people.SetLimits(stake_at_once=money)
    assert houses.first.manage(ANN, wish).refused is None
    wanted = c.PlaceBets((c.BetRequest("small", STAKE, chips),))
    outcomes = houses.race(lambda house: house.submit("t1", ANN, wanted), lambda house: house.submit("t2", ANN, wanted))
    assert [outcome.refused for outcome in outcomes] == [None, refusal]
    staked = [sum(bet.amount for bet in houses.first.table(table).bets.of("ann")) for table in ("t1", "t2")]
    assert staked == [STAKE, 0]


def test_a_limit_that_is_set_before_a_bet_in_the_same_commit_applies_to_it(houses: TwoHouses) -> None:
    buy(houses)
    begun, go = hold_first_write()
    limits = people.SetLimits(loss_per_day={houses.first.table("t1").money: LIMIT})
    setting: Future[Outcome] = houses.first.submit_people(ANN, limits)
    assert begun.wait(HANG)
    if houses.first is not houses.second:  # two processes commit nothing together
        go.set()
        setting.result(HANG)
    bet = houses.second.submit("t2", ANN, c.PlaceBets((c.BetRequest("small", LIMIT + STAKE),)))
    go.set()
    assert bet.result(HANG).refused == Reason.LOSS_LIMIT
    assert setting.result(HANG).refused is None
