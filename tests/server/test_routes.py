"""All routes together: they plug in, their bodies are closed, and their description holds together."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Union, get_args, get_origin

import msgspec
import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from pitbook.server import routes
from pitbook.server.app import api_schema, create_app
from pitbook.server.http.reference import render_reference
from tests.server.conftest import HouseApp


@pytest.fixture
def app(house_app: HouseApp) -> Litestar:
    return create_app(house_app.services)


def structs(kind: Any) -> Iterator[type[msgspec.Struct]]:
    """Every struct that a type leads to."""
    seen: set[Any] = set()
    waiting = [kind]
    while waiting:
        one = waiting.pop()
        if isinstance(one, type) and issubclass(one, msgspec.Struct) and one not in seen:
            seen.add(one)
            yield one
            waiting += [field.type for field in msgspec.structs.fields(one)]
        elif get_origin(one) in (Union, types.UnionType) or get_args(one):
            waiting += get_args(one)


def test_every_module_of_routes_plugs_in() -> None:
    for module in iter_modules(routes.__path__):
        found = import_module(f"{routes.__name__}.{module.name}")
        assert hasattr(found, "handlers"), module.name


def test_every_request_body_refuses_fields_that_it_does_not_know(app: Litestar) -> None:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler, _ in route.route_handler_map.values():
                field = handler.parsed_data_field
                for struct in structs(field.annotation) if field else ():
                    assert struct.__struct_config__.forbid_unknown_fields, f"{route.path}: {struct.__name__}"


@pytest.mark.thorough
def test_the_description_of_all_routes_holds_together() -> None:
    document = api_schema().document
    text = msgspec.json.encode(document).decode()
    for name in set(re.findall(r'"#/components/schemas/([^"]+)"', text)):
        assert name in document["components"]["schemas"], name
    for path, item in document["paths"].items():
        for method, operation in item.items():
            assert operation.get("tags"), f"{method} {path} has no tag"
            assert operation.get("summary"), f"{method} {path} has no summary"
    page = render_reference(document)
    places = re.findall(r'id="([^"]+)"', page)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(places)
