"""Look up a table and its monitored record for people who may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.errors import quoted
from pitbook.journal.entries import HOUSE
from pitbook.server.backoffice.rights import supervisor
from pitbook.server.backoffice.services import length_of
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem

if TYPE_CHECKING:
    from pitbook.house.house import House
    from pitbook.server.backoffice.monitor import Monitor, Record
    from pitbook.server.people.identity import Caller
    from pitbook.table.state import Table


def find_monitored(house: House, monitor: Monitor, name: str, caller: Caller) -> tuple[Table, Record]:
    """Return a table and its record to a manager, an auditor or a supervisor of the table; call it in a thread.

    Nobody else learns which tables there are.
    """
    caller.require_account()
    known = name != HOUSE and length_of(house.store, name) > 0
    state = house.table(name) if known else house.books.new_table(name)
    supervisor(caller, state)
    record = monitor.record(name) if known else None
    if record is None:
        house.check_not_archived(name)
        raise Problem("not-found", detail("no-table", table=quoted(name)))
    return state, record
