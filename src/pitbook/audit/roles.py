"""Roles that may cause each event: the positions that the book names, and the house's rules elsewhere.

Events that follow from another one have the same actor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitbook.audit.details import Detail, cite_clauses, detail
from pitbook.audit.errors import CheckFailed, ensure

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pitbook.audit.positions import Entitled
    from pitbook.audit.state import Actor, Body, State

PLAYERS = ("player", "shooter")
MANAGER = "manager"
TUMBLER = "tumbler"
SYSTEM = "system"
"""The server, where it calls a power failure after a restart; no person can have this name."""


def check_actor(state: State, kind: str, event: Body, who: Actor) -> None:
    """Check that this person, in this role, may cause such an event at this table."""
    rule = RULES.get(kind)
    if rule is None:
        raise CheckFailed("nobody-may", about="role", kind=kind)
    rule(state, event, who)
    if state.roster is not None and who.role != TUMBLER and who.name != SYSTEM:
        held = state.roster.holds(who.name, who.role, state.name, state.at)
        ensure(held, "role-not-held-here", "role", who=who.name, role=who.role)
    if state.bets and who.role not in (*PLAYERS, TUMBLER):
        own = any(bet.player == who.name for bet in state.bets.values())
        ensure(not own, "own-bets", "role", who=who.name)


def check_same_actor(state: State, who: Actor) -> None:
    """Check that an event that follows from the previous one has the same actor."""
    if who != state.actor:
        before = f"{state.actor.name} ({state.actor.role})"
        raise CheckFailed("other-actor", about="role", who=who.name, role=who.role, before=before)


def check_entitled(who: Actor, entitled: Entitled, act: str, /, **params: Any) -> None:
    """Check that a clause lets someone act; `act` names a text."""
    if who.role not in entitled.roles:
        rule = detail("is-for", act=Detail(act, params), entitled=entitled.words)
        raise _role_error(who, rule, entitled.clauses)


def _role_error(who: Actor, rule: Detail, clauses: Collection[str] = ()) -> CheckFailed:
    return CheckFailed("acted-as", about="role", who=who.name, role=who.role, reason=rule, rule=cite_clauses(clauses))


def _check_role(who: Actor, roles: Collection[str], rule: str) -> None:
    if who.role not in roles:
        raise _role_error(who, detail(rule))


# ---------------------------------------------------------------- by the house's rules


def _manager(_state: State, _event: Body, who: Actor) -> None:
    _check_role(who, (MANAGER,), "manager-does")


def _supervisor(state: State, _event: Body, who: Actor) -> None:
    _check_role(who, {*state.book.supervisors, MANAGER}, "supervisor-does")


def _at_dice(rule: Callable[[State, Body, Actor], None]) -> Callable[[State, Body, Actor], None]:
    """Return a rule that only applies at a table with dice and staff."""

    def checked(state: State, event: Body, who: Actor) -> None:
        ensure(not state.automatic, "dice-tables-only", "role")
        rule(state, event, who)

    return checked


def _at_automatic(rule: Callable[[State, Body, Actor], None]) -> Callable[[State, Body, Actor], None]:
    """Return a rule that only applies at an automatic table."""

    def checked(state: State, event: Body, who: Actor) -> None:
        ensure(state.automatic, "automatic-only", "role")
        rule(state, event, who)

    return checked


def _staff(state: State, _event: Body, who: Actor) -> None:
    _check_role(who, state.book.staff, "staff-does")


def _taken_out(state: State, event: Body, who: Actor) -> None:
    _check_role(who, {*state.book.staff, MANAGER}, "staff-takes-dice")
    stays_in_use = event.get("fate", "kept") == "kept" or "dice" in map(state.book.equipment.get, state.failed)
    _check_role(who, {who.role} if stays_in_use else {*state.book.supervisors, MANAGER}, "retires-dice")


def _tumbler(_state: State, _event: Body, who: Actor) -> None:
    _check_role(who, (TUMBLER,), "tumbler-does")


def _check_at_table(state: State, _event: Body, who: Actor) -> None:
    """Allow players and staff, neither managers nor auditors."""
    _check_role(who, state.book.roles, "table-does")


def _for_player(state: State, event: Body, who: Actor) -> None:
    """Check that a player acts for nobody else."""
    _check_at_table(state, event, who)
    _check_self(event["player"], who)


def _check_self(player: str, who: Actor) -> None:
    if who.role in PLAYERS and who.name != player:
        raise CheckFailed("players-themselves", about="role", who=who.name, player=player)


def _cash(state: State, event: Body, who: Actor) -> None:
    """Check who moves cash: players take play money themselves, real money also passes through staff."""
    _for_player(state, event, who)
    if state.automatic and not state.setup["automatic"]["real_money"]:
        _check_player(who)


def _check_player(who: Actor) -> None:
    _check_role(who, PLAYERS, "players-act")


def _nonce(_state: State, event: Body, who: Actor) -> None:
    _check_player(who)
    _check_self(event["player"], who)


def _shooter_named(state: State, event: Body, who: Actor) -> None:
    (_tumbler if state.automatic else _staff)(state, event, who)


def _dice_passed(state: State, event: Body, who: Actor) -> None:
    _check_at_table(state, event, who)
    if state.automatic:
        _check_player(who)
    if who.role in PLAYERS and who.name != state.shooter:
        raise _role_error(who, detail("only-shooter", shooter=state.shooter))


def _voided(state: State, event: Body, who: Actor) -> None:
    """Check a void outside the remedies of irregularities: a ruling, or an automatic table's round."""
    if state.last == "Ruled":
        check_same_actor(state, who)
    else:
        _supervisor(state, event, who)


