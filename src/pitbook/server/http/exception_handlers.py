"""Turn exceptions into HTTP problems. A bug reveals its request id and nothing else."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from litestar import Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    SerializationException,
    ValidationException,
)

from pitbook.auth.errors import Unavailable as AuthUnavailable
from pitbook.errors import InputError, InputErrors
from pitbook.house.archived import TableArchived
from pitbook.house.disabled import TableDisabled
from pitbook.journal.errors import Broken, ClockJumped, Unavailable
from pitbook.messages import Message, compose
from pitbook.server.http.assets import built
from pitbook.server.http.errors import FieldError, detail, fields_message, joined
from pitbook.server.http.field_messages import explain
from pitbook.server.http.problems import MEDIA_TYPE, Problem, kind_for, problem_response

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar import Request

log = logging.getLogger(__name__)

RETRY = 2
"""The seconds to wait before a retry if the journal is unavailable."""
NO_PAGES = ("/api/", "/assets/", "/problems", "/metrics", "/health", "/ready")
"""Paths for programs, which get a problem instead of the HTML page."""


def error_response(request: Request[Any, Any, Any] | None, error: Exception) -> Response[Any]:
    """Return the problem response for an error, or the page-not-found page for a browser."""
    match error:
        case NotFoundException() if request is not None and (page := _no_such_page(request)) is not None:
            return page
        case Problem():
            return error.response()
        case TableDisabled():
            return problem_response("table-disabled", error.message)
        case TableArchived():
            return problem_response("archived", error.message)
        case Broken():
            return problem_response("table-disabled", compose("errors.server.damaged", reason=error.message))
        case InputError():
            return _input_error(error)
        case Unavailable():
            return problem_response("journal-unavailable", _reason(error), retry_after=RETRY)
        case ClockJumped():
            return problem_response("clock-jumped", _reason(error), retry_after=RETRY)
        case AuthUnavailable():
            log.error("sessions and passwords cannot be looked up: %s", error)
            return problem_response("busy", detail("sign-in-unavailable"), retry_after=RETRY)
        case ValidationException():
            found = list(_parameter_errors(error))
            message = fields_message(found) if found else detail("invalid", reason=error.detail)
            return problem_response("bad-request", message, errors=found)
        case SerializationException() | UnicodeDecodeError():
            return problem_response("bad-request", detail("not-readable"))
        case MethodNotAllowedException():
            return problem_response("method-not-allowed", headers=error.headers)
        case HTTPException() if error.status_code < 500:
            kind = kind_for(error.status_code)
            explained = isinstance(error, ClientException) and kind.name == "bad-request"
            reason = detail("invalid", reason=error.detail) if explained else None
            return problem_response(kind, reason, status=error.status_code, headers=error.headers)
    log.error("a request failed", exc_info=error)
    return problem_response("internal-error")


def problem_parts(error: Exception) -> tuple[int, bytes, tuple[tuple[bytes, bytes], ...]]:
    """Return status, body and headers of the response to an error, for responses without the framework."""
    response = error_response(None, error)
    body: bytes = response.content
    headers = [(name.lower().encode(), value.encode()) for name, value in response.headers.items()]
    length = (b"content-length", b"%d" % len(body))
    return response.status_code or 500, body, ((b"content-type", MEDIA_TYPE.encode()), length, *headers)


def _no_such_page(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Return the web pages' document with status 404 for browsers, or None."""
    accepted = request.headers.get("accept", "")
    if request.method != "GET" or "text/html" not in accepted or request.url.path.startswith(NO_PAGES):
        return None
    bundle = built()
    if bundle is None:
        return None
    headers = {"Cache-Control": "no-store", "Vary": "Accept"}
    return Response(bundle.index.content, status_code=404, media_type=bundle.index.media_type, headers=headers)


def _input_error(error: InputError) -> Response[Any]:
    """Return the response to an input error, which may have `status`, `places` and `retry_after`."""
    kind = kind_for(getattr(error, "status", 400))
    errors = getattr(error, "places", ())
    message = joined(error.errors) if isinstance(error, InputErrors) else error.message
    return problem_response(kind, message, errors=errors, retry_after=getattr(error, "retry_after", None))


def _parameter_errors(error: ValidationException) -> Iterator[FieldError]:
    """Yield the errors that Litestar found in parameters."""
    for found in error.extra if isinstance(error.extra, list) else ():
        if isinstance(found, dict):
            source = str(getattr(found.get("source"), "value", found.get("source") or "request"))
            key = str(found.get("key", ""))
            says = str(found.get("message", ""))
            message = detail("field.missing") if says == repr(key) else explain(says)
            yield FieldError("body" if key == "data" else f"{source}.{key}".rstrip("."), message)


def _reason(error: Exception) -> Message:
    """Return the message of an error, or else its text in one line."""
    message = error.args[0] if error.args else None
    if isinstance(message, Message):
        return message
    return detail("journal-unavailable", reason=" ".join(str(error).split()))
