"""The dice that someone names: as many as the book plays with, each from 1 to 6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table.refusals import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.table.decide.draft import Draft


def check_throw(draft: Draft, dice: Sequence[int]) -> tuple[int, ...]:
    """Return the dice in order; refuse another number of them, or a number that is on no side of a die."""
    rules = draft.rules
    if len(dice) != rules.dice:
        draft.refuse(Reason.BAD_DICE, "rounds.dice", rules.forbids.dice or (), count=rules.dice)
    if not all(1 <= face <= 6 for face in dice):
        draft.refuse(Reason.BAD_DICE, "rounds.dice", rules.forbids.faces or (), count=rules.dice)
    return tuple(sorted(dice))
