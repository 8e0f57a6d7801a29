"""Seeded bugs of house policy: a witness who never confirmed, staff who work where their own bets lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitbook.audit import audit
from pitbook.people import commands as people
from pitbook.people.values import Grant, Policy
from pitbook.table import commands as c
from pitbook.table.decide import irregularities, rights, rounds
from pitbook.table.people import Person
from pitbook.testing import MANAGER, JournalTable
from tests.audit.journals import enrol, entries_of, house_at


def confirmed(path: Path, book: str) -> Any:
    """A house under the policy, whose crew has accounts."""
    house = house_at(path)
    house.manage(Person("server", "server"), people.AddPerson("max", "Max", (Grant("manager"),)))
    answer = house.manage(MANAGER, people.SetPolicy(Policy(witness="confirmed")))
    assert answer.refused is None, answer
    enrol(house, book)
    return house


def test_an_unconfirmed_witness_of_an_irregularity_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    monkeypatch.setattr(irregularities, "check_confirmed", lambda *_: ())
    with confirmed(path, "massachusetts-sic-bo") as house:
        table = JournalTable(house, "massachusetts-sic-bo")
        supervisor = table.crew["casino-supervisor"]
        table.does(table.crew["dealer"], c.Call("device-malfunction", "", (supervisor,)))
        place = table.house.read_table("t1")[0]
    first = audit(path).first
    assert first is not None
    assert (first.sequence, first.kind) == (place - 1, "IrregularityCalled")
    assert "did not confirm acting as the witness" in first.why


def test_an_unconfirmed_director_of_a_payment_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    monkeypatch.setattr(rounds, "check_confirmed", lambda *_: ())
    with confirmed(path, "dice-ology") as house:
        table = JournalTable(house, "dice-ology")
        table.buy_in("ann", 100_000)
        table.bet("ann", "little-ones=10")
        for dice in ((1, 1), (1, 2), (1, 3), (1, 4), (1, 5)):
            table.play_round(*dice)
    first = audit(path).first
    assert first is not None
    assert (first.kind, "did not confirm acting as the witness" in first.why) == ("StepTaken", True)
    payments = entries_of(path, "WinnersPaid")
    assert first.sequence == max(one for one in entries_of(path, "StepTaken") if one < payments[-1])


def test_staff_who_work_where_their_own_bets_lie_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    monkeypatch.setattr(rights, "_check_own_bets", lambda _: None)
    with house_at(path) as house:
        table = JournalTable(house, "massachusetts-sic-bo")
        dealer = table.crew["dealer"]
        table.buy_in(dealer.name)
        table.does(Person(dealer.name, "player"), c.PlaceBets((c.BetRequest("small", 1000),)))
        table.does(dealer, c.TakeStep("close"))
        place = table.house.read_table("t1")[0]
    first = audit(path).first
    assert first is not None
    assert (first.sequence, "works at a table where they have bets" in first.why) == (place, True)
