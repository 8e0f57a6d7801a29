"""Place bets: check each against the player's other bets, and put all of them into one event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NoReturn

from pitbook.engine.windows import window_closed
from pitbook.ledger.transfers import Leg, Transfer
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.rights import check_consent, need_role
from pitbook.table.limits import limit_in, shares_limits, staked
from pitbook.table.people import PLAYER
from pitbook.table.refusals import Why
from pitbook.table.state import Bet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.ledger.accounts import Account
    from pitbook.rulebooks.text import Equipment, Step
    from pitbook.rulebooks.wagers import Wager
    from pitbook.table.decide.draft import Draft

COLOUR = "colour-chips"
RUNNING_BETS = "running-bets"
"""The reading by which a bet stays as it is once a roll has been made on it."""
FOUND = "found-on-layout"
"""The reading by which a player's own entry outside the limits is refused."""


class BetPlacement:
    """What a player lays in one command: the table is looked at once for each wager, and moved on once at the end."""

    def __init__(self, draft: Draft, name: str, *, moving: bool = False) -> None:
        self._draft = draft
        self._rules = draft.rules
        self._name = name
        self._chips = chips_of(draft)
        self._confirmed = _confirmed(draft)
        self._progress = draft.table.progress
        self._holds: dict[Account, int] = {}
        self._moving = moving
        self._next = draft.table.next_bet
        self._own: dict[str, list[Bet]] = {}
        self._placed: list[e.Placed] = []

    def lay(self, wanted: c.Wanted) -> None:
        """One more bet, or the refusal of all."""
        draft, rules = self._draft, self._rules
        wager = rules.wagers.get(wanted.wager)
        if wager is None:
            refuse_unknown(draft, wanted.wager)
        if wanted.amount <= 0:
            draft.refuse(Why.BAD_AMOUNT, "a stake is more than nothing")
        own = self._own.get(wager.id)
        if own is None:
            own = self._own[wager.id] = list(draft.table.bets.on(self._name, wager.id))
        self._check_kind(wanted, own)
        closed = window_closed(rules, self._progress, wager)
        if closed:
            says = f"{wager.id} cannot be made now: {closed.reason}"
            draft.refuse(Why.WINDOW_CLOSED, says, closed.clauses, reading=closed.reading)
        check_running(draft, own, wanted.kind)
        existing = unlocked(own, wanted.kind)
        self._check_limits(wager, wanted, own, existing)
        if not self._moving:
            self._check_held(wanted)
        self._put(wanted, own, existing)

    def _check_held(self, wanted: c.Wanted) -> None:
        """Refuse a stake beyond what is left of the chips it is made with, the bets before it counted."""
        draft, account = self._draft, self._draft.chips(self._name, wanted.kind)
        left = self._holds[account] if account in self._holds else draft.holds(account)
        if left < wanted.amount:
            chips = " in colour chips" if wanted.kind == "colour" else ""
            says = f"{self._name} holds {draft.money(left)}{chips}, and the stake is {draft.money(wanted.amount)}"
            draft.refuse(Why.NO_FUNDS, says, reading=COLOUR if wanted.kind == "colour" else None)
        self._holds[account] = left - wanted.amount

    def _put(self, wanted: c.Wanted, own: list[Bet], existing: Bet | None) -> None:
        if existing is None:
            number, lies = self._next, 0
            self._next += 1
        else:
            number, lies = existing.id, existing.amount
            own.remove(existing)
        own.append(Bet(number, self._name, wanted.wager, lies + wanted.amount, wanted.kind, self._confirmed))
        self._placed.append(e.Placed(number, wanted.wager, wanted.amount, wanted.kind, self._confirmed))

    def finish(self) -> None:
        """Tells what was laid: one bet by itself, several together."""
        placed, draft = self._placed, self._draft
        setup, person = draft.table.setup, draft.person
        by = None if person.role in (PLAYER, "shooter") else person.name
        consent = check_consent(draft, self._name) if setup is not None and setup.bet_consent else None
        if len(placed) == 1:
            one = placed[0]
            stake = self._name, one.wager, one.amount, one.kind, one.confirmed
            event: e.Event = e.BetPlaced(one.bet, *stake, by, consent)
            why = f"stake on {one.wager}"
        else:
            event = e.BetsPlaced(self._name, tuple(placed), by, consent)
            why = f"{len(placed)} stakes"
        taken: dict[Account, int] = {}
        for one in placed:
            account = draft.chips(self._name, one.kind)
            taken[account] = taken.get(account, 0) - one.amount
        legs = [*taken.items(), (draft.escrow, -sum(taken.values()))]
        draft.emit(event, Transfer(why, tuple(Leg(account, amount) for account, amount in legs)))

    def _check_limits(self, wager: Wager, wanted: c.Wanted, own: list[Bet], existing: Bet | None) -> None:
        draft, setup = self._draft, self._draft.table.setup
        assert setup is not None
        if shares_limits(self._rules):
            lies = sum(bet.amount for bet in own if not bet.late)
        else:
            lies = staked(own) if wanted.kind in c.OWN else existing.amount if existing else 0
        total, limit = wanted.amount + lies, limit_in(setup, self._rules, wager)
        if total < limit.stake_min:
            by, clauses, reading = limit_grounds(draft, wager, "stake_min")
            says = f"{draft.money(total)} on {wager.id} is under the minimum of {draft.money(limit.stake_min)}{by}"
            draft.refuse(Why.UNDER_MINIMUM, says, clauses, reading=reading)
        if total > limit.stake_max:
            by, clauses, reading = limit_grounds(draft, wager, "stake_max")
            says = f"{draft.money(total)} on {wager.id} is over the maximum of {draft.money(limit.stake_max)}{by}"
            draft.refuse(Why.OVER_MAXIMUM, says, clauses, reading=reading)

    def _check_kind(self, wanted: c.Wanted, own: list[Bet]) -> None:
        draft, chips = self._draft, self._chips
        if wanted.kind == "cash" and list(chips) == [COLOUR]:
            draft.refuse(Why.NOT_IN_THE_BOOK, "this book takes colour chips only", chips[COLOUR].clause)
        if wanted.kind == "colour":
            check_whole_chips(draft, self._name, wanted.amount)
        if wanted.kind not in c.OWN:
            step = tip_step(draft)
            if draft.table.automatic is not None:
                draft.refuse(Why.AUTOMATIC, "an automatic table has no dealers to tip")
            if step is None:
                draft.refuse(Why.NOT_IN_THE_BOOK, "this book takes no bets for the dealers")
            need_role(draft, [*step.who, "shooter"], step.clauses_on_who)
            if wanted.kind == "tip on top" and not lies_of(own, c.OWN):
                draft.refuse(Why.NO_SUCH_BET, "a tip on top lies on the player's own bet", step.clause)


