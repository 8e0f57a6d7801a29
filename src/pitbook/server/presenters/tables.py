"""Present tables for the lobby, players and staff, from the committed state alone."""

from __future__ import annotations

from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import UNSET, convert
from msgspec.structs import asdict, astuple, replace

from pitbook.dice import rolls
from pitbook.engine.progress import lammers
from pitbook.engine.windows import window_closed
from pitbook.rulebooks.text import BookText
from pitbook.server.schemas.tables import (
    Announcement,
    AutomaticView,
    BetOutlook,
    BetStanding,
    CheckedPoint,
    CrewMember,
    DueStepView,
    ElectronicPart,
    EquipmentCheck,
    EquipmentView,
    ExposureInfo,
    InspectionView,
    Lammers,
    Name,
    OddsRoom,
    OwnBet,
    OwnClaim,
    OwnRuling,
    OwnView,
    RecordedRules,
    RoundResult,
    SettlementDue,
    ShakerInfo,
    StaffView,
    StakeRange,
    StepView,
    Summary,
    TableRules,
    TableView,
    ThrowOutlook,
)
from pitbook.server.tables import console
from pitbook.server.tables.limit_groups import highest_maximum, limit_groups
from pitbook.table.automatic import electronic_form
from pitbook.table.checklists import checklists, current_check, points_of, result_of
from pitbook.table.commands import OWN
from pitbook.table.decide.equipment import dice_movable, ends_at, shaker_state
from pitbook.table.decide.inspections import is_due, shift_is_over
from pitbook.table.decide.rounds import asks_flat, can_correct, not_flat
from pitbook.table.decide.rulings import wager_of_round
from pitbook.table.decide.settlement import settlement
from pitbook.table.decide.suspension import NO_REASON
from pitbook.table.liability import Liability
from pitbook.table.limits import limit_of
from pitbook.table.people import is_staff, may_act
from pitbook.table.permissions import checker, inspector, not_ready, rights_of
from pitbook.table.shifts import next_scheduled
from pitbook.table.standing import forecast_bets, is_working, odds_of, take_down_refused
from pitbook.table.state import (
    betting_open,
    due,
    idle,
    may_take,
    offered,
    on_table,
    paytable_of,
    phase,
    shaker_name,
    steps,
)
from pitbook.table.view import chances, cover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pitbook.house.house import House
    from pitbook.people.state import Account
    from pitbook.rulebooks.text import Inspection, Step
    from pitbook.table.checklists import Result as CheckResult
    from pitbook.table.commands import Automatic
    from pitbook.table.state import Bet, Phase, Settled, Table

NO_CHIPS: Mapping[str, console.Chips] = MappingProxyType({})
RECENT_RESULTS = 10
"""How many past results the lobby shows."""

_encode = msgspec.json.Encoder().encode


def is_ready(table: Table, at: datetime) -> bool:
    """Return whether a round has begun or could begin; the driver of an automatic table decides that itself."""
    return table.automatic is not None or not_ready(table, at.isoformat(timespec="microseconds")) is None


def displayed_phase(table: Table, at: datetime) -> Phase:
    """Return the phase of the round; between rounds while the table is not ready, even if no step forbids bets."""
    return phase(table) if is_ready(table, at) else "between rounds"


def summary(table: Table, at: datetime) -> Summary | None:
    """Return a table as the lobby shows it; None if it was never opened."""
    if table.setup is None:
        return None
    rules, draw = table.rules, table.draw
    limits = [limit_of(table, wager) for wager in rules.wagers]
    return Summary(
        id=table.id,
        book=table.setup.book,
        title=Name.of(rules.identity.title),
        short=Name.of(rules.identity.short or rules.identity.title),
        number=table.setup.number,
        game=rules.identity.game,
        dice=rules.dice,
        open=table.open,
        money=table.money,
        play_money=table.money != table.setup.currency,
        automatic=table.automatic is not None,
        phase=displayed_phase(table, at) if table.open else None,
        round=table.round.number,
        until=draw.until if draw else None,
        betting_seconds=table.automatic.betting_seconds if table.automatic else None,
        stake_min=min((limit.stake_min for limit in limits), default=None),
        stake_max=highest_maximum(limits),
        limits=limit_groups(table),
        last=tuple(RoundResult(record.number, record.dice) for record in _finished_rounds(table)[-RECENT_RESULTS:]),
        players=len({bet.player for bet in table.bets.values()}),
        facility=table.setup.facility,
    )


