"""Second persons and witnesses: on record, another person, and in a suitable role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.audit.errors import CheckFailed, cite_clauses
from pitbook.audit.roles import MANAGER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pitbook.audit.books import Irregularity
    from pitbook.audit.positions import Entitled
    from pitbook.audit.state import Body, State, Who

DECIDED = ("supervisor decides", "refer")
"""Remedies for which nobody must be present at the call: whoever decides comes later."""


def check_second(state: State, person: Body | None, who: Who, entitled: Entitled, rule: str) -> None:
    """Check that someone else, whom a clause names, took part in an act."""
    _check(state, person, who, entitled.roles, f"{rule} the {entitled.words} ({cite_clauses(entitled.clauses)})")


def check_supervisor(state: State, person: Body | None, who: Who, rule: str) -> None:
    """Check that someone else above the dealers took part in an act."""
    _check(state, person, who, state.book.supervisors, f"{rule} somebody above the dealers (house policy)")


def check_colleague(state: State, person: Body | None, who: Who) -> None:
    """Check that someone else of the staff, or a manager, took part in an act."""
    _check(state, person, who, {*state.book.staff, MANAGER}, "a second person of the staff takes part (house policy)")


def _check(state: State, person: Body | None, who: Who, roles: Collection[str], rule: str) -> None:
    if person is None:
        raise CheckFailed(f"{who.name} acted alone, but {rule}", about="witness")
    if person["name"] == who.name:
        raise CheckFailed(f"{who.name} is named as the second person to their own act, but {rule}", about="witness")
    if person["role"] not in roles:
        raise CheckFailed(f"{person['name']} was there as {person['role']}, but {rule}", about="witness")
    check_known(state, person)


def check_known(state: State, person: Body) -> None:
    """Check that a person who is named holds the role, by the house's own record."""
    if state.roster is not None and not state.roster.holds(person["name"], person["role"], state.name, state.at):
        raise CheckFailed(
            f"{person['name']} is named as {person['role']}, and does not hold that role here", about="witness"
        )
    state.named += 1


def check_present(state: State, rule: Irregularity, present: list[Body], who: Who) -> None:
    """Check those before whom an irregularity was called: someone whom the book names, and nobody else."""
    if rule.presence is None or rule.remedy in DECIDED:
        if present:
            raise CheckFailed(
                f"{present[0]['name']} is on record as present, and the book asks for nobody", about="witness"
            )
        return
    needed = f"this is done in the presence of the {rule.presence.words} ({cite_clauses(rule.presence.clauses)})"
    if not present:
        raise CheckFailed(f"{who.name} acted alone, but {needed}", about="witness")
    for person in present:
        if person["role"] not in rule.presence.roles:
            raise CheckFailed(f"{person['name']} was there as {person['role']}, but {needed}", about="witness")
        if person["name"] != who.name:
            check_known(state, person)


def check_witnessed(state: State, who: Who) -> None:
    """Check that wagers are settled before a witness, where a failure of the device asks for one."""
    for name in state.round.irregularities:
        rule = state.book.irregularities[name]
        if rule.presence is None or not rule.remedy.startswith("settle by the dice"):
            continue
        if all(witness == who.name for witness in state.round.witnesses):
            presence = f"the {rule.presence.words} ({cite_clauses(rule.presence.clauses)})"
            raise CheckFailed(
                f"{who.name} settled the wagers alone; after {name} it is done before {presence}", about="witness"
            )


def check_confirmed(state: State, event: Body, witnesses: Iterable[str]) -> None:
    """Check that each witness confirmed to be there, where the table was opened under that policy."""
    if state.setup.get("witness", "named") != "confirmed":
        return
    for name in witnesses:
        if name not in event.get("witnessed", ()):
            raise CheckFailed(f"{name} did not confirm to be the witness (house policy)", about="witness")
