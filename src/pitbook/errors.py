"""Errors in input that a person can correct: one line with the value and the nearest valid names."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pitbook.messages import Message, compose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pitbook.messages import Language

LONGEST = 80
"""Longer values are shortened in messages."""
MOST_NAMES = 300
"""With more names than this, the nearest are not searched for, because it would take seconds."""


class InputError(ValueError):
    """Input that a person can correct: a message of `messages/errors`, in one line.

    >>> InputError("money.not-an-amount", text="'x'", decimals=2).text("zh-Hant")
    "'x' 不是金額；請寫作 5 或 2.50，最多 2 位小數"
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
    shown = repr(value[: LONGEST + 1] if isinstance(value, str) else value)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def bracketed(clauses: Iterable[str]) -> str:
    """Return clauses in brackets for a sentence, unless they have brackets of their own.

    >>> bracketed(["4(a)", "4(b)"]), bracketed(["(8)", "(9)(a)"])
    ('(4(a), 4(b))', '(8), (9)(a)')
    """
    named = list(clauses)
    text = ", ".join(named)
    return text if all(clause.startswith("(") for clause in named) else f"({text})"


def unknown(kind: str, name: str, known: Iterable[str], where: str | Message = "") -> InputError:
    """Return the error for an unknown name, with the nearest known ones; `kind` is a key of `errors.kinds`.

    >>> str(unknown("wager", "smal", ["small", "big"], "massachusetts-sic-bo"))
    "no wager 'smal' in massachusetts-sic-bo; did you mean small?"
    """
    parts = {"kind": Message(f"errors.common.kinds.{kind}"), "name": quoted(name), "nearest": suggestion(name, known)}
    return InputError("common.unknown-in", where=where, **parts) if where else InputError("common.unknown", **parts)


def suggestion(name: str, known: Iterable[str]) -> Message:
    """Return the nearest names as a question, or the first few names as a list."""
    names = list(known)
    wanted, among = name[:LONGEST].lower(), names if len(names) <= MOST_NAMES else []
    near = get_close_matches(wanted, among, n=3, cutoff=0.55)
    near += [other for other in among if wanted in other.lower().split("/") and other not in near][:3]
    if near:
        return Message("errors.common.nearest", {"names": near[:3]})
    if not names:
        return Message("errors.common.there-is-none")
    more = ["…"] if len(names) > 12 else []
    return Message("errors.common.there-are", {"names": names[:12] + more})