def refuse_unknown(draft: Draft, wager: str) -> NoReturn:
    """Refuse a wager that is not on offer, by the clause that lists those that are."""
    reason, clauses = draft.rules.not_offered(wager)
    draft.refuse(Why.UNKNOWN_WAGER, f"{wager!r} cannot be bet here: {reason}", clauses)


def limit_grounds(
    draft: Draft, wager: Wager, bound: Literal["stake_min", "stake_max"]
) -> tuple[str, Sequence[str], str | None]:
    """Return who set a limit, where the text's own is wider, and on what clauses or reading it rests."""
    rules, setup = draft.rules, draft.table.setup
    assert setup is not None
    stated = getattr(wager.limits, bound, None)
    own = (rules.forbids.stakes or (), None if rules.forbids.stakes else FOUND)
    if stated is None or wager.limits is None:
        return "", *own
    if rules.cents(stated) != getattr(limit_in(setup, rules, wager), bound):
        return ", which this table sets", *own
    if (wager.id, bound) in rules.own_limits:
        return f", which {rules.id} sets", *own
    return "", wager.limits.clause, None


def chips_of(draft: Draft) -> dict[str, Equipment]:
    """The kinds of chips that the book speaks of."""
    return {name: thing for name, thing in draft.rules.equipment.items() if thing.kind == "chips"}


def check_whole_chips(draft: Draft, name: str, amount: int) -> None:
    """Refuse an amount that a player's colour chips do not make."""
    chips, own = chips_of(draft).get(COLOUR), draft.table.purses.get(name)
    if chips is None or own is None or amount % own.value:
        says = f"{name} has no colour chips that make {draft.money(amount)}"
        draft.refuse(Why.COLOUR_CHIPS, says, chips.clause if chips else ())


def tip_step(draft: Draft) -> Step | None:
    """The step in which the book takes bets for the dealers."""
    return next((step for step in draft.rules.procedure.round if step.act == "place tip"), None)


def _confirmed(draft: Draft) -> bool:
    """Where the book wants booked bets repeated aloud, every entry waits for that act; a screen repeats it at once."""
    if draft.table.automatic is not None:
        return True
    taking = draft.rules.betting_step
    return not any(
        step.act == "confirm bet" and taking and taking.id in step.after for step in draft.rules.procedure.round
    )


# -- of a player's bets on one wager


def lies_of(own: Sequence[Bet], kinds: tuple[c.Kind, ...]) -> bool:
    """Whether there is a bet of one of these kinds."""
    return any(bet.kind in kinds for bet in own)


def check_running(draft: Draft, own: Sequence[Bet], kind: c.Kind) -> None:
    """A bet on which a roll has been made stays as it is: it is not raised either."""
    if any(bet.running and bet.kind == kind for bet in own):
        says = "a roll has been made on it: it can be neither taken down nor changed"
        draft.refuse(Why.RUNNING, says, reading=RUNNING_BETS)


def unlocked(own: Sequence[Bet], kind: c.Kind) -> Bet | None:
    """The bet that may be raised or taken down."""
    return next((bet for bet in own if bet.kind == kind and not bet.running and not bet.found), None)
