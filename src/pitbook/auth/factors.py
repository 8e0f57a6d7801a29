"""Second factors: sealed secrets of authenticator apps, public keys of passkeys, recovery codes, failed attempts.

The journal says which factors a person has; a row here that it does not name is not used.
"""

from __future__ import annotations

import secrets
from base64 import b32encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pitbook.auth.port import fetch_one
from pitbook.auth.secrets import digest
from pitbook.auth.timestamps import check_timestamp, later

if TYPE_CHECKING:
    from pitbook.auth.port import Database

COLUMNS = "id, person, kind, secret, credential, counter, created, used, name"
CHALLENGE_SECONDS = 600
"""How long a person has to answer, and to set up an authenticator app."""
RECOVERY_CODES = 10
CODE_BYTES = 10
"""80 random bits, so that one round of SHA-256 suffices."""
FREE_FAILURES = 5
"""After so many failed attempts in a row, and after each further time so many, the factors are locked."""
LOCK_SECONDS = (900, 3_600, 86_400)
"""For how long: the first time, the second time, and then."""

Purpose = Literal["totp", "register", "confirm"]


@dataclass(frozen=True, slots=True)
class StoredFactor:
    """A second factor with its secret."""

    id: str
    person: str
    kind: Literal["totp", "passkey"]
    secret: str = field(repr=False)
    """The sealed secret of an authenticator app, or the public key of a passkey."""
    credential: str | None
    """The id of a passkey's credential."""
    counter: int
    """The time step of the last code, or the signature counter of a passkey."""
    created: str
    used: str | None
    name: str | None = None
    """What a person under a pseudonym calls it; None if the journal has the name."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to confirm, which counts as failed until it succeeds."""

    failures: int
    locked_until: str
    """If it fails; the empty text if it may be repeated."""


