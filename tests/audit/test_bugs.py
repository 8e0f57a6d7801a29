"""Bugs put into the engine and the table on purpose: the auditor names the entry for each of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitbook.audit import audit
from pitbook.audit.report import Finding
from pitbook.engine import progress
from pitbook.engine import settle as engine
from pitbook.ledger.transfers import Leg, Transfer
from pitbook.money import Cents, Favour, Odds, Payment, settle_stake
from pitbook.table import commands as c
from pitbook.table.decide import betting, disputes, rounds, settlement
from pitbook.testing import JournalTable
from tests.audit.journals import entries_of, house_at

Patch = Callable[[pytest.MonkeyPatch], None]
Script = Callable[[JournalTable], None]

replace = msgspec.structs.replace


def found(path: Path, book: str, script: Script, **changes: object) -> Finding | None:
    """Return the auditor's first finding in a journal."""
    with house_at(path) as house:
        table = JournalTable(house, book, "t1", **changes)
        table.buy_in("ann", 100_000)
        table.buy_in("ben", 100_000)
        table.open_betting()
        script(table)
    return audit(path).first


# ---------------------------------------------------------------- what is played


def small_wins(floor: JournalTable) -> None:
    floor.bet("ann", "small=10")
    floor.bet("ben", "big=10")
    floor.play_round(1, 2, 3)


def triple(floor: JournalTable) -> None:
    floor.bet("ann", "small=10")
    floor.play_round(2, 2, 2)


def one_die(floor: JournalTable) -> None:
    floor.bet("ann", "one-of-a-kind/1=0.25")
    floor.play_round(1, 2, 3)


def misread(floor: JournalTable) -> None:
    floor.bet("ann", "small=10")
    floor.take_steps((1, 2, 3), until="collect losers")
    floor.does(floor.most_senior, c.CorrectDice((6, 6, 5), "misread"))
    floor.take_steps()


def misread_too_late(floor: JournalTable) -> None:
    small_wins(floor)
    floor.does(floor.crew["dealer"], c.ProposeResettlement(1, (6, 6, 5), "misread"))
    floor.does(floor.most_senior, c.ApproveResettlement(1))


def two_twice(floor: JournalTable) -> None:
    floor.bet("ann", "parlay-envy/2x2=5")
    floor.play_round(1, 1)
    floor.play_round(1, 1)


def lows(floor: JournalTable) -> None:
    for dice in ((1, 1), (1, 2), (1, 3), (1, 4), (1, 5)):
        floor.play_round(*dice)


def little_ones(floor: JournalTable) -> None:
    floor.bet("ann", "little-ones=10")
    lows(floor)


def little_ones_and_a_tip(floor: JournalTable) -> None:
    floor.bet("ann", "little-ones=10")
    floor.bet("ann", "little-ones=5", "tip on top")
    lows(floor)


def little_ones_twice(floor: JournalTable) -> None:
    little_ones(floor)
    floor.play_round(1, 1)


def late(floor: JournalTable) -> None:
    floor.bet("ann", "small=10")
    floor.take_steps(until="shake")
    floor.bet("ben", "big=10")


def pay_first(floor: JournalTable) -> None:
    floor.bet("ann", "small=10")
    floor.bet("ben", "big=10")
    floor.take_steps((1, 2, 3), until="collect losers")
    floor.does(floor.crew["dealer"], c.TakeStep("pay"))


# ---------------------------------------------------------------- what is broken


def settled_otherwise(change: Callable[[engine.Settlement], dict[str, Any]]) -> Patch:
    """Change how a wager is settled."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        from dataclasses import replace as other

        def wrong(*given: Any) -> engine.Settlement:
            settled = engine.settle(*given)
            return other(settled, **change(settled))

        monkeypatch.setattr(settlement, "settle", wrong)

    return patch


def moved_otherwise(change: Callable[[Any, Any, list[Transfer]], list[Transfer]]) -> Patch:
    """Change the money of a line."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        right = settlement.moves
        monkeypatch.setattr(settlement, "moves", lambda draft, line: change(draft, line, right(draft, line)))

    return patch


def renamed(transfers: list[Transfer], names: dict[str, str]) -> list[Transfer]:
    """Return the same transfers between other accounts, with legs of one account merged."""
    changed = []
    for transfer in transfers:
        legs: dict[Any, int] = {}
        for leg in transfer.legs:
            account = names.get(leg.account, leg.account)
            legs[account] = legs.get(account, 0) + leg.amount
        real = tuple(Leg(account, amount) for account, amount in legs.items() if amount)
        changed += [Transfer(transfer.why, real)] if real else []
    return changed


def stake_kept(draft: Any, line: Any, transfers: list[Transfer]) -> list[Transfer]:
    if line.net <= 0:
        return transfers
    won = (
        Leg(draft.escrow, -line.honoured),
        Leg(draft.float, line.honoured - line.net),
        Leg(draft.player("ann"), line.net),
    )
    return [Transfer("paid", tuple(leg for leg in won if leg.amount))]


