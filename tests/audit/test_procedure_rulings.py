"""Irregularities and rulings that a table lets pass by mistake: the auditor names the entry for each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pitbook.audit import audit
from pitbook.ledger.transfers import Transfer
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table import limits
from pitbook.table.decide import betting, irregularities, readiness, rounds, rulings, setup
from pitbook.table.decide.irregularities import return_wagers
from pitbook.table.people import Person
from pitbook.testing import MANAGER, JournalTable
from tests.audit.handlers import replace_handler
from tests.audit.journals import entries_of, house_at
from tests.audit.test_bugs import found

MASSACHUSETTS, MARYLAND, SINGAPORE = "massachusetts-sic-bo", "maryland-sic-bo", "singapore-mbs-sic-bo-v6"
LIMITS = {"*": c.Limit(500, 50_000), "specific-triple": c.Limit(100, 5_000)}

Script = Callable[[JournalTable], None]
Patch = Callable[[pytest.MonkeyPatch], None]


def gone(module: Any, name: str, instead: object = None) -> Patch:
    """Disable a check or replace it."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, name, instead if callable(instead) else lambda *_given, **_named: instead)

    return patch


# ---------------------------------------------------------------- what is played


def two_bets(floor: JournalTable, until: str | None, dice: tuple[int, int, int] = (1, 2, 3)) -> None:
    """Ann's wager wins on 1-2-3, ben's loses; they are numbers 1 and 2."""
    floor.bet("ann", "small=10")
    floor.bet("ben", "big=20")
    floor.take_steps(dice, until=until)


def no_roll_after(until: str) -> Script:
    """A No Roll that is called before a certain act."""

    def script(table: JournalTable) -> None:
        two_bets(table, until)
        table.does(table.crew["dealer"], c.Call("no-roll"))

    return script


def not_flat(floor: JournalTable) -> None:
    two_bets(floor, "reveal")
    floor.does(floor.crew["dealer"], c.TakeStep("uncover", flat=False))
    floor.take_steps((1, 2, 3))


def device_fails(floor: JournalTable) -> None:
    floor.bet("ann", "small=10")
    floor.does(floor.crew["dealer"], c.Call("device-malfunction", present=(floor.most_senior,)))
    floor.bet("ben", "big=20")


def device_not_repaired(floor: JournalTable) -> None:
    device_fails_at_the_reveal(floor)
    floor.does(floor.crew["dealer"], c.TakeStep("close"))


def device_fails_at_the_reveal(floor: JournalTable) -> None:
    two_bets(floor, "announce dice")
    floor.does(floor.crew["dealer"], c.Call("device-malfunction", present=(floor.most_senior,)))
    floor.take_steps((1, 2, 3))


def withdrawn_after_an_outcome(floor: JournalTable) -> None:
    two_bets(floor, "collect losers")
    floor.does(floor.crew["dealer"], c.Call("power-failure-after"))
    floor.does("ben the player", c.Withdraw())


def unclear(*named: int, ruled: tuple[int, ...] = (), until: str = "collect losers") -> Script:
    """Wagers that are called unclear, and those that a supervisor then rules to stand on even."""

    def script(table: JournalTable) -> None:
        two_bets(table, until)
        table.does(table.crew["dealer"], c.Call("unclear-wagers", bets=named))
        for number in ruled:
            table.does(table.most_senior, c.RuleOnBet(number, "even", "it lay there"))
        if named:
            table.take_steps()

    return script


def ruled_by_a_dealer(floor: JournalTable) -> None:
    two_bets(floor, "collect losers")
    floor.does(floor.crew["dealer"], c.Call("unclear-wagers", bets=(1,)))
    floor.does(floor.crew["dealer"], c.RuleOnBet(1, "even", "it lay there"))


def moved_to_a_triple(until: str) -> Script:
    """A large wager that a ruling moves to an area with a low maximum."""

    def script(table: JournalTable) -> None:
        table.bet("ann", "big=500")
        table.take_steps((1, 1, 1), until=until)
        table.does(table.crew["dealer"], c.Call("unclear-wagers", bets=(1,)))
        table.does(table.most_senior, c.RuleOnBet(1, "specific-triple/1", "it lay there"))
        table.take_steps()

    return script


