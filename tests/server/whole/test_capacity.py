"""A low limit on open files, and someone who takes all that can be had: others are served all the same."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from tests import loopback
from tests.server.whole.clients import Visitor, done
from tests.server.whole.deployment import Deployment
from tests.waiting import until

TABLE = "massachusetts"
FILES = 512
STREAMS = (FILES - 192 - 64) // 2
"""What is left for streams: half of what the house's own files and spare connections leave."""
PER_ADDRESS = 40


@pytest.fixture(scope="module")
def house(make_deployment: Callable[..., Deployment]) -> Iterator[Deployment]:
    """A demo house whose process may open few files."""
    deployment = make_deployment()
    deployment.start(TESTS_OPEN_FILES=str(FILES), PITBOOK_WATCHERS_PER_ADDRESS=str(PER_ADDRESS))
    for name in ("demo-ann", "demo-dealer"):
        deployment.visitor(name)
    yield deployment
    assert deployment.process.stop() == 0
    deployment.audited()


def connected(house: Deployment, address: str = "127.0.0.1") -> socket.socket:
    place = urlsplit(house.process.open_at)
    assert place.hostname
    assert place.port
    return socket.create_connection((place.hostname, place.port), source_address=(address, 0))


def watched(house: Deployment, address: str) -> tuple[socket.socket, int, bytes]:
    """A stream requested by an anonymous visitor from an address: its connection, status and, if refused, the body."""
    stream = connected(house, address)
    host = urlsplit(house.process.open_at).netloc
    stream.sendall(f"GET /api/v1/tables/{TABLE}/stream HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    answer = stream.recv(4096)
    while b" 200 " not in answer[:15] and not answer.endswith(b"}"):
        answer += stream.recv(4096)
    return stream, int(answer.split()[1]), answer


def test_the_start_warns_that_fewer_streams_fit(house: Deployment) -> None:
    warnings = [line["message"] for line in house.process.log_lines if line["level"] == "warning"]
    assert any(f"may open {FILES} files only: at most {STREAMS} streams (not 10000)" in one for one in warnings)


def test_idle_connections_keep_nobody_out(house: Deployment) -> None:
    with ExitStack() as stack:
        for _ in range(FILES + 100):
            stack.enter_context(connected(house))
        assert loopback.get(f"{house.process.open_at}/health").json() == {"status": "alive"}
        with Visitor(house.process.open_at, token=house.visitor("demo-ann").token) as ann:
            done(ann.bets(TABLE, "small=500"))


def test_neither_one_address_nor_many_take_the_streams_of_staff(house: Deployment) -> None:
    with ExitStack() as stack:
        for _ in range(PER_ADDRESS):
            stream, status, _ = watched(house, "127.0.0.2")
            stack.enter_context(stream)
            assert status == 200
        stream, status, answer = watched(house, "127.0.0.2")
        stack.enter_context(stream)
        assert status == 429
        assert b"retry-after: 5" in answer
        assert b"too many streams are open from your address" in answer

        statuses: dict[int, int] = {}
        for number in range(STREAMS):
            stream, status, answer = watched(house, f"127.0.0.{3 + number // PER_ADDRESS}")
            stack.enter_context(stream)
            statuses[status] = statuses.get(status, 0) + 1
        assert statuses == {200: STREAMS - STREAMS // 20 - PER_ADDRESS, 503: STREAMS // 20 + PER_ADDRESS}
        assert b"retry-after: 5" in answer

        with house.visitor("demo-dealer").watch(TABLE) as staff:
            staff.until_kind("head")
        assert loopback.get(f"{house.process.open_at}/health").status_code == 200
        with Visitor(house.process.open_at, token=house.visitor("demo-ann").token) as ann:
            done(ann.bets(TABLE, "small=500"))
    until(lambda: watched_again(house), "room for a stream")


def watched_again(house: Deployment) -> bool:
    """Whether an anonymous visitor gets a stream."""
    stream, status, _ = watched(house, "127.0.0.2")
    stream.close()
    return status == 200
