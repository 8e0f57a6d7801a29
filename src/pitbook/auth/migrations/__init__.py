"""Numbered SQL migrations for each kind of database."""

from __future__ import annotations

from importlib.resources import files

from pitbook.errors import InputError


def pending(kind: str, version: int, where: str) -> dict[int, str]:
    """The SQL that an older database lacks, by number and in order; a newer one is refused."""
    known = {
        int(file.name.partition("_")[0]): file.read_text(encoding="utf-8")
        for file in (files(__name__) / kind).iterdir()
        if file.name.endswith(".sql")
    }
    if version > max(known):
        raise InputError(
            f"{where} keeps passwords and sessions as version {version} does, this Pitbook knows up to version"
            f" {max(known)}; use a newer one"
        )
    return {number: known[number] for number in sorted(known) if number > version}
