"""A rulebook for a test: the packaged one, or one with a changed value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from typing import Any, Literal

from pitbook.dice import Roll, parse_rolls
from pitbook.engine.play import Act, Bet, Outcome, Played, play
from pitbook.engine.progress import Progress, advance, initial_progress
from pitbook.engine.windows import Closed, window_closed
from pitbook.money import Cents, Odds
from pitbook.rulebooks.catalogue import build, packaged_raw
from pitbook.rulebooks.errors import BookError
from pitbook.rulebooks.extensions import find_out_of_bounds
from pitbook.rulebooks.model import Rulebook
from pitbook.rulebooks.patches import copied, set_key

Throw = tuple[int, int, int]
FACES = range(1, 7)
THROWS: tuple[Throw, ...] = tuple(product(FACES, FACES, FACES))
ACTS: dict[str, Literal["take down", "on", "off"]] = {"take down": "take down", "on": "on", "off": "off"}


def patched(data: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a book's raw data with some existing keys changed."""
    changed: dict[str, Any] = copied(data)
    for key, new in changes.items():
        set_key(changed, key, new)
    return changed


def played(rules: Rulebook, bets: str, rolls: str, acts: str = "", paytable: str | None = None) -> Played:
    """Play bets such as "all-lows=5 the-works=0.50@3" through rolls such as "3-1 6-6".

    Acts are written "on place/6@1, take down place/6@3".
    """
    made = []
    for word in bets.split():
        wager, _, rest = word.partition("=")
        amount, _, before = rest.partition("@")
        made.append(Bet(wager, Cents(round(float(amount) * rules.cents(1))), int(before or 1), paytable))
    done = []
    for line in filter(None, acts.split(",")):
        what, _, rest = line.strip().rpartition(" ")
        wager, _, before = rest.partition("@")
        done.append(Act(ACTS[what], wager, int(before)))
    return play(rules, made, parse_rolls(rolls, rules.dice), done)


def beyond_the_base(own: Rulebook, base: Rulebook) -> list[BookError]:
    """Return what a book changes beyond what the book that it extends allows."""
    return list(find_out_of_bounds(own.wagers.values(), own.identity, base, "own.toml"))


@dataclass(frozen=True)
class Copy:
    """A book's raw data, with shortcuts to evaluate it."""

    raw: dict[str, Any]
    _built: dict[Any, Rulebook] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    @cache
    def packaged(cls, book_id: str) -> Copy:
        """Return the packaged book, built once and shared by all tests, which must not change it."""
        return cls(packaged_raw(book_id))

    def under(
        self,
        readings: dict[str, str] | None = None,
        options: dict[str, str] | None = None,
        *,
        as_printed: bool = False,
    ) -> Rulebook:
        """Return the book under chosen readings and house options."""
        key = tuple((readings or {}).items()), tuple((options or {}).items()), as_printed
        if key not in self._built:
            self._built[key] = build(self.raw, "copy.toml", readings=readings, options=options, as_printed=as_printed)
        return self._built[key]

    @property
    def rules(self) -> Rulebook:
        """Return the book with its default readings and options."""
        return self.under()

    # -- Sic Bo

    def winning_throws(self, wager: str) -> set[Throw]:
        """Return the ordered throws of three dice on which a stake of one wins."""
        return {throw for throw, net in self.nets(wager).items() if net > 0}

    def nets(self, wager: str, stake: int = 100) -> dict[Throw, int]:
        """Return the gain of a stake on each of the 216 throws."""
        rules = self.rules
        by_roll = {
            roll: play(rules, [Bet(wager, Cents(stake))], [roll]).net for roll in {Roll.of(*throw) for throw in THROWS}
        }
        return {throw: by_roll[Roll.of(*throw)] for throw in THROWS}

    # -- craps

    def play(
        self,
        bets: str,
        rolls: str,
        *,
        paytable: str | None = None,
        readings: dict[str, str] | None = None,
        options: dict[str, str] | None = None,
        acts: str = "",
    ) -> Played:
        """Play bets and acts, written as for `played`."""
        return played(self.under(readings, options), bets, rolls, acts, paytable)

    def outcome(self, bet: str, rolls: str, **choices: Any) -> Outcome:
        """Return the outcome of one bet."""
        return self.play(bet, rolls, **choices).outcomes[0]

    def after(self, rolls: str, **choices: Any) -> tuple[Rulebook, Progress]:
        """Return the table after some rolls from a new shooter's come-out."""
        rules = self.under(**choices)
        progress = initial_progress(rules)
        for roll in parse_rolls(rolls, rules.dice) if rolls else ():
            progress = advance(rules, progress, roll).progress
        return rules, progress

    def closed(self, wager: str, rolls: str, **choices: Any) -> Closed | None:
        """Return why the wager is closed after these rolls, or None if it is open."""
        rules, progress = self.after(rolls, **choices)
        return window_closed(rules, progress, rules.wager(wager))

    def odds(self, wager: str, row: str = "win", paytable: str | None = None) -> Odds:
        """Return what a row pays."""
        rules = self.rules
        found = rules.wager(wager)
        return found.pays[rules.paytable(found, paytable)][row]


def throws(condition: Callable[[int, int, int], bool]) -> set[Throw]:
    """Return the ordered throws that satisfy a predicate."""
    return {throw for throw in THROWS if condition(*throw)}
