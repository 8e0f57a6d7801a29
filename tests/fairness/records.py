"""A table's record of dice in a test's hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pitbook.fairness.sets import Watches
from pitbook.fairness.watch import LEVEL, Watch

Item = tuple[Literal["dice put"], str] | tuple[Literal["throw", "corrected"], Sequence[int]]
"""A line of the record: a set of dice put to use, a throw, or what the last throw really was."""


def watch_sets(record: Iterable[Item], dice: int) -> dict[str, Watch]:
    """The watch of each set of a table's record, in the order in which they were put to use."""
    watches = Watches(dice, LEVEL)
    for item in record:
        match item:
            case ("dice put", str(name)):
                watches = watches.put(name)
            case ("throw", faces):
                watches = watches.threw(faces)
            case ("corrected", faces):
                watches = watches.corrected(faces)
    return watches.sets
