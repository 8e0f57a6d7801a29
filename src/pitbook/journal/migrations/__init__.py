"""The numbered SQL files that make and upgrade a journal's database, for each kind of store."""

from __future__ import annotations

from importlib.resources import files

from pitbook.errors import InputError


def scripts(store: str) -> dict[int, str]:
    """The SQL of each version, in order."""
    found = {
        int(file.name.partition("_")[0]): file.read_text(encoding="utf-8")
        for file in (files(__name__) / store).iterdir()
        if file.name.endswith(".sql")
    }
    return dict(sorted(found.items()))


def pending(store: str, version: int, where: str) -> dict[int, str]:
    """What an older database lacks; a newer one is refused."""
    known = scripts(store)
    newest = max(known)
    if version > newest:
        raise InputError(
            f"{where} has the schema of version {version}, this Pitbook knows up to version {newest}; use a newer one"
        )
    return {number: script for number, script in known.items() if number > version}
