"""Present tables for the lobby, players and staff, from the committed state alone."""

from __future__ import annotations

from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import msgspec

from pitbook.server.tables import console
from pitbook.server.tables.limit_groups import LimitGroup, limit_groups, most_of
from pitbook.table.automatic import electronic_form
from pitbook.table.checklists import check_of, checklists, points_of, result_of
from pitbook.table.commands import OWN
from pitbook.table.decide.equipment import dice_movable, ends_at, shaker_state
from pitbook.table.decide.inspections import is_due, shift_is_over
from pitbook.table.decide.rounds import asks_flat, can_correct, not_flat
from pitbook.table.decide.rulings import wager_of_round
from pitbook.table.decide.settlement import settlement
from pitbook.table.decide.suspension import NO_REASON
from pitbook.table.limits import limit_of
from pitbook.table.people import is_staff, may_act
from pitbook.table.permissions import checker, inspector, not_ready, rights_of
from pitbook.table.shifts import next_scheduled
from pitbook.table.state import betting_open, due, idle, may_take, on_table, paytable_of, phase, shaker_name, steps
from pitbook.table.view import exposure, view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pitbook.house.house import House
    from pitbook.people.state import Account
    from pitbook.table.commands import Limit
    from pitbook.table.state import Bet, Phase, Ruling, Settled, Table

NOTHING: Mapping[str, console.Chips] = MappingProxyType({})
LAST = 10
"""So many last results stand in the lobby."""


class RoundResult(msgspec.Struct, frozen=True):
    """The dice of a past round; none where it was void."""

    round: int
    dice: tuple[int, ...]


class Summary(msgspec.Struct, frozen=True):
    """A table as the lobby shows it."""

    id: str
    book: str
    title: str
    game: str
    open: bool
    money: str
    """What chips are worth: a currency, or play money like `play-SGD`."""
    play_money: bool
    automatic: bool
    phase: str | None
    round: int
    until: str | None
    """When betting closes, where a countdown runs."""
    betting_seconds: int | None
    """How long that countdown takes in all; none where people close betting."""
    stake_min: int | None
    """The lowest minimum of all areas."""
    stake_max: int | None
    """The highest maximum of all areas; none where one has none."""
    limits: tuple[LimitGroup, ...]
    """What may be staked on an area, by areas that have the same limits."""
    last: tuple[RoundResult, ...]
    players: int
    """How many have wagers lying."""
    facility: str
    disabled: bool = False
    """Whether it does not run at all; then nothing more is known of it here, and staff see why."""


def is_ready(table: Table, at: datetime) -> bool:
    """Whether a round has begun or could; of an automatic table the driver knows."""
    return table.automatic is not None or not_ready(table, at.isoformat(timespec="microseconds")) is None


def phase_shown(table: Table, at: datetime) -> Phase:
    """Where a round stands; while something is missing nobody is asked for bets, although no step forbids them."""
    return phase(table) if is_ready(table, at) else "between rounds"


def summary(table: Table, at: datetime) -> Summary | None:
    """A table in the lobby; none that was never opened."""
    if table.setup is None:
        return None
    rules, draw = table.rules, table.draw
    limits = [limit_of(table, wager) for wager in rules.wagers]
    return Summary(
        id=table.id,
        book=table.setup.book,
        title=rules.identity.title,
        game=rules.identity.game,
        open=table.open,
        money=table.money,
        play_money=table.money != table.setup.currency,
        automatic=table.automatic is not None,
        phase=phase_shown(table, at) if table.open else None,
        round=table.round.number,
        until=draw.until if draw else None,
        betting_seconds=table.automatic.betting_seconds if table.automatic else None,
        stake_min=min((limit.stake_min for limit in limits), default=None),
        stake_max=most_of(limits),
        limits=limit_groups(table),
        last=tuple(RoundResult(record.number, record.dice) for record in _over(table)[-LAST:]),
        players=len({bet.player for bet in table.bets.values()}),
        facility=table.setup.facility,
    )


