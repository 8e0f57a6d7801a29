"""The view of a table, derived from its state: lights, lammers and chances."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pitbook.engine.chance import chance
from pitbook.engine.progress import PAID
from pitbook.table.state import Table, acts_done, paytable_of, steps

if TYPE_CHECKING:
    from fractions import Fraction


def cover(table: Table) -> Literal["on", "off"] | None:
    """Return whether the shaker's cover is on: until the reveal, for a manual shaker from the shake; None at craps."""
    if table.craps:
        return None
    acts = acts_done(table)
    if not any(step.act == "reveal" for step in steps(table)):
        return "off"
    covered = "shake" in acts or table.shaker == "automated"
    return "on" if covered and "reveal" not in acts else "off"


def chances(table: Table) -> dict[str, Fraction]:
    """Return the chance to win of every wager whose progress lammers show and that has not won yet."""
    rules = table.rules
    return {
        name: chance(rules, wager, table.areas[name][0], paytable_of(table, name))
        for name, wager in rules.wagers.items()
        if wager.marked and table.areas[name][0] != PAID
    }
