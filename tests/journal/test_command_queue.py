"""The queue of commands on its own: order, turns, claims, and its end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from pitbook.journal.command_queue import CommandQueue, QueueFull
from tests.waiting import HANG, until


def queue(*items: tuple[str, str], length_max: int = 10) -> CommandQueue[str]:
    """A queue in which items wait; those with a name in capitals are staff's."""
    made: CommandQueue[str] = CommandQueue(length_max)
    for table, item in items:
        assert not made.put(table, item, staff=item.isupper())
    return made


def drained(commands: CommandQueue[str], table: str) -> list[str]:
    found = []
    while (item := commands.take(table)) is not None:
        found.append(item)
    return found


def test_staff_come_first_and_everyone_else_in_order() -> None:
    commands = queue(("t1", "a"), ("t1", "b"), ("t1", "S"), ("t1", "c"), ("t1", "T"))
    assert commands.claim() == "t1"
    assert commands.peek("t1", 3) == ["S", "T", "a"]
    assert drained(commands, "t1") == ["S", "T", "a", "b", "c"]


def test_a_table_with_staff_is_claimed_first_and_the_others_take_turns() -> None:
    commands = queue(("t1", "a"), ("t2", "b"), ("t3", "S"), ("t1", "c"))
    assert [commands.claim(), commands.claim(), commands.claim()] == ["t3", "t1", "t2"]
    assert commands.take("t1") == "a"
    commands.release("t1")
    commands.release("t2")
    assert [commands.claim(), commands.claim()] == ["t1", "t2"]


def test_a_released_table_is_removed_when_empty_and_else_goes_to_the_end() -> None:
    commands = queue(("t1", "a"), ("t1", "b"), ("t2", "c"))
    assert commands.claim() == "t1"
    assert commands.take("t1") == "a"
    commands.release("t1")
    assert [commands.claim(), commands.claim()] == ["t2", "t1"]
    assert drained(commands, "t1") == ["b"]
    commands.release("t1")
    with pytest.raises(KeyError):
        commands.take("t1")


def test_when_it_is_full_only_staff_are_let_in() -> None:
    commands = queue(("t1", "a"), ("t2", "b"), length_max=3)
    commands.put("t1", "c", staff=False)
    with pytest.raises(QueueFull):
        commands.put("t3", "d", staff=False)
    commands.put("t1", "S", staff=True)
    assert commands.claim() == "t1"
    assert drained(commands, "t1") == ["S", "a", "c"]
    commands.put("t3", "d", staff=False)


def test_a_first_command_may_claim_its_table() -> None:
    commands = queue()
    assert commands.put("t1", "a", staff=False, claim=True)
    assert not commands.put("t1", "b", staff=False, claim=True), "another caller serves it"
    assert drained(commands, "t1") == ["a", "b"]
    commands.release("t1")
    assert not commands.put("t1", "c", staff=False)
    assert not commands.put("t1", "d", staff=False, claim=True), "another command waits first"
    assert not commands.put("t2", "S", staff=True)
    assert not commands.put("t2", "e", staff=False, claim=True)


def test_a_closed_queue_takes_nothing_and_serves_those_who_wait() -> None:
    commands = queue(("t1", "a"))
    assert not commands.finished
    commands.close()
    assert not commands.finished
    for staff in (False, True):
        with pytest.raises(QueueFull):
            commands.put("t1", "b", staff=staff)
    assert commands.claim() == "t1"
    assert drained(commands, "t1") == ["a"]
    commands.release("t1")
    assert commands.finished
    assert commands.claim() is None


def test_waiting_for_a_table_ends_by_a_command_a_release_and_the_end() -> None:
    commands, waits = queue(), Event()

    def claimed() -> str | None:
        waits.set()
        return commands.claim()

    def waiting() -> bool:
        return waits.is_set() and bool(vars(commands._changed)["_waiters"])

    with ThreadPoolExecutor(1) as server:
        found = server.submit(claimed)
        until(waiting)
        commands.put("t1", "a", staff=False)
        assert found.result(HANG) == "t1"

        waits.clear()
        found = server.submit(claimed)
        until(waiting)
        commands.release("t1")
        assert found.result(HANG) == "t1"

        waits.clear()
        found = server.submit(claimed)
        until(waiting)
        commands.close()
        assert found.result(HANG) is None
