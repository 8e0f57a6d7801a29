"""Place bets: check each against the player's other bets, and put all of them into one event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NoReturn

from msgspec.structs import replace

from pitbook.engine.standing import bet_refused
from pitbook.engine.windows import window_closed
from pitbook.ledger.transfers import Leg, Transfer
from pitbook.money import Cents
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.decide.rights import check_consent, need_role
from pitbook.table.limits import limit_in, shares_limits, staked
from pitbook.table.people import PLAYER
from pitbook.table.refusals import Reason
from pitbook.table.standing import commission_on, own_bets, standings
from pitbook.table.state import Bet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.engine.standing import Standing
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
    """The bets of one command: the table is read once for each wager, and advanced once at the end."""

    def __init__(self, draft: Draft, name: str) -> None:
        self._draft = draft
        self._rules = draft.rules
        self._name = name
        self._chips = chips_of(draft)
        self._progress = draft.table.progress
        self._holds: dict[Account, int] = {}
        self._next = draft.table.next_bet
        self._own: dict[str, list[Bet]] = {}
        self._placed: list[e.Placed] = []

    def add(self, wanted: c.BetRequest) -> None:
        """Add a bet, or refuse all of them."""
        draft, rules = self._draft, self._rules
        wager = rules.wagers.get(wanted.wager)
        if wager is None:
            refuse_unknown(draft, wanted.wager)
        if wanted.amount <= 0:
            draft.refuse(Reason.BAD_AMOUNT, "bets.stake")
        own = self._own.get(wager.id)
        if own is None:
            own = self._own[wager.id] = list(draft.table.bets.on(self._name, wager.id))
        self._check_kind(wanted, own)
        self._check_allowed(wager, wanted)
        if not wager.own_state:
            check_running(draft, own, wanted.kind)
        existing = find_raisable(own, wager, wanted.kind)
        self._confirmed = _confirmed(draft, wager.id)
        self._check_limits(wager, wanted, own, existing)
        lies, held = (existing.amount, existing.commission) if existing else (0, 0)
        commission = commission_on(draft.table, wager, lies + wanted.amount) - held
        self._check_held(wanted, commission)
        self._place(wanted, own, existing, commission)

    def _check_allowed(self, wager: Wager, wanted: c.BetRequest) -> None:
        """Refuse a bet outside its window, and odds without a parent or above their multiple."""
        rules, progress = self._rules, self._progress
        if wager.tied is None:
            closed = window_closed(rules, progress, wager)
        else:
            money = self._draft.table.money
            closed = bet_refused(rules, progress, self._standing(), wager, Cents(wanted.amount), money)
        if closed:
            self._draft.refuse(Reason.WINDOW_CLOSED, closed.message, closed.clauses, reading=closed.reading)

    def _standing(self) -> list[Standing]:
        """Return the player's bets behind which odds may be placed, those of this command included."""
        table = self._draft.table
        lying = [bet for bet in own_bets(table, self._name) if bet.wager not in self._own]
        laid = [bet for own in self._own.values() for bet in own if bet.kind in c.OWN]
        return standings(table, [*lying, *(bet for bet in laid if self._rules.wagers[bet.wager].own_state)])

    def _check_held(self, wanted: c.BetRequest, commission: int) -> None:
        """Refuse a stake beyond what is left of the chips it is made with, the bets before it counted."""
        draft = self._draft
        for account, amount in self._paid_from(wanted.kind, wanted.amount, commission).items():
            left = self._holds[account] if account in self._holds else draft.holds(account)
            if left < amount:
                self._refuse_short(wanted, commission, left)
            self._holds[account] = left - amount

    def _refuse_short(self, wanted: c.BetRequest, commission: int, left: int) -> NoReturn:
        draft, name = self._draft, self._name
        held, stake = draft.money(left), draft.money(wanted.amount)
        if wanted.kind == "colour":
            draft.refuse(Reason.NO_FUNDS, "bets.short-colour", reading=COLOUR, player=name, held=held, stake=stake)
        if commission:
            with_it = draft.money(commission)
            draft.refuse(
                Reason.NO_FUNDS, "bets.short-commission", player=name, held=held, stake=stake, commission=with_it
            )
        if name == draft.person.name:
            draft.refuse(Reason.NO_FUNDS, "bets.short-own", held=held, stake=stake)
        draft.refuse(Reason.NO_FUNDS, "bets.short", player=name, held=held, stake=stake)

    def _paid_from(self, kind: c.Kind, amount: int, commission: int) -> dict[Account, int]:
        """Return what a stake takes from each account; commission is paid in cash chips."""
        found = {self._draft.chips(self._name, kind): amount}
        if commission:
            cash = self._draft.player(self._name)
            found[cash] = found.get(cash, 0) + commission
        return found

    def _place(self, wanted: c.BetRequest, own: list[Bet], existing: Bet | None, commission: int) -> None:
        stake = self._name, wanted.wager, wanted.amount, wanted.kind, self._confirmed
        if existing is None:
            own.append(Bet(self._next, *stake, commission=commission))
            self._next += 1
        else:
            own.remove(existing)
            amount, held = existing.amount + wanted.amount, existing.commission + commission
            own.append(replace(existing, amount=amount, confirmed=self._confirmed, commission=held))
        number = own[-1].id
        self._placed.append(e.Placed(number, wanted.wager, wanted.amount, wanted.kind, self._confirmed, commission))

    def finish(self) -> None:
        """Emit the event for the bets: one for a single bet, one for several together."""
        placed, draft = self._placed, self._draft
        setup, person = draft.table.setup, draft.person
        by = None if person.role in (PLAYER, "shooter") else person.name
        consent = check_consent(draft, self._name) if setup is not None and setup.bet_consent else None
        if len(placed) == 1:
            one = placed[0]
            stake = self._name, one.wager, one.amount, one.kind, one.confirmed
            event: e.Event = e.BetPlaced(one.bet, *stake, by, consent, one.commission)
            why = f"stake on {one.wager}"
        else:
            event = e.BetsPlaced(self._name, tuple(placed), by, consent)
            why = f"{len(placed)} stakes"
        taken: dict[Account, int] = {}
        for one in placed:
            for account, amount in self._paid_from(one.kind, one.amount, one.commission).items():
                taken[account] = taken.get(account, 0) - amount
        legs = [*taken.items(), (draft.escrow, -sum(taken.values()))]
        draft.emit(event, Transfer(why, tuple(Leg(account, amount) for account, amount in legs)))

    def _check_limits(self, wager: Wager, wanted: c.BetRequest, own: list[Bet], existing: Bet | None) -> None:
        draft, setup = self._draft, self._draft.table.setup
        assert setup is not None
        if wager.own_state:
            lies = existing.amount if existing else 0
        elif shares_limits(self._rules):
            lies = sum(bet.amount for bet in own if not bet.late)
        else:
            lies = staked(own) if wanted.kind in c.OWN else existing.amount if existing else 0
        total, limit = wanted.amount + lies, limit_in(setup, self._rules, wager)
        if total < limit.stake_min:
            clauses, reading = limit_grounds(draft, wager, "stake_min")
            least = draft.money(limit.stake_min)
            draft.refuse(
                Reason.UNDER_MINIMUM, "bets.under-minimum", clauses, reading=reading, area=wager.name, least=least
            )
        if total > limit.stake_max:
            clauses, reading = limit_grounds(draft, wager, "stake_max")
            most = draft.money(limit.stake_max)
            draft.refuse(Reason.OVER_MAXIMUM, "bets.over-maximum", clauses, reading=reading, area=wager.name, most=most)

    def _check_kind(self, wanted: c.BetRequest, own: list[Bet]) -> None:
        draft, chips = self._draft, self._chips
        if wanted.kind == "cash" and list(chips) == [COLOUR]:
            draft.refuse(Reason.NOT_IN_THE_BOOK, "bets.colour-only", chips[COLOUR].clause)
        if wanted.kind == "colour":
            check_whole_chips(draft, self._name, wanted.amount)
        if wanted.kind not in c.OWN:
            step = tip_step(draft, wanted.wager)
            if draft.table.automatic is not None:
                draft.refuse(Reason.AUTOMATIC, "bets.no-dealers")
            if step is None:
                draft.refuse(Reason.NOT_IN_THE_BOOK, "bets.no-tips")
            need_role(draft, [*step.who, "shooter"], step.clauses_on_who)
            if wanted.kind == "tip on top" and not has_bet(own, c.OWN):
                draft.refuse(Reason.NO_SUCH_BET, "bets.tip-alone", step.clause)


