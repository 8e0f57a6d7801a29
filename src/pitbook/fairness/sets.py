"""The watches of a table: its record folded into one watch for each set of dice.

A correction replaces the last throw: the watch goes back to its state before that throw and sees the corrected faces.
No throw counts twice, and with fair dice it is the same martingale as without errors of reading. An alarm that only a
misread throw had caused disappears with the correction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from pitbook.errors import InputError, quoted
from pitbook.fairness.watch import LEVEL, Watch, check_level

Item = tuple[Literal["dice put"], str] | tuple[Literal["throw", "corrected"], Sequence[int]]
"""A line of the record: a set of dice put to use, a throw, or a correction of the last throw."""


class Watches(msgspec.Struct, frozen=True):
    """The watch of each set that was used at a table, by its name. Immutable."""

    dice: int
    level: float = LEVEL
    sets: dict[str, Watch] = {}
    current: str = ""
    """The set in use; throws before any was named belong to one without a name."""
    thrown: str | None = None
    """The set that was thrown last."""
    before: Watch | None = None
    """Its watch before that throw."""

    @property
    def watch(self) -> Watch:
        """The watch of the set in use."""
        return self.sets.get(self.current) or Watch.start(self.dice, self.level)

    def put(self, name: str) -> Watches:
        """Return the watches after a set is put to use; one that was used before continues."""
        sets = {**self.sets, name: self.sets.get(name) or Watch.start(self.dice, self.level)}
        return msgspec.structs.replace(self, sets=sets, current=name)

    def add_throw(self, faces: Sequence[int]) -> Watches:
        """Return the watches after a throw of the set in use."""
        sets = {**self.sets, self.current: self.watch.add_throw(faces)}
        return msgspec.structs.replace(self, sets=sets, thrown=self.current, before=self.watch)

    def correct_throw(self, faces: Sequence[int]) -> Watches:
        """Return the watches with other faces for the last throw."""
        if self.thrown is None or self.before is None:
            raise InputError("fairness.nothing-to-correct", faces=quoted(faces))
        return msgspec.structs.replace(self, sets={**self.sets, self.thrown: self.before.add_throw(faces)})


def watch_sets(record: Iterable[Item], dice: int, level: float = LEVEL) -> dict[str, Watch]:
    """Return the watch of each set of a table's record, in the order of first use."""
    watches = Watches(dice, check_level(level))
    for item in record:
        match item:
            case ("dice put", str(name)):
                watches = watches.put(name)
            case ("throw", faces):
                watches = watches.add_throw(faces)
            case ("corrected", faces):
                watches = watches.correct_throw(faces)
            case _:
                raise InputError("fairness.line", item=quoted(item))
    return watches.sets
