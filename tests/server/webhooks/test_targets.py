"""Where webhooks may go, and what happens to a message on its way."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from pitbook.people.decide.webhooks import TOPICS
from pitbook.server.addresses import LOOPBACK
from pitbook.server.webhooks.messages import KINDS
from pitbook.server.webhooks.targets import NotDelivered, Sender, is_allowed, parse_target
from tests.server.webhooks.receiver import Receiver

HEADERS = {"webhook-id": "msg_1"}


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as one:
        yield one


def test_the_topics_that_a_manager_may_choose_are_those_that_are_sent() -> None:
    assert set(TOPICS) == set(KINDS)


def test_an_address_has_its_default_port_and_keeps_its_query() -> None:
    assert parse_target("https://cage.example") == ("https", "cage.example", 443, "/")
    assert parse_target("http://localhost/a?b=c") == ("http", "localhost", 80, "/a?b=c")
    assert parse_target("https://[2606:4700::1]:8443/x")[1:3] == ("2606:4700::1", 8443)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://cage.example/", "use https"),
        ("ftp://cage.example/", "write an address"),
        ("cage.example", "write an address"),
        ("https://", "write an address"),
        ("https://cage.example:port/", "write an address"),
        ("https://cage.example/ two", "write an address"),
        ("https://cage.example/\r\nX: y", "write an address"),
        ("https://käse.example/", "write an address"),
        ("https://cage.example/#part", "write an address"),
        ("https://me:secret@cage.example/", "leave out the name and password"),
    ],
)
def test_other_addresses_are_refused(url: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_target(url)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::a00:1", "2002:a00:1::", "2001:0:0:1::1", "not an address",
    ],
)  # fmt: skip
def test_private_and_special_addresses_are_not_sent_to(address: str) -> None:
    assert not is_allowed(address, ())


def test_public_addresses_and_named_networks_are_sent_to() -> None:
    assert is_allowed("93.184.215.14", ())
    assert is_allowed("2606:4700::1", ())
    assert is_allowed("::ffff:10.0.0.1", (ip_network("10.0.0.0/8"),))
    assert not is_allowed("192.168.0.1", (ip_network("10.0.0.0/8"),))


def test_a_message_is_posted_as_it_is(receiver: Receiver) -> None:
    Sender(receiver.url + "?a=b", LOOPBACK).send(HEADERS, b'{"a":1}')
    (came,) = receiver.received
    assert came.body == b'{"a":1}'
    assert came.headers["webhook-id"] == "msg_1"
    assert came.headers["content-type"] == "application/json"
    assert came.headers["host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_anything_but_a_2xx_is_a_failure(receiver: Receiver, status: int) -> None:
    receiver.status = status
    with pytest.raises(NotDelivered, match=str(status)):
        Sender(receiver.url, LOOPBACK).send(HEADERS, b"{}")


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    with Receiver() as other:
        receiver.status, receiver.location = 307, other.url
        with pytest.raises(NotDelivered, match="redirects are not followed"):
            Sender(receiver.url, LOOPBACK).send(HEADERS, b"{}")
        assert not other.received


def test_a_name_that_leads_to_a_private_address_is_not_connected_to(receiver: Receiver) -> None:
    def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", ("127.0.0.1", receiver.port))]

    with pytest.raises(NotDelivered, match=r"127\.0\.0\.1: webhook_networks does not name it"):
        Sender(f"https://rebound.example:{receiver.port}/", (), resolve=resolve).send(HEADERS, b"{}")
    with pytest.raises(NotDelivered, match="webhook_networks"):
        Sender(receiver.url, ()).send(HEADERS, b"{}")
    assert not receiver.received


def test_http_is_for_this_machine_even_if_localhost_is_elsewhere() -> None:
    def resolve(*_: Any, **__: Any) -> list[Any]:
        return [(0, 0, 0, "", ("93.184.215.14", 80))]

    with pytest.raises(NotDelivered, match="not this machine"):
        Sender("http://localhost/", (), resolve=resolve).send(HEADERS, b"{}")


def test_a_receiver_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(NotDelivered):
            Sender(url, LOOPBACK, seconds=0.05).send(HEADERS, b"{}")


def test_a_receiver_that_dribbles_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as slow:

        def dribble() -> None:
            connection, _ = slow.accept()
            with connection:
                connection.settimeout(0.01)
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                while True:
                    try:
                        connection.sendall(b"X: y\r\n" * 2)
                        if connection.recv(1) == b"":
                            return
                    except TimeoutError:
                        pass
                    except OSError:
                        return

        thread = Thread(target=dribble, daemon=True)
        thread.start()
        with pytest.raises(NotDelivered):
            Sender(f"http://127.0.0.1:{slow.getsockname()[1]}/", LOOPBACK, seconds=0.2).send(HEADERS, b"{}")
        thread.join(10)


def test_a_closed_sender_ends_what_is_under_way() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        sender = Sender(f"http://127.0.0.1:{silent.getsockname()[1]}/", LOOPBACK, seconds=600)

        def close() -> None:
            connection, _ = silent.accept()
            with connection:
                connection.recv(1)
                sender.close()

        thread = Thread(target=close, daemon=True)
        thread.start()
        with pytest.raises(NotDelivered):
            sender.send(HEADERS, b"{}")
        thread.join(10)


def certificate(folder: Path) -> Path:
    """A certificate of 127.0.0.1 and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "receiver")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "receiver.pem"
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return path


def test_only_a_receiver_with_a_certificate_that_is_accepted_gets_messages(tmp_path: Path) -> None:
    path = certificate(tmp_path)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    with Receiver(tls=server) as receiver:
        with pytest.raises(NotDelivered, match="its certificate is not accepted"):
            Sender(receiver.url, LOOPBACK).send(HEADERS, b"{}")
        assert not receiver.received
        Sender(receiver.url, LOOPBACK, tls=ssl.create_default_context(cafile=path)).send(HEADERS, b"{}")
        assert [one.body for one in receiver.received] == [b"{}"]


def test_a_receiver_that_does_not_speak_tls_gets_nothing(receiver: Receiver) -> None:
    with pytest.raises(NotDelivered, match="connection failed"):
        Sender(f"https://127.0.0.1:{receiver.port}/", LOOPBACK).send(HEADERS, b"{}")
    assert not receiver.received
