"""Bugs in chips and rounding, put in on purpose: the auditor names the entry for each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitbook.audit import audit
from pitbook.audit.report import Finding
from pitbook.engine import settle as engine
from pitbook.ledger.accounts import purse
from pitbook.money import Cents, Favour, Odds, Payment, settle_stake
from pitbook.table import commands as c
from pitbook.table import limits
from pitbook.table.decide import bet_placement, betting, chips, disputes, irregularities, rulings, settlement
from pitbook.table.decide import setup as opening
from pitbook.table.decide.draft import Draft
from pitbook.testing import MANAGER, JournalTable
from tests.audit.handlers import replace_handler
from tests.audit.journals import entries_of, house_at

Patch = Callable[[pytest.MonkeyPatch], None]
Script = Callable[[JournalTable], None]

SINGAPORE, MASSACHUSETTS = "singapore-mbs-sic-bo-v6", "massachusetts-sic-bo"
LIMITS: dict[str, object] = {"limits": {"*": c.Limit(5_00, 500_00)}}


def found(path: Path, book: str, script: Script, **changes: object) -> Finding | None:
    """Return the auditor's first finding in a journal."""
    with house_at(path) as house:
        table = JournalTable(house, book, "t1", **changes)
        table.buy_in("ann", 1_000_00)
        table.buy_in("ben", 1_000_00)
        table.open_betting()
        script(table)
    return audit(path).first


def colours(floor: JournalTable, name: str = "ann", amount: int = 100_00, value: int = 5_00, **more: Any) -> None:
    """Place a player's colour chips, entered by the dealer."""
    marker = more.pop("marker", value > 5_00)
    floor.does(floor.crew["dealer"], c.BuyIn(amount, name, colour_value=value, marker=marker, **more))


# ---------------------------------------------------------------- what is played


def stakes_too_many(floor: JournalTable) -> None:
    colours(floor, amount=20_00)
    floor.bet("ann", "small=25", "colour")


def another_value(floor: JournalTable) -> None:
    colours(floor)
    floor.bet("ann", "small=100", "colour")
    colours(floor, value=10_00)


def another_value_before_the_round_is_over(floor: JournalTable) -> None:
    colours(floor)
    floor.bet("ann", "big=100", "colour")
    floor.take_steps((1, 2, 3), until="pay winners")
    colours(floor, value=10_00)


def redeems_elsewhere(floor: JournalTable) -> None:
    other = JournalTable(floor.house, SINGAPORE, "t2", **LIMITS)
    colours(floor)
    colours(other)
    other.does("ann the player", c.CashOut(50_00, kind="colour"))


def wins(floor: JournalTable) -> None:
    colours(floor)
    floor.bet("ann", "small=20", "colour")
    floor.play_round(1, 2, 3)


def shares_a_colour(floor: JournalTable) -> None:
    colours(floor)
    colours(floor, "ben", colour="blue")


def takes_down(floor: JournalTable) -> None:
    colours(floor)
    floor.bet("ann", "small=20", "colour")
    floor.does("ann the player", c.TakeDown("small", 10_00, "colour"))


def void_round(floor: JournalTable) -> None:
    colours(floor)
    floor.bet("ann", "small=20", "colour")
    floor.does(floor.crew["dealer"], c.Call("damaged-dice"))


def undone(floor: JournalTable) -> None:
    colours(floor)
    floor.bet("ann", "big=20", "colour")
    floor.take_steps((1, 2, 3), until="pay winners")
    floor.does(floor.crew["dealer"], c.Call("damaged-dice"))


def resettled(floor: JournalTable) -> None:
    wins(floor)
    floor.does(floor.crew["dealer"], c.ProposeResettlement(1, (6, 6, 5), "misread"))
    floor.does(floor.most_senior, c.ApproveResettlement(1))


def no_marker(floor: JournalTable) -> None:
    colours(floor, value=10_00, marker=False)


def own_marker(floor: JournalTable) -> None:
    floor.does("ann the player", c.BuyIn(100_00, colour_value=10_00, marker=True))


def part_of_a_chip(floor: JournalTable) -> None:
    colours(floor)
    floor.bet("ann", "small=7", "colour")


def redeems_a_part(floor: JournalTable) -> None:
    colours(floor)
    floor.does("ann the player", c.CashOut(7_00, kind="colour"))


def closes(floor: JournalTable) -> None:
    floor.play_round(1, 2, 3)
    colours(floor)
    floor.does(MANAGER, c.CloseTable())


