"""Apply events to a table, without any checks."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pitbook.dice import Roll
from pitbook.engine.progress import advance, initial_progress, marks
from pitbook.table import events as e
from pitbook.table.bets import Bets
from pitbook.table.checklists import checks_with_dice, still_valid
from pitbook.table.limits import is_under_minimum
from pitbook.table.state import (
    CLAIMS,
    HISTORY,
    BeforeRoll,
    Bet,
    Check,
    Claim,
    DiceSet,
    Draw,
    Inventory,
    KnownShaker,
    Pause,
    Play,
    Proposal,
    Purse,
    Round,
    Ruling,
    Settled,
    Table,
    idle,
)
from pitbook.wager.hand import Call

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pitbook.engine.progress import Progress
    from pitbook.table.commands import Setup
    from pitbook.table.state import Place


def evolve(table: Table, event: e.Event) -> Table:
    """Return the table after one event."""
    after = _evolve(event, table)
    return after if isinstance(event, PLAYERS_OWN) else replace(after, step=table.step + 1)


PLAYERS_OWN = (
    *(e.BetPlaced, e.BetsPlaced, e.BetTakenDown, e.BetsCalled, e.BoughtIn, e.CashedOut),
    *(e.PlayerWithdrew, e.Disputed, e.NonceGiven, e.RailJoined, e.RailLeft),
)
"""Events that leave the step counter alone, so that players cannot make a dealer's command stale."""


def evolve_all(table: Table, happened: Iterable[e.Event]) -> Table:
    """Return the table after several events."""
    for event in happened:
        table = evolve(table, event)
    return table


@singledispatch
def _evolve(event: e.Event, _table: Table) -> Table:
    raise TypeError(f"no table knows {type(event).__name__}")


@_evolve.register
def evolve_table_opened(event: e.TableOpened, table: Table) -> Table:
    after = replace(table, setup=event.setup, open=True, shaker=event.setup.shaker, round=Round(table.round.number))
    after = replace(after, announced=None, terms_since=_terms_since(table, event))
    since = table.rules_since if _same_rules(table.setup, event.setup) else table.round.number
    others = {name: one for name, one in table.shakers.items() if name != "manual" or one.place != "in use"}
    shakers = {event.setup.shaker: KnownShaker(), **others}
    after = replace(after, shakers=shakers, inspected={}, rules_since=since)
    after = replace(after, failed_inspections=(), checks={})
    return _with_progress(after, initial_progress(after.rules))


@_evolve.register
def evolve_setup_changed(event: e.SetupChanged, table: Table) -> Table:
    remaining = table.areas
    since = table.rules_since if _same_rules(table.setup, event.setup) else table.round.number
    after = replace(table, setup=event.setup, before_roll=None, rules_since=since)
    after = replace(after, terms_since=_terms_since(table, event))
    after = replace(after, checks=still_valid(table, after))
    starts = initial_progress(after.rules)
    after = _with_progress(after, starts)
    return replace(
        after, areas={name: remaining.get(name, area) for name, area in after.areas.items()}, point=table.point
    )


def _terms_since(table: Table, event: e.TableOpened | e.SetupChanged) -> str:
    """Return when these terms came into force; a change that patrons never see keeps the date."""
    same = table.setup is not None and _terms(table.setup) == _terms(event.setup)
    return table.terms_since if same and table.terms_since else event.at


def _terms(setup: Setup) -> tuple[object, ...]:
    rules = setup.digest, setup.readings, setup.options, setup.paytables
    return setup.facility, setup.limits, setup.payout_max, *rules


def _same_rules(old: Setup | None, new: Setup) -> bool:
    """Return whether wagers are settled by the same book, readings, options and pay tables."""
    if old is None:
        return False
    before = (old.digest, old.readings, old.options, old.paytables)
    return before == (new.digest, new.readings, new.options, new.paytables)


@_evolve.register
def evolve_table_closed(_event: e.TableClosed, table: Table) -> Table:
    after = replace(table, open=False, shooter=None, before_roll=None, purses={}, dealer=None)
    return replace(after, rail=(), refused=())