def moved_together(until: str, *order: int) -> Script:
    """Two wagers that rulings move to the same area, which takes 500.00 of a player at the most."""

    def script(table: JournalTable) -> None:
        table.bet("ann", "big=400")
        table.bet("ann", "odd=400")
        table.take_steps((1, 2, 3), until=until)
        table.does(table.crew["dealer"], c.Call("unclear-wagers", bets=(1, 2)))
        for number in order:
            table.does(table.most_senior, c.RuleOnBet(number, "small", "it lay there"))
        table.take_steps()

    return script


def moved_away(floor: JournalTable) -> None:
    """Of two wagers on small, which were together over the maximum, a ruling moves one away."""
    floor.bet("ann", "small=500")
    floor.take_steps((1, 2, 3), until="press deal")
    floor.does(floor.crew["dealer"], c.RecordFound("ann", "small", 10_000))
    floor.take_steps((1, 2, 3), until="pay winners")
    floor.does(floor.crew["dealer"], c.Call("unclear-wagers", bets=(1,)))
    floor.does(floor.most_senior, c.RuleOnBet(1, "even", "it lay there"))
    floor.take_steps()


def decided(by: Callable[[JournalTable], Person] | None = None, **ruling: Any) -> Script:
    """A decision on what the rules do not cover, after someone called for it or after nobody did."""

    def script(table: JournalTable) -> None:
        two_bets(table, "pay winners")
        if by is not None:
            table.does(by(table), c.Call("not-covered", "a glass fell on the layout"))
        table.does(table.most_senior, c.RuleInWords("so be it", **ruling))

    return script


def called_twice(floor: JournalTable) -> None:
    two_bets(floor, "pay winners")
    for person in (floor.most_senior, floor.crew["dealer"]):
        floor.does(person, c.Call("not-covered", "a glass fell on the layout"))


def void_while_referred(floor: JournalTable) -> None:
    """Damaged dice end a round in which something else waits for a decision."""
    two_bets(floor, "pay winners")
    floor.does(floor.crew["dealer"], c.Call("not-covered", "a glass fell on the layout"))
    floor.does(floor.crew["dealer"], c.Call("damaged-dice"))


def played_undecided(floor: JournalTable) -> None:
    void_while_referred(floor)
    floor.does(floor.most_senior, c.PutDice("another set"))
    floor.does(floor.most_senior, c.CheckEquipment("dice", (True,)))
    floor.open_betting()


def closed_undecided(floor: JournalTable) -> None:
    void_while_referred(floor)
    floor.does(MANAGER, c.CloseTable())


def decided_later(floor: JournalTable) -> None:
    void_while_referred(floor)
    floor.does(floor.most_senior, c.RuleInWords("the layout is dried"))
    floor.does(MANAGER, c.CloseTable())


def by_the_dealer(floor: JournalTable) -> Person:
    return floor.crew["dealer"]


def by_the_boss(floor: JournalTable) -> Person:
    return floor.most_senior


def own_witness(floor: JournalTable) -> None:
    two_bets(floor, "announce dice")
    dealer = floor.crew["dealer"]
    floor.does(dealer, c.Call("device-malfunction", present=(Person(dealer.name, "casino-supervisor"),)))


def claim_refused(floor: JournalTable) -> None:
    two_bets(floor, None)
    floor.does("ann the player", c.Dispute(1, "it was a six"))
    floor.does(floor.most_senior, c.SettleDispute(1, "", upheld=False))


# ---------------------------------------------------------------- what is broken


def caller_unchecked(draft: Any, name: str, _rule: Any) -> str:
    return str(draft.table.round.callers.get(name, ""))


def withdrawn_whenever(monkeypatch: pytest.MonkeyPatch) -> None:
    def withdraw(draft: Any, _command: c.Withdraw) -> None:
        bets = [bet for bet in draft.table.bets.values() if bet.player == draft.person.name]
        event = e.PlayerWithdrew(draft.person.name, tuple(bet.id for bet in bets))
        draft.emit(event, *return_wagers(draft, bets, "withdrawn"))

    replace_handler(monkeypatch, c.Withdraw, withdraw)


