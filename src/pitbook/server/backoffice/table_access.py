"""Look up a table and its monitored record for people who may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.house.books import new_table
from pitbook.journal.entries import HOUSE
from pitbook.server.backoffice.rights import supervisor
from pitbook.server.backoffice.services import backoffice, length_of
from pitbook.server.http.problems import Problem

if TYPE_CHECKING:
    from pitbook.server.backoffice.monitor import Record
    from pitbook.server.people.identity import Caller
    from pitbook.server.services import Services
    from pitbook.table.state import Table


def watched(services: Services, name: str, caller: Caller) -> tuple[Table, Record]:
    """A table and its record, for managers, auditors and its supervisors; it reads, so not in the event loop.

    Who may not look learns nothing of which tables there are.
    """
    caller.signed_in()
    known = name != HOUSE and length_of(services, name) > 0
    state = services.house.table(name) if known else new_table(name)
    supervisor(caller, state)
    record = backoffice(services).monitor.record(name) if known else None
    if record is None:
        raise Problem("not-found", f"there is no table {name!r}")
    return state, record
