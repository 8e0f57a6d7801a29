"""All kinds of problems with their HTTP status and message, and their JSON.

Responses are `application/problem+json` (RFC 9457). `type` is a stable path of this server.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response

from pitbook.messages import Message
from pitbook.messages.catalogue import entries
from pitbook.server.http import request_context
from pitbook.server.http.errors import fields_message
from pitbook.server.http.refusals import DICE_REFUSALS, HOUSE_POLICY, HOUSE_REFUSALS, TABLE_REFUSALS
from pitbook.table.refusals import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pitbook.server.http.errors import FieldError

MEDIA_TYPE = "application/problem+json"
UNNAMED_REFUSAL = 409
"""The status of a refusal that is not listed; a test ensures that there is none."""


class MessageText(msgspec.Struct, frozen=True):
    """A message of the catalogue with its text."""

    id: str
    params: dict[str, Any]
    text: str


class InvalidField(msgspec.Struct, frozen=True):
    """One thing that is wrong with a request."""

    place: str
    """Where: `body.bets[2].amount`, `query.after`."""
    says: str
    """The text of `message`."""
    message: MessageText
    """What is wrong, in the language that the request asks for."""


def message_text(message: Message) -> MessageText:
    """Return a message with its text for people, in the language that the current request asks for."""
    context = request_context.current()
    return MessageText(message.id, dict(message.params), message.text(context.language, context.name_table))


class ProblemDetails(msgspec.Struct, frozen=True):
    """Why a request failed."""

    type: str
    """A stable path, like /problems/betting-closed."""
    title: str
    status: int
    detail: str
    """What is wrong with this request: the text of `message`."""
    message: MessageText
    """Why it was refused, or the kind of problem, in the language that the request asks for."""
    request_id: str
    refusal: str | None = None
    """The refusal's name, where a table or the house refused."""
    clauses: tuple[str, ...] = ()
    """The clauses of the book on which a refusal rests."""
    reading: str | None = None
    """The reading on which a refusal rests, where no clause decides."""
    policy: bool = False
    """Whether a refusal is house policy: neither a clause nor a reading decides, and it isn't just a fact."""
    errors: tuple[InvalidField, ...] = ()
    """Everything that is wrong with the request, where it could not be read."""


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem."""

    name: str
    status: int
    refusal: bool = False
    policy: bool = False
    """Whether a refusal of this kind without a clause or a reading is house policy."""

    @property
    def message(self) -> Message:
        """The message of this kind."""
        id = f"problems.{self.name}"  # noqa: A001
        return Message(id if id in entries() else "problems.refused")

    @property
    def title(self) -> Message:
        """The name for people."""
        id = f"problem-titles.{self.name}"  # noqa: A001
        return Message(id if id in entries() else "problem-titles.refused")

    @property
    def type(self) -> str:
        return f"/problems/{self.name}"


_HTTP = (
    ProblemKind("bad-request", 400),
    ProblemKind("not-signed-in", 401),
    ProblemKind("second-factor-required", 401),
    ProblemKind("second-factor-failed", 422),
    ProblemKind("second-factor-locked", 429),
    ProblemKind("recent-factor-required", 403),
    ProblemKind("unlock-failed", 422),
    ProblemKind("session-locked", 423),
    ProblemKind("forbidden", 403),
    ProblemKind("not-found", 404),
    ProblemKind("method-not-allowed", 405),
    ProblemKind("too-slow", 408),
    ProblemKind("conflict", 409),
    ProblemKind("archived", 410),
    ProblemKind("too-large", 413),
    ProblemKind("unsupported-media-type", 415),
    ProblemKind("unknown-host", 421),
    ProblemKind("unprocessable", 422),
    ProblemKind("too-many-requests", 429),
    ProblemKind("internal-error", 500),
    ProblemKind("not-installed", 501),
    ProblemKind("busy", 503),
    ProblemKind("journal-unavailable", 503),
    ProblemKind("clock-jumped", 503),
    ProblemKind("table-disabled", 503),
    ProblemKind("key-reused", 409),
)

PROBLEMS: Mapping[str, ProblemKind] = {
    kind.name: kind
    for kind in (
        *_HTTP,
        *(ProblemKind(why, status, refusal=True) for why, status in DICE_REFUSALS.items()),
        *(ProblemKind(why, status, refusal=True, policy=why in HOUSE_POLICY) for why, status in HOUSE_REFUSALS.items()),
        *(ProblemKind(why, status, refusal=True, policy=why not in FACTS) for why, status in TABLE_REFUSALS.items()),
    )
}
"""All kinds by name; of refusals with the same name, the table's."""