def rows(change: Callable[[Any, dict[str, str]], dict[str, str]]) -> Patch:
    """Change the row that an area reaches."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        right = settlement.rows_reached
        monkeypatch.setattr(settlement, "rows_reached", lambda table: change(table, dict(right(table))))

    return patch


def first_dice_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    right = settlement.rows_reached

    def wrong(table: Any) -> Any:
        return right(replace(table, round=replace(table.round, entered=(1, 2, 3))))

    monkeypatch.setattr(settlement, "rows_reached", wrong)


def always_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(stake: Cents, odds: Odds, _favour: Favour, unit: int) -> Payment:
        return settle_stake(stake, odds, Favour.HOUSE, unit)

    monkeypatch.setattr(engine, "settle_stake", wrong)


def one_loser_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    right = settlement.settlement

    def wrong(table: Any) -> Any:
        losing, winning = right(table)
        return losing[1:], winning

    monkeypatch.setattr(settlement, "settlement", wrong)


def lammers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    right = progress._advance_marked

    def wrong(book: Any, wager: Any, area: Any, *others: Any) -> Any:
        after, row = right(book, wager, area, *others)
        return (area, row) if row == "win" else (after, row)

    monkeypatch.setattr(progress, "_advance_marked", wrong)


def first_paytable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settlement, "paytable_of", lambda table, wager: table.rules.wagers[wager].paytables[0])


def never_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(betting, "betting_open", lambda _table: True)


def any_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "may_take", lambda _table, _step: True)


def nothing_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disputes, "difference", lambda *_given: [])


MASSACHUSETTS, OLOGY = "massachusetts-sic-bo", "dice-ology"
BUGS: dict[str, tuple[str, Script, Patch, str, str, dict[str, object]]] = {
    "wrong odds for one row": (
        MASSACHUSETTS, small_wins,
        settled_otherwise(lambda s: {"net": Cents(s.net + 500)} if s.wager == "small" else {}),
        "WinnersPaid", "net is 1500 but should be 1000", {},
    ),
    "a triple wins small": (
        MASSACHUSETTS, triple, rows(lambda _table, reached: {**reached, "small": "win"}),
        "LosersCollected", "bet 1 (small, ann) is not settled", {},
    ),
    "the stake is not returned": (
        MASSACHUSETTS, small_wins, moved_otherwise(stake_kept),
        "WinnersPaid", "the money moved is", {},
    ),
    "envy doubled": (
        "dice-works", two_twice, settled_otherwise(lambda s: {"envy": Cents(2 * s.envy)}),
        "WinnersPaid", "envy is 400 but should be 200", {},
    ),
    "the house's pay table ignored": (
        OLOGY, little_ones, first_paytable,
        "WinnersPaid", "pays is 34 to 1 but should be 30 to 1", {"paytables": {"dice-ology": "PT2"}},
    ),
    "a tip's win paid to the player": (
        OLOGY, little_ones_and_a_tip,
        moved_otherwise(
            lambda _draft, line, moves: (
                renamed(moves, {"dealers:t1": "player:ann:USD"}) if "tip" in line.kind else moves
            )
        ),
        "WinnersPaid", "the money moved is", {},
    ),
    "rounded down under a minimum": (
        MASSACHUSETTS, one_die, always_down,
        "WinnersPaid", "net is 2 but should be 3", {"readings": {"one-of-a-kind-single": "one-to-ten"}},
    ),
    "a losing bet not collected": (
        MASSACHUSETTS, small_wins, one_loser_forgotten,
        "LosersCollected", "bet 2 (big, ben) is not settled", {},
    ),
    "lammers not cleared after a win": (
        OLOGY, little_ones_twice, lammers_stay,
        "RoundEnded", "the step mark is due", {},
    ),
    "a resettlement that reverses nothing": (
        MASSACHUSETTS, misread_too_late, nothing_reversed,
        "Resettled", "the money moved is none", {},
    ),
    "paid to the wrong player": (
        MASSACHUSETTS, small_wins,
        moved_otherwise(lambda _draft, _line, moves: renamed(moves, {"player:ann:USD": "player:ben:USD"})),
        "WinnersPaid", "the money moved is", {},
    ),
    "settled by the dice as first entered": (
        MASSACHUSETTS, misread, first_dice_stay,
        "LosersCollected", "bet 1 (small, ann) is not settled", {},
    ),
    "a bet taken after the close": (
        MASSACHUSETTS, late, never_closed,
        "BetPlaced", "while betting was closed", {},
    ),
    "winners paid before losers are collected": (
        MASSACHUSETTS, pay_first, any_step,
        "StepTaken", "took the step pay, which is not due; collect is", {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_is_caught_at_the_entry_where_it_shows(bug: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, script, patch, kind, why, changes = BUGS[bug]
    if bug not in REFUSED_WHEN_RIGHT:
        assert found(tmp_path / "right.db", book, script, **changes) is None
    patch(monkeypatch)
    finding = found(tmp_path / "wrong.db", book, script, **changes)
    assert finding is not None, "the bug was not caught"
    assert finding.table == "t1"
    assert (finding.kind, why in finding.why) == (kind, True), str(finding)
    assert finding.sequence == entries_of(tmp_path / "wrong.db", kind)[-1], str(finding)


REFUSED_WHEN_RIGHT = ("a bet taken after the close", "winners paid before losers are collected")
"""What the right code does not let happen at all."""


def test_a_licensees_cap_that_is_ignored_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = tmp_path / "own.toml"
    book.write_text(
        '[book]\nid = "own"\ntitle = "Own"\nextends = "dice-ology"\n[wager.little-ones.limits]\npayoff_max = 100\n'
    )
    assert found(tmp_path / "right.db", str(book), little_ones) is None
    right = engine.settle

    def wrong(rules: Any, wager: Any, *others: Any) -> engine.Settlement:
        from dataclasses import replace as other

        return right(rules, other(wager, limits=None), *others)

    monkeypatch.setattr(settlement, "settle", wrong)
    finding = found(tmp_path / "wrong.db", str(book), little_ones)
    assert finding is not None
    assert finding.kind == "WinnersPaid"
    assert "net is 34000 but should be 10000" in finding.why
