"""Irregularities that a console lists: at every step exactly those that can be called."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from pitbook.rulebooks.catalogue import HOUSE_BOOKS, PACKAGED
from pitbook.table import commands as c
from pitbook.table.decide import Context, Decision, decide
from pitbook.table.decide.irregularities import can_happen
from pitbook.table.refusals import Reason
from pitbook.table.state import due
from tests.table.automatic import ANN, bet, close, commit, open_automatic
from tests.table.craps import craps_table
from tests.table.driving import DrivenTable
from tests.table.random_commands import call_of
from tests.table.sic_bo import DEALER, MASSACHUSETTS, ORDER, SUPERVISOR, packaged

CRAPS = [book for book in (*PACKAGED, *HOUSE_BOOKS) if not book.endswith(("sic-bo", "v6"))]


def disagreements(table: DrivenTable) -> list[str]:
    """Return irregularities that are listed and cannot be called, or the other way round."""
    found = []
    for name, rule in table.table.rules.irregularities.items():
        person, command = call_of(table.table, name, Random(1))
        outcome = decide(table.table, command, Context(person, table.now.isoformat(), table.balances))
        if isinstance(outcome, Decision) != can_happen(table.table, rule):
            found.append(f"{name} {rule.remedy}: {getattr(outcome, 'says', 'can be called')}")
    return found


def sic_bo_round(book: str, shaker: str) -> Iterator[DrivenTable]:
    """Yield a table after every step of a round with wagers, and then while an irregularity is dealt with."""
    table = packaged(book, shaker)
    yield table
    table.bet(ANN, "small=10", "big=10")
    for step in table.order:
        yield table
        table.go(step)
    for name, rule in table.table.rules.irregularities.items():
        if rule.remedy in ("withdraw all or stay", "refer"):
            table = packaged(book, shaker)
            table.bet(ANN, "small=10")
            table.does(*call_of(table.table, name, Random(1)))
            yield table


def craps_hand(book: str) -> Iterator[DrivenTable]:
    """Yield a table after every step of two rolls, and without a shooter."""
    table = craps_table(book)
    wager = next(iter(table.table.rules.wagers))
    table.bet("ann", f"{wager}=5")
    for total in (4, 7):
        yield table
        table.roll(total)
        while table.table.round.done and due(table.table):
            yield table
            table.finish(1)
    yield table


@pytest.mark.parametrize(("book", "shaker"), ORDER)
def test_at_sic_bo_what_is_listed_can_be_called_and_nothing_else(book: str, shaker: str) -> None:
    for table in sic_bo_round(book, shaker):
        assert disagreements(table) == [], table.table.round.done


@pytest.mark.parametrize("book", CRAPS)
def test_at_craps_what_is_listed_can_be_called_and_nothing_else(book: str) -> None:
    for table in craps_hand(book):
        assert disagreements(table) == [], table.table.round.done


@pytest.mark.parametrize("book", PACKAGED)
def test_at_automatic_tables_what_is_listed_can_be_called_and_nothing_else(book: str) -> None:
    table = open_automatic(book)
    assert disagreements(table) == []
    commit(table)
    bet(table, ANN, next(iter(table.table.rules.wagers)))
    close(table)
    assert disagreements(table) == []


def test_the_witness_of_a_settlement_by_the_dice_is_someone_else_than_its_dealer() -> None:
    table = packaged(MASSACHUSETTS)
    table.bet(ANN, "small=10", "big=10")
    table.go("enter-dice")
    (name,) = (name for name, rule in table.table.rules.irregularities.items() if "settle by the dice" in rule.remedy)
    table.does(SUPERVISOR, c.Call(name, "the lights went out"))
    table.does("cas the dealer", c.TakeOver())
    own = table.refused("cas the dealer", c.TakeStep("collect"), Reason.PRESENCE)
    assert own.clauses == tuple(table.table.rules.irregularities[name].clause)
    table.does(DEALER, c.TakeOver())
    table.does(DEALER, c.TakeStep("collect"))