def no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def settle(draft: Any, command: c.SettleDispute) -> None:
        draft.emit(e.DisputeSettled(command.round, command.words, command.upheld))

    replace_handler(monkeypatch, c.SettleDispute, settle)


def as_named(_draft: Any, command: c.Call, _rule: Any) -> tuple[Person, ...]:
    return command.present


def nothing(*_given: Any) -> list[Transfer]:
    return []


BUGS: dict[str, tuple[str, Script, Patch, str, str]] = {
    "No Roll with the cover on": (
        MASSACHUSETTS, no_roll_after("reveal"), gone(irregularities, "_in_phase", instead=lambda *_: True),
        "IrregularityCalled", "no-roll was called after the throw",
    ),
    "No Roll after a winner was paid": (
        MARYLAND, no_roll_after("clear"), gone(irregularities, "_too_late", instead=lambda *_: False),
        "IrregularityCalled", "no-roll was called during settlement",
    ),
    "wagers collected before a No Roll are kept": (
        MARYLAND, no_roll_after("pay winners"), gone(irregularities, "_collected", instead=lambda *_: ()),
        "WagersReturned", "not all collected bets were returned",
    ),
    "a round that goes on with a die that is not flat": (
        MASSACHUSETTS, not_flat, gone(rounds, "_check_flat"),
        "StepTaken", "a die does not lie flat",
    ),
    "a wager after the device failed": (
        MASSACHUSETTS, device_fails, gone(betting, "_check_ceasing"),
        "BetPlaced", "after an equipment failure that stops play",
    ),
    "a round that begins before the device is repaired": (
        MASSACHUSETTS, device_not_repaired, gone(readiness, "_check_ceased"),
        "StepTaken", "a round began, but electrical-device failed and was not repaired",
    ),
    "a wager withdrawn after an outcome": (
        SINGAPORE, withdrawn_after_an_outcome, withdrawn_whenever,
        "PlayerWithdrew", "bets may be withdrawn only after a power failure",
    ),
    "an unclear wager that nobody names": (
        SINGAPORE, unclear(), gone(irregularities, "_check_bets"),
        "IrregularityCalled", "without naming a bet",
    ),
    "a ruling on a wager that was not named": (
        SINGAPORE, unclear(1, ruled=(2, 1)), gone(rulings, "_check_unclear"),
        "BetRuled", "bet 2 was not named as unclear",
    ),
    "a round that goes on before every ruling": (
        SINGAPORE, unclear(1, 2, ruled=(1,)), gone(rounds, "check_decided"),
        "StepTaken", "nobody has decided on unclear-wagers",
    ),
    "a ruling by a dealer": (
        SINGAPORE, ruled_by_a_dealer, gone(rulings, "need_role"),
        "BetRuled", "acted as dealer, but the ruling is reserved for",
    ),
    "a moved wager that is paid over the maximum": (
        SINGAPORE, moved_to_a_triple("collect losers"), gone(limits, "was_moved", instead=lambda *_: False),
        "WinnersPaid", "honoured is 50000 but should be 5000",
    ),
    "a collected wager that a ruling pays over the maximum": (
        SINGAPORE, moved_to_a_triple("pay winners"), gone(limits, "was_moved", instead=lambda *_: False),
        "BetRuled", "honoured is 50000 but should be 5000",
    ),
    "a second moved wager that is paid over the maximum": (
        SINGAPORE, moved_together("pay winners", 2, 1), gone(limits, "_amount_beneath", instead=0),
        "BetRuled", "honoured is 40000 but should be 10000",
    ),
    "a ruling on a collected wager that moves no money": (
        SINGAPORE, unclear(2, ruled=(2,), until="pay winners"), gone(rulings, "difference", instead=nothing),
        "BetRuled", "the money moved is none",
    ),
    "a decision for which nobody called": (
        SINGAPORE, decided(void=True), gone(rulings, "_caller", instead=caller_unchecked),
        "Ruled", "nobody had called not-covered",
    ),
    "a decision on one's own call": (
        SINGAPORE, decided(by_the_boss, void=True), gone(rulings, "_caller", instead=caller_unchecked),
        "Ruled", "ruled on their own call",
    ),
    "a decision that pays nothing of what it says": (
        SINGAPORE, decided(by_the_dealer, pays=(c.Award(1, 700),)), gone(rulings, "moves", instead=nothing),
        "Ruled", "the money moved is none",
    ),
    "a decision that gives nothing back of what it says": (
        SINGAPORE, decided(by_the_dealer, returns=(2,)), gone(rulings, "difference", instead=nothing),
        "Ruled", "the money moved is none",
    ),
    "a decision that does not void the round": (
        SINGAPORE, decided(by_the_dealer, void=True), gone(rulings, "void"),
        "", "RoundVoided must follow",
    ),
    "a second call before the first is decided": (
        SINGAPORE, called_twice, gone(irregularities, "_check_referable"),
        "IrregularityCalled", "call was decided",
    ),
    "a round after a void one with something undecided": (
        SINGAPORE, played_undecided, gone(rounds, "check_decided"),
        "StepTaken", "nobody has decided on not-covered",
    ),
    "a table that closes with something undecided": (
        SINGAPORE, closed_undecided, gone(setup, "check_decided"),
        "TableClosed", "nobody has decided on not-covered",
    ),
    "a witness of one's own act": (
        MASSACHUSETTS, own_witness, gone(irregularities, "_present", instead=as_named),
        "IrregularityCalled", "is named as a witness to their own act",
    ),
    "a claim refused without a reason": (
        MASSACHUSETTS, claim_refused, no_reason,
        "DisputeSettled", "a claim was rejected without a reason",
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_ruling_against_the_text_is_caught_at_its_entry(
    bug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, script, patch, kind, why = BUGS[bug]
    patch(monkeypatch)
    finding = found(tmp_path / "wrong.db", book, script, limits=LIMITS if book == SINGAPORE else {})
    assert finding is not None, "the bug was not caught"
    assert why in finding.why, str(finding)
    assert finding.kind == kind or not kind, str(finding)
    assert finding.sequence == entries_of(tmp_path / "wrong.db", kind or "Ruled")[EARLIER.get(bug, -1)], str(finding)


EARLIER = {
    "a round that goes on with a die that is not flat": -6,
    "a ruling on a wager that was not named": -2,
    "a round that goes on before every ruling": -2,
}
"""Where the wrong entry is not the last of its kind: its place, counted from the end."""


RIGHT: dict[str, tuple[str, Script]] = {
    "no roll while losers are collected": (MARYLAND, no_roll_after("pay winners")),
    "two rulings": (SINGAPORE, unclear(1, 2, ruled=(1, 2))),
    "a ruling on a collected wager": (SINGAPORE, unclear(2, ruled=(2,), until="pay winners")),
    "a moved wager": (SINGAPORE, moved_to_a_triple("collect losers")),
    "a collected wager that was moved": (SINGAPORE, moved_to_a_triple("pay winners")),
    "two wagers moved to one area": (SINGAPORE, moved_together("collect losers", 2, 1)),
    "two collected wagers moved to one area": (SINGAPORE, moved_together("pay winners", 2, 1)),
    "a wager moved away from another": (SINGAPORE, moved_away),
    "wagers paid and given back": (SINGAPORE, decided(by_the_dealer, returns=(2,), pays=(c.Award(1, 700),))),
    "a void round": (SINGAPORE, decided(by_the_dealer, void=True)),
    "a decision after a void round": (SINGAPORE, decided_later),
}


@pytest.mark.parametrize("case", RIGHT)
def test_a_ruling_by_the_text_is_followed(case: str, tmp_path: Path) -> None:
    book, script = RIGHT[case]
    with house_at(tmp_path / "house.db", snapshot_every=1) as house:
        table = JournalTable(house, book, limits=LIMITS if book == SINGAPORE else {})
        table.buy_in("ann", 100_000)
        table.buy_in("ben", 100_000)
        table.open_betting()
        script(table)
    report = audit(tmp_path / "house.db")
    assert report.good, str(report)
