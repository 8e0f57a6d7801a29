"""Copy what people sign in with to another database. Sessions, links and leases stay behind: people sign in again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pitbook.auth.port import Database

COPIED = {
    "access_passwords": "person, hash, at",
    "access_pins": "person, hash, at",
    "access_devices": "person, hash, at",
    "access_identities": "person, key, sign_in, shown",
    "access_factors": "id, person, kind, secret, credential, counter, created, used, name",
    "access_recovery_codes": "person, hash",
    "access_factor_attempts": "person, failures, locked_until",
    "access_tokens": "id, hash, person, name, scopes, created, expires, last_used, revoked",
}


WEBHOOKS = "SELECT key, value FROM access_settings WHERE substr(key, 1, 8) = 'webhook-'"
"""The sealed secrets of webhooks, and how far they have been delivered."""


def move_credentials(source: Database, target: Database) -> int:
    """Copy passwords, PINs, second factors, names, known devices, tokens and what webhooks need, in one transaction.

    Return how many people have a password.
    """
    insert_setting = "INSERT INTO access_settings (key, value) VALUES (?, ?)"
    statements = [(insert_setting, tuple(row)) for row in source.fetch(WEBHOOKS)]
    for table, columns in COPIED.items():
        places = ", ".join("?" * (columns.count(",") + 1))
        insert = f"INSERT INTO {table} ({columns}) VALUES ({places})"
        statements += [(insert, tuple(row)) for row in source.fetch(f"SELECT {columns} FROM {table}")]
    if statements:
        target.fetch_all(statements)
    return sum(insert.startswith("INSERT INTO access_passwords") for insert, _ in statements)
