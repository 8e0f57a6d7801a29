"""Settlement of a wager: the row's odds, the stake, rounding, cap and the dealers' envy."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pitbook.currencies import format_amount
from pitbook.errors import InputError, bracketed, quoted
from pitbook.messages import Message
from pitbook.money import Cents, Odds, settle_stake

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager


@dataclass(frozen=True, slots=True)
class Settlement:
    """A wager's end in money."""

    wager: str
    stake: Cents
    paytable: str | None
    row: str
    odds: Odds
    net: Cents
    """The player's gain: winnings without the stake, or minus the stake."""
    clauses: tuple[str, ...]
    capped: Cents = Cents(0)
    """The reduction by a payoff cap."""
    rounding: Fraction = Fraction(0)
    """The amount added (or, if negative, removed) by rounding to whole minor units."""
    envy: Cents = Cents(0)
    """The amount that the house pays the dealers."""

    @property
    def exact(self) -> Fraction | None:
        """The exact net where rounding changed it; None where it is exact, or a cap decided it."""
        return self.net - self.rounding if self.rounding and not self.capped else None

    @property
    def result(self) -> str:
        """ "win", "push" or "lose"."""
        return self.odds.result


def settle(book: Rulebook, wager: Wager, stake: Cents, row: str, paytable: str | None = None) -> Settlement:
    """Settles one wager by the row that it reached."""
    table = book.paytable(wager, paytable)
    odds = wager.pays[table][row]
    payment = settle_stake(stake, odds, book.favour, book.odds.unit)
    net, capped, clauses = payment.net, Cents(0), wager.clauses_of(table, row)
    limits = wager.limits
    if limits and limits.payoff_max and net > book.cents(limits.payoff_max):
        capped = Cents(net - book.cents(limits.payoff_max))
        net = book.cents(limits.payoff_max)
        clauses = _with(clauses, limits.clause)
    if payment.rounding and book.odds.unit_clause:
        clauses = _with(clauses, book.odds.unit_clause)
    if odds.commission and wager.commission:
        clauses = _with(clauses, wager.commission.clause)
    envy = envy_of(book, wager, stake) if odds.wins else Cents(0)
    if envy and wager.envy:
        clauses = _with(clauses, wager.envy.clause)
    return Settlement(wager.id, stake, table, row, odds, net, clauses, capped, payment.rounding, envy)


def envy_of(book: Rulebook, wager: Wager, stake: Cents) -> Cents:
    """Return what the house pays the dealers when a wager wins: a fixed amount, or a multiple of the stake."""
    if not wager.envy or not wager.envy_pays:
        return Cents(0)
    by_stake = wager.envy.unit == "multiple of the wager"
    return Cents(wager.envy_pays * stake) if by_stake else book.cents(wager.envy_pays)


def _with(clauses: tuple[str, ...], more: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*clauses, *more]))


def check_stake(book: Rulebook, wager: Wager, stake: Cents) -> None:
    """Refuse a stake that is not positive or outside the text's own limits."""
    if type(stake) is not int:
        raise InputError("engine.stake-whole", stake=quoted(stake), wager=wager.id)
    if stake < 1:
        raise InputError("engine.stake-positive", stake=stake, wager=wager.id)
    limits = wager.limits
    if limits is None:
        return
    money = f"{format_amount(stake, book.decimals)} {book.identity.currency}"

    def by(bound: str) -> str | Message:
        clauses = bracketed(limits.clause)
        own = (wager.id, bound) in book.own_limits
        return Message("errors.engine.own-limit", {"book": book.id, "clauses": clauses}) if own else clauses

    if limits.stake_min and stake < book.cents(limits.stake_min):
        raise InputError(
            "engine.stake-under", stake=money, wager=wager.id, least=limits.stake_min, clauses=by("stake_min")
        )
    if limits.stake_max and stake > book.cents(limits.stake_max):
        raise InputError(
            "engine.stake-over", stake=money, wager=wager.id, most=limits.stake_max, clauses=by("stake_max")
        )
