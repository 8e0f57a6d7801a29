"""The application: routes, dependencies and problems put together, with the middleware around them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from litestar import Litestar
from litestar.di import Provide
from litestar.types import Scope  # noqa: TC002 - Litestar reads the provider's signature

from pitbook.server.bet_endpoint import BetEndpoint
from pitbook.server.books.library import Library  # noqa: TC001 - Litestar reads the provider's signature
from pitbook.server.http.bodies import StrictRequest
from pitbook.server.http.exception_handlers import error_response
from pitbook.server.http.middleware import RequestMiddleware
from pitbook.server.http.queries import DeclaredQueries
from pitbook.server.http.schema import ApiSchema
from pitbook.server.people.identity import Caller  # noqa: TC001 - Litestar reads the provider's signature
from pitbook.server.routes import collect
from pitbook.server.services import HouseServices, Services

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from litestar.openapi import OpenAPIConfig
    from litestar.types import BeforeRequestHookHandler

API = "/api/v1"
"""The prefix of the API; handlers write the whole path, `@get("/api/v1/tables")`."""


def create_app(services: Services, handlers: Sequence[Any] | None = None) -> Litestar:
    """Return the application over these services, with all routes or with the given handlers."""
    queries = DeclaredQueries()
    app = assemble(services, handlers, before_request=queries)
    queries.register(app)
    bets = BetEndpoint(services) if handlers is None else None
    app.asgi_handler = RequestMiddleware(app.asgi_handler, services.settings, services.metrics, services.rates, bets)
    return app


def api_schema(services: Services, handlers: Sequence[Any] | None = None) -> ApiSchema:
    """Return the description of the application with all routes or with the given handlers."""
    return ApiSchema(lambda config: assemble(services, handlers, openapi_config=config))


async def provide_caller(services: HouseServices, scope: Scope) -> Caller:
    """Return the caller of a request; a lookup of the last second is reused."""
    return await services.authenticator.caller(scope)


def assemble(
    services: Services,
    handlers: Sequence[Any] | None,
    *,
    before_request: BeforeRequestHookHandler | None = None,
    openapi_config: OpenAPIConfig | None = None,
) -> Litestar:
    """Return the application without the middleware."""
    described = api_schema(services)

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        await services.start()
        try:
            yield
        finally:
            await services.stop()

    def provide_services() -> Services:
        return services

    def provide_library() -> Library:
        return services.library

    def provide_schema() -> ApiSchema:
        return described

    return Litestar(
        route_handlers=list(collect() if handlers is None else handlers),
        dependencies={
            "services": Provide(provide_services, sync_to_thread=False),
            "library": Provide(provide_library, sync_to_thread=False),
            "caller": Provide(provide_caller),
            "api_schema": Provide(provide_schema, sync_to_thread=False),
        },
        exception_handlers={Exception: error_response},
        before_request=before_request,
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=openapi_config,
        request_class=StrictRequest,
        request_max_body_size=services.settings.body_max,
        signature_types=[Services],
    )
