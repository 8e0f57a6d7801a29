"""Numbered SQL files that create and upgrade the tables of a store."""

from __future__ import annotations

from importlib.resources import files

from pitbook.errors import InputError


def scripts(package: str, kind: str) -> dict[int, str]:
    """Return the SQL files of a package for a kind of database, by number and in order."""
    found = {
        int(file.name.partition("_")[0]): file.read_text(encoding="utf-8")
        for file in (files(package) / kind).iterdir()
        if file.name.endswith(".sql")
    }
    return dict(sorted(found.items()))


def pending(package: str, kind: str, version: int, where: str) -> dict[int, str]:
    """Return the scripts that a database lacks, by number and in order; refuse a newer schema."""
    known = scripts(package, kind)
    newest = max(known)
    if version > newest:
        raise InputError(
            f"{where} has the schema of version {version}, this Pitbook knows up to version {newest}; use a newer one"
        )
    return {number: script for number, script in known.items() if number > version}
