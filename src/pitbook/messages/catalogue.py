"""The catalogue: every message by its id, read from one TOML file for each area."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from pitbook.messages.patterns import Pattern, parse
from pitbook.messages.values import TYPES, in_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

    from pitbook.messages.languages import Language

KEYS = {"params", "en", "zh", "zh-Hans"}
FOLDERS = ("pages", "refusals", "events", "cli", "errors")
LOOKUPS = "lookups"
"""The key of an area that names its groups whose keys are values of the API, which code looks messages up by."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A message as the catalogue has it."""

    id: str
    """The area, then the keys: `problems.not-found`."""
    params: Mapping[str, str]
    """The types of its parameters, in order."""
    en: str
    zh: str
    """Traditional Chinese."""
    reviewed: str | None = None
    """Simplified Chinese, if it is not just the same text in other characters."""

    def text(self, language: Language) -> str:
        """Return the pattern's text in a language."""
        if language == "en":
            return self.en
        if language == "zh-Hant":
            return self.zh
        return self.reviewed or in_language(self.zh, language)

    def pattern(self, language: Language) -> Pattern:
        """Return the parsed pattern in a language."""
        return parse(self.text(language))


Tree = dict[str, "Entry | list[Entry] | Tree"]
"""The messages of an area by their keys."""


@dataclass(frozen=True, slots=True)
class Area:
    """The messages of one file."""

    name: str
    tree: Tree
    lookups: frozenset[str]

    def __iter__(self) -> Iterator[Entry]:
        return _entries(self.tree)


class InvalidCatalogue(ValueError):
    """An invalid file of the catalogue."""


@cache
def areas() -> dict[str, Area]:
    """Return the areas of the server and the command line by name."""
    return {name: area for name, area in _files() if not name.startswith("pages/")}


@cache
def page_areas() -> dict[str, Area]:
    """Return the areas of the web pages by name."""
    return {name.removeprefix("pages/"): area for name, area in _files() if name.startswith("pages/")}


@cache
def entries() -> dict[str, Entry]:
    """Return every message of the server and the command line by its id."""
    return {entry.id: entry for area in areas().values() for entry in area}


def find(message_id: str) -> Entry | None:
    """Return a message of the server or the command line; read only the file that it is in."""
    first, _, rest = message_id.partition(".")
    name = f"{first}/{rest.partition('.')[0]}" if first in FOLDERS else first
    return _by_id(name).get(message_id)


@cache
def _by_id(name: str) -> dict[str, Entry]:
    if name.startswith("pages/") or not re.fullmatch(r"[a-z/-]+", name):
        return {}
    file = resources.files("pitbook.messages").joinpath(f"{name}.toml")
    return {entry.id: entry for entry in read(name, file)} if file.is_file() else {}


def _files() -> Iterator[tuple[str, Area]]:
    folder = resources.files("pitbook.messages")
    for prefix, place in (("", folder), *((f"{name}/", folder / name) for name in FOLDERS)):
        for file in sorted(place.iterdir(), key=lambda one: one.name):
            name = f"{prefix}{file.name.removesuffix('.toml')}"
            if file.name.endswith(".toml") and name != "terms":
                yield name, read(name, file)


def read(name: str, file: Traversable) -> Area:
    """Return the area in a file; raise `InvalidCatalogue` if a message lacks something."""
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    lookups = frozenset(raw.pop(LOOKUPS, ()))
    prefix = name.removeprefix("pages/").replace("/", ".")
    return Area(prefix, _tree(raw, prefix), lookups)


def _tree(raw: Mapping[str, Any], prefix: str) -> Tree:
    tree: Tree = {}
    for key, value in raw.items():
        place = f"{prefix}.{key}"
        if isinstance(value, list):
            tree[key] = [_entry(one, f"{place}.{index}") for index, one in enumerate(value)]
        elif isinstance(value.get("en"), str):
            tree[key] = _entry(value, place)
        elif isinstance(value, dict) and KEYS.isdisjoint(value):
            tree[key] = _tree(value, place)
        else:
            raise InvalidCatalogue(f"{place} has no text in English")
    return tree


def _entry(raw: Mapping[str, Any], place: str) -> Entry:
    params = raw.get("params", {})
    unknown = [key for key in raw if key not in KEYS] + [one for one in params.values() if one not in TYPES]
    if unknown or not raw.get("zh"):
        raise InvalidCatalogue(f"{place}: {f'unknown {unknown[0]!r}' if unknown else 'no text in Chinese'}")
    return Entry(place, params, raw["en"], raw["zh"], raw.get("zh-Hans"))


def _entries(tree: Tree) -> Iterator[Entry]:
    for value in tree.values():
        if isinstance(value, Entry):
            yield value
        elif isinstance(value, list):
            yield from value
        else:
            yield from _entries(value)
