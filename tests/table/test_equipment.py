"""Dice at the table: how long a set may be used."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import pytest

from pitbook.rulebooks.text import BookText, Life
from pitbook.table.decide.equipment import ends_at


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
