"""Books kept by the hash of their content, so that a table finds the very book that its opening recorded.

Packaged books need no keeping. A licensee's own book is kept when it is read from its file; where the file went
later, or what it says by then, does not matter to a table that was opened with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pitbook.rulebooks.catalogue import build, digest, load, read_book

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pitbook.rulebooks.model import Rulebook
    from pitbook.rulebooks.patches import Raw


class _Kept(NamedTuple):
    raw: Raw
    file: str
    base: Raw | None


_SHELF: dict[str, _Kept] = {}
"""By content, so that an entry never changes: keeping a book twice is keeping it once."""


def keep_file(path: str | Path) -> Rulebook:
    """Reads a licensee's book, keeps it, and gives it as it stands."""
    load(path)  # says all that is wrong with it
    raw, file, base, _ = read_book(path)
    return recorded(file, keep(raw, file, base), {}, {})


def keep(raw: Raw, file: str, base: Raw | None = None) -> str:
    """Keeps a book's data, with that of the book it extends; its digest."""
    found = digest(raw)
    _SHELF.setdefault(found, _Kept(raw, file, base))
    return found


def kept() -> dict[str, str]:
    """The digests of all kept books by their ids; of several with one id, the one kept last."""
    return {str(one.raw["book"]["id"]): found for found, one in list(_SHELF.items())}


def kept_data(wanted: str) -> tuple[Raw, str, Raw | None] | None:
    """A kept book's data, its file's name and the data of the book it extends: what `keep` takes elsewhere."""
    found = _SHELF.get(wanted)
    return (found.raw, found.file, found.base) if found else None


def recorded(book: str, wanted: str, readings: Mapping[str, str], options: Mapping[str, str]) -> Rulebook:
    """The book with that digest: one that was kept, else the packaged one or the file of that name.

    Raises `ValueError` if there is only one with other content.
    """
    kept = _SHELF.get(wanted)
    if kept is not None:
        return build(kept.raw, kept.file, readings=readings, options=options, base=kept.base)
    found = load(book, readings=readings, options=options)
    if found.digest != wanted:
        raise ValueError(f"{book} has changed: {found.digest} is not the recorded {wanted}")
    return found
