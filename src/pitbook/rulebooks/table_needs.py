"""Requirements that a book must meet before a table can be opened with it, beyond those of analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.messages import Message

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook

PLAYER = "player"
STEPS = {"sic-bo": ("take bets", "close betting", "shake", "enter dice"), "craps": ("take bets", "roll")}


def missing_for_table(rules: Rulebook) -> list[str]:
    """Return everything that a table would need and does not find, in English; empty if a table can be opened."""
    return [one.text() for one in needs_of_table(rules)]


def needs_of_table(rules: Rulebook) -> list[Message]:
    """Return everything that a table would need and does not find."""
    missing = []
    if PLAYER not in rules.roles:
        missing.append(Message("refusals.tables.need.player"))
    if not any(role.rank > 0 for role in rules.roles.values()):
        missing.append(Message("refusals.tables.need.staff"))
    acts = {step.act for step in rules.procedure.round}
    needed = (*STEPS[rules.identity.game], "collect losers", "pay winners")
    missing += [Message("refusals.tables.need.step", {"act": act}) for act in needed if act not in acts]
    if rules.identity.game == "sic-bo" and "dice" not in rules.equipment:
        missing.append(Message("refusals.tables.need.dice"))
    return missing
