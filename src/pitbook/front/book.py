"""A rulebook with everything that can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, overload

from pitbook.dice import Roll, parse_roll, parse_rolls
from pitbook.engine.analyse import Analysis, analyse_book
from pitbook.engine.illuminate import illuminate
from pitbook.engine.play import Act, Bet, Played, play
from pitbook.engine.progress import check_roll
from pitbook.engine.spread import Spread, spread
from pitbook.errors import InputError, quoted
from pitbook.front.plays import Amount, Plan, cents, stakes, strategy_from, whole
from pitbook.front.wagers import BookWager, digest_with, own_wager
from pitbook.money import read_share
from pitbook.results import Results
from pitbook.rulebooks.catalogue import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date
    from fractions import Fraction
    from pathlib import Path

    from pitbook.analysis.compare import Comparison
    from pitbook.analysis.design import Design
    from pitbook.analysis.lint import Finding
    from pitbook.engine.strategy import Rule, Strategy
    from pitbook.front.session import Session
    from pitbook.front.table import Table
    from pitbook.rulebooks.model import Rulebook
    from pitbook.simulation.estimates import Estimates
    from pitbook.simulation.strategies import Sessions
    from pitbook.wager.games import Game


def rulebook(
    source: str | Path,
    *,
    readings: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    as_printed: bool = False,
) -> Book:
    """Return a packaged book by its id, or any book by its path, under chosen readings and house options.

    >>> rulebook("massachusetts-sic-bo", readings={"double-with-triple": "exactly-two"})["two-of-a-kind/1"].chance
    Fraction(5, 72)
    """
    return Book(load(source, readings=readings, options=options, as_printed=as_printed))


@dataclass(frozen=True, slots=True, repr=False)
class Book:
    """A rulebook to work with.

    >>> book = rulebook("massachusetts-sic-bo")
    >>> book
    <Book massachusetts-sic-bo: 50 wagers, 3 dice, USD>
    >>> len(book), "small" in book, book["small"].edge
    (50, True, Fraction(1, 36))
    """

    rules: Rulebook

    def __repr__(self) -> str:
        return f"<Book {self.id}: {len(self)} wagers, {self.rules.dice} dice, {self.rules.identity.currency}>"

    def _repr_html_(self) -> str:
        identity = self.rules.identity
        found = self.analyse()
        return (
            f"<div><b>{escape(identity.title)}</b><br><small>{escape(identity.authority)} · {escape(self.id)} · "
            f"{self.rules.digest[:12]}</small>{found._repr_html_()}</div>"
        )

    @property
    def id(self) -> str:
        """The book's id."""
        return self.rules.id

    @property
    def wagers(self) -> tuple[str, ...]:
        """The ids of all wagers on offer, in the book's order."""
        return tuple(self.rules.wagers)

    def __len__(self) -> int:
        return len(self.rules.wagers)

    def __iter__(self) -> Iterator[BookWager]:
        return (self.wager(wager_id) for wager_id in self.rules.wagers)

    def __contains__(self, wager_id: object) -> bool:
        return wager_id in self.rules.wagers

    def __getitem__(self, wager_id: str) -> BookWager:
        """Return a wager by its id."""
        return self.wager(wager_id)

    def wager(self, wager_id: str) -> BookWager:
        """Return a wager by its id."""
        return BookWager(self.rules, self.rules.wager(wager_id))

    # -- on the dice

    def illuminate(self, dice: str | Roll) -> tuple[str, ...]:
        """Return the areas that win on these dice, from a clear layout.

        >>> rulebook("maryland-sic-bo").illuminate("6-6-6")[:2]
        ('three-of-a-kind/6', 'two-of-a-kind/6')
        """
        roll = dice if isinstance(dice, Roll) else parse_roll(dice, self.rules.dice)
        check_roll(self.rules, roll)
        return illuminate(self.rules, roll)

    def settle(
        self,
        bets: Mapping[str, Amount] | Iterable[Bet],
        rolls: str | Iterable[Roll | str],
        acts: Iterable[Act] = (),
        *,
        paytables: Mapping[str, str] | None = None,
    ) -> Played:
        """Play bets through rolls: a mapping of wagers to amounts made before the first roll, or `Bet`s.

        Acts take bets of craps down, or call them on or off, before a roll. Amounts are in the book's currency ("2.50",
        or whole units as an int); results are in minor units.

        >>> played = rulebook("dice-works").settle({"all-lows": 5, "roll-the-line": 10}, "3-1 6-6 2-2 4-3")
        >>> [(outcome.bet.wager, outcome.result, outcome.net) for outcome in played.outcomes]
        [('all-lows', 'lose', -500), ('roll-the-line', 'running', 0)]
        >>> place = Bet("place/8", 12_00, before_roll=2)
        >>> played = rulebook("craps").settle([place], "3-3 4-4 3-4", [Act("take down", "place/8", before_roll=3)])
        >>> [(outcome.result, outcome.net) for outcome in played.outcomes]
        [('taken-down', 1400)]
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
                raise InputError("games.not-a-bet", bet=quoted(bet)) from None
            made.append(Bet(wager_id, cents(self.rules, amount), paytable=tables.get(wager_id)))
        dice = self.rules.dice
        if isinstance(rolls, str):
            thrown = parse_rolls(rolls, dice)
        else:
            thrown = tuple(parse_roll(roll, dice) if isinstance(roll, str) else roll for roll in rolls)
        return play(self.rules, made, thrown, tuple(acts))

    def table(self, **setup: Any) -> Table:
        """Return a table under this book, open and ready for bets."""
        from pitbook.front.table import Table

        return Table(self, **setup)

    # -- figures

    def analyse(self, *wagers: str, paytables: Mapping[str, str] | None = None) -> Results[Analysis]:
        """Return the exact figures of the wagers named, or of all, under each pay table.

        >>> found = rulebook("dice-works").analyse("all-lows", "the-works")
        >>> [(one.wager.id, one.paytable, round(float(one.house_edge), 4)) for one in found[:2]]
        [('all-lows', 'PT1', 0.0776), ('all-lows', 'PT2', 0.183)]
        >>> found["the-works"].expected_rolls == found[2].expected_rolls
        True
        """
        found = analyse_book(self.rules, wagers or None, paytables)
        return Results(f"Figures of {self.id}", found, lambda one: one.wager.id)

    def compare(self, *others: Book, wagers: Iterable[str] | None = None) -> Results[Comparison]:
        """Return the bets that this book and others offer, side by side; alone, this book's own pay tables.

        >>> both = rulebook("massachusetts-sic-bo").compare(rulebook("singapore-mbs-sic-bo-v6"))
        >>> both["Total 4"].edges
        [Fraction(7, 24), Fraction(1, 8)]
        """
        from pitbook.analysis.compare import compare

        for other in others:
            if not isinstance(other, Book):
                raise InputError("games.not-a-book", other=quoted(other))
        books = [self.rules, *(other.rules for other in others)]
        found = compare(books, list(wagers) if wagers is not None else None)
        return Results("Comparison of " + ", ".join(book.id for book in books), found, lambda one: one.name)

    def spread(self, bets: Mapping[str, Amount], *, paytables: Mapping[str, str] | None = None) -> Spread:
        """Return the joint result of bets made before the same roll, from that roll until the last has ended.

        >>> rulebook("massachusetts-sic-bo").spread({"small": 10, "any-three-of-a-kind": 1})
        <Spread: 3 results, house edge 5.3030%, ahead 51.3889%>
        """
        return spread(self.rules, stakes(self.rules, bets), paytables)

    def session(
        self, play: Plan, *, bankroll: Amount, rounds: int, paytables: Mapping[str, str] | None = None
    ) -> Session:
        """Return the exact result of many rounds of the same bets, or of a craps strategy, from a bankroll.

        >>> rulebook("massachusetts-sic-bo").session({"small": 5}, bankroll=50, rounds=40)
        <Session of 40 rounds: ahead 36.87%, ruined 15.32%, mean -530>
        """
        from pitbook.front.session import Session

        return Session(self, play, bankroll=bankroll, rounds=rounds, paytables=paytables)

    def lint(self, min_return: Fraction | float | str | None = None) -> Results[Finding]:
        """Return what is questionable about the pays, worst first; also what returns less than a share like "75%".

        >>> rulebook("singapore-mbs-sic-bo-v6").lint()
        <Findings in singapore-mbs-sic-bo-v6: 0>
        """
        from pitbook.analysis.lint import lint

        floor = None if min_return is None else read_share(min_return, "min_return")
        if floor is not None and not 0 <= floor <= 1:
            raise InputError("money.not-a-share", name="min_return", text=quoted(min_return))
        return Results(f"Findings in {self.id}", lint(self.rules, floor), lambda one: one.wager)

    def design(
        self,
        wager_id: str,
        *,
        edge: Fraction | float | str,
        hit_frequency: Fraction | float | str | None = None,
        variance: Fraction | float | None = None,
        denominators: int = 1,
        rising: bool = True,
        paytable: str | None = None,
    ) -> Design:
        """Return the pays that come closest to a house edge, and to a hit frequency and a variance where given.

        Odds are `x to y` with y up to `denominators`; unless `rising` is False, no row pays less than the one below it.

        >>> proposal = rulebook("massachusetts-sic-bo").design("total/4", edge="8%")
        >>> proposal
        <Design of total/4: 65 to 1, house edge 8.3333%>
        """
        from pitbook.analysis.design import Targets, design

        targets = Targets.read(edge, hit_frequency, variance)
        wager = self.rules.wager(wager_id)
        finest = whole(denominators, "denominators")
        return design(self.rules, wager, targets, paytable, denominators=finest, rising=rising)

    # -- by chance

    @overload
    def simulate(
        self,
        play: Mapping[str, Amount],
        *,
        hands: int = ...,
        seed: int = ...,
        paytables: Mapping[str, str] | None = ...,
    ) -> Estimates: ...

    @overload
    def simulate(
        self, play: Sequence[Rule] | Strategy | str, *, hands: int = ..., rolls: int = ..., seed: int = ...
    ) -> Sessions: ...

    def simulate(
        self,
        play: Plan,
        *,
        hands: int = 100_000,
        rolls: int = 100,
        seed: int = 1,
        paytables: Mapping[str, str] | None = None,
    ) -> Estimates | Sessions:
        """Return the result of a number of hands of bets, or sessions of a craps strategy, beside the exact values.

        A strategy plays `rolls` rolls in each session. The same seed gives the same result.

        >>> found = rulebook("massachusetts-sic-bo").simulate({"small": 5}, hands=10_000)
        >>> found
        <Estimates of 10,000 hands: house edge 3.68% (2.78% exactly)>
        """
        whole(hands, "hands")
        whole(rolls, "rolls")
        if isinstance(play, Mapping):
            from pitbook.simulation.bets import place_bets
            from pitbook.simulation.estimates import estimate
            from pitbook.simulation.runner import run

            placed = stakes(self.rules, play)
            bets = place_bets(self.rules, placed, hands=hands, seed=seed, paytables=paytables)
            return estimate(self.rules, bets, run(bets).result)
        from pitbook.engine.session import chain
        from pitbook.simulation.strategies import Sessions, play_sessions

        found = chain(self.rules, strategy_from(self.rules, play))
        return Sessions(found, rolls, play_sessions(found, hands, rolls, seed))

    # -- books of one's own

    def with_game(self, wager_id: str, game: Game, pays: Mapping[str, str], *, name: str | None = None) -> Book:
        """Return this book with one more wager, decided by a game that was written in Python.

        `pays` has the odds of each row of the game, like "9 to 1" or "push"; rows left out lose.
        """
        wager = own_wager(self.rules, wager_id, game, pays, name)
        return Book(
            replace(
                self.rules,
                wagers={**self.rules.wagers, wager_id: wager},
                every={**self.rules.every, wager_id: wager},
                digest=digest_with(self.rules, wager),
            )
        )

    def write_sheet(
        self,
        path: str | Path,
        *wagers: str,
        prepared_by: str = "",
        approved_by: str = "",
        made_on: date | None = None,
        rounds_per_hour: int = 60,
        shift_hours: int = 8,
    ) -> None:
        """Write the PAR sheet to a file; its ending chooses the format: .html, .pdf, .csv, .xlsx or .json."""
        from pathlib import Path

        from pitbook.analysis.variants import variants
        from pitbook.reports.contents import Filing
        from pitbook.reports.sheet import form_of, write_sheets
        from pitbook.reports.volatility import Pace

        found = variants(self.rules, wagers or None)
        file = Path(path)
        filing = Filing(made_on, prepared_by, approved_by, Pace(rounds_per_hour, shift_hours))
        write_sheets(self.rules, found, {file: form_of(file)}, filing)
