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
from pitbook.server.http.assets import built
from pitbook.server.http.problems import MEDIA_TYPE, InvalidField, Problem, kind_for, problem_response

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
            detail = f"the record is damaged ({_line(error)}); keep the file, run pitbook audit, and restore a backup"
            return problem_response("table-disabled", detail)
        case InputError():
            return _input_error(error)
        case Unavailable():
            return problem_response("journal-unavailable", _line(error), retry_after=RETRY)
        case ClockJumped():
            return problem_response("clock-jumped", _line(error), retry_after=RETRY)
        case AuthUnavailable():
            log.error("sessions and passwords cannot be looked up: %s", error)
            return problem_response("busy", "sign-in is unavailable at the moment; try again", retry_after=RETRY)
        case ValidationException():
            found = list(_parameter_errors(error))
            detail = f"{found[0].place}: {found[0].says}" if found else error.detail
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            return problem_response("bad-request", detail + more, errors=found)
        case SerializationException() | UnicodeDecodeError():
            return problem_response(
                "bad-request", "the request cannot be read: it is not UTF-8, or does not match its content type"
            )
        case MethodNotAllowedException():
            return problem_response("method-not-allowed", headers=error.headers)
        case HTTPException() if error.status_code < 500:
            kind = kind_for(error.status_code)
            detail = error.detail if isinstance(error, ClientException) and kind.name == "bad-request" else ""
            return problem_response(kind, detail, status=error.status_code, headers=error.headers)
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
    errors = [InvalidField(str(place), says) for place, says in getattr(error, "places", ())]
    detail = _line(error) if isinstance(error, InputErrors) else error.message
    return problem_response(kind, detail, errors=errors, retry_after=getattr(error, "retry_after", None))


def _parameter_errors(error: ValidationException) -> Iterator[InvalidField]:
    """Yield the errors that Litestar found in parameters."""
    for found in error.extra if isinstance(error.extra, list) else ():
        if isinstance(found, dict):
            source = str(getattr(found.get("source"), "value", found.get("source") or "request"))
            key = str(found.get("key", ""))
            says = str(found.get("message", "wrong")).partition(" - at `$")[0]
            says = "this is missing" if says == repr(key) else says[:1].lower() + says[1:]
            yield InvalidField("body" if key == "data" else f"{source}.{key}".rstrip("."), says)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
