"""Journals that were written rightly are proved right."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from pitbook.audit import audit
from pitbook.cli import main
from pitbook.journal import checkpoints, keys
from pitbook.journal.postgres import PostgresStore
from pitbook.journal.sqlite import SqliteStore
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import JournalTable
from tests.audit.journals import BOOKS, SIC_BO, house_at, play


@pytest.mark.parametrize("book", BOOKS)
def test_a_table_under_every_book_is_proved_right(book: str, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path, snapshot_every=10) as house:
        table = JournalTable(house, book)
        for player in ("ann", "ben"):
            table.buy_in(player)
        assert house.ask("t1", Person("ann", "player"), c.TakeStep("roll")).refused
        rounds = 8 if book in SIC_BO else 30
        play(table, rounds)
        table.does("ann the player", c.CashOut(100), key="cash")
        table.does(table.most_senior, c.Count("closing", 5, table.second))
        table.does(table.most_senior, c.CollectDrop(table.second))
        table.does(table.most_senior, c.Credit(1000, table.second))
    report = audit(path)
    assert report.good, str(report)
    assert report.throws == rounds
    assert report.bets > 10
    assert report.lines > 3
    assert report.refusals == 1
    assert report.snapshots > 0
    assert report.rate > 0


@pytest.mark.thorough
def test_a_journal_in_postgresql_is_proved_right(postgres_url: str) -> None:
    with house_at(PostgresStore(postgres_url), snapshot_every=10) as house:
        one, other = JournalTable(house, "dice-works", "d1"), JournalTable(house, "maryland-sic-bo", "m1")
        for player in ("ann", "ben"):
            one.buy_in(player)
        play(one, 5)
        play(other, 3)
    report = audit(postgres_url)
    assert report.good, str(report)
    assert report.tables == 3  # the house too, with its register of dice
    assert report.throws == 8


def test_players_may_sit_at_several_tables(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path) as house:
        floors = [JournalTable(house, book, book) for book in BOOKS]
        for money in ("USD", "SGD"):
            next(floor for floor in floors if floor.table.money == money).buy_in("ann")
        for floor in floors:
            play(floor, 1, players=("ann",))
    assert audit(path).good


@pytest.mark.parametrize("book", SIC_BO)
def test_corrections_before_and_after_settling_are_followed(book: str, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path, snapshot_every=1) as house:
        table = JournalTable(house, book)
        table.buy_in("ann", 5000)
        table.buy_in("ben", 5000)
        table.open_betting()
        table.bet("ann", "small=10")
        table.bet("ben", "big=10")
        table.take_steps((1, 2, 3), until="collect losers")
        table.does(table.most_senior, c.CorrectDice((6, 6, 5), "misread"))
        table.take_steps()
        table.does("ben the player", c.CashOut(5500))
        table.does(table.crew["dealer"], c.ProposeResettlement(1, (1, 2, 3), "it was right at first"))
        table.does(table.most_senior, c.ApproveResettlement(1))
        balances = house.store.all_balances()
    assert balances["disputes:t1"] == -1500  # type: ignore[index]
    assert balances[f"player:ann:{table.table.money}"] == 6000  # type: ignore[index]
    report = audit(path)
    assert report.good, str(report)
    assert report.lines == 4


def test_found_wagers_voids_rulings_and_a_power_failure_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path, snapshot_every=1) as house:
        table = JournalTable(house, "singapore-mbs-sic-bo-v6", limits={"*": c.Limit(500, 2000)})
        table.buy_in("ann", 50_000)
        table.buy_in("ben", 50_000)
        dealer, boss = table.crew["dealer"], table.most_senior
        table.open_betting()
        table.bet("ann", "small=15")
        table.bet("ben", "big=10")
        table.does(dealer, c.Call("power-failure-before"))
        table.does("ben the player", c.Withdraw())
        table.does(dealer, c.Resume())
        table.take_steps((1, 2, 3), until="collect losers")
        table.does(dealer, c.RecordFound("ben", "big", 100))
        table.does(dealer, c.RecordFound("ann", "small", 1000))
        table.does(dealer, c.RecordFound("ben", "odd", 600, late=True))
        table.does(dealer, c.Call("unclear-wagers", bets=(1,)))
        table.does(boss, c.RuleOnBet(1, "total/6", "it lay there"))
        table.take_steps()
        table.open_betting()
        table.bet("ann", "odd=7")
        table.bet("ben", "even=7")
        table.take_steps((1, 2, 4), until="collect losers")
        table.does(dealer, c.TakeStep("collect"))
        table.does(dealer, c.Call("damaged-dice"))
    report = audit(path)
    assert report.good, str(report)


def test_no_roll_with_wagers_that_stand_and_a_failed_device_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path, snapshot_every=1) as house:
        table = JournalTable(house, "massachusetts-sic-bo", readings={"no-roll-wagers": "stand"})
        table.buy_in("ann", 50_000)
        dealer = table.crew["dealer"]
        table.bet("ann", "small=15")
        table.take_steps((4, 5, 6), until="pay winners")
        table.does(dealer, c.Call("no-roll"))
        table.does("ann the player", c.TakeDown("small", 500))
        table.take_steps((1, 2, 3), until="collect losers")
        table.does(dealer, c.Call("device-malfunction", present=(table.crew["floorperson"], table.most_senior)))
        table.take_steps()
    report = audit(path)
    assert report.good, str(report)


def test_a_corrected_roll_and_passed_dice_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path, snapshot_every=1) as house:
        table = JournalTable(house, "dice-works")
        table.buy_in("ann")
        table.bet("ann", "all-lows=5")
        table.bet("ann", "parlay-envy/2x2=5")
        table.play_round(1, 1)
        table.bet("ann", "parlay/5x5=5")
        table.does(table.most_senior, c.CorrectDice((1, 2), "misread"))
        table.take_steps()
        table.does("ann the player", c.PassDice())
        table.play_round(1, 1)
        table.play_round(1, 1)
        table.play_round(3, 4)
    report = audit(path)
    assert report.good, str(report)
    assert report.lines == 2


def test_the_command_prints_what_it_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, file, key = tmp_path / "house.db", tmp_path / "signed.json", tmp_path / "key"
    with house_at(path) as house:
        table = JournalTable(house, "dice-ology")
        table.buy_in("ann")
        play(table, 2, players=("ann",))
    with closing(SqliteStore(path, read_only=True)) as store:
        signed = checkpoints.write(store, keys.create_key(key), "2026-03-01T00:00:00Z")
    file.write_bytes(signed.to_json())

    def run(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main(["audit", *words])
        return int(left.value.code or 0), capsys.readouterr().out

    code, output = run(str(path))
    assert code == 0
    assert ": correct" in output
    assert "none given" in output
    code, output = run(str(path), "--checkpoint", str(file), "--key", f"{key}.pub")
    assert code == 0
    assert "signature valid" in output
    code, output = run(str(path), "--checkpoint", str(file), "--json")
    data = json.loads(output)
    assert code == 0
    assert data["good"]
    assert data["events"] == sum(one.count for one in signed.tables)
    file.write_bytes(signed.to_json().replace(b"2026-03-01", b"2026-03-02"))
    code, output = run(str(path), "--checkpoint", str(file), "--key", f"{key}.pub")
    assert code == 1
    assert "is not what key" in output
    assert run(str(tmp_path / "none.db"))[0] == 2
    assert run(str(path), "--key", f"{key}.pub")[0] == 2
    file.write_text("{}")
    assert run(str(path), "--checkpoint", str(file))[0] == 2
