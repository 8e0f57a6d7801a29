"""Readiness: whether everything that the book requires is in order, so that a round can begin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table.decide.dealers import refuse_unattended, shaker_keepers
from pitbook.table.decide.equipment import check_age, check_shaker_in_use, check_works
from pitbook.table.decide.inspections import check_checked, check_inspected, check_shift
from pitbook.table.decide.suspension import check_runs
from pitbook.table.people import TUMBLER
from pitbook.table.refusals import Reason
from pitbook.table.state import idle

if TYPE_CHECKING:
    from pitbook.table.decide.draft import Draft


def check_ready(draft: Draft, *, throwing: bool = False) -> None:
    """Refuse to begin a round while something that the book asks for is missing; once thrown, a round is finished.

    The checklists are read again at the throw: since the first wager dice may have been exchanged, or an item failed.
    """
    table, rules = draft.table, draft.rules
    if table.automatic is not None:
        if draft.person.role != TUMBLER:
            check_runs(draft)
        return
    begins = idle(table)
    if begins:
        _check_ceased(draft)
        check_shift(draft)
    if rules.identity.game == "sic-bo":
        _check_shaker(draft, begins=begins)
    if begins or throwing:
        check_checked(draft, throwing=throwing)
    if rules.identity.game == "sic-bo" and table.dealer is None:
        refuse_unattended(draft, "rights.no-dealer", shaker_keepers(rules, table.shaker).clauses)


def _check_ceased(draft: Draft) -> None:
    rules = draft.rules.irregularities.values()
    for name, cease in draft.table.failed.items():
        if cease:
            rule = next((rule for rule in rules if rule.equipment == name), None)
            clauses = rule.clause if rule else ()
            draft.refuse(Reason.SUSPENDED, "rounds.ceased", clauses, equipment=draft.equipment(name))


def _check_shaker(draft: Draft, *, begins: bool) -> None:
    """Check that the dice are in the shaker and, as a round begins, not expired and inspected."""
    dice = draft.rules.equipment["dice"]
    check_shaker_in_use(draft)
    if draft.table.dice is None:
        draft.refuse(Reason.DICE_MISSING, "equipment.no-dice", dice.clause)
    if begins:
        check_works(draft)
        check_age(draft)
        check_inspected(draft)
