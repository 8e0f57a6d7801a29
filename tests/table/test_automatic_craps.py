"""The base game of craps at an automatic table, alone and with side bets on the same hand."""

from __future__ import annotations

from hashlib import sha256

import pytest

from pitbook.ledger.accounts import escrow
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.refusals import Why
from tests.table.automatic import ANN, BEN, TUMBLER, bet, close, commit, open_automatic, reveal


def seed(number: int) -> bytes:
    """Return one of many seeds."""
    return sha256(str(number).encode()).digest()


@pytest.mark.parametrize("book", ["craps", "craps+dice-works", "craps+craps-bonus"])
def test_hands_are_played_by_the_electronic_tumbler(book: str) -> None:
    pit = open_automatic(book)
    settled: list[e.Line] = []
    for number in range(60):
        commit(pit, seed(number))
        wanted = "pass-line" if pit.table.point is None else "come"
        bet(pit, ANN, wanted, amount=10_00)
        bet(pit, BEN, "place/6", "field", "hard/8", amount=6_00)
        if pit.table.bets.on("ann", "pass-line") and pit.table.point and not pit.table.bets.on("ann", "pass-line-odds"):
            bet(pit, ANN, "pass-line-odds", amount=10_00)
        close(pit)
        assert pit.table.shooter in ("ann", "ben")
        before = len(pit.record)
        reveal(pit, seed(number))
        happened = [said.what for said in pit.record[before:]]
        settled += [
            line for one in happened if isinstance(one, e.LosersCollected | e.WinnersPaid) for line in one.lines
        ]
        lying = sum(one.amount + one.commission for one in pit.table.bets.values())
        assert pit.balances.get(escrow("t1"), 0) == lying
    assert {"pass-line", "come", "place/6", "field"} <= {line.wager for line in settled}
    assert any(line.stays for line in settled)


def test_bets_that_are_called_off_start_no_countdown() -> None:
    pit = open_automatic("craps")
    commit(pit)
    bet(pit, ANN, "place/6", amount=6_00)
    pit.does(ANN, c.CallBets("off"))
    pit.refused(TUMBLER, c.StartCountdown(), Why.NOTHING_TO_DO)
    pit.does(ANN, c.CallBets("rule"))
    close(pit)
    reveal(pit)


def test_staff_do_not_call_bets_at_an_automatic_table() -> None:
    pit = open_automatic("craps")
    commit(pit)
    bet(pit, ANN, "place/6", amount=6_00)
    pit.refused("bea the base-dealer", c.CallBets("off", player="ann"), Why.AUTOMATIC)
