"""Request headers, and whether a request comes from a page of this server (CSRF)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(slots=True)
class RequestHeaders:
    """The headers of a request that identify the caller."""

    host: bytes = b""
    origin: bytes = b""
    site: bytes = b""
    """Sec-Fetch-Site, which no page can forge."""
    csrf: bytes = b""
    authorization: bytes = b""
    cookie: bytes = b""
    agent: bytes = b""

    def is_same_origin(self, scheme: str, origins: Collection[str]) -> bool:
        """Return whether a request comes from one of our pages, or from no page at all."""
        origin = self.origin.decode("latin-1").lower()
        if origin and origin in origins:
            return True
        if self.site:
            return self.site in (b"same-origin", b"none")
        return not origin or origin == f"{scheme}://{self.host.decode('latin-1')}".lower()


def parse_headers(headers: Iterable[tuple[bytes, bytes]]) -> RequestHeaders:
    """Return the relevant headers in one pass."""
    found = RequestHeaders()
    for name, value in headers:
        match name:
            case b"cookie":
                found.cookie = found.cookie + b"; " + value if found.cookie else value
            case b"authorization":
                found.authorization = b"bearer " if found.authorization else value  # two of them are never valid
            case b"origin":
                found.origin = value
            case b"sec-fetch-site":
                found.site = value
            case b"x-csrf-token":
                found.csrf = value
            case b"host":
                found.host = value
            case b"user-agent":
                found.agent = value
    return found


def find_cookie(header: bytes, name: bytes) -> str | None:
    """Return a cookie's value, or None if it is missing or there are two that differ.

    >>> find_cookie(b"a=1; pitbook=x; b=2", b"pitbook"), find_cookie(b"pitbook=x; pitbook=y", b"pitbook")
    ('x', None)
    """
    if name not in header:
        return None
    found = {
        value.strip() for key, _, value in (part.partition(b"=") for part in header.split(b";")) if key.strip() == name
    }
    return found.pop().decode("latin-1") if len(found) == 1 else None
