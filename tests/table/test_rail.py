"""The rail of a craps table: the dice go clockwise, past those who refuse them."""

from __future__ import annotations

import pytest

from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.refusals import Reason
from pitbook.table.snapshots import dump, load
from pitbook.table.state import offered
from tests.table.craps import BASE, BOX, STICK, CrapsTable, craps_table, faces
from tests.table.driving import SHARED_BOOKS
from tests.table.sic_bo import SicBoTable
from tests.table.sic_bo import packaged as sic_bo_table


def at_the_rail(*names: str) -> CrapsTable:
    """Return a table where these players stand, and nobody has the dice."""
    table = craps_table("craps", *names)
    for name in names:
        table.does(f"{name} the player", c.JoinRail())
    table.does(f"{names[0]} the player", c.PassDice())
    return table


def test_the_dice_are_offered_clockwise_from_the_last_shooter() -> None:
    table = at_the_rail("ann", "ben", "cat")
    assert (table.table.rail, offered(table.table)) == (("ann", "ben", "cat"), "ben")
    refusal = table.refused(STICK, c.NewShooter("cat"), Reason.NOT_NOW)
    assert (refusal.clauses, "ben" in refusal.says) == (("10.6",), True)
    table.shooter("ben")
    assert offered(table.table) is None
    table.rolls("6 7")
    assert offered(table.table) == "cat"
    assert load(dump(table.table), SHARED_BOOKS) == table.table


def test_refusing_the_dice_is_recorded_and_the_next_player_gets_them() -> None:
    table = at_the_rail("ann", "ben", "cat")
    assert table.refused("cat the player", c.RefuseDice(), Reason.NOT_NOW).clauses == ("10.6",)
    (event,) = table.does("ben the player", c.RefuseDice()).events
    assert event == e.DiceRefused("ben")
    assert offered(table.table) == "cat"
    table.does(BASE, c.RefuseDice("cat"))
    table.does("ann the player", c.RefuseDice())
    assert offered(table.table) is None, "no one wants them: staff name a player"
    table.shooter("ben")
    table.does("ben the player", c.PassDice())
    assert offered(table.table) == "cat", "a player who refused is offered them again in the next round"


def test_a_player_joins_next_to_another_and_leaves() -> None:
    table = at_the_rail("ann", "ben")
    (event,) = table.does("cat the player", c.JoinRail(after="ann")).events
    assert event == e.RailJoined("cat", 1)
    assert offered(table.table) == "cat"
    table.refused("cat the player", c.JoinRail(), Reason.NOTHING_TO_DO)
    table.refused("dan the player", c.JoinRail(after="eve"), Reason.NOTHING_TO_DO)
    table.refused("dan the player", c.LeaveRail(), Reason.NOTHING_TO_DO)
    table.does(BASE, c.LeaveRail("cat"))
    assert (table.table.rail, offered(table.table)) == (("ann", "ben"), "ben")


def test_a_misread_seven_out_leaves_the_order_as_it_was() -> None:
    table = at_the_rail("ann", "ben", "cat")
    table.shooter("ben")
    table.bet("ann", "pass-line=10")
    table.rolls("6 7")
    table.shooter("cat")
    number = table.table.round.number - 1
    table.does(STICK, c.ProposeResettlement(number, faces(8), "an eight"))
    table.does(BOX, c.ApproveResettlement(number))
    assert table.table.shooter == "ben"
    table.rolls("7")
    assert offered(table.table) == "cat"


@pytest.mark.parametrize("command", [c.JoinRail(), c.LeaveRail(), c.RefuseDice()])
def test_only_craps_has_a_rail(command: c.Command) -> None:
    table: SicBoTable = sic_bo_table("massachusetts-sic-bo")
    table.refused("ann the player", command, Reason.NOT_IN_THE_BOOK)