def disabled_summary(table: str) -> Summary:
    """A table in the lobby that does not run."""
    return Summary(
        id=table,
        book="",
        title=table,
        game="",
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


def _over(table: Table) -> list[Settled]:
    """The rounds that have dice, or are over without."""
    return [record for record in table.history if record.dice or record.number < table.round.number]


def _limit(limit: Limit) -> dict[str, int | None]:
    return {"stake_min": limit.stake_min, "stake_max": most_of([limit])}


def rules_shown(table: Table) -> dict[str, Any]:
    """What holds at a table until its set-up changes: limits, pay tables, what the electronic form replaces."""
    assert table.setup is not None
    rules = table.rules
    return {
        "setup": msgspec.to_builtins(table.setup),
        "money": table.money,
        "play_money": table.money != table.setup.currency,
        "decimals": rules.decimals,
        "since": table.terms_since or None,
        "limit_groups": msgspec.to_builtins(limit_groups(table)),
        "limits": {wager: _limit(limit_of(table, wager)) for wager in rules.wagers},
        "paytables": {wager: paytable_of(table, wager) for wager in rules.wagers},
        "electronic_form": [one._asdict() for one in electronic_form(rules)] if table.automatic else [],
    }


HOUSES_OWN = ("worst_throw", "worst_result", "rest_of_hand_most", "rest_of_hand_mean")


def now_shown(table: Table, at: datetime, *, staff: bool = False) -> dict[str, Any]:
    """What anybody sees of an open table now: no names, no balances, nothing of the house's own; or what staff see."""
    shown = _now(table, at)
    return shown if staff else _for_anybody(shown)


def _for_anybody(shown: dict[str, Any]) -> dict[str, Any]:
    public = {name: value for name, value in shown.items() if name not in HOUSES_OWN}
    run = public.get("automatic")
    if run and run["paused"]:  # why a table is held are people's words: they stay with the staff
        public["automatic"] = {**run, "paused": NO_REASON}
    return public


def _now(table: Table, at: datetime) -> dict[str, Any]:
    shown = view(table)
    ready = is_ready(table, at)
    stakes: dict[str, int] = {}
    for bet in table.bets.values():
        stakes[bet.wager] = stakes.get(bet.wager, 0) + bet.amount
    shown |= {
        "phase": phase_shown(table, at),
        "open": table.open,
        "ready": ready,
        "ready_until": _ready_until(table, at) if ready and idle(table) else None,
        "betting": betting_open(table) and not table.power_failed and ready,
        "procedure": [_step(table, step) for step in steps(table)],
        "stakes": stakes,
        "power_failed": table.power_failed,
        "failed": dict(table.failed),
        "has_shooter": table.shooter is not None,
        "called": list(_called(table)),
        "announced": _announced(table),
    }
    if table.automatic is not None:
        shown["automatic"] = _automatic(table)
    return shown


def _ready_until(table: Table, at: datetime) -> str | None:
    """When a table that is ready stops being so by itself: its dice expire, or a scheduled shift begins."""
    assert table.setup is not None
    shift = next_scheduled(table.setup.shifts, table.setup.timezone, at)
    ends = [datetime.fromisoformat(until) for until in [dice_until(table)] if until]
    first = min([*ends, *([shift] if shift else [])], default=None)
    return first.isoformat() if first else None


def _called(table: Table) -> tuple[str, ...]:
    """Irregularities of the round; at the start of one, what left the round before it without an outcome."""
    last = table.history[-1] if table.history else None
    before = last.irregularities if last is not None and last.number == table.round.number - 1 else ()
    return table.round.irregularities or before


def _announced(table: Table) -> dict[str, Any] | None:
    """The last announcement in the book's words, with its clauses; none once betting is open again without one."""
    if table.announced is None or not table.open:
        return None
    rules = table.rules
    step = next((step for step in rules.procedure.round if step.announce == table.announced), None)
    if step is not None and step.act == "close betting" and betting_open(table):
        return None
    by = step or next((one for one in rules.irregularities.values() if one.announce == table.announced), None)
    return {"says": table.announced, "act": step.act if step else None, "clause": list(by.clause) if by else []}


def views_of(table: Table, sequence: int, at: datetime) -> tuple[bytes, bytes]:
    """What the live stream shows after an entry: to anybody, and to who works there."""
    shown = {"sequence": sequence, **_now(table, at)}
    return msgspec.json.encode(_for_anybody(shown)), msgspec.json.encode(shown)


def views(house: House) -> Callable[[str], tuple[bytes, bytes]]:
    """The same for a table of the house, as it is now."""

    def made(name: str) -> tuple[bytes, bytes]:
        sequence, table = house.look(name)
        return views_of(table, sequence, house.now())

    return made


def _step(table: Table, step: Any) -> dict[str, Any]:
    return {
        "id": step.id,
        "act": step.act,
        "says": step.says,
        "clause": list(step.clause),
        "who": list(step.who),
        "announce": step.announce,
        "done": step.id in table.round.done,
        "may": may_take(table, step),
        "asks_flat": asks_flat(table, step),
    }


def _automatic(table: Table) -> dict[str, Any]:
    draw = table.draw
    return {
        "run": msgspec.to_builtins(table.automatic),
        "commitment": draw.commitment if draw else None,
        "mapping": draw.mapping if draw else None,
        "until": draw.until if draw else None,
        "closed": draw.closed if draw else None,
        "paused": table.paused.words if table.paused else None,
        "failed": table.tumbler_failed,
        "void_proposed": table.void_by is not None,
    }


def own(table: Table, player: str, holds: console.Chips) -> dict[str, Any]:
    """What a player sees of their own."""
    play = table.plays.get(player)
    draw = table.draw
    return {
        "player": player,
        "balance": holds.cash,
        "bets": [_whose(bet, named=False) for bet in table.bets.of(player)],
        **console.colour_chips(table, player, holds.colour),
        "shooter": table.shooter == player,
        "nonce": draw.nonces.get(player) if draw else None,
        "names": {},
        "today": msgspec.to_builtins(play) if play else None,
        "last": _last(table, player),
        "rulings": [_whose(one, named=False) for one in table.round.rulings if one.player == player],
        "unruled": [bet for bet in table.round.unruled if _is_of(table, bet, player)],
        "claims": [
            {"round": one.round, "upheld": one.upheld, "reason": one.reason} for one in table.claims if one.by == player
        ],
    }


def _is_of(table: Table, number: int, player: str) -> bool:
    bet = wager_of_round(table, number)
    return bet is not None and bet.player == player


def _last(table: Table, player: str) -> dict[str, int]:
    """The stakes of the player's own that were settled last, by wager: what a page offers to repeat."""
    for record in reversed(table.history):
        own = [line for line in record.lines if line.player == player and line.kind in OWN and line.stake > 0]
        if own:
            stakes: dict[str, int] = {}
            for line in own:
                stakes[line.wager] = stakes.get(line.wager, 0) + line.stake
            return stakes
    return {}


def _whose(thing: Bet | Ruling, *, named: bool) -> dict[str, Any]:
    """A bet, or a ruling on one, with or without its player."""
    shown: dict[str, Any] = msgspec.to_builtins(thing)
    if not named:
        del shown["player"]
    return shown


def staff(
    table: Table,
    roles: Iterable[str],
    accounts: Iterable[Account] = (),
    holds: Mapping[str, console.Chips] = NOTHING,
    at: datetime | None = None,
) -> dict[str, Any]:
    """What who works at a table sees besides: whose bets lie there, what is due from them, what could go wrong now."""
    rules, held = table.rules, list(roles)
    step = due(table) if table.open else None
    shown = exposure(table)
    return {
        "bets": [_whose(bet, named=True) for bet in table.bets.values()],
        "due": None
        if step is None
        else {**_step(table, step), "mine": any(may_act(rules, role, step.who) for role in held)},
        "irregularities": console.irregularities(table, held) if table.open else [],
        "called": list(table.round.irregularities),
        "undecided": list(table.round.undecided),
        "unclear": list(table.round.unclear),
        "unruled": list(table.round.unruled),
        "taken": [_whose(bet, named=True) for bet in table.round.taken.values()],
        "flat": table.round.flat,
        "not_flat": _not_flat(table),
        "callers": dict(table.round.callers),
        "rulings": [_whose(one, named=True) for one in table.round.rulings],
        "settlement": _settlement(table),
        "crew": _crew(table, accounts),
        "dealer": table.dealer,
        "shooter": table.shooter,
        "shift": table.shift,
        "shift_over": table.open and at is not None and shift_is_over(table, at.isoformat()),
        "equipment": _equipment(table, held),
        "may": rights_of(table, held),
        "inventory": msgspec.to_builtins(table.inventory),
        "shift_inventory": msgspec.to_builtins(table.shift_inventory),
        "exposure": {
            "worst_throw": str(shown.worst) if shown.worst else None,
            "worst_result": shown.worst_result,
            "by_throw": {str(roll): result for roll, result in shown.by_roll.items()},
            "rest_of_hand_most": shown.rest_of_hand_most,
            "rest_of_hand_mean": str(shown.rest_of_hand_mean),
        },
        "players": console.players(table, holds),
        "past": console.past(table),
        "hand": console.hand(table),
        "can_correct": table.automatic is None and can_correct(table),
        "put_away": _put_away(table),
        "proposal": msgspec.to_builtins(table.proposal),
        "void_by": table.void_by,
        "disputed": list(table.disputed),
        "names": {},
    }


def _not_flat(table: Table) -> str | None:
    """The irregularity to call for a die that does not lie flat."""
    found = not_flat(table.rules)
    return found[0] if found else None


def concerned(shown: Mapping[str, Any]) -> set[str | None]:
    """Whom that names, by sign-in name."""
    lines = (
        *shown["bets"],
        *shown["taken"],
        *shown["rulings"],
        *shown["settlement"]["collect"],
        *shown["settlement"]["pay"],
    )
    proposal = shown["proposal"]
    return {
        *(line["player"] for line in lines),
        *(one["name"] for one in (*shown["crew"], *shown["players"])),
        *(shown["dealer"], shown["shooter"], shown["void_by"], *shown["callers"].values()),
        proposal["by"] if proposal else None,
    }


def _put_away(table: Table) -> list[str]:
    """How the book lets an automated shaker be put out of use; nothing where none is in use."""
    rules = table.rules.irregularities.values()
    ways = next((rule.put_away for rule in rules if rule.remedy == "replace equipment"), [])
    return list(ways) if on_table(table, "automated") else []


def _settlement(table: Table) -> dict[str, Any]:
    """What is still to be collected, and then to be paid, on the dice as they were entered."""
    losing, winning = settlement(table) if table.round.entered else ([], [])
    return {"collect": msgspec.to_builtins(losing), "pay": msgspec.to_builtins(winning)}


def _crew(table: Table, accounts: Iterable[Account]) -> list[dict[str, str]]:
    """Who may stand at this table in which of its roles: to say who was present, or who directed."""
    working = [role for role in table.rules.roles if is_staff(table.rules, role)]
    return [
        {"name": account.name, "shown": account.shown, "role": role}
        for account in accounts
        if account.active
        for role in working
        if account.holds(role, table.id)
    ]


def dice_until(table: Table) -> str | None:
    """Until when the dice in the shaker may be used; None where there are none, or the book sets no time."""
    rules, dice = table.rules, table.dice
    if dice is None or "dice" not in rules.equipment:
        return None
    ends = [
        ends_at(life, datetime.fromisoformat(dice.since)).isoformat()
        for life in rules.equipment["dice"].life
        if life.shaker in ("any", table.shaker)
    ]
    return min(ends, default=None)


def _shakers(table: Table) -> list[dict[str, Any]]:
    """The shakers of the table: which one each is, and whether it is in use, put away or under repair."""
    found = []
    for shaker in ("manual", "automated"):
        state = shaker_state(table, shaker)
        if state is not None:
            known = table.shakers.get(shaker)
            equipment = shaker_name(table.rules, shaker)
            name = known.name if known else ""
            found.append({"shaker": shaker, "equipment": equipment, "name": name, "state": state})
    return found


def _equipment(table: Table, roles: list[str]) -> dict[str, Any]:
    """What was checked and inspected, what of it is due, and how long the dice may still be used.

    `mine` is the role in which who asks may do it.
    """
    rules = table.rules
    return {
        "shaker": table.shaker,
        "automated_away": not on_table(table, "automated"),
        "shakers": _shakers(table),
        "dice_movable": dice_movable(table),
        "dice": msgspec.to_builtins(table.dice),
        "dice_until": dice_until(table),
        "checked": [name for name in table.checks if result_of(table, name) == "in order"],
        "inspected": dict(table.inspected),
        "failed": dict(table.failed),
        "approval_references": table.setup is not None and table.setup.approval_references,
        "to_check": [_to_check(table, name, roles) for name in checklists(table)],
        "to_inspect": [
            {
                "id": name,
                "says": one.says,
                "how": one.how,
                "times": one.times,
                "who": one.who,
                "clause": list(one.clause),
                "due": is_due(table, name),
                "result": "failed"
                if name in table.failed_inspections
                else "not checked"
                if is_due(table, name)
                else "in order",
                "mine": inspector(table, name, roles),
            }
            for name, one in rules.inspections.items()
            if one.shaker in (None, table.shaker)
        ],
    }


def _to_check(table: Table, name: str, roles: list[str]) -> dict[str, Any]:
    """One item of a checklist: its result, and one for each point with its clause."""
    points, check, result = points_of(table, name), check_of(table, name), result_of(table, name)
    passed = check.points if check else (None,) * len(points)
    words = {True: "in order", False: "failed", None: "not checked"}
    return {
        "id": name,
        "requires": [point.says for point in points],
        "clause": list(table.rules.equipment[name].clause),
        "due": result != "in order",
        "result": result,
        "points": [
            {"says": point.says, "clause": list(point.clause), "approval": point.approval, "result": words[one]}
            for point, one in zip(points, passed, strict=True)
        ],
        "approval": check.approval if check else "",
        "approved_on": check.approved_on if check else "",
        "mine": checker(table, roles),
    }
