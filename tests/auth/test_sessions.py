"""Sessions on both databases: what the browser holds is kept nowhere, and what has ended lets nobody in."""

from __future__ import annotations

from functools import partial

import pytest

from pitbook.auth.policy import SessionPolicy
from pitbook.auth.sessions import NewSession
from pitbook.auth.store import AuthStore
from pitbook.auth.timestamps import check_timestamp
from pitbook.errors import InputError
from tests.auth.racing import NOON, after, race


def sign_in(access: AuthStore, person: str = "ann", now: str = NOON, policy: SessionPolicy | None = None) -> NewSession:
    return access.sessions.create(
        person, now, authenticated_by="password", address="10.0.0.7", agent="Firefox", policy=policy
    )


def test_a_session_is_found_by_its_secret_only(access: AuthStore) -> None:
    made = sign_in(access)
    assert len(made.secret) >= 43  # 256 bits
    found = access.sessions.find(made.secret, NOON)
    assert found == made.session
    assert (found.person, found.authenticated_by, found.address, found.agent) == (
        "ann",
        "password",
        "10.0.0.7",
        "Firefox",
    )
    for wrong in (made.session.id, made.secret[:-1], "", "\ud800", "a\0b"):
        assert access.sessions.find(wrong, NOON) is None


def test_another_process_sees_a_session_and_its_end(access: AuthStore, other: AuthStore) -> None:
    made = sign_in(access)
    assert other.sessions.find(made.secret, NOON) == made.session
    assert access.sessions.revoke(made.secret)
    assert other.sessions.find(made.secret, NOON) is None
    assert not other.sessions.revoke(made.secret)


def test_an_idle_session_ends_and_a_used_one_lasts(access: AuthStore) -> None:
    idle, used = sign_in(access), sign_in(access)
    for minute in range(0, 60, 10):
        assert access.sessions.find(used.secret, after(minutes=minute))
    assert access.sessions.find(idle.secret, after(minutes=29.99)) is not None
    assert access.sessions.find(sign_in(access).secret, after(minutes=30)) is None
    assert access.sessions.find(used.secret, after(minutes=79)) is not None


def test_a_session_in_use_ends_at_its_absolute_end(access: AuthStore) -> None:
    made = sign_in(access, policy=SessionPolicy(idle_minutes=30, absolute_hours=1))
    for minute in range(0, 60, 5):
        found = access.sessions.find(made.secret, after(minutes=minute))
        assert found is not None
        assert found.idle_until <= found.ends == after(minutes=60)
    assert access.sessions.find(made.secret, after(minutes=60)) is None


def test_reading_writes_at_most_once_a_minute(access: AuthStore, other: AuthStore) -> None:
    made = sign_in(access)
    for second in (0, 1, 59):
        found = access.sessions.find(made.secret, after(seconds=second))
        assert found is not None
        assert found.seen == NOON
    touched = access.sessions.find(made.secret, after(seconds=60))
    assert touched is not None
    assert touched.seen == after(seconds=60)
    assert other.sessions.of_person("ann", after(seconds=60))[0].seen == after(seconds=60)


def test_a_short_session_is_noted_often_enough_to_last(access: AuthStore) -> None:
    made = sign_in(access, policy=SessionPolicy(idle_minutes=1))
    for second, seen in ((5.9, 0), (6, 6), (11.9, 6), (12, 12)):
        found = access.sessions.find(made.secret, after(seconds=second))
        assert found is not None
        assert found.seen == after(seconds=seen)
    assert access.sessions.find(made.secret, after(seconds=71)) is not None


def test_a_clock_that_lags_never_shortens_a_session(access: AuthStore) -> None:
    made = sign_in(access)
    access.sessions.find(made.secret, after(minutes=20))
    access.sessions.find(made.secret, after(minutes=5))
    assert access.sessions.find(made.secret, after(minutes=45)) is not None


def test_rotation_makes_the_old_secret_worthless_and_keeps_the_session(access: AuthStore) -> None:
    made = sign_in(access)
    rotated = access.sessions.rotate(made.secret, after(minutes=1))
    assert rotated is not None
    assert rotated.secret != made.secret
    assert rotated.session.csrf != made.session.csrf
    assert rotated.session.id == made.session.id
    assert access.sessions.find(made.secret, after(minutes=1)) is None
    assert access.sessions.find(rotated.secret, after(minutes=1)) is not None
    assert access.sessions.rotate(made.secret, after(minutes=1)) is None
    assert access.sessions.rotate(rotated.secret, after(minutes=31)) is None