@_evolve.register
def evolve_shift_started(event: e.ShiftStarted, table: Table) -> Table:
    after = replace(table, shift=event.shift, shift_started=event.at)
    return replace(after, shift_inventory=Inventory(day=table.inventory.day))


@_evolve.register
def evolve_day_started(event: e.DayStarted, table: Table) -> Table:
    return replace(table, inventory=Inventory(day=event.day))


@_evolve.register
def evolve_dice_put(event: e.DicePut, table: Table) -> Table:
    things = table.rules.equipment
    others = {n: cease for n, cease in table.failed.items() if n not in things or things[n].kind != "dice"}
    first_used = event.first_used or event.at
    dice = DiceSet(event.set, event.at, event.sealed, first_used, event.serials)
    return replace(table, dice=dice, failed=others, checks=checks_with_dice(table, event.set))


@_evolve.register
def evolve_dice_taken_out(_event: e.DiceTakenOut, table: Table) -> Table:
    return replace(table, dice=None)


@_evolve.register
def evolve_equipment_checked(event: e.EquipmentChecked, table: Table) -> Table:
    thing = table.rules.equipment.get(event.equipment)
    dice = table.dice.set if table.dice and thing and thing.kind == "dice" else ""
    check = Check(event.points, event.approval, event.approved_on, dice)
    return replace(table, checks={**table.checks, event.equipment: check})


@_evolve.register
def evolve_inspected(event: e.Inspected, table: Table) -> Table:
    passed = {name: shift for name, shift in table.inspected.items() if name != event.inspection}
    failed = tuple(name for name in table.failed_inspections if name != event.inspection)
    if event.passed:
        passed[event.inspection] = table.shift
    else:
        failed = (*failed, event.inspection)
    return replace(table, inspected=passed, failed_inspections=failed)


@_evolve.register
def evolve_dealer_took_over(event: e.DealerTookOver, table: Table) -> Table:
    return replace(table, dealer=event.dealer)


@_evolve.register
def evolve_dealer_left(_event: e.DealerLeft, table: Table) -> Table:
    return replace(table, dealer=None)


@_evolve.register
def evolve_shaker_put_away(event: e.ShakerPutAway, table: Table) -> Table:
    place: Place = "signed" if event.how == "sign" else "covered" if event.how == "covered" else "removed"
    known = table.shakers.get("automated", KnownShaker())
    return replace(table, shakers={**table.shakers, "automated": replace(known, place=place)})


@_evolve.register
def evolve_shaker_in_use(event: e.ShakerInUse, table: Table) -> Table:
    """Put a shaker to use; the one it replaces is gone, unless it was put away."""
    known = table.shakers.get(event.shaker, KnownShaker())
    away = {name: one for name, one in table.shakers.items() if one.place != "in use"}
    for name in table.shakers:
        if name == event.shaker or name not in away:
            table = _not_inspected(table, name)
    shakers = {**away, event.shaker: KnownShaker(name=event.name or known.name)}
    return replace(table, shaker=event.shaker, shakers=shakers, dice=None)


def _not_inspected(table: Table, shaker: str) -> Table:
    """Require that a shaker which left the table or was put away is checked and inspected before it is used again."""
    rules = table.rules
    inspected = {name: shift for name, shift in table.inspected.items() if rules.inspections[name].shaker != shaker}
    checks = {name: check for name, check in table.checks.items() if rules.equipment[name].shaker != shaker}
    failed = tuple(name for name in table.failed_inspections if rules.inspections[name].shaker != shaker)
    return replace(table, inspected=inspected, failed_inspections=failed, checks=checks)


@_evolve.register
def evolve_equipment_failed(event: e.EquipmentFailed, table: Table) -> Table:
    now = replace(table.round, ceasing=table.round.ceasing or (event.cease and not idle(table)))
    return replace(table, failed={**table.failed, event.equipment: event.cease}, round=now)


@_evolve.register
def evolve_equipment_repaired(event: e.EquipmentRepaired, table: Table) -> Table:
    left = {name: cease for name, cease in table.failed.items() if name != event.equipment}
    stale = {n for n, inspection in table.rules.inspections.items() if inspection.equipment == event.equipment}
    remaining = {name: shift for name, shift in table.inspected.items() if name not in stale}
    failed = tuple(name for name in table.failed_inspections if name not in stale)
    checks = {name: check for name, check in table.checks.items() if name != event.equipment}
    return replace(table, failed=left, inspected=remaining, failed_inspections=failed, checks=checks)


