"""Craps tables played over a real journal: whatever players and crew do, the audit proves every entry."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from pitbook.audit import audit
from pitbook.house.house import House
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.testing import JournalTable
from tests.audit.journals import entries_of, house_at
from tests.soaking import thorough

ANN, BEN = Person("ann", "player"), Person("ben", "player")
LIMITS = {"*": c.Limit(1_00, 5_000_00)}
TABLES: dict[str, dict[str, object]] = {
    "craps": {},
    "craps, crapless and put bets": {"options": {"crapless": "on", "put": "on", "odds": "10x"}},
    "craps, commission with the bet": {"options": {"commission": "when-bet", "hardways": "working", "bar": "2"}},
    "craps, wins in whole dollars": {"options": {"rounding": "chip", "field-12": "triple"}},
    "craps-bonus": {},
    "craps+craps-bonus": {"options": {"groups": "fire,repeater,hot-hand"}},
    "craps+dice-works+dice-ology": {},
    "dice-works+dice-ology": {"options": {"dice-works.groups": "dice-works,parlay,high-roller"}},
}


class Crowd:
    """Players with random bets at a craps table, and a crew that settles each roll."""

    def __init__(self, house: House, name: str, seed: int) -> None:
        limits = {} if "dice-ology" in name else LIMITS  # Dice-Ology has its own limits
        self.table = JournalTable(house, name.partition(",")[0], "t1", limits=limits, **TABLES[name])
        self.random = Random(seed)
        self.taken = 0
        for player in (ANN, BEN):
            self.table.buy_in(player.name, 1_000_000)

    def tries(self, who: Person, command: c.Command) -> None:
        """Give a command that may be refused."""
        self.taken += self.table.house.ask("t1", who, command).refused is None

    def bets(self, who: Person) -> None:
        """Place random bets, odds first; call bets, take some down, move one."""
        random, wagers = self.random, list(self.table.rules.wagers)
        tied = [name for name, wager in self.table.rules.wagers.items() if wager.tied]
        lines = [name for name in ("pass-line", "dont-pass", "come", "dont-come") if name in wagers]
        for name in (
            random.choice(lines or wagers),
            *random.sample(wagers, 3),
            *random.sample(tied, min(4, len(tied))),
        ):
            self.tries(who, c.PlaceBets((c.BetRequest(name, random.randint(1_00, 60_00)),)))
        for bet in [bet for bet in self.table.table.bets.values() if bet.player == who.name]:
            match random.randrange(12):
                case 0:
                    self.tries(who, c.TakeDown(bet.wager, point=bet.point))
                case 1:
                    self.tries(who, c.TakeDown(bet.wager, random.randint(1, bet.amount), point=bet.point))
                case 2:
                    self.tries(who, c.CallBets(random.choice(["on", "off", "rule"]), (bet.wager,)))
                case 3:
                    self.tries(who, c.MoveBet(bet.wager, random.choice(wagers), point=bet.point))
                case 4:
                    self.tries(who, c.PlaceBets((c.BetRequest(bet.wager, 5_00),)))

    def rolls(self, count: int) -> None:
        for _ in range(count):
            self.bets(ANN)
            self.bets(BEN)
            for role in ("box-person", "stick-person"):  # if the book requires booked bets to be repeated aloud
                self.tries(Person(f"{role}-1", role), c.ConfirmBets())
            self.table.play_round(self.random.randint(1, 6), self.random.randint(1, 6))
            if self.random.random() < 0.15:
                dice = (self.random.randint(1, 6), self.random.randint(1, 6))
                self.tries(self.table.most_senior, c.CorrectDice(dice, "misread"))
                number = self.table.table.round.number - 1
                self.tries(next(iter(self.table.crew.values())), c.ProposeResettlement(number, dice, "misread"))
                self.tries(self.table.most_senior, c.ApproveResettlement(number))
                self.table.take_steps(until="roll")
            if self.random.random() < 0.1 and "power-failure" in self.table.rules.irregularities:
                self.bets(ANN)
                self.table.call("power-failure")
                self.tries(ANN, c.Withdraw())
                self.tries(self.table.most_senior, c.Resume())


@pytest.mark.parametrize("name", ["craps-bonus", *thorough(*(name for name in TABLES if name != "craps-bonus"))])
def test_a_crowded_craps_table_is_proved_right(name: str, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with house_at(path, snapshot_every=7) as house:
        crowd = Crowd(house, name, seed=len(name))
        crowd.rolls(40)
    assert crowd.taken > 80
    report = audit(path)
    assert report.good, str(report)
    assert report.lines > 40
    assert report.snapshots
    for kind in ("DiceCorrected", *(("BetsCalled", "PlayerWithdrew") if "," in name else ())):
        assert entries_of(path, kind), kind
