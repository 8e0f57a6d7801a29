"""A table's entries as they come (server-sent events), and page by page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from inspect import isawaitable
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias
from urllib.parse import parse_qs

import msgspec
from litestar import Request, asgi, get
from litestar.params import Parameter

from pitbook.journal.entries import HOUSE
from pitbook.server.connections import bound_buffer, transport_of
from pitbook.server.hub import Full, Hub, UnknownTable
from pitbook.server.problems import Problem
from pitbook.server.projections import Viewer, data_of, project

if TYPE_CHECKING:
    from litestar.handlers import ASGIRouteHandler, HTTPRouteHandler
    from litestar.types import Receive, Scope, Send

    from pitbook.journal.port import Store

ViewerOf: TypeAlias = Callable[[Any], Viewer | Awaitable[Viewer]]
"""Who asks, by the request's scope, whose `path_params` name the table. It may raise a `Problem`."""

PAGE_MAX = 500
SEQUENCE_MAX = 2**62

HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"vary", b"Origin, Sec-Fetch-Site"),
)


class EventsPage(msgspec.Struct, frozen=True):
    """Entries of a table, each as this viewer may see it."""

    events: list[dict[str, Any]]
    next: int | None
    """What `after` is for the next page; None where this is the last for now."""


def stream_route(hub: Hub, viewer_of: ViewerOf, origins: Collection[str] = ()) -> ASGIRouteHandler:
    """`GET /tables/{table}/stream`: events from any sequence on, live."""

    @asgi("/tables/{table:str}/stream", copy_scope=True)
    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "GET":
            raise Problem("method-not-allowed", "a stream is read by GET")
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin = allowed_origin(headers, scope.get("scheme", "http"), origins)
        after = _after(scope.get("query_string", b""), headers)
        viewer = await _viewer(viewer_of, scope)
        await _serve(hub, _known(scope["path_params"]["table"]), viewer, after, origin, (scope, receive, send))

    return stream


async def _serve(
    hub: Hub, table: str, viewer: Viewer, after: int | None, origin: str | None, connection: tuple[Any, Any, Any]
) -> None:
    scope, receive, send = connection
    task = asyncio.current_task()
    transport = transport_of(scope)

    def abort() -> None:
        if transport is not None:
            transport.abort()
        elif task is not None:
            task.cancel()

    try:
        watcher = await hub.join(table, viewer, send, abort)
    except UnknownTable:
        raise Problem("not-found", f"there is no table {table!r}") from None
    except Full:
        raise Problem("busy", "too many watch already; come back later", retry_after=5) from None
    following = None
    try:
        if transport is not None:
            bound_buffer(transport)
        await send({"type": "http.response.start", "status": 200, "headers": [*HEADERS, *_cross(origin)]})
        following = asyncio.create_task(watcher.channel.follow(watcher, after))
        following.add_done_callback(lambda done: None if done.cancelled() or not done.exception() else abort())
        while (await receive())["type"] != "http.disconnect":
            pass
    except asyncio.CancelledError:
        if not watcher.over:
            raise
    finally:
        if following is not None:
            following.cancel()
        hub.leave(watcher)


def _cross(origin: str | None) -> list[tuple[bytes, bytes]]:
    """What a browser wants to be told before a page of another origin may read."""
    if origin is None:
        return []
    return [(b"access-control-allow-origin", origin.encode()), (b"access-control-allow-credentials", b"true")]


def events_route(store: Store, viewer_of: ViewerOf) -> HTTPRouteHandler:
    """`GET /tables/{table}/events`: the same, page by page."""

    @get("/tables/{table:str}/events", summary="A table's entries, page by page", cache_control=None)
    async def events(
        table: str,
        request: Request[Any, Any, Any],
        after: Annotated[int, Parameter(ge=0, le=SEQUENCE_MAX, description="the last sequence already known")] = 0,
        limit: Annotated[int, Parameter(ge=1, le=PAGE_MAX, description="how many at most")] = 100,
    ) -> EventsPage:
        viewer = await _viewer(viewer_of, request.scope)
        return await asyncio.to_thread(_page, store, _known(table), viewer, after, limit)

    return events


def _page(store: Store, table: str, viewer: Viewer, after: int, limit: int) -> EventsPage:
    found = list(store.entries(table, after, limit + 1))
    if not found and not store.head(table).sequence:
        raise Problem("not-found", f"there is no table {table!r}")
    shown = [data_of(project(entry).frame(viewer)) for entry in found[:limit]]
    return EventsPage(shown, shown[-1]["sequence"] if len(found) > limit else None)


async def _viewer(viewer_of: ViewerOf, scope: Any) -> Viewer:
    viewer = viewer_of(scope)
    return await viewer if isawaitable(viewer) else viewer


def _known(table: str) -> str:
    if table == HOUSE:  # the house's own record is no table's
        raise Problem("not-found", f"there is no table {table!r}")
    return table


def _after(query: bytes, headers: dict[bytes, str]) -> int | None:
    """The last sequence that the watcher knows; what the browser remembers comes before what the page asked for."""
    given = headers.get(b"last-event-id") or parse_qs(query.decode("latin-1")).get("after", [""])[-1]
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 19):
        raise Problem("bad-request", f"after {given[:40]!r}: write the number of the last entry that you have, like 17")
    return int(given)


def allowed_origin(headers: dict[bytes, str], scheme: str, origins: Collection[str]) -> str | None:
    """The foreign origin that may read this, None for the house's own pages and programs; a `Problem` for any other."""
    origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site")
    if origin is not None and origin.lower() in origins:
        return origin
    own = origin is None or origin.lower() == f"{scheme}://{headers.get(b'host', '')}".lower()
    if site in ("same-origin", "none") or (site is None and own):
        return None
    raise Problem("forbidden", f"pages of {origin or 'another site'} may not read this; add it to public_origins")
