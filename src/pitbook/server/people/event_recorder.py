"""Record what the server observes about people in the house's stream; never a secret."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from pitbook.house.answers import answer_of
from pitbook.house.people import GRANTING, NAMING
from pitbook.people import commands as c
from pitbook.people.names import SERVER
from pitbook.server.http import request_context
from pitbook.server.http.logs import redact_path
from pitbook.server.http.problems import Problem
from pitbook.table.people import Person

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pitbook.house.answers import Answer
    from pitbook.house.house import House
    from pitbook.journal.decisions import Outcome
    from pitbook.messages import Message

log = logging.getLogger(__name__)

THE_SERVER = Person(SERVER, SERVER)
UNKNOWN = "(unknown)"
"""Replaces a name that nobody has: what was typed may be a password in the wrong field."""


class EventRecorder:
    """Commands about people, submitted to the journal."""

    def __init__(self, house: House) -> None:
        self._house = house

    def record(self, command: c.Command) -> None:
        """Submit a command in the server's name without waiting."""
        self._house.submit_people(THE_SERVER, command).add_done_callback(_log_failure)

    def record_denial(self, person: str, role: str, table: str | None, why: Message) -> None:
        """Record that the current request was denied."""
        visit = request_context.current()
        request = f"{visit.method} {redact_path(visit.path)}"
        self.record(c.RecordDenied(person, role, table, request, why))

    def record_sign_in_failure(self, name: str, *, known: bool, why: str, located: bool = True) -> None:
        """Record a failure; `located`: with the address that it came from."""
        address = request_context.current().address if located else ""
        self.record(c.RecordSignInFailure(name if known else UNKNOWN, address, why))

    async def submit(self, person: Person, command: c.Command, *, key: str | None = None) -> Answer:
        """Submit a command and wait until its result is durable."""
        if isinstance(command, (*GRANTING, *NAMING)):  # roles are read from the tables, players from the ledger
            future = await asyncio.to_thread(self._house.submit_people, person, command, key=key)
        else:
            future = self._house.submit_people(person, command, key=key)
        return answer_of(await asyncio.wrap_future(future))

    async def execute(
        self, person: Person, command: c.Command, *, key: str | None = None, allowed: tuple[str, ...] = ()
    ) -> Answer:
        """Submit a command; raise a refusal as a problem unless it is one of `allowed`."""
        answer = await self.submit(person, command, key=key)
        if answer.refused is not None and answer.refused not in allowed:
            raise Problem(answer.refused, answer.message, clauses=answer.clauses)
        return answer


def _log_failure(future: Future[Outcome]) -> None:
    if not future.cancelled() and future.exception() is not None:
        log.warning("an event of the server could not be recorded: %s", future.exception())
