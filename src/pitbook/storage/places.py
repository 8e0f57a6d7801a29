"""Locations of journals: the path of an SQLite file or the URL of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from pitbook.errors import InputError

SCHEMES = ("postgresql://", "postgres://")


def is_postgres(place: str) -> bool:
    """Return whether a place is the URL of a PostgreSQL database."""
    return place.startswith(SCHEMES)


def file_path(place: str) -> Path:
    """Return the path of a journal file; refuse folders and other URLs."""
    scheme, mark, _ = place.partition("://")
    if mark:
        raise InputError("journal.scheme", scheme=scheme)
    path = Path(place)
    if path.is_dir():
        raise InputError("journal.is-folder", path=path)
    return path
