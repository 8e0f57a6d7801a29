"""Rounds that a power failure interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table.state import phase

if TYPE_CHECKING:
    from pitbook.table.state import Table

SHAKER_FAILED = "shaker-malfunction"
"""The irregularity for a power failure of an automated shaker, if the book has none for power failures."""


def interruption_of(table: Table) -> str | None:
    """Return the irregularity for an interrupted round; None if it has an outcome or the book has no rule."""
    now = phase(table)
    if now in ("revealed", "settling"):
        return None
    fitting = [
        name
        for name, rule in table.rules.irregularities.items()
        if ("any" in rule.when or now in rule.when) and rule.shaker in (None, table.shaker)
    ]
    power = (name for name in fitting if name.startswith("power-failure"))
    thrown = (name for name in fitting if name == SHAKER_FAILED and now in ("closed", "thrown"))
    return next(power, None) or next(thrown, None)  # a power-failure rule fits only before the throw
