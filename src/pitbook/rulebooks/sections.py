"""Raw TOML to typed parts, part by part, so that one broken part does not hide the problems of the others."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from pitbook.errors import correction, quoted, suggestion
from pitbook.messages import Message, compose
from pitbook.rulebooks.errors import BookError, InvalidBook, problem, solution
from pitbook.rulebooks.patches import join_key
from pitbook.rulebooks.text import (
    Clause,
    Equipment,
    Excludes,
    Forbids,
    Group,
    HandText,
    Identity,
    Inspection,
    Irregularity,
    Layout,
    OddsRule,
    Offer,
    Option,
    Procedure,
    Ranks,
    Reading,
    Role,
    Text,
    WagerText,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import ErrorDetails

    from pitbook.rulebooks.patches import Raw

PartT = TypeVar("PartT", bound=Text)

SINGLE: dict[str, type[Text]] = {
    "book": Identity,
    "odds": OddsRule,
    "procedure": Procedure,
    "ranks": Ranks,
    "layout": Layout,
}
NAMED: dict[str, type[Text]] = {
    "group": Group,
    "wager": WagerText,
    "reading": Reading,
    "option": Option,
    "equipment": Equipment,
    "irregularity": Irregularity,
    "role": Role,
    "clauses": Clause,
}
LISTED: dict[str, type[Text]] = {"inspection": Inspection}
PROBLEMS_MAX = 500
OPTIONAL_SINGLE: dict[str, type[Text]] = {"hand": HandText, "forbids": Forbids, "excludes": Excludes, "offer": Offer}
OPTIONAL = {"group", "option", "reading", "inspection", "equipment"}
ALL_SECTIONS = {*SINGLE, *OPTIONAL_SINGLE, *NAMED, *LISTED}


@dataclass
class Parts:
    """The parts of a book that could be read."""

    file: str
    problems: list[BookError]
    single: dict[str, Any] = field(default_factory=dict)
    named: dict[str, dict[str, Any]] = field(default_factory=dict)

    def one(self, section: str, kind: type[PartT]) -> PartT | None:
        """Return a section that is one part."""
        part = self.single.get(section)
        return part if isinstance(part, kind) else None

    def all(self, section: str, kind: type[PartT]) -> Mapping[str, PartT]:
        """Return a section of named parts, without those that could not be read."""
        return {name: part for name, part in self.named.get(section, {}).items() if isinstance(part, kind)}

    def problem(self, key: str, wrong: Message, right: Message) -> None:
        """Report a problem; stop after hundreds, since the file is then not a book at all."""
        self.problems.append(BookError(self.file, key, wrong, right))
        if len(self.problems) == PROBLEMS_MAX:
            more = BookError(self.file, "…", problem("too-many", count=PROBLEMS_MAX), solution("these-first"))
            raise InvalidBook([*self.problems, more])


def read_sections(raw: Raw, file: str) -> Parts:
    """Return all sections of a book, and what is wrong with each."""
    parts = Parts(file, [])
    for section in raw:
        if section not in ALL_SECTIONS:
            parts.problem(section, problem("no-section"), suggestion(section, sorted(ALL_SECTIONS)))
    for section in (*SINGLE, *NAMED, *LISTED):
        if section not in raw and section not in OPTIONAL:
            parts.problem(section, problem("missing"), solution("section-required"))
    for section, kind in {**SINGLE, **OPTIONAL_SINGLE}.items():
        if section in raw:
            parts.single[section] = _read(kind, raw[section], section, parts)
    for section, kind in NAMED.items():
        parts.named[section] = _read_named(kind, raw.get(section, {}), section, parts)
    for section, kind in LISTED.items():
        parts.named[section] = _read_listed(kind, raw.get(section, []), section, parts)
    return parts


def _read_named(kind: type[Text], table: Any, section: str, parts: Parts) -> dict[str, Any]:
    if not isinstance(table, dict):
        parts.problem(section, problem("not-a-table"), solution("write", text=f"[{section}.NAME]"))
        return {}
    return {name: _read(kind, entry, join_key([section, name]), parts) for name, entry in table.items()}


def _read_listed(kind: type[Text], entries: Any, section: str, parts: Parts) -> dict[str, Any]:
    if not isinstance(entries, list):
        parts.problem(section, problem("not-a-list"), solution("write", text=f"[[{section}]]"))
        return {}
    found: dict[str, Any] = {}
    for index, entry in enumerate(entries):
        part = _read(kind, entry, f"{section}.{index}", parts)
        name = getattr(part, "id", str(index))
        if name in found:
            parts.problem(f"{section}.{index}.id", problem("second", name=quoted(name)), solution("id-once"))
        found[name] = part
    return found


def _read(kind: type[Text], data: Any, key: str, parts: Parts) -> Text | None:
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            place = ".".join([key, *(str(part) for part in detail["loc"] if not _is_type(part))])
            parts.problem(place, *_messages(detail, kind))
        return None


def _is_type(part: int | str) -> bool:
    """Pydantic names the branch of a union in the place of an error; people do not."""
    return isinstance(part, str) and ("[" in part or part in {"str", "Label", "literal"})


def _messages(detail: ErrorDetails, kind: type[Text]) -> tuple[Message, Message]:
    """Return the problem and the solution for an error that pydantic found."""
    given, context = detail["input"], detail.get("ctx", {})
    unfit = problem("unfit") if isinstance(given, dict) else problem("unfit-value", value=quoted(given))
    match detail["type"]:
        case "extra_forbidden":
            name = str(detail["loc"][-1])
            known = sorted(_fields(kind, detail["loc"][:-1]))
            return problem("no-key"), suggestion(name, known)
        case "missing":
            return problem("missing"), solution("required")
        case "literal_error" | "enum":
            names = re.findall(r"'[^']*'|\d+", context["expected"]) or [context["expected"]]
            return problem("not-allowed", value=quoted(given)), solution("one-of", names=names)
        case "value_error":
            return problem("unfit"), compose("errors.common.text", text=context["error"])
        case _:
            return unfit, correction(detail)


def _fields(kind: type[BaseModel], place: tuple[int | str, ...]) -> list[str]:
    """Return the keys known at a place inside a part, as far as it can be followed."""
    for part in place:
        if isinstance(part, str) and part in kind.model_fields:
            inner = _model_inside(kind.model_fields[part].annotation)
            if inner is None:
                return []
            kind = inner
    return list(kind.model_fields)


def _model_inside(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _model_inside(argument)
        if found:
            return found
    return None
