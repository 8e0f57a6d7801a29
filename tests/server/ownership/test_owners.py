"""How tables are shared out among processes: evenly, by leases, and under a higher fence with every new owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pitbook.auth.stores import open_auth_store
from pitbook.server.liveness import LIVE_SECONDS, Liveness
from pitbook.server.ownership.owners import Owners

SECONDS = 6.0


class Clocks:
    """The database's clock and those of the processes, moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0


class Member(Owners):
    """A process that renews its record when the test asks it to."""

    def __init__(self, stack: ExitStack, place: str, name: str, clocks: Clocks, tables: Callable[[], set[str]]) -> None:
        access = stack.enter_context(open_auth_store(place))
        self._database = access.database
        self._clocks = clocks
        self.liveness = Liveness(access.leases, name)
        super().__init__(access.leases, self.liveness, tables, seconds=SECONDS, clock=lambda: clocks.now)

    def turn(self) -> set[str]:
        """Renew the record and read the owners; the tables that this process then owns."""
        self._database.clock = f"({type(self._database).clock} + {round(self._clocks.now * 1_000_000)})"
        self.liveness.announce(f"somewhere 127.0.0.1 {len(self.liveness.name)}")
        self.read()
        return set(self.own)


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


@pytest.fixture
def tables() -> set[str]:
    return {"a", "b", "c", "d", "e"}


@pytest.fixture
def make(tmp_path: Path, clocks: Clocks, tables: set[str]) -> Iterator[Callable[[str], Member]]:
    """Makes processes that take part."""
    with ExitStack() as stack:

        def make(name: str) -> Member:
            member = Member(stack, str(tmp_path / "journal.db"), name, clocks, lambda: set(tables))
            member.start(f"somewhere 127.0.0.1 {len(name)}")
            return member

        yield make


def test_one_process_owns_all_tables(make: Callable[[str], Member], tables: set[str]) -> None:
    alone = make("one")
    assert set(alone.own) == tables
    assert {alone.fence(table) for table in tables} == {1}
    assert alone.fence("unheard of") is None
    tables.add("f")
    assert alone.turn() == tables


def test_a_process_that_joins_gets_its_share_under_a_higher_fence(make: Callable[[str], Member]) -> None:
    one, two = make("one"), make("two")
    assert two.own == ()
    assert one.turn() == {"a", "b", "c"}
    assert {one.other(table) for table in "de"} == {two.liveness.name}
    assert two.turn() == {"d", "e"}
    assert {two.fence(table) for table in "de"} == {2}
    assert two.other("a") == one.liveness.name
    assert list(one.addresses) == [two.liveness.name]
    assert (one.turn(), two.turn()) == ({"a", "b", "c"}, {"d", "e"}), "it stays so"
    three = make("three")
    assert (one.turn(), two.turn(), three.turn()) == ({"a", "b"}, {"d", "e"}, {"c"})


def test_tables_are_not_passed_on_to_a_process_that_cannot_be_reached(make: Callable[[str], Member]) -> None:
    one, two = make("one"), make("two")
    one.is_reachable = lambda process: process != two.liveness.name
    assert len(one.turn()) == 5
    assert two.turn() == set()


def test_a_process_that_does_not_renew_its_leases_is_replaced_and_knows_it(
    make: Callable[[str], Member], clocks: Clocks, tables: set[str]
) -> None:
    one, two = make("one"), make("two")
    one.turn()
    two.turn()
    clocks.now += LIVE_SECONDS - 1
    assert two.turn() == {"d", "e"}
    assert one.fence("a") == 1
    clocks.now += 1
    assert (one.own, one.fence("a"), one.expired) == ((), None, True)
    assert two.turn() == tables
    assert (two.takeovers, two.fence("a")) == (3, 2)
    assert one.turn() == set(), "it gets no table back automatically"
    assert two.turn() == {"a", "b", "c"}
    assert one.turn() == {"d", "e"}
    assert (one.takeovers, one.fence("d")) == (0, 3)


def test_a_process_that_stops_releases_its_tables(make: Callable[[str], Member], tables: set[str]) -> None:
    one, two = make("one"), make("two")
    one.turn()
    one.close()
    assert (one.own, one.expired) == ((), False)
    one.read()
    assert one.own == ()
    one.liveness.stop()
    assert two.turn() == tables
    assert two.takeovers == 0


def test_a_table_that_does_not_run_here_is_released(make: Callable[[str], Member], tables: set[str]) -> None:
    one = make("one")
    tables.remove("c")
    assert one.turn() == {"a", "b", "d", "e"}
    tables.add("c")
    assert one.turn() == tables
    assert one.fence("c") == 2
