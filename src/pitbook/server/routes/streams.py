"""A table's entries as server-sent events, and page by page."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.params import FromPath, HeaderParameter, QueryParameter

from pitbook.auth.throttle import network_of
from pitbook.errors import quoted
from pitbook.journal.entries import HOUSE
from pitbook.server.http import request_context
from pitbook.server.http.connections import bound_buffer, transport_of
from pitbook.server.http.errors import detail
from pitbook.server.http.pages import PageSize, link_next
from pitbook.server.http.problems import Problem
from pitbook.server.people.identity import DEAL, MANAGE, PLAY, READ, Caller, RequestCaller
from pitbook.server.schemas.streams import HOUSE_EVENTS, TABLE_EVENTS
from pitbook.server.services import HouseServices
from pitbook.server.streams.hub import TooManyFromOneAddress, TooManyStreams, UnknownTable
from pitbook.server.streams.projections import StreamEntry, Viewer, parse_frame, project
from pitbook.server.worker_pool import HISTORY_QUERIES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from litestar.types import ASGIApp, Receive, Scope, Send

    from pitbook.journal.port import Store
    from pitbook.server.streams.hub import Hub

log = logging.getLogger(__name__)

SEQUENCE_MAX = 2**62

HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # proxies must not buffer the stream
    (b"vary", b"Origin, Sec-Fetch-Site, Cookie, Authorization"),
)

KNOWN = "The last entry that is known already."
LastKnown = Annotated[
    int | None, HeaderParameter(name="Last-Event-ID", required=False, ge=0, le=SEQUENCE_MAX, description=KNOWN)
]
After = Annotated[int | None, QueryParameter(required=False, ge=0, le=SEQUENCE_MAX, description=KNOWN)]
From = Annotated[int, QueryParameter(required=False, ge=0, le=SEQUENCE_MAX, description=KNOWN)]


class EventsPage(msgspec.Struct, frozen=True):
    """Entries of a table, as the caller may see them."""

    events: list[StreamEntry]
    next: int | None
    """The `after` of the next page; null on the last."""


@get(
    "/api/v1/tables/{table:str}/stream",
    tags=["live"],
    summary="A table's entries as they come",
    media_type="text/event-stream",
    opt={"events": TABLE_EVENTS},
)
async def stream_table(
    table: FromPath[str],
    request: Request[Any, Any, Any],
    services: HouseServices,
    after: After = None,
    last_known: LastKnown = None,
) -> Response[bytes]:
    """Stream server-sent events from any entry on; without one, from now on.

    `head` comes first, then `view` (what the table shows), then every entry under its own kind with its number as id;
    entries that this viewer may not see are `private`. `view` is sent again whenever the table's step changes.
    `dropped` and `bye` end the stream: resume with the last id.
    """
    origin = allowed_origin(request.headers, request.scope["scheme"], services.settings.public_origins)
    viewer = await services.hub.viewer(request.scope)
    known = after if last_known is None else last_known  # a browser's last id is newer than the page's URL
    return LiveStream(services.hub, _check_table_name(services, table), viewer, known, origin)


@get(
    "/api/v1/house/stream",
    tags=["live"],
    summary="The house's own entries as they come",
    media_type="text/event-stream",
    opt={"events": HOUSE_EVENTS},
)
async def stream_house(
    request: Request[Any, Any, Any],
    services: HouseServices,
    caller: RequestCaller,
    after: After = None,
    last_known: LastKnown = None,
) -> Response[bytes]:
    """Stream entries about people, approvals and the server itself.

    Managers and auditors see every entry. Others see that an approval was asked for or answered, and may then query
    `/api/v1/approvals`, players for what needs their consent; everything else is `private`.
    """
    origin = allowed_origin(request.headers, request.scope["scheme"], services.settings.public_origins)
    known = after if last_known is None else last_known
    return LiveStream(services.hub, HOUSE, house_viewer(caller), known, origin)


def house_viewer(caller: Caller) -> Viewer:
    """Return the viewer of the house's own record."""
    account = caller.require_account()
    caller.require_scope(DEAL, READ, MANAGE, PLAY)
    return Viewer(account.name, staff=caller.is_manager or caller.is_auditor, works=caller.is_staff)


