"""The API's description, OpenAPI 3.1: what Litestar finds in the handlers, with our problems and examples put in."""

from __future__ import annotations

from functools import cached_property, lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from litestar.di import NamedDependency
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.routes import HTTPRoute
from pydantic.json_schema import GenerateJsonSchema

from pitbook.rulebooks.text import Text
from pitbook.server.http.problems import MEDIA_TYPE, ProblemDetails, kind_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from litestar import Litestar
    from litestar.handlers import HTTPRouteHandler
    from pydantic import BaseModel

METHODS = ("get", "post", "put", "patch", "delete")

ABOUT = """Dice tables, run by the book.

Commands are sent by POST and answered once they are durable; an `Idempotency-Key` makes it safe to send one again.

What goes wrong is told as `application/problem+json`, with the refusal's name, its clauses and a sentence for people;
`/problems` lists them all. Fields and parameters that an operation does not know are refused. Amounts are whole minor
units."""

TAGS = {
    "tables": "Tables: what they show, and the commands that people give them.",
    "live": "A table's events as they happen, and page by page.",
    "rounds": "Past rounds, their dice and their settlements.",
    "books": "The rulebooks: wagers, pays, clauses.",
    "mathematics": "Exact figures of any book, pay table and reading.",
    "people": "Accounts, sign-in, roles, limits and approvals.",
    "house": "The house as a whole.",
    "audit": "For auditors and managers: the journal in words, its audit, checkpoints, exports.",
    "fairness": "Are the dice fair, does a table hold what it should, and what a manager should know now.",
    "status": "Whether the server lives and can be asked.",
}

_PROBLEM = {"$ref": "#/components/schemas/ProblemDetails"}
_EXAMPLE = {
    "type": "/problems/betting-closed",
    "title": "Betting closed",
    "status": 409,
    "detail": "betting on round 12 is closed",
    "request_id": "5d41402a-1f",
    "refusal": "betting-closed",
    "clauses": ["6(d)"],
    "errors": [],
}


class ApiSchema:
    """The description of an application, made when it is first needed from one that `build` returns."""

    def __init__(self, build: Callable[[OpenAPIConfig], Litestar]) -> None:
        self._build = build

    @cached_property
    def document(self) -> dict[str, Any]:
        app = self._build(_config())
        return completed(app.openapi_schema.to_schema(), app)

    @cached_property
    def json(self) -> bytes:
        return msgspec.json.encode(self.document)


Description: TypeAlias = NamedDependency[ApiSchema]
"""The type of the parameter `api_schema` of a handler."""


def _config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Pitbook",
        version=version("pitbook"),
        description=ABOUT,
        tags=[Tag(name=name, description=words) for name, words in TAGS.items()],
        components=Components(
            security_schemes={
                "token": SecurityScheme(type="http", scheme="bearer", description="An API token."),
                "session": SecurityScheme(
                    type="apiKey",
                    name="__Host-pitbook",
                    security_scheme_in="cookie",
                    description="After signing in. Without TLS it is called pitbook.",
                ),
            }
        ),
        use_handler_docstrings=True,
    )


def completed(document: dict[str, Any], app: Litestar) -> dict[str, Any]:
    """Litestar's description with our problems, examples, and closed request bodies."""
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(_problem_schemas())
    schemas.update({name: part for name, part in _book_schemas().items() if name in schemas})
    examples, handlers = dict(_examples(app)), dict(_handlers(app))
    for path, item in document.get("paths", {}).items():
        for method in METHODS:
            if method in item:
                _complete(item[method], examples.get((path, method), {}))
                _add_failures(item[method], path, handlers[path, method])
                for name in _mentioned(item[method].get("requestBody", {}), schemas, set()):
                    if schemas[name].get("type") == "object":
                        schemas[name].setdefault("additionalProperties", False)
    tagged = {
        tag for item in document.get("paths", {}).values() for one in item.values() for tag in one.get("tags", ())
    }
    document["tags"] = [tag for tag in document.get("tags", ()) if tag["name"] in tagged]
    return document


