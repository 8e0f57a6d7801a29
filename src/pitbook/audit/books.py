"""The auditor's own reader of rulebooks: people, steps, irregularities, equipment and wagers of a book."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.audit.currencies import minor_units
from pitbook.audit.equipment import Item, Life, Test, read_item, read_lives, read_test
from pitbook.audit.hand import Hand, read_hand
from pitbook.audit.positions import Entitled, Ranks
from pitbook.audit.wagers import Sheet, Wager, listed, read_wagers

if TYPE_CHECKING:
    from pitbook.audit.patches import Data


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a round."""

    id: str
    act: str
    shaker: str | None
    at_least: int
    announce: str | None
    after: tuple[str, ...]
    who: Entitled
    directed_by: Entitled | None
    only_after: str | None
    """The irregularity without which the step is skipped."""
    needs_bet: tuple[str, ...]
    """Of a roll: the wagers on one of which the shooter of a come-out roll needs a bet; none if no bet is needed."""
    needs_bet_clauses: tuple[str, ...]
    book: str
    """Of several books on one hand the one whose step it is; the base book's concern all of them."""


@dataclass(frozen=True, slots=True)
class Irregularity:
    """An irregularity: who may call it, before whom, and its remedy."""

    remedy: str
    when: tuple[str, ...]
    until: str | None
    """The act of a round from which on it can no longer be called."""
    shaker: str | None
    equipment: str | None
    announce: str | None
    called_by: Entitled
    presence: Entitled | None


@dataclass(frozen=True, slots=True, eq=False)
class Book:
    """A book under the readings and options of a table."""

    id: str
    digest: str
    game: str
    dice: int
    currency: str
    hand: Hand
    at_least: bool
    """Whether the odds are a minimum, so that fractions of a minor unit go to the player."""
    unit: int
    """The minor units of the smallest chip, to which wins are rounded."""
    wordings: tuple[str, ...]
    every: dict[str, Wager]
    layout: dict[str, int]
    """The place of each area in the order of the layout."""
    offered: frozenset[str]
    roles: frozenset[str]
    staff: frozenset[str]
    """The roles that work at the table."""
    supervisors: frozenset[str]
    """The staff roles above the dealers."""
    steps: tuple[Step, ...]
    by_id: dict[str, Step]
    betting: Entitled
    """Roles that may make and change bets."""
    tipping: dict[str, Entitled]
    """Roles that may make bets for the dealers, by the book that takes them."""
    inspections: dict[str, Entitled]
    """Roles that carry out each inspection."""
    checkers: Entitled | None
    """Roles that check the equipment, if the book names any."""
    keepers: dict[str, Entitled]
    """Roles that may deal, by the shaker in use."""
    irregularities: dict[str, Irregularity]
    equipment: dict[str, str]
    """The kind of each item."""
    lives: tuple[Life, ...]
    answerable: dict[str, frozenset[str]]
    """Roles responsible for each shaker, if the book names any."""
    lowest: frozenset[str]
    """The roles of the lowest rank at the table."""
    put_away: tuple[str, ...]
    """How an automated shaker may be put away."""
    tips_together: frozenset[str]
    """The books by which tips share a wager's limits and its cap with the player's own bet."""
    repeats_aloud: frozenset[str]
    """The books by which a bet that was taken is repeated aloud before it counts as confirmed."""
    items: dict[str, Item]
    tests: dict[str, Test]
    clauses: frozenset[str]
    readings: frozenset[str]

    @property
    def craps(self) -> bool:
        return self.game == "craps"

    def step(self, act: str) -> Step | None:
        """Return the first step with an act."""
        return next((step for step in self.steps if step.act == act), None)

    def with_remedy(self, remedy: str) -> Irregularity | None:
        """Return the first irregularity with a remedy."""
        return next((rule for rule in self.irregularities.values() if rule.remedy == remedy), None)


