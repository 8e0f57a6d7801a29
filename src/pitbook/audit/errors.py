"""The errors and assertions of the auditor's checks."""

from __future__ import annotations

from typing import Any, Literal

from pitbook.audit.details import Detail

About = Literal[
    "missing", "link", "hash", "signed", "time", "rules", "settlement", "money", "stray", "book", "end", "snapshot",
    "cut", "key", "balances", "guards", "checkpoint", "role", "order", "witness", "announcement", "late",
    "detached",
]  # fmt: skip
"""The kind of an error; `rules` if the rules do not allow what happened."""


class CheckFailed(Exception):
    """A failed check, with the text of `messages/checks.toml`; the caller adds where, unless it is given."""

    def __init__(self, text: str, sequence: int | None = None, /, *, about: About = "rules", **params: Any) -> None:
        self.detail = Detail(text, params)
        super().__init__(self.detail)
        self.sequence = sequence
        self.about: About = about


class Unreadable(Exception):
    """The journal or the checkpoint cannot be read at all, with the text of `messages/checks.toml`."""

    def __init__(self, text: str, /, **params: Any) -> None:
        self.detail = Detail(text, params)
        super().__init__(self.detail)


def ensure(holds: object, text: str, about: About = "rules", /, **params: Any) -> None:
    """Raise `CheckFailed` with this text unless a condition is true."""
    if not holds:
        raise CheckFailed(text, about=about, **params)
