"""A game of two dice without a hand, from data alone: figures, chance, a table with dealers and an automatic one."""

from __future__ import annotations

import json
import tomllib
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pitbook.audit import audit
from pitbook.cli import main
from pitbook.engine.analyse import analyse
from pitbook.house.dice_record import DiceRecord
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.rulebooks.catalogue import build, load
from pitbook.rulebooks.table_needs import missing_for_table
from pitbook.table import commands as c
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.testing import Clock, JournalTable, wanted
from pitbook.tumbler.mapping import MAPPING, commitment
from tests.audit.journals import house_at
from tests.table.two_dice import UNDER_OVER

ANN = Person("ann", "player")
WAGERS = ["under", "over", "seven", *(f"pair/{face}" for face in range(1, 7))]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    file = tmp_path / "under-over-seven.toml"
    file.write_text(UNDER_OVER, encoding="utf-8")
    return file


def read_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run a command and return its JSON."""
    found: dict[str, Any] = json.loads(printed(capsys, *arguments, "--json"))
    return found


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run a command and return what it prints."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_the_book_is_checked_settled_and_simulated(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checked = read_json(capsys, "check", str(book))
    assert (checked["problems"], checked["runs_a_table"], checked["missing_for_a_table"]) == ([], True, [])
    settled = read_json(capsys, "settle", str(book), "--bet", "under=5", "--bet", "pair/2=1", "--rolls", "2-2")
    assert [(bet["wager"], bet["result"], bet["net"]) for bet in settled["wagers"]] == [
        ("under", "win", 5_00),
        ("pair/2", "win", 30_00),
    ]
    assert "100,000 rounds of under-over-seven" in printed(
        capsys, "simulate", str(book), "--bet", "seven=1", "--hands", "1e5"
    )


def test_its_figures_are_exact(book: Path) -> None:
    rules = load(book)
    edges = {wager: analyse(rules, rules.wager(wager)).house_edge for wager in WAGERS}
    assert edges == {
        **dict.fromkeys(("under", "over", "seven"), Fraction(1, 6)),
        **{f"pair/{face}": Fraction(5, 36) for face in range(1, 7)},
    }


def test_a_table_with_dealers_plays_rounds_that_the_audit_proves(book: Path, tmp_path: Path) -> None:
    house = house_at(tmp_path / "house.db")
    table = JournalTable(house, house.books.editions.add_file(book))
    table.buy_in("ann", 10_000_00)
    random = Random(7)
    for number in range(1, 31):
        assert table.table.round.number == number
        table.bet("ann", " ".join(f"{wager}=5" for wager in random.sample(WAGERS, 4)))
        table.play_round(random.randint(1, 6), random.randint(1, 6))
        assert not table.table.bets
        assert table.table.point is None
    table.bet("ann", "seven=10")
    before = table.holds("ann")
    table.take_steps(until="enter dice")
    answer = house.ask("t1", table.crew["croupier"], c.TakeStep("enter", (3, 4, 1)))
    assert answer.refused is not None, "three dice are not a throw of this game"
    table.play_round(3, 4)
    assert table.holds("ann") == before + 50_00
    assert house.ask("t1", table.crew["croupier"], c.NewShooter("ann")).refused is not None
    table.bet("ann", "under=5")
    table.take_steps(until="reveal")
    table.call("cup-falls")
    assert not table.table.bets
    record = DiceRecord(house.books)
    for entry in house.store.entries("t1"):
        record.apply(entry)
    (watch,) = record.watches[2].sets.values()
    assert watch.throws == 31
    house.close()
    report = audit(tmp_path / "house.db")
    assert report.good, str(report)


def test_an_automatic_table_draws_two_dice(book: Path, tmp_path: Path) -> None:
    clock = Clock()
    house = House(SqliteStore(tmp_path / "house.db"), clock=clock)
    table = JournalTable(house)
    table.open(house.books.editions.add_file(book), automatic=c.Automatic())
    table.does(ANN, c.BuyIn(1_000_00))
    for number in range(1, 21):
        seed = bytes([number]) * 32
        table.does(ELECTRONIC_TUMBLER, c.CommitSeed(commitment(seed), "sealed", MAPPING))
        table.does(ANN, c.PlaceBets(wanted("under=5 seven=1")))
        table.does(ELECTRONIC_TUMBLER, c.StartCountdown())
        clock.later(seconds=20)
        table.does(ELECTRONIC_TUMBLER, c.CloseBetting())
        table.does(ELECTRONIC_TUMBLER, c.RevealSeed(seed.hex()))
        clock.later(seconds=8)
        assert table.table.round.number == number + 1
        assert not table.table.bets
    assert {len(result.dice) for result in table.table.history} == {2}
    assert table.holds("ann") != 1_000_00
    house.close()
    report = audit(tmp_path / "house.db")
    assert report.good, str(report)
    assert (report.draws, report.voids) == (20, [])


def without(raw: dict[str, Any], *parts: str) -> dict[str, Any]:
    """Return a book without some of its parts, nor what its other parts say of them."""
    made = deepcopy(raw)
    for part in parts:
        kind, name = part.split(".")
        if kind == "step":
            made["procedure"]["round"] = [step for step in made["procedure"]["round"] if step["act"] != name]
        else:
            del made[kind][name]
    left = {step["id"] for step in made["procedure"]["round"]}
    for step in made["procedure"]["round"]:
        step["after"] = [one for one in step.get("after", []) if one in left]
        step["who"] = [role for role in step["who"] if role in made["role"]]
    return made


def test_all_that_a_table_would_need_is_listed_at_once() -> None:
    raw = tomllib.loads(UNDER_OVER)
    assert missing_for_table(build(raw, "whole.toml")) == []
    bare = without(raw, "role.player", "step.shake", "step.enter dice", "step.pay winners", "equipment.dice")
    assert missing_for_table(build(bare, "bare.toml")) == [
        "a role “player”",
        "a step to shake the dice",
        "a step to enter the dice",
        "a step to pay winning bets",
        "equipment called dice",
    ]
