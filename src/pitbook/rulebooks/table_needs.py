"""What a book must have before a table can be opened with it, beyond what analysis needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook

PLAYER = "player"
STEPS = {"sic-bo": ("take bets", "close betting", "shake", "enter dice"), "craps": ("take bets", "roll")}


def missing_for_table(rules: Rulebook) -> list[str]:
    """Return everything that a table would need and does not find, in words; empty if a table can be opened."""
    missing = []
    if PLAYER not in rules.roles:
        missing.append(f"a role {PLAYER!r}")
    if not any(role.rank > 0 for role in rules.roles.values()):
        missing.append("a role above the players'")
    acts = {step.act for step in rules.procedure.round}
    needed = (*STEPS[rules.identity.game], "collect losers", "pay winners")
    missing += [f"a step to {act}" for act in needed if act not in acts]
    if rules.identity.game == "sic-bo" and "dice" not in rules.equipment:
        missing.append("equipment called dice")
    if rules.identity.game == "sic-bo" and rules.dice != 3:
        missing.append("three dice: tables do not deal games of two dice without a hand yet")
    return missing
