"""The directory reports every change of rights once, whether this process or another one committed it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pitbook.journal.entries import HOUSE, Entry
from pitbook.people import commands as people
from pitbook.server.people.directory import Directory
from pitbook.server.people.event_recorder import THE_SERVER
from tests.server.people.conftest import BOSS, Casino
from tests.waiting import until_async

pytestmark = pytest.mark.anyio


def watched(casino: Casino, **more: float) -> tuple[Directory, list[str]]:
    """A directory that hears of nothing on its own, and the names of whom it told."""
    events: list[str] = []
    directory = Directory(casino.house, **more)
    directory.on_change.append(events.append)
    return directory, events


def entries(casino: Casino, after: int) -> tuple[Entry, ...]:
    return tuple(casino.house.store.entries(HOUSE, after, 100))


@pytest.mark.parametrize(
    "change",
    [people.GiveRole("ann", "shooter"), people.TakeRole("ann", "player"), people.Deactivate("ann", "gone")],
)
async def test_a_change_of_rights_is_announced_once(casino: Casino, change: people.Command) -> None:
    directory, events = watched(casino)
    before = casino.house.store.head(HOUSE).sequence
    casino.done(BOSS, change)
    directory.committed({HOUSE: entries(casino, before)})
    assert events == ["ann"]
    directory.refresh()
    assert events == ["ann"]
    elsewhere, received = watched(casino)
    casino.done(BOSS, people.GiveRole("ben", "shooter"))
    elsewhere.refresh()
    elsewhere.refresh()
    assert received == ["ben"]


async def test_everyone_who_needs_a_second_factor_by_a_new_policy_is_announced(casino: Casino) -> None:
    directory, events = watched(casino)
    policy = replace(casino.house.people.policy, factor_roles=("auditor",))
    casino.done(BOSS, people.SetPolicy(policy))
    directory.refresh()
    assert events == ["kim"]
    casino.done(BOSS, people.SetPolicy(replace(policy, registration=not policy.registration)))
    directory.refresh()
    assert events == ["kim"]


async def test_a_new_account_and_a_language_are_no_change_of_rights(casino: Casino) -> None:
    directory, events = watched(casino)
    casino.done(BOSS, people.AddPerson("eve", "Eve", ()))
    directory.refresh()
    assert directory.find("eve") is not None
    assert events == []


async def test_sign_outs_in_other_processes_are_announced_and_those_here_are_not(casino: Casino) -> None:
    directory, events = watched(casino)
    before = casino.house.store.head(HOUSE).sequence
    casino.done(THE_SERVER, people.RecordSessionEnd("ann", "here"))
    directory.committed({HOUSE: entries(casino, before)})
    directory.refresh()
    assert events == []
    casino.done(THE_SERVER, people.RecordSessionEnd("ben", "elsewhere"))
    directory.refresh()
    assert events == ["ben"]


async def test_what_others_committed_between_is_read_before_what_was_committed_here_counts(casino: Casino) -> None:
    directory, events = watched(casino)
    before = casino.house.store.head(HOUSE).sequence
    casino.done(THE_SERVER, people.RecordSessionEnd("ben", "elsewhere"))
    casino.done(THE_SERVER, people.RecordSessionEnd("ann", "here"))
    directory.committed({HOUSE: entries(casino, before + 1)})
    directory.committed({"t1": entries(casino, before)})
    assert events == []
    directory.refresh()
    assert sorted(events) == ["ann", "ben"]


async def test_a_name_that_is_not_known_yet_is_looked_for_in_the_journal(casino: Casino) -> None:
    found = await casino.directory.fetch("ann")
    assert found is not None
    assert found.name == "ann"
    assert await casino.directory.fetch("nobody") is None


async def test_the_journal_is_read_for_a_name_that_is_not_known_and_for_no_other(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(casino.directory, "refresh", lambda: read.append("the journal"))
    await casino.directory.fetch("ann")
    assert read == []
    await casino.directory.fetch("nobody")
    assert read == ["the journal"]


async def test_pseudonyms_are_loaded_again_after_other_processes_added_people(
    casino: Casino, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory, _ = watched(casino)
    directory.pseudonyms = casino.desk.pseudonyms
    loaded: list[str] = []
    monkeypatch.setattr(directory.pseudonyms, "reload", lambda: loaded.append("names"))
    casino.done(BOSS, people.GiveRole("ann", "shooter"))
    directory.refresh()
    assert loaded == []
    casino.done(BOSS, people.AddPerson("eve", "Eve", ()))
    directory.refresh()
    assert loaded == ["names"]


async def test_the_journal_is_looked_into_again_after_a_failure(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    directory, events = watched(casino, poll_seconds=0.001)
    failures = iter(range(2))
    refresh = directory.refresh

    def sometimes() -> None:
        if next(failures, None) is not None:
            raise OSError("the journal is away")
        refresh()

    monkeypatch.setattr(directory, "refresh", sometimes)
    monkeypatch.setattr(casino.house.store, "watch", None, raising=False)
    directory.start()
    casino.done(BOSS, people.GiveRole("ann", "shooter"))
    await until_async(lambda: events == ["ann"])
    await directory.close()
    assert caplog.text.count("using the last known ones: the journal is away") == 2