def read_book(data: Data, digest: str) -> Book:
    """Return a book from its data, after readings and options were applied to it."""
    identity = data["book"]
    equipment = data.get("equipment", {})
    hand = read_hand(data.get("hand"))
    unit = minor_units(identity["currency"])
    every = read_wagers(data, Sheet(data.get("group", {}), identity["dice"], unit, equipment, hand))
    left_out = {*data.get("offer", {}).get("leaves_out", ()), *data.get("excludes", {}).get("wagers", ())}
    ranks = Ranks(data)
    rounds = data["procedure"]["round"]
    steps = tuple(_step(step, ranks) for step in rounds)
    taking = {step.id for step in steps if step.act == "take bets"}
    checking = next((step for step in data["procedure"].get("opening", ()) if step["id"] == CHECKING), None)
    return Book(
        id=identity["id"],
        digest=digest,
        game=identity["game"],
        dice=identity["dice"],
        currency=identity["currency"],
        hand=hand,
        at_least=data["odds"]["basis"] == "minimum",
        unit=data["odds"].get("unit", 1),
        wordings=tuple(data["odds"]["wording"]),
        every=every,
        layout={area: place for place, area in enumerate(_areas(data))},
        offered=frozenset(name for name, wager in every.items() if not left_out & {name, wager.family}),
        roles=frozenset(ranks.ranks),
        staff=frozenset(ranks.staff),
        supervisors=frozenset(role for role, rank in ranks.staff.items() if rank > min(ranks.staff.values())),
        steps=steps,
        by_id={step.id: step for step in steps},
        betting=next(iter(_bettors("take bets", rounds, ranks).values()), ranks.entitled([], [])),
        tipping=_bettors("place tip", rounds, ranks),
        inspections={
            one["id"]: ranks.entitled(one["who"], one["clause"], or_above=one.get("or_above", False))
            for one in data.get("inspection", ())
        },
        checkers=ranks.entitled(checking["who"], checking["clause"]) if checking else None,
        keepers={shaker: _keepers(shaker, equipment, ranks) for shaker in ("manual", "automated")},
        irregularities={name: _irregularity(rule, ranks) for name, rule in data.get("irregularity", {}).items()},
        equipment={name: thing["kind"] for name, thing in equipment.items()},
        lives=read_lives(equipment),
        answerable={
            thing["shaker"]: frozenset([thing["keeper"]] if isinstance(thing["keeper"], str) else thing["keeper"])
            for thing in equipment.values()
            if thing["kind"] == "shaker" and thing.get("keeper")
        },
        lowest=frozenset(role for role, rank in ranks.staff.items() if rank == min(ranks.staff.values())),
        put_away=tuple(
            how
            for rule in data.get("irregularity", {}).values()
            if rule["remedy"] == "replace equipment"
            for how in rule.get("put_away", [])
        ),
        tips_together=frozenset(step["book"] for step in rounds if step.get("tip_limits") == "together"),
        repeats_aloud=frozenset(one.book for one in steps if one.act == "confirm bet" and taking & {*one.after}),
        items={name: read_item(thing) for name, thing in equipment.items()},
        tests={test["id"]: read_test(test) for test in data.get("inspection", ())},
        clauses=frozenset(data.get("clauses", {})),
        readings=frozenset(data.get("reading", {})),
    )


def _areas(data: Data) -> list[str]:
    return [area for block in data["layout"]["blocks"] for row in block["rows"] for area in row]


CHECKING = "inspect-equipment"
"""The step before opening in which the equipment is checked, if a book has one."""


def _step(step: dict[str, Any], ranks: Ranks) -> Step:
    needed = step.get("needs_bet", {})
    return Step(
        id=step["id"],
        act=step["act"],
        shaker=step.get("shaker"),
        at_least=step.get("at_least", 0),
        announce=step.get("announce"),
        after=tuple(step.get("after", ())),
        who=ranks.entitled(step["who"], step["clause"]),
        directed_by=ranks.entitled(step["directed_by"], step["clause"]) if step.get("directed_by") else None,
        only_after=step.get("only_after"),
        needs_bet=tuple(needed.get("wagers", ())),
        needs_bet_clauses=listed(needed.get("clause", ())),
        book=step["book"],
    )


def _bettors(act: str, rounds: list[Data], ranks: Ranks) -> dict[str, Entitled]:
    """Return whom the step with an act lets bet, by its book; a shooter bets like any player."""
    steps = (step for step in rounds if step["act"] == act)
    return {step["book"]: ranks.entitled([*step["who"], "shooter"], step["clause"]) for step in steps}


def _irregularity(rule: dict[str, Any], ranks: Ranks) -> Irregularity:
    above = rule.get("or_above", False)
    presence = rule.get("presence")
    return Irregularity(
        remedy=rule["remedy"],
        when=tuple(rule["when"]),
        until=rule.get("until"),
        shaker=rule.get("shaker"),
        equipment=rule.get("equipment"),
        announce=rule.get("announce"),
        called_by=ranks.entitled(rule["called_by"], rule["clause"], or_above=above),
        presence=ranks.entitled(presence, rule["clause"], or_above=above) if presence else None,
    )


def _keepers(shaker: str, equipment: dict[str, Any], ranks: Ranks) -> Entitled:
    """Return whom the book makes responsible for the shaker, by default the lowest of the staff."""
    things = [thing for thing in equipment.values() if thing["kind"] == "shaker" and thing.get("shaker") == shaker]
    named: list[str] = []
    for thing in things:
        keeper = thing.get("keeper", [])
        named += [keeper] if isinstance(keeper, str) else keeper
    named = named or [name for name, rank in ranks.staff.items() if rank == min(ranks.staff.values())]
    clauses: list[str] = []
    for name in named:
        clause = ranks.clauses[name]
        clauses += [clause] if isinstance(clause, str) else clause
    return ranks.entitled(named, clauses)