class Factors:
    """The second factors of all people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- factors

    def add(self, factor: StoredFactor) -> None:
        """Store a factor."""
        row = (factor.id, factor.person, factor.kind, factor.secret, factor.credential, factor.counter)
        self._database.fetch(
            f"INSERT INTO access_factors ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, check_timestamp(factor.created), factor.used, factor.name),
        )

    def of_person(self, person: str) -> tuple[StoredFactor, ...]:
        """Return a person's factors, oldest first."""
        rows = self._database.fetch(
            f"SELECT {COLUMNS} FROM access_factors WHERE person = ? ORDER BY created, id", (person,)
        )
        return tuple(StoredFactor(*row) for row in rows)

    def names(self) -> dict[str, str]:
        """Return the names that are stored here and not in the journal, by the factor's id."""
        return dict(self._database.fetch("SELECT id, name FROM access_factors WHERE name IS NOT NULL"))

    def has_credential(self, credential: str) -> bool:
        """Return whether anyone has this passkey."""
        return bool(self._database.fetch("SELECT 1 FROM access_factors WHERE credential = ?", (credential,)))

    def advance(self, factor: str, counter: int, now: str) -> bool:
        """Raise a factor's counter; False if it is as high already, because a code or signature was used before."""
        query = "UPDATE access_factors SET counter = ?, used = ? WHERE id = ? AND counter < ? RETURNING 1"
        return bool(self._database.fetch(query, (counter, check_timestamp(now), factor, counter)))

    def touch(self, factor: str, now: str) -> None:
        """Record the use of a passkey that has no counter."""
        self._database.fetch("UPDATE access_factors SET used = ? WHERE id = ?", (check_timestamp(now), factor))

    def remove(self, person: str, factor: str) -> None:
        """Delete one of a person's factors."""
        self._database.fetch("DELETE FROM access_factors WHERE person = ? AND id = ?", (person, factor))

    def remove_all(self, person: str) -> None:
        """Delete all factors and recovery codes of a person, and forget failed attempts."""
        tables = ("factors", "recovery_codes", "factor_attempts")
        self._database.fetch_all([(f"DELETE FROM access_{one} WHERE person = ?", (person,)) for one in tables])

    # -- recovery codes

    def make_recovery_codes(self, person: str) -> tuple[str, ...]:
        """Replace a person's recovery codes and return the new ones, which are displayed once."""
        codes = tuple(_new_code() for _ in range(RECOVERY_CODES))
        insert = "INSERT INTO access_recovery_codes (person, hash) VALUES (?, ?)"
        self._database.fetch_all(
            [
                ("DELETE FROM access_recovery_codes WHERE person = ?", (person,)),
                *((insert, (person, _code_hash(person, code))) for code in codes),
            ]
        )
        return codes

    def use_recovery_code(self, person: str, code: str) -> bool:
        """Use a recovery code up; only one of several callers succeeds."""
        query = "DELETE FROM access_recovery_codes WHERE person = ? AND hash = ? RETURNING 1"
        return bool(self._database.fetch(query, (person, _code_hash(person, code))))

    def recovery_codes_left(self, person: str) -> int:
        """Return how many recovery codes a person has."""
        query = "SELECT COUNT(*) FROM access_recovery_codes WHERE person = ?"
        row = fetch_one(self._database, query, (person,))
        return int(row[0]) if row else 0

    # -- attempts

    def begin_attempt(self, person: str, now: str) -> Attempt | None:
        """Count an attempt as failed before it is checked, so that concurrent ones are limited; None while locked."""
        first, second, more = (later(now, seconds) for seconds in LOCK_SECONDS)
        count = "access_factor_attempts.failures + 1"
        row = fetch_one(
            self._database,
            "INSERT INTO access_factor_attempts (person, failures, locked_until) VALUES (?, 1, '')"
            f" ON CONFLICT (person) DO UPDATE SET failures = {count}, locked_until ="
            f" CASE WHEN ({count}) / {FREE_FAILURES} * {FREE_FAILURES} <> {count} THEN ''"
            f" WHEN {count} = {FREE_FAILURES} THEN ?"
            f" WHEN {count} = {2 * FREE_FAILURES} THEN ? ELSE ? END"
            " WHERE access_factor_attempts.locked_until <= ? RETURNING failures, locked_until",
            (person, first, second, more, now),
        )
        return Attempt(*row) if row else None

    def locked_until(self, person: str, now: str) -> str | None:
        """Return until when a person's factors are locked, or None."""
        query = "SELECT locked_until FROM access_factor_attempts WHERE person = ? AND locked_until > ?"
        row = fetch_one(self._database, query, (person, check_timestamp(now)))
        return str(row[0]) if row else None

    def succeeded(self, person: str) -> None:
        """Forget the failed attempts of a person who has confirmed."""
        self._database.fetch("DELETE FROM access_factor_attempts WHERE person = ?", (person,))

    # -- challenges

    def save_challenge(self, session: str, purpose: Purpose, value: str, now: str) -> None:
        """Save what a session must answer with; it replaces an earlier one."""
        self._database.fetch(
            "INSERT INTO access_challenges (session, purpose, value, expires) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (session, purpose) DO UPDATE SET value = excluded.value, expires = excluded.expires",
            (session, purpose, value, later(now, CHALLENGE_SECONDS)),
        )

    def challenge(self, session: str, purpose: Purpose, now: str) -> str | None:
        """Return a challenge without using it."""
        query = "SELECT value FROM access_challenges WHERE session = ? AND purpose = ? AND expires > ?"
        row = fetch_one(self._database, query, (session, purpose, check_timestamp(now)))
        return str(row[0]) if row else None

    def take_challenge(self, session: str, purpose: Purpose, now: str) -> str | None:
        """Return a challenge and delete it, so that it is answered once."""
        query = "DELETE FROM access_challenges WHERE session = ? AND purpose = ? AND expires > ? RETURNING value"
        row = fetch_one(self._database, query, (session, purpose, check_timestamp(now)))
        return str(row[0]) if row else None

    def purge(self, now: str) -> int:
        """Delete expired challenges and return their number."""
        query = "DELETE FROM access_challenges WHERE expires <= ? RETURNING 1"
        return len(self._database.fetch(query, (check_timestamp(now),)))


def _new_code() -> str:
    text = b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower()
    return "-".join(text[place : place + 4] for place in range(0, len(text), 4))


def _code_hash(person: str, code: str) -> bytes:
    """Return the hash of a code as a person may type it; it is bound to the person."""
    typed = "".join(code.split()).replace("-", "").lower()
    return digest(f"{person}\n{typed}")