def _complete(operation: dict[str, Any], examples: dict[str, Any]) -> None:
    responses = operation.setdefault("responses", {})
    responses.get("204", {}).pop("content", None)
    for response in responses.values():
        if "status_code" in str(response.get("content")):  # Litestar's own errors, which nobody gets to see here
            response["content"] = {MEDIA_TYPE: {"schema": _PROBLEM}}
    problem = {MEDIA_TYPE: {"schema": _PROBLEM, "examples": {"refusal": {"value": _EXAMPLE}}}}
    responses["default"] = {"description": "A problem: see /problems.", "content": problem}
    if "request" in examples:
        for content in operation.get("requestBody", {}).get("content", {}).values():
            content["examples"] = {"example": {"value": examples["request"]}}
    if "response" in examples:
        for status, response in responses.items():
            if status.startswith("2"):
                for content in response.get("content", {}).values():
                    content["examples"] = {"example": {"value": examples["response"]}}


def _add_failures(operation: dict[str, Any], path: str, handler: HTTPRouteHandler) -> None:
    """In which ways it can fail, by what it takes and whom it asks for."""
    responses = operation["responses"]
    asks_who = "caller" in handler.parsed_fn_signature.parameters
    found = {421, 429}
    if "{" in path:
        found.add(404)
    if operation.get("parameters"):
        found.add(400)
    if "requestBody" in operation:
        found |= {400, 408, 413, 415, 422}
    if asks_who:
        found |= {401, 403}
    if path.endswith(("/sign-in", "/link", "/register", "/password")):
        found |= {401, 403, 409}
    if handler.http_methods != {"GET"} and asks_who:
        found |= {409, 422}
    problem = {MEDIA_TYPE: {"schema": _PROBLEM}}
    for status in sorted(found):
        responses.setdefault(str(status), {"description": kind_for(status).says, "content": problem})


def _handlers(app: Litestar) -> Iterator[tuple[tuple[str, str], HTTPRouteHandler]]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for method, (handler, _) in route.route_handler_map.items():
                yield (route.path_format or "/", method.lower()), handler


def _examples(app: Litestar) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """What handlers give as `opt={"examples": {"request": …, "response": …}}`."""
    for place, handler in _handlers(app):
        yield place, dict(handler.opt.get("examples", {}))


def _mentioned(part: Any, schemas: dict[str, Any], seen: set[str]) -> set[str]:
    """The names of all schemas that a part of the description leads to."""
    if isinstance(part, dict):
        name = str(part.get("$ref", "")).removeprefix("#/components/schemas/")
        if name in schemas and name not in seen:
            seen.add(name)
            _mentioned(schemas[name], schemas, seen)
        for inner in part.values():
            _mentioned(inner, schemas, seen)
    elif isinstance(part, list):
        for inner in part:
            _mentioned(inner, schemas, seen)
    return seen


@lru_cache(maxsize=1)
def _problem_schemas() -> dict[str, Any]:
    _, found = msgspec.json.schema_components([ProblemDetails], ref_template="#/components/schemas/{name}")
    return found


class _Untitled(GenerateJsonSchema):
    """Pydantic's own description without a title for each field, which only repeats its name."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        del schema
        return False


@lru_cache(maxsize=1)
def _book_schemas() -> dict[str, Any]:
    """Describe the parts of a book as they are sent: with every field, also those that have a default."""
    found: dict[str, Any] = {}
    for kind in _kinds_of(Text):
        described = kind.model_json_schema(
            mode="serialization", ref_template="#/components/schemas/{model}", schema_generator=_Untitled
        )
        found |= described.pop("$defs", {}) | {kind.__name__: described}
    return found


def _kinds_of(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for part in kind.__subclasses__():
        yield part
        yield from _kinds_of(part)
