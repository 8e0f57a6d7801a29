"""Permissions for commands: the book's roles where it names them, otherwise the house's policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.table import commands as c
from pitbook.table.people import (
    AUDITOR,
    MANAGER,
    PLAYER,
    TUMBLER,
    Consent,
    Person,
    is_staff,
    is_supervisor,
    may_act,
    rank,
)
from pitbook.table.refusals import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.table.decide.draft import Draft

MANAGERS: tuple[type[c.Command], ...] = (c.OpenTable, c.ChangeSetup, c.CloseTable, c.StartDay, c.CorrectClock)
SUPERVISORS: tuple[type[c.Command], ...] = (
    c.StartShift,
    c.PutDice,
    c.Repair,
    c.CorrectDice,
    c.SettleDispute,
    c.ApproveResettlement,
    c.Count,
    c.Fill,
    c.Credit,
    c.CollectDrop,
    c.Pause,
    c.Unpause,
    c.ProposeVoid,
    c.ApproveVoid,
)
STAFF: tuple[type[c.Command], ...] = (
    c.TakeOutDice,
    c.TakeOver,
    c.LeaveTable,
    c.PutAwayShaker,
    c.UseShaker,
    c.RecordFound,
    c.Resume,
    c.NewShooter,
    c.CallNoRoll,
    c.ProposeResettlement,
)
PLAYERS: tuple[type[c.Command], ...] = (
    c.BuyIn,
    c.CashOut,
    c.PlaceBets,
    c.TakeDown,
    c.MoveBet,
    c.CallBets,
    c.Withdraw,
    c.PassDice,
    c.JoinRail,
    c.LeaveRail,
    c.RefuseDice,
    c.Dispute,
    c.GiveNonce,
)
BY_THE_BOOK: tuple[type[c.Command], ...] = (
    c.CheckEquipment,
    c.Inspect,
    c.ConfirmBets,
    c.TakeStep,
    c.Call,
    c.RuleOnBet,
    c.RuleInWords,
)
"""Commands whose roles the book names, each checked where it is decided."""

TUMBLERS: tuple[type[c.Command], ...] = (
    c.CommitSeed,
    c.StartCountdown,
    c.CloseBetting,
    c.RevealSeed,
    c.ReportTumbler,
)
"""Commands that only the electronic tumbler may send."""

BY_HAND: tuple[type[c.Command], ...] = (
    c.PutDice,
    c.TakeOutDice,
    c.CheckEquipment,
    c.Inspect,
    c.TakeOver,
    c.LeaveTable,
    c.PutAwayShaker,
    c.UseShaker,
    c.ConfirmBets,
    c.RecordFound,
    c.TakeStep,
    c.CorrectDice,
    c.Withdraw,
    c.Resume,
    c.RuleOnBet,
    c.NewShooter,
    c.JoinRail,
    c.LeaveRail,
    c.RefuseDice,
    c.CallNoRoll,
    c.ProposeResettlement,
    c.ApproveResettlement,
)
"""Commands of people at a table with real dice; the electronic tumbler does these in its own way."""

OWN_PLAY: tuple[type[c.Command], ...] = (
    c.BuyIn,
    c.CashOut,
    c.PlaceBets,
    c.TakeDown,
    c.MoveBet,
    c.CallBets,
    c.PassDice,
    c.GiveNonce,
)
"""Commands that only players themselves may send at an automatic table; real money changes hands at the table."""

RANKS = "ranks"
"""The reading on whether a more senior person may act in a position's place."""

AUTOMATIC_ONLY = (c.Pause, c.Unpause, c.ProposeVoid, c.ApproveVoid, c.GiveNonce)


def check_role(draft: Draft, command: c.Command) -> None:
    """Refuse commands that a role may never send; a command in no list is refused to everyone."""
    check_rights(draft, type(command))
    _check_own_bets(draft)


def check_rights(draft: Draft, kind: type[c.Command]) -> None:
    """Check the rights for a kind of command."""
    _check_rights(draft, kind)
    _check_run(draft, kind)


def _check_own_bets(draft: Draft) -> None:
    """Refuse staff whose own bets are on the table, and a bet by the dealer of the table."""
    person, table = draft.person, draft.table
    works = is_staff(draft.rules, person.role) or person.role == MANAGER
    if works and table.bets.of(person.name):
        draft.refuse(Reason.OWN_ACT, "rights.own-bets", person=person.name)
    if person.role == PLAYER and person.name == table.dealer:
        draft.refuse(Reason.OWN_ACT, "rights.own-table", person=person.name)


