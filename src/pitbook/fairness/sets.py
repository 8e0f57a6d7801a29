"""The watches of a table: its record folded into one watch for each set of dice.

A correction takes the place of the last throw: the watch goes back to what it was before that throw and sees the
corrected faces. So it is always the watch of the record as it now stands, no throw counts twice, and with fair dice
truly recorded it is the same martingale as without mistakes. An alarm that only a misread throw had caused goes with
the misreading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from pitbook.errors import InputError, quoted
from pitbook.fairness.watch import LEVEL, Watch, checked_level

Item = tuple[Literal["dice put"], str] | tuple[Literal["throw", "corrected"], Sequence[int]]
"""A line of the record: a set of dice put to use, a throw, or what the last throw really was."""


class Watches(msgspec.Struct, frozen=True):
    """The watch of each set that was put to use at a table, by its name. A plain value."""

    dice: int
    level: float = LEVEL
    sets: dict[str, Watch] = {}
    current: str = ""
    """The set in use. Throws before any was put belong to one without a name."""
    thrown: str | None = None
    """The set that was thrown last."""
    before: Watch | None = None
    """Its watch before that throw."""

    @property
    def watch(self) -> Watch:
        """That of the set in use."""
        return self.sets.get(self.current) or Watch.start(self.dice, self.level)

    def put(self, name: str) -> Watches:
        """A set is put to use: a new one begins its watch, one that comes back goes on with its own."""
        sets = {**self.sets, name: self.sets.get(name) or Watch.start(self.dice, self.level)}
        return msgspec.structs.replace(self, sets=sets, current=name)

    def threw(self, faces: Sequence[int]) -> Watches:
        """The set in use was thrown."""
        sets = {**self.sets, self.current: self.watch.seen(faces)}
        return msgspec.structs.replace(self, sets=sets, thrown=self.current, before=self.watch)

    def corrected(self, faces: Sequence[int]) -> Watches:
        """The last throw was misread: these are its faces."""
        if self.thrown is None or self.before is None:
            raise InputError(f"no throw to correct to {quoted(faces)}; the record begins with a throw")
        return msgspec.structs.replace(self, sets={**self.sets, self.thrown: self.before.seen(faces)})


def watch_sets(record: Iterable[Item], dice: int, level: float = LEVEL) -> dict[str, Watch]:
    """The watch of each set of a table's record, in the order in which they were put to use."""
    watches = Watches(dice, checked_level(level))
    for item in record:
        match item:
            case ("dice put", str(name)):
                watches = watches.put(name)
            case ("throw", faces):
                watches = watches.threw(faces)
            case ("corrected", faces):
                watches = watches.corrected(faces)
            case _:
                raise InputError(f"{quoted(item)} is no line of a record; there are dice put, throw and corrected")
    return watches.sets
