"""The people of a house in memory, with a clock that the test sets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pitbook.people import commands as c
from pitbook.people.decide import Context, decide
from pitbook.people.events import Event
from pitbook.people.evolve import evolve
from pitbook.people.limits import format_time
from pitbook.people.refusals import Reason, Refusal
from pitbook.people.state import Account, People
from pitbook.people.values import Grant, Policy
from pitbook.table.people import Person

ROLES = frozenset({"player", "shooter", "dealer", "floorperson", "box-person"})
SERVER = Person("server", "server")
MAX = Person("max", "manager")
MIA = Person("mia", "manager")
DAN = Person("dan", "dealer")
FLO = Person("flo", "floorperson")
ANN = Person("ann", "player")
START = datetime(2026, 3, 1, 12, tzinfo=UTC)


class PeopleInMemory:
    """People and a clock."""

    def __init__(self) -> None:
        self.people = People()
        self.now = START
        self.record: list[tuple[Person, Event | Refusal]] = []

    @property
    def at(self) -> str:
        return format_time(self.now)

    def wait(self, **units: float) -> None:
        self.now += timedelta(**units)

    def ask(self, person: Person, command: c.Command) -> tuple[Event, ...] | Refusal:
        outcome = decide(self.people, command, Context(person, self.at, ROLES))
        if isinstance(outcome, Refusal):
            self.record.append((person, outcome))
            return outcome
        for event in outcome:
            self.people = evolve(self.people, event)
            self.record.append((person, event))
        return outcome

    def does(self, person: Person, command: c.Command) -> tuple[Event, ...]:
        outcome = self.ask(person, command)
        assert not isinstance(outcome, Refusal), outcome
        return outcome

    def refused(self, person: Person, command: c.Command, why: Reason) -> Refusal:
        before = self.people
        outcome = self.ask(person, command)
        assert isinstance(outcome, Refusal), outcome
        assert outcome.why is why, outcome
        assert outcome.says
        assert self.people is before
        return outcome

    def account(self, name: str) -> Account:
        account = self.people.find(name)
        assert account is not None
        return account


def make_people() -> PeopleInMemory:
    """Return a house with a manager, a dealer and a floorperson at table t1, and a player; visitors may register."""
    house = PeopleInMemory()
    house.does(SERVER, c.AddPerson("max", "Max", (Grant("manager"),)))
    house.does(MAX, c.AddPerson("dan", "Dan", (Grant("dealer", "t1"),)))
    house.does(MAX, c.AddPerson("flo", "Flo", (Grant("floorperson"),)))
    house.does(MAX, c.AddPerson("ann", "Ann", (Grant("player"),)))
    house.does(MAX, c.SetPolicy(Policy(registration=True)))
    return house
