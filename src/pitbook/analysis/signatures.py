"""When two wagers are the same bet, and when one is the other's mirror image: by what their machines do."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pitbook.dice import Roll, roll_index, rolls
from pitbook.rulebooks.wagers import LOSE_ROW
from pitbook.wager.machine import machine_of

if TYPE_CHECKING:
    from pitbook.rulebooks.wagers import Spec

Signature = tuple[int, tuple[tuple[int, ...], ...]]
_LOST = -1


def mirrored(roll: Roll) -> Roll:
    """Return the roll seen from below: every face replaced by its opposite, 1 by 6, 2 by 5, 3 by 4."""
    return Roll.of(*(7 - face for face in roll.faces))


@lru_cache(maxsize=2048)
def signature(spec: Spec, dice: int, *, mirror: bool = False) -> Signature:
    """Return the machine with its states numbered in the order in which a walk over all rolls reaches them.

    Names of rows are left out. Two wagers with one signature are decided by the same rolls in the same way, whatever
    they are called or pay.
    """
    machine = machine_of(spec, dice)
    index = roll_index(dice)
    order = [index[mirrored(roll)] if mirror else index[roll] for roll in rolls(dice)]
    columns = [int(machine.columns[place]) for place in order]
    number = {machine.start(): 0}
    ends: dict[int, int] = {}
    walk = [machine.start()]
    rows = []
    for state in walk:  # grows while it is walked
        row = []
        for column in columns:
            target = machine.rows[state][column]
            if target >= machine.size:
                lost = machine.end(target) == LOSE_ROW
                row.append(_LOST if lost else ends.setdefault(target, -2 - len(ends)))
            else:
                if target not in number:
                    number[target] = len(number)
                    walk.append(target)
                row.append(number[target])
        rows.append(tuple(row))
    return dice, tuple(rows)
