"""The auth store: passwords, second factors, sessions, tokens, links and leases over either database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.auth.factors import Factors
from pitbook.auth.identities import Identities
from pitbook.auth.leases import Leases
from pitbook.auth.links import Links
from pitbook.auth.port import fetch_one
from pitbook.auth.secrets import digest, is_storable
from pitbook.auth.sessions import Sessions
from pitbook.auth.timestamps import check_timestamp, later
from pitbook.auth.tokens import Tokens

if TYPE_CHECKING:
    from types import TracebackType

    from pitbook.auth.port import Database

DEVICE_DAYS = 400
"""Browsers delete cookies after this time."""
PERSONAL = (
    "passwords", "pins", "sessions", "tokens", "links", "devices", "factors", "recovery_codes", "factor_attempts",
)  # fmt: skip


class AuthStore:
    """The secrets of people and the shared settings of a house."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.sessions = Sessions(database)
        self.tokens = Tokens(database)
        self.links = Links(database)
        self.leases = Leases(database)
        self.identities = Identities(database)
        self.factors = Factors(database)

    # -- passwords

    def set_password(self, person: str, hashed: str, at: str, *, instead_of: str | None = None) -> bool:
        """Store the hash of a person's password; with `instead_of`, only if that is still the stored hash.

        So rehashing at a sign-in never undoes a concurrent change of the password.
        """
        if not hashed.startswith("$argon2id$"):
            raise ValueError("only argon2id hashes of passwords are stored")
        if instead_of is not None:
            query = "UPDATE access_passwords SET hash = ?, at = ? WHERE person = ? AND hash = ? RETURNING 1"
            return bool(self.database.fetch(query, (hashed, check_timestamp(at), person, instead_of)))
        self.database.fetch(
            "INSERT INTO access_passwords (person, hash, at) VALUES (?, ?, ?)"
            " ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, at = excluded.at",
            (person, hashed, check_timestamp(at)),
        )
        return True

    def password_of(self, person: str) -> str | None:
        """Return the hash of a person's password, or None."""
        return self._text("SELECT hash FROM access_passwords WHERE person = ?", person)

    def delete_person(self, person: str) -> None:
        """Delete a person's password, PIN, second factors, sessions, tokens, links and devices."""
        self.database.fetch_all([(f"DELETE FROM access_{kind} WHERE person = ?", (person,)) for kind in PERSONAL])

    # -- PINs

    def set_pin(self, person: str, hashed: str | None, at: str) -> None:
        """Store the hash of the PIN that a person confirms as a witness with; None deletes it."""
        if hashed is None:
            self.database.fetch("DELETE FROM access_pins WHERE person = ?", (person,))
            return
        self.database.fetch(
            "INSERT INTO access_pins (person, hash, at) VALUES (?, ?, ?)"
            " ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, at = excluded.at",
            (person, hashed, check_timestamp(at)),
        )

    def pin_of(self, person: str) -> str | None:
        """Return the hash of a person's PIN, or None."""
        return self._text("SELECT hash FROM access_pins WHERE person = ?", person)

    # -- devices

    def save_device(self, person: str, device: str, now: str) -> None:
        """Record that a person has signed in from the browser with this device cookie."""
        self.database.fetch(
            "INSERT INTO access_devices (person, hash, at) VALUES (?, ?, ?)"
            " ON CONFLICT (person, hash) DO UPDATE SET at = excluded.at",
            (person, digest(device), check_timestamp(now)),
        )

    def knows_device(self, person: str, device: str) -> bool:
        """Return whether a person has signed in from this browser before."""
        query = "SELECT 1 FROM access_devices WHERE person = ? AND hash = ?"
        return is_storable(person) and bool(self.database.fetch(query, (person, digest(device))))

    def delete_devices(self, person: str) -> None:
        """Delete all devices of a person, for example after a password was stolen."""
        self.database.fetch("DELETE FROM access_devices WHERE person = ?", (person,))

    # -- settings

    def save_setting(self, key: str, value: str) -> None:
        """Save a setting that all processes share."""
        self.database.fetch(
            "INSERT INTO access_settings (key, value) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, value),
        )

    def setting(self, key: str) -> str | None:
        """Return a shared setting, or None."""
        return self._text("SELECT value FROM access_settings WHERE key = ?", key)

    def delete_setting(self, key: str) -> None:
        """Delete a shared setting, if it exists."""
        self.database.fetch("DELETE FROM access_settings WHERE key = ?", (key,))

    def _text(self, query: str, key: str) -> str | None:
        row = fetch_one(self.database, query, (key,)) if is_storable(key) else None
        if row is None:
            return None
        (text,) = row
        return str(text)

    # -- all of it

    def purge(self, now: str) -> int:
        """Delete ended sessions, expired links and challenges, and old devices; return their number."""
        devices = "DELETE FROM access_devices WHERE at <= ? RETURNING 1"
        old = self.database.fetch(devices, (later(now, -DEVICE_DAYS * 86_400),))
        return self.sessions.purge(now) + self.links.purge(now) + self.factors.purge(now) + len(old)

    def set_deadline(self, moment: float) -> None:
        """Let no database call last beyond a time of the monotonic clock, because the process is stopping."""
        self.database.set_deadline(moment)

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def __enter__(self) -> AuthStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