@_evolve.register
def evolve_bought_in(event: e.BoughtIn, table: Table) -> Table:
    purses = table.purses
    if event.colour and event.colour_value:
        others = {name: purse for name, purse in purses.items() if purse.colour != event.colour}
        purses = {**others, event.player: Purse(event.colour, event.colour_value)}
    return _booked(replace(table, purses=purses), drop=event.amount)


@_evolve.register
def evolve_cashed_out(_event: e.CashedOut, table: Table) -> Table:
    return table


@_evolve.register
def evolve_bet_placed(event: e.BetPlaced, table: Table) -> Table:
    return _with_bets(table, [_raise_bet(table.bets.get(event.bet), event, event.player, event.by)])


@_evolve.register
def evolve_bets_placed(event: e.BetsPlaced, table: Table) -> Table:
    bets: dict[int, Bet] = {}
    for placed in event.bets:
        lies = bets.get(placed.bet) or table.bets.get(placed.bet)
        bets[placed.bet] = _raise_bet(lies, placed, event.player, event.by)
    return _with_bets(table, bets.values())


def _raise_bet(existing: Bet | None, placed: e.BetPlaced | e.Placed, player: str, by: str | None) -> Bet:
    behalf = placed.amount if by is not None else 0
    if existing is None:
        stake = player, placed.wager, placed.amount, placed.kind, placed.confirmed
        return Bet(placed.bet, *stake, by=by, behalf=behalf, commission=placed.commission)
    return replace(
        existing,
        amount=existing.amount + placed.amount,
        confirmed=placed.confirmed,
        by=by or existing.by,
        behalf=existing.behalf + behalf,
        since_roll=existing.since_roll + placed.amount if existing.running else 0,
        commission=existing.commission + placed.commission,
    )


def _with_bets(table: Table, bets: Collection[Bet]) -> Table:
    after = table.bets.put(bets)
    return replace(table, bets=after, next_bet=max(table.next_bet, *(bet.id + 1 for bet in bets)))


@_evolve.register
def evolve_bet_taken_down(event: e.BetTakenDown, table: Table) -> Table:
    bet = table.bets[event.bet]
    if event.amount > bet.since_roll:
        table = _changed(table, bet)
    if bet.amount == event.amount:
        return _remove_bets(table, [event.bet])
    return _reduced(table, [e.Part(event.bet, event.amount, event.commission)])


def _reduced(table: Table, parts: Iterable[e.Part]) -> Table:
    """Take parts of bets off the layout; what was added last comes off first."""
    left = []
    for part in parts:
        bet = table.bets[part.bet]
        behalf = max(0, bet.behalf - part.amount)
        left.append(
            replace(
                bet,
                amount=bet.amount - part.amount,
                behalf=behalf,
                by=bet.by if behalf else None,
                since_roll=max(0, bet.since_roll - part.amount),
                commission=bet.commission - part.commission,
            )
        )
    return replace(table, bets=table.bets.put(left)) if left else table


def _changed(table: Table, bet: Bet) -> Table:
    """Remember that a bet which took part in the last roll is not as it was."""
    before = table.before_roll
    if before is None or bet.id not in before.bets or before.changed:
        return table
    return replace(table, before_roll=replace(before, changed=f"{bet.player}'s {bet.wager}"))


@_evolve.register
def evolve_bets_called(event: e.BetsCalled, table: Table) -> Table:
    called = [table.bets[number] for number in event.bets]
    for bet in called:
        table = _changed(table, bet)
    return replace(table, bets=table.bets.put(replace(bet, called=event.how) for bet in called))


@_evolve.register
def evolve_bets_confirmed(event: e.BetsConfirmed, table: Table) -> Table:
    return replace(table, bets=table.bets.put(replace(table.bets[bet], confirmed=True) for bet in event.bets))


