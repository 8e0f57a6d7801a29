"""Whole journals for the auditor: tables of all books, played through a house onto a database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from pitbook.engine.windows import window_closed
from pitbook.house.house import House
from pitbook.journal.port import Store
from pitbook.journal.runner import Settings
from pitbook.journal.sqlite import SqliteStore
from pitbook.people import commands as people
from pitbook.people.values import Grant
from pitbook.rulebooks.catalogue import load
from pitbook.table import commands as c
from pitbook.table.limits import limit_of
from pitbook.table.people import is_staff, rank
from pitbook.testing import MANAGER, JournalTable

SIC_BO = ("massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6")
CRAPS = ("dice-works", "dice-ology")
BOOKS = (*SIC_BO, *CRAPS)


def house_at(path: Path | Store, *, snapshot_every: int = 1000) -> House:
    """Return a house over an SQLite file or another store."""
    store = SqliteStore(path) if isinstance(path, Path) else path
    return House(store, Settings(snapshot_every=snapshot_every))


def entries_of(path: Path, kind: str, table: str = "t1") -> list[int]:
    """Return the sequences of a table's entries of one kind, read from the database itself."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute(
            "SELECT sequence FROM entries WHERE table_name = ? AND kind = ? ORDER BY sequence", (table, kind)
        )
        return [sequence for (sequence,) in rows]


def enrol(house: House, *books: str) -> None:
    """Give the crews of the books' tables and two players accounts, added by a manager who has one."""
    roles: dict[str, set[str]] = {"ann": {"player"}, "ben": {"player"}}
    for rules in map(load, books):
        staff = [role for role in rules.roles if is_staff(rules, role)]
        top = max(staff, key=lambda role: rank(rules, role))
        directing = [step.directed_by[0] for step in rules.procedure.round if step.directed_by]
        crew = [*((f"{role}-1", role) for role in staff), ("second", top), *(("director", role) for role in directing)]
        for name, role in dict(crew).items():
            roles.setdefault(name, set()).add(role)
    for name, held in roles.items():
        answer = house.manage(MANAGER, people.AddPerson(name, name, tuple(map(Grant, sorted(held)))))
        assert answer.refused is None, answer


def play(table: JournalTable, rounds: int, seed: int = 1, players: tuple[str, ...] = ("ann", "ben")) -> None:
    """Play random bets on random dice; at craps also tips, where the book takes them."""
    random = Random(seed)
    rules = table.rules
    tips = any(step.act == "place tip" for step in rules.procedure.round)
    for _ in range(rounds):
        table.open_betting()
        limits = {wager: limit_of(table.table, wager) for wager in rules.wagers}
        for player in players:
            for wager in random.sample(list(rules.wagers), min(4, len(rules.wagers))):
                low, high = limits[wager].stake_min, min(limits[wager].stake_max, 900)
                now = table.table
                if window_closed(rules, now.progress, rules.wagers[wager]):
                    continue
                if any(bet.wager == wager and bet.player == player for bet in now.bets.values()):
                    continue
                table.place(player, c.BetRequest(wager, random.randint(max(low, 7), high)))
                if tips and random.random() < 0.5:
                    table.place(player, c.BetRequest(wager, low, random.choice(("tip in the area", "tip on top"))))
        table.play_round(*(random.randint(1, 6) for _ in range(rules.dice)))
