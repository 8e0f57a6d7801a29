"""Replacements for staff, dice and shakers at an automatic table, each with the clause that it replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pitbook.messages import Message
from pitbook.messages.catalogue import entries

if TYPE_CHECKING:
    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.text import BookText


class Replaced(NamedTuple):
    """A part of the text, and what takes its place."""

    part: str
    clauses: tuple[str, ...]
    text: BookText
    """The text's requirement, in the book's words."""
    key: str
    """The message in `messages/automatic.toml` that says what takes its place."""

    @property
    def instead(self) -> str:
        """Its replacement, in English."""
        return Message(f"automatic.{self.key}").text()


def electronic_form(rules: Rulebook) -> tuple[Replaced, ...]:
    """Return every part of a book that an automatic table replaces, purely physical clauses included."""
    found = [
        Replaced(f"step {step.id}", tuple(step.clause), step.says, f"step {step.act}")
        for step in rules.procedure.round
        if f"automatic.step {step.act}" in entries()
    ]
    found += [
        Replaced(f"equipment {name}", tuple(thing.clause), thing.says, f"thing {thing.kind}")
        for name, thing in rules.equipment.items()
    ]
    found += [
        Replaced(f"inspection {name}", tuple(inspection.clause), inspection.says, "inspection")
        for name, inspection in rules.inspections.items()
    ]
    found += [
        Replaced(f"clause {name}", (name,), clause.says, "clause")
        for name, clause in rules.clauses.items()
        if clause.kind == "physical"
    ]
    return tuple(found)
