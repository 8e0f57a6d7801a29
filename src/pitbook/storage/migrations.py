"""Numbered SQL files that create and upgrade the tables of a store."""

from __future__ import annotations

from importlib.resources import files

from pitbook.errors import InputError


def scripts(package: str, kind: str) -> dict[int, str]:
    """Return the SQL files of a package for a kind of database, by number and in order."""
    found: dict[int, str] = {}
    for file in sorted((files(package) / kind).iterdir(), key=lambda one: one.name):
        if file.name.endswith(".sql"):
            number = int(file.name.partition("_")[0])
            if number in found:
                raise ValueError(f"two migrations of {package} have the number {number}; renumber {file.name}")
            found[number] = file.read_text(encoding="utf-8")
    return found


def pending(package: str, kind: str, version: int, where: str) -> dict[int, str]:
    """Return the scripts that a database lacks, by number and in order; refuse a newer schema."""
    known = scripts(package, kind)
    newest = max(known)
    if version > newest:
        raise InputError("journal.newer-schema", place=where, version=version, newest=newest)
    return {number: script for number, script in known.items() if number > version}