def disabled_summary(table: str) -> Summary:
    """Return a disabled table as the lobby shows it."""
    return Summary(
        id=table,
        book="",
        title=Name(table, table, table),
        game="",
        dice=0,
        open=False,
        money="",
        play_money=False,
        automatic=False,
        phase=None,
        round=0,
        until=None,
        betting_seconds=None,
        stake_min=None,
        stake_max=None,
        limits=(),
        last=(),
        players=0,
        facility="",
        disabled=True,
    )


def _finished_rounds(table: Table) -> list[Settled]:
    """Return the rounds that have dice or ended without."""
    return [record for record in table.history if record.dice or record.number < table.round.number]


def build_rules(table: Table) -> TableRules:
    """Return what applies at a table until its setup changes: limits, pay tables, electronic replacements."""
    assert table.setup is not None
    rules = table.rules
    limits = {wager: limit_of(table, wager) for wager in rules.wagers}
    return TableRules(
        table.setup,
        table.money,
        table.money != table.setup.currency,
        rules.decimals,
        table.terms_since or None,
        limit_groups(table),
        {wager: StakeRange(limit.stake_min, highest_maximum([limit])) for wager, limit in limits.items()},
        {wager: paytable_of(table, wager) for wager in rules.wagers},
        [
            ElectronicPart(part.part, part.clauses, Name.of(part.text), part.key, part.instead)
            for part in electronic_form(rules)
        ]
        if table.automatic
        else [],
    )


def build_recorded_rules(table: Table | None) -> RecordedRules:
    """Return the rules at a point of the record; empty if the table was not open yet or its state is unknown."""
    return RecordedRules() if table is None or table.setup is None else RecordedRules(*astuple(build_rules(table)))


def build_view(table: Table, at: datetime, liability: Liability | None = None, *, staff: bool = False) -> TableView:
    """Return an open table as the public or its staff see it."""
    view = _build_view(table, at, liability or Liability())
    return view if staff else _public_view(view)


def _public_view(view: TableView) -> TableView:
    """Return a view without the house's exposure and the reason that staff gave for a pause."""
    run = view.automatic
    if run and run.paused:
        run = replace(run, paused=NO_REASON)
    return replace(
        view,
        worst_throw=UNSET,
        worst_result=UNSET,
        rest_of_hand_most=UNSET,
        rest_of_hand_mean=UNSET,
        automatic=run,
    )


def lammers_by_area(table: Table) -> dict[str, Lammers]:
    """Return the lammers on every area of a craps layout."""
    return {area: Lammers(**marks) for area, marks in lammers(table.rules, table.progress).items()}


def _build_view(table: Table, at: datetime, liability: Liability) -> TableView:
    ready, step, risk = is_ready(table, at), due(table), liability.exposure(table)
    stakes: dict[str, int] = {}
    for bet in table.bets.values():
        stakes[bet.wager] = stakes.get(bet.wager, 0) + bet.amount
    return TableView(
        table=table.id,
        book=table.rules.id,
        round=table.round.number,
        step=table.step,
        phase=phase(table) if ready else "between rounds",
        due=step.id if step else None,
        cover=cover(table),
        disputed=table.disputed,
        dice=table.round.entered,
        lit=table.round.lit,
        point=table.point,
        lammers=lammers_by_area(table),
        chances={wager: str(value) for wager, value in chances(table).items()},
        staked=sum(stakes.values()),
        worst_throw=str(risk.worst) if risk.worst else None,
        worst_result=risk.worst_result,
        rest_of_hand_most=risk.rest_of_hand_most,
        rest_of_hand_mean=str(risk.rest_of_hand_mean),
        payout_max=table.setup.payout_max if table.setup else None,
        open=table.open,
        ready=ready,
        ready_until=_ready_until(table, at) if ready and idle(table) else None,
        betting=betting_open(table) and not table.power_failed and ready,
        procedure=[_step_view(table, step) for step in steps(table)],
        stakes=stakes,
        travelled=_travelled(table),
        closed=_closed(table),
        power_failed=table.power_failed,
        failed=table.failed,
        has_shooter=table.shooter is not None,
        called=_called(table),
        announced=_announced(table),
        automatic=UNSET if table.automatic is None else _automatic_view(table, table.automatic),
    )


def _ready_until(table: Table, at: datetime) -> str | None:
    """Return when a table stops being ready without any act: its dice expire, or a scheduled shift begins."""
    assert table.setup is not None
    shift = next_scheduled(table.setup.shifts, table.setup.timezone, at)
    ends = [datetime.fromisoformat(until) for until in [dice_until(table)] if until]
    first = min([*ends, *([shift] if shift else [])], default=None)
    return first.isoformat() if first else None


