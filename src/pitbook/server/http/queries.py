"""Unknown query parameters are refused: a misspelt `afer=10` must not silently ask for everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from litestar.routes import HTTPRoute

from pitbook.errors import suggestion
from pitbook.server.http.problems import InvalidField, Problem

if TYPE_CHECKING:
    from litestar import Litestar, Request

MOST = 100
"""More parameters than this are not even looked at."""


class DeclaredQueries:
    """Runs before every handler, and knows what each declares.

    Not a guard: for those Litestar copies the handler on every request, which takes longer than an empty answer.
    """

    def __init__(self) -> None:
        self._declared: dict[tuple[str, str], frozenset[str]] = {}

    def learn(self, app: Litestar) -> None:
        """Take note of every operation, with what its dependencies ask for."""
        for route in app.routes:
            if isinstance(route, HTTPRoute):
                for method, (handler, expected) in route.route_handler_map.items():
                    if handler.opt.get("any_query"):  # of a web page, which reads its address itself
                        continue
                    names = frozenset(one.field_alias for one in expected.expected_query_params)
                    self._declared[route.path_format or "/", method] = names

    async def __call__(self, request: Request[Any, Any, Any]) -> None:
        scope = request.scope
        query = scope["query_string"]
        if not query:
            return
        declared = self._declared.get((scope["path_template"], scope["method"]))
        if declared is None:
            return
        try:
            given = parse_qsl(query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST)
        except UnicodeDecodeError:
            raise Problem("bad-request", "the query is not UTF-8") from None
        except ValueError:
            raise Problem("bad-request", f"there are more than {MOST} query parameters") from None
        errors = [
            InvalidField(f"query.{name[:80]}", f"no such parameter; {_instead(name, declared)}")
            for name in dict.fromkeys(name for name, _ in given)
            if name not in declared
        ]
        if errors:
            raise Problem("bad-request", f"{errors[0].place}: {errors[0].says}", errors=errors)


def _instead(name: str, declared: frozenset[str]) -> str:
    return suggestion(name, sorted(declared)) if declared else "this operation takes none"
