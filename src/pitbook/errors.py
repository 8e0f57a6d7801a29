"""Errors in input that a person can correct: one line with the value and the nearest valid names."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pitbook.messages import Message, compose
from pitbook.messages.catalogue import find

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.messages import Language

LONGEST = 80
"""Longer values are shortened in messages."""
NAMES_MAX = 300
"""With more names than this, the nearest are not searched for, because it would take seconds."""


class InputError(ValueError):
    """Input that a person can correct: a message of `messages/errors`, in one line.

    >>> InputError("money.not-an-amount", text="'x'", decimals=2).text("zh-Hant")
    '「x」不是金額；請寫作 5 或 2.50，最多 2 位小數'
    """

    def __init__(self, id: str, /, **params: Any) -> None:  # noqa: A002
        self.message = compose(f"errors.{id}", **params)
        super().__init__(self.message)

    def text(self, language: Language = "en") -> str:
        """Return what is wrong in a language."""
        return self.message.text(language)

    def __str__(self) -> str:
        return self.text()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, vars(self))


def _restored(kind: type[InputError], arguments: tuple[Any, ...], fields: Mapping[str, Any]) -> InputError:
    error = kind.__new__(kind, *arguments)
    vars(error).update(fields)
    return error


class InputErrors(InputError):
    """Several input errors, one per line."""

    def __init__(self, errors: Iterable[object]) -> None:
        self.errors = tuple(compose("errors.common.text", text=one) for one in errors)
        ValueError.__init__(self, *self.errors)

    @property
    def lines(self) -> tuple[str, ...]:
        """The errors in English."""
        return tuple(one.text() for one in self.errors)

    def text(self, language: Language = "en") -> str:
        """Return the errors in a language, one per line."""
        return "\n".join(one.text(language) for one in self.errors)


def quoted(value: object) -> str:
    """Return a value as it was given, on one line and shortened.

    >>> quoted("total 4"), len(quoted("x" * 10_000))
    ("'total 4'", 80)
    """
    text = repr(value[: LONGEST + 1] if isinstance(value, str) else value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def bracketed(clauses: Iterable[str]) -> str:
    """Return clauses in brackets for a sentence, unless they have brackets of their own.

    >>> bracketed(["4(a)", "4(b)"]), bracketed(["(8)", "(9)(a)"])
    ('(4(a), 4(b))', '(8), (9)(a)')
    """
    named = list(clauses)
    text = ", ".join(named)
    return text if all(clause.startswith("(") for clause in named) else f"({text})"


def toml_error(error: ValueError) -> Message:
    """Return the message for a syntax error that `tomllib` found.

    >>> import tomllib
    >>> try:
    ...     tomllib.loads("hours = 8\\nbook = x")
    ... except tomllib.TOMLDecodeError as error:
    ...     toml_error(error).text("zh-Hant")
    'TOML 語法錯誤，第 2 行第 8 欄：Invalid value'
    """
    says = " ".join(str(error).split())
    at = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", says)
    if at:
        return compose("errors.common.toml-syntax", line=at[2], column=at[3], reason=at[1])
    return compose("errors.common.toml-end", reason=says.removesuffix(" (at end of document)"))


def correction(error: Mapping[str, Any]) -> Message:
    """Return how to correct a value that pydantic doesn't accept; `error` is one of its `errors()`.

    >>> str(correction({"type": "less_than_equal", "ctx": {"le": 1000}, "msg": ""}))
    'write 1,000 or less'
    >>> str(correction({"type": "x", "msg": "No"}))
    'write a valid value: no'
    """
    context = error.get("ctx", {})
    if error["type"] == "value_error" and "error" in context:
        return compose("errors.common.text", text=context["error"])
    if error["type"] in ("literal_error", "enum"):
        names = re.findall(r"'[^']*'|\d+", context["expected"]) or [context["expected"]]
        return compose("errors.common.fit.one-of", names=names)
    entry = find(f"errors.common.fit.{error['type']}")
    if entry is not None and set(entry.params) <= set(context):
        values = {
            name: context[name] if kind == "count" else _limit(context[name]) for name, kind in entry.params.items()
        }
        return compose(entry.id, **values)
    return compose("errors.common.fit.other", reason=error["msg"][:1].lower() + error["msg"][1:])


def _limit(value: Any) -> str:
    return f"{value:,g}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)


def unknown_name(kind: str, name: str, known: Iterable[str], where: str | Message = "") -> InputError:
    """Return the error for an unknown name, with the nearest known ones; `kind` is a key of `errors.kinds`.

    >>> str(unknown_name("wager", "smal", ["small", "big"], "massachusetts-sic-bo"))
    "unknown wager 'smal' in massachusetts-sic-bo; did you mean small?"
    """
    parts = {"kind": Message(f"errors.common.kinds.{kind}"), "name": quoted(name), "nearest": suggestion(name, known)}
    return InputError("common.unknown-in", where=where, **parts) if where else InputError("common.unknown", **parts)


def suggestion(name: str, known: Iterable[str]) -> Message:
    """Return the nearest names as a question, or the first few names as a list."""
    names = list(known)
    wanted, among = name[:LONGEST].lower(), names if len(names) <= NAMES_MAX else []
    near = get_close_matches(wanted, among, n=3, cutoff=0.55)
    near += [other for other in among if wanted in other.lower().split("/") and other not in near][:3]
    if near:
        return Message("errors.common.nearest", {"names": near[:3]})
    if not names:
        return Message("errors.common.there-is-none")
    more = ["…"] if len(names) > 12 else []
    return Message("errors.common.there-are", {"names": names[:12] + more})