def _check_rights(draft: Draft, kind: type[c.Command]) -> None:
    role = draft.person.role
    if kind in TUMBLERS:
        if role != TUMBLER:
            draft.refuse(Reason.WRONG_ROLE, "rights.role", roles=[TUMBLER], role=role)
        return
    if kind in MANAGERS:
        if role != MANAGER:
            draft.refuse(Reason.WRONG_ROLE, "rights.role", roles=[MANAGER], role=role)
        return
    if role == AUDITOR or role not in (*draft.rules.roles, MANAGER):
        draft.refuse(Reason.WRONG_ROLE, "rights.not-at-tables", role=role)
    if kind in SUPERVISORS:
        if not is_supervisor(draft.rules, role) and role != MANAGER:
            draft.refuse(Reason.WRONG_ROLE, "rights.supervisor", role=role)
    elif kind in STAFF:
        if not is_staff(draft.rules, role):
            draft.refuse(Reason.WRONG_ROLE, "rights.staff", role=role)
    elif kind in PLAYERS:
        if role == MANAGER:
            draft.refuse(Reason.WRONG_ROLE, "rights.manager-no-play")
    elif kind not in BY_THE_BOOK:
        draft.refuse(Reason.UNKNOWN_COMMAND, "rights.unknown-command", command=kind.__name__)


def _check_run(draft: Draft, kind: type[c.Command]) -> None:
    """Refuse commands that do not fit the table's mode: people with dice, or the electronic tumbler."""
    automatic = draft.table.automatic is not None
    if automatic and kind in BY_HAND:
        draft.refuse(Reason.AUTOMATIC, "tables.automatic.by-tumbler")
    if automatic and kind in OWN_PLAY and draft.person.role not in (PLAYER, "shooter"):
        setup = draft.table.setup
        if kind not in (c.BuyIn, c.CashOut) or (setup and draft.table.money != setup.currency):
            draft.refuse(Reason.AUTOMATIC, "tables.automatic.own-devices")
    if not automatic and kind in (*TUMBLERS, *AUTOMATIC_ONLY):
        draft.refuse(Reason.AUTOMATIC, "tables.automatic.only")


def need_role(draft: Draft, named: Sequence[str], clauses: Sequence[str], *, or_above: bool = False) -> None:
    """Refuse a person whose role the clauses do not name; in the place of a lower position, by the reading on ranks."""
    role = draft.person.role
    if not may_act(draft.rules, role, named, or_above=or_above):
        senior = is_staff(draft.rules, role) and any(rank(draft.rules, role) > rank(draft.rules, one) for one in named)
        reading = RANKS if senior else None
        if or_above:
            draft.refuse(Reason.WRONG_ROLE, "rights.role-or-above", clauses, reading=reading, roles=named, role=role)
        draft.refuse(Reason.WRONG_ROLE, "rights.role", clauses, reading=reading, roles=named, role=role)


def acting_for(draft: Draft, named: str | None, clauses: Sequence[str] = ()) -> str:
    """Return the player whom a command is about: the person, or the player for whom staff act at their request."""
    if draft.person.role in (PLAYER, "shooter"):
        if named is not None and named != draft.person.name:
            draft.refuse(Reason.WRONG_ROLE, "rights.for-others", tuple(clauses))
        return draft.person.name
    if named is None:
        draft.refuse(Reason.WRONG_ROLE, "rights.for-whom", tuple(clauses))
    if named in (draft.person.name, draft.table.dealer):
        draft.refuse(Reason.OWN_ACT, "rights.own-table", person=named)
    return named


def check_consent(draft: Draft, player: str) -> Consent | None:
    """Return how staff were allowed to act for a player with an account; refuse where nobody agreed.

    Players act for themselves, and for a walk-in cash lies on the table.
    """
    if draft.person.role in (PLAYER, "shooter") or not draft.context.holder:
        return None
    consent = draft.context.consent
    if consent is None or (consent.how != "second person" and consent.by != Person(player, PLAYER)):
        draft.refuse(Reason.NO_CONSENT, "rights.consent", player=player)
    if consent.how == "second person":
        second_person(draft, consent.by)
    return consent


def second_person(draft: Draft, second: Person, *, supervisor: bool = False) -> None:
    """Require a second member of staff: nobody approves their own act."""
    if second.name == draft.person.name:
        draft.refuse(Reason.OWN_ACT, "rights.second-person")
    fits = is_supervisor(draft.rules, second.role) if supervisor else is_staff(draft.rules, second.role)
    if not fits and (supervisor or second.role != MANAGER):
        draft.refuse(Reason.WRONG_ROLE, "rights.not-second", role=second.role)


def check_confirmed(draft: Draft, *witnesses: Person) -> tuple[str, ...]:
    """Return the witnesses who confirmed; refuse one who did not, where house policy demands it."""
    setup = draft.table.setup
    if setup is None or setup.witness == "named":
        return ()
    missing = next((one for one in witnesses if one.name not in draft.context.confirmed), None)
    if missing is not None:
        draft.refuse(Reason.PRESENCE, "rights.witness", person=missing.name)
    return tuple(one.name for one in witnesses)
