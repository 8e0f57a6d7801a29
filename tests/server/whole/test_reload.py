"""SIGHUP: certificate, books and log level are read again; what cannot be used is logged, and the old stays."""

from __future__ import annotations

import signal
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.server.books.conftest import HARBOUR
from tests.server.conftest import ServerProcess
from tests.waiting import HANG, until


def write_certificate(folder: Path, name: str) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / "chain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, private, serialization.NoEncryption())
    )


def presented(address: str) -> str:
    """Return the name in the certificate that a server presents."""
    parts = urlsplit(address)
    assert parts.hostname is not None
    assert parts.port is not None
    pem = ssl.get_server_certificate((parts.hostname, parts.port), timeout=HANG)
    found = x509.load_pem_x509_certificate(pem.encode()).subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(found[0].value)


def reload(server: ServerProcess) -> None:
    """Send SIGHUP and wait until the server has reported what it did."""
    before = server.log.read_text(encoding="utf-8").count("reloaded")
    server.process.send_signal(signal.SIGHUP)
    until(lambda: server.log.read_text(encoding="utf-8").count("reloaded") > before, "the reload")


def books(address: str) -> set[str]:
    with httpx.Client(verify=False, timeout=HANG) as client:
        return {book["book"] for book in client.get(f"{address}/api/v1/books").json()["books"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "books").mkdir()
    write_certificate(tmp_path, "first.example")
    return tmp_path


@pytest.fixture
def serving(folder: Path, start_server: Callable[..., ServerProcess]) -> ServerProcess:
    certificate = ["--tls-certificate", str(folder / "chain.pem"), "--tls-key", str(folder / "key.pem")]
    (folder / "house.toml").write_text('log_level = "info"\n', encoding="utf-8")
    config = ["--config", str(folder / "house.toml")]
    return start_server("--books", str(folder / "books"), *certificate, *config)


def test_a_renewed_certificate_is_presented_after_a_reload(serving: ServerProcess, folder: Path) -> None:
    address = serving.address()
    assert presented(address) == "first.example"
    write_certificate(folder, "second.example")
    reload(serving)
    assert presented(address) == "second.example"
    (folder / "key.pem").write_text("not a key", encoding="utf-8")
    reload(serving)
    assert presented(address) == "second.example"
    assert "the old one stays in use" in serving.log.read_text(encoding="utf-8")
    assert serving.stop() == 0


def test_a_new_book_is_offered_after_a_reload_and_a_wrong_one_named(serving: ServerProcess, folder: Path) -> None:
    address = serving.address()
    assert "our-house" not in books(address)
    (folder / "books" / "our-house.toml").write_text(HARBOUR.replace("harbour-sic-bo", "our-house"), encoding="utf-8")
    reload(serving)
    assert "our-house" in books(address)
    (folder / "books" / "wrong.toml").write_text("[book]\nid = 3\n", encoding="utf-8")
    reload(serving)
    assert "wrong.toml" in serving.log.read_text(encoding="utf-8")
    assert "our-house" in books(address)


def test_settings_that_hold_from_the_next_start_are_named(serving: ServerProcess, folder: Path) -> None:
    serving.address()
    (folder / "house.toml").write_text('log_level = "debug"\nbet_rate = 5\n', encoding="utf-8")
    reload(serving)
    text = serving.log.read_text(encoding="utf-8")
    assert "these settings changed and apply from the next start: bet_rate" in text
    (folder / "house.toml").write_text("bet_rate = true\n", encoding="utf-8")
    serving.process.send_signal(signal.SIGHUP)
    until(lambda: "not reloaded" in serving.log.read_text(encoding="utf-8"), "the refusal")
    assert serving.stop() == 0
