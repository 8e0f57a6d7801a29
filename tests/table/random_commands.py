"""Random commands: for every command, plausible and implausible values of its fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any, get_args, get_type_hints

import msgspec

from pitbook.dice import Roll
from pitbook.engine.illuminate import illuminate
from pitbook.engine.windows import window_closed
from pitbook.table import commands as c
from pitbook.table.checklists import checklists
from pitbook.table.people import AUDITOR, MANAGER, Person
from pitbook.table.standing import odds_of
from pitbook.table.state import Table, due, offered, on_table

PLAYERS = ("ann", "ben")
Asked = tuple[Person, c.Command]
NUMBERS = tuple[int, ...]


def people(table: Table) -> list[Person]:
    """Everyone who might ask something: two of every role at the table, and the house's own."""
    roles = [role for role in (*table.rules.roles, MANAGER, AUDITOR, "passer-by") if role not in ("player", "shooter")]
    players = [Person(name, role) for name in PLAYERS for role in ("player", "shooter")]
    return [*players, *(Person(f"{role}-{number}", role) for role in roles for number in (1, 2))]


def command_of(kind: type[c.Command], table: Table, chance: Random) -> c.Command:
    """Return a random command of some kind with plausible fields."""
    made = {}
    for name, hint in _fields(kind):
        pick = _numbers if hint == NUMBERS and name in ("bets", "returns") else _PICKS.get(name)
        made[name] = pick(table, chance) if pick else chance.choice(get_args(hint) or (True, False))
        if made[name] is None and type(None) not in get_args(hint):
            made[name] = PLAYERS[0]
    return kind(**made)


@cache
def _fields(kind: type[c.Command]) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    return [(field.name, hints[field.name]) for field in msgspec.structs.fields(kind)]


def _among(*values: Any) -> Callable[[Table, Random], Any]:
    return lambda _table, chance: chance.choice(values)


def _person(table: Table, chance: Random) -> Person:
    return chance.choice(people(table))


def _wager(table: Table, chance: Random) -> str:
    laid = [bet.wager for bet in table.bets.values()]
    return chance.choice([*laid, *laid, *table.rules.wagers, "no-such-wager"])


def _wanted(table: Table, chance: Random) -> c.BetRequest:
    kinds: list[c.Kind] = ["cash", "cash", "cash", "colour", "tip in the area", "tip on top"]
    amount = chance.choice([500, 500, 1000, 100, 1, 0, 10**9])
    return c.BetRequest(_wager(table, chance), amount, chance.choice(kinds))


def _numbers(table: Table, chance: Random) -> tuple[int, ...]:
    """Return numbers of bets on the layout, and sometimes one that does not exist."""
    known = [*table.bets, *table.round.taken, table.next_bet]
    return tuple(chance.sample(known, min(chance.randint(0, 2), len(known))))


def _awards(table: Table, chance: Random) -> tuple[c.Award, ...]:
    return tuple(c.Award(bet, chance.choice([0, 100, 5000])) for bet in _numbers(table, chance)[:1])


def _dice(table: Table, chance: Random) -> tuple[int, ...]:
    rolled = tuple(chance.randint(1, 6) for _ in range(table.rules.dice))
    return chance.choice([rolled, rolled, rolled, rolled[1:], (7, *rolled[1:])])


def _points(table: Table, chance: Random) -> tuple[bool, ...]:
    lengths = [len(points) for points in checklists(table).values()] or [1]
    return tuple(chance.random() < 0.9 for _ in range(chance.choice(lengths)))


def _setup(table: Table, chance: Random) -> c.Setup:
    """Return the set-up in force, or a small and possibly invalid change of it."""
    assert table.setup is not None
    now, rules = table.setup, table.rules
    changes: list[dict[str, Any]] = [
        {},
        {"limits": {"*": c.Limit(200, 900)}},
        {"limits": {"*": c.Limit(0, 900)}},
        {"limits": {}},
        {"payout_max": 500_00},
        {"payout_max": -1},
        {"payout_max": None},
        {"facility": ""},
        {"number": 12},
        {"number": 0},
        {"digest": "0" * 64},
        {"currency": "XXX"},
        {"shaker": "automated"},
        {"paytables": {name: chance.choice(found.paytables) for name, found in rules.groups.items()}},
        {"options": {name: chance.choice(list(option.choices)) for name, option in rules.options.items()}},
        {"readings": {name: chance.choice(list(found.choices)) for name, found in rules.readings.items()}},
    ]
    return msgspec.structs.replace(now, **chance.choice(changes))


