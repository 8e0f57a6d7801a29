"""Dice and shakers at the table: what the register and the table allow, and how long a set may be used."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import pytest

from pitbook.dice_register.decide import REASON_MAX
from pitbook.dice_register.state import Register, SetRecord
from pitbook.rulebooks.text import BookText, Life
from pitbook.table import commands as c
from pitbook.table.decide.equipment import ends_at, shaker_state
from pitbook.table.refusals import Reason
from tests.table.sic_bo import DEALER, FLOOR, MASSACHUSETTS, RELIEF, packaged


@pytest.mark.parametrize(
    ("length", "unit", "first_used", "ends"),
    [
        (24, "hours", "2026-12-31T18:30", "2027-01-01T18:30"),
        (1, "hours", "2026-03-01T12:00", "2026-03-01T13:00"),
        (1, "months", "2026-01-15T12:00", "2026-02-15T12:00"),
        (1, "months", "2026-01-31T12:00", "2026-02-28T12:00"),
        (1, "months", "2028-01-31T12:00", "2028-02-29T12:00"),
        (1, "months", "2026-11-30T12:00", "2026-12-30T12:00"),
        (1, "months", "2026-12-15T12:00", "2027-01-15T12:00"),
        (3, "months", "2026-11-30T12:00", "2027-02-28T12:00"),
        (12, "months", "2026-12-31T12:00", "2027-12-31T12:00"),
        (25, "months", "2026-12-31T12:00", "2029-01-31T12:00"),
    ],
)
def test_a_set_may_be_used_for_so_many_hours_or_until_the_same_day_of_a_later_month(
    length: int, unit: Literal["hours", "months"], first_used: str, ends: str
) -> None:
    life = Life(clause=["1"], shaker="any", length=length, unit=unit, counted_from=BookText("put into use"))
    begins, wanted = (datetime.fromisoformat(moment) for moment in (first_used, ends))
    assert ends_at(life, begins) == wanted


def test_a_set_is_put_into_the_shaker_as_the_register_has_it() -> None:
    table = packaged(MASSACHUSETTS)
    known = SetRecord("set 2", ("7", "8", "9"), first_used="2026-03-01T09:00:00+00:00")
    table.register = Register({**table.register.sets, "set 2": known, "set 3": SetRecord("set 3")})

    def refused(command: c.Command) -> str:
        return table.refused(FLOOR, command, Reason.DICE_REGISTER).says

    assert "already in use. Use another set." in refused(c.PutDice("set 1"))
    assert "different serial numbers: 7, 8" in refused(c.PutDice("set 2", serials=("1", "2", "3")))
    assert refused(c.PutDice("set 4", serials=("1", "1", "2")))
    table.does(FLOOR, c.PutDice("set 2", serials=("9", "8", "7")))
    assert table.table.dice is not None
    assert (table.table.dice.serials, table.table.dice.first_used) == (("7", "8", "9"), known.first_used)
    table.does(FLOOR, c.PutDice("set 3", serials=("4", "5", "6")))
    assert (table.table.dice.serials, table.table.dice.first_used) == (("4", "5", "6"), table.now.isoformat())
    table.does(FLOOR, c.PutDice("set 2"))


def test_dice_are_taken_out_with_a_reason_that_is_not_too_long() -> None:
    table = packaged(MASSACHUSETTS)
    for reason in (" ", "x" * (REASON_MAX + 1)):
        assert "Add a reason" in table.refused(FLOOR, c.TakeOutDice("set 1", reason), Reason.NOTHING_TO_DO).says
    table.does(FLOOR, c.TakeOutDice("set 1", "x" * REASON_MAX))


def test_a_shaker_is_put_into_use_once() -> None:
    table = packaged(MASSACHUSETTS)
    assert "already in use" in table.refused(FLOOR, c.UseShaker("manual"), Reason.SHAKER).says
    assert (shaker_state(table.table, "manual"), shaker_state(table.table, "automated")) == ("in use", None)
    table.does(FLOOR, c.UseShaker("automated", "A 7"))
    assert shaker_state(table.table, "automated") == "in use"


def test_a_dealer_takes_over_from_another() -> None:
    table = packaged(MASSACHUSETTS)
    assert "already the dealer here" in table.refused(DEALER, c.TakeOver(), Reason.NOTHING_TO_DO).says
    table.does(RELIEF, c.TakeOver())
