"""A decision being written, and the checks that most of them share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from pitbook.people.evolve import evolve
from pitbook.people.names import SERVER, WORDS_MAX, cut, is_line
from pitbook.people.refusals import Refusal, Refused, Why
from pitbook.table.people import AUDITOR, MANAGER, PLAYER

if TYPE_CHECKING:
    from pitbook.people.events import Event
    from pitbook.people.state import Account, People
    from pitbook.table.people import Person

HOUSE_ROLES = frozenset({PLAYER, MANAGER, AUDITOR})
"""Roles that there are without any book."""


@dataclass(frozen=True, slots=True)
class Context:
    """Who asks, when, and the roles that the books at hand define: handed in, never looked up."""

    person: Person
    at: str
    """ISO-8601, UTC."""
    roles: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    """The names of players that the ledger has, walk-ins without their prefix; for new accounts only."""


class Draft:
    """A decision being written: the people as they will be, and the events so far."""

    def __init__(self, people: People, context: Context) -> None:
        self.people = people
        self.context = context
        self.events: list[Event] = []

    @property
    def person(self) -> Person:
        return self.context.person

    @property
    def at(self) -> str:
        return self.context.at

    def emit(self, event: Event) -> None:
        """Adds an event, and moves the people on."""
        self.events.append(event)
        self.people = evolve(self.people, event)

    def refuse(self, why: Why, says: str) -> NoReturn:
        """Ends the decision with a refusal."""
        raise Refused(Refusal(why, says))

    # -- who acts

    def actor(self, table: str | None = None) -> Account:
        """The account of who asks, which must be active and hold the role in which they ask."""
        account = self.people.find(self.person.name)
        if account is None or account.name != self.person.name:
            self.refuse(Why.UNKNOWN_PERSON, f"nobody here is called {cut(self.person.name)}")
        if not account.active:
            self.refuse(Why.INACTIVE, f"the account {account.name} is not active")
        if not account.holds(self.person.role, table):
            where = f"at {cut(table)}" if table is not None else "in this house"
            self.refuse(Why.WRONG_ROLE, f"{account.name} is no {cut(self.person.role)} {where}")
        return account

    def manager(self) -> Account:
        """The same, who must manage the whole house."""
        if self.person.role != MANAGER:
            self.refuse(Why.WRONG_ROLE, f"a manager does that, not a {cut(self.person.role)}")
        return self.actor()

    def player(self) -> Account:
        """The same, who must be a player, wherever."""
        account = self.people.find(self.person.name)
        if account is not None and account.active and self.person.role == PLAYER:
            tables = [grant.table for grant in account.roles if grant.role == PLAYER]
            if tables:
                return self.actor(tables[0])
        if self.person.role != PLAYER:
            self.refuse(Why.WRONG_ROLE, f"players do that for themselves, not a {cut(self.person.role)}")
        return self.actor()

    def server(self) -> None:
        """Who asks must be the software itself."""
        if (self.person.name, self.person.role) != (SERVER, SERVER):
            self.refuse(Why.WRONG_ROLE, "only the server records that")

    # -- whom and what it is about

    def known(self, name: str) -> Account:
        """The account that is meant."""
        account = self.people.find(name)
        if account is None:
            self.refuse(Why.UNKNOWN_PERSON, f"nobody here is called {cut(name)}")
        return account

    def words(self, text: str, *, empty: bool = True) -> str:
        """Words for the record, on one line."""
        if not is_line(text, WORDS_MAX, empty=empty):
            some = "" if empty else "some words, "
            self.refuse(Why.BAD_TEXT, f"say it in {some}one line of at most {WORDS_MAX} printable characters")
        return text