def _called(table: Table) -> tuple[str, ...]:
    """Return the irregularities of the round; until something is done or bet, those that voided the one before."""
    last = table.history[-1] if table.history and idle(table) else None
    before = last.irregularities if last is not None and last.number == table.round.number - 1 else ()
    return table.round.irregularities or before


def _announced(table: Table) -> Announcement | None:
    """Return the last announcement with its clauses; None once betting is open again without one."""
    if table.announced is None or not table.open:
        return None
    rules = table.rules
    step = next((step for step in rules.procedure.round if step.announce == table.announced), None)
    if step is not None and step.act == "close betting" and betting_open(table):
        return None
    by = step or next((one for one in rules.irregularities.values() if one.announce == table.announced), None)
    text = Name.of(by.announce if by and by.announce else BookText(table.announced))
    return Announcement(text, step.act if step else None, by.clause if by else [])


def encode_views(table: Table, sequence: int, at: datetime, liability: Liability | None = None) -> tuple[bytes, bytes]:
    """Return the JSON of a table after an entry: the public view and the staff's."""
    view = _build_view(table, at, liability or Liability())
    numbered = b'{"sequence":%d,' % sequence
    return numbered + _encode(_public_view(view))[1:], numbered + _encode(view)[1:]


def view_encoder(house: House) -> Callable[[str], tuple[bytes, bytes]]:
    """Return a function that encodes the current views of a table by its name."""

    def encode(name: str) -> tuple[bytes, bytes]:
        sequence, table = house.read_table(name)
        return encode_views(table, sequence, house.now(), house.liability)

    return encode


def _step_view(table: Table, step: Step) -> StepView:
    return StepView(
        step.id,
        step.act,
        step.says.en,
        step.clause,
        step.who,
        step.announce and step.announce.en,
        done=step.id in table.round.done,
        may=may_take(table, step),
        asks_flat=asks_flat(table, step),
    )


def _automatic_view(table: Table, run: Automatic) -> AutomaticView:
    draw = table.draw
    return AutomaticView(
        run,
        commitment=draw.commitment if draw else None,
        mapping=draw.mapping if draw else None,
        until=draw.until if draw else None,
        closed=draw.closed if draw else None,
        paused=table.paused.words if table.paused else None,
        failed=table.tumbler_failed,
        void_proposed=table.void_by is not None,
    )


def _travelled(table: Table) -> dict[str, dict[str, int]]:
    """Return the stakes on bets with their own number."""
    found: dict[str, dict[str, int]] = {}
    for bet in table.bets.values():
        if bet.point is not None:
            by_number = found.setdefault(bet.wager, {})
            by_number[str(bet.point)] = by_number.get(str(bet.point), 0) + bet.amount
    return found


def _closed(table: Table) -> dict[str, str]:
    """Return the areas of a craps layout on which nothing can be bet now."""
    if not table.craps:
        return {}
    rules, progress = table.rules, table.progress
    closed = ((name, window_closed(rules, progress, wager)) for name, wager in rules.wagers.items())
    return {name: found.message.text() for name, found in closed if found is not None}


def _standing(table: Table, bet: Bet) -> BetStanding:
    """Return what can be done with a bet on the shooter's hand."""
    odds, locked = odds_of(table, bet), take_down_refused(table, bet)
    return BetStanding(
        bet=bet.id,
        working=is_working(table, bet),
        can_take_down=locked is None,
        locked=str(locked) if locked else None,
        can_call=table.rules.wagers[bet.wager].calls is not None,
        odds=OddsRoom(odds.wager, odds.standing, odds.room, odds.standing + odds.room) if odds else None,
    )


def _own_bet(table: Table, bet: Bet) -> OwnBet:
    standing = _standing(table, bet)
    return OwnBet(
        id=bet.id,
        wager=bet.wager,
        amount=bet.amount,
        kind=bet.kind,
        confirmed=bet.confirmed,
        running=bet.running,
        found=bet.found,
        late=bet.late,
        by=bet.by,
        behalf=bet.behalf,
        point=bet.point,
        called=bet.called,
        since_roll=bet.since_roll,
        commission=bet.commission,
        working=standing.working,
        can_take_down=standing.can_take_down,
        locked=standing.locked,
        can_call=standing.can_call,
        odds=standing.odds,
    )


