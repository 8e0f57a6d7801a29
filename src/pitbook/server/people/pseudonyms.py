"""Pseudonyms: the journal records people under random names, and their names are stored beside it."""

from __future__ import annotations

import asyncio
import secrets
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from pitbook.auth.identities import Identity
from pitbook.auth.secrets import is_storable
from pitbook.auth.timestamps import format_timestamp
from pitbook.people import commands as c
from pitbook.people.decide import Context, decide
from pitbook.people.names import fold_name
from pitbook.people.refusals import Refusal
from pitbook.server.http.problems import Problem
from pitbook.server.people.event_recorder import THE_SERVER
from pitbook.table.people import Person

if TYPE_CHECKING:
    from pitbook.auth.store import AuthStore
    from pitbook.house.house import House
    from pitbook.people.state import Account, People
    from pitbook.people.values import Factor

New = TypeVar("New", c.AddPerson, c.Register)

PREFIX = "p-"
LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
"""Without letters that look like digits."""
LENGTH = 10


def new_pseudonym() -> str:
    """Return a random name that says nothing about its owner."""
    return PREFIX + "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


class Pseudonyms:
    """The identities of people, in memory, and new ones for those who get an account."""

    def __init__(self, house: House, auth: AuthStore, *, on: bool) -> None:
        """Read the identities; new people get pseudonyms only if they are switched on."""
        self._house = house
        self._auth = auth
        self._on = on
        self._lock = Lock()
        self._known: dict[str, Identity] = {}
        """By folded pseudonym."""
        self._factor_names: dict[str, str] = {}
        """By the factor's id."""
        self._shown: tuple[People | None, People | None] = None, None
        """The people as the journal has them, and with their display names."""
        self.reload()

    def reload(self) -> None:
        """Read the identities again; other processes may have added or erased some."""
        known = {fold_name(one.person): one for one in self._auth.identities.all()}
        names = self._auth.factors.names()
        with self._lock:
            self._known, self._factor_names, self._shown = known, names, (None, None)

    def with_display_names(self, people: People) -> People:
        """Return the people with the names, theirs and those of their factors, that are stored beside the journal."""
        known, (seen, renamed) = self._known, self._shown
        if not known:
            return people
        if seen is people and renamed is not None:
            return renamed
        named = {
            key: self._with_names(account, known[key]) if key in known else account
            for key, account in people.accounts.items()
        }
        renamed = replace(people, accounts=named)
        self._shown = people, renamed
        return renamed

    def _with_names(self, account: Account, identity: Identity) -> Account:
        factors = tuple(replace(one, name=self._factor_names.get(one.id, one.name)) for one in account.factors)
        return replace(account, shown=identity.shown, factors=factors)

    def covers(self, person: str) -> bool:
        """Return whether a person's names are stored beside the journal."""
        return fold_name(person) in self._known

    async def resolve(self, name: str) -> str:
        """Return the account that a name to sign in with belongs to, or the name itself."""
        if not is_storable(name):
            return name
        found = await asyncio.to_thread(self._auth.identities.find, fold_name(name))
        return name if found is None else found.person

    async def take(self, person: Person, command: New) -> New:
        """Store the names of a new person beside the journal, and return the command with a pseudonym instead.

        The names must satisfy the rules for names in the journal; raise a problem if they do not. Nothing that was
        typed is recorded.
        """
        return await asyncio.to_thread(self._take, person, command) if self._on else command

    def _take(self, person: Person, command: New) -> New:
        people = self._house.people
        acting = self._known.get(fold_name(person.name))
        actor = person if acting is None else Person(acting.sign_in, person.role)
        context = Context(actor, format_timestamp(self._house.now()), self._house.roles(), self._house.players())
        refused = decide(self._by_their_names(people), command, context)
        if isinstance(refused, Refusal):
            raise Problem(str(refused.why), refused.message)
        identity = Identity(new_pseudonym(), fold_name(command.name), command.name, command.shown)
        taken = self._auth.identities.find(identity.key)
        if taken is not None and people.find(taken.person) is None:  # its account was never recorded
            self._auth.identities.erase(taken.person)
        if not self._auth.identities.add(identity):
            raise Problem("name-taken")
        with self._lock:
            self._known = {**self._known, fold_name(identity.person): identity}
            self._shown = None, None
        return replace(command, name=identity.person, shown=identity.person)

    def take_factor(self, person: str, factor: Factor) -> Factor:
        """Return a new second factor as it is recorded: under its id, if the person has a pseudonym. Blocks.

        The name must satisfy the rules for names in the journal; raise a problem if it does not.
        """
        if not self.covers(person):
            return factor
        context = Context(THE_SERVER, format_timestamp(self._house.now()), self._house.roles(), self._house.players())
        people = self.with_display_names(self._house.people)
        refused = decide(people, c.RecordFactorAdded(person, factor), context)
        if isinstance(refused, Refusal):
            raise Problem(str(refused.why), refused.message)
        return replace(factor, name=factor.id)

    def _by_their_names(self, people: People) -> People:
        """Return the people as if the journal had the names that they sign in with."""
        accounts = {}
        for key, account in people.accounts.items():
            identity = self._known.get(key)
            if identity is None:
                accounts[key] = account
            else:
                accounts[identity.key] = replace(account, name=identity.sign_in, shown=identity.shown)
        return replace(people, accounts=accounts)
