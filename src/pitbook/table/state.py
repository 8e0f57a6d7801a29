"""A table's state: plain data, from which everything shown at the table is derived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

import msgspec

from pitbook.dice import SEVEN, Total
from pitbook.engine.progress import Area, Progress
from pitbook.engine.standing import Called
from pitbook.ledger.accounts import money_of
from pitbook.rulebooks.wagers import RETURN_ROW
from pitbook.table.bets import Bets
from pitbook.table.commands import Automatic, Kind, Setup, Shaker
from pitbook.table.events import Line
from pitbook.wager.hand import Hand

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import Step

Phase = Literal["between rounds", "betting", "thrown", "closed", "revealed", "settling"]


class Bet(msgspec.Struct, frozen=True, gc=False):
    """A stake on the layout."""

    id: int
    player: str
    wager: str
    amount: int
    kind: Kind
    confirmed: bool
    """Booked bets count once they were repeated aloud, where the book asks for that."""
    running: bool = False
    """A roll has been made on it; it can be neither taken down nor changed."""
    found: bool = False
    """Recorded by staff, outside the limits or late."""
    late: bool = False
    by: str | None = None
    """The member of staff who placed it, or a part of it, for the player."""
    behalf: int = 0
    """The part of the stake that was placed for the player."""
    point: int | None = None
    """Its own number, to which it has travelled."""
    called: Called | None = None
    """The player's call; None if the book's rule decides whether it works."""
    since_roll: int = 0
    """The part of a running bet that was added since the last roll."""
    commission: int = 0
    """The commission paid with the bet and held with it."""


class Purse(msgspec.Struct, frozen=True):
    """A player's colour chips at a table."""

    colour: str
    value: int
    """The value of one chip, in minor units; fixed at the purchase until all of them are redeemed."""

    def whole_chips(self, amount: int) -> int:
        """Return the part of an amount that is a whole number of these chips.

        >>> Purse("blue", 500).whole_chips(1_200), Purse("blue", 500).whole_chips(-1_200)
        (1000, -1000)
        """
        part = abs(amount) // self.value * self.value
        return part if amount >= 0 else -part


class DiceSet(msgspec.Struct, frozen=True):
    """The dice in the shaker."""

    set: str
    put_in: str
    sealed: bool
    first_used: str = ""
    """When the set was first put into a shaker for use, anywhere in the house."""
    serials: tuple[str, ...] = ()

    @property
    def since(self) -> str:
        """From when its time of use is counted."""
        return self.first_used or self.put_in


Place = Literal["in use", "covered", "removed", "signed"]


class KnownShaker(msgspec.Struct, frozen=True):
    """A shaker of the table: which one it is, and where it is."""

    place: Place = "in use"
    name: str = ""


class Check(msgspec.Struct, frozen=True):
    """How equipment was found when it was last checked against the book."""

    points: tuple[bool, ...]
    approval: str = ""
    approved_on: str = ""
    dice: str = ""
    """Of dice: the set that was checked; empty while none has been put into the shaker."""


class Ruling(msgspec.Struct, frozen=True):
    """A supervisor's decision about a wager."""

    bet: int
    player: str
    amount: int
    lay_on: str
    """The area where it was."""
    stands_on: str | None
    """The area where it counts; None where it was returned."""
    paid: int | None = None
    """Its win, if that was decided as well."""


