"""Times go back only where a manager has corrected the clock on record: seeded bugs that the auditor finds."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.audit.report import Finding
from pitbook.house import house
from pitbook.journal import group_commit
from pitbook.people import commands as people
from pitbook.people.decide import HANDLERS
from pitbook.people.decide.draft import Draft
from pitbook.people.event_text import describe
from pitbook.people.events import ClockAccepted
from pitbook.people.values import Grant
from pitbook.table import commands as c
from pitbook.table.decide import Context, automatic, rights
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from tests.audit.test_automatic import ANN, Robot

BOOK = "singapore-mbs-sic-bo-v6"
MAX = Person("max", "manager")
MONTH = timedelta(days=30)


def ahead(path: Path, *, closed: bool = False) -> Robot:
    """A table in the middle of a round, its last times 30 days ahead of the clock."""
    robot = Robot(path, BOOK, accounts=True)
    robot.now += MONTH
    robot.house.manage(MAX, people.AddPerson("mia", "Mia", (Grant("manager"),)))
    robot.open()
    robot.bet()
    robot.does(ELECTRONIC_TUMBLER, c.StartCountdown())
    if closed:
        robot.close()
    robot.now -= MONTH
    return robot


def found(path: Path, robot: Robot) -> Finding:
    robot.house.close()
    first = audit(path).first
    assert first is not None
    return first


@pytest.mark.parametrize("closed", [False, True])
def test_a_correction_by_a_manager_is_right(tmp_path: Path, closed: bool) -> None:
    path = tmp_path / "house.db"
    robot = ahead(path, closed=closed)
    mia = Person("mia", "manager")  # recorded with a time in the future
    assert robot.house.accept_clock(mia, "the battery was empty").refused is None
    if closed:
        robot.reveal()
    else:
        robot.now += timedelta(seconds=20)
        robot.does(ELECTRONIC_TUMBLER, c.CloseBetting())
        robot.reveal()
    robot.round()
    robot.house.close()
    report = audit(path)
    assert report.good, str(report)


def test_a_time_that_goes_back_on_its_own_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.db"
    robot = ahead(path)
    with monkeypatch.context() as bug:
        bug.setattr(group_commit, "max", min, raising=False)
        robot.does(ANN, c.GiveNonce("late"))
    first = found(path, robot)
    assert (first.kind, first.about) == ("NonceGiven", "time")


def test_a_correction_by_someone_else_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.db"
    robot = ahead(path)
    with monkeypatch.context() as bug:
        bug.setattr(rights, "MANAGERS", ())
        bug.setattr(rights, "SUPERVISORS", (*rights.SUPERVISORS, c.CorrectClock))
        robot.does(robot.crew[0], c.CorrectClock("me too"))
    first = found(path, robot)
    assert (first.kind, first.about) == ("ClockCorrected", "role")


def test_a_correction_by_a_manager_whom_the_house_does_not_know_is_found(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    robot = ahead(path)
    robot.does(Person("eve", "manager"), c.CorrectClock("trust me"))
    first = found(path, robot)
    assert (first.kind, first.about) == ("ClockCorrected", "role")


def test_a_correction_of_a_record_that_is_not_ahead_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "house.db"
    robot = ahead(path)
    robot.now += MONTH
    with monkeypatch.context() as bug:
        bug.setattr(house, "Context", lambda *given: replace(Context(*given), ahead=True))
        robot.does(MAX, c.CorrectClock("to have more time"))
    first = found(path, robot)
    assert (first.kind, first.about) == ("ClockCorrected", "time")


@pytest.mark.parametrize("closed", [False, True])
def test_a_round_that_goes_on_across_a_correction_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: bool
) -> None:
    path = tmp_path / "house.db"
    robot = ahead(path, closed=closed)
    with monkeypatch.context() as bug:
        bug.setattr(automatic, "void", lambda _draft: None)
        bug.setattr(automatic, "_count_down", lambda _draft: None)
        robot.does(MAX, c.CorrectClock("the battery was empty"))
    if closed:
        robot.reveal()
    else:
        robot.does(ANN, c.BuyIn(1_00))
    first = found(path, robot)
    assert first.about == "order"
    assert ("RoundVoided" if closed else "CountdownStarted") in first.why


def test_an_acceptance_by_nobody_entitled_or_for_nothing_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, who, command in (
        ("role", ANN, people.AcceptClock("mine", 5.0)),
        ("nothing", MAX, people.AcceptClock("why not")),
    ):
        path = tmp_path / f"{name}.db"
        robot = ahead(path)
        with monkeypatch.context() as bug:
            bug.setitem(HANDLERS, type(command), accept_anything)
            assert robot.house.manage(who, command).refused is None
        first = found(path, robot)
        assert first.kind == "ClockAccepted", name


def accept_anything(draft: Draft, command: people.AcceptClock) -> None:
    draft.emit(ClockAccepted(draft.at, command.words, command.jumped, command.ahead))


def test_an_acceptance_reads_as_a_sentence() -> None:
    event = ClockAccepted("2026-03-01T12:00:00.000000+00:00", "the battery was empty", 2_592_000.0, ("t1",))
    assert [line.text() for line in describe(event, MAX)] == [
        "max (manager) accepted the clock, 2026-03-01T12:00:00.000000+00:00; it had jumped by 2,592,000 seconds;"
        " these records were ahead of it: t1: “the battery was empty”"
    ]
