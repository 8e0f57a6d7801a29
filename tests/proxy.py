"""A proxy for PostgreSQL that can cut connections off: nothing passes any more, and neither side notices."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, Thread
from urllib.parse import urlsplit, urlunsplit

from psycopg.conninfo import conninfo_to_dict


class Proxy:
    """Listens on the loopback; `url` leads through it to the database of another URL."""

    def __init__(self, url: str) -> None:
        parts = {key: str(value) for key, value in conninfo_to_dict(url).items()}
        self._host, self._port = parts["host"], int(parts.get("port", "5432"))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = Lock()
        self._freezes_new = False
        self._pairs: dict[tuple[socket.socket, socket.socket], set[socket.socket]] = {}
        """The two sides of each connection, and those that are heard no more."""
        place = urlsplit(url)
        who = place.netloc.rpartition("@")[0]
        host, port = self.address = self._listener.getsockname()
        query = "&".join(part for part in place.query.split("&") if not part.startswith("host="))
        self.url = urlunsplit(place._replace(netloc=f"{who}@{host}:{port}", query=query))
        self._accepting = Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def freeze(self, *, answers_only: bool = False, also_new: bool = False) -> None:
        """Drop whatever comes on the connections that are open now (or only what the server says on them).

        With `also_new`, connections that are made until `thaw` are dumb as well.
        """
        with self._lock:
            self._freezes_new = also_new
            for (client, server), unheard in self._pairs.items():
                unheard |= {server} if answers_only else {client, server}

    def thaw(self) -> None:
        """Let whatever comes on new connections pass again."""
        self._freezes_new = False

    def close(self) -> None:
        with suppress(OSError):  # only some systems need this to wake a thread that accepts
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join()
        for side in (side for pair in self._pairs for side in pair):
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
            side.close()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listener.accept()
                with client:
                    server = self._reach()
                    pair = client.dup(), server
                with self._lock:
                    self._pairs[pair] = set(pair) if self._freezes_new else set()
                for source, target in (pair, pair[::-1]):
                    Thread(target=self._pump, args=(pair, source, target), daemon=True).start()

    def _reach(self) -> socket.socket:
        if not self._host.startswith("/"):
            return socket.create_connection((self._host, self._port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{self._host}/.s.PGSQL.{self._port}")
        return server

    def _pump(self, pair: tuple[socket.socket, socket.socket], source: socket.socket, target: socket.socket) -> None:
        data = b"first"
        with suppress(OSError):
            while data:
                data = source.recv(65_536)
                with self._lock:
                    if source not in self._pairs[pair]:
                        target.sendall(data) if data else target.shutdown(socket.SHUT_WR)


@contextmanager
def before(url: str) -> Iterator[Proxy]:
    """A proxy before the database of a URL."""
    proxy = Proxy(url)
    try:
        yield proxy
    finally:
        proxy.close()
