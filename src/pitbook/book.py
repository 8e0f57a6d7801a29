"""A rulebook with everything that can be done with it: the front of the Python API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pitbook.dice import Roll, parse_roll, parse_rolls
from pitbook.engine.analyse import Analysis, analyse
from pitbook.engine.chance import chance
from pitbook.engine.illuminate import illuminate
from pitbook.engine.play import Bet, Played, play
from pitbook.engine.progress import check_roll
from pitbook.errors import InputError, quoted
from pitbook.money import Cents, Odds, parse_amount
from pitbook.rulebooks.catalogue import load
from pitbook.wager.machine import Machine, machine_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction
    from pathlib import Path

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.wagers import Wager


def rulebook(
    source: str | Path,
    *,
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    as_printed: bool = False,
) -> Book:
    """A packaged book by its id, or any book by its path, under chosen readings and house options.

    >>> rulebook("massachusetts-sic-bo", readings={"double-with-triple": "exactly-two"}).wager("two-of-a-kind/1").chance
    Fraction(5, 72)
    """
    return Book(load(source, readings=readings, options=options, as_printed=as_printed))


@dataclass(frozen=True, slots=True)
class BookWager:
    """One wager of a book, with what can be asked about it."""

    rules: Rulebook
    wager: Wager

    @property
    def id(self) -> str:
        """The wager's id."""
        return self.wager.id

    @property
    def machine(self) -> Machine:
        """Its compiled machine."""
        return machine_of(self.wager.spec, self.rules.dice)

    @property
    def chance(self) -> Fraction:
        """The exact chance that it wins, from its start."""
        return chance(self.rules, self.wager, self.machine.start())

    def analyse(self, paytable: str | None = None) -> Analysis:
        """Its exact figures under a pay table, the first one unless named.

        >>> rulebook("dice-works").wager("parlay/2x2").analyse().house_edge
        Fraction(9, 49)
        """
        return analyse(self.rules, self.wager, paytable)

    def pays(self, paytable: str | None = None) -> Mapping[str, Odds]:
        """What each row pays under a pay table, the first one unless named.

        >>> str(rulebook("dice-works").wager("all-lows").pays("PT2")["win"])
        '30 to 1'
        """
        return self.wager.pays[self.rules.paytable(self.wager, paytable)]


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook to work with."""

    rules: Rulebook

    @property
    def id(self) -> str:
        """The book's id."""
        return self.rules.id

    @property
    def wagers(self) -> tuple[str, ...]:
        """The ids of all wagers on offer, in the book's order."""
        return tuple(self.rules.wagers)

    def wager(self, wager_id: str) -> BookWager:
        """One wager by its id."""
        return BookWager(self.rules, self.rules.wager(wager_id))

    def illuminate(self, dice: str | Roll) -> tuple[str, ...]:
        """The areas that win on these dice, from a clear layout.

        >>> rulebook("maryland-sic-bo").illuminate("6-6-6")[:2]
        ('three-of-a-kind/6', 'two-of-a-kind/6')
        """
        roll = dice if isinstance(dice, Roll) else parse_roll(dice, self.rules.dice)
        check_roll(self.rules, roll)
        return illuminate(self.rules, roll)

    def settle(
        self,
        bets: Mapping[str, str | int] | Iterable[Bet],
        rolls: str | Iterable[Roll | str],
        *,
        paytables: Mapping[str, str] | None = None,
    ) -> Played:
        """Plays bets through rolls: a mapping of wagers to amounts made before the first roll, or `Bet`s.

        Amounts are in the book's currency ("2.50", or whole units as an int); results are in minor units.

        >>> played = rulebook("dice-works").settle({"all-lows": 5, "roll-the-line": 10}, "3-1 6-6 2-2 4-3")
        >>> [(outcome.bet.wager, outcome.result, outcome.net) for outcome in played.outcomes]
        [('all-lows', 'lose', -500), ('roll-the-line', 'running', 0)]
        """
        tables = paytables or {}
        for name in tables:
            self.rules.wager(name)
        made = []
        for bet in bets.items() if isinstance(bets, Mapping) else bets:
            if isinstance(bet, Bet):
                made.append(bet)
                continue
            try:
                wager_id, amount = bet
            except (TypeError, ValueError):
                raise InputError(f"{quoted(bet)} is not a bet; give a Bet, or a dict of wagers to amounts") from None
            made.append(Bet(wager_id, self._cents(amount), paytable=tables.get(wager_id)))
        dice = self.rules.dice
        if isinstance(rolls, str):
            thrown = parse_rolls(rolls, dice)
        else:
            thrown = tuple(parse_roll(roll, dice) if isinstance(roll, str) else roll for roll in rolls)
        return play(self.rules, made, thrown)

    def _cents(self, amount: str | int) -> Cents:
        if type(amount) not in (str, int):
            raise InputError(f'{quoted(amount)} is not an amount; give whole units as an int, or a text like "2.50"')
        text = amount if isinstance(amount, str) else str(min(amount, 10**16))
        return parse_amount(text, self.rules.decimals)
