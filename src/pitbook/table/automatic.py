"""What an automatic table does instead of what the text requires of people, dice and shakers, by clause."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook

STEPS = {
    "open betting": "betting opens by itself once a seed is committed to; the screen announces it",
    "close betting": "betting closes when the countdown has run out; the screen announces it",
    "shake": "instead of the dice, a fresh seed is drawn and committed to before betting opens",
    "press deal": "nobody presses anything: the draw follows the close by itself",
    "reveal": "the seed is revealed, and the dice follow from it",
    "check dice": "no die can rest otherwise than flat",
    "announce dice": "the screen shows the dice",
    "reset": "there is nothing to reset: the draw follows the close by itself",
    "enter dice": "the dice are worked out from the seed; nobody enters them",
    "illuminate": "the screen lights the winning areas",
    "collect losers": "losing wagers are collected by themselves, before the winners are paid",
    "pay winners": "winning wagers are paid by themselves",
    "confirm bet": "the screen repeats the bet as it is taken",
    "place tip": "there are no dealers to tip",
    "roll": "the dice follow from the revealed seed; the shooter has a name and no dice, and changes at the seven-out",
    "mark": "lammers appear by themselves",
    "remove lammers": "lammers disappear by themselves",
    "cover": "there is nothing to cover: no dice exist before betting is closed",
    "clear": "the lights go out by themselves",
}
"""How each act of a procedure is done in the electronic form."""

THINGS = {
    "dice": "there are no dice that wear, break or lie askew: a seed of 256 bits takes their place in every round",
    "shaker": "there is no shaker: the commitment to the seed and the hash of the close take its place",
    "device": "the screen takes its place",
    "layout": "the layout is drawn on the screen from the book's own data",
    "sign": "the pays are shown on the screen from the book's own data",
    "chips": "chips are amounts on an account",
    "lammers": "lammers are drawn on the screen",
    "box": "money is on the ledger",
}
"""What stands in the place of equipment."""

INSPECTED = "known answers and repetition tests of the tumbler, at the start and before every round"


class Replaced(NamedTuple):
    """A part of the text, and what takes its place."""

    part: str
    clauses: tuple[str, ...]
    text: str
    """What the text asks, in the book's few words."""
    instead: str


@lru_cache(maxsize=64)
def electronic_form(rules: Rulebook) -> tuple[Replaced, ...]:
    """Everything of a book that an automatic table does in another way; clauses that only people can keep as well."""
    found = [
        Replaced(f"step {step.id}", tuple(step.clause), step.says, STEPS[step.act])
        for step in rules.procedure.round
        if step.act in STEPS
    ]
    found += [
        Replaced(f"equipment {name}", tuple(thing.clause), thing.says, THINGS[thing.kind])
        for name, thing in rules.equipment.items()
    ]
    found += [
        Replaced(f"inspection {name}", tuple(inspection.clause), inspection.says, INSPECTED)
        for name, inspection in rules.inspections.items()
    ]
    found += [
        Replaced(f"clause {name}", (name,), clause.says, "it is about people and things that are not there")
        for name, clause in rules.clauses.items()
        if clause.kind == "physical"
    ]
    return tuple(found)
