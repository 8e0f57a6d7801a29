"""Every script, played over a real journal: the house decides as the pure table does, and the audit agrees."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitbook.audit import audit
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.table import commands as c
from pitbook.table.decide import Decision
from pitbook.table.refusals import Refusal
from tests.playthroughs.stage import PLAYS, Play, Stage
from tests.playthroughs.test_transcripts import SCRIPTS
from tests.table.pits import person

assert SCRIPTS  # they register their plays


@dataclass
class Journalled(Stage):
    """A stage whose every command is asked of a house with a journal, too."""

    house: House = field(kw_only=True)

    def ask(self, who: str, command: c.Command, *, expected: tuple[int, int] | None = None) -> Decision | Refusal:
        outcome = super().ask(who, command, expected=expected)
        answer = self.house.ask("t1", person(who), command)
        if isinstance(outcome, Refusal):
            assert (answer.refused, answer.says, answer.clauses) == (outcome.why, outcome.says, outcome.clauses)
        else:
            assert answer.events == tuple(type(event).__name__ for event in outcome.events)
        return outcome


@pytest.mark.parametrize("play", PLAYS, ids=lambda play: f"{play.book}/{play.name}")
def test_the_house_decides_the_same_and_the_audit_finds_nothing_wrong(play: Play, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    stages: list[Stage] = []
    with House(open_store(str(path)), clock=lambda: stages[0].now) as house:

        def stage(**fields: object) -> Stage:
            stages.append(Journalled(house=house, **fields))  # type: ignore[arg-type]
            return stages[0]

        play.text(stage)
        recorded, played = (replace(table, dice=None) for table in (house.table("t1"), stages[0].table))
        assert recorded == played  # but for the house's finer clock
    report = audit(str(path))
    assert report.good, str(report)
