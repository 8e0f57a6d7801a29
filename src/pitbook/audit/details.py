"""Details of findings: ids and parameters of the texts in `messages/checks.toml`, and their English.

The auditor reads these texts as data and fills them in with its own code. Other packages translate an id and its
parameters.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

NAMED = ("role", "phase", "colour", "standing", "way")
"""Types of parameters that are ids; `messages/names.toml` has their names."""
_PLACE = re.compile(r"\{(\w+)(?:, plural, one \{([^{}]*)\} other \{([^{}]*)\})?\}")


@dataclass(frozen=True, slots=True)
class Detail:
    """What a check found: the id of a text, and the values of its parameters."""

    id: str
    params: Mapping[str, Any]

    def __str__(self) -> str:
        """Return the detail in English."""
        types, text = _texts()[self.id]

        def fill(place: re.Match[str]) -> str:
            name, one, other = place.groups()
            written = _written(types[name], self.params[name])
            return (one if self.params[name] == 1 else other).replace("#", written) if other else written

        return _PLACE.sub(fill, text)

    def as_data(self) -> dict[str, Any]:
        """Return the detail as JSON data: an id of the catalogue, and parameters of the types that it declares."""
        types, _ = _texts()[self.id]
        return {
            "id": f"checks.{self.id}",
            "params": {name: _plain(kind, self.params[name]) for name, kind in types.items()},
        }


def detail(text: str, /, **params: Any) -> Detail:
    """Return the detail with this text."""
    return Detail(text, params)


def cite_clauses(clauses: Collection[str]) -> Detail:
    """Return the clauses of a rule; the house's own rules have none."""
    names = tuple(clauses)
    if not names:
        return detail("policy")
    return detail("clause", clause=names[0]) if len(names) == 1 else detail("clauses", clauses=names)


@cache
def _texts() -> dict[str, tuple[dict[str, str], str]]:
    """Return the types of the parameters and the English of every text."""
    return {id_: (raw.get("params", {}), raw["en"]) for id_, raw in _read("checks").items()}


@cache
def _read(name: str) -> dict[str, Any]:
    file = resources.files("pitbook") / "messages" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _name(kind: str, value: str) -> str:
    known = _read("names")[kind].get(value)
    return str(known["en"]) if known else value.replace("-", " ")


def _written(kind: str, value: Any) -> str:
    if isinstance(value, Detail):
        return str(value)
    if kind == "count":
        return f"{value:,}".replace("-", "−")
    if kind == "list":
        return ", ".join(map(str, value))
    if kind == "either":
        return _either(value, str)
    if kind in NAMED:
        return _name(kind, str(value))
    if kind.removesuffix("s") in NAMED:
        return _either(value, lambda one: _name(kind.removesuffix("s"), str(one)))
    return str(value)


def _either(values: Sequence[Any], write: Callable[[Any], str]) -> str:
    *others, last = map(write, values)
    return f"{', '.join(others)} or {last}" if others else last


def _plain(kind: str, value: Any) -> Any:
    if isinstance(value, Detail):
        return value.as_data()
    if kind == "count":
        return value
    if kind in ("list", "either") or (kind.removesuffix("s") in NAMED and kind.endswith("s")):
        return [str(one) for one in value]
    return str(value)
