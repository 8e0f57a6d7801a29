"""Seeded bugs about people at tables: no consent, roles that nobody holds, excluded players, staff who play."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from pitbook.audit import audit
from pitbook.audit.report import Finding
from pitbook.house.house import House
from pitbook.journal.sqlite import SqliteStore
from pitbook.people import commands as people
from pitbook.people.values import Grant, Policy
from pitbook.table import commands as c
from pitbook.table.decide import bet_placement, betting, chips, suspension
from pitbook.table.decide.draft import Allowance
from pitbook.table.people import Consent, Person
from pitbook.testing import MANAGER, Clock, JournalTable
from tests.audit.journals import enrol, entries_of

BOOK = "massachusetts-sic-bo"
FOUND_BOOK = "singapore-mbs-sic-bo-v6"
"""A book with clauses on wagers that are found on the layout."""
ANN, DEALER = Person("ann", "player"), Person("dealer-1", "dealer")
BUY = c.BuyIn(100_00, "ann")


class People(JournalTable):
    """A table whose crew and players have accounts, with a clock that the test moves."""

    def __init__(self, path: Path, policy: Policy | None = None, book: str = BOOK) -> None:
        self.clock = Clock()
        house = House(SqliteStore(path), clock=self.clock)
        house.manage(Person("server", "server"), people.AddPerson("max", "Max", (Grant("manager"),)))
        if policy is not None:
            house.manage(MANAGER, people.SetPolicy(policy))
        self.house = house
        enrol(house, book)
        self.later()
        super().__init__(house, book, limits={"*": c.Limit(5_00, 500_00)})

    def later(self, minutes: int = 5) -> None:
        self.clock.later(minutes=minutes)

    def manage(self, who: Person, command: people.Command) -> None:
        answer = self.house.manage(who, command)
        assert answer.refused is None, answer

    def acts(self, who: Person, command: c.Command, consent: Consent | None = None) -> None:
        answer = self.house.ask(self.name, who, command, consent=consent)
        assert answer.refused is None, answer

    def approved(self, number: str, second: Person, command: c.Command) -> Consent:
        """Record a consent: requested by the dealer, and given."""
        text = msgspec.json.encode({"command": command}).decode()
        self.manage(DEALER, people.AskApproval(number, "t1", text, "dealer", ("staff",), player="ann"))
        self.manage(second, people.GiveApproval(number))
        return Consent("device" if second == ANN else "second person", second, number)


Script = Callable[[People], None]
BETS = Policy(bet_consent=True)


def by_every_way(floor: People) -> None:
    """Do everything that is allowed."""
    floor.acts(DEALER, BUY, floor.approved("a1", ANN, BUY))
    floor.acts(DEALER, BUY, floor.approved("a2", floor.most_senior, BUY))
    floor.manage(Person("server", "server"), people.RecordPinSet("ann", is_set=True))
    cash = c.CashOut(50_00, "ann")
    floor.acts(DEALER, cash, Consent("pin", ANN))
    bet = c.PlaceBets((c.BetRequest("small", 1000), c.BetRequest("big", 1000)), "ann")
    floor.acts(DEALER, bet, floor.approved("a3", ANN, bet))
    floor.acts(DEALER, c.MoveBet("small", "total/4", player="ann"), Consent("pin", ANN))
    floor.acts(DEALER, c.BuyIn(100_00, "walk-in:Bob"))
    floor.play_round(1, 2, 3)


def found_by_every_way(floor: People) -> None:
    """Do everything that is allowed with found wagers."""
    floor.acts(ANN, c.BuyIn(100_00))
    floor.acts(DEALER, c.BuyIn(100_00, "walk-in:Bob"))
    floor.open_betting()
    floor.take_steps((1, 2, 3), until="collect losers")
    found = c.RecordFound("ann", "small", 2_00)
    floor.acts(DEALER, found, floor.approved("a1", ANN, found))
    found = c.RecordFound("ann", "big", 2_00)
    floor.acts(DEALER, found, floor.approved("a2", floor.most_senior, found))
    floor.acts(DEALER, c.RecordFound("walk-in:Bob", "odd", 2_00))
    floor.take_steps()


def alone(floor: People) -> None:
    floor.acts(DEALER, BUY)


def cashed_alone(floor: People) -> None:
    floor.acts(ANN, c.BuyIn(100_00))
    floor.acts(DEALER, c.CashOut(50_00, "ann"))


def bet_alone(floor: People) -> None:
    floor.acts(ANN, c.BuyIn(100_00))
    floor.acts(DEALER, c.PlaceBets((c.BetRequest("small", 1000),), "ann"))


def pin_of_nobody(floor: People) -> None:
    floor.acts(DEALER, BUY, Consent("pin", ANN))


def never_approved(floor: People) -> None:
    floor.acts(DEALER, BUY, Consent("device", ANN, "a1"))


def approved_twice(floor: People) -> None:
    consent = floor.approved("a1", ANN, BUY)
    floor.acts(DEALER, BUY, consent)
    floor.acts(DEALER, BUY, consent)


def for_another_amount(floor: People) -> None:
    floor.acts(DEALER, c.BuyIn(200_00, "ann"), floor.approved("a1", ANN, BUY))


def by_another_player(floor: People) -> None:
    floor.acts(DEALER, BUY, Consent("device", Person("ben", "player"), "a1"))


def role_of_nobody(floor: People) -> None:
    floor.acts(Person("eve", "dealer"), c.BuyIn(100_00, "walk-in:Bob"))


def role_taken_away(floor: People) -> None:
    floor.manage(MANAGER, people.TakeRole("dealer-1", "dealer"))
    floor.later()
    floor.acts(DEALER, c.BuyIn(100_00, "walk-in:Bob"))


def closed_account(floor: People) -> None:
    floor.manage(MANAGER, people.Deactivate("ann", "left"))
    floor.later()
    floor.acts(ANN, c.BuyIn(100_00))


def excluded_bets(floor: People) -> None:
    floor.acts(ANN, c.BuyIn(100_00))
    floor.manage(ANN, people.Exclude((floor.clock.now + timedelta(days=30)).isoformat()))
    floor.later()
    floor.acts(ANN, c.PlaceBets((c.BetRequest("small", 1000),)))


def found_alone(floor: People) -> None:
    floor.acts(ANN, c.BuyIn(100_00))
    floor.open_betting()
    floor.take_steps((1, 2, 3), until="collect losers")
    floor.acts(DEALER, c.RecordFound("ann", "small", 2_00))


def found_of_the_excluded(floor: People) -> None:
    floor.acts(ANN, c.BuyIn(100_00))
    floor.manage(ANN, people.Exclude((floor.clock.now + timedelta(days=30)).isoformat()))
    floor.later()
    floor.open_betting()
    floor.take_steps((1, 2, 3), until="collect losers")
    found = c.RecordFound("ann", "small", 2_00)
    floor.acts(DEALER, found, floor.approved("a1", floor.most_senior, found))


def another_wager(floor: People) -> None:
    floor.acts(ANN, c.BuyIn(100_00))
    agreed = c.PlaceBets((c.BetRequest("small", 1000),), "ann")
    floor.acts(DEALER, c.PlaceBets((c.BetRequest("big", 1000),), "ann"), floor.approved("a1", ANN, agreed))


def another_place(floor: People) -> None:
    floor.acts(ANN, c.BuyIn(100_00))
    floor.acts(ANN, c.PlaceBets((c.BetRequest("small", 1000),)))
    agreed = c.MoveBet("small", "big", player="ann")
    floor.acts(DEALER, c.MoveBet("small", "total/4", player="ann"), floor.approved("a1", ANN, agreed))


def staff_play(floor: People) -> None:
    floor.acts(DEALER, c.BuyIn(100_00, "second"), Consent("second person", floor.most_senior))


NOTHING: list[tuple[object, str]] = []
UNCHECKED: list[tuple[object, str]] = [(chips, "check_consent"), (bet_placement, "check_consent")]

BUGS: dict[str, tuple[Policy | None, Script, list[tuple[object, str]], str, str]] = {
    "chips bought without consent": (None, alone, UNCHECKED, "BoughtIn", "without consent"),
    "chips cashed without consent": (None, cashed_alone, UNCHECKED, "CashedOut", "without consent"),
    "a bet without consent under the policy": (BETS, bet_alone, UNCHECKED, "BetPlaced", "without consent"),
    "a PIN of somebody who has none": (None, pin_of_nobody, NOTHING, "BoughtIn", "never had one"),
    "an approval that nobody had given": (None, never_approved, NOTHING, "BoughtIn", "was not given"),
    "an approval used twice": (None, approved_twice, NOTHING, "BoughtIn", "had already been used"),
    "an approval of another amount": (None, for_another_amount, NOTHING, "BoughtIn", "something else"),
    "another player's consent": (None, by_another_player, UNCHECKED, "BoughtIn", "in place of ann"),
    "an actor without an account": (None, role_of_nobody, NOTHING, "BoughtIn", "does not hold that role"),
    "an actor whose role was taken": (None, role_taken_away, NOTHING, "BoughtIn", "does not hold that role"),
    "a player whose account is closed": (
        None,
        closed_account,
        [(chips, "check_excluded")],
        "BoughtIn",
        "does not hold that role",
    ),
    "a bet by an excluded player": (
        None,
        excluded_bets,
        [(suspension, "check_excluded")],
        "BetPlaced",
        "although excluded",
    ),
    "chips for somebody who works here": (None, staff_play, NOTHING, "BoughtIn", "works at this table"),
    "a wager found without consent": (
        None,
        found_alone,
        [(betting, "check_consent")],
        "WagerFound",
        "without consent",
    ),
    "a wager found of an excluded player": (
        None,
        found_of_the_excluded,
        [(betting, "check_excluded")],
        "WagerFound",
        "although excluded",
    ),
    "an approval of another wager": (BETS, another_wager, NOTHING, "BetPlaced", "something else"),
    "an approval of another move": (BETS, another_place, NOTHING, "BetPlaced", "something else"),
}


def played(path: Path, policy: Policy | None, script: Script) -> Finding | None:
    floor = People(path, policy, FOUND_BOOK if "found" in script.__name__ else BOOK)
    with floor.house:
        script(floor)
    return audit(path).first


STAND_INS = {
    "check_consent": lambda draft, _player: draft.context.consent,
    "check_excluded": lambda _draft: Allowance(),
}
"""What stands in for a check: it lets everything pass."""


@pytest.mark.parametrize("name", BUGS)
def test_the_auditor_names_the_entry(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy, script, patched, kind, why = BUGS[name]
    for module, check in patched:
        monkeypatch.setattr(module, check, STAND_INS[check])
    first = played(tmp_path / "journal.db", policy, script)
    assert first is not None
    assert (first.kind, why in first.why) == (kind, True), first
    assert first.sequence == entries_of(tmp_path / "journal.db", kind)[-1], first


@pytest.mark.parametrize("policy", [None, BETS])
def test_consent_by_every_way_is_proved(policy: Policy | None, tmp_path: Path) -> None:
    assert played(tmp_path / "journal.db", policy, by_every_way) is None
    assert played(tmp_path / "found.db", policy, found_by_every_way) is None
