"""The gap from the close of betting to the dice: bounded on record, and found by the auditor where it is not."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.table import commands as c
from pitbook.table.decide import automatic
from pitbook.table.decide.suspension import later
from pitbook.table.people import ELECTRONIC_TUMBLER
from tests.audit.journals import entries_of
from tests.audit.test_automatic import Robot

BOOK = "singapore-mbs-sic-bo-v6"


def closed(path: Path) -> Robot:
    robot = Robot(path, BOOK)
    robot.open()
    robot.bet()
    robot.close()
    return robot


def test_dice_that_are_revealed_after_they_were_due_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = closed(tmp_path / "house.db")
    robot.now += timedelta(seconds=31)
    with monkeypatch.context() as bug:
        bug.setattr(automatic, "overdue", lambda _draw, _at: False)
        robot.reveal()
    robot.house.close()
    first = audit(tmp_path / "house.db").first
    assert first is not None
    assert (first.kind, first.about) == ("SeedRevealed", "late")
    assert first.sequence == entries_of(tmp_path / "house.db", "SeedRevealed")[-1]
    assert "revealed 1.0 s late" in first.why


def test_a_close_that_gives_the_dice_more_time_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as bug:
        bug.setattr(automatic, "later", lambda at, seconds: later(at, 3_600 if seconds == 30 else seconds))
        robot = closed(tmp_path / "house.db")
    robot.house.close()
    first = audit(tmp_path / "house.db").first
    assert first is not None
    assert (first.kind, first.about) == ("BettingClosed", "late")
    assert first.sequence == entries_of(tmp_path / "house.db", "BettingClosed")[-1]


def test_a_late_void_is_right_and_reported_with_its_gap(tmp_path: Path) -> None:
    robot = closed(tmp_path / "house.db")
    robot.now += timedelta(minutes=5)
    refused = robot.house.ask("t1", ELECTRONIC_TUMBLER, c.RevealSeed(robot.seed.hex()))
    assert (refused.refused, refused.clauses) == ("not-now", ())
    robot.does(ELECTRONIC_TUMBLER, c.ReportTumbler("the dice were due", lost=True))
    robot.house.close()
    report = audit(tmp_path / "house.db")
    assert report.good, str(report)
    assert [(late.table, late.round, late.seconds) for late in report.overdue] == [("t1", 1, 270.0)]
    assert "1 round voided after its dice were due, the longest delay 270 s (table t1, round 1)" in str(report)


def test_dice_in_time_are_no_gap(tmp_path: Path) -> None:
    robot = closed(tmp_path / "house.db")
    robot.now += timedelta(seconds=30)
    robot.reveal()
    robot.house.close()
    report = audit(tmp_path / "house.db")
    assert report.good, str(report)
    assert not report.overdue
