"""A cache of encoded responses with ETags, computed once for identical requests."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from litestar import Request, Response
from litestar.status_codes import HTTP_200_OK, HTTP_304_NOT_MODIFIED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Mapping

BYTES_MAX = 48_000_000
PAGES_MAX = 2_000
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """An encoded response."""

    content: bytes
    etag: str
    media_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


class ResponseCache:
    """The most recently used responses up to a total size; concurrent requests share one computation."""

    def __init__(self, bytes_max: int = BYTES_MAX) -> None:
        self.bytes_max = bytes_max
        self.bytes = 0
        self._responses: OrderedDict[Hashable, CachedResponse] = OrderedDict()
        self._computing: dict[Hashable, asyncio.Task[CachedResponse]] = {}

    def get(self, key: Hashable) -> CachedResponse | None:
        """Return a cached response, or None."""
        cached = self._responses.get(key)
        if cached is not None:
            self._responses.move_to_end(key)
        return cached

    async def find(self, key: Hashable, make: Callable[[], Awaitable[CachedResponse]]) -> CachedResponse:
        """Return a cached response, or compute it; a cancelled caller does not cancel it for the others."""
        cached = self.get(key)
        if cached is not None:
            return cached
        task = self._computing.get(key)
        if task is None or task.get_loop() is not asyncio.get_running_loop():
            task = asyncio.ensure_future(self._compute(key, make))
            self._computing[key] = task
            task.add_done_callback(lambda done: self._finished(key, done))
        return await asyncio.shield(task)

    async def _compute(self, key: Hashable, make: Callable[[], Awaitable[CachedResponse]]) -> CachedResponse:
        cached = await make()
        self._store(key, cached)
        return cached

    def _finished(self, key: Hashable, done: asyncio.Task[CachedResponse]) -> None:
        if self._computing.get(key) is done:
            del self._computing[key]
        if not done.cancelled():
            done.exception()  # retrieved, in case nobody waits for it

    def _store(self, key: Hashable, cached: CachedResponse) -> None:
        old = self._responses.pop(key, None)
        self.bytes += len(cached.content) - (len(old.content) if old else 0)
        self._responses[key] = cached
        while self._responses and (self.bytes > self.bytes_max or len(self._responses) > PAGES_MAX):
            _, gone = self._responses.popitem(last=False)
            self.bytes -= len(gone.content)


def etag_of_content(content: bytes) -> str:
    """Return a strong ETag of the content."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def respond_cached(request: Request[Any, Any, Any], cached: CachedResponse) -> Response[bytes]:
    """Return the response, or 304 if the client has it already."""
    headers = {"ETag": cached.etag, "Cache-Control": "no-cache", **cached.headers}
    if request.method == "GET" and _has(request.headers.get("if-none-match"), cached.etag):
        return Response(b"", status_code=HTTP_304_NOT_MODIFIED, headers=headers, media_type=cached.media_type)
    return Response(cached.content, status_code=HTTP_200_OK, headers=headers, media_type=cached.media_type)


def _has(wanted: str | None, etag: str) -> bool:
    if not wanted:
        return False
    return wanted.strip() == "*" or etag in [tag.strip().removeprefix("W/") for tag in wanted.split(",")]