def over_the_maximum(floor: JournalTable) -> None:
    floor.take_steps((1, 2, 3), until="press deal")
    floor.does(floor.crew["dealer"], c.RecordFound("ann", "small", 700_00))
    floor.take_steps((1, 2, 3))


def under_the_minimum_twice(floor: JournalTable) -> None:
    for _ in range(2):
        floor.open_betting()
        floor.take_steps((1, 2, 3), until="collect losers")
        floor.does(floor.crew["dealer"], c.RecordFound("ann", "small", 2_00))
        floor.take_steps()


def raised_late(floor: JournalTable) -> None:
    floor.bet("ann", "small=10")
    floor.take_steps((1, 2, 3), until="press deal")
    floor.does(floor.crew["dealer"], c.RecordFound("ann", "small", 90_00, late=True))
    floor.take_steps((1, 2, 3))


def one_die(floor: JournalTable) -> None:
    floor.bet("ann", "one-of-a-kind/1=0.25")
    floor.play_round(1, 2, 3)


# ---------------------------------------------------------------- what is broken


def cash_for_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take colour stakes beyond the purse from the cash chips."""
    right = Draft.chips

    def wrong(draft: Draft, name: str, kind: c.Kind) -> Any:
        account = right(draft, name, kind)
        return draft.player(name) if draft.holds(account) < 25_00 else account

    monkeypatch.setattr(Draft, "chips", wrong)


def any_purchase(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ignore chips that are already out."""
    monkeypatch.setattr(chips, "_is_out", lambda _draft, _name: False)


def purse_of_the_first_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who has a purse redeems from that of the same colour at the first table."""

    def wrong(draft: Draft, name: str, colour: str) -> Any:
        return purse(name, draft.table.money, "t1" if name in draft.table.purses else draft.table.id, colour)

    monkeypatch.setattr(Draft, "purse", wrong)


def winnings_in_cash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Draft, "shares", lambda draft, name, _kind, amount: {draft.player(name): amount})


def owner_is_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Draft, "owner", lambda draft, name, _kind: draft.player(name))


def purses_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is paid back or taken afterwards goes to and from the cash chips."""
    right = disputes.difference

    def wrong(draft: Any, old: Any, *others: Any) -> Any:
        return right(draft, msgspec.structs.replace(old, kind="cash"), *others)

    for module in (disputes, irregularities, rulings):
        monkeypatch.setattr(module, "difference", wrong)


def anybody_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chips, "PLAYER", "nobody")


def no_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chips, "limit_of", lambda _table, _wager: c.Limit(10**9, 10**9))


