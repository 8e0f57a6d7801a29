"""A table and what the watchman knows of it, for who may look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.journal.entries import HOUSE
from pitbook.server.http.problems import Problem
from pitbook.server.oversight.overseers import length_of, oversight
from pitbook.server.oversight.rights import supervisor
from pitbook.table.state import Table

if TYPE_CHECKING:
    from pitbook.server.oversight.watchman import Record
    from pitbook.server.people.identity import Caller
    from pitbook.server.services import Services


def watched(services: Services, name: str, caller: Caller) -> tuple[Table, Record]:
    """A table and its record, for managers, auditors and its supervisors; it reads, so not in the event loop.

    Who may not look learns nothing of which tables there are.
    """
    caller.signed_in()
    known = name != HOUSE and length_of(services, name) > 0
    state = services.house.table(name) if known else Table(name)
    supervisor(caller, state)
    record = oversight(services).watchman.record(name) if known else None
    if record is None:
        raise Problem("not-found", f"there is no table {name!r}")
    return state, record