@_evolve.register
def evolve_wager_found(event: e.WagerFound, table: Table) -> Table:
    stake = event.player, event.wager, event.amount, event.kind
    return _with_bets(table, [Bet(event.bet, *stake, confirmed=True, found=True, late=event.late)])


@_evolve.register
def evolve_step_taken(event: e.StepTaken, table: Table) -> Table:
    step = next(step for step in table.rules.procedure.round if step.id == event.step)
    now = replace(table.round, done=(*table.round.done, event.step), flat=table.round.flat and event.flat)
    match step.act:
        case "shake":
            now = replace(now, shakes=event.shakes)
        case "announce dice":
            now = replace(now, announced=event.dice)
        case "enter dice":
            now = replace(now, entered=event.dice)
        case _:
            pass
    return replace(table, round=now, announced=event.announced or table.announced)


@_evolve.register
def evolve_step_waived(event: e.StepWaived, table: Table) -> Table:
    return replace(table, round=replace(table.round, done=(*table.round.done, event.step)))


@_evolve.register
def evolve_illuminated(event: e.Illuminated, table: Table) -> Table:
    return replace(table, round=replace(table.round, lit=event.wagers))


@_evolve.register
def evolve_rolled(event: e.Rolled, table: Table) -> Table:
    return _rolled(table, event.dice, event.bets)


def _rolled(table: Table, dice: tuple[int, ...], rolled: tuple[e.BetRolled, ...]) -> Table:
    """Advance every area and mark every bet as running; a seven-out takes the dice from the shooter."""
    wagers = table.rules.wagers
    step = advance(table.rules, table.progress, Roll.of(*dice))
    moved = marks(table.rules, table.progress, step)
    lay = {bet.id: bet for bet in table.bets.values()}
    fresh_bets = tuple(bet.id for bet in lay.values() if not bet.running)
    before = BeforeRoll(table.round.number, table.areas, table.point, table.shooter, fresh_bets)
    if table.automatic is None:
        before = replace(before, bets=lay)
    travelled = {one.bet: one.point for one in rolled if one.point is not None}
    bets = Bets(
        replace(bet, running=True, since_roll=0, point=travelled.get(bet.id, bet.point)) for bet in lay.values()
    )
    now = replace(
        table.round,
        entered=dice,
        ended={area: row for area, row in step.ended.items() if not wagers[area].own_state},
        decided={one.bet: one.row for one in rolled if one.row is not None},
        staying=tuple(one.bet for one in rolled if one.stays),
        placed=moved.placed,
        cleared=moved.cleared,
    )
    after = replace(_with_progress(table, step.progress), bets=bets, round=now, before_roll=before)
    return replace(after, shooter=None) if step.call is Call.SEVEN_OUT else after


@_evolve.register
def evolve_dice_corrected(event: e.DiceCorrected, table: Table) -> Table:
    if table.before_roll is not None:
        return _rolled(undo_roll(table, event, table.before_roll), event.dice, event.bets)
    entered = event.dice if table.round.entered else ()
    return replace(table, round=replace(table.round, announced=event.dice, entered=entered))


def undo_roll(table: Table, event: e.DiceCorrected, before: BeforeRoll) -> Table:
    """Return a craps table as it was before a roll that was entered wrongly; bets made since have been returned."""
    table = _undo_lines(_reduced(_remove_bets(table, event.returned), event.parts), event.undone)
    table = replace(table, bets=table.bets.put(before.bets[line.bet] for line in event.undone), proposal=None)
    bets = Bets(_before_roll(bet, before) for bet in table.bets.values())
    rolled = tuple(step.id for step in table.rules.procedure.round if step.act == "roll")
    history = tuple(record for record in table.history if record.number != before.round)
    return replace(
        table,
        areas=before.areas,
        point=before.point,
        shooter=before.shooter,
        last_shooter=before.shooter or table.last_shooter,
        bets=bets,
        round=Round(before.round, done=rolled, irregularities=table.round.irregularities),
        history=history,
    )


def _before_roll(bet: Bet, before: BeforeRoll) -> Bet:
    """Return a bet as it was before a roll, except for what its player has called or taken down since."""
    lay = before.bets.get(bet.id)
    if lay is None:
        return replace(bet, running=bet.id not in before.fresh)
    return replace(bet, running=lay.running, point=lay.point, since_roll=min(lay.since_roll, bet.amount))


