"""The auth store: passwords, sessions, tokens, links and leases over either database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pitbook.auth.leases import Leases
from pitbook.auth.links import Links
from pitbook.auth.port import only_row
from pitbook.auth.secrets import digest, storable
from pitbook.auth.sessions import Sessions
from pitbook.auth.timestamps import checked, later
from pitbook.auth.tokens import Tokens

if TYPE_CHECKING:
    from types import TracebackType

    from pitbook.auth.port import Database

DEVICE_DAYS = 400
"""Browsers keep no cookie for longer."""
PERSONAL = ("passwords", "pins", "sessions", "tokens", "links", "devices")


class AuthStore:
    """Passwords, devices and shared settings here; sessions, tokens, links and leases each in their place."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.sessions = Sessions(database)
        self.tokens = Tokens(database)
        self.links = Links(database)
        self.leases = Leases(database)

    # -- passwords

    def set_password(self, person: str, hashed: str, at: str, *, instead_of: str | None = None) -> bool:
        """Keep the hash of a person's password; with `instead_of` only where that hash is still the one kept.

        So a hash made anew at a sign-in never undoes a change of the password that came between.
        """
        if not hashed.startswith("$argon2id$"):
            raise ValueError("what is kept of a password is its argon2id hash, nothing else")
        if instead_of is not None:
            query = "UPDATE access_passwords SET hash = ?, at = ? WHERE person = ? AND hash = ? RETURNING 1"
            return bool(self.database.fetch(query, (hashed, checked(at), person, instead_of)))
        self.database.fetch(
            "INSERT INTO access_passwords (person, hash, at) VALUES (?, ?, ?)"
            " ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, at = excluded.at",
            (person, hashed, checked(at)),
        )
        return True

    def password_of(self, person: str) -> str | None:
        """Return the hash of a person's password, or None."""
        return self._text("SELECT hash FROM access_passwords WHERE person = ?", person)

    def forget(self, person: str) -> None:
        """Drop all that lets a person in: password, sessions, tokens, links, devices."""
        self.database.together([(f"DELETE FROM access_{kind} WHERE person = ?", (person,)) for kind in PERSONAL])

    # -- PINs

    def set_pin(self, person: str, hashed: str | None, at: str) -> None:
        """Keep the hash of the PIN with which a person confirms to be a witness; None: the person has no PIN."""
        if hashed is None:
            self.database.fetch("DELETE FROM access_pins WHERE person = ?", (person,))
            return
        self.database.fetch(
            "INSERT INTO access_pins (person, hash, at) VALUES (?, ?, ?)"
            " ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, at = excluded.at",
            (person, hashed, checked(at)),
        )

    def pin_of(self, person: str) -> str | None:
        """Return the hash of a person's PIN, or None."""
        return self._text("SELECT hash FROM access_pins WHERE person = ?", person)

    # -- devices

    def remember_device(self, person: str, device: str, now: str) -> None:
        """A person has signed in from the browser with this device cookie."""
        self.database.fetch(
            "INSERT INTO access_devices (person, hash, at) VALUES (?, ?, ?)"
            " ON CONFLICT (person, hash) DO UPDATE SET at = excluded.at",
            (person, digest(device), checked(now)),
        )

    def knows_device(self, person: str, device: str) -> bool:
        """Whether this person has signed in from that browser before."""
        query = "SELECT 1 FROM access_devices WHERE person = ? AND hash = ?"
        return storable(person) and bool(self.database.fetch(query, (person, digest(device))))

    def forget_devices(self, person: str) -> None:
        """No browser of this person is known any more, as after a password was stolen."""
        self.database.fetch("DELETE FROM access_devices WHERE person = ?", (person,))

    # -- settings

    def remember(self, key: str, value: str) -> None:
        """A setting that all processes share."""
        self.database.fetch(
            "INSERT INTO access_settings (key, value) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, value),
        )

    def recall(self, key: str) -> str | None:
        """Return a shared setting, or None."""
        return self._text("SELECT value FROM access_settings WHERE key = ?", key)

    def forget_setting(self, key: str) -> None:
        """Remove a shared setting, if there is one."""
        self.database.fetch("DELETE FROM access_settings WHERE key = ?", (key,))

    def _text(self, query: str, key: str) -> str | None:
        row = only_row(self.database, query, (key,)) if storable(key) else None
        if row is None:
            return None
        (text,) = row
        return str(text)

    # -- all of it

    def purge(self, now: str) -> int:
        """Drop what has ended: sessions, links, devices not seen for long. How many."""
        devices = "DELETE FROM access_devices WHERE at <= ? RETURNING 1"
        old = self.database.fetch(devices, (later(now, -DEVICE_DAYS * 86_400),))
        return self.sessions.purge(now) + self.links.purge(now) + len(old)

    def end_by(self, moment: float) -> None:
        """Let no wait for the database last beyond a moment of the monotonic clock: the process has to stop."""
        self.database.end_by(moment)

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    def __enter__(self) -> AuthStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
