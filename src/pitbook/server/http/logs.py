"""Structured logs without secrets: one JSON object per line, or readable text on a terminal."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from pitbook.server.http import request_context

if TYPE_CHECKING:
    from pitbook.server.settings import Settings

HIDDEN = "[hidden]"

_NAMED = re.compile(
    r"(?i)\b(password|passwd|passphrase|secret|token|code|session|authorization|api[-_]?key|nonce|seed)"
    r"(\"?'?\s*[=:]\s*)(\"[^\"]*\"|'[^']*'|(?:bearer|basic)\s+\S+|[^\s,;&)}\]]+)"
)
_COOKIE = re.compile(r"(?i)\b((?:set-)?cookie\"?'?\s*[=:]\s*)[^\r\n]+")
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}")
_HASH = re.compile(r"\$argon2[a-z]*\$\S+")
_URL = re.compile(r"(\w+://[^/\s:@]*):[^@\s/]+@")
_LONG = re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d|[\w-]{32})[\w-]{20,}(?![\w-])")
"""Long random text such as tokens and link codes. Hexadecimal hashes have no capitals."""

_TOKEN = re.compile(r"\bpitbook_\w+_[0-9a-f]{16,}")
_LINK = re.compile(r"(/(?:links?|sign-in)/)[^/]+")

_encode = msgspec.json.Encoder().encode
_encode_lines = msgspec.json.Encoder().encode_lines

BATCH_SECONDS = 0.05
"""The time over which request lines are collected into one write."""
LEVELS = {"DEBUG": "debug", "INFO": "info", "WARNING": "warning", "ERROR": "error", "CRITICAL": "error"}


def redact(text: str) -> str:
    """Remove secrets of known formats from a text.

    >>> redact("GET /x?token=abc123&page=2"), redact("Cookie: session=a.b.c")
    ('GET /x?token=[hidden]&page=2', 'Cookie: [hidden]')
    """
    text = _COOKIE.sub(rf"\1{HIDDEN}", text)
    text = _NAMED.sub(rf"\1\2{HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    text = _HASH.sub(HIDDEN, text)
    text = _TOKEN.sub(HIDDEN, text)
    text = _URL.sub(rf"\1:{HIDDEN}@", text)
    return _LONG.sub(HIDDEN, text)


def redact_path(path: str) -> str:
    """Remove tokens and link codes from a path, which are long and random or follow `link`."""
    if not path.isprintable():  # line separators and terminal control characters
        path = "".join(sign if sign.isprintable() else "?" for sign in path[:200])
    redacted = _LONG.sub(HIDDEN, path[:200]) if len(path) > 20 else path
    redacted = _TOKEN.sub(HIDDEN, redacted) if "pitbook_" in redacted else redacted
    return _LINK.sub(rf"\1{HIDDEN}", redacted) if "link" in path or "sign-in" in path else redacted


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """Return the fields of a log record, in reading order."""
    fields: dict[str, Any] = {
        "time": _time(record.created),
        "level": LEVELS.get(record.levelname, record.levelname.lower()),
        "message": redact(record.getMessage()),
        "logger": record.name,
    }
    context = request_context.current()
    if context.id:
        fields["request_id"] = context.id
    if record.exc_info and record.exc_info[0] is not None:
        fields["trace"] = redact("".join(traceback.format_exception(*record.exc_info)))
    return fields


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        return _encode(_fields(record)).decode()


class Readable(logging.Formatter):
    """Readable lines for a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        fields = _fields(record)
        number = f" [{fields['request_id']}]" if "request_id" in fields else ""
        trace = f"\n{fields['trace'].rstrip()}" if "trace" in fields else ""
        return f"{fields['time'][11:19]} {fields['level']:7} {fields['message']}{number}{trace}"


class RequestLog:
    """A log line for every request, written in batches.

    It bypasses `logging`, which would take nearly as long as a short request itself; so would single writes.
    """

    def __init__(self) -> None:
        self.on = False
        self._plain = False
        self._handler: logging.StreamHandler[TextIO] | None = None
        self._pending: list[tuple[float, request_context.RequestContext, int, float, str | None]] = []

    def set_up(self, handler: logging.StreamHandler[TextIO], *, plain: bool, on: bool) -> None:
        """Write to the same stream as the other log lines."""
        self._handler, self._plain, self.on = handler, plain, on

    def write(self, context: request_context.RequestContext, status: int, seconds: float, route: str | None) -> None:
        """Add a line for a completed request."""
        if not self._pending:
            asyncio.get_running_loop().call_later(BATCH_SECONDS, self.flush)
        self._pending.append((time(), context, status, seconds, route))

    def flush(self) -> None:
        """Write the collected lines."""
        handler, pending, self._pending = self._handler, self._pending, []
        if handler is None or not pending:
            return
        lines = [_line(*one) for one in pending]
        text = "".join(map(_readable, lines)) if self._plain else _encode_lines(lines).decode()
        handler.acquire()
        try:
            handler.stream.write(text)
            handler.stream.flush()
        except (OSError, ValueError):  # a log that cannot be written must not stop a table
            self.on = False
        finally:
            handler.release()


class RequestLine(msgspec.Struct, omit_defaults=True):
    """The logged fields of a request; never its query, cookies or body."""

    time: str
    level: str
    message: str
    request_id: str
    method: str
    path: str
    route: str | None
    status: int
    milliseconds: float
    address: str
    person: str | None = None


def _line(
    at: float, context: request_context.RequestContext, status: int, seconds: float, route: str | None
) -> RequestLine:
    return RequestLine(
        time=_time(at),
        level="info",
        message="request",
        request_id=context.id,
        method=context.method,
        path=redact_path(context.path),
        route=route,
        status=status,
        milliseconds=int(seconds * 100_000) / 100,
        address=context.address,
        person=context.person,
    )


def _readable(line: RequestLine) -> str:
    person = f" {line.person}" if line.person else ""
    path = ascii(line.path)[1:-1]  # no control characters on a terminal
    return (
        f"{line.time[11:19]} info    {line.status} {line.method} {path} {line.milliseconds} ms{person} "
        f"[{line.request_id}]\n"
    )


REQUESTS = RequestLog()
"""The log of requests of this process."""


def set_up_logs(settings: Settings, stream: TextIO | None = None) -> None:
    """Configure logging to standard error."""
    out = stream or sys.stderr
    plain = settings.log_format == "text" or (settings.log_format == "auto" and out.isatty())
    handler = logging.StreamHandler(out)
    handler.setFormatter(Readable() if plain else JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    for name in ("uvicorn", "uvicorn.error", "asyncio"):
        logging.getLogger(name).setLevel("WARNING")
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.raiseExceptions = False  # a log that cannot be written must not stop a table
    REQUESTS.set_up(handler, plain=plain, on=root.isEnabledFor(logging.INFO))
