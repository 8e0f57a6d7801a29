"""What an automatic table does in place of staff, dice and shakers, each with the clause that it replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook

STEPS = {
    "open betting": "betting opens automatically once a seed is committed; the screen announces it",
    "close betting": "betting closes when the countdown ends; the screen announces it",
    "shake": "instead of shaking dice, a fresh seed is drawn and committed before betting opens",
    "press deal": "no button is pressed: the draw follows the close automatically",
    "reveal": "the seed is revealed, and the dice are derived from it",
    "check dice": "a virtual die always lands flat",
    "announce dice": "the screen shows the dice",
    "reset": "nothing needs resetting: the draw follows the close automatically",
    "enter dice": "the dice are derived from the seed; nobody enters them",
    "illuminate": "the screen lights the winning areas",
    "collect losers": "losing wagers are collected automatically, before winners are paid",
    "pay winners": "winning wagers are paid automatically",
    "confirm bet": "the screen confirms each bet as it is accepted",
    "place tip": "there are no dealers to tip",
    "roll": "the dice are derived from the seed; the shooter is named, throws nothing and changes at the seven-out",
    "mark": "lammers appear automatically",
    "remove lammers": "lammers disappear automatically",
    "cover": "nothing needs covering: no dice exist until betting has closed",
    "clear": "the lights go out automatically",
}
"""How each act of a procedure is done in the electronic form."""

THINGS = {
    "dice": "no physical dice are used: a 256-bit seed replaces them in every round",
    "shaker": "no shaker is used: the seed commitment and the closing hash replace it",
    "device": "the screen replaces it",
    "layout": "the layout is shown on the screen, drawn from the rulebook",
    "sign": "the payouts are shown on the screen, taken from the rulebook",
    "chips": "chips are amounts in an account",
    "lammers": "lammers are shown on the screen",
    "box": "money is kept in the ledger",
}
"""What replaces each kind of equipment."""

INSPECTED = "the tumbler runs known-answer and repetition tests at start-up and before every round"


class Replaced(NamedTuple):
    """A part of the text, and what takes its place."""

    part: str
    clauses: tuple[str, ...]
    text: str
    """What the text asks, in the book's few words."""
    instead: str


def electronic_form(rules: Rulebook) -> tuple[Replaced, ...]:
    """Return every part of a book that an automatic table replaces, purely physical clauses included."""
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
        Replaced(
            f"clause {name}",
            (name,),
            clause.says,
            "does not apply: it concerns staff or equipment that this table does not have",
        )
        for name, clause in rules.clauses.items()
        if clause.kind == "physical"
    ]
    return tuple(found)
