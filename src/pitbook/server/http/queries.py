"""Checks of queries: a misspelt `afer=10` must not silently return everything, and what is deprecated is announced."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from litestar.routes import HTTPRoute

from pitbook.errors import suggestion
from pitbook.server.http.errors import FieldError, detail
from pitbook.server.http.problems import Problem, invalid_fields

if TYPE_CHECKING:
    from litestar import Litestar, Request

    from pitbook.messages import Message
    from pitbook.server.http.deprecation import Deprecation

PARAMETERS_MAX = 100
"""The maximum number of parameters."""


class DeclaredQueries:
    """A hook that runs before every handler and knows its declared parameters.

    It is not a guard, because Litestar copies the handler for guards on every request, which is slow.
    """

    def __init__(self) -> None:
        self._declared: dict[tuple[str, str], frozenset[str]] = {}
        self._deprecated: dict[tuple[str, str], Deprecation] = {}

    def register(self, app: Litestar) -> None:
        """Register the parameters of all operations, including those of dependencies."""
        for route in app.routes:
            if isinstance(route, HTTPRoute):
                for method, (handler, expected) in route.route_handler_map.items():
                    if "deprecation" in handler.opt:
                        self._deprecated[route.path_format or "/", method] = handler.opt["deprecation"]
                    if handler.opt.get("any_query"):  # web pages read their query themselves
                        continue
                    names = frozenset(one.field_alias for one in expected.expected_query_params)
                    self._declared[route.path_format or "/", method] = names

    async def __call__(self, request: Request[Any, Any, Any]) -> None:
        scope = request.scope
        query, operation = scope["query_string"], (scope["path_template"], scope["method"])
        deprecation = self._deprecated.get(operation)
        if not query:
            if deprecation is not None:
                deprecation.announce(())
            return
        declared = self._declared.get(operation)
        if declared is None:
            return
        try:
            given = parse_qsl(
                query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=PARAMETERS_MAX
            )
        except UnicodeDecodeError:
            raise Problem("bad-request", detail("query-encoding")) from None
        except ValueError:
            raise Problem("bad-request", detail("too-many-parameters", most=PARAMETERS_MAX)) from None
        errors = [
            FieldError(f"query.{name[:80]}", detail("field.parameter", nearest=_suggestion(name, declared)))
            for name in dict.fromkeys(name for name, _ in given)
            if name not in declared
        ]
        if errors:
            raise invalid_fields(errors)
        if deprecation is not None:
            deprecation.announce(name for name, _ in given)


def _suggestion(name: str, declared: frozenset[str]) -> Message:
    return suggestion(name, sorted(declared)) if declared else detail("field.no-parameters")
