"""Several processes on one PostgreSQL: the power failed only where all of them died, none in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.journal.entries import HOUSE
from pitbook.server.liveness import PREFIX
from tests.server.whole.clients import done
from tests.server.whole.conftest import module_postgres_url, postgres_role, postgres_server
from tests.server.whole.deployment import Deployment, body
from tests.waiting import until

__all__ = ["module_postgres_url", "postgres_role", "postgres_server"]

TABLE = "massachusetts"


@pytest.fixture(scope="module")
def house(module_postgres_url: str, make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """A house with two processes and a bet on the layout; its record must be right in the end."""
    deployment = make_deployment(module_postgres_url)
    for _ in range(2):
        deployment.start()
    done(deployment.visitor("demo-ann").bets(TABLE, "small=500"))
    yield deployment
    deployment.audited()
    deployment.close()  # before the database goes


def calls(house: Deployment) -> list[tuple[str, str]]:
    """The power failures on record, and who called them."""
    found = [entry for entry in house.record(TABLE) if entry.kind == "IrregularityCalled"]
    return [(body(entry)["irregularity"], entry.actor) for entry in found]


def cleanly(house: Deployment) -> bool:
    """Whether the last start found those before it stopped in order, or alive."""
    return bool([body(entry) for entry in house.record(HOUSE) if entry.kind == "ServerStarted"][-1]["clean_before"])


def test_a_process_that_dies_while_another_lives_is_no_power_failure(house: Deployment) -> None:
    house.started[0].kill()
    house.start()
    assert (cleanly(house), calls(house)) == (True, [])


def test_a_planned_stop_in_the_middle_of_a_round_is_no_power_failure(house: Deployment) -> None:
    living = house.started[1:]
    with open_auth_store(house.place) as access:
        until(lambda: len(access.leases.held(PREFIX)) == len(living), "the removal of a dead record")
    for process in living:
        assert process.stop() == 0
    house.start()
    assert (cleanly(house), calls(house)) == (True, [])
    assert house.visitor("demo-ann").table(TABLE)["view"]["betting"], "the round continues from where it was"


def test_when_all_processes_die_the_books_power_failure_clause_applies(house: Deployment) -> None:
    house.start()
    for process in house.started[-2:]:
        process.kill()
    together = [house.begin() for _ in range(2)]
    for process in together:
        process.opened()
    assert calls(house) == [("power-failure", "system")], "once, though two were started at the same time"
    starts = [body(entry)["clean_before"] for entry in house.record(HOUSE) if entry.kind == "ServerStarted"]
    assert starts[-2:] == [False, True]
    done(house.visitor("demo-ann").bets(TABLE, "big=100"))
