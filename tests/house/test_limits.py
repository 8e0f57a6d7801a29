"""Players' own limits over two automatic tables: bets that race never exceed them, on either kind of journal."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import dataclass

import psycopg
import pytest

from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.journal import fault_injection
from pitbook.journal.decisions import Outcome
from pitbook.journal.runner import Settings
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.table.refusals import Why
from pitbook.testing import MANAGER
from pitbook.tumbler.mapping import MAPPING, commitment
from tests.people.people_in_memory import SERVER
from tests.table.driving import setup
from tests.waiting import HANG, until

SINGAPORE = "singapore-mbs-sic-bo-v6"
ANN = Person("ann", "player")
LIMIT, STAKE = 30_00, 20_00
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@dataclass
class Race:
    """Two automatic tables for the same money, each in the house of a process where the journal allows two."""

    where: str
    first: House
    second: House

    def bets(self, kind: c.Kind) -> list[Outcome]:
        """Bet at both tables: the second bet comes when the first is decided and not yet written."""
        decided, go = threading.Event(), threading.Event()

        def hold(passed: int) -> None:
            if passed == 1:
                decided.set()
                assert go.wait(HANG)

        fault_injection.arm("before-write", hold)
        wanted = c.PlaceBets((c.Wanted("small", STAKE, kind),))
        one = self.first.submit("t1", ANN, wanted)
        assert decided.wait(HANG)
        other = self.second.submit("t2", ANN, wanted)
        if self.first is not self.second:
            until(lambda: other.done() or self.waiting(), "the second bet")
        go.set()
        return [one.result(HANG), other.result(HANG)]

    def waiting(self) -> bool:
        """Whether the second bet waits for a lock."""
        with closing(psycopg.connect(self.where)) as connection:
            return connection.execute(WAITING).fetchone() != (0,)


@pytest.fixture
def race(where: str) -> Iterator[Race]:
    settings = Settings(group_max=2, group_seconds=HANG)
    with ExitStack() as stack:
        first = stack.enter_context(House(open_store(where), settings))
        shared = where.startswith("postgresql:")
        second = stack.enter_context(House(open_store(where), settings)) if shared else first
        for adds, name, role in ((SERVER, "max", "manager"), (MANAGER, "ann", "player")):
            assert first.manage(adds, people.AddPerson(name, name, (Grant(role),))).refused is None
        for table in ("t1", "t2"):
            opening = c.OpenTable(setup(SINGAPORE, automatic=c.Automatic(), shaker="automated"))
            seed = c.CommitSeed(commitment(b"s" * 32), "sealed", MAPPING)
            for who, command in ((MANAGER, opening), (ELECTRONIC_TUMBLER, seed)):
                answer = first.ask(table, who, command)
                assert answer.refused is None, answer
        yield Race(where, first, second)


def buy(race: Race, colour_value: int | None = None) -> None:
    for house, table in ((race.first, "t1"), (race.second, "t2")):
        answer = house.ask(table, ANN, c.BuyIn(100_00, colour_value=colour_value))
        assert answer.refused is None, answer


@pytest.mark.parametrize(("kind", "refusal"), [("loss", Why.LOSS_LIMIT), ("stake", Why.STAKE_LIMIT)])
@pytest.mark.parametrize("chips", ["cash", "colour"])
def test_two_racing_bets_at_two_tables_never_exceed_a_limit(race: Race, kind: str, refusal: Why, chips: c.Kind) -> None:
    """Colour chips lie in an account for each table: no account is locked by both bets."""
    buy(race, colour_value=1 if chips == "colour" else None)
    money = {race.first.table("t1").money: LIMIT}
    wish = people.SetLimits(loss_per_day=money) if kind == "loss" else people.SetLimits(stake_at_once=money)
    assert race.first.manage(ANN, wish).refused is None
    outcomes = race.bets(chips)
    assert [outcome.refused for outcome in outcomes] == [None, refusal]
    staked = [sum(bet.amount for bet in race.first.table(table).bets.of("ann")) for table in ("t1", "t2")]
    assert staked == [STAKE, 0]


def test_a_limit_that_is_set_before_a_bet_in_the_same_commit_applies_to_it(race: Race) -> None:
    buy(race)
    begun, go = threading.Event(), threading.Event()

    def hold(passed: int) -> None:
        if passed == 1:
            begun.set()
            assert go.wait(HANG)

    fault_injection.arm("before-write", hold)
    limits = people.SetLimits(loss_per_day={race.first.table("t1").money: LIMIT})
    setting: Future[Outcome] = race.first.submit_people(ANN, limits)
    assert begun.wait(HANG)
    if race.first is not race.second:  # two processes commit nothing together
        go.set()
        setting.result(HANG)
    bet = race.second.submit("t2", ANN, c.PlaceBets((c.Wanted("small", LIMIT + STAKE),)))
    go.set()
    assert bet.result(HANG).refused == Why.LOSS_LIMIT
    assert setting.result(HANG).refused is None
