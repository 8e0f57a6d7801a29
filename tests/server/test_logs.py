"""Logs: one object per line, with the request's id, and no secret in it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from litestar import get
from litestar.params import FromPath

from pitbook.server.http import request_context
from pitbook.server.http.logs import HIDDEN, REQUESTS, redact, redact_path, set_up_logs
from pitbook.server.settings import Settings
from tests.server.conftest import HouseApp

SECRETS = [
    "password=hunter2",
    'password: "correct horse"',
    "Authorization: Bearer abcdefgh.12345678",
    "Bearer pb_abcdefgh12345678",
    "Cookie: session=hunter2; other=hunter2",
    "GET /sign-in?code=hunter2&next=/",
    "token='hunter2'",
    '{"password": "hunter2"}',
    "postgresql://ann:hunter2@db.example/pit",
    "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA",
    "pitbook_0a1b2c3d_" + "12345678" * 8,
    "link kJ8sQ2vXz0LmN4pR7tYw",
]


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged, as JSON."""
    root = logging.getLogger()
    before = root.handlers[:], root.level, logging.raiseExceptions, logging.logThreads, logging.logProcesses
    quiet = {name: logging.getLogger(name).level for name in ("uvicorn", "uvicorn.error", "asyncio")}
    stream = io.StringIO()
    set_up_logs(Settings(log_format="json"), stream)
    yield stream
    root.handlers[:] = before[0]
    root.setLevel(before[1])
    logging.raiseExceptions, logging.logThreads, logging.logProcesses = before[2:]
    logging.logMultiprocessing = True
    REQUESTS.on = False
    for name, level in quiet.items():
        logging.getLogger(name).setLevel(level)


def read(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@pytest.mark.parametrize("text", SECRETS)
def test_a_secret_whose_shape_is_known_is_hidden(text: str) -> None:
    displayed = redact(f"before {text} after")
    assert HIDDEN in displayed
    for secret in ("hunter2", "correct horse", "12345678", "aGFzaA", "kJ8sQ2vXz0"):
        assert secret not in displayed
    assert displayed.startswith("before ")


@pytest.mark.parametrize(
    "text",
    [
        "table t1 opened at 2026-11-15T23:07:01.123456+00:00",
        "head " + "0a" * 32,
        "massachusetts-sic-bo-2024-edition",
        "",
    ],
)
def test_what_is_not_a_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_link_codes_are_hidden_in_paths() -> None:
    assert "kJ8sQ2" not in redact_path("/sign-in/kJ8sQ2")
    assert "abc" not in redact_path("/links/abc")
    assert redact_path("/api/v1/tables/t1") == "/api/v1/tables/t1"


@get("/tables/{name:str}")
async def table(name: FromPath[str]) -> str:
    request_context.current().person = "ann"
    logging.getLogger("pitbook.test").warning("looked at %s with password=%s", name, "hunter2")
    return name


@pytest.mark.anyio
async def test_a_request_is_one_line_without_its_query_or_cookies(house_app: HouseApp, lines: io.StringIO) -> None:
    async with house_app.client(table) as client:
        headers = {"cookie": "pitbook-session=hunter2", "authorization": "Bearer hunter2-hunter2"}
        response = await client.get("/tables/t1?secret=hunter2", headers=headers)
        assert response.status_code == 400
        response = await client.get("/tables/t1", headers=headers)
    REQUESTS.flush()
    warned, refused, request = (line for line in read(lines) if line.get("logger") != "httpx")
    assert "hunter2" not in lines.getvalue()
    assert refused["status"] == 400
    assert warned["request_id"] == request["request_id"] == response.headers["x-request-id"]
    assert request["message"] == "request"
    assert (request["method"], request["path"], request["route"]) == ("GET", "/tables/t1", "/tables/{name}")
    assert (request["status"], request["person"], request["level"]) == (200, "ann", "info")
    assert request["milliseconds"] >= 0
    assert warned["level"] == "warning"


def test_a_trace_is_logged_on_one_line_and_without_secrets(lines: io.StringIO) -> None:
    try:
        raise RuntimeError("token=hunter2")
    except RuntimeError:
        logging.getLogger("pitbook.test").exception("it failed")
    (data,) = read(lines)
    assert "RuntimeError" in data["trace"]
    assert "hunter2" not in data["trace"]


def test_a_line_break_cannot_forge_a_line(lines: io.StringIO) -> None:
    logging.getLogger("pitbook.test").warning('name\n{"level":"error"}')
    assert len(read(lines)) == 1