def _outlook(table: Table, player: str) -> list[ThrowOutlook]:
    """Return what each throw of craps would do to a player's bets, once the last roll is settled."""
    if not table.craps or table.round.entered:
        return []
    found = []
    for roll in rolls(table.rules.dice):
        bets = [BetOutlook(one.bet, one.result, one.net, one.point) for one in forecast_bets(table, player, roll)]
        if bets:
            found.append(ThrowOutlook(tuple(int(face) for face in roll.faces), sum(one.net for one in bets), bets))
    return found


def build_own_view(table: Table, player: str, holds: console.Chips) -> OwnView:
    """Return a player's own bets and chips, without the names of staff."""
    purse = console.find_purse(table, player, holds.colour)
    return OwnView(
        player=player,
        balance=holds.cash,
        bets=[_own_bet(table, bet) for bet in table.bets.of(player)],
        colour_value=purse.value if purse else None,
        purse=purse,
        shooter=table.shooter == player,
        nonce=table.draw.nonces.get(player) if table.draw else None,
        names={},
        today=table.plays.get(player),
        last=_last_stakes(table, player),
        rulings=[convert(one, OwnRuling, from_attributes=True) for one in table.round.rulings if one.player == player],
        unruled=[bet for bet in table.round.unruled if _is_bet_of(table, bet, player)],
        claims=[OwnClaim(one.round, one.upheld, one.reason) for one in table.claims if one.by == player],
        outlook=_outlook(table, player),
    )


def _is_bet_of(table: Table, number: int, player: str) -> bool:
    bet = wager_of_round(table, number)
    return bet is not None and bet.player == player


def _last_stakes(table: Table, player: str) -> dict[str, int]:
    """Return the player's stakes that were settled last, by wager: what a page offers to repeat."""
    for record in reversed(table.history):
        own = [line for line in record.lines if line.player == player and line.kind in OWN and line.stake > 0]
        if own:
            stakes: dict[str, int] = {}
            for line in own:
                stakes[line.wager] = stakes.get(line.wager, 0) + line.stake
            return stakes
    return {}


def build_staff_view(
    table: Table,
    roles: Iterable[str],
    accounts: Iterable[Account] = (),
    holds: Mapping[str, console.Chips] = NO_CHIPS,
    at: datetime | None = None,
    liability: Liability | None = None,
) -> StaffView:
    """Return what the staff of a table see, without display names."""
    held = list(roles)
    risk = (liability or Liability()).exposure(table)
    return StaffView(
        bets=list(table.bets.values()),
        standing=[_standing(table, bet) for bet in table.bets.values() if table.rules.wagers[bet.wager].own_state],
        announced=table.round.announced,
        due=_due_step_view(table, held),
        irregularities=console.irregularities(table, held) if table.open else [],
        called=table.round.irregularities,
        undecided=table.round.undecided,
        unclear=table.round.unclear,
        unruled=table.round.unruled,
        taken=list(table.round.taken.values()),
        flat=table.round.flat,
        not_flat=_not_flat(table),
        callers=table.round.callers,
        rulings=table.round.rulings,
        settlement=SettlementDue(*(settlement(table) if table.round.entered else ([], []))),
        crew=_crew_members(table, accounts),
        dealer=table.dealer,
        shooter=table.shooter,
        rail=table.rail,
        offered=offered(table),
        shift=table.shift,
        shift_over=table.open and at is not None and shift_is_over(table, at.isoformat()),
        equipment=_equipment_view(table, held),
        may=rights_of(table, held),
        inventory=table.inventory,
        shift_inventory=table.shift_inventory,
        exposure=ExposureInfo(
            str(risk.worst) if risk.worst else None,
            risk.worst_result,
            {str(roll): result for roll, result in risk.by_roll.items()},
            risk.rest_of_hand_most,
            str(risk.rest_of_hand_mean),
        ),
        players=console.players(table, holds),
        past=console.past_results(table),
        hand=console.rolls_of_hand(table),
        can_correct=table.automatic is None and can_correct(table),
        can_resettle=_can_resettle(table),
        put_away=_put_away(table),
        proposal=table.proposal,
        void_by=table.void_by,
        disputed=table.disputed,
        names={},
    )


def _can_resettle(table: Table) -> int | None:
    """Return the last roll of craps, if it was settled and can still be resettled."""
    before = table.before_roll
    open_yet = table.automatic is None and not table.round.done
    return before.round if open_yet and before is not None and before.settled and not before.changed else None


def _due_step_view(table: Table, roles: list[str]) -> DueStepView | None:
    """Return the step that is due, and whether someone in these roles may take it."""
    step = due(table) if table.open else None
    if step is None:
        return None
    mine = any(may_act(table.rules, role, step.who) for role in roles)
    return DueStepView(**asdict(_step_view(table, step)), mine=mine)


