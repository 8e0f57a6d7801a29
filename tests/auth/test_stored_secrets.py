"""Secrets are given away once. They are in no database, no repr, no log and no error."""

from __future__ import annotations

import logging
import traceback
from base64 import urlsafe_b64decode
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from argon2.profiles import CHEAPEST

from pitbook.auth.errors import ConstraintViolation, Unavailable
from pitbook.auth.passwords import Passwords, Verified
from pitbook.auth.secrets import digest, new_id, new_secret
from pitbook.auth.store import AuthStore
from pitbook.auth.stores import open_auth_store
from tests.auth.racing import NOON, after

PASSWORD = "eleven-lucky-camels"


class Everything:
    """One secret of each kind, and all values that came with it."""

    def __init__(self, access: AuthStore) -> None:
        passwords = Passwords(CHEAPEST)
        self.device = new_secret()
        self.hash = passwords.hash_password(PASSWORD)
        access.set_password("ann", self.hash, NOON)
        access.save_device("ann", self.device, NOON)
        self.session = access.sessions.create("ann", NOON, authenticated_by="password")
        self.token = access.tokens.make("ann", "a token", ["read"], NOON)
        self.link = access.links.make("sign-in", "ann", after(minutes=5))
        self.values: list[object] = [
            self.session,
            self.session.session,
            access.sessions.find(self.session.secret, NOON),
            access.sessions.of_person("ann", NOON),
            self.token,
            access.tokens.find(self.token.text, NOON),
            access.tokens.of_person("ann"),
            self.link,
            access.links.find(self.link.secret, NOON),
            Verified(matches=True, new_hash=self.hash),
            passwords,
            access,
            access.database,
            access.sessions,
        ]

    @property
    def secrets(self) -> list[str]:
        """What lets someone in."""
        token = self.token.text.rpartition("_")[2]
        return [PASSWORD, self.device, self.session.secret, self.session.session.csrf, token, self.link.secret]


def stored(where: str) -> bytes:
    """Return every stored byte."""
    if not where.startswith("postgresql://"):
        return b"".join(file.read_bytes() for file in Path(where).parent.iterdir())
    with psycopg.connect(where) as connection:
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        return "".join(
            row
            for (table,) in connection.execute(tables).fetchall()
            for (row,) in connection.execute(f'SELECT CAST("{table}" AS text) FROM "{table}"').fetchall()
        ).encode()


def test_no_secret_is_stored(access: AuthStore, where: str) -> None:
    everything = Everything(access)
    content = stored(where)
    assert everything.session.session.id.encode() in content  # the search covers the right place
    assert everything.hash.encode() in content
    for secret in everything.secrets:
        assert secret.encode() not in content


def test_no_secret_is_in_a_repr(access: AuthStore) -> None:
    everything = Everything(access)
    message = " ".join(f"{value!r} {value}" for value in everything.values)
    assert everything.session.session.id in message
    for secret in [*everything.secrets, everything.hash]:
        assert secret not in message


def test_no_secret_is_in_a_log(where: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), open_auth_store(where) as access:
        everything = Everything(access)
    for secret in [*everything.secrets, everything.hash]:
        assert secret not in caplog.text


def test_no_secret_is_in_an_error_that_a_row_causes(access: AuthStore) -> None:
    """PostgreSQL quotes the whole row in the detail of an error, and SQLite its columns."""
    everything = Everything(access)
    values = (everything.hash, b"short", everything.session.secret)
    with pytest.raises(ConstraintViolation) as caught:
        access.database.fetch("INSERT INTO access_links (purpose, hash, person, expires) VALUES (?, ?, ?, '')", values)
    output = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert "constraint" in output.lower()
    for secret in [*everything.secrets, everything.hash]:
        assert secret not in output


def test_no_secret_is_in_an_error_of_a_database_without_its_tables(access: AuthStore) -> None:
    everything = Everything(access)
    for table in ("sessions", "tokens", "links", "devices", "passwords"):
        access.database.fetch(f"DROP TABLE access_{table}")
    calls: list[Callable[[], object]] = [
        lambda: access.sessions.find(everything.session.secret, NOON),
        lambda: access.tokens.find(everything.token.text, NOON),
        lambda: access.links.redeem(everything.link.secret, NOON),
        lambda: access.knows_device("ann", everything.device),
        lambda: access.set_password("ann", everything.hash, NOON),
    ]
    for call in calls:
        with pytest.raises((ConstraintViolation, Unavailable)) as caught:
            call()
        output = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
        for secret in [*everything.secrets, everything.hash]:
            assert secret not in output


def test_the_csrf_secret_does_not_give_the_session_away(access: AuthStore) -> None:
    made = access.sessions.create("ann", NOON, authenticated_by="password")
    assert len(made.session.csrf) == 64
    assert made.session.csrf not in (made.secret, digest(made.secret).hex())
    assert access.sessions.find(made.session.csrf, NOON) is None


def test_a_secret_has_256_bits_and_an_id_64() -> None:
    assert len(urlsafe_b64decode(new_secret() + "=")) * 8 == 256
    assert len(bytes.fromhex(new_id())) * 8 == 64


def test_secrets_differ_each_time() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
