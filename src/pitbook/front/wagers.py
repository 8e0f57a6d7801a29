"""One wager of a book with its figures, and wagers that are decided by a game written in Python."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitbook.engine.analyse import Analysis, analyse
from pitbook.engine.chance import chance
from pitbook.engine.draw import diagram
from pitbook.engine.draw.svg import svg
from pitbook.engine.duration import Duration, duration
from pitbook.errors import InputError, bracketed, quoted
from pitbook.money import LOSE, Odds
from pitbook.rulebooks.text import Label
from pitbook.rulebooks.wagers import Own, Wager
from pitbook.wager.machine import Machine, check_game, machine_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from pitbook.results import Library
    from pitbook.rulebooks.model import Rulebook
    from pitbook.wager.games import Game


@dataclass(frozen=True, slots=True, repr=False)
class BookWager:
    """One wager of a book, with what can be asked about it; figures are under its first pay table unless named.

    >>> from pitbook import rulebook
    >>> rulebook("massachusetts-sic-bo")["total/4"]
    <Wager total/4: 50 to 1, house edge 29.1667%>
    """

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

    @property
    def edge(self) -> Fraction:
        """The house edge."""
        return self.analyse().house_edge

    @property
    def variance(self) -> Fraction:
        """The variance of the gain on one unit."""
        return self.analyse().variance

    @property
    def expected_rolls(self) -> Fraction:
        """The average number of rolls on which it works until it is decided."""
        return self.analyse().expected_rolls

    def analyse(self, paytable: str | None = None) -> Analysis:
        """Return its exact figures.

        >>> from pitbook import rulebook
        >>> rulebook("dice-works").wager("parlay/2x2").analyse().house_edge
        Fraction(9, 49)
        """
        return analyse(self.rules, self.wager, paytable)

    def pays(self, paytable: str | None = None) -> Mapping[str, Odds]:
        """Return what each row pays.

        >>> from pitbook import rulebook
        >>> str(rulebook("dice-works").wager("all-lows").pays("PT2")["win"])
        '30 to 1'
        """
        return self.wager.pays[self.rules.paytable(self.wager, paytable)]

    def duration(self, rolls: int = 30) -> Duration:
        """Return the exact chance that it ends on the first, second, third … roll."""
        return duration(self.rules, self.wager, rolls)

    def draw(self) -> str:
        """Return a diagram of its states as SVG."""
        return svg(diagram(self.rules, self.wager))

    def to_frame(self, library: Library | None = None, *, exact: bool = False) -> Any:
        """Return its figures as a frame, one row for each pay table."""
        from pitbook.results import frame

        rows = [row for table in self.wager.paytables for row in self.analyse(table).rows()]
        return frame(rows, library, exact=exact)

    def to_json(self, indent: int | None = 2) -> str:
        """Return its figures as JSON."""
        return self.analyse().to_json(indent)

    def __repr__(self) -> str:
        pays = ", ".join(self.rules.printed(odds) for odds in self.pays().values() if odds.wins)
        return f"<Wager {self.id}: {pays}, house edge {float(self.edge):.4%}>"

    def _repr_html_(self) -> str:
        return self.analyse()._repr_html_()


OWN_CLAUSE = "own game"
"""Used in place of a clause."""


def own_wager(rules: Rulebook, wager_id: str, game: Game, pays: Mapping[str, str], name: str | None) -> Wager:
    """Return the wager that a game decides, checked: every state can end, every row is known."""
    if wager_id in rules.every:
        raise InputError("games.wager-exists", book=rules.id, wager=quoted(wager_id))
    check_game(game, rules.dice)
    wrong = [row for row in pays if row not in game.rows]
    if wrong:
        raise InputError("games.not-a-row", row=quoted(wrong[0]), wager=wager_id, rows=", ".join(game.rows))
    odds = {row: Odds.parse(pays[row]) if row in pays else LOSE for row in game.rows}
    if not any(one.wins for one in odds.values()):
        raise InputError("games.no-winning-row", wager=wager_id, rows=bracketed(list(game.rows)))
    return Wager(
        id=wager_id,
        family=wager_id,
        selection=None,
        name=Label(en=name or wager_id.replace("-", " ").capitalize(), zh=""),
        group=None,
        clauses=(OWN_CLAUSE,),
        spec=Own(game),
        rows=tuple(game.rows),
        paytables=(None,),
        pays={None: odds},
        row_clauses={None: dict.fromkeys(game.rows, OWN_CLAUSE)},
        window=None,
        limits=None,
        envy=None,
        after_win="open again",
    )


def digest_with(rules: Rulebook, wager: Wager) -> str:
    """Return the digest of a book with one more wager: by what its machine does and what it pays, not by its code."""
    machine = machine_of(wager.spec, rules.dice)
    content = hashlib.sha256(rules.digest.encode())
    content.update(repr((wager.id, machine.ends, machine.starts, machine.table.shape)).encode())
    content.update(machine.table.tobytes() + machine.columns.tobytes())
    content.update(repr([(row, str(odds.gain)) for row, odds in wager.pays[None].items()]).encode())
    return content.hexdigest()