@_evolve.register
def evolve_losers_collected(event: e.LosersCollected, table: Table) -> Table:
    return _settled(table, event.lines)


@_evolve.register
def evolve_winners_paid(event: e.WinnersPaid, table: Table) -> Table:
    return _settled(table, event.lines)


def _settled(table: Table, lines: tuple[e.Line, ...]) -> Table:
    after = _remove_bets(table, [line.bet for line in lines if not line.stays])
    if table.before_roll is not None:
        after = replace(after, before_roll=replace(table.before_roll, settled=True))
    low = {line.player for line in lines if line.honoured and is_under_minimum(table, table.bets[line.bet])}
    record = Settled(table.round.number, table.round.entered, lines, dict(table.round.ended))
    history = list(table.history)
    if history and history[-1].number == table.round.number:
        record = replace(record, lines=(*history.pop().lines, *lines))
    settled = {line.bet for line in lines}
    open_yet = {bet: row for bet, row in after.round.decided.items() if bet not in settled}
    now = replace(after.round, low=tuple(sorted({*after.round.low, *low})), decided=open_yet)
    after = replace(after, history=(*history, record)[-HISTORY:], round=now)
    if table.automatic is not None:
        after = _played(after, lines)
    else:
        left = {line.bet: table.bets[line.bet] for line in lines if not line.stays}
        taken = {**table.round.taken, **left}
        after = replace(after, round=replace(after.round, taken=taken))
    wagered = sum(line.honoured for line in lines)
    return _booked(after, wagered=wagered, won=-sum(line.net + line.envy for line in lines))


def _played(table: Table, lines: tuple[e.Line, ...]) -> Table:
    """Count what players have won and lost at an automatic table today."""
    plays = dict(table.plays)
    for line in lines:
        play = plays.get(line.player, Play())
        plays[line.player] = replace(play, lost=play.lost - line.net)
    return replace(table, plays=plays)


def _booked(table: Table, **changes: int) -> Table:
    """Add to the day's and the shift's totals."""

    def added(book: Inventory) -> Inventory:
        return replace(book, **{name: getattr(book, name) + change for name, change in changes.items()})

    return replace(table, inventory=added(table.inventory), shift_inventory=added(table.shift_inventory))


@_evolve.register
def evolve_round_ended(event: e.RoundEnded, table: Table) -> Table:
    history = table.history
    if table.round.entered and not any(record.number == event.round for record in history):
        record = Settled(event.round, table.round.entered, (), dict(table.round.ended))
        history = (*history, record)[-HISTORY:]
    low = tuple(sorted({*table.under_minimum, *table.round.low}))
    after = replace(table, round=_round_after(table, event.round), withdrawn=(), history=history, under_minimum=low)
    return after if table.automatic is None else _timed(after, event.round)


def _round_after(table: Table, number: int) -> Round:
    """Return the next round; a matter that the book does not cover still waits for its decision."""
    now, rules = table.round, table.rules.irregularities
    waiting = tuple(name for name in now.undecided if rules[name].remedy == "refer")
    return Round(number + 1, undecided=waiting, callers={name: now.callers.get(name, "") for name in waiting})


def _timed(table: Table, number: int) -> Table:
    """Count a round of an automatic table for those who had a wager in it."""
    assert table.automatic is not None
    settled = [line.player for record in table.history if record.number == number for line in record.lines]
    length = table.automatic.betting_seconds + table.automatic.rest_seconds
    plays = dict(table.plays)
    for player in {*settled, *(bet.player for bet in table.bets.values())}:
        play = plays.get(player, Play())
        plays[player] = replace(play, seconds=play.seconds + length)
    return replace(table, plays=plays)