def _tumbler_repaired(state: State, event: Body, who: Actor) -> None:
    _supervisor(state, event, who)
    refer = state.book.with_remedy("refer")
    if refer is not None and refer.presence is not None and who.role != MANAGER:
        check_entitled(who, refer.presence, "act-repair")


def _clock_corrected(state: State, event: Body, who: Actor) -> None:
    _manager(state, event, who)
    known = state.roster is None or state.roster.holds(who.name, who.role, state.name, state.at)
    ensure(known, "clock-not-manager", "role", who=who.name)


# ---------------------------------------------------------------- by the book


def _bets(state: State, event: Body, who: Actor) -> None:
    check_entitled(who, state.book.betting, "act-bet")
    _check_self(event["player"], who)
    if state.automatic:
        _check_player(who)
    if state.book.tipping:
        for bet in event.get("bets", (event,)):
            wager = state.wager(bet["wager"])
            if bet["kind"].startswith("tip") and wager is not None and wager.book in state.book.tipping:
                check_entitled(who, state.book.tipping[wager.book], "act-tip")


def _taken_down(state: State, event: Body, who: Actor) -> None:
    check_entitled(who, state.book.betting, "act-take-down")
    bet = state.bets.get(event["bet"])
    if bet is not None:
        _check_self(bet.player, who)
    if state.automatic:
        _check_player(who)


def _called_bets(state: State, event: Body, who: Actor) -> None:
    check_entitled(who, state.book.betting, "act-call-bets")
    _check_self(event["player"], who)
    if state.automatic:
        _check_player(who)


def _confirmed(state: State, _event: Body, who: Actor) -> None:
    step = state.book.step("confirm bet")
    if step is None:
        raise _role_error(who, detail("nobody-confirms"))
    check_entitled(who, step.who, "act-confirm")


def _step(state: State, event: Body, who: Actor) -> None:
    step = state.book.by_id.get(event["step"])
    if state.automatic:
        _check_role(who, (TUMBLER,), "tumbler-steps")
    elif step is None:
        pass  # refused where the order is checked
    elif step.act != "roll":
        if who.role not in step.who.roles:
            check_entitled(who, step.who, "act-step", step=step.id)
    elif who.role not in state.book.staff:
        if who.role not in ("player", *step.who.roles):
            check_entitled(who, step.who, "act-step", step=step.id)
        if state.shooter not in (None, who.name):
            raise _role_error(who, detail("has-the-dice", shooter=state.shooter), step.who.clauses)


def _called(state: State, event: Body, who: Actor) -> None:
    rule = state.book.irregularities.get(event["irregularity"])
    if rule is None:
        return  # refused where irregularities are followed
    check_entitled(who, rule.called_by, "act-call", irregularity=event["irregularity"])
    ensure(not state.automatic or rule.remedy == "refer", "not-electronic", "role")


def _decided(remedy: str) -> Callable[[State, Body, Actor], None]:
    """Return a rule for rulings: those whom the book names where it leaves something to be decided."""

    def checked(state: State, _event: Body, who: Actor) -> None:
        rule = state.book.with_remedy(remedy)
        if rule is None or rule.presence is None:
            raise _role_error(who, detail("nothing-to-decide"))
        check_entitled(who, rule.presence, "act-decide")

    return checked


