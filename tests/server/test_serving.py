"""A real `pitbook serve`: it starts, says where, stops in order, and says in one sentence why it cannot start."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from tests import loopback
from tests.server.conftest import ServerProcess
from tests.waiting import HANG

Start = Callable[..., ServerProcess]
LONG = "600"
"""Seconds to wait for what is in progress at a stop: no test does, where nothing is."""
"""Seconds that a stop waits for what is in progress, unless told otherwise."""


def sentence(ended: tuple[int, str]) -> str:
    """What a server said that could not start: one line, and exit code 2."""
    code, output = ended
    assert code == 2, output
    assert "Traceback" not in output
    lines = output.splitlines()
    assert len(lines) == 1, output
    return lines[0]


@pytest.mark.thorough
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_starts_answers_and_stops_with_exit_code_0(start_server: Start, tmp_path: Path, how: int) -> None:
    journal = tmp_path / "pit.db"
    alone = how == signal.SIGTERM  # one start as people start it is enough
    server = start_server("--db", str(journal), alone=alone, PITBOOK_SHUTDOWN=LONG)
    address = server.address()
    assert address.startswith("http://127.0.0.1:")
    assert loopback.get(f"{address}/health").json() == {"status": "alive"}
    assert loopback.get(f"{address}/ready").status_code == 200
    assert server.stop(how) == 0
    assert not Path(f"{journal}-wal").exists()
    for line in server.log.read_text(encoding="utf-8").splitlines():
        assert json.loads(line)["level"] == "info"


def test_without_a_journal_it_makes_one_in_the_data_folder(start_server: Start, tmp_path: Path) -> None:
    server = start_server(PITBOOK_DATA=str(tmp_path / "own" / "var"))
    server.address()
    assert (tmp_path / "own" / "var" / "pitbook.db").exists()
    assert server.stop() == 0


def test_a_port_in_use_is_one_sentence(start_server: Start, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        output = sentence(start_server("--db", str(tmp_path / "pit.db"), port=port).ended())
    assert f"port {port} of 127.0.0.1 is in use" in output


def test_a_journal_that_another_process_writes_is_one_sentence(start_server: Start, tmp_path: Path) -> None:
    journal = str(tmp_path / "pit.db")
    first = start_server("--db", journal)
    first.address()
    assert "another process" in sentence(start_server("--db", journal).ended())
    assert first.stop() == 0


def test_a_folder_that_cannot_be_written_is_one_sentence(start_server: Start) -> None:
    assert "a journal needs a folder that can be written to" in sentence(start_server("--db", "/proc/pit.db").ended())
    assert "cannot create the folder" in sentence(start_server(PITBOOK_DATA="/proc/var").ended())


def test_a_database_of_another_version_is_one_sentence(start_server: Start, tmp_path: Path) -> None:
    server = start_server("--db", str(tmp_path / "pit.db"))
    server.address()
    server.stop()
    connection = apsw.Connection(str(tmp_path / "pit.db"))
    connection.pragma("user_version", 999)
    connection.close()
    assert "999" in sentence(start_server("--db", str(tmp_path / "pit.db")).ended())


def test_a_database_that_does_not_answer_is_one_sentence_without_its_password(start_server: Start) -> None:
    output = sentence(start_server("--db", "postgresql://ann:hunter2@127.0.0.1:1/pit").ended())
    assert "hunter2" not in output


def test_an_invalid_certificate_is_reported_in_one_sentence(start_server: Start, tmp_path: Path) -> None:
    (tmp_path / "x.pem").write_text("no certificate", encoding="utf-8")
    file = str(tmp_path / "x.pem")
    journal = str(tmp_path / "pit.db")
    server = start_server("--db", journal, "--tls-certificate", file, "--tls-key", file)
    assert "the certificate or its key cannot be used" in sentence(server.ended())


def test_others_are_not_listened_to_without_tls(start_server: Start) -> None:
    assert "could eavesdrop" in sentence(start_server("--host", "0.0.0.0").ended())


@pytest.mark.thorough
def test_a_head_that_does_not_arrive_in_time_is_given_up(start_server: Start, tmp_path: Path) -> None:
    server = start_server("--db", str(tmp_path / "pit.db"), PITBOOK_BODY_SECONDS="0.5")
    host, _, port = server.address().removeprefix("http://").partition(":")
    for begun in (b"", b"GET /health HTTP/1.1\r\nHost: localhost\r\n"):
        with socket.create_connection((host, int(port)), timeout=HANG) as slow:
            slow.sendall(begun)
            assert slow.recv(100) == b""
    assert server.stop() == 0


def test_a_head_that_never_ends_is_refused(start_server: Start, tmp_path: Path) -> None:
    server = start_server("--db", str(tmp_path / "pit.db"))
    host, _, port = server.address().removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=HANG) as endless:
        endless.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
        received = b""
        try:
            for _ in range(100):
                endless.sendall(b"X-Filler: " + b"a" * 8_000 + b"\r\n")
            received = endless.recv(100)
        except (BrokenPipeError, ConnectionResetError):
            received = b"HTTP/1.1 400"
    assert received.startswith(b"HTTP/1.1 400")
    assert server.stop() == 0


def test_an_open_connection_does_not_keep_it_from_stopping(start_server: Start, tmp_path: Path) -> None:
    server = start_server("--db", str(tmp_path / "pit.db"), PITBOOK_SHUTDOWN=LONG)
    address = server.address()
    with loopback.client() as client:
        assert client.get(f"{address}/health").status_code == 200
        assert server.stop() == 0
