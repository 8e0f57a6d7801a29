"""The authenticator: revoking everything of a person, where people signed in, and its tasks."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from typing import Any

import pytest
from msgspec.structs import replace

from pitbook.auth.timestamps import later
from pitbook.people import commands as people
from pitbook.server.http.problems import Problem
from pitbook.server.people import authentication
from pitbook.server.people.identity import ANONYMOUS
from tests.server.people.conftest import BOSS, ORIGIN, Casino, Guest
from tests.waiting import until_async

pytestmark = pytest.mark.anyio


def events(casino: Casino, kind: str) -> list[dict[str, str]]:
    """Return the events of a kind on the house's record."""
    return [json.loads(entry.body) for entry in casino.record() if entry.kind == kind]


async def test_revoking_all_ends_sessions_and_streams_and_is_recorded_if_it_ended_any(casino: Casino) -> None:
    ended: list[str] = []
    casino.desk.on_sign_out.append(ended.append)
    async with casino.open() as guest:
        ann = guest()
        await ann.sign_in("ann")
        await casino.desk.revoke_all("ann", "left")
        assert (await ann.get("/me")).status_code == 401
        await casino.desk.revoke_all("ben", "left")
    assert ended == ["ann", "ben"]
    assert [one["person"] for one in events(casino, "SessionEnded")] == ["ann"]


@pytest.mark.parametrize("other", ["session", "link"])
async def test_the_end_of_one_token_and_of_one_of_another_kind_is_recorded(casino: Casino, other: str) -> None:
    async with casino.open():
        now = casino.desk.now()
        casino.access.tokens.make("ann", "a bot", ("read",), now)
        if other == "session":
            casino.access.sessions.create("ann", now, authenticated_by="password")
        else:
            casino.access.links.make("sign-in", "ann", later(now, 60))
        await casino.desk.revoke_all("ann", "left")
    assert [one["person"] for one in events(casino, "SessionEnded")] == ["ann"]


@pytest.mark.parametrize("pseudonyms", [False, True])
async def test_the_place_of_a_sign_in_is_on_record_unless_the_person_has_a_pseudonym(
    casino: Casino, pseudonyms: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(casino.desk.pseudonyms, "covers", lambda _: pseudonyms)
    async with casino.open() as guest:
        await guest().sign_in("ann", headers={"User-Agent": "Firefox"})
    (signed_in,) = events(casino, "SignedIn")
    assert (bool(signed_in["address"]), signed_in["agent"]) == ((False, "") if pseudonyms else (True, "Firefox"))


async def test_no_task_continues_after_the_close(casino: Casino, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(casino.house.store, "watch", None, raising=False)
    before = asyncio.all_tasks()
    casino.desk.start()
    assert len(asyncio.all_tasks() - before) == 2
    await casino.desk.close()
    assert asyncio.all_tasks() == before


async def test_what_has_expired_is_purged_again_after_a_failure(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[str] = []

    def purge(now: str) -> None:
        calls.append(now)
        if len(calls) < 3:
            raise OSError("the disk is away")

    monkeypatch.setattr(casino.access, "purge", purge)
    monkeypatch.setattr(authentication, "PURGE_SECONDS", 0)
    casino.desk.start()
    await until_async(lambda: len(calls) > 3)
    await casino.desk.close()
    assert caplog.text.count("ended sessions cannot be removed: the disk is away") == 2


async def test_an_event_that_cannot_be_recorded_is_logged_and_one_that_is_cancelled_is_not(
    casino: Casino, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for outcome in ("recorded", "cancelled", "failed"):
        future: Future[None] = Future()
        monkeypatch.setattr(casino.house, "submit_people", lambda *_, found=future: found)
        casino.desk.records.record(people.RecordSessionEnd("ann", "left"))
        if outcome == "failed":
            assert not caplog.text
            future.set_exception(OSError("the disk is full"))
        elif outcome == "recorded":
            future.set_result(None)
        else:
            future.cancel()
    assert "an event of the server could not be recorded: the disk is full" in caplog.text


def post_scope(guest: Guest, cookie: str | None) -> dict[str, Any]:
    """Return the ASGI scope of a guest's request for a change."""
    headers = {"origin": ORIGIN, "host": ORIGIN.rpartition("/")[2], "x-csrf-token": guest.csrf or ""}
    if cookie is not None:
        headers["cookie"] = f"pitbook={cookie}"
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    return {"method": "POST", "scheme": "http", "headers": encoded}


async def test_only_an_active_account_that_needs_no_lock_is_known_without_a_look_up(casino: Casino) -> None:
    async with casino.open() as guest:
        found = {}
        for name in ("ann", "ben", "dan"):
            found[name] = guest()
            await found[name].sign_in(name)
            await found[name].get("/me")

        def known(name: str) -> str | None:
            caller = casino.desk.cached_caller(post_scope(found[name], found[name].cookie))
            return None if caller is None or caller.account is None else caller.account.name

        assert casino.desk.cached_caller(post_scope(found["ann"], None)) is None
        assert casino.desk.cached_caller(post_scope(found["ann"], "a session that nobody has")) is None
        assert [known(name) for name in found] == ["ann", "ben", "dan"]
        casino.done(BOSS, people.Deactivate("ben", "left"))
        assert [known(name) for name in found] == ["ann", None, "dan"]
        casino.done(BOSS, people.SetPolicy(replace(casino.house.people.policy, lock_minutes=5)))
        assert [known(name) for name in found] == ["ann", None, None]


async def test_a_wrong_token_is_refused_and_a_wrong_cookie_is_a_visitors(casino: Casino) -> None:
    async with casino.open() as guest:
        assert await casino.desk.caller(post_scope(guest(), "a session that nobody has")) is ANONYMOUS
        scope = post_scope(guest(), None)
        assert await casino.desk.caller(scope) is ANONYMOUS
        scope["headers"].append((b"authorization", b"Bearer nonsense"))
        with pytest.raises(Problem) as refused:
            await casino.desk.caller(scope)
    assert refused.value.kind.name == "not-signed-in"