def test_of_many_who_rotate_at_once_one_gets_the_new_secret(access: AuthStore, other: AuthStore) -> None:
    made = sign_in(access)
    acts = [partial(one.sessions.rotate, made.secret, NOON) for one in (access, other) * 4]
    got = [new for new in race(acts) if new]
    assert len(got) == 1
    assert access.sessions.find(got[0].secret, NOON) is not None


def test_all_sessions_of_a_person_end_but_the_one_in_hand(access: AuthStore) -> None:
    mine, *others = (sign_in(access) for _ in range(4))
    bob = sign_in(access, "bob")
    assert access.sessions.revoke_all("ann", but=mine.secret) == 3
    assert access.sessions.find(mine.secret, NOON) is not None
    assert not any(access.sessions.find(made.secret, NOON) for made in others)
    assert access.sessions.revoke_all("ann") == 1
    assert access.sessions.find(bob.secret, NOON) is not None


def test_a_list_names_sessions_without_revealing_their_secrets(access: AuthStore) -> None:
    first, second = sign_in(access), sign_in(access, now=after(minutes=1))
    sign_in(access, "bob")
    listed = access.sessions.of_person("ann", after(minutes=2))
    assert [session.id for session in listed] == [second.session.id, first.session.id]
    assert all(session.csrf == "" for session in listed)
    assert access.sessions.of_person("ann", after(minutes=30.5)) == listed[:1]


def test_a_session_ends_by_its_id_only_for_its_own_person(access: AuthStore) -> None:
    made = sign_in(access)
    assert not access.sessions.revoke_by_id("bob", made.session.id)
    assert access.sessions.revoke_by_id("ann", made.session.id)
    assert access.sessions.find(made.secret, NOON) is None


def test_purging_drops_what_has_ended_and_nothing_else(access: AuthStore) -> None:
    sign_in(access)
    alive = sign_in(access, now=after(minutes=20))
    assert access.sessions.purge(after(minutes=31)) == 1
    assert access.sessions.purge(after(minutes=31)) == 0
    assert access.sessions.find(alive.secret, after(minutes=31)) is not None


def test_labels_of_browsers_are_made_harmless(access: AuthStore) -> None:
    made = access.sessions.create("ann", NOON, authenticated_by="link", agent="a\0\ud800\n\x1b[31m" + "x" * 999)
    assert made.session.agent.startswith("a[31mxxx")
    assert len(made.session.agent) <= 200


@pytest.mark.parametrize(
    "now", ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00+00:00", "2026-01-31T14:00:00.000000+02:00"]
)
def test_a_moment_that_does_not_sort_is_a_bug(access: AuthStore, now: str) -> None:
    made = sign_in(access)
    with pytest.raises(ValueError, match="a timestamp is written"):
        access.sessions.find(made.secret, now)


def test_an_invalid_timestamp_is_quoted_in_part() -> None:
    with pytest.raises(ValueError, match=f"not {'x' * 40}$"):
        check_timestamp("x" * 50)


@pytest.mark.parametrize(("idle", "hours"), [(0, 12), (-1, 12), (61, 1), (30, 0), (float("nan"), 1)])
def test_a_policy_that_cannot_be_is_a_mistake(idle: float, hours: float) -> None:
    with pytest.raises(InputError, match="cannot end after"):
        SessionPolicy(idle_minutes=idle, absolute_hours=hours)


def test_a_session_ends_after_half_an_hour_idle_or_twelve_hours_by_default(access: AuthStore) -> None:
    made = access.sessions.create("ann", NOON, authenticated_by="link").session
    assert (made.idle_until, made.ends) == (after(minutes=30), after(minutes=12 * 60))


@pytest.mark.parametrize(("idle", "hours"), [(0.5, 12), (60, 1), (59.5, 1)])
def test_an_idle_time_may_be_short_or_last_as_long_as_the_session(idle: float, hours: float) -> None:
    policy = SessionPolicy(idle_minutes=idle, absolute_hours=hours)
    assert policy.idle_seconds == idle * 60
    assert policy.ends(NOON) == after(minutes=hours * 60)