@_evolve.register
def evolve_irregularity_called(event: e.IrregularityCalled, table: Table) -> Table:
    now = replace(
        table.round,
        irregularities=(*table.round.irregularities, event.irregularity),
        witnesses=(*table.round.witnesses, *(person.name for person in event.present)),
        unclear=tuple(dict.fromkeys((*table.round.unclear, *event.bets))),
        unruled=tuple(dict.fromkeys((*table.round.unruled, *event.bets))),
        callers={**table.round.callers, event.irregularity: event.named_by},
    )
    if event.remedy in DECIDED:
        now = replace(now, undecided=(*now.undecided, event.irregularity))
    return replace(table, round=now, announced=event.announced or table.announced)


@_evolve.register
def evolve_round_voided(event: e.RoundVoided, table: Table) -> Table:
    after = _start_next_round(table, event)
    return after if after.draw is None else replace(after, draw=replace(after.draw, voided=True), void_by=None)


def _start_next_round(table: Table, event: e.RoundVoided | e.WagersReturned) -> Table:
    """Return the table with the next round, after one that was void."""
    parts = event.parts if isinstance(event, e.RoundVoided) else ()
    after = replace(
        _undo_lines(_reduced(_remove_bets(table, event.returned), parts), event.undone),
        round=_round_after(table, event.round),
        withdrawn=(),
        power_failed=False,
    )
    return replace(after, history=_without_outcome(table, event.round))


def _undo_lines(table: Table, lines: Iterable[e.Line]) -> Table:
    """Return the table with its totals after settled wagers were undone."""
    undone = tuple(lines)
    return _booked(
        table, wagered=-sum(line.honoured for line in undone), won=sum(line.net + line.envy for line in undone)
    )


@_evolve.register
def evolve_wagers_returned(event: e.WagersReturned, table: Table) -> Table:
    return _start_next_round(table, event)


def _without_outcome(table: Table, number: int) -> tuple[Settled, ...]:
    """Return the history with a round in which nothing was settled, so that it can be disputed like any other."""
    record = Settled(number, (), (), irregularities=table.round.irregularities)
    return (*(one for one in table.history if one.number != number), record)[-HISTORY:]


@_evolve.register
def evolve_betting_reopened(event: e.BettingReopened, table: Table) -> Table:
    now = table.round
    again = _round_after(table, now.number)
    again = replace(again, irregularities=now.irregularities, witnesses=now.witnesses, ceasing=now.ceasing)
    if not event.undone:
        return replace(table, round=again)
    laid = [replace(now.taken[line.bet], amount=line.honoured) for line in event.undone]
    history = tuple(record for record in table.history if record.number != now.number)
    return replace(_undo_lines(table, event.undone), bets=table.bets.put(laid), round=again, history=history)


@_evolve.register
def evolve_power_failed(_event: e.PowerFailed, table: Table) -> Table:
    return replace(table, power_failed=True, withdrawn=())


@_evolve.register
def evolve_player_withdrew(event: e.PlayerWithdrew, table: Table) -> Table:
    left = _reduced(_remove_bets(table, event.bets), event.parts)
    return replace(left, withdrawn=(*table.withdrawn, event.player))


@_evolve.register
def evolve_play_resumed(_event: e.PlayResumed, table: Table) -> Table:
    return replace(table, power_failed=False)


@_evolve.register
def evolve_bet_ruled(event: e.BetRuled, table: Table) -> Table:
    lies = table.bets.get(event.bet)
    bet = table.round.taken[event.bet] if lies is None else lies
    table = _ruled(table, bet, event.treat_as)
    if event.settled:
        return _settled_otherwise(table, event.undone, event.settled)
    if event.treat_as is None:
        return _remove_bets(table, [event.bet])
    return replace(table, bets=table.bets.put([replace(bet, wager=event.treat_as)]))


def _ruled(table: Table, bet: Bet, stands_on: str | None, paid: int | None = None) -> Table:
    """Record a ruling on a wager, with the area on which it lay before the first one."""
    now = table.round
    before = next((one for one in now.rulings if one.bet == bet.id), None)
    ruling = Ruling(bet.id, bet.player, bet.amount, before.lay_on if before else bet.wager, stands_on, paid)
    others = tuple(one for one in now.rulings if one.bet != bet.id)
    unruled = tuple(number for number in now.unruled if number != bet.id)
    after = replace(table, round=replace(now, rulings=(*others, ruling), unruled=unruled))
    return after if unruled else _decided(after, "supervisor decides")


