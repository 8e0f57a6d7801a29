"""Work to be done in another process, which reads nothing but this: all that a test needs would take it seconds."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event

from pitbook.child_processes import report_progress
from pitbook.errors import InputError
from pitbook.server.http.errors import FieldError, InvalidRequest


def number_of_process() -> bytes:
    return str(os.getpid()).encode()


def answer() -> bytes:
    return b"done"


def wait_at(gate: str) -> bytes:
    """Work that is under way once somebody can open the other end of a named pipe, and ends when that is closed."""
    Path(gate).read_bytes()
    return b"done"


def err(kind: str) -> bytes:
    if kind == "mistake":
        raise InputError("not like this")
    if kind == "places":
        raise InvalidRequest([FieldError("body.a", "one"), FieldError("body.b", "two")])
    raise KeyError(kind)


def vanish() -> bytes:
    os._exit(3)


def sleeps(*_: object) -> None:
    """Report progress at entry 7, and go no further."""
    report_progress((7, "t1"))
    Event().wait()
