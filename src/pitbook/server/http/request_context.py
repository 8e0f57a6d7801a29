"""The context of the current request: for its log line, its problems and its limits."""

from __future__ import annotations

from contextvars import ContextVar
from itertools import count
from secrets import token_hex
from typing import TYPE_CHECKING

from pitbook.messages.languages import negotiate

if TYPE_CHECKING:
    from pitbook.messages.languages import Language


class RequestContext:
    """One request. `person` is filled in by whoever finds out who asks."""

    __slots__ = ("accepts", "address", "id", "method", "path", "person", "secure")

    def __init__(self, id: str, address: str, method: str, path: str, *, secure: bool, accepts: str = "") -> None:  # noqa: A002
        self.id = id
        self.address = address
        """Who asked: behind a trusted proxy, whom the proxy asks for."""
        self.method = method
        self.path = path
        self.secure = secure
        """Whether the browser's side of the connection is encrypted."""
        self.accepts = accepts
        """The languages that the caller accepts: `Accept-Language`, or else what the account has chosen."""
        self.person: str | None = None

    @property
    def language(self) -> Language:
        """The language of messages in the response."""
        return negotiate(self.accepts)


NOBODY = RequestContext("", "", "", "", secure=False)
"""Outside of any request."""

_current: ContextVar[RequestContext] = ContextVar("visit", default=NOBODY)
_process = token_hex(4)
_numbers = count(1)

enter = _current.set
leave = _current.reset
current = _current.get


def new_id() -> str:
    """A name for a request: unique, and quick to make."""
    return f"{_process}-{next(_numbers):x}"
