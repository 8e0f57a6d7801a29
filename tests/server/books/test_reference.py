"""The reference tells the truth: its examples are taken, and answers have the shape that it gives them."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.server.app import api_schema
from pitbook.server.routes import analysis, books
from tests.server.books.conftest import Client

POSTS = ("analysis", "design", "spread", "session", "settle", "illuminate")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return api_schema([*books.handlers, *analysis.handlers]).document


def holds(document: dict[str, Any], path: str, method: str, answer: Any) -> None:
    """Check a response against the reference."""
    assert answer.status_code == 200, answer.text
    content = document["paths"][path][method]["responses"]["200"]["content"]["application/json"]
    schema = {**content["schema"], "components": document["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(answer.json())


@pytest.mark.parametrize("name", PACKAGED)
@pytest.mark.parametrize("what", ["", "/wagers", "/analysis", "/lint", "/strategies"])
def test_answers_about_every_book_have_the_shape_of_the_reference(
    client: Client, document: dict[str, Any], name: str, what: str
) -> None:
    holds(document, f"/api/v1/books/{{book_id}}{what}", "get", client.get(f"/api/v1/books/{name}{what}"))


def test_answers_about_several_books_have_the_shape_of_the_reference(client: Client, document: dict[str, Any]) -> None:
    holds(document, "/api/v1/books", "get", client.get("/api/v1/books"))
    first, second = [name for name in PACKAGED if load(name).identity.game == "craps"]
    query = {"left": first, "right": second}
    holds(document, "/api/v1/compare", "get", client.get("/api/v1/compare", params=query))


@pytest.mark.parametrize("what", POSTS)
def test_the_examples_of_the_reference_are_taken(client: Client, document: dict[str, Any], what: str) -> None:
    path = f"/api/v1/books/{{book_id}}/{what}"
    content = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]
    example = content["examples"]["example"]["value"]
    holds(document, path, "post", client.post(f"/api/v1/books/{PACKAGED[0]}/{what}", json=example))


def test_every_operation_and_every_parameter_is_described(document: dict[str, Any]) -> None:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            assert operation["summary"], (path, method)
            assert operation["description"], (path, method)
            for parameter in operation.get("parameters", ()):
                assert parameter.get("description"), (path, parameter["name"])