_PICKS: dict[str, Callable[[Table, Random], Any]] = {
    "setup": _setup,
    "amount": _among(100, 200, 500, 1000, 100_00, 1, 0, -5, 10**9),
    "player": _among(None, *PLAYERS),
    "bets": lambda table, chance: tuple(_wanted(table, chance) for _ in range(chance.randint(0, 3))),
    "wager": _wager,
    "wagers": lambda table, chance: tuple(_wager(table, chance) for _ in range(chance.randint(0, 2))),
    "point": _among(None, None, 4, 6, 9),
    "to": _wager,
    "treat_as": lambda table, chance: chance.choice([None, _wager(table, chance)]),
    "step": lambda table, chance: chance.choice([step.id for step in table.rules.procedure.round]),
    "dice": _dice,
    "entered": _dice,
    "lit": lambda table, chance: tuple(chance.sample(list(table.rules.wagers), 2)),
    "shakes": _among(0, 1, 3, 4),
    "proper": _among(0, 3),
    "count": lambda table, chance: chance.choice([None, table.rules.dice, 1]),
    "directed_by": lambda table, chance: chance.choice([None, _person(table, chance)]),
    "confirmed_by": lambda table, chance: chance.choice([None, _person(table, chance)]),
    "second": _person,
    "present": lambda table, chance: tuple(_person(table, chance) for _ in range(chance.randint(0, 2))),
    "irregularity": lambda table, chance: chance.choice([*table.rules.irregularities, "earthquake"]),
    "bet": lambda table, chance: chance.choice([*table.bets, table.next_bet]),
    "round": lambda table, chance: max(1, table.round.number - chance.randint(0, 3)),
    "shooter": _among(*PLAYERS, *PLAYERS, ""),
    "after": _among(None, None, *PLAYERS),
    "equipment": lambda table, chance: chance.choice([*table.failed, *table.rules.equipment, "coffee-machine"]),
    "points": _points,
    "approval": _among("", "", "permit 17"),
    "approved_on": _among("", "", "2026-01-31", "tomorrow"),
    "inspection": lambda table, chance: chance.choice([*table.rules.inspections, "fire-drill"]),
    "reason": _among("worn", "worn", ""),
    "serials": _among((), (), ("a1", "a2", "a3")),
    "name": _among("", "shaker 7"),
    "pays": _awards,
    "words": _among("because", "because", ""),
    "shift": _among("day", "swing", "night"),
    "day": _among("monday", "tuesday"),
    "set": _among("set 1", "set 2", "set 3"),
    "colour_value": _among(None, None, 500, 7),
    "colour": _among(None, None, "blue", "green", "tartan"),
}
"""What might stand in a field, by its name."""


def put_in_order(table: Table, chance: Random) -> Iterator[Asked]:
    """Yield the commands that a table may need between rounds, by people who may give them."""
    rules = table.rules
    top, dealer = _senior(table), _dealer(table)
    if table.power_failed:
        yield dealer, c.Resume()
    if table.dealer != dealer.name:
        yield dealer, c.TakeOver()
    if not on_table(table, table.shaker):
        yield dealer, c.UseShaker(table.shaker)
    yield top, c.PutDice(f"set {chance.random()}", count=rules.dice)
    for failed in table.failed:
        yield top, c.Repair(failed)
    for name, points in checklists(table).items():
        for role in rules.roles:
            yield Person(f"{role}-1", role), c.CheckEquipment(name, (True,) * len(points))
    lit = illuminate(rules, Roll.of(*[1] * rules.dice))
    for name, inspection in rules.inspections.items():
        role = inspection.who[0]
        yield Person(f"{role}-1", role), c.Inspect(name, (1,) * rules.dice, lit, inspection.times)
    for name in PLAYERS:
        yield Person(name, "player"), c.BuyIn(500_00)


