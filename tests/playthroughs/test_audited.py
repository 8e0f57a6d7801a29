"""Every script, played over a real journal: the house decides as the pure table does, and the audit agrees."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.table import commands as c
from pitbook.table.decide import Decision
from pitbook.table.refusals import Refusal
from tests.playthroughs.stage import PLAYS, Play
from tests.playthroughs.test_transcripts import SCRIPTS
from tests.table.pits import START, Pit, person

assert SCRIPTS  # they register their plays


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: f"{play.book}/{play.name}")
def test_the_house_decides_the_same_and_the_audit_finds_nothing_wrong(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    now: list[datetime] = [START]
    with House(open_store(str(path)), clock=lambda: now[-1]) as house:

        def onlooker(stage: Pit, who: str, command: c.Command, outcome: Decision | Refusal) -> None:
            """Asks the house the same, and expects the same answer."""
            now.append(stage.now)
            answer = house.ask("t1", person(who), command)
            if isinstance(outcome, Refusal):
                assert (answer.refused, answer.says, answer.clauses) == (outcome.why, outcome.says, outcome.clauses)
            else:
                assert answer.events == tuple(type(event).__name__ for event in outcome.events)

        stage = play.perform(onlooker)
        recorded, played = (replace(table, dice=None, terms_since="") for table in (house.table("t1"), stage.table))
        assert recorded == played  # but for the house's finer clock
    report = audit(str(path))
    assert report.good, str(report)
