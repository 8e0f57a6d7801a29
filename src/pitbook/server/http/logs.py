"""Structured logs: one JSON object per line, or readable text on a terminal; and no secret in either."""

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
"""What is long and looks random, as tokens and link codes do. Hashes, in hexadecimal, have no capitals."""

_TOKEN = re.compile(r"\bpitbook_\w+_[0-9a-f]{16,}")
_LINK = re.compile(r"(/(?:links?|sign-in)/)[^/]+")

_encode = msgspec.json.Encoder().encode
_encode_lines = msgspec.json.Encoder().encode_lines

TOGETHER = 0.05
"""Seconds for which lines about requests wait for each other."""
LEVELS = {"DEBUG": "debug", "INFO": "info", "WARNING": "warning", "ERROR": "error", "CRITICAL": "error"}


def redacted(text: str) -> str:
    """A text without the secrets whose shape is known.

    >>> redacted("GET /x?token=abc123&page=2"), redacted("Cookie: session=a.b.c")
    ('GET /x?token=[hidden]&page=2', 'Cookie: [hidden]')
    """
    text = _COOKIE.sub(rf"\1{HIDDEN}", text)
    text = _NAMED.sub(rf"\1\2{HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    text = _HASH.sub(HIDDEN, text)
    text = _TOKEN.sub(HIDDEN, text)
    text = _URL.sub(rf"\1:{HIDDEN}@", text)
    return _LONG.sub(HIDDEN, text)


def redacted_path(path: str) -> str:
    """A path as it may be logged: tokens and link codes are long and random, or follow `link`."""
    if not path.isprintable():  # what ends a line for some readers, or commands a terminal
        path = "".join(sign if sign.isprintable() else "?" for sign in path[:200])
    shown = _LONG.sub(HIDDEN, path[:200]) if len(path) > 20 else path
    shown = _TOKEN.sub(HIDDEN, shown) if "pitbook_" in shown else shown
    return _LINK.sub(rf"\1{HIDDEN}", shown) if "link" in path or "sign-in" in path else shown


def _told(record: logging.LogRecord) -> dict[str, Any]:
    """What a record says, in the order in which people read."""
    told: dict[str, Any] = {
        "time": _time(record.created),
        "level": LEVELS.get(record.levelname, record.levelname.lower()),
        "message": redacted(record.getMessage()),
        "logger": record.name,
    }
    visit = request_context.current()
    if visit.id:
        told["request_id"] = visit.id
    if record.exc_info and record.exc_info[0] is not None:
        told["trace"] = redacted("".join(traceback.format_exception(*record.exc_info)))
    return told


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        return _encode(_told(record)).decode()


class Readable(logging.Formatter):
    """For a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        told = _told(record)
        number = f" [{told['request_id']}]" if "request_id" in told else ""
        trace = f"\n{told['trace'].rstrip()}" if "trace" in told else ""
        return f"{told['time'][11:19]} {told['level']:7} {told['message']}{number}{trace}"


class RequestLog:
    """A line for every request, written together with those of the next moment.

    Past `logging`, and not one by one: either would take nearly as long as a short request itself.
    """

    def __init__(self) -> None:
        self.on = False
        self._plain = False
        self._handler: logging.StreamHandler[TextIO] | None = None
        self._waiting: list[tuple[float, request_context.RequestContext, int, float, str | None]] = []

    def set_up(self, handler: logging.StreamHandler[TextIO], *, plain: bool, on: bool) -> None:
        """Write where the other lines are written."""
        self._handler, self._plain, self.on = handler, plain, on

    def write(self, visit: request_context.RequestContext, status: int, seconds: float, route: str | None) -> None:
        """One line for a request that was answered."""
        if not self._waiting:
            asyncio.get_running_loop().call_later(TOGETHER, self.flush)
        self._waiting.append((time(), visit, status, seconds, route))

    def flush(self) -> None:
        """Write what waits."""
        handler, waiting, self._waiting = self._handler, self._waiting, []
        if handler is None or not waiting:
            return
        lines = [_line(*one) for one in waiting]
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
    """What is logged about a request: never its query, its cookies or its body."""

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
    at: float, visit: request_context.RequestContext, status: int, seconds: float, route: str | None
) -> RequestLine:
    return RequestLine(
        time=_time(at),
        level="info",
        message="request",
        request_id=visit.id,
        method=visit.method,
        path=redacted_path(visit.path),
        route=route,
        status=status,
        milliseconds=int(seconds * 100_000) / 100,
        address=visit.address,
        person=visit.person,
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
    """Have everything logged to standard error, as the settings say."""
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