_SPECIFIC = (
    "second-factor-required",
    "second-factor-failed",
    "second-factor-locked",
    "unlock-failed",
    "recent-factor-required",
    "journal-unavailable",
    "clock-jumped",
    "table-disabled",
    "key-reused",
)
_BY_STATUS = {kind.status: kind for kind in reversed(_HTTP) if kind.name not in _SPECIFIC}


def kind_of(name: str) -> ProblemKind:
    """Return a kind by name."""
    return PROBLEMS.get(name) or ProblemKind(name, UNNAMED_REFUSAL, refusal=True)


def kind_for(status: int) -> ProblemKind:
    """Return the general kind for a status."""
    return _BY_STATUS.get(status) or _BY_STATUS[400 if status < 500 else 500]


class Problem(Exception):
    """An error that ends a request: `raise Problem("not-found", detail("no-table", table="t9"))`."""

    def __init__(
        self,
        name: str,
        detail: Message | None = None,
        *,
        clauses: Iterable[str] = (),
        reading: str | None = None,
        errors: Iterable[FieldError] = (),
        retry_after: float | None = None,
    ) -> None:
        self.kind = kind_of(name)
        self.message = detail or self.kind.message
        self.clauses = tuple(clauses)
        self.reading = reading
        self.errors = tuple(errors)
        self.retry_after = retry_after
        super().__init__(f"{name}: {self.message}")

    def response(self) -> Response[bytes]:
        """Return the response."""
        return problem_response(
            self.kind,
            self.message,
            clauses=self.clauses,
            reading=self.reading,
            errors=self.errors,
            retry_after=self.retry_after,
        )


def invalid_fields(errors: Sequence[FieldError]) -> Problem:
    """Return the problem for a request with invalid fields."""
    return Problem("bad-request", fields_message(errors), errors=errors)


def invalid_field(error: FieldError) -> InvalidField:
    """Return an error in the language that the current request asks for."""
    message = message_text(error.message)
    return InvalidField(error.place, message.text, message)


def problem_bytes(
    kind: ProblemKind,
    detail: Message,
    *,
    clauses: Iterable[str] = (),
    reading: str | None = None,
    errors: Iterable[FieldError] = (),
    status: int | None = None,
) -> bytes:
    """Return a problem as JSON."""
    cited, message = tuple(clauses), message_text(detail)
    details = ProblemDetails(
        type=kind.type,
        title=kind.title.text(request_context.current().language),
        status=status or kind.status,
        detail=message.text,
        message=message,
        request_id=request_context.current().id,
        refusal=kind.name if kind.refusal else None,
        clauses=cited,
        reading=reading,
        policy=kind.policy and not cited and reading is None,
        errors=tuple(invalid_field(one) for one in errors),
    )
    return msgspec.json.encode(details)


def problem_response(
    kind: ProblemKind | str,
    detail: Message | None = None,
    *,
    clauses: Iterable[str] = (),
    reading: str | None = None,
    errors: Iterable[FieldError] = (),
    retry_after: float | None = None,
    status: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response[Any]:
    """Return a problem as a response, which is faster than raising it."""
    found = kind_of(kind) if isinstance(kind, str) else kind
    content = problem_bytes(
        found, detail or found.message, clauses=clauses, reading=reading, errors=errors, status=status
    )
    headers = dict(headers or {})
    if retry_after is not None:
        headers["Retry-After"] = str(max(1, round(retry_after)))
    return Response(content, status_code=status or found.status, media_type=MEDIA_TYPE, headers=headers)
