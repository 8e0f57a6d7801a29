"""Permitted targets of messages: HTTPS to public addresses, or to networks that the settings name."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv6Address, ip_network
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from pitbook.errors import InputError
from pitbook.server.addresses import is_loopback, parse_address

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from ipaddress import IPv4Address

    from pitbook.server.addresses import Network
    from pitbook.server.schemas.webhooks import Reason

SEND_SECONDS = 10.0
"""A receiver that has not answered by then has failed."""
NAT64 = ip_network("64:ff9b::/96")


class NotDelivered(Exception):
    """A message was not accepted; the text says why, without anything that the receiver sent."""

    def __init__(self, reason: Reason, text: str, status: int | None = None) -> None:
        super().__init__(text)
        self.reason: Reason = reason
        self.status = status


class Target(NamedTuple):
    """The parts of a webhook's address."""

    scheme: str
    host: str
    port: int
    path: str


def parse_target(url: str) -> Target:
    """Return the parts of an address; raise `InputError` with the right form."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise InputError("requests.webhook-address") from None
    plain = url.isascii() and url.isprintable() and " " not in url and not parts.fragment
    if parts.scheme not in ("https", "http") or not parts.hostname or not plain:
        raise InputError("requests.webhook-address")
    if "@" in parts.netloc:
        raise InputError("requests.webhook-credentials")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise InputError("requests.webhook-https")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80), path)


def is_allowed(address: str, networks: Sequence[Network]) -> bool:
    """Return whether messages may be sent to an IP address.

    >>> [is_allowed(one, ()) for one in ("93.184.215.14", "127.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "2002::")]
    [True, False, False, False, False]
    >>> is_allowed("10.0.0.1", (ip_network("10.0.0.0/8"),))
    True
    """
    found = parse_address(address.partition("%")[0])
    if found is None:
        return False
    if any(found in network for network in networks):
        return True
    return found.is_global and not found.is_multicast and not _wraps_another(found)


def _wraps_another(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an IPv6 address leads to an IPv4 address, which may be a private one."""
    if not isinstance(address, IPv6Address):
        return False
    return address.sixtofour is not None or address.teredo is not None or address in NAT64


class Sender:
    """Sends messages to one target, one at a time. Redirects are not followed, and no proxy is used."""

    def __init__(
        self,
        url: str,
        networks: Sequence[Network],
        *,
        seconds: float = SEND_SECONDS,
        resolve: Callable[..., Sequence[Any]] = socket.getaddrinfo,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._target = parse_target(url)
        self._networks = networks
        self._seconds = seconds
        self._resolve = resolve
        self._tls = tls
        self._lock = Lock()
        self._socket: socket.socket | None = None
        self._closed = False

    def send(self, headers: Mapping[str, str], body: bytes) -> int:
        """Post a message and return the status of the response; raise `NotDelivered` unless it is accepted in time."""
        watchdog = Timer(self._seconds, self._abort)
        watchdog.daemon = True
        watchdog.start()
        try:
            status = self._post(headers, body)
        except (OSError, HTTPException, UnicodeError) as error:
            raise _not_delivered(error) from None
        finally:
            watchdog.cancel()
            self._abort()
        if 300 <= status < 400:
            raise NotDelivered("redirected", f"it answered {status}; redirects are not followed", status)
        if not 200 <= status < 300:
            raise NotDelivered("refused", f"it answered {status}", status)
        return status

    def close(self) -> None:
        """End what is being sent; nothing more is sent."""
        self._closed = True
        self._abort()

    def _post(self, headers: Mapping[str, str], body: bytes) -> int:
        scheme, host, port, path = self._target
        kind = HTTPSConnection if scheme == "https" else HTTPConnection
        connection = kind(host, port)
        connection.sock = self._connect()  # to the address that was checked, not to a second look-up's
        try:
            connection.request("POST", path, body, {**headers, "Content-Type": "application/json"})
            return connection.getresponse().status
        finally:
            connection.close()

    def _connect(self) -> socket.socket:
        scheme, host, port, _ = self._target
        found = [str(one[4][0]) for one in self._resolve(host, port, type=socket.SOCK_STREAM)]
        refused = [address for address in found if not is_allowed(address, self._networks)]
        if refused or not found:
            where = refused[0] if refused else "nowhere"
            raise NotDelivered("forbidden", f"{host} is {where}: webhook_networks does not name it")
        if scheme == "http" and not all(map(is_loopback, found)):
            raise NotDelivered("forbidden", f"{host} is not this machine; use https")
        connected = socket.create_connection((found[0], port), timeout=self._seconds)
        self._keep(connected)
        if scheme == "https":
            context = self._tls or ssl.create_default_context()
            connected = context.wrap_socket(connected, server_hostname=host)
            self._keep(connected)
        return connected

    def _keep(self, connected: socket.socket) -> None:
        with self._lock:
            self._socket = connected
        if self._closed:
            self._abort()

    def _abort(self) -> None:
        with self._lock:
            connection, self._socket = self._socket, None
        if connection is not None:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()


def _not_delivered(error: Exception) -> NotDelivered:
    """Return why sending failed, without anything that a receiver could have chosen."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return NotDelivered("certificate", f"its certificate is not accepted: {error.verify_message}")
    if isinstance(error, TimeoutError):
        return NotDelivered("timeout", "it did not answer in time")
    if isinstance(error, socket.gaierror):
        return NotDelivered("unknown-name", "its name is not known")
    if isinstance(error, ConnectionRefusedError):
        return NotDelivered("not-listening", "nothing listens there")
    return NotDelivered("connection", f"the connection failed ({type(error).__name__})")