def refuse_unknown(draft: Draft, wager: str) -> NoReturn:
    """Refuse a wager that is not on offer, by the clause that lists those that are."""
    draft.refuse(Reason.UNKNOWN_WAGER, "bets.not-offered", draft.rules.not_offered(wager), wager=wager)


def limit_grounds(
    draft: Draft, wager: Wager, bound: Literal["stake_min", "stake_max"]
) -> tuple[Sequence[str], str | None]:
    """Return on what clauses or reading a limit rests."""
    rules, setup = draft.rules, draft.table.setup
    assert setup is not None
    stated = getattr(wager.limits, bound, None)
    stakes = rules.forbids_of(wager.id).stakes
    own = (stakes or (), None if stakes else FOUND)
    if stated is None or wager.limits is None or (wager.id, bound) in rules.own_limits:
        return own
    return own if rules.cents(stated) != getattr(limit_in(setup, rules, wager), bound) else (wager.limits.clause, None)


def chips_of(draft: Draft) -> dict[str, Equipment]:
    """Return the kinds of chips that the book mentions."""
    return {name: thing for name, thing in draft.rules.equipment.items() if thing.kind == "chips"}


def check_whole_chips(draft: Draft, name: str, amount: int) -> None:
    """Refuse an amount that a player's colour chips do not make."""
    chips, own = chips_of(draft).get(COLOUR), draft.table.purses.get(name)
    if chips is None or own is None or amount % own.value:
        clauses = chips.clause if chips else ()
        draft.refuse(Reason.COLOUR_CHIPS, "bets.whole-chips", clauses, player=name, amount=draft.money(amount))


