"""Every script, played over a real journal: the house decides as the pure table does, and the audit agrees."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.people import commands as people
from pitbook.people.values import Grant, Policy
from pitbook.table import commands as c
from pitbook.table.decide import Decision
from pitbook.table.people import Person
from pitbook.table.refusals import Refusal
from pitbook.table.state import Table
from pitbook.testing import START, person
from tests.playthroughs.scripts import PLAYS, Play
from tests.playthroughs.test_transcripts import SCRIPTS
from tests.table.driving import DrivenTable
from tests.table.sic_bo import DEALER, FLOOR, RELIEF, SUPERVISOR

assert SCRIPTS  # they register their plays


POLICY = ("shifts", "timezone", "approval_references")
"""What a set-up takes from the house's policy."""


def _set_policy(house: House, play: Play) -> None:
    """Set the policy that the script's set-up records."""
    chosen = {name: play.setup[name] for name in POLICY if name in play.setup}
    if chosen:
        house.manage(Person("server", "server"), people.AddPerson("max", "Max", (Grant("manager"),)))
        house.manage(Person("max", "manager"), people.SetPolicy(Policy(**chosen)))
        for one in map(person, (DEALER, RELIEF, FLOOR, SUPERVISOR, "ann the player", "ben the player")):
            house.manage(Person("max", "manager"), people.AddPerson(one.name, one.name, (Grant(one.role),)))


def _without_the_houses_own(table: Table) -> Table:
    """Leave out what only a house gives: its finer clock, and the hashes of the books' texts."""
    setup = table.setup and replace(table.setup, text="", books=())
    return replace(table, setup=setup, dice=None, terms_since="", shift_started="")


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: f"{play.book}/{play.name}")
def test_the_house_decides_the_same_and_the_audit_finds_nothing_wrong(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    now: list[datetime] = [START]
    with House(open_store(str(path)), clock=lambda: now[-1]) as house:
        _set_policy(house, play)

        def observer(stage: DrivenTable, who: str | Person, command: c.Command, outcome: Decision | Refusal) -> None:
            """Send the same command to the house and expect the same result."""
            now.append(stage.now)
            answer = house.ask("t1", person(who), command)
            if isinstance(outcome, Refusal):
                assert (answer.refused, answer.says, answer.clauses) == (outcome.why, outcome.says, outcome.clauses)
            else:
                assert answer.events == tuple(type(event).__name__ for event in outcome.events)

        stage = play.perform(observer)
        tables = (house.table("t1"), stage.table)
        recorded, played = (_without_the_houses_own(table) for table in tables)
        assert recorded == played
    with House(open_store(str(path)), clock=lambda: now[-1]) as again:
        assert again.table("t1") == tables[0]  # folded from the entries
    report = audit(str(path))
    assert report.good, str(report)
