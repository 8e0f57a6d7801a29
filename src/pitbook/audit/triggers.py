"""The database's triggers, which make the journal append-only, and its schema version.

The entries are proved without them. But if one is missing, someone with write access to the database has prepared a
way to change the record.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from pitbook.audit.details import detail
from pitbook.audit.errors import Unreadable
from pitbook.audit.source import DETACHED_SINCE, TAGS_SINCE, schema_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pitbook.audit.details import Detail
    from pitbook.audit.source import Source

OLDEST, NEWEST = 2, 7
"""The versions of the schema that this auditor can read."""
BOOKS_SINCE = 4
"""The version since which a journal holds the texts of books."""

WATCHED = "('entries', 'transfers', 'postings', 'balances', 'books', 'attachments', 'detached_tables')"

TRIGGERS = {
    "sqlite": f"SELECT name, 1, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN {WATCHED} ORDER BY name",
    "postgres": "SELECT t.tgname, t.tgenabled IN ('O', 'A'), concat_ws(' ', c.relname, t.tgtype, t.tgdeferrable,"
    " t.tginitdeferred, t.tgqual IS NULL, p.prosrc)"
    " FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid"
    f" WHERE NOT t.tgisinternal AND c.relname IN {WATCHED} AND pg_table_is_visible(c.oid) ORDER BY t.tgname",
}
"""Each trigger: its name, whether it is enabled, and everything that defines it."""

GUARDS = {
    "sqlite": {
        "attachments_not_deleted": "30401020667c2346",
        "attachments_not_updated": "5d090324c230cb46",
        "balances_not_deleted": "cabd4214b24a2531",
        "detached_tables_end": "fa87f9eccb4dbe7d",
        "detached_tables_not_deleted": "d7e6d3c52aeabfba",
        "detached_tables_not_updated": "10e9e7c10cd94df2",
        "entries_follow": "ffe546b3c9af176b",
        "entries_move_money": "63212ee62d2921ee",
        "entries_not_deleted": "93b513850b2872d6",
        "entries_not_detached": "57b630850e9fbda4",
        "entries_not_updated": "d0c8343e35141aa5",
        "postings_not_deleted": "3472355fdbd3fb0c",
        "postings_not_updated": "3acf1f61b1859221",
        "postings_sealed": "02b6b0a4c5b3f96d",
        "transfers_not_deleted": "89e082e4903c2399",
        "transfers_not_updated": "1142ca51203458a4",
        "transfers_sealed": "cb94da92d841f90b",
    },
    "postgres": {
        "attachments_append_only": "5f37bf6860ada743",
        "balances_stay": "024e25a9c074f86c",
        "detached_tables_append_only": "4b2e5163f8f093bb",
        "detached_tables_end": "4a7ed11666af6a6e",
        "entries_append_only": "c9ae62b23d17da4c",
        "entries_follow": "9138a7788f27d01c",
        "entries_move_money": "74027981d922219d",
        "entries_not_deleted": "557001fcc7b90fd9",
        "entries_not_detached": "0c6cf3eae415093a",
        "postings_append_only": "a0090f25c65af3cf",
        "postings_belong": "63240ab5b3c746d9",
        "postings_not_deleted": "dacfda94ba0267c9",
        "postings_sealed": "5028d359e428e850",
        "transfers_append_only": "28ec84381ab746f7",
        "transfers_belong": "a1c6ed2c903b7e7e",
        "transfers_not_deleted": "a674bba95f65e4e1",
        "transfers_sealed": "0007c8b5e67292f1",
    },
}
"""Every trigger of a journal by the digest of its definition: a hollow one of the same name does not count."""

BEFORE_DETACHED = {
    "sqlite": {
        "entries_not_deleted": "2cd9f1105cbf1216",
        "postings_not_deleted": "400248a514a461d4",
        "transfers_not_deleted": "2cb132b160bf6a28",
    },
    "postgres": {
        "entries_append_only": "d5dde26c4ed9f6bc",
        "postings_append_only": "b2295bcb81ea8fea",
        "transfers_append_only": "6a0185025844a72a",
    },
}
"""Those that were different before `DETACHED_SINCE`."""
ADDED_FOR_DETACHED = frozenset(
    (
        "detached_tables_append_only", "detached_tables_end", "detached_tables_not_deleted",
        "detached_tables_not_updated", "entries_not_deleted", "entries_not_detached",
        "postings_not_deleted", "transfers_not_deleted",
    )
)  # fmt: skip
"""Those that there were not, or that were different."""

OLDER = {
    "sqlite": {
        "books_not_deleted": "5f30b45a7a77e116",
        "books_not_updated": "412e7487dbfbe047",
        "entries_follow": "b2bc3ab00ce13059",
    },
    "postgres": {"books_append_only": "9cf245825b2b7556"},
}
"""Those that were different before `TAGS_SINCE`."""


def check_version(source: Source, database: str) -> None:
    """Raise `Unreadable` for a database with another schema version."""
    version = schema_version(source)
    if version > NEWEST:
        raise Unreadable("unreadable-newer", database=database, version=version, newest=NEWEST)
    if version < OLDEST:
        raise Unreadable("unreadable-older", database=database, version=version, oldest=OLDEST, newest=NEWEST)


def expected_triggers(source: Source) -> dict[str, str]:
    """Return the triggers that a journal of this version has."""
    version, guards = schema_version(source), GUARDS[source.kind]
    if version < DETACHED_SINCE:
        guards = {name: what for name, what in guards.items() if name not in ADDED_FOR_DETACHED}
        guards |= BEFORE_DETACHED[source.kind]
    if version < TAGS_SINCE:
        guards = {name: what for name, what in guards.items() if not name.startswith("attachments_")}
        guards |= OLDER[source.kind]
    if version < BOOKS_SINCE:
        guards = {name: what for name, what in guards.items() if not name.startswith("books_")}
    return dict(guards)


def find_book_table(source: Source) -> str | None:
    """Return the name of the table that holds the texts of books, or None."""
    version = schema_version(source)
    return None if version < BOOKS_SINCE else "books" if version < TAGS_SINCE else "attachments"


def digest(content: str) -> str:
    """Return the digest of a trigger's definition, whatever its line breaks."""
    return sha256(" ".join(content.split()).encode()).hexdigest()[:16]


def find_trigger_errors(source: Source) -> Iterator[Detail]:
    """Yield triggers that are missing, disabled, hollow or foreign: each kind of error once."""
    left = expected_triggers(source)
    strange, off, hollow = [], [], []
    for name, on, content in source.rows(TRIGGERS[source.kind]):
        expected = left.pop(name, None)
        if expected is None:
            strange.append(name)
        elif not on:
            off.append(name)
        elif digest(content) != expected:
            hollow.append(name)
    found = {
        "triggers-dropped": list(left),
        "triggers-off": off,
        "triggers-changed": hollow,
        "triggers-foreign": strange,
    }
    yield from (detail(text, names=names) for text, names in found.items() if names)
