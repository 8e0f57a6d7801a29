"""Jobs for worker processes. They import only this module, since importing the tests would take seconds."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event
from typing import Any

from pitbook.child_processes import report_progress
from pitbook.errors import InputError
from pitbook.server.http.errors import FieldError, InvalidRequest, detail

Memory = dict[str, Any]


def number_of_process(_memory: Memory) -> bytes:
    return str(os.getpid()).encode()


def count_calls(memory: Memory) -> bytes:
    memory["calls"] = memory.get("calls", 0) + 1
    return str(memory["calls"]).encode()


def answer(_memory: Memory) -> bytes:
    return b"done"


def wait_at(_memory: Memory, gate: str) -> bytes:
    """Work that is in progress once someone can open the other end of a named pipe, and ends when that is closed."""
    Path(gate).read_bytes()
    return b"done"


def spin(_memory: Memory) -> bytes:
    """Use the processor forever."""
    while True:
        pass


def err(_memory: Memory, kind: str) -> bytes:
    if kind == "mistake":
        raise InputError("common.text", text="not like this")
    if kind == "places":
        raise InvalidRequest(
            [FieldError("body.a", detail("field.missing")), FieldError("body.b", detail("field.date"))]
        )
    raise KeyError(kind)


def vanish(_memory: Memory) -> bytes:
    os._exit(3)


def sleeps(*_: object) -> None:
    """Report progress at entry 7, then block."""
    report_progress((7, "t1"))
    Event().wait()
