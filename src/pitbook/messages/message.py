"""A message: its id and its parameters, which can be stored, sent and read in any language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from pitbook.messages.catalogue import find
from pitbook.messages.patterns import fill
from pitbook.messages.values import NAMED, QUOTES, any_of, check, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from pitbook.messages.catalogue import Entry
    from pitbook.messages.languages import Language

WALK_IN = "walk-in:"
"""The prefix of players without an account."""


NameTable: TypeAlias = "Callable[[str], Message | None]"
"""Returns the name by which people know a table, by its id."""


class Message(msgspec.Struct, frozen=True):
    """A message by its id and its parameters, without its words.

    >>> from pitbook.messages.values import Money
    >>> over = Message("refusals.bets.over-maximum", {"area": {"en": "Odd", "zh": "單"}, "most": Money(50_000, "SGD")})
    >>> over.text("en"), over.text("zh-Hans")
    ('The maximum on Odd is S$500.', '单的上限为 S$500。')
    """

    id: str
    params: Mapping[str, Any] = {}

    def __post_init__(self) -> None:
        entry = _entry(self.id)
        if set(entry.params) != set(self.params):
            raise TypeError(f"{self.id} takes {sorted(entry.params)}, not {sorted(self.params)}")
        values = {name: _checked(name, kind, self.params[name]) for name, kind in entry.params.items()}
        msgspec.structs.force_setattr(self, "params", values)

    def text(self, language: Language = "en", name_table: NameTable | None = None) -> str:
        """Return the message in a language; tables that `name_table` doesn't know are called by their ids."""
        entry = _entry(self.id)

        def format_value(name: str, value: Any) -> str:
            kind = entry.params[name]
            if kind == "table":
                value = (name_table and name_table(value)) or Message("events.common.table.by-id", {"id": value})
            if isinstance(value, Message):
                return value.text(language, name_table)
            if kind == "parts":
                return "".join(one.text(language, name_table) for one in value)
            if kind == "name":
                return _person(value, language)
            if kind == "person":
                return _with_role(value["name"], value["role"], language)
            if kind in NAMED:
                return name_of(kind, value, language)
            if kind.removesuffix("s") in NAMED:
                return any_of([name_of(kind.removesuffix("s"), one, language) for one in value], language)
            return written(kind, value, language)

        return fill(entry.pattern(language), self.params, format_value, QUOTES[language])

    def __str__(self) -> str:
        return self.text()


def compose(id: str, /, **params: Any) -> Message:  # noqa: A002
    """Return a message; a parameter of type `text` may be any object: it becomes its text.

    >>> compose("cli.results.settle.point", point=6).text(), compose("cli.results.lint.good", book="craps").text()
    ('on 6', 'craps: no findings')
    """
    types = _entry(id).params
    return Message(id, {name: _as_text(one) if types.get(name) == "text" else one for name, one in params.items()})


def _as_text(value: Any) -> str | Message:
    """Return a value as a parameter of type `text`; a message, or an error that has one, stays translatable."""
    inner = getattr(value, "message", None) if isinstance(value, Exception) else value
    return inner if isinstance(inner, Message) else str(value)


def _entry(id: str) -> Entry:  # noqa: A002
    entry = find(id)
    if entry is None:
        raise KeyError(f"the catalogue has no message {id}")
    return entry


def name_of(kind: str, id: str, language: Language) -> str:  # noqa: A002
    """Return the name of an id; one of a house's own book that the catalogue doesn't have is shown as words.

    >>> name_of("role", "box-person", "zh-Hant"), name_of("role", "deputy-dealer", "en")
    ('坐檯主任', 'deputy dealer')
    """
    known = f"names.{kind}.{id}"
    return Message(known).text(language) if find(known) else id.replace("-", " ")


def _person(name: str, language: Language) -> str:
    """Return the name of someone: an account, a player without one, or a part of the house that acts."""
    if find(f"names.actor.{name}"):
        return Message(f"names.actor.{name}").text(language)
    if name.startswith(WALK_IN):
        return Message("events.common.walk-in", {"name": name.removeprefix(WALK_IN)}).text(language)
    return name


def _with_role(name: str, role: str, language: Language) -> str:
    if find(f"names.actor.{name}"):
        return _person(name, language)
    as_role = {"name": _person(name, language), "role": role}
    return Message("events.common.with-role", as_role).text(language)


def stored(data: object, default: str) -> Message:
    """Return a message that was stored; one that isn't known here, or a sentence of an older record, by its text."""
    try:
        return msgspec.convert(data, Message)
    except (msgspec.ValidationError, KeyError, TypeError):
        return Message("refusals.recorded.sentence", {"text": default})


def _checked(name: str, kind: str, value: Any) -> Any:
    if kind == "parts":
        return tuple(one if isinstance(one, Message) else msgspec.convert(one, Message) for one in value)
    if kind != "message" and not (kind == "text" and isinstance(value, Message | Mapping)):
        return check(name, kind, value)
    return value if isinstance(value, Message) else msgspec.convert(value, Message)


class Sentence(msgspec.Struct, frozen=True):
    """A message with what it rests on: clauses of the book, a reading, or house policy.

    >>> closed = Message("refusals.tables.automatic.paused")
    >>> Sentence(closed, ("3.1", "3.2")).text("en"), Sentence(closed, reading="ties").text("zh-Hant")
    ('The table is paused. [3.1, 3.2]', '此檯已暫停。［條文解讀：ties］')
    """

    message: Message
    clauses: tuple[str, ...] = ()
    reading: str | None = None
    policy: bool = False

    def text(self, language: Language = "en") -> str:
        """Return the sentence in a language, with its grounds in brackets."""
        grounds = self._grounds()
        return self.message.text(language) + (grounds.text(language) if grounds else "")

    def _grounds(self) -> Message | None:
        if self.clauses:
            return Message("events.common.grounds.clauses", {"clauses": tuple(dict.fromkeys(self.clauses))})
        if self.reading:
            return Message("events.common.grounds.reading", {"reading": self.reading})
        return Message("events.common.grounds.policy") if self.policy else None