class Round(msgspec.Struct, frozen=True):
    """A round of Sic Bo, or one roll of craps."""

    number: int
    done: tuple[str, ...] = ()
    """The steps taken so far."""
    announced: tuple[int, ...] = ()
    entered: tuple[int, ...] = ()
    entered_by: str | None = None
    shakes: int = 0
    flat: bool = True
    """Whether every die lies flat; if one does not, the round stops."""
    lit: tuple[str, ...] = ()
    ended: dict[str, str] = {}
    """Of a roll of craps: the areas whose game ended, and the row each reached; none where bets have their own."""
    decided: dict[int, str] = {}
    """Of a roll of craps: the bets with their own state that it decided, and the row each reached."""
    staying: tuple[int, ...] = ()
    """Those of them that stay up."""
    placed: tuple[str, ...] = ()
    """Of a roll of craps: the areas on which a lammer is placed."""
    cleared: tuple[str, ...] = ()
    """Of a roll of craps: the areas whose lammers come off."""
    low: tuple[str, ...] = ()
    """Players whose wager under the minimum was settled in this round; from the next one on theirs are returned."""
    witnesses: tuple[str, ...] = ()
    """The roles before whom the wagers are settled, if an irregularity requires it."""
    irregularities: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    """Irregularities on which someone has yet to rule; until then the round does not continue."""
    rulings: tuple[Ruling, ...] = ()
    """Decisions on wagers; of several on one wager the last."""
    unclear: tuple[int, ...] = ()
    """The wagers that were named as unclear: only on these a supervisor rules."""
    unruled: tuple[int, ...] = ()
    """Those of them on which nobody has ruled yet."""
    ceasing: bool = False
    """Whether play ceases after this round, for equipment that failed in it: nothing more is bet."""
    callers: dict[str, str] = {}
    """The last person to call each irregularity."""
    taken: dict[int, Bet] = {}
    """Wagers that were collected or paid in this round, as they were."""


class BeforeRoll(msgspec.Struct, frozen=True):
    """A craps table before its last roll, by which a wrong entry can be corrected."""

    round: int
    areas: dict[str, tuple[int, bool]]
    point: int | None
    shooter: str | None
    fresh: tuple[int, ...]
    """The bets on which no roll had been made."""
    bets: dict[int, Bet] = {}
    """All bets as they were; none at an automatic table, where nothing is corrected."""
    settled: bool = False
    """Whether wagers have been settled by the roll."""
    passed: bool = False
    """Whether someone else has got the dice since."""
    changed: str = ""
    """Which bet that took part in the roll was taken down or called since; empty while none was."""


class Settled(msgspec.Struct, frozen=True):
    """A round that is over, kept for disputes and corrections; one that was void has no dice and no lines."""

    number: int
    dice: tuple[int, ...]
    lines: tuple[Line, ...]
    ended: dict[str, str] = {}
    irregularities: tuple[str, ...] = ()
    """Of a round without an outcome: what was called in it."""


class Draw(msgspec.Struct, frozen=True):
    """The electronic tumbler's draw for a round: committed to, closed, and in the end revealed."""

    round: int
    commitment: str
    sealed: str
    mapping: int
    until: str | None = None
    """When betting closes; None while the countdown has not begun, or is held."""
    nonces: dict[str, str] = {}
    """The players' nonces, by name."""
    closed: str | None = None
    """The hash of the entry that closed betting; None before that."""
    reveal_by: str | None = None
    """When the dice are due, once betting is closed."""
    voided: bool = False


class Pause(msgspec.Struct, frozen=True):
    """An automatic table that is held."""

    words: str
    left: float | None


class Play(msgspec.Struct, frozen=True):
    """A player's activity at an automatic table today."""

    lost: int = 0
    """Losses less winnings."""
    seconds: int = 0


class Claim(msgspec.Struct, frozen=True):
    """A dispute about a round, and how it was decided."""

    round: int
    by: str
    upheld: bool | None = None
    """None while nobody has decided."""
    reason: str = ""


class Proposal(msgspec.Struct, frozen=True):
    """A resettlement that waits for a second person."""

    round: int
    dice: tuple[int, ...]
    by: str
    words: str


class Inventory(msgspec.Struct, frozen=True):
    """The table's takings and payments on a gaming day, in minor units."""

    day: str = ""
    opening: int | None = None
    closing: int | None = None
    fills: int = 0
    credits: int = 0
    drop: int = 0
    wagered: int = 0
    won: int = 0
    """The house's win on wagers, less the dealers' envy."""

    @property
    def hold(self) -> Fraction | None:
        """The win as a share of the drop; None while nothing was dropped."""
        return Fraction(self.won, self.drop) if self.drop else None


