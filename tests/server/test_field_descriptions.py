"""Every field and every parameter of the API says what it is."""

from __future__ import annotations

from typing import Any

import pytest

from pitbook.server.app import api_schema
from pitbook.server.http.field_descriptions import COMMON, PARAMETERS, describe_fields, glossary
from pitbook.server.http.schema import METHODS


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return api_schema().document


@pytest.mark.thorough
def test_every_field_of_every_schema_has_a_description(document: dict[str, Any]) -> None:
    missing = [
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field, part in schema.get("properties", {}).items()
        if not part.get("description", "").strip()
    ]
    assert missing == [], "write a docstring below the field, or a line in field_descriptions.toml"


def test_every_parameter_and_every_operation_has_a_description(document: dict[str, Any]) -> None:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                assert item[method]["summary"], path
                assert item[method]["description"], path
                for parameter in item[method].get("parameters", ()):
                    assert parameter.get("description"), (path, parameter["name"])


def test_the_glossary_has_nothing_that_is_not_used(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    texts = glossary()
    for name, fields in texts.items():
        if name not in (COMMON, PARAMETERS):
            assert set(fields) <= set(schemas[name]["properties"]), name
    shared = {
        field
        for name, schema in schemas.items()
        for field, part in schema.get("properties", {}).items()
        if field not in texts.get(name, {}) and part["description"] == texts[COMMON].get(field)
    }
    assert shared == set(texts[COMMON])
    named = {
        parameter["name"]
        for item in document["paths"].values()
        for operation in item.values()
        for parameter in operation.get("parameters", ())
    }
    assert set(texts[PARAMETERS]) <= named


def test_the_docstring_of_a_field_is_its_description(document: dict[str, Any]) -> None:
    described = document["components"]["schemas"]["WebhookInfo"]["properties"]["failures"]["description"]
    assert described.startswith("How often in a row")
    schemas: dict[str, Any] = {
        "Readiness": {"properties": {name: {} for name in ("ready", "because", "warnings", "clock")}}
    }
    describe_fields(schemas)  # fields that the struct does not have: only the glossary describes them
    assert "warnings" not in {f for f, part in schemas["Readiness"]["properties"].items() if part}
    owns = document["components"]["schemas"]["Readiness"]["properties"]["owns"]["description"]
    assert owns == "The tables that this process owns, where several processes share a database."