def next_step(table: Table, chance: Random) -> Asked | None:
    """The step that is due, by someone whose act it is, with all that it needs."""
    step = due(table)
    if step is None:
        return None
    if table.craps and table.shooter is None and not table.round.done:
        return Person("stick-person-1", "stick-person"), c.NewShooter(offered(table) or chance.choice(PLAYERS))
    if any(not bet.confirmed for bet in table.bets.values()):
        return Person("base-dealer-2", "base-dealer"), c.ConfirmBets()
    role = next(role for role in step.who if role != "player")
    person = Person(f"{role}-1", role)
    if role == "shooter" and table.shooter:
        person = Person(table.shooter, role)
    elif role == "dealer" and table.dealer:
        person = Person(table.dealer, role)
    dice = tuple(chance.randint(1, 6) for _ in range(table.rules.dice))
    if step.act == "enter dice":
        dice = table.round.announced
    director = Person(f"{step.directed_by[0]}-2", step.directed_by[0]) if step.directed_by else None
    box = Person("box-person-2", "box-person") if "box-person" in table.rules.roles else None
    shows = step.act in ("announce dice", "enter dice", "roll")
    return person, c.TakeStep(step.id, dice if shows else (), 3, directed_by=director, confirmed_by=box)


def some_bets(table: Table, chance: Random) -> Asked:
    """Return valid bets of a player."""
    name = chance.choice(PLAYERS)
    if any(wager.own_state for wager in table.rules.wagers.values()) and chance.random() < 0.9:
        return Person(name, "player"), c.PlaceBets(_on_the_hand(table, name, chance))
    wagers = chance.sample(list(table.rules.wagers), chance.randint(1, min(4, len(table.rules.wagers))))
    stake = 200 if table.craps else 500
    kinds: list[c.Kind] = ["cash", "cash", "cash"]
    if any(step.act == "place tip" for step in table.rules.procedure.round):
        kinds += ["tip in the area", "tip on top"]
    return Person(name, "player"), c.PlaceBets(
        tuple(c.BetRequest(wager, stake, chance.choice(kinds)) for wager in wagers)
    )


def _on_the_hand(table: Table, name: str, chance: Random) -> tuple[c.BetRequest, ...]:
    """Return bets whose window is open, and odds behind the player's own bets."""
    rules = table.rules
    odds = [found for bet in table.bets.of(name) if (found := odds_of(table, bet)) and found.room]
    if odds and chance.random() < 0.5:
        one = chance.choice(odds)
        return (c.BetRequest(one.wager, chance.choice([one.room, min(one.room, 200), one.room + 1])),)
    free = [w.id for w in rules.wagers.values() if not w.tied and window_closed(rules, table.progress, w) is None]
    line = [w for w in ("pass-line", "dont-pass", "come", "dont-come", "place/6", "buy/4") if w in free]
    picked = {chance.choice(line or free), chance.choice(free)}
    return tuple(c.BetRequest(wager, chance.choice([200, 500, 1000])) for wager in picked)


def irregularity(table: Table, chance: Random) -> Asked:
    """Return a call of one of the book's irregularities."""
    return call_of(table, chance.choice(list(table.rules.irregularities)), chance)


def call_of(table: Table, name: str, chance: Random) -> tuple[Person, c.Call]:
    """Return a call of an irregularity by someone who may, before those whom the book wants there."""
    rule = table.rules.irregularities[name]
    role = chance.choice(rule.called_by)
    lying = [*table.bets, *table.round.taken]
    bets = tuple(chance.sample(lying, min(2, len(lying)))) if rule.remedy == "supervisor decides" else ()
    present = tuple(Person(f"{who}-2", who) for who in rule.presence)
    return Person(f"{role}-1", role), c.Call(name, "seen", present, bets)


