"""Health, readiness and metrics of the process."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Response, get
from litestar.openapi import ResponseSpec

from pitbook.journal.entries import HOUSE
from pitbook.server.addresses import Network, Networks
from pitbook.server.http import request_context
from pitbook.server.http.errors import detail
from pitbook.server.http.metrics import CONTENT_TYPE
from pitbook.server.http.problems import Problem
from pitbook.server.services import HouseServices, Services

if TYPE_CHECKING:
    from collections.abc import Sequence

READ_SECONDS = 2.0


class Health(msgspec.Struct, frozen=True):
    """A sign of life."""

    status: str


class Readiness(msgspec.Struct, frozen=True):
    """Whether requests should be sent here."""

    ready: bool
    because: str = ""
    warnings: list[str] = []
    """Why single tables do not run, or a webhook is not delivered; requests may be sent nevertheless."""
    clock: str = ""
    """The house's time."""
    recorded: str | None = None
    """The latest recorded time of any table."""
    disabled: dict[str, str] = {}
    """Tables that do not run, each with the reason."""
    owns: list[str] = []
    """The tables that this process owns, where several processes share a database."""


@get("/health", tags=["status"], summary="Does the process live?", sync_to_thread=False)
def show_health() -> Health:
    """Answer as long as the process lives."""
    return Health("alive")


@get(
    "/ready",
    tags=["status"],
    summary="Should requests be sent here?",
    responses={503: ResponseSpec(Readiness, description="Not now, and why.", generate_examples=False)},
)
async def show_readiness(services: HouseServices) -> Response[Readiness]:
    """Return 200 while the journal can be read and written, else 503 with the reason; also while the server stops.

    503 too while the clock is not trusted: tables take no commands then, but people can sign in, and a manager can
    accept the clock. Disabled tables are listed; the others run, so the status is 200 nevertheless.
    """
    because = await _find_obstacle(services)
    house, ownership = services.house, services.ownership
    unreachable = [] if ownership is None else ownership.unreachable
    payload = Readiness(
        ready=not because,
        because=because,
        warnings=[warned.says for warned in house.warnings()]
        + [f"{process} cannot be reached; commands for its tables are decided here" for process in unreachable]
        + [one.says for one in services.webhooks.failing()],
        clock=house.now().isoformat(timespec="seconds"),
        disabled={one.table: one.says for one in house.disabled.values()},
        recorded=max(house.recorded().values(), default=None),
        owns=[] if ownership is None else list(ownership.owners.own),
    )
    return Response(payload, status_code=503 if because else 200)


async def _find_obstacle(services: Services) -> str:
    if services.lifecycle.stopping:
        return "the server is stopping"
    house = services.house
    if house.failure is not None:
        with suppress(Exception):
            await asyncio.wait_for(asyncio.to_thread(house.check_recovery), READ_SECONDS)
        if house.failure is not None:
            return "the journal cannot write"
    try:
        await asyncio.wait_for(asyncio.to_thread(house.store.head, HOUSE), READ_SECONDS)
    except Exception:
        return "the journal cannot be read"
    return str(services.house.clock_failure or "")


@get("/metrics", include_in_schema=False, sync_to_thread=True)
def metrics(services: HouseServices) -> Response[Any]:
    """Return metrics for Prometheus, to allowed addresses."""
    settings = services.settings
    if not settings.metrics:
        raise Problem("not-found")
    if request_context.current().address not in _networks(settings.metrics_from):
        raise Problem("forbidden", detail("metrics-address"))
    services.metrics.journal_failing.set(0 if services.house.failure is None else 1)
    last = None if services.backups is None else services.backups.last_backup()
    services.metrics.backup.set(0 if last is None else last.timestamp())
    services.metrics.disabled.set(len(services.house.disabled))
    return Response(services.metrics.exposition(), headers={"content-type": CONTENT_TYPE})


@lru_cache(maxsize=8)
def _networks(networks: Sequence[Network]) -> Networks:
    return Networks(networks)


handlers = [show_health, show_readiness, metrics]
