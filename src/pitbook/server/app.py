"""The application: routes, dependencies and problems put together, with the middleware around them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from litestar import Litestar
from litestar.di import Provide

from pitbook.server.http.bodies import StrictRequest
from pitbook.server.http.exception_handlers import answer
from pitbook.server.http.middleware import RequestMiddleware
from pitbook.server.http.queries import DeclaredQueries
from pitbook.server.people.identity import provide_caller
from pitbook.server.routes import collect
from pitbook.server.services import Services
from pitbook.server.tables.bet_endpoint import FastLane

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from litestar.openapi import OpenAPIConfig
    from litestar.types import BeforeRequestHookHandler

API = "/api/v1"
"""Where the API begins; a handler writes the whole path, `@get("/api/v1/tables")`."""


def create_app(services: Services, handlers: Sequence[Any] | None = None) -> Litestar:
    """The application over these services, with all routes or with the handlers given."""
    queries = DeclaredQueries()
    app = assemble(services, handlers, before_request=queries)
    queries.learn(app)
    lane = FastLane(services) if handlers is None else None
    app.asgi_handler = RequestMiddleware(app.asgi_handler, services, lane)
    return app


def assemble(
    services: Services,
    handlers: Sequence[Any] | None,
    *,
    before_request: BeforeRequestHookHandler | None = None,
    openapi_config: OpenAPIConfig | None = None,
) -> Litestar:
    """The bare application, without the middleware; also what the schema is made from."""

    @asynccontextmanager
    async def course(_app: Litestar) -> AsyncIterator[None]:
        await services.start()
        try:
            yield
        finally:
            await services.stop()

    def provide_services() -> Services:
        return services

    return Litestar(
        route_handlers=list(collect(services) if handlers is None else handlers),
        dependencies={
            "services": Provide(provide_services, sync_to_thread=False),
            "caller": Provide(provide_caller),
        },
        exception_handlers={Exception: answer},
        before_request=before_request,
        lifespan=[course],
        logging_config=None,
        openapi_config=openapi_config,
        request_class=StrictRequest,
        request_max_body_size=services.settings.body_max,
        signature_types=[Services],
    )
