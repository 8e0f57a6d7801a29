"""Random commands at a table under each book, over a real journal: the audit passes."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from pitbook.audit import audit
from pitbook.house.house import House
from pitbook.house.stores import open_store
from pitbook.rulebooks.catalogue import SHIPPED, load
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import START, person
from tests.soaking import repetitions
from tests.table import craps, sic_bo
from tests.table.driving import DrivenTable
from tests.table.random_commands import (
    PLAYERS,
    command_of,
    next_step,
    people,
    put_in_order,
    some_bets,
    something_sensible,
)

ASKED = repetitions(200, 5_000)


@pytest.mark.parametrize("book", [*SHIPPED, "craps+dice-works+dice-ology", "craps+craps-bonus"])
def test_the_audit_agrees_whatever_anyone_does(book: str, tmp_path: Path) -> None:
    chance = Random(book)
    path = tmp_path / "journal.db"
    now = [START]
    on_a_hand = load(book).identity.game == "craps"
    pit: DrivenTable = craps.craps_table(book) if on_a_hand else sic_bo.packaged(book)
    accepted = 0
    with House(open_store(str(path)), clock=lambda: now[0]) as house:
        assert pit.table.setup is not None
        house.ask("t1", person("max the manager"), c.OpenTable(pit.table.setup))
        for who, command in put_in_order(house.table("t1"), chance):
            house.ask("t1", who, command)
        for name in PLAYERS:
            assert house.ask("t1", person(f"{name} the player"), c.BuyIn(1_000_00)).refused is None
        for _ in range(ASKED):
            table = house.table("t1")
            now[0] += timedelta(seconds=chance.randint(1, 60))
            commands: list[tuple[Person, c.Command]] = []
            if not table.open:
                assert table.setup is not None
                commands.append((person("max the manager"), c.OpenTable(table.setup)))
            match chance.randint(0, 9):
                case 0:
                    commands.append(
                        (chance.choice(people(table)), command_of(chance.choice(c.COMMANDS), table, chance))
                    )
                case 1:
                    commands.append(something_sensible(table, chance))
                case 2:
                    commands += list(put_in_order(table, chance))
                case 3 | 4 | 5:
                    commands.append(some_bets(table, chance))
                case _:
                    due = next_step(table, chance)
                    commands += [due] if due else []
            for who, command in commands:
                accepted += house.ask("t1", who, command).refused is None
    assert accepted > ASKED // 4
    report = audit(str(path))
    assert report.good, str(report)
