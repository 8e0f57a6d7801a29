"""Sessions and tokens at hand: for a second, never beyond their end, and no longer once something was taken back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pitbook.auth.policy import SessionPolicy
from pitbook.auth.store import AuthStore
from pitbook.auth.stores import open_auth_store
from pitbook.auth.timestamps import format_timestamp
from pitbook.server.people import credentials
from pitbook.server.people.credentials import Credentials
from pitbook.server.people.identity import Caller

pytestmark = pytest.mark.anyio

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@pytest.fixture
def access(tmp_path: Path) -> Iterator[AuthStore]:
    with open_auth_store(str(tmp_path / "journal.db")) as opened:
        yield opened


def session(access: AuthStore, person: str = "ann", idle: float = 3600) -> str:
    """The secret of a new session."""
    policy = SessionPolicy(idle_minutes=idle / 60)
    return access.sessions.create(person, format_timestamp(NOON), authenticated_by="password", policy=policy).secret


async def test_a_session_is_at_hand_for_a_second_and_not_before_it_was_looked_up(access: AuthStore) -> None:
    credentials, secret = Credentials(access), session(access)
    found = await credentials.find_session(secret, NOON)
    assert found is not None
    assert (found.person, found.key, found.scopes, found.since, found.until) == ("ann", "ann", None, NOON, at(1))
    assert found.session is not None
    assert found.csrf == found.session.csrf.encode()
    access.sessions.revoke(secret)  # by another process, without a notice here
    assert await credentials.find_session(secret, NOON) is found
    assert await credentials.find_session(secret, at(0.999)) is found
    assert await credentials.find_session(secret, at(1)) is None
    secret = session(access)
    assert await credentials.find_session(secret, NOON) is not None
    access.sessions.revoke(secret)
    assert await credentials.find_session(secret, at(-0.001)) is None, "the clock went back, so it is looked up"


async def test_a_token_is_at_hand_for_a_second_and_never_beyond_its_end(access: AuthStore) -> None:
    credentials = Credentials(access)
    long = access.tokens.make("Ann", "long", ["read", "play"], format_timestamp(NOON)).text
    short = access.tokens.make("Ann", "short", ["read"], format_timestamp(NOON), expires=format_timestamp(at(0.5))).text
    found = await credentials.find_token(long, NOON)
    assert found is not None
    scopes = frozenset({"read", "play"})
    assert (found.person, found.key, found.scopes, found.session) == ("Ann", "ann", scopes, None)
    assert (found.since, found.until, found.csrf) == (NOON, at(1), b"")
    brief = await credentials.find_token(short, NOON)
    assert brief is not None
    assert brief.until == at(0.5)
    access.tokens.revoke_all("Ann", format_timestamp(NOON))
    assert await credentials.find_token(long, NOON) is found
    assert await credentials.find_token(long, at(0.999)) is found
    assert await credentials.find_token(long, at(1)) is None
    assert await credentials.find_token(short, at(0.5)) is None


async def test_a_session_that_ends_soon_is_at_hand_for_a_twentieth_of_its_time(access: AuthStore) -> None:
    credentials = Credentials(access)
    for idle, brief in ((10, 0.5), (20, 1), (40, 1)):
        found = await credentials.find_session(session(access, idle=idle), NOON)
        assert found is not None
        assert found.until == at(brief)


async def test_what_was_taken_back_is_forgotten_for_its_person_only(access: AuthStore) -> None:
    credentials, ann, ben = Credentials(access), session(access, "ann"), session(access, "ben")
    token = access.tokens.make("ann", "bot", ["read"], format_timestamp(NOON)).text
    bens = await credentials.find_session(ben, NOON)
    assert await credentials.find_session(ann, NOON) is not None
    assert await credentials.find_token(token, NOON) is not None
    access.sessions.revoke_all("ann")
    access.sessions.revoke_all("ben")
    access.tokens.revoke_all("ann", format_timestamp(NOON))
    credentials.forget("ann")
    assert await credentials.find_session(ann, NOON) is None
    assert await credentials.find_token(token, NOON) is None
    assert await credentials.find_session(ben, NOON) is bens


async def test_as_many_are_at_hand_as_there_is_room_for(access: AuthStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "MAX_CACHED", 2)
    stored = Credentials(access)
    secrets = [session(access) for _ in range(3)]
    found = [await stored.find_session(secret, NOON) for secret in secrets[:2]]
    access.sessions.revoke(secrets[0])
    assert await stored.find_session(secrets[0], NOON) is found[0], "two have room"
    assert await stored.find_session(secrets[2], NOON) is not None
    assert await stored.find_session(secrets[0], NOON) is None, "the third made room by clearing"


async def test_what_proves_a_page_ours_is_not_shown_where_a_credential_is(access: AuthStore) -> None:
    found = await Credentials(access).find_session(session(access), NOON)
    assert found is not None
    assert found.csrf
    assert found.csrf.decode() not in repr(found)
    assert "Credential(" not in repr(Caller(credential=found))


async def test_what_is_nobodys_is_not_found(access: AuthStore) -> None:
    credentials = Credentials(access)
    assert await credentials.find_session("made up", NOON) is None
    assert await credentials.find_token("pitbook_x_y", NOON) is None
