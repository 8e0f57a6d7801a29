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

MOST_BYTES = 48_000_000
MOST_PAGES = 2_000
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """An answer as it goes over the wire."""

    content: bytes
    etag: str
    media_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


class ResponseCache:
    """The answers used last, up to so many bytes; who asks for one that is being worked out waits for that one."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._kept: OrderedDict[Hashable, CachedResponse] = OrderedDict()
        self._coming: dict[Hashable, asyncio.Task[CachedResponse]] = {}

    def get(self, key: Hashable) -> CachedResponse | None:
        """A kept answer."""
        page = self._kept.get(key)
        if page is not None:
            self._kept.move_to_end(key)
        return page

    async def find(self, key: Hashable, make: Callable[[], Awaitable[CachedResponse]]) -> CachedResponse:
        """A kept answer, or one that is made now; who gives up waiting does not end it for the others."""
        page = self.get(key)
        if page is not None:
            return page
        task = self._coming.get(key)
        if task is None or task.get_loop() is not asyncio.get_running_loop():
            task = asyncio.ensure_future(self._made(key, make))
            self._coming[key] = task
            task.add_done_callback(lambda done: self._finished(key, done))
        return await asyncio.shield(task)

    async def _made(self, key: Hashable, make: Callable[[], Awaitable[CachedResponse]]) -> CachedResponse:
        page = await make()
        self._keep(key, page)
        return page

    def _finished(self, key: Hashable, done: asyncio.Task[CachedResponse]) -> None:
        if self._coming.get(key) is done:
            del self._coming[key]
        if not done.cancelled():
            done.exception()  # looked at, in case that nobody waits for it any more

    def _keep(self, key: Hashable, page: CachedResponse) -> None:
        old = self._kept.pop(key, None)
        self.bytes += len(page.content) - (len(old.content) if old else 0)
        self._kept[key] = page
        while self._kept and (self.bytes > self.most_bytes or len(self._kept) > MOST_PAGES):
            _, gone = self._kept.popitem(last=False)
            self.bytes -= len(gone.content)


def etag_of_content(content: bytes) -> str:
    """A strong tag from the answer itself."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def answered(request: Request[Any, Any, Any], page: CachedResponse) -> Response[bytes]:
    """The page, or only the word that the asker has it already."""
    headers = {"ETag": page.etag, "Cache-Control": "no-cache", **page.headers}
    if request.method == "GET" and _has(request.headers.get("if-none-match"), page.etag):
        return Response(b"", status_code=HTTP_304_NOT_MODIFIED, headers=headers, media_type=page.media_type)
    return Response(page.content, status_code=HTTP_200_OK, headers=headers, media_type=page.media_type)


def _has(wanted: str | None, etag: str) -> bool:
    if not wanted:
        return False
    return wanted.strip() == "*" or etag in [tag.strip().removeprefix("W/") for tag in wanted.split(",")]
