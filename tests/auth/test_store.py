"""Passwords, devices and shared settings on both databases."""

from __future__ import annotations

import pytest

from pitbook.auth.store import AuthStore
from pitbook.errors import InputError
from tests.auth.racing import NOON, after

FIRST = "$argon2id$v=19$m=8,t=1,p=1$first"
SECOND = "$argon2id$v=19$m=8,t=1,p=1$second"
THIRD = "$argon2id$v=19$m=8,t=1,p=1$third"


def test_a_password_is_stored_and_replaced(access: AuthStore, other: AuthStore) -> None:
    assert access.password_of("ann") is None
    assert access.set_password("ann", FIRST, NOON)
    assert access.set_password("ann", SECOND, after(minutes=1))
    assert other.password_of("ann") == SECOND
    assert other.password_of("Ann") is None


def test_a_new_hash_never_undoes_a_change_that_came_between(access: AuthStore) -> None:
    access.set_password("ann", FIRST, NOON)
    access.set_password("ann", SECOND, NOON)
    assert not access.set_password("ann", THIRD, NOON, instead_of=FIRST)
    assert access.password_of("ann") == SECOND
    assert access.set_password("ann", THIRD, NOON, instead_of=SECOND)
    assert not access.set_password("bob", THIRD, NOON, instead_of=SECOND)
    assert access.password_of("bob") is None


def test_a_plain_password_is_never_stored(access: AuthStore) -> None:
    with pytest.raises(ValueError, match="argon2id") as caught:
        access.set_password("ann", "lucky-seven-eleven", NOON)
    assert "lucky" not in str(caught.value)


def test_names_that_cannot_be_stored_belong_to_no_one(access: AuthStore) -> None:
    for name in ("a\0b", "\ud800", "\udfff"):
        assert access.password_of(name) is None
        assert not access.knows_device(name, "device")
        with pytest.raises(InputError, match="a NUL or an unpaired surrogate"):
            access.set_password(name, FIRST, NOON)


def test_a_deleted_person_cannot_sign_in(access: AuthStore) -> None:
    for person in ("ann", "bob"):
        access.set_password(person, FIRST, NOON)
        access.save_device(person, "device", NOON)
    sessions = [access.sessions.create(person, NOON, authenticated_by="demo") for person in ("ann", "bob")]
    tokens = [access.tokens.make(person, "a token", [], NOON) for person in ("ann", "bob")]
    links = [access.links.make("sign-in", person, after(minutes=5)) for person in ("ann", "bob")]
    access.delete_person("ann")
    assert access.password_of("ann") is None
    assert not access.knows_device("ann", "device")
    assert [access.sessions.find(made.secret, NOON) is None for made in sessions] == [True, False]
    assert [access.tokens.find(made.text, NOON) is None for made in tokens] == [True, False]
    assert [access.links.redeem(made.secret, NOON) is None for made in links] == [True, False]
    assert access.password_of("bob") == FIRST
    assert access.knows_device("bob", "device")


def test_a_device_is_known_for_its_own_person(access: AuthStore, other: AuthStore) -> None:
    access.save_device("ann", "device", NOON)
    access.save_device("ann", "device", after(minutes=1))
    assert other.knows_device("ann", "device")
    assert not other.knows_device("bob", "device")
    assert not other.knows_device("ann", "another")
    assert not other.knows_device("ann", "\ud800")
    access.delete_devices("ann")
    assert not other.knows_device("ann", "device")


def test_purging_drops_old_devices_links_and_sessions(access: AuthStore) -> None:
    day = 24 * 60
    access.save_device("ann", "old", NOON)
    access.save_device("ann", "new", after(minutes=300 * day))
    access.links.make("sign-in", "ann", after(minutes=1))
    access.sessions.create("ann", NOON, authenticated_by="link")
    assert access.purge(after(minutes=401 * day)) == 3
    assert access.knows_device("ann", "new")
    assert not access.knows_device("ann", "old")


def test_a_setting_is_shared(access: AuthStore, other: AuthStore) -> None:
    assert access.setting("name") is None
    access.save_setting("name", "Golden Dice")
    access.save_setting("name", "金骰 100%?")
    assert other.setting("name") == "金骰 100%?"
    other.delete_setting("name")
    assert access.setting("name") is None


def test_a_pin_is_stored_replaced_and_removed(access: AuthStore, other: AuthStore) -> None:
    assert access.pin_of("ann") is None
    access.set_pin("ann", FIRST, NOON)
    access.set_pin("ann", SECOND, after(minutes=1))
    access.set_pin("bob", THIRD, NOON)
    assert other.pin_of("ann") == SECOND
    access.set_pin("ann", None, after(minutes=2))
    assert (other.pin_of("ann"), other.pin_of("bob")) == (None, THIRD)
    access.delete_person("bob")
    assert other.pin_of("bob") is None


def test_a_device_is_dropped_after_400_days_and_not_before(access: AuthStore) -> None:
    access.save_device("ann", "device", NOON)
    assert access.purge(after(minutes=400 * 24 * 60, seconds=-1)) == 0
    assert access.purge(after(minutes=400 * 24 * 60)) == 1