@_evolve.register
def evolve_ruled(event: e.Ruled, table: Table) -> Table:
    for line in event.settled:
        bet = table.bets.get(line.bet) or table.round.taken[line.bet]
        paid = bool(line.honoured)
        table = _ruled(table, bet, bet.wager if paid else None, line.net if paid else None)
    return _settled_otherwise(_decided(table, "refer"), event.undone, event.settled)


def _settled_otherwise(table: Table, undone: tuple[e.Line, ...], settled: tuple[e.Line, ...]) -> Table:
    """Apply wagers settled by a ruling, whether they are on the layout or had been settled in another way."""
    if not settled:
        return table
    now, number = table.round, table.round.number
    bets = {line.bet: table.bets.get(line.bet) or now.taken[line.bet] for line in settled}
    taken = {number: bet for number, bet in now.taken.items() if number not in bets}
    taken |= {line.bet: replace(bets[line.bet], wager=line.wager) for line in settled if line.honoured}
    after = _remove_bets(_undo_lines(table, undone), [bet for bet in bets if bet in table.bets])
    wagered = sum(line.honoured for line in settled)
    after = _booked(after, wagered=wagered, won=-sum(line.net + line.envy for line in settled))
    new = {line.bet: line for line in settled}
    past = next((record for record in table.history if record.number == number), None)
    lines = past.lines if past else ()
    remaining = tuple(new.pop(line.bet, line) for line in lines)
    more = tuple(line for line in new.values() if line.honoured)
    after = replace(after, round=replace(now, taken=taken))
    paid = (taken[line.bet] for line in (*remaining, *more) if line.honoured and line.bet in taken)
    low = {bet.player for bet in paid if is_under_minimum(after, bet, settled=True)}
    after = replace(after, round=replace(after.round, low=tuple(sorted(low))))
    if past is None and not more:
        return after
    record = replace(past or Settled(number, now.entered, ()), lines=(*remaining, *more))
    history = [one for one in table.history if one.number != number]
    return replace(after, history=(*history, record)[-HISTORY:])


DECIDED = ("supervisor decides", "refer")
"""Remedies that leave the decision to someone."""


def _decided(table: Table, remedy: str) -> Table:
    rules = table.rules.irregularities
    left = tuple(name for name in table.round.undecided if rules[name].remedy != remedy)
    return replace(table, round=replace(table.round, undecided=left))


@_evolve.register
def evolve_shooter_named(event: e.ShooterNamed, table: Table) -> Table:
    return replace(_passed(table), shooter=event.shooter, last_shooter=event.shooter, refused=())


def _passed(table: Table) -> Table:
    before = table.before_roll
    return table if before is None else replace(table, before_roll=replace(before, passed=True))


@_evolve.register
def evolve_dice_passed(_event: e.DicePassed, table: Table) -> Table:
    return replace(_passed(table), shooter=None)


@_evolve.register
def evolve_rail_joined(event: e.RailJoined, table: Table) -> Table:
    return replace(table, rail=(*table.rail[: event.place], event.player, *table.rail[event.place :]))


@_evolve.register
def evolve_rail_left(event: e.RailLeft, table: Table) -> Table:
    return replace(table, rail=tuple(name for name in table.rail if name != event.player))


@_evolve.register
def evolve_dice_refused(event: e.DiceRefused, table: Table) -> Table:
    return replace(table, refused=(*table.refused, event.player))


@_evolve.register
def evolve_roll_cancelled(_event: e.RollCancelled, table: Table) -> Table:
    return table


@_evolve.register
def evolve_disputed(event: e.Disputed, table: Table) -> Table:
    claims = (*table.claims, Claim(event.round, event.by))[-CLAIMS:]
    return replace(table, disputed=(*table.disputed, event.round), claims=claims)


@_evolve.register
def evolve_dispute_settled(event: e.DisputeSettled, table: Table) -> Table:
    claims = tuple(
        replace(one, upheld=event.upheld, reason=event.words)
        if one.round == event.round and one.upheld is None
        else one
        for one in table.claims
    )
    return replace(table, disputed=tuple(n for n in table.disputed if n != event.round), claims=claims)


