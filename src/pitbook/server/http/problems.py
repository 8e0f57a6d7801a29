"""Every way in which a request can fail, in one table: its name, its HTTP status, a sentence; and the answer's shape.

Answers are `application/problem+json` (RFC 9457). `type` is a path of this server that stays what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response

from pitbook.messages import Message
from pitbook.messages.catalogue import entries
from pitbook.server.http import request_context
from pitbook.server.http.refusals import DICE_REFUSALS, HOUSE_REFUSALS, TABLE_REFUSALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MEDIA_TYPE = "application/problem+json"
UNNAMED_REFUSAL = 409
"""The status of a refusal that the table does not have; a test sees to it that there is none."""


class InvalidField(msgspec.Struct, frozen=True):
    """One thing that is wrong with a request."""

    place: str
    """Where: `body.bets[2].amount`, `query.after`."""
    says: str


class MessageText(msgspec.Struct, frozen=True):
    """A message of the catalogue with its text."""

    id: str
    params: dict[str, Any]
    text: str


class ProblemDetails(msgspec.Struct, frozen=True):
    """Why a request failed."""

    type: str
    """A stable path, like /problems/betting-closed."""
    title: str
    status: int
    detail: str
    """A sentence for people about this very request."""
    message: MessageText
    """The kind of problem as a message, in the language that the request asks for."""
    request_id: str
    refusal: str | None = None
    """The refusal's name, where a table or the house refused."""
    clauses: tuple[str, ...] = ()
    """The clauses of the book on which a refusal rests."""
    reading: str | None = None
    """The reading on which a refusal rests, where no clause decides."""
    policy: bool = False
    """Whether a refusal is house policy: neither a clause nor a reading decides."""
    errors: tuple[InvalidField, ...] = ()
    """Everything that is wrong with the request, where it could not be read."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem."""

    name: str
    status: int
    refusal: bool = False

    @property
    def message(self) -> Message:
        """The sentence about this kind."""
        id = f"problems.{self.name}"  # noqa: A001
        return Message(id if id in entries() else "problems.refused")

    @property
    def says(self) -> str:
        return self.message.text()

    @property
    def title(self) -> str:
        """The name as people read it."""
        return self.name.replace("-", " ").capitalize()

    @property
    def type(self) -> str:
        return f"/problems/{self.name}"


_HTTP = (
    Kind("bad-request", 400),
    Kind("not-signed-in", 401),
    Kind("forbidden", 403),
    Kind("not-found", 404),
    Kind("method-not-allowed", 405),
    Kind("too-slow", 408),
    Kind("conflict", 409),
    Kind("too-large", 413),
    Kind("unsupported-media-type", 415),
    Kind("unknown-host", 421),
    Kind("unprocessable", 422),
    Kind("too-many-requests", 429),
    Kind("internal-error", 500),
    Kind("not-installed", 501),
    Kind("busy", 503),
    Kind("journal-unavailable", 503),
    Kind("clock-jumped", 503),
    Kind("table-disabled", 503),
    Kind("key-reused", 409),
)

PROBLEMS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        *_HTTP,
        *(Kind(why, status, refusal=True) for why, status in DICE_REFUSALS.items()),
        *(Kind(why, status, refusal=True) for why, status in HOUSE_REFUSALS.items()),
        *(Kind(why, status, refusal=True) for why, status in TABLE_REFUSALS.items()),
    )
}
"""All of them by name. A refusal that house and table share is the table's."""

_PARTICULAR = ("journal-unavailable", "clock-jumped", "table-disabled", "key-reused")
_BY_STATUS = {kind.status: kind for kind in reversed(_HTTP) if kind.name not in _PARTICULAR}


def kind_of(name: str) -> Kind:
    """A kind by its name."""
    return PROBLEMS.get(name) or Kind(name, UNNAMED_REFUSAL, refusal=True)


def kind_for(status: int) -> Kind:
    """The general kind for a status that has no better name."""
    return _BY_STATUS.get(status) or _BY_STATUS[400 if status < 500 else 500]


class Problem(Exception):
    """Ends a request with a problem: `raise Problem("not-found", "there is no table t9")`."""

    def __init__(
        self,
        name: str,
        detail: str = "",
        *,
        clauses: Iterable[str] = (),
        reading: str | None = None,
        errors: Iterable[InvalidField] = (),
        retry_after: float | None = None,
    ) -> None:
        self.kind = kind_of(name)
        self.detail = detail or self.kind.says
        self.clauses = tuple(clauses)
        self.reading = reading
        self.errors = tuple(errors)
        self.retry_after = retry_after
        super().__init__(f"{name}: {self.detail}")

    def response(self) -> Response[bytes]:
        """The answer that tells it."""
        return problem_response(
            self.kind,
            self.detail,
            clauses=self.clauses,
            reading=self.reading,
            errors=self.errors,
            retry_after=self.retry_after,
        )


def problem_bytes(
    kind: Kind,
    detail: str,
    *,
    clauses: Iterable[str] = (),
    reading: str | None = None,
    errors: Iterable[InvalidField] = (),
    status: int | None = None,
) -> bytes:
    """A problem as JSON."""
    cited = tuple(clauses)
    message = kind.message
    context = request_context.current()
    details = ProblemDetails(
        type=kind.type,
        title=kind.title,
        status=status or kind.status,
        detail=detail,
        message=MessageText(message.id, dict(message.params), message.text(context.language)),
        request_id=context.id,
        refusal=kind.name if kind.refusal else None,
        clauses=cited,
        reading=reading,
        policy=kind.refusal and not cited and reading is None,
        errors=tuple(errors),
    )
    return msgspec.json.encode(details)


def problem_response(
    kind: Kind | str,
    detail: str = "",
    *,
    clauses: Iterable[str] = (),
    reading: str | None = None,
    errors: Iterable[InvalidField] = (),
    retry_after: float | None = None,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response[Any]:
    """A problem as an answer: quicker than raising it, where a handler knows already."""
    found = kind_of(kind) if isinstance(kind, str) else kind
    content = problem_bytes(found, detail or found.says, clauses=clauses, reading=reading, errors=errors, status=status)
    told = dict(headers or {})
    if retry_after is not None:
        told["Retry-After"] = str(max(1, round(retry_after)))
    return Response(content, status_code=status or found.status, media_type=MEDIA_TYPE, headers=told)
