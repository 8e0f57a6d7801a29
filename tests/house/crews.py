"""What the house's tests share: the next step of a table as its crew would take it, and what a journal says of one."""

from __future__ import annotations

from functools import reduce

from pitbook.house.books import HouseBooks
from pitbook.house.codec import read_event
from pitbook.house.records import NO_EVENTS
from pitbook.journal.port import Reading
from pitbook.table import commands as c
from pitbook.table.evolve import evolve
from pitbook.table.people import Person, is_staff
from pitbook.table.state import Table, due

SHOWN = ("announce dice", "enter dice", "roll")
CONFIRMS = Person("second", "box-person")


def crew_of(table: Table, *roles: str) -> Person:
    """Whoever of the crew has one of these roles, named as `tests.audit.journals` names them."""
    staff = [role for role in table.rules.roles if is_staff(table.rules, role)]
    role = next((role for role in roles if role in staff), staff[0])
    return Person(f"{role}-1", role)


def next_step(table: Table, dice: tuple[int, ...]) -> tuple[Person, c.Command] | None:
    """What is due at a table, and who does it; at craps bets are confirmed and somebody gets the dice before a roll."""
    if table.craps and not all(bet.confirmed for bet in table.bets.values()):
        return crew_of(table, "stick-person"), c.ConfirmBets()
    if table.craps and table.shooter is None and not table.round.done:
        return crew_of(table), c.NewShooter("ann")
    step = due(table)
    if step is None:
        return None
    shown = dice if step.act in SHOWN else ()
    director = Person("director", step.directed_by[0]) if step.directed_by else None
    confirms = CONFIRMS if director else None
    return crew_of(table, *step.who), c.TakeStep(step.id, shown, 3, directed_by=director, confirmed_by=confirms)


def folded(reading: Reading, name: str) -> Table:
    """A table from an empty one and all entries that the journal has of it."""
    events = (read_event(entry.body) for entry in reading.entries(name) if entry.kind not in NO_EVENTS)
    return reduce(evolve, events, HouseBooks().new_table(name))
