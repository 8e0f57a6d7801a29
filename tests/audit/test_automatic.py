"""The auditor follows automatic tables: seeds, countdowns, draws, voids; and finds what is forged."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.house import codec
from pitbook.house.house import House
from pitbook.journal.runner import Settings
from pitbook.journal.sqlite import SqliteStore
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.rulebooks.catalogue import SHIPPED, load
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide import automatic
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.testing import person
from pitbook.tumbler import mapping
from tests.table.automatic import supervisors
from tests.table.driving import DrivenTable, setup

ANN = Person("ann", "player")


class Robot:
    """An automatic table of a real house, driven by the test."""

    def __init__(self, path: Path, book: str, *, snapshot_every: int = 1, accounts: bool = False) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)
        self.house = House(SqliteStore(path), Settings(snapshot_every=snapshot_every), clock=lambda: self.now)
        if accounts:
            self.house.manage(Person("server", "server"), people.AddPerson("max", "Max", (Grant("manager"),)))
            self.house.manage(Person("max", "manager"), people.AddPerson("ann", "Ann", (Grant("player"),)))
        shaker = "manual" if load(book).identity.game == "craps" else "automated"
        opening = setup(book, automatic=c.Automatic(), shaker=shaker)
        self.does(Person("max", "manager"), c.OpenTable(opening))
        self.does(ANN, c.BuyIn(900_00))
        self.number = 0

    def does(self, who: Person, command: c.Command) -> None:
        answer = self.house.ask("t1", who, command)
        assert answer.refused is None, answer

    def open(self) -> None:
        self.number += 1
        self.seed = bytes([self.number]) * 32
        self.does(ELECTRONIC_TUMBLER, c.CommitSeed(mapping.commitment(self.seed), "sealed", mapping.MAPPING))

    def bet(self) -> None:
        rules = self.house.table("t1").rules
        wager = "small" if "small" in rules.wagers else next(iter(rules.wagers))
        self.house.ask("t1", ANN, c.PlaceBets((c.BetRequest(wager, 5_00),)))
        if "craps" in rules.id:
            for name in ("come", "place/6", "come-odds/5", "pass-line-odds", "field"):
                self.house.ask("t1", ANN, c.PlaceBets((c.BetRequest(name, 5_00),)))
        self.house.ask("t1", ANN, c.GiveNonce(f"nonce {self.number}"))

    def close(self) -> None:
        draw = self.house.table("t1").draw
        assert draw is not None
        if draw.until is None:
            self.does(ELECTRONIC_TUMBLER, c.StartCountdown())
        self.now += timedelta(seconds=20)
        self.does(ELECTRONIC_TUMBLER, c.CloseBetting())

    def reveal(self) -> None:
        self.does(ELECTRONIC_TUMBLER, c.RevealSeed(self.seed.hex()))

    def round(self) -> None:
        self.open()
        self.bet()
        self.close()
        self.reveal()

    @property
    def crew(self) -> list[Person]:
        return [person(text) for text in supervisors(DrivenTable(self.house.table("t1")))]


@pytest.mark.parametrize("book", [*SHIPPED, "craps+dice-works+dice-ology"])
def test_rounds_of_every_book_are_right(tmp_path: Path, book: str) -> None:
    path = tmp_path / "house.db"
    robot = Robot(path, book)
    for _ in range(12):
        robot.round()
    robot.house.close()
    report = audit(path)
    assert report.good, str(report)
    assert (report.draws, report.throws, report.voids) == (12, 12, [])
    assert report.snapshots


def test_pauses_voids_failures_and_closing_are_right_and_voids_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    robot = Robot(path, "singapore-mbs-sic-bo-v6")
    first, second = robot.crew
    robot.open()
    robot.bet()
    robot.does(ELECTRONIC_TUMBLER, c.StartCountdown())
    robot.does(first, c.Pause("tea"))
    robot.does(first, c.Unpause())
    robot.close()
    robot.does(first, c.ProposeVoid("the screen went dark"))
    robot.does(second, c.ApproveVoid(1))
    robot.reveal()
    robot.open()
    robot.does(first, c.ProposeVoid("wrong limits"))
    robot.does(second, c.ApproveVoid(2))
    robot.reveal()
    robot.open()
    robot.bet()
    robot.close()
    robot.does(ELECTRONIC_TUMBLER, c.ReportTumbler("the key is lost", lost=True))
    robot.does(Person("max", "manager"), c.Repair("electronic-tumbler"))
    robot.round()
    robot.open()
    robot.does(Person("max", "manager"), c.CloseTable())
    robot.reveal()
    robot.house.close()
    report = audit(path)
    assert report.good, str(report)
    assert [(void.round, abs(void.house)) for void in report.voids] == [(1, 5_00)]
    assert (report.draws, report.lost_seeds) == (4, 1)
    assert "1 round voided after the close" in str(report)


def forged(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Change the engine without the table's knowledge."""
    real = mapping.throw
    match what:
        case "other dice":
            monkeypatch.setattr(automatic, "throw", lambda *_a, **_k: (1, 1, 2))
        case "nonces left out":
            monkeypatch.setattr(automatic, "throw", lambda seed, **k: real(seed, **{**k, "nonces": ()}))
        case "another close":
            monkeypatch.setattr(codec, "closed_by", lambda table, _entry: _closed(table, "0" * 64))
        case "another seed":
            monkeypatch.setattr(Robot, "reveal", lambda robot: _reveal_another(robot, monkeypatch))
        case "closed early":
            monkeypatch.setattr(Robot, "close", _close_early)
            monkeypatch.setattr(automatic, "later", lambda at, _seconds: at)


def _closed(table: object, text: str) -> object:
    from pitbook.table.evolve import closed_by

    return closed_by(table, text)  # type: ignore[arg-type]


def _reveal_another(robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = robot.house.table("t1").draw
    assert draw is not None
    monkeypatch.setattr(automatic, "commitment", lambda _seed: draw.commitment)
    robot.does(ELECTRONIC_TUMBLER, c.RevealSeed("55" * 32))


def _close_early(robot: Robot) -> None:
    robot.does(ELECTRONIC_TUMBLER, c.StartCountdown())
    robot.does(ELECTRONIC_TUMBLER, c.CloseBetting())


@pytest.mark.parametrize(
    ("what", "kind"),
    [
        ("other dice", e.SeedRevealed),
        ("nonces left out", e.SeedRevealed),
        ("another close", e.SeedRevealed),
        ("another seed", e.SeedRevealed),
        ("closed early", e.CountdownStarted),
    ],
)
def test_a_forged_draw_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, kind: type[e.Event]
) -> None:
    path = tmp_path / "house.db"
    robot = Robot(path, "singapore-mbs-sic-bo-v6", snapshot_every=1000)
    forged(monkeypatch, what)
    robot.round()
    robot.house.close()
    monkeypatch.undo()
    first = audit(path).first
    assert first is not None, what
    assert first.kind == kind.__name__, first