class _Areas(Mapping[str, Area]):
    """The areas as the engine sees them, each made when it is looked at: a bet looks at one or two of a hundred."""

    def __init__(self, areas: Mapping[str, tuple[int, bool]]) -> None:
        self._areas = areas

    def __getitem__(self, name: str) -> Area:
        state, won = self._areas[name]
        return Area(state, just_won=won)

    def __iter__(self) -> Iterator[str]:
        return iter(self._areas)

    def __len__(self) -> int:
        return len(self._areas)


class Books:
    """The rulebooks at hand, handed in with a table's first state; they are not part of its state.

    All of them are equal, and none is written to a snapshot.
    """

    def rules(self, setup: Setup) -> Rulebook:
        """Return the book of a set-up; raise where its content is not the one that was recorded."""
        raise LookupError(f"no books were handed in, and the table runs under {setup.book}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Books)

    def __hash__(self) -> int:
        return hash(Books)


class Table(msgspec.Struct, frozen=True):
    """A table between two events."""

    id: str
    setup: Setup | None = None
    open: bool = False
    step: int = 0
    """Moved by staff's acts only, so that a flood of bets does not make a dealer's command stale."""
    round: Round = Round(1)
    announced: str | None = None
    """The last announcement in the book's words, by a step or for an irregularity."""
    point: int | None = None
    areas: dict[str, tuple[int, bool]] = {}
    """The progress of each area: its state, and whether it was just won."""
    before_roll: BeforeRoll | None = None
    """The table before its last roll, while nothing was rolled since."""
    bets: Bets = Bets()
    next_bet: int = 1
    dice: DiceSet | None = None
    shaker: Shaker = "manual"
    shakers: dict[str, KnownShaker] = {}
    """The manual and the automated shaker of this table; they stay as they are while it is closed."""
    failed: dict[str, bool] = {}
    """Equipment that failed; true where play ceases for it."""
    inspected: dict[str, str] = {}
    """Each inspection that was passed, and in which shift."""
    failed_inspections: tuple[str, ...] = ()
    """Inspections that were failed when they were last made."""
    checks: dict[str, Check] = {}
    """The last check of each thing against the book."""
    shift: str = ""
    shift_started: str = ""
    """When the shift was started."""
    dealer: str | None = None
    power_failed: bool = False
    withdrawn: tuple[str, ...] = ()
    shooter: str | None = None
    purses: dict[str, Purse] = {}
    """The colour chips of each player who bought some here; the ledger has how many of them are left."""
    under_minimum: tuple[str, ...] = ()
    """Players whose wager under the minimum was settled in an earlier round."""
    history: tuple[Settled, ...] = ()
    terms_since: str = ""
    """When the set-up that patrons read (name, pays, limits, readings) came into force; empty in old records."""
    rules_since: int = 1
    """The round since which the current book, readings, options and pay tables apply."""
    disputed: tuple[int, ...] = ()
    claims: tuple[Claim, ...] = ()
    """The last disputes, for those who raised them."""
    proposal: Proposal | None = None
    inventory: Inventory = Inventory()
    """Of the gaming day."""
    shift_inventory: Inventory = Inventory()
    """Of the shift."""
    draw: Draw | None = None
    """At an automatic table: the draw that is not over."""
    paused: Pause | None = None
    tumbler_failed: str | None = None
    void_by: str | None = None
    """The person who proposed to void this round, pending a second person."""
    last_shooter: str | None = None
    rail: tuple[str, ...] = ()
    """The players at the rail of a craps table, clockwise."""
    refused: tuple[str, ...] = ()
    """Those of them who refused the dice since someone last had them."""
    play_day: str = ""
    plays: dict[str, Play] = {}
    """At an automatic table: what each player has done today."""
    books: Books = Books()

    @property
    def rules(self) -> Rulebook:
        """The book, under the table's readings and options."""
        assert self.setup is not None
        return self.books.rules(self.setup)

    @property
    def progress(self) -> Progress:
        """The progress of the areas, for the engine."""
        return Progress(Hand(None if self.point is None else Total(self.point)), _Areas(self.areas))

    @property
    def craps(self) -> bool:
        """Whether this is a craps table."""
        return self.rules.identity.game == "craps"

    @property
    def money(self) -> str:
        """The money of the chips here: at an automatic table play money, unless the manager says otherwise."""
        assert self.setup is not None
        run = self.setup.automatic
        return money_of(self.setup.currency, play=run is not None and not run.real_money)

    @property
    def automatic(self) -> Automatic | None:
        """How the table runs automatically; None if people run it."""
        return self.setup.automatic if self.setup else None


CLAIMS = 50
"""The number of disputes kept in the state."""

HISTORY = 50
"""The number of past rounds kept in the state, for disputes and corrections."""


def on_table(table: Table, shaker: str) -> bool:
    """Return whether a shaker is at the table for use, and has not been put away."""
    known = table.shakers.get(shaker)
    return shaker == table.shaker if known is None else known.place == "in use"


def shaker_name(rules: Rulebook, shaker: str) -> str | None:
    """Return what the book calls a shaker; None where it has no such one."""
    things = rules.equipment.items()
    return next((name for name, thing in things if thing.kind == "shaker" and thing.shaker == shaker), None)


def failed_kinds(table: Table) -> set[str]:
    """Return the kinds of equipment that failed, of what the table's book names.

    A table that was closed and opened under another book may have failed equipment that this book does not know.
    """
    return {table.rules.equipment[name].kind for name in table.failed if name in table.rules.equipment}


def shaken(table: Table) -> bool:
    """Return whether the dice of this round have been shaken."""
    return "shake" in acts_done(table)


def steps(table: Table) -> tuple[Step, ...]:
    """Return the steps of a round at this table that someone must take, in the book's order."""
    return table.rules.round_steps(table.shaker, table.round.irregularities)


def acts_done(table: Table) -> list[str]:
    """Return the acts of the steps taken in this round, in order."""
    if not table.round.done:
        return []
    acts = {step.id: step.act for step in table.rules.procedure.round}
    return [acts[step] for step in table.round.done]


def due(table: Table) -> Step | None:
    """Return the step that is due now, or None if the round is over."""
    for step in steps(table):
        if step.id not in table.round.done and _needed(table, step):
            return step
    return None


def may_take(table: Table, step: Step) -> bool:
    """Return whether a step may be taken now: it is the one due, or all that it comes after has been done.

    The steps of a roll of craps keep the order in which they are listed.
    """
    if step.id in table.round.done or step not in steps(table):
        return False
    return step == due(table) or (not table.craps and steps_before_done(table, step))


def steps_before_done(table: Table, step: Step) -> bool:
    """Return whether all steps before this one were taken; passive steps and those of another shaker do not count."""
    missing = [name for name in step.after if name not in table.round.done]
    return not missing or not any(other.id in missing for other in steps(table))


def _needed(table: Table, step: Step) -> bool:
    """Return whether a step has anything to do; other steps of a craps roll are left out."""
    if not table.craps or "roll" not in acts_done(table):
        return True
    match step.act:
        case "mark":
            return bool(areas_to_mark(table, step))
        case "collect losers":
            return _has(table, step.act) or bool(lammers_off(table, step))
        case "pay winners":
            return _has(table, step.act)
        case "remove lammers":
            return bool(lammers_off(table, step))
        case _:
            return True


def lammers_off(table: Table, step: Step) -> tuple[str, ...]:
    """Return the areas whose lammers come off in a step of this roll.

    Where the book removes them once winners are paid, a losing seven clears them with the bets; elsewhere they stay
    until the losing seven, and come off in their own step.
    """
    rules, every = table.rules, {other.id: other.act for other in steps(table)}
    seven = sum(table.round.entered) == SEVEN
    found: list[str] = []
    for removal in (other for other in steps(table) if other.act == "remove lammers"):
        after_pay = "pay winners" in {every.get(earlier) for earlier in removal.after}
        with_losers = after_pay and seven
        if (step.act == "collect losers") if with_losers else (step.id == removal.id and (after_pay or seven)):
            cleared = (area for area in table.round.cleared if rules.concerns(removal, area))
            found += (area for area in cleared if not after_pay or area in table.round.ended)
    return tuple(found)


def areas_to_mark(table: Table, step: Step) -> tuple[str, ...]:
    """Return the areas on which a step of this roll places a lammer: those of the book whose step it is."""
    return tuple(area for area in table.round.placed if table.rules.concerns(step, area))


def _has(table: Table, act: str) -> bool:
    rules = table.rules
    for bet in table.bets.values():
        row = row_of(table, bet)
        if row is not None:
            wager = rules.wagers[bet.wager]
            lost = row != RETURN_ROW and wager.pays[paytable_of(table, bet.wager)][row].result == "lose"
            if lost == (act == "collect losers"):
                return True
    return False


def row_of(table: Table, bet: Bet) -> str | None:
    """Return the row that a bet has reached by this roll of craps; None where it continues."""
    row = table.round.decided.get(bet.id)
    return table.round.ended.get(bet.wager) if row is None else row


def paytable_of(table: Table, wager: str) -> str | None:
    """Return the pay table in use for a wager at this table."""
    assert table.setup is not None
    rules = table.rules
    found = rules.wagers[wager]
    for name in (wager, found.family, found.group or ""):
        if name in table.setup.paytables:
            return table.setup.paytables[name]
    return rules.paytable(found)


def phase(table: Table) -> Phase:
    """Return the phase of a round."""
    acts = acts_done(table)
    if "collect losers" in acts or "pay winners" in acts:
        return "settling"
    dice_acts = {"reveal", "announce dice", "enter dice", "roll"}
    if dice_acts & set(acts):
        return "revealed"
    if table.draw is not None and table.draw.closed is not None and not table.draw.voided:
        return "closed"
    last = next((act for act in reversed(acts) if act in ("close betting", "shake")), None)
    if last == "shake" and "close betting" in acts and table.shaker == "automated" and _uncovered(table):
        return "revealed"
    if last == "shake":
        return "thrown"
    if last == "close betting":
        return "closed"
    return "betting" if betting_open(table) else "between rounds"


def _uncovered(table: Table) -> bool:
    """Return whether the dice are visible at once, as in an automated shaker without a cover."""
    return not any(step.act == "reveal" for step in steps(table))


def overdue(draw: Draw, at: str) -> bool:
    """Return whether the dice of a closed draw were due before this time."""
    return draw.reveal_by is not None and datetime.fromisoformat(at) > datetime.fromisoformat(draw.reveal_by)


def betting_open(table: Table) -> bool:
    """Return whether wagers may be made: from the announcement, or the start if there is none, until the close."""
    taking = table.rules.betting_step
    if table.automatic is not None and not _draw_open(table):
        return False
    opened = taking is not None and steps_before_done(table, taking)
    return opened and not {"close betting", "roll"} & set(acts_done(table))


def _draw_open(table: Table) -> bool:
    """Return whether the electronic tumbler has committed to a seed for this round, and not closed it."""
    draw = table.draw
    return draw is not None and not draw.voided and draw.closed is None


def offered(table: Table) -> str | None:
    """Return to whom the dice are offered: clockwise from the last shooter, past those who refused.

    None while someone has them, and where nobody at the rail wants them.
    """
    rail, last = table.rail, table.last_shooter
    if table.shooter is not None or not rail:
        return None
    first = rail.index(last) + 1 if last in rail else 0
    order = (*rail[first:], *rail[:first])
    return next((name for name in order if name not in table.refused), None)


def in_play(table: Table) -> bool:
    """Return whether a throw could decide a bet: there is one that its player has not called off."""
    return any(bet.called != "off" for bet in table.bets.values())


def idle(table: Table) -> bool:
    """Return whether the table is between rounds: nothing done, nothing bet since the last.

    An automatic table opens automatically: it is idle as long as nobody has bet.
    """
    if table.bets.fresh:
        return False
    if table.automatic is not None:
        return table.draw is None or table.draw.closed is None or table.draw.voided
    return not table.round.done
