"""The application: routes, dependencies and problems put together, with the middleware around them."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from litestar import Litestar
from litestar.datastructures import State
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

API = "/api/v1"
"""The prefix of the API; handlers write the whole path, `@get("/api/v1/tables")`."""


def create_app(services: Services, handlers: Sequence[Any] | None = None) -> Litestar:
    """Return the application over these services, with all routes or with the given handlers."""
    return bind(assemble(handlers, services.settings.body_max), services, with_bets=handlers is None)


def bind(app: Litestar, services: Services, *, with_bets: bool) -> Litestar:
    """Let an assembled application serve a house, behind the middleware; `with_bets` adds the endpoint for bets."""
    bets = BetEndpoint(services) if with_bets else None
    app.state = State({"services": services})
    app.asgi_handler = RequestMiddleware(
        app.asgi_handler, services.settings, services.metrics, services.rates, bets, services.house.table_name
    )
    return app


def api_schema(handlers: Sequence[Any] | None = None) -> ApiSchema:
    """Return the description of the application with all routes or with the given handlers."""
    return ApiSchema(lambda config: assemble(handlers, openapi_config=config))


def services_of(app: Litestar) -> Services:
    """Return the services that an application is bound to."""
    found: Services = app.state.services
    return found


def provide_services(scope: Scope) -> Services:
    """Return the services of the application that a request came to."""
    return services_of(scope["litestar_app"])


def provide_library(services: HouseServices) -> Library:
    """Return the library of books."""
    return services.library


async def provide_caller(services: HouseServices, scope: Scope) -> Caller:
    """Return the caller of a request; a lookup of the last second is reused."""
    return await services.authenticator.caller(scope)


@asynccontextmanager
async def lifespan(app: Litestar) -> AsyncIterator[None]:
    """Run the services for as long as the application runs."""
    services = services_of(app)
    await services.start()
    try:
        yield
    finally:
        await services.stop()


def assemble(
    handlers: Sequence[Any] | None, body_max: int | None = None, *, openapi_config: OpenAPIConfig | None = None
) -> Litestar:
    """Return the application without services and middleware, which `bind` adds."""
    queries, described = DeclaredQueries(), api_schema()

    def provide_schema() -> ApiSchema:
        return described

    app = Litestar(
        route_handlers=list(collect() if handlers is None else handlers),
        dependencies={
            "services": Provide(provide_services, sync_to_thread=False),
            "library": Provide(provide_library, sync_to_thread=False),
            "caller": Provide(provide_caller),
            "api_schema": Provide(provide_schema, sync_to_thread=False),
        },
        exception_handlers={Exception: error_response},
        before_request=queries,
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=openapi_config,
        request_class=StrictRequest,
        request_max_body_size=body_max,
        signature_types=[Services],
    )
    queries.register(app)
    return app