def _not_flat(table: Table) -> str | None:
    """Return the irregularity to call for a die that does not lie flat."""
    found = not_flat(table.rules)
    return found[0] if found else None


def mentioned_people(view: StaffView) -> set[str | None]:
    """Return the sign-in names of everyone who is mentioned."""
    return {
        *(bet.player for bet in (*view.bets, *view.taken)),
        *(ruling.player for ruling in view.rulings),
        *(line.player for line in (*view.settlement.collect, *view.settlement.pay)),
        *(member.name for member in view.crew),
        *(player.name for player in view.players),
        *(view.dealer, view.shooter, view.void_by, *view.callers.values(), *view.rail),
        view.proposal.by if view.proposal else None,
    }


def _put_away(table: Table) -> list[Literal["removed", "covered", "sign"]]:
    """Return how the book lets an automated shaker be put out of use; nothing where none is in use."""
    rules = table.rules.irregularities.values()
    ways = next((rule.put_away for rule in rules if rule.remedy == "replace equipment"), [])
    return ways if on_table(table, "automated") else []


def _crew_members(table: Table, accounts: Iterable[Account]) -> list[CrewMember]:
    """Return who may work at this table in which role, as candidates for witnesses and directors."""
    working = [role for role in table.rules.roles if is_staff(table.rules, role)]
    return [
        CrewMember(account.name, account.shown, role)
        for account in accounts
        if account.active
        for role in working
        if account.holds(role, table.id)
    ]


def dice_until(table: Table) -> str | None:
    """Return when the dice in the shaker expire; None if there are none or the book sets no limit."""
    rules, dice = table.rules, table.dice
    if dice is None or "dice" not in rules.equipment:
        return None
    ends = [
        ends_at(life, datetime.fromisoformat(dice.since)).isoformat()
        for life in rules.equipment["dice"].life
        if life.shaker in ("any", table.shaker)
    ]
    return min(ends, default=None)


def _shaker_infos(table: Table) -> list[ShakerInfo]:
    """Return the table's shakers, and whether each is in use, put away or under repair."""
    found = []
    for shaker in ("manual", "automated"):
        state, equipment = shaker_state(table, shaker), shaker_name(table.rules, shaker)
        if state is not None and equipment is not None:
            known = table.shakers.get(shaker)
            found.append(ShakerInfo(shaker, equipment, known.name if known else "", state))
    return found


def _equipment_view(table: Table, roles: list[str]) -> EquipmentView:
    """Return what was checked and inspected, what is due, and when the dice expire."""
    return EquipmentView(
        shaker=table.shaker,
        automated_away=not on_table(table, "automated"),
        shakers=_shaker_infos(table),
        dice_movable=dice_movable(table),
        dice=table.dice,
        dice_until=dice_until(table),
        checked=[name for name in table.checks if result_of(table, name) == "in order"],
        inspected=table.inspected,
        failed=table.failed,
        approval_references=table.setup is not None and table.setup.approval_references,
        to_check=[_equipment_check(table, name, roles) for name in checklists(table)],
        to_inspect=[
            _inspection_view(table, name, one, roles)
            for name, one in table.rules.inspections.items()
            if one.shaker in (None, table.shaker)
        ],
    )


def _inspection_view(table: Table, name: str, one: Inspection, roles: list[str]) -> InspectionView:
    ahead = is_due(table, name)
    result: CheckResult = "not checked" if ahead else "in order"
    return InspectionView(
        name,
        Name.of(one.says),
        one.how,
        one.times,
        one.who,
        one.clause,
        due=ahead,
        result="failed" if name in table.failed_inspections else result,
        mine=inspector(table, name, roles),
    )


RESULTS: Mapping[bool | None, CheckResult] = {True: "in order", False: "failed", None: "not checked"}


def _equipment_check(table: Table, name: str, roles: list[str]) -> EquipmentCheck:
    """Return one item of a checklist, with the result and clause of each point."""
    points, check, result = points_of(table, name), current_check(table, name), result_of(table, name)
    passed = check.points if check else (None,) * len(points)
    return EquipmentCheck(
        id=name,
        requires=[Name.of(point.says) for point in points],
        clause=table.rules.equipment[name].clause,
        due=result != "in order",
        result=result,
        points=[
            CheckedPoint(Name.of(point.says), point.clause, point.approval, RESULTS[one])
            for point, one in zip(points, passed, strict=True)
        ],
        approval=check.approval if check else "",
        approved_on=check.approved_on if check else "",
        mine=checker(table, roles),
    )
