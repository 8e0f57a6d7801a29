"""API tokens: `pitbook_<id>_<secret>`, for programs that act for a person within named scopes."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pitbook.auth.policy import TOUCH_SECONDS
from pitbook.auth.port import only_row
from pitbook.auth.secrets import digest, new_id, same, storable
from pitbook.auth.timestamps import checked, later
from pitbook.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pitbook.auth.port import Database

PREFIX = "pitbook"
NAME_MAX = 100
COLUMNS = "id, person, name, scopes, created, expires, last_used, revoked"


@dataclass(frozen=True, slots=True)
class Token:
    """What may be known of a token: everything but its secret."""

    id: str
    person: str
    name: str
    scopes: tuple[str, ...]
    created: str
    expires: str | None = None
    last_used: str | None = None
    """Give or take a minute."""
    revoked: str | None = None

    def good(self, now: str) -> bool:
        """Whether it opens anything at this moment."""
        return self.revoked is None and (self.expires is None or self.expires > now)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token with its text, which is shown once."""

    text: str = field(repr=False)
    token: Token


class Tokens:
    """All tokens, those that no longer work too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def make(self, person: str, name: str, scopes: Iterable[str], now: str, expires: str | None = None) -> NewToken:
        """A new token of a person. Whether the person may give these scopes away is for the caller to know."""
        name = name.strip()
        if not 1 <= len(name) <= NAME_MAX or not name.isprintable():
            raise InputError(f"a token needs a name of 1 to {NAME_MAX} printable characters, to know it by later")
        if expires is not None and checked(expires) <= checked(now):
            raise InputError(f"the token would have expired already, on {expires}; choose a later time")
        token = Token(new_id(), person, name, tuple(dict.fromkeys(scopes)), checked(now), expires)
        text = f"{PREFIX}_{token.id}_{secrets.token_hex(32)}"
        self._database.fetch(
            "INSERT INTO access_tokens (id, hash, person, name, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (token.id, digest(text), person, name, json.dumps(token.scopes), now, expires),
        )
        return NewToken(text, token)

    def find(self, text: str, now: str) -> Token | None:
        """Return the token of a text, or None if it is unknown, expired or revoked; note its use once a minute."""
        prefix, _, rest = text.partition("_")
        wanted = rest.partition("_")[0]
        if prefix != PREFIX or not storable(wanted):
            return None
        row = only_row(self._database, f"SELECT hash, {COLUMNS} FROM access_tokens WHERE id = ?", (wanted,))
        if row is None:
            return None
        kept, *fields = row
        token = _token(fields)
        if not same(kept, digest(text)) or not token.good(checked(now)):
            return None
        if token.last_used is None or now >= later(token.last_used, TOUCH_SECONDS):
            self._database.fetch("UPDATE access_tokens SET last_used = ? WHERE id = ?", (now, token.id))
            token = replace(token, last_used=now)
        return token

    def of(self, person: str) -> tuple[Token, ...]:
        """A person's tokens, the newest first, with those that no longer work."""
        rows = self._database.fetch(
            f"SELECT {COLUMNS} FROM access_tokens WHERE person = ? ORDER BY created DESC, id", (person,)
        )
        return tuple(map(_token, rows))

    def revoke(self, person: str, token: str, now: str) -> bool:
        """End one of a person's tokens by its id. False where it had none or it was revoked before."""
        query = "UPDATE access_tokens SET revoked = ? WHERE person = ? AND id = ? AND revoked IS NULL RETURNING 1"
        return bool(self._database.fetch(query, (checked(now), person, token)))

    def revoke_all(self, person: str, now: str) -> int:
        """End all of a person's tokens; how many."""
        query = "UPDATE access_tokens SET revoked = ? WHERE person = ? AND revoked IS NULL RETURNING 1"
        return len(self._database.fetch(query, (checked(now), person)))


def _token(row: Sequence[Any]) -> Token:
    key, person, name, scopes, *moments = row
    return Token(key, person, name, tuple(json.loads(scopes)), *moments)
