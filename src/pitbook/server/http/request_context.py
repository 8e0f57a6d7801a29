"""The context of the current request, for its log line, problems and limits."""

from __future__ import annotations

from contextvars import ContextVar
from itertools import count
from secrets import token_hex
from typing import TYPE_CHECKING

from pitbook.messages.languages import negotiate

if TYPE_CHECKING:
    from pitbook.messages.languages import Language
    from pitbook.messages.message import NameTable


class RequestContext:
    """A request. `person` is set once the caller is known."""

    __slots__ = ("accepts", "address", "headers", "id", "method", "name_table", "path", "person", "query", "secure")

    def __init__(
        self,
        id: str,  # noqa: A002
        address: str,
        method: str,
        path: str,
        *,
        secure: bool,
        accepts: str = "",
        query: str = "",
        name_table: NameTable | None = None,
    ) -> None:
        self.id = id
        self.address = address
        """The client's address, also behind trusted proxies."""
        self.method = method
        self.path = path
        self.secure = secure
        """Whether the client's connection is encrypted."""
        self.accepts = accepts
        """The accepted languages: `Accept-Language`, or the account's choice."""
        self.query = query
        self.headers: list[tuple[bytes, bytes]] = []
        """Further headers of the response."""
        self.person: str | None = None
        self.name_table = name_table
        """Returns the names of tables for messages in the response."""

    @property
    def language(self) -> Language:
        """The language of messages in the response."""
        return negotiate(self.accepts)


NO_REQUEST = RequestContext("", "", "", "", secure=False)
"""The context outside of requests."""

_current: ContextVar[RequestContext] = ContextVar("visit", default=NO_REQUEST)
_process = token_hex(4)
_numbers = count(1)

enter = _current.set
leave = _current.reset
current = _current.get


def new_id() -> str:
    """Return a unique request id."""
    return f"{_process}-{next(_numbers):x}"