def any_part(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (bet_placement, betting):
        monkeypatch.setattr(module, "check_whole_chips", lambda *_given: None)


def redeem_any_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Redeem an amount that is not a whole number of chips."""

    def wrong(draft: Draft, command: c.CashOut) -> None:
        from pitbook.ledger.transfers import move
        from pitbook.table import events as e

        event = e.CashedOut("ann", command.amount, "colour", "blue")
        draft.emit(event, move("chips for cash", draft.purse("ann", "blue"), draft.cage, command.amount))

    replace_handler(monkeypatch, c.CashOut, wrong)


def closes_anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "redeem_at_close", lambda _draft: [])


def rounded(favour: Favour) -> Patch:
    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        def wrong(stake: Cents, odds: Odds, _favour: Favour, unit: int) -> Payment:
            return settle_stake(stake, odds, favour, unit)

        monkeypatch.setattr(engine, "settle_stake", wrong)

    return patch


def favour_swapped(monkeypatch: pytest.MonkeyPatch) -> None:
    right = settlement.rounded

    def wrong(settled: engine.Settlement) -> Any:
        fields = right(settled)
        return {**fields, "favour": "house"} if fields else fields

    monkeypatch.setattr(settlement, "rounded", wrong)


def rounding_unsaid(monkeypatch: pytest.MonkeyPatch) -> None:
    right = engine.settle
    monkeypatch.setattr(settlement, "settle", lambda *given: replace(right(*given), rounding=Fraction(0)))


def all_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (limits, settlement):
        monkeypatch.setattr(module, "honoured", lambda _table, bet: bet.amount)


PRINTED: dict[str, object] = {"readings": {"one-of-a-kind-single": "one-to-ten"}}
BUGS: dict[str, tuple[str, Script, Patch, str, str, dict[str, object]]] = {
    "staking beyond the purse": (
        SINGAPORE, stakes_too_many, cash_for_colour, "BetPlaced", "should be (player:ann:SGD:t1:blue -2500", LIMITS,
    ),
    "value changed while chips are out": (
        SINGAPORE, another_value, any_purchase, "BoughtIn", "ann still has blue chips worth 500 each", LIMITS,
    ),
    "value changed while the round may still be void": (
        SINGAPORE, another_value_before_the_round_is_over, any_purchase,
        "BoughtIn", "ann still has blue chips worth 500 each", LIMITS,
    ),
    "redeemed from another table's purse": (
        SINGAPORE, redeems_elsewhere, purse_of_the_first_table,
        "CashedOut", "should be (player:ann:SGD:t2:blue -5000", LIMITS,
    ),
    "winnings to the cash chips": (
        SINGAPORE, wins, winnings_in_cash, "WinnersPaid", "player:ann:SGD:t1:blue +4000", LIMITS,
    ),
    "a second player's colour": (
        SINGAPORE, shares_a_colour, any_purchase, "BoughtIn", "ann has the blue chips at this table", LIMITS,
    ),
    "a stake taken down into the cash chips": (
        SINGAPORE, takes_down, owner_is_the_player, "BetTakenDown", "player:ann:SGD:t1:blue +1000", LIMITS,
    ),
    "a void round returned to the cash chips": (
        SINGAPORE, void_round, owner_is_the_player, "RoundVoided", "player:ann:SGD:t1:blue +2000", LIMITS,
    ),
    "a collected wager undone into the cash chips": (
        SINGAPORE, undone, purses_forgotten, "RoundVoided", "player:ann:SGD:t1:blue +2000", LIMITS,
    ),
    "a resettlement taken from the cash chips": (
        SINGAPORE, resettled, purses_forgotten, "Resettled", "player:ann:SGD:t1:blue -4000", LIMITS,
    ),
    "no marker above the minimum": (
        SINGAPORE, no_marker, no_minimum, "BoughtIn", "no marker shows that a chip is worth 1000", LIMITS,
    ),
    "a player's own marker": (
        SINGAPORE, own_marker, anybody_marks, "BoughtIn", "a player confirmed the marker", LIMITS,
    ),
    "a part of a chip is staked": (
        SINGAPORE, part_of_a_chip, any_part, "BetPlaced", "ann has no colour chips for that", LIMITS,
    ),
    "a part of a chip is redeemed": (
        SINGAPORE, redeems_a_part, redeem_any_part, "CashedOut", "700 is not a whole number of chips", LIMITS,
    ),
    "the table closes with colour chips out": (
        SINGAPORE, closes, closes_anyway, "TableClosed", "the table closed while colour chips were out", LIMITS,
    ),
    "all of a wager over the maximum is paid": (
        SINGAPORE, over_the_maximum, all_honoured, "WinnersPaid", "honoured is 70000 but should be 50000", LIMITS,
    ),
    "a second wager under the minimum is paid": (
        SINGAPORE, under_the_minimum_twice, all_honoured, "WinnersPaid", "honoured is 200 but should be 0", LIMITS,
    ),
    "a late increase is paid": (
        SINGAPORE, raised_late, all_honoured, "WinnersPaid", "honoured is 9000 but should be 0", LIMITS,
    ),
    "rounded in the house's favour": (
        MASSACHUSETTS, one_die, rounded(Favour.HOUSE), "WinnersPaid", "net is 2 but should be 3", PRINTED,
    ),
    "the favour on record is wrong": (
        MASSACHUSETTS, one_die, favour_swapped, "WinnersPaid", "favour is house but should be player", PRINTED,
    ),
    "the rounding is not on record": (
        MASSACHUSETTS, one_die, rounding_unsaid, "WinnersPaid", "exact is None but should be 5/2", PRINTED,
    ),
}  # fmt: skip
REFUSED_WHEN_RIGHT = (
    "staking beyond the purse",
    "value changed while chips are out",
    "value changed while the round may still be void",
    "a second player's colour",
    "no marker above the minimum",
    "a player's own marker",
    "a part of a chip is staked",
    "a part of a chip is redeemed",
    "the table closes with colour chips out",
)
"""What the right code does not let happen at all."""


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_in_chips_is_caught_at_its_entry(bug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, script, patch, kind, why, changes = BUGS[bug]
    if bug not in REFUSED_WHEN_RIGHT:
        assert found(tmp_path / "right.db", book, script, **changes) is None
    patch(monkeypatch)
    finding = found(tmp_path / "wrong.db", book, script, **changes)
    assert finding is not None, "the bug was not caught"
    assert (finding.kind, why in finding.why) == (kind, True), str(finding)
    assert finding.sequence == entries_of(tmp_path / "wrong.db", kind, finding.table)[-1], str(finding)
