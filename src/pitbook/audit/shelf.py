"""The books of an audit: found by their digests, and read under the readings and options of a table."""

from __future__ import annotations

import json
import re
import tomllib
from copy import deepcopy
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pitbook.audit.books import read_book
from pitbook.audit.composition import choices_by_book, compose, composed_digest
from pitbook.audit.details import Detail
from pitbook.audit.errors import CheckFailed
from pitbook.audit.patches import merge, same_at, set_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pitbook.audit.books import Book
    from pitbook.audit.patches import Data

Choices = tuple[tuple[str, str], ...]
"""Readings or options by name, as pairs."""


class MissingBook(Exception):
    """The book of a table is missing, so that its entries cannot be replayed; they may still be right."""

    def __init__(self, text: str, /, **params: Any) -> None:
        self.detail = Detail(text, params)
        super().__init__(self.detail)


GROUPS = ["groups"]
"""The option that names the groups of wagers on offer, in every book that has some."""


class NamedBook(NamedTuple):
    """A book as a setup names it."""

    name: str
    digest: str
    text: str = ""
    """The SHA-256 of the text, recorded at the opening."""


class _Edition(NamedTuple):
    """A book's data, with that of the book it extends."""

    raw: Data
    base: Data | None = None
    text: str = ""
    """The SHA-256 of the text in the journal; empty if it comes from a file."""


class Shelf:
    """The books of one audit: the texts in the journal, then given files, then the packaged ones."""

    def __init__(self) -> None:
        self._editions: dict[str, _Edition] = {}
        self._read: dict[tuple[tuple[str, ...], Choices, Choices], Book] = {}

    def add_file(self, path: str) -> None:
        """Add a book from its file; it is used if a table names its digest."""
        edition = _from_file(path)
        self._editions.setdefault(book_digest(edition.raw), edition)

    def add_text(self, digest: str, content: bytes) -> None:
        """Add a book from the journal; raise an error if the text does not have that digest."""
        try:
            data = json.loads(content.decode())
            edition = _Edition(data["book"], data["extends"], sha256(content).hexdigest())
            found = book_digest(edition.raw)
        except (ValueError, KeyError, TypeError) as error:
            raise CheckFailed("book-text", about="book", digest=digest, error=error) from None
        if found != digest:
            raise CheckFailed("book-digest", about="book", digest=digest, found=found)
        self._editions[digest] = edition

    def book_of(self, named: Sequence[NamedBook], readings: Choices = (), options: Choices = ()) -> Book:
        """Return the book that a setup names by its content, or several of them as one."""
        editions = {one.name: self._edition(one) for one in named}
        place = tuple(one.digest for one in named), readings, options
        if place not in self._read:
            raws = {name: edition.raw for name, edition in editions.items()}
            read = choices_by_book({name: [*raw.get("reading", {})] for name, raw in raws.items()}, dict(readings))
            known = {name: [*raw.get("option", {}), *GROUPS[: bool(raw.get("group"))]] for name, raw in raws.items()}
            house = choices_by_book(known, dict(options))
            texts = [_apply_choices(edition, read[name], house[name]) for name, edition in editions.items()]
            digests = [one.digest for one in named]
            digest = composed_digest(digests) if len(digests) > 1 else digests[0]
            self._read[place] = read_book(compose(texts), digest)
        return self._read[place]

    def _edition(self, named: NamedBook) -> _Edition:
        edition = self._editions.get(named.digest) or _find_edition(named.name, named.digest)
        if named.text and edition.text and edition.text != named.text:
            raise CheckFailed("book-changed", about="book", name=named.name)
        return edition


def _find_edition(name: str, digest: str) -> _Edition:
    """Return the packaged book, or the file of that name, if it has that digest."""
    try:
        edition = _from_file(name)
    except CheckFailed as fault:
        raise MissingBook("book-missing", reason=fault.detail, digest=digest) from None
    if (found := book_digest(edition.raw)) != digest:
        raise MissingBook("other-digest", name=name, found=found, digest=digest)
    return edition


def _apply_choices(edition: _Edition, readings: dict[str, str], options: dict[str, str]) -> Data:
    """Return the data of a book under readings and options; of its groups, those that are not offered are left out."""
    raw, base = edition.raw, edition.base
    data = deepcopy(raw)
    for section, chosen in (("reading", readings), ("option", options)):
        for key, entry in raw.get(section, {}).items():
            choice = chosen.get(key, entry["default"])
            if choice not in entry["choices"]:
                raise CheckFailed("no-choice", about="book", section=section, key=key, choice=choice)
            for place, value in entry["choices"][choice].get("set", {}).items():
                if base is None or same_at(place, raw, base):  # a licensee's pays apply under every reading
                    set_value(data, place, value)
    wanted = [name.strip() for name in options.get("groups", "").split(",")]
    if raw.get("group") and options.get("groups", "all") != "all":
        left_out = [name for name, text in data["wager"].items() if text.get("group") not in (None, *wanted)]
        data["offer"] = {"leaves_out": [*data.get("offer", {}).get("leaves_out", []), *left_out]}
    return data


def _from_file(name: str) -> _Edition:
    if (packaged := _packaged(name)) is not None:
        return packaged
    try:
        own = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CheckFailed("no-book", about="book", name=name) from None
    except (OSError, ValueError) as error:
        raise CheckFailed("book-unreadable", about="book", name=name, error=error) from None
    extends = own.get("book", {}).pop("extends", None)
    if extends is None:
        return _Edition(own)
    base = _from_file(str(extends)).raw
    # What a licensee states itself is no longer inferred.
    left = [key for key in base["book"].get("inferred", []) if key not in own["book"]]
    own["book"] = {"inferred": left, **own["book"]}
    return _Edition(merge(base, own), base)


@cache
def _packaged(name: str) -> _Edition | None:
    """Return the packaged book of that name, if there is one; its data are shared and must not be changed."""
    packaged = resources.files("pitbook.books") / f"{name}.toml"
    if not re.fullmatch(r"[a-z0-9-]+", name) or not packaged.is_file():
        return None
    return _Edition(tomllib.loads(packaged.read_text(encoding="utf-8")))


def book_digest(raw: Data) -> str:
    """Return the SHA-256 of a book's content as sorted JSON without spaces."""
    text = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return sha256(text.encode()).hexdigest()
