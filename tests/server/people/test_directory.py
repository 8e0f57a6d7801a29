"""The directory reports every change of rights once, whether this process or another one committed it."""

from __future__ import annotations

import pytest

from pitbook.journal.entries import HOUSE, Entry
from pitbook.people import commands as people
from pitbook.server.people.directory import Directory
from pitbook.server.people.event_recorder import THE_SERVER
from tests.server.people.conftest import BOSS, Club
from tests.waiting import until_async

pytestmark = pytest.mark.anyio


def watched(club: Club, **more: float) -> tuple[Directory, list[str]]:
    """A directory that hears of nothing on its own, and the names of whom it told."""
    told: list[str] = []
    directory = Directory(club.house, **more)
    directory.on_change.append(told.append)
    return directory, told


def entries(club: Club, after: int) -> tuple[Entry, ...]:
    return tuple(club.house.store.entries(HOUSE, after, 100))


@pytest.mark.parametrize(
    "change",
    [people.GiveRole("ann", "shooter"), people.TakeRole("ann", "player"), people.Deactivate("ann", "gone")],
)
async def test_a_change_of_rights_is_told_once(club: Club, change: people.Command) -> None:
    directory, told = watched(club)
    before = club.house.store.head(HOUSE).sequence
    club.done(BOSS, change)
    directory.committed({HOUSE: entries(club, before)})
    assert told == ["ann"]
    directory.refresh()
    assert told == ["ann"]
    elsewhere, heard = watched(club)
    club.done(BOSS, people.GiveRole("ben", "shooter"))
    elsewhere.refresh()
    elsewhere.refresh()
    assert heard == ["ben"]


async def test_a_new_account_and_a_language_are_no_change_of_rights(club: Club) -> None:
    directory, told = watched(club)
    club.done(BOSS, people.AddPerson("eve", "Eve", ()))
    directory.refresh()
    assert directory.find("eve") is not None
    assert told == []


async def test_whoever_signed_out_in_another_process_is_told_and_here_is_not(club: Club) -> None:
    directory, told = watched(club)
    before = club.house.store.head(HOUSE).sequence
    club.done(THE_SERVER, people.RecordSessionEnd("ann", "here"))
    directory.committed({HOUSE: entries(club, before)})
    directory.refresh()
    assert told == []
    club.done(THE_SERVER, people.RecordSessionEnd("ben", "elsewhere"))
    directory.refresh()
    assert told == ["ben"]


async def test_what_others_committed_between_is_read_before_what_was_committed_here_counts(club: Club) -> None:
    directory, told = watched(club)
    before = club.house.store.head(HOUSE).sequence
    club.done(THE_SERVER, people.RecordSessionEnd("ben", "elsewhere"))
    club.done(THE_SERVER, people.RecordSessionEnd("ann", "here"))
    directory.committed({HOUSE: entries(club, before + 1)})
    directory.committed({"t1": entries(club, before)})
    assert told == []
    directory.refresh()
    assert sorted(told) == ["ann", "ben"]


async def test_a_name_that_is_not_known_yet_is_looked_for_in_the_journal(club: Club) -> None:
    found = await club.directory.fetch("ann")
    assert found is not None
    assert found.name == "ann"
    assert await club.directory.fetch("nobody") is None


async def test_the_journal_is_looked_into_again_after_a_failure(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    directory, told = watched(club, poll_seconds=0.001)
    failures = iter(range(2))
    refresh = directory.refresh

    def sometimes() -> None:
        if next(failures, None) is not None:
            raise OSError("the journal is away")
        refresh()

    monkeypatch.setattr(directory, "refresh", sometimes)
    monkeypatch.setattr(club.house.store, "watch", None, raising=False)
    directory.start()
    club.done(BOSS, people.GiveRole("ann", "shooter"))
    await until_async(lambda: told == ["ann"])
    await directory.close()
    assert caplog.text.count("using the last known ones: the journal is away") == 2
