"""API tokens: `pitbook_<id>_<secret>`, for programs that act for a person within named scopes."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pitbook.auth.policy import TOUCH_SECONDS
from pitbook.auth.port import fetch_one
from pitbook.auth.secrets import digest, is_storable, new_id, same_hash
from pitbook.auth.timestamps import check_timestamp, later
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.auth.port import Database

PREFIX = "pitbook"
NAME_MAX = 100
COLUMNS = "id, person, name, scopes, created, expires, last_used, revoked"


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret."""

    id: str
    person: str
    name: str
    scopes: tuple[str, ...]
    created: str
    expires: str | None = None
    last_used: str | None = None
    """Within a minute."""
    revoked: str | None = None

    def is_valid(self, now: str) -> bool:
        """Return whether the token is neither revoked nor expired."""
        return self.revoked is None and (self.expires is None or self.expires > now)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its secret text, which is displayed once."""

    text: str = field(repr=False)
    token: Token


class Tokens:
    """All tokens, including expired and revoked ones."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, person: str, name: str, scopes: Iterable[str], now: str, expires: str | None = None) -> NewToken:
        """Create a token; the caller checks that the person may grant these scopes."""
        name = name.strip()
        if not 1 <= len(name) <= NAME_MAX or not name.isprintable():
            raise InputError("auth.token-name", most=NAME_MAX)
        if expires is not None and check_timestamp(expires) <= check_timestamp(now):
            raise InputError("auth.token-expired", expires=expires)
        token = Token(new_id(), person, name, tuple(dict.fromkeys(scopes)), check_timestamp(now), expires)
        text = f"{PREFIX}_{token.id}_{secrets.token_hex(32)}"
        self._database.fetch(
            "INSERT INTO access_tokens (id, hash, person, name, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (token.id, digest(text), person, name, json.dumps(token.scopes), now, expires),
        )
        return NewToken(text, token)

    def find(self, text: str, now: str) -> Token | None:
        """Return the token of a text, or None if it is unknown, expired or revoked; record its use once a minute."""
        prefix, _, rest = text.partition("_")
        wanted = rest.partition("_")[0]
        if prefix != PREFIX or not is_storable(wanted):
            return None
        row = fetch_one(self._database, f"SELECT hash, {COLUMNS} FROM access_tokens WHERE id = ?", (wanted,))
        if row is None:
            return None
        stored, *fields = row
        token = _token(fields)
        if not same_hash(stored, digest(text)) or not token.is_valid(check_timestamp(now)):
            return None
        if token.last_used is None or now >= later(token.last_used, TOUCH_SECONDS):
            self._database.fetch("UPDATE access_tokens SET last_used = ? WHERE id = ?", (now, token.id))
            token = replace(token, last_used=now)
        return token

    def of_person(self, person: str) -> tuple[Token, ...]:
        """Return a person's tokens, newest first, including expired and revoked ones."""
        rows = self._database.fetch(
            f"SELECT {COLUMNS} FROM access_tokens WHERE person = ? ORDER BY created DESC, id", (person,)
        )
        return tuple(map(_token, rows))

    def revoke(self, person: str, token: str, now: str) -> bool:
        """Revoke one of a person's tokens; return False if there is none or it was revoked before."""
        query = "UPDATE access_tokens SET revoked = ? WHERE person = ? AND id = ? AND revoked IS NULL RETURNING 1"
        return bool(self._database.fetch(query, (check_timestamp(now), person, token)))

    def revoke_all(self, person: str, now: str) -> int:
        """Revoke all tokens of a person and return their number."""
        query = "UPDATE access_tokens SET revoked = ? WHERE person = ? AND revoked IS NULL RETURNING 1"
        return len(self._database.fetch(query, (check_timestamp(now), person)))


def _token(row: Sequence[Any]) -> Token:
    key, person, name, scopes, *moments = row
    return Token(key, person, name, tuple(json.loads(scopes)), *moments)