def tip_step(draft: Draft, wager: str) -> Step | None:
    """Return the step in which the book of a wager takes bets for the dealers."""
    tips = (step for step in draft.rules.procedure.round if step.act == "place tip")
    return next((step for step in tips if draft.rules.concerns(step, wager)), None)


def _confirmed(draft: Draft, wager: str) -> bool:
    """Return whether a bet counts at once, instead of waiting until it is repeated aloud as some books demand."""
    if draft.table.automatic is not None:
        return True
    rules, taking = draft.rules, draft.rules.betting_step
    return not any(
        step.act == "confirm bet" and taking and taking.id in step.after and rules.concerns(step, wager)
        for step in rules.procedure.round
    )


# -- of a player's bets on one wager


def has_bet(own: Sequence[Bet], kinds: tuple[c.Kind, ...]) -> bool:
    """Return whether there is a bet of one of these kinds."""
    return any(bet.kind in kinds for bet in own)


def check_running(draft: Draft, own: Sequence[Bet], kind: c.Kind) -> None:
    """Refuse to raise a bet on which a roll has been made."""
    if any(bet.running and bet.kind == kind for bet in own):
        draft.refuse(Reason.RUNNING, "bets.running", reading=RUNNING_BETS)


def find_raisable(own: Sequence[Bet], wager: Wager, kind: c.Kind, point: int | None = None) -> Bet | None:
    """Return the bet that may be raised or taken down: one on which no roll was made, or with its own state."""
    of_kind = (bet for bet in own if bet.kind == kind and not bet.found)
    return next((bet for bet in of_kind if (wager.own_state or not bet.running) and bet.point == point), None)
