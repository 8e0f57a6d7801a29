"""Second persons and witnesses: on record, another person, and in a suitable role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.audit.details import Detail, cite_clauses, detail
from pitbook.audit.errors import CheckFailed
from pitbook.audit.roles import MANAGER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pitbook.audit.books import Irregularity
    from pitbook.audit.positions import Entitled
    from pitbook.audit.state import Actor, Body, State

DECIDED = ("supervisor decides", "refer")
"""Remedies for which nobody must be present at the call: whoever decides comes later."""


def check_second(
    state: State, person: Body | None, who: Actor, entitled: Entitled, rule: str, /, **params: Any
) -> None:
    """Check that someone else, whom a clause names, took part in an act; `rule` names a text."""
    params |= {"entitled": entitled.words, "rule": cite_clauses(entitled.clauses)}
    _check(state, person, who, entitled.roles, Detail(rule, params))


def check_supervisor(state: State, person: Body | None, who: Actor, rule: str) -> None:
    """Check that someone else above the dealers took part in an act; `rule` names a text."""
    _check(state, person, who, state.book.supervisors, detail(rule))


def check_colleague(state: State, person: Body | None, who: Actor) -> None:
    """Check that someone else of the staff, or a manager, took part in an act."""
    _check(state, person, who, {*state.book.staff, MANAGER}, detail("second-of-staff"))


def _check(state: State, person: Body | None, who: Actor, roles: Collection[str], rule: Detail) -> None:
    if person is None:
        raise CheckFailed("acted-alone", about="witness", who=who.name, rule=rule)
    if person["name"] == who.name:
        raise CheckFailed("own-second", about="witness", who=who.name, rule=rule)
    if person["role"] not in roles:
        raise CheckFailed("present-as", about="witness", name=person["name"], role=person["role"], rule=rule)
    check_known(state, person)


def check_known(state: State, person: Body) -> None:
    """Check that a person who is named holds the role, by the house's own record."""
    if state.roster is not None and not state.roster.holds(person["name"], person["role"], state.name, state.at):
        raise CheckFailed("named-as", about="witness", name=person["name"], role=person["role"])
    state.named += 1


def check_present(state: State, rule: Irregularity, present: list[Body], who: Actor) -> None:
    """Check those before whom an irregularity was called: someone whom the book names, and nobody else."""
    if rule.presence is None or rule.remedy in DECIDED:
        if present:
            raise CheckFailed("nobody-needed", about="witness", name=present[0]["name"])
        return
    needed = detail("in-presence", entitled=rule.presence.words, rule=cite_clauses(rule.presence.clauses))
    if not present:
        raise CheckFailed("acted-alone", about="witness", who=who.name, rule=needed)
    for person in present:
        if person["role"] not in rule.presence.roles:
            raise CheckFailed("present-as", about="witness", name=person["name"], role=person["role"], rule=needed)
        if person["name"] != who.name:
            check_known(state, person)


def check_witnessed(state: State, who: Actor) -> None:
    """Check that wagers are settled before a witness, where a failure of the device asks for one."""
    for name in state.round.irregularities:
        rule = state.book.irregularities[name]
        if rule.presence is None or not rule.remedy.startswith("settle by the dice"):
            continue
        if all(witness == who.name for witness in state.round.witnesses):
            presence = {"entitled": rule.presence.words, "rule": cite_clauses(rule.presence.clauses)}
            raise CheckFailed("settled-alone", about="witness", who=who.name, name=name, **presence)


def check_confirmed(state: State, event: Body, witnesses: Iterable[str]) -> None:
    """Check that each witness confirmed to be there, where the table was opened under that policy."""
    if state.setup.get("witness", "named") != "confirmed":
        return
    for name in witnesses:
        if name not in event.get("witnessed", ()):
            raise CheckFailed("witness-unconfirmed", about="witness", name=name)
