"""House policy: nobody works at a table where they have bets, and nobody bets where they work."""

from __future__ import annotations

import pytest

from pitbook.table import commands as c
from pitbook.table.refusals import Reason
from tests.table.sic_bo import ANN, DEALER, FLOOR, MASSACHUSETTS, bets_of, packaged


def test_staff_with_bets_on_the_table_cannot_act_there() -> None:
    table = packaged(MASSACHUSETTS)
    table.does("fay the player", c.BuyIn(100_00))
    table.does("fay the player", bets_of("small=10"))
    assert table.refused(FLOOR, c.CorrectDice((1, 2, 3), "misread"), Reason.OWN_ACT).policy
    assert table.refused("fay the manager", c.StartDay("monday"), Reason.OWN_ACT).policy  # who played before
    table.finish()
    table.refused(FLOOR, c.CorrectDice((1, 2, 3), "misread"), Reason.NOT_NOW)


@pytest.mark.parametrize(("who", "player"), [("dan the player", None), (DEALER, "dan")])
def test_the_dealer_cannot_bet_and_nobody_can_bet_for_the_dealer(who: str, player: str | None) -> None:
    table = packaged(MASSACHUSETTS)
    assert table.refused(who, bets_of("small=10", player=player), Reason.OWN_ACT).policy
    table.does(ANN, bets_of("small=10"))
