"""Every way in which a request can fail, in one table: its name, its HTTP status, a sentence; and the answer's shape.

Answers are `application/problem+json` (RFC 9457). `type` is a path of this server that stays what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response

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


class ProblemDetails(msgspec.Struct, frozen=True):
    """Why a request failed."""

    type: str
    """A stable path, like /problems/betting-closed."""
    title: str
    status: int
    detail: str
    """A sentence for people about this very request."""
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
    says: str
    refusal: bool = False

    @property
    def title(self) -> str:
        """The name as people read it."""
        return self.name.replace("-", " ").capitalize()

    @property
    def type(self) -> str:
        return f"/problems/{self.name}"


_HTTP = (
    Kind("bad-request", 400, "The request cannot be read, or is not what this operation takes."),
    Kind("not-signed-in", 401, "This needs somebody who is signed in, or a valid token."),
    Kind("forbidden", 403, "Who is signed in may not do this here."),
    Kind("not-found", 404, "There is nothing at this address."),
    Kind("method-not-allowed", 405, "This address does not take this method."),
    Kind("too-slow", 408, "The request did not arrive in time."),
    Kind("conflict", 409, "The request does not fit the present state."),
    Kind("too-large", 413, "The request's body is larger than this house takes."),
    Kind("unsupported-media-type", 415, "Bodies are sent as application/json."),
    Kind("unknown-host", 421, "The request was meant for another host than this house."),
    Kind("unprocessable", 422, "The request can be read, but makes no sense here."),
    Kind("too-many-requests", 429, "Too much was asked in a short time; ask again after the time given."),
    Kind("internal-error", 500, "A fault of this server's; the request id finds it in the log."),
    Kind("not-installed", 501, "This house lacks a part that the answer needs."),
    Kind("busy", 503, "The server has too much to do; ask again after the time given."),
    Kind("journal-unavailable", 503, "The journal cannot write now. Nothing was done; send the same key again."),
    Kind(
        "clock-jumped",
        503,
        "The clock jumped, or the record is ahead of it. Nothing was done; correct the clock, or have a manager accept"
        " the present time, and send the same key again.",
    ),
    Kind("table-disabled", 503, "The table does not run: its book or a part of its record is missing or damaged."),
    Kind("key-reused", 409, "The idempotency key was used before, for another request."),
)

PROBLEMS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        *_HTTP,
        *(Kind(why, status, says, refusal=True) for why, (status, says) in DICE_REFUSALS.items()),
        *(Kind(why, status, says, refusal=True) for why, (status, says) in HOUSE_REFUSALS.items()),
        *(Kind(why, status, says, refusal=True) for why, (status, says) in TABLE_REFUSALS.items()),
    )
}
"""All of them by name. A refusal that house and table share is the table's."""

_PARTICULAR = ("journal-unavailable", "clock-jumped", "table-disabled", "key-reused")
_BY_STATUS = {kind.status: kind for kind in reversed(_HTTP) if kind.name not in _PARTICULAR}


def kind_of(name: str) -> Kind:
    """A kind by its name."""
    return PROBLEMS.get(name) or Kind(name, UNNAMED_REFUSAL, "The command was refused.", refusal=True)


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
    details = ProblemDetails(
        type=kind.type,
        title=kind.title,
        status=status or kind.status,
        detail=detail,
        request_id=request_context.current().id,
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