def something_sensible(table: Table, chance: Random) -> Asked:
    """Return a command that fits the state of the table."""
    dealer, senior = _dealer(table), _senior(table)
    ideas: list[Asked] = [
        (Person(chance.choice(PLAYERS), "player"), c.CashOut(100)),
        (senior, c.Fill(1000_00, dealer)),
        (senior, c.Credit(100_00, dealer)),
        (senior, c.Count(chance.choice(["opening", "closing"]), 5000_00, dealer)),
        (senior, c.CollectDrop(dealer)),
        (dealer, c.UseShaker(chance.choice(["manual", "automated"]))),
        (dealer, c.PutAwayShaker(chance.choice(["removed", "covered"]), dice_removed=True)),
        (dealer, c.TakeOutDice(table.dice.set if table.dice else "set 1", "worn")),
        (Person(table.shooter or "ann", "player"), c.PassDice()),
        (dealer, c.CallNoRoll("a die left the table")),
        (senior, _decision(table, chance)),
        (Person("max", MANAGER), c.ChangeSetup(_setup(table, chance))),
        (Person("max", MANAGER), c.CloseTable()),
    ]
    named = [*table.round.unclear, *table.round.taken]
    ideas += [(senior, c.RuleOnBet(bet, chance.choice([None, _wager(table, chance)]), "seen")) for bet in named]
    for bet in table.bets.values():
        owner = Person(bet.player, "player")
        part = chance.choice([None, bet.amount // 2])
        ideas.append((owner, c.TakeDown(bet.wager, part, bet.kind, point=bet.point)))
        ideas.append((dealer, c.MoveBet(bet.wager, _wager(table, chance), part, bet.kind, bet.player, bet.point)))
        ideas.append((owner, c.CallBets(chance.choice(["on", "off", "rule"]), (bet.wager,))))
        ideas.append((senior, c.RuleOnBet(bet.id, chance.choice([None, _wager(table, chance)]), "seen")))
        if table.power_failed:
            ideas += [(owner, c.Withdraw())] * 4
    if table.power_failed:
        ideas += [(dealer, c.Resume())] * 6
    if table.round.done:
        amount = chance.choice([100, 500, 600_00])
        found = c.RecordFound(chance.choice(PLAYERS), _wager(table, chance), amount, chance.random() < 0.5)
        ideas += [(dealer, found)] * 5
    if table.craps:
        ideas += [(Person(name, "player"), c.JoinRail()) for name in PLAYERS]
        ideas += [(Person(name, "player"), c.RefuseDice()) for name in PLAYERS if table.rail]
    ideas += [(senior, c.SettleDispute(number, "seen")) for number in table.disputed]
    if table.history:
        number = chance.choice(table.history).number
        dice = tuple(chance.randint(1, 6) for _ in range(table.rules.dice))
        ideas.append((Person("ann", "player"), c.Dispute(number, "unfair")))
        ideas += [(dealer, c.ProposeResettlement(number, dice, "misread"))] * 2
        ideas += [(senior, c.CorrectDice(dice, "misread"))] * 2
    if table.proposal:
        ideas += [(senior, c.ApproveResettlement(table.proposal.round))] * 5
    return chance.choice(ideas)


def _decision(table: Table, chance: Random) -> c.RuleInWords:
    """What someone could decide: about some of the wagers, or about the round."""
    of_round = [*table.bets, *table.round.taken]
    some = chance.sample(of_round, min(2, len(of_round)))
    pays = tuple(c.Award(bet, chance.choice([100, 5000])) for bet in some[1:])
    return chance.choice([c.RuleInWords("play goes on"), c.RuleInWords("as seen", returns=tuple(some[:1]), pays=pays)])


def _senior(table: Table) -> Person:
    role = max(table.rules.roles, key=lambda name: table.rules.roles[name].rank)
    return Person(f"{role}-1", role)


def _dealer(table: Table) -> Person:
    role = next(name for name, found in table.rules.roles.items() if found.rank == 1)
    return Person(f"{role}-1", role)