@_evolve.register
def evolve_resettlement_proposed(event: e.ResettlementProposed, table: Table) -> Table:
    return replace(table, proposal=Proposal(event.round, event.dice, event.by, event.words))


@_evolve.register
def evolve_resettled(event: e.Resettled, table: Table) -> Table:
    history = []
    change = 0
    for record in table.history:
        if record.number == event.round:
            before = sum(line.net + line.envy for line in record.lines)
            change = before - sum(line.net + line.envy for line in event.lines)
            record = replace(record, dice=event.dice, lines=event.lines)
        history.append(record)
    return _booked(replace(table, history=tuple(history), proposal=None), won=change)


@_evolve.register
def evolve_counted(event: e.Counted, table: Table) -> Table:
    book = table.inventory
    book = replace(book, opening=event.amount) if event.when == "opening" else replace(book, closing=event.amount)
    return replace(table, inventory=book)


@_evolve.register
def evolve_filled(event: e.Filled, table: Table) -> Table:
    return _booked(table, fills=event.amount)


@_evolve.register
def evolve_credited(event: e.Credited, table: Table) -> Table:
    return _booked(table, credits=event.amount)


@_evolve.register
def evolve_drop_collected(_event: e.DropCollected, table: Table) -> Table:
    return table


# ---------------------------------------------------------------- automatic tables


@_evolve.register
def evolve_clock_corrected(_event: e.ClockCorrected, table: Table) -> Table:
    return table if table.draw is None else _drawing(table, until=None)


@_evolve.register
def evolve_seed_committed(event: e.SeedCommitted, table: Table) -> Table:
    draw = Draw(event.round, event.commitment, event.sealed, event.mapping)
    plays = table.plays if event.day == table.play_day else {}
    return replace(table, draw=draw, void_by=None, play_day=event.day, plays=plays)


@_evolve.register
def evolve_countdown_started(event: e.CountdownStarted, table: Table) -> Table:
    return _drawing(table, until=event.until)


@_evolve.register
def evolve_nonce_given(event: e.NonceGiven, table: Table) -> Table:
    assert table.draw is not None
    return _drawing(table, nonces={**table.draw.nonces, event.player: event.nonce})


@_evolve.register
def evolve_betting_closed(event: e.BettingClosed, table: Table) -> Table:
    return _drawing(table, closed="", until=None, reveal_by=event.reveal_by)


def closed_by(table: Table, entry: str) -> Table:
    """Return the table with the entry of the journal by which betting was closed."""
    return _drawing(table, closed=entry)


@_evolve.register
def evolve_seed_revealed(_event: e.SeedRevealed, table: Table) -> Table:
    return replace(table, draw=None)


@_evolve.register
def evolve_tumbler_failed(event: e.TumblerFailed, table: Table) -> Table:
    return replace(table, tumbler_failed=event.words, draw=None if event.lost else table.draw)


@_evolve.register
def evolve_tumbler_repaired(_event: e.TumblerRepaired, table: Table) -> Table:
    return replace(table, tumbler_failed=None)


@_evolve.register
def evolve_paused(event: e.Paused, table: Table) -> Table:
    after = replace(table, paused=Pause(event.words, event.left))
    return after if table.draw is None else _drawing(after, until=None)


@_evolve.register
def evolve_unpaused(event: e.Unpaused, table: Table) -> Table:
    after = replace(table, paused=None)
    return after if table.draw is None else _drawing(after, until=event.until)


@_evolve.register
def evolve_void_proposed(event: e.VoidProposed, table: Table) -> Table:
    return replace(table, void_by=event.by)


def _drawing(table: Table, **changes: Any) -> Table:
    assert table.draw is not None
    return replace(table, draw=replace(table.draw, **changes))


def _remove_bets(table: Table, bets: Iterable[int]) -> Table:
    return replace(table, bets=table.bets.without(bets))


def _with_progress(table: Table, progress: Progress) -> Table:
    areas: dict[str, Any] = {name: (area.state, area.just_won) for name, area in progress.areas.items()}
    return replace(table, areas=areas, point=progress.hand.point)
