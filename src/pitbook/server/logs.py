"""Structured logs: one JSON object per line, or readable text on a terminal; and no secret in either."""

from __future__ import annotations

import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from pitbook.server import visits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pitbook.server.settings import Settings

HIDDEN = "[hidden]"

_NAMED = re.compile(
    r"(?i)\b(password|passwd|passphrase|secret|token|code|session|authorization|set-cookie|cookie|api[-_]?key|nonce|seed)"
    r"(\"?'?\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|(?:bearer|basic)\s+\S+|[^\s,;&)}\]]+)"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}")
_HASH = re.compile(r"\$argon2[a-z]*\$\S+")
_URL = re.compile(r"(\w+://[^/\s:@]*):[^@\s/]+@")
_LONG = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{20,}(?![\w-])")
"""What is long and looks random, as tokens and link codes do. Hashes, in hexadecimal, have no capitals."""

_LINK = re.compile(r"(/(?:links?|sign-in)/)[^/]+")

_encode = msgspec.json.Encoder().encode

ACCESS = "pitbook.access_log"
LEVELS = {"DEBUG": "debug", "INFO": "info", "WARNING": "warning", "ERROR": "error", "CRITICAL": "error"}


def redacted(text: str) -> str:
    """A text without the secrets whose shape is known.

    >>> redacted("GET /x?token=abc123&page=2"), redacted("Cookie: session=a.b.c")
    ('GET /x?token=[hidden]&page=2', 'Cookie: [hidden]')
    """
    text = _NAMED.sub(rf"\1\2{HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    text = _HASH.sub(HIDDEN, text)
    text = _URL.sub(rf"\1:{HIDDEN}@", text)
    return _LONG.sub(HIDDEN, text)


def redacted_path(path: str) -> str:
    """A path as it may be logged: link codes are long and random, or follow `link`."""
    shown = _LONG.sub(HIDDEN, path[:200]) if len(path) > 20 else path
    return _LINK.sub(rf"\1{HIDDEN}", shown) if "link" in path or "sign-in" in path else shown


def _told(record: logging.LogRecord) -> dict[str, Any]:
    """What a record says, in the order in which people read."""
    told: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": LEVELS.get(record.levelname, record.levelname.lower()),
    }
    request: Mapping[str, Any] | None = getattr(record, "request", None)
    if request is not None:  # an access line: its parts were made fit to be seen already
        told["message"] = "request"
        told.update(request)
        return told
    told["message"] = redacted(record.getMessage())
    told["logger"] = record.name
    visit = visits.current()
    if visit.id:
        told["request_id"] = visit.id
    if record.exc_info and record.exc_info[0] is not None:
        told["trace"] = redacted("".join(traceback.format_exception(*record.exc_info)))
    return told


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        return _encode(_told(record)).decode()


class Readable(logging.Formatter):
    """For a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        told = _told(record)
        head = f"{told.pop('time')[11:19]} {told.pop('level'):7} "
        if told["message"] == "request" and "status" in told:
            person = f" {told['person']}" if told.get("person") else ""
            return (
                f"{head}{told['status']} {told['method']} {told['path']} {told['milliseconds']} ms{person} "
                f"[{told['request_id']}]"
            )
        trace = told.pop("trace", "")
        told.pop("logger")
        number = f" [{told['request_id']}]" if "request_id" in told else ""
        return f"{head}{told['message']}{number}" + (f"\n{trace.rstrip()}" if trace else "")


def set_up_logs(settings: Settings, stream: TextIO | None = None) -> None:
    """Have everything logged to standard error, as the settings say."""
    out = stream or sys.stderr
    plain = settings.log_format == "text" or (settings.log_format == "auto" and out.isatty())
    handler = logging.StreamHandler(out)
    handler.setFormatter(Readable() if plain else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    level = settings.log_level.upper()
    root.setLevel(level)
    logging.getLogger("uvicorn").setLevel("WARNING")
    logging.getLogger("asyncio").setLevel("WARNING")
    logging.getLogger("uvicorn.error").setLevel("WARNING")
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.raiseExceptions = False  # a log that cannot be written must not stop a table


def log_request(logger: logging.Logger, visit: visits.Visit, status: int, seconds: float, route: str | None) -> None:
    """One line for a request that was answered."""
    request: dict[str, Any] = {
        "request_id": visit.id,
        "method": visit.method,
        "path": redacted_path(visit.path),
        "route": route,
        "status": status,
        "milliseconds": round(seconds * 1000, 2),
        "address": visit.address,
    }
    if visit.person is not None:
        request["person"] = visit.person
    # Not logger.info: it would look for the caller's line, which is always this one.
    record = logging.LogRecord(logger.name, logging.INFO, "", 0, "request", None, None)
    record.request = request
    logger.handle(record)
