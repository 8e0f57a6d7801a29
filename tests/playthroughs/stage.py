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
from pitbook.table.refusals import Refusal
from pitbook.table.state import Table
from pitbook.table.transcript import transcript
from tests.table.sic_bo import Layout

FOLDER = Path(__file__).parent


@dataclass
class Stage(Layout):
    """A Sic Bo table whose clock goes on by five seconds with everything that is asked."""

    start: Table = field(default_factory=lambda: Table("t1"))
    skipped: int = 0

    def ask(self, who: str, command: c.Command, *, expected: tuple[int, int] | None = None) -> Decision | Refusal:
        self.later(seconds=5)
        return super().ask(who, command, expected=expected)

    def curtain(self) -> None:
        """What happened so far is not part of the story."""
        self.start, self.skipped = self.table, len(self.record)

    def from_the_start(self) -> None:
        """The opening is part of the story."""
        self.start, self.skipped = Table("t1"), 0

    def story(self) -> str:
        """What happened since, in sentences."""
        return "\n".join(transcript(self.start, self.record[self.skipped :])) + "\n"


Script = Callable[[Stage], None]


@dataclass(frozen=True)
class Play:
    """A script with its book, its shaker and its set-up."""

    book: str
    shaker: str
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

    def text(self, make: Callable[..., Stage] = Stage) -> str:
        """The script's own words on what it shows, and the transcript."""
        stage = make(raw=packaged_raw(self.book), shaker=self.shaker)
        stage.open(**self.setup)
        stage.inspect_all()
        stage.seat()
        stage.curtain()
        self.script(stage)
        return f"{fill((self.script.__doc__ or '').strip(), 100)}\n\n{stage.story()}"


PLAYS: list[Play] = []


def play(book: str, shaker: str, **setup: Any) -> Callable[[Script], Script]:
    """Marks a script. It begins at a table that is ready, where ann and ben have bought in for 1,000 each."""

    def mark(script: Script) -> Script:
        PLAYS.append(Play(book, shaker, script, setup))
        return script

    return mark