def _inspected(state: State, event: Body, who: Actor) -> None:
    entitled = state.book.inspections.get(event["inspection"])
    if entitled is None:
        raise _role_error(who, detail("no-inspection", name=event["inspection"]))
    check_entitled(who, entitled, "act-inspect", inspection=event["inspection"])


def _equipment_checked(state: State, event: Body, who: Actor) -> None:
    if state.book.checkers is None:
        _supervisor(state, event, who)
    else:
        check_entitled(who, state.book.checkers, "act-check", equipment=event["equipment"])


def _took_over(state: State, event: Body, who: Actor) -> None:
    check_entitled(who, state.book.keepers[state.shaker], "act-take-over")
    ensure(event["dealer"] == who.name, "takes-over-for", "role", who=who.name, dealer=event["dealer"])


def _refuse_standalone(_state: State, _event: Body, who: Actor) -> None:
    """Refuse an event that can only follow from another one."""
    raise _role_error(who, detail("only-follows"))


RULES: dict[str, Callable[[State, Body, Actor], None]] = {
    "TableOpened": _manager,
    "SetupChanged": _manager,
    "TableClosed": _manager,
    "DayStarted": _manager,
    "ClockCorrected": _clock_corrected,
    "ShiftStarted": _supervisor,
    "DicePut": _at_dice(_supervisor),
    "DiceTakenOut": _at_dice(_taken_out),
    "EquipmentChecked": _at_dice(_equipment_checked),
    "Inspected": _at_dice(_inspected),
    "DealerTookOver": _at_dice(_took_over),
    "DealerLeft": _at_dice(_staff),
    "ShakerPutAway": _at_dice(_staff),
    "ShakerInUse": _at_dice(_staff),
    "EquipmentFailed": _refuse_standalone,
    "EquipmentRepaired": _supervisor,
    "BoughtIn": _cash,
    "CashedOut": _cash,
    "BetPlaced": _bets,
    "BetsPlaced": _bets,
    "BetTakenDown": _taken_down,
    "BetsCalled": _called_bets,
    "BetsConfirmed": _at_dice(_confirmed),
    "WagerFound": _at_dice(_staff),
    "StepTaken": _step,
    "StepWaived": _refuse_standalone,
    "Illuminated": _refuse_standalone,
    "Rolled": _refuse_standalone,
    "DiceCorrected": _at_dice(_supervisor),
    "LosersCollected": _refuse_standalone,
    "WinnersPaid": _refuse_standalone,
    "RoundEnded": _refuse_standalone,
    "ShooterNamed": _shooter_named,
    "DicePassed": _dice_passed,
    "RailJoined": _at_dice(_for_player),
    "RailLeft": _at_dice(_for_player),
    "DiceRefused": _at_dice(_for_player),
    "RollCancelled": _at_dice(_staff),
    "IrregularityCalled": _called,
    "RoundVoided": _voided,
    "WagersReturned": _refuse_standalone,
    "BettingReopened": _refuse_standalone,
    "PowerFailed": _refuse_standalone,
    "PlayerWithdrew": _at_dice(_for_player),
    "PlayResumed": _at_dice(_staff),
    "BetRuled": _at_dice(_decided("supervisor decides")),
    "Ruled": _decided("refer"),
    "Disputed": _check_at_table,
    "DisputeSettled": _supervisor,
    "ResettlementProposed": _at_dice(_staff),
    "Resettled": _at_dice(_supervisor),
    "Counted": _supervisor,
    "Filled": _supervisor,
    "Credited": _supervisor,
    "DropCollected": _supervisor,
    "SeedCommitted": _at_automatic(_tumbler),
    "CountdownStarted": _at_automatic(_tumbler),
    "NonceGiven": _at_automatic(_nonce),
    "BettingClosed": _at_automatic(_tumbler),
    "SeedRevealed": _at_automatic(_tumbler),
    "TumblerFailed": _at_automatic(_tumbler),
    "TumblerRepaired": _at_automatic(_tumbler_repaired),
    "Paused": _at_automatic(_supervisor),
    "Unpaused": _at_automatic(_supervisor),
    "VoidProposed": _at_automatic(_supervisor),
}
"""The check of the actor for every kind of event."""