@get("/api/v1/tables/{table:str}/events", tags=["live"], summary="A table's entries, page by page")
async def list_events(
    table: FromPath[str],
    request: Request[Any, Any, Any],
    services: HouseServices,
    after: From = 0,
    limit: PageSize = 100,
) -> EventsPage:
    """Return the stream's entries as they were sent to this viewer."""
    viewer = await services.hub.viewer(request.scope)
    page = await HISTORY_QUERIES.work(
        _page, services.house.store, _check_table_name(services, table), viewer, after, limit
    )
    link_next(page.next)
    return page


def _page(store: Store, table: str, viewer: Viewer, after: int, limit: int) -> EventsPage:
    found = list(store.entries(table, after, limit + 1))
    if not found and not store.head(table).sequence:
        raise _unknown_table(table)
    page = [parse_frame(project(entry).frame(viewer)) for entry in found[:limit]]
    return EventsPage(page, page[-1].sequence if len(found) > limit else None)


class LiveStream(Response[bytes]):
    """A response that lasts until one side ends it; the hub writes to the connection itself."""

    def __init__(self, hub: Hub, table: str, viewer: Viewer, after: int | None, origin: str | None) -> None:
        super().__init__(b"")
        self._hub = hub
        self._table = table
        self._viewer = viewer
        self._after = after
        self._origin = origin

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIApp:  # type: ignore[override]
        return self._serve

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        hub, task, transport = self._hub, asyncio.current_task(), transport_of(scope)

        def abort() -> None:
            if transport is not None:
                transport.abort()
            elif task is not None:
                task.cancel()

        def followed(done: asyncio.Task[None]) -> None:
            if not done.cancelled() and done.exception() is not None:
                log.warning("a watcher of table %r could not be served: %s", self._table, done.exception())
                watcher.disconnected()
                abort()

        try:
            place = network_of(request_context.current().address)
            watcher = await hub.join(self._table, self._viewer, send, abort, place)
        except UnknownTable:
            raise _unknown_table(self._table) from None
        except TooManyStreams:
            raise Problem("busy", detail("too-many-watchers"), retry_after=5) from None
        except TooManyFromOneAddress:
            message = detail("too-many-streams")
            raise Problem("too-many-requests", message, retry_after=5) from None
        following: asyncio.Task[None] | None = None
        try:
            if transport is not None:
                bound_buffer(transport)
            await send(
                {"type": "http.response.start", "status": 200, "headers": [*HEADERS, *_cors_headers(self._origin)]}
            )
            following = asyncio.create_task(watcher.channel.follow(watcher, self._after))
            following.add_done_callback(followed)
            while (await receive())["type"] != "http.disconnect":
                pass
        except asyncio.CancelledError:
            if not watcher.over or task is None:
                raise
            task.uncancel()  # we aborted the connection
        finally:
            if following is not None:
                following.cancel()
            hub.leave(watcher)


def allowed_origin(headers: Mapping[str, str], scheme: str, origins: Collection[str]) -> str | None:
    """Return the other origin that may read this, None for our own pages and for programs, or raise a problem."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin.lower() in origins:
        return origin
    own = origin is None or origin.lower() == f"{scheme}://{headers.get('host', '')}".lower()
    if site in ("same-origin", "none") or (site is None and own):
        return None
    raise Problem("forbidden", detail("other-origin-reads"))


def _cors_headers(origin: str | None) -> list[tuple[bytes, bytes]]:
    """Return the headers that let a page of another origin read the stream."""
    if origin is None:
        return []
    return [(b"access-control-allow-origin", origin.encode()), (b"access-control-allow-credentials", b"true")]


def _check_table_name(services: HouseServices, table: str) -> str:
    services.house.check_not_archived(table)
    if table == HOUSE or not table.isprintable():  # the house's own record is not a table's
        raise _unknown_table(table)
    return table


def _unknown_table(table: str) -> Problem:
    return Problem("not-found", detail("no-table", table=quoted(table)))


handlers = [stream_table, stream_house, list_events]
