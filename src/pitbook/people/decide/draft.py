"""A decision in progress, and the checks that most of them share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from pitbook.messages import Message
from pitbook.people.evolve import evolve
from pitbook.people.names import SERVER, WORDS_MAX, is_line, shorten
from pitbook.people.refusals import Reason, Refusal, Refused
from pitbook.table.people import AUDITOR, MANAGER, PLAYER

if TYPE_CHECKING:
    from pitbook.people.events import Event
    from pitbook.people.state import Account, People
    from pitbook.table.people import Person

HOUSE_ROLES = frozenset({PLAYER, MANAGER, AUDITOR})
"""Roles that exist without any book."""


@dataclass(frozen=True, slots=True)
class Context:
    """The actor, the time, and the roles that the books define."""

    person: Person
    at: str
    """ISO-8601, UTC."""
    roles: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    """The names of players in the ledger, walk-ins without their prefix; for new accounts only."""


class Draft:
    """A decision in progress: the resulting people, and the events so far."""

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
        """Add an event and apply it."""
        self.events.append(event)
        self.people = evolve(self.people, event)

    def refuse(self, why: Reason, message: str | Message, **params: Any) -> NoReturn:
        """End the decision with a refusal: the id of its message in `messages/refusals`, and the parameters."""
        resolved = message if isinstance(message, Message) else Message(f"refusals.{message}", params)
        raise Refused(Refusal(why, resolved))

    # -- the actor

    def actor(self, table: str | None = None) -> Account:
        """Return the actor's account, which must be active and hold the role."""
        account = self.people.find(self.person.name)
        if account is None or account.name != self.person.name:
            self.refuse(Reason.UNKNOWN_PERSON, "people.unknown", person=shorten(self.person.name))
        if not account.active:
            self.refuse(Reason.INACTIVE, "people.inactive", account=account.name)
        if not account.holds(self.person.role, table):
            name, role = account.name, shorten(self.person.role)
            if table is None:
                self.refuse(Reason.WRONG_ROLE, "people.not-role", person=name, role=role)
            self.refuse(Reason.WRONG_ROLE, "people.not-role-at", person=name, role=role, table=shorten(table))
        return account

    def manager(self) -> Account:
        """Return the actor's account, which must manage the whole house."""
        if self.person.role != MANAGER:
            self.refuse(Reason.WRONG_ROLE, "people.manager", role=shorten(self.person.role))
        return self.actor()

    def player(self) -> Account:
        """Return the actor's account, which must be a player anywhere."""
        account = self.people.find(self.person.name)
        if account is not None and account.active and self.person.role == PLAYER:
            tables = [grant.table for grant in account.roles if grant.role == PLAYER]
            if tables:
                return self.actor(tables[0])
        if self.person.role != PLAYER:
            self.refuse(Reason.WRONG_ROLE, "people.player", role=shorten(self.person.role))
        return self.actor()

    def server(self) -> None:
        """Require that the actor is the server."""
        if (self.person.name, self.person.role) != (SERVER, SERVER):
            self.refuse(Reason.WRONG_ROLE, "people.server")

    # -- the subject

    def account(self, name: str) -> Account:
        """Return the account of that name."""
        account = self.people.find(name)
        if account is None:
            self.refuse(Reason.UNKNOWN_PERSON, "people.unknown", person=shorten(name))
        return account

    def check_words(self, text: str, *, empty: bool = True) -> str:
        """Return words for the record, which must be one line."""
        if not is_line(text, WORDS_MAX, empty=empty):
            if empty:
                self.refuse(Reason.BAD_TEXT, "people.words", most=WORDS_MAX)
            self.refuse(Reason.BAD_TEXT, "people.words-needed", most=WORDS_MAX)
        return text
