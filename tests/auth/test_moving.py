"""What people sign in with moves to another database; sessions, links and other settings stay behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pitbook.auth.factors import StoredFactor
from pitbook.auth.identities import Identity
from pitbook.auth.moving import move_credentials
from pitbook.auth.store import AuthStore
from pitbook.auth.stores import open_auth_store

NOW = "2026-03-01T12:00:00.000000+00:00"
PHONE = StoredFactor("f1", "ann", "totp", "sealed", None, 5, NOW, None)
EVE = Identity("p-1", "eve", "Eve", "Eve Adams")


def test_all_credentials_move_and_no_session_or_link(access: AuthStore, tmp_path: Path) -> None:
    for person in ("ann", "ben"):
        access.set_password(person, f"$argon2id${person}", NOW)
    access.set_pin("ann", "$argon2id$pin", NOW)
    access.save_device("ann", "hash of a device", NOW)
    access.identities.add(EVE)
    access.factors.add(PHONE)
    (code, *_) = access.factors.make_recovery_codes("ann")
    assert access.factors.begin_attempt("ann", NOW) is not None
    token = access.tokens.make("ann", "a bot", ("play",), NOW)
    session = access.sessions.create("ann", NOW, authenticated_by="password")
    access.save_setting("webhook-w1", "sealed")
    access.save_setting("identity", "of this house")
    with open_auth_store(str(tmp_path / "moved.db")) as moved:
        assert move_credentials(access.database, moved.database) == 2
        assert [moved.password_of(person) for person in ("ann", "ben")] == ["$argon2id$ann", "$argon2id$ben"]
        assert moved.pin_of("ann") == "$argon2id$pin"
        assert moved.knows_device("ann", "hash of a device")
        assert moved.identities.find("eve") == EVE
        assert moved.identities.find("adam") is None
        assert moved.factors.of_person("ann") == (PHONE,)
        attempt = moved.factors.begin_attempt("ann", NOW)
        assert attempt is not None
        assert attempt.failures == 2
        assert moved.factors.use_recovery_code("ann", code)
        found = moved.tokens.find(token.text, NOW)
        assert found is not None
        assert replace(found, last_used=None) == replace(token.token, last_used=None)
        assert moved.sessions.find(session.secret, NOW) is None
        assert (moved.setting("webhook-w1"), moved.setting("identity")) == ("sealed", None)


def test_a_store_without_credentials_moves_nothing(access: AuthStore, tmp_path: Path) -> None:
    with open_auth_store(str(tmp_path / "moved.db")) as moved:
        assert move_credentials(access.database, moved.database) == 0


def test_credentials_move_all_or_none(access: AuthStore, tmp_path: Path) -> None:
    for person in ("ann", "ben"):
        access.set_password(person, f"$argon2id${person}", NOW)
    with open_auth_store(str(tmp_path / "moved.db")) as moved:
        moved.set_password("ben", "$argon2id$other", NOW)
        with pytest.raises(Exception, match=r"(?i)unique"):
            move_credentials(access.database, moved.database)
        assert moved.password_of("ann") is None
