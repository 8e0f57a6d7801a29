"""Second factors in the store: counters that only rise, codes that work once, and locks after failures."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from pyotp import TOTP

from pitbook.auth.factors import StoredFactor
from pitbook.auth.policy import input_due, is_locked
from pitbook.auth.store import AuthStore
from pitbook.auth.timestamps import later
from pitbook.auth.totp import enrolment_uri, matching_step, new_secret, secret_text
from tests.auth.racing import race

NOW = "2026-03-01T12:00:00.000000+00:00"
FREE_FAILURES, LOCK_SECONDS, RECOVERY_CODES = 5, (900, 3_600, 86_400), 10
"""As the security guide states them."""


def factor(**changes: object) -> StoredFactor:
    fields = {"id": "f1", "person": "ann", "kind": "totp", "secret": "sealed", "credential": None, "counter": 5}
    return StoredFactor(**{**fields, "created": NOW, "used": None, **changes})  # type: ignore[arg-type]


def test_a_counter_only_rises(access: AuthStore) -> None:
    access.factors.add(factor())
    assert not access.factors.advance("f1", 5, NOW)
    assert access.factors.advance("f1", 6, NOW)
    assert not access.factors.advance("f1", 6, NOW)
    assert not access.factors.advance("f1", 4, NOW)
    (stored,) = access.factors.of_person("ann")
    assert (stored.counter, stored.used) == (6, NOW)


def test_of_concurrent_uses_of_one_code_one_succeeds(access: AuthStore) -> None:
    access.factors.add(factor())
    assert sum(race([lambda: access.factors.advance("f1", 6, NOW)] * 8)) == 1


def test_a_passkey_belongs_to_one_person(access: AuthStore) -> None:
    access.factors.add(factor(kind="passkey", credential="abc"))
    assert access.factors.has_credential("abc")
    assert not access.factors.has_credential("abd")


def test_each_recovery_code_works_once_and_only_for_its_person(access: AuthStore) -> None:
    codes = access.factors.make_recovery_codes("ann")
    assert len(set(codes)) == RECOVERY_CODES
    assert all(re.fullmatch("([a-z2-7]{4}-){3}[a-z2-7]{4}", code) for code in codes), "80 bits"
    assert not access.factors.use_recovery_code("ben", codes[0])
    assert access.factors.use_recovery_code("ann", f" {codes[0].upper().replace('-', ' ')} ")
    assert not access.factors.use_recovery_code("ann", codes[0])
    assert access.factors.recovery_codes_left("ann") == RECOVERY_CODES - 1
    assert sum(race([lambda: access.factors.use_recovery_code("ann", codes[1])] * 8)) == 1
    access.factors.make_recovery_codes("ann")
    assert not access.factors.use_recovery_code("ann", codes[2])
    assert access.factors.recovery_codes_left("ann") == RECOVERY_CODES


def test_repeated_failures_lock_for_longer_each_time(access: AuthStore) -> None:
    now = NOW
    for seconds in (*LOCK_SECONDS, LOCK_SECONDS[-1]):
        for _ in range(FREE_FAILURES - 1):
            attempt = access.factors.begin_attempt("ann", now)
            assert attempt is not None
            assert attempt.locked_until == ""
        last = access.factors.begin_attempt("ann", now)
        assert last is not None
        assert last.locked_until == later(now, seconds)
        assert access.factors.begin_attempt("ann", now) is None
        assert access.factors.begin_attempt("ann", later(now, seconds - 1)) is None
        assert access.factors.locked_until("ann", now) == later(now, seconds)
        now = later(now, seconds)
        assert access.factors.locked_until("ann", now) is None
    assert access.factors.begin_attempt("ben", now) is not None


def test_a_success_forgets_the_failures(access: AuthStore) -> None:
    for _ in range(FREE_FAILURES):
        access.factors.begin_attempt("ann", NOW)
    access.factors.succeeded("ann")
    attempt = access.factors.begin_attempt("ann", NOW)
    assert attempt is not None
    assert attempt.failures == 1


def test_of_many_concurrent_attempts_only_a_few_are_checked(access: AuthStore) -> None:
    began = race([lambda: access.factors.begin_attempt("ann", NOW)] * 20)
    assert sum(one is not None for one in began) == FREE_FAILURES


def test_a_challenge_is_answered_once_and_in_time(access: AuthStore) -> None:
    access.factors.save_challenge("s1", "confirm", "first", NOW)
    access.factors.save_challenge("s1", "confirm", "second", NOW)
    assert access.factors.challenge("s1", "confirm", NOW) == "second"
    assert access.factors.take_challenge("s1", "register", NOW) is None
    assert access.factors.take_challenge("s2", "confirm", NOW) is None
    assert access.factors.take_challenge("s1", "confirm", NOW) == "second"
    assert access.factors.take_challenge("s1", "confirm", NOW) is None
    access.factors.save_challenge("s1", "confirm", "third", NOW)
    assert access.factors.challenge("s1", "confirm", later(NOW, 599)) == "third"
    assert access.factors.take_challenge("s1", "confirm", later(NOW, 600)) is None
    assert access.purge(later(NOW, 600)) == 1


def test_a_person_leaves_no_factors_behind(access: AuthStore) -> None:
    access.factors.add(factor())
    (code, *_) = access.factors.make_recovery_codes("ann")
    access.factors.begin_attempt("ann", NOW)
    access.delete_person("ann")
    assert access.factors.of_person("ann") == ()
    assert not access.factors.use_recovery_code("ann", code)


# ---------------------------------------------------------------- sessions


def test_a_second_factor_gives_the_session_a_new_secret(access: AuthStore) -> None:
    made = access.sessions.create("ann", NOW, authenticated_by="password")
    assert made.session.factor_at is None
    at = later(NOW, 5)
    confirmed = access.sessions.confirm(made.secret, at)
    assert confirmed is not None
    assert access.sessions.find(made.secret, at) is None
    found = access.sessions.find(confirmed.secret, at)
    assert found is not None
    assert (found.id, found.factor_at) == (made.session.id, at)
    assert access.sessions.confirm(made.secret, at) is None


def test_input_is_recorded_unless_the_session_is_locked(access: AuthStore) -> None:
    made = access.sessions.create("ann", NOW, authenticated_by="password")
    access.sessions.record_input(made.session.id, later(NOW, 30))
    access.sessions.lock(made.session.id, later(NOW, 40))
    access.sessions.record_input(made.session.id, later(NOW, 50))
    found = access.sessions.find(made.secret, later(NOW, 60))
    assert found is not None
    assert (found.active, found.locked) == (later(NOW, 30), later(NOW, 40))
    unlocked = access.sessions.unlock(made.session.id, later(NOW, 70))
    assert unlocked is not None
    assert (unlocked.active, unlocked.locked) == (later(NOW, 70), None)


def test_a_session_locks_by_hand_and_after_the_time_without_input() -> None:
    assert not is_locked(NOW, None, later(NOW, 299), 5)
    assert is_locked(NOW, None, later(NOW, 300), 5)
    assert is_locked(NOW, NOW, NOW, 5)
    assert not is_locked(NOW, NOW, later(NOW, 86_400), 0)
    assert not input_due(NOW, later(NOW, 14), 5)
    assert input_due(NOW, later(NOW, 15), 5)
    assert input_due(NOW, later(NOW, 3), 1)


# ---------------------------------------------------------------- codes

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(("seconds", "valid"), [(-31, False), (-30, True), (0, True), (59, True), (60, False)])
def test_a_code_is_valid_for_its_time_step_and_one_on_either_side(seconds: int, valid: bool) -> None:
    secret = new_secret()
    assert len(secret) == 32
    code = TOTP(secret_text(secret)).at(AT)
    assert (matching_step(secret, code, AT + timedelta(seconds=seconds)) is not None) == valid


@pytest.mark.parametrize("code", ["", "12345", "１２３４５６", "abcdef", "1234567", "\0"])
def test_an_invalid_code_is_refused(code: str) -> None:
    assert matching_step(bytes(32), code, AT) is None


def test_an_app_reads_the_secret_from_the_address() -> None:
    secret = new_secret()
    uri = enrolment_uri(secret, "Ann Lee")
    assert uri.startswith("otpauth://totp/Pitbook:Ann%20Lee?")
    assert f"secret={secret_text(secret)}" in uri
    step = matching_step(secret, TOTP(secret_text(secret)).at(AT), AT)
    assert step == int(AT.timestamp()) // 30
