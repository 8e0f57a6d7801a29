"""Sessions: the same bets, or a craps strategy, over many rounds from a bankroll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pitbook.engine.bankroll import Session as Result
from pitbook.engine.bankroll import bets_session
from pitbook.engine.session import bets_risk_of_ruin, risk_of_ruin
from pitbook.engine.strategy_session import session
from pitbook.errors import InputError
from pitbook.front.plays import Amount, Plan, cents, strategy_from, whole

if TYPE_CHECKING:
    from fractions import Fraction

    from pitbook.front.book import Book


class Session(Result):
    """A session: bets that are made again each round, or a craps strategy, from a bankroll.

    A round of bets is one throw, or lasts until the last of them has ended; a round of a strategy is one roll. All is
    exact, or certified with an `error`. Amounts are in the book's currency, results in minor units.

    >>> import pitbook
    >>> evening = pitbook.Session(pitbook.rulebook("dice-works"), {"all-lows": 5}, bankroll=200, rounds=60)
    >>> evening
    <Session of 60 rounds: ahead 43.83%, ruined 34.36%, mean -2,062>
    >>> round(float(evening.expected_rounds), 2), evening.percentile(50)
    (53.13, -12500)
    >>> craps = pitbook.rulebook("craps")
    >>> pitbook.Session(craps, "pass-and-odds", bankroll=200, rounds=20)
    <Session of 20 rounds: ahead 47.34%, ruined 2.68%, mean +41>
    """

    book: Book
    play: Plan
    paytables: Mapping[str, str] | None

    def __init__(
        self,
        book: Book,
        play: Plan,
        *,
        bankroll: Amount,
        rounds: int,
        paytables: Mapping[str, str] | None = None,
    ) -> None:
        """Compute the session; `paytables` is for bets on wagers with several pay tables."""
        cash = cents(book.rules, bankroll)
        whole(rounds, "rounds")
        if isinstance(play, Mapping):
            one = book.spread(play, paytables=paytables)
            found = bets_session(one.nets, one.stake, cash, rounds)
        elif paytables:
            raise InputError("games.strategy-paytables")
        else:
            found = session(book.rules, strategy_from(book.rules, play), cash, rounds)
        super().__init__(found.rounds, found.bankroll, found.nets, found.ruined_by, found.error)
        object.__setattr__(self, "book", book)
        object.__setattr__(self, "play", play)
        object.__setattr__(self, "paytables", paytables)

    def risk_of_ruin(self, target: Amount) -> Fraction | float:
        """Return the chance that the money is gone before it has grown to a target, however many rounds that takes."""
        goal = cents(self.book.rules, target)
        if isinstance(self.play, Mapping):
            one = self.book.spread(self.play, paytables=self.paytables)
            return bets_risk_of_ruin(one.nets, one.stake, self.bankroll, goal)
        return risk_of_ruin(self.book.rules, strategy_from(self.book.rules, self.play), self.bankroll, goal)
