"""Scripts that are played at a table, and the transcripts on file that they must come to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any

from pitbook.rulebooks.catalogue import packaged_raw
from pitbook.table import commands as c
from pitbook.table.decide import Decision
from pitbook.table.people import Person
from pitbook.table.refusals import Refusal
from pitbook.table.state import Table
from pitbook.table.transcript import transcript
from tests.table.craps import CrapsTable
from tests.table.driving import SHARED_BOOKS, DrivenTable
from tests.table.sic_bo import SicBoTable

FOLDER = Path(__file__).parent

Observer = Callable[[DrivenTable, str | Person, c.Command, Decision | Refusal], None]


@dataclass
class ScriptedTable(DrivenTable):
    """A table whose clock moves on by five seconds with every command, and whose transcript is printed."""

    start: Table = field(default_factory=lambda: SHARED_BOOKS.new_table("t1"))
    skipped: int = 0
    observer: Observer | None = None

    def ask(
        self, who: str | Person, command: c.Command, *, expected: tuple[int, int] | None = None
    ) -> Decision | Refusal:
        self.later(seconds=5)
        outcome = super().ask(who, command, expected=expected)
        if self.observer:
            self.observer(self, who, command, outcome)
        return outcome

    def prepare(self, **setup: Any) -> None:
        """Open the table and make it ready for play."""
        raise NotImplementedError

    def start_transcript(self) -> None:
        """Leave out of the transcript what has happened so far."""
        self.start, self.skipped = self.table, len(self.record)

    def include_opening(self) -> None:
        """Have the opening in the transcript, too."""
        self.start, self.skipped = SHARED_BOOKS.new_table("t1"), 0

    def printed(self) -> str:
        """Return what happened since, in sentences."""
        return "\n".join(transcript(self.start, self.record[self.skipped :])) + "\n"


@dataclass
class ScriptedSicBo(ScriptedTable, SicBoTable):
    """A Sic Bo table."""

    def prepare(self, **setup: Any) -> None:
        self.open_table(**setup)
        self.inspect_all()
        self.seat()


@dataclass
class ScriptedCraps(ScriptedTable, CrapsTable):
    """A craps table."""

    def prepare(self, **setup: Any) -> None:
        self.open_table(**setup)
        self.seat("ann", "ben")
        self.shooter("ann")


Script = Callable[[Any], None]


@dataclass(frozen=True)
class Play:
    """A script with its book, its table and its set-up."""

    book: str
    make: Callable[[], ScriptedTable]
    script: Script
    setup: dict[str, Any]

    @property
    def name(self) -> str:
        """What its file is called."""
        return self.script.__name__.replace("_", "-")

    @property
    def path(self) -> Path:
        """Where its transcript is on file."""
        return FOLDER / self.book / f"{self.name}.txt"

    def perform(self, observer: Observer | None = None) -> ScriptedTable:
        """Play the script; an observer is called with every command and its outcome."""
        stage = self.make()
        stage.observer = observer
        stage.prepare(**self.setup)
        stage.start_transcript()
        self.script(stage)
        return stage

    def text(self) -> str:
        """The script's own words on what it shows, and the transcript."""
        return f"{fill((self.script.__doc__ or '').strip(), 100)}\n\n{self.perform().printed()}"


PLAYS: list[Play] = []


def play(book: str, shaker: str, **setup: Any) -> Callable[[Script], Script]:
    """Mark a script of Sic Bo. It begins at a table that is ready, where ann and ben have bought in for 1,000 each."""
    return _marking(book, lambda: ScriptedSicBo(raw=packaged_raw(book), shaker=shaker), setup)


def hand(book: str, **setup: Any) -> Callable[[Script], Script]:
    """Mark a script of craps. It begins as the other does; ann has the dice."""
    if "+" in book:
        return _marking(book, lambda: ScriptedCraps(together=book), setup)
    return _marking(book, lambda: ScriptedCraps(raw=packaged_raw(book)), setup)


def _marking(book: str, make: Callable[[], ScriptedTable], setup: dict[str, Any]) -> Callable[[Script], Script]:
    def mark(script: Script) -> Script:
        PLAYS.append(Play(book, make, script, setup))
        return script

    return mark
