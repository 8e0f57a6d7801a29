"""HTTP clients for servers that tests start: patient on a busy machine, and without certificates to read."""

from __future__ import annotations

from typing import Any

import httpx

from tests.waiting import HANG


def client(base_url: str = "", **more: Any) -> httpx.Client:
    """Return a client that waits until a server counts as hung."""
    return httpx.Client(base_url=base_url, verify=False, timeout=HANG, **more)


def async_client(base_url: str = "", **more: Any) -> httpx.AsyncClient:
    """Return an asynchronous client that waits until a server counts as hung."""
    return httpx.AsyncClient(base_url=base_url, verify=False, timeout=HANG, **more)


def get(url: str, **more: Any) -> httpx.Response:
    """Get a page over its own connection."""
    with client() as one:
        return one.get(url, **more)


def post(url: str, **more: Any) -> httpx.Response:
    """Post to a page over its own connection."""
    with client() as one:
        return one.post(url, **more)
