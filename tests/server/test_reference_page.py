"""The API's description, for programs and for people."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
import pytest
from litestar import post
from litestar.params import FromQuery, JSONBody

from pitbook.server.app import api_schema
from pitbook.server.http.bodies import RequestBody
from pitbook.server.http.reference import kind, prose, render_reference
from pitbook.server.routes import reference, status
from tests.server.conftest import HouseApp


class Stake(RequestBody, frozen=True):
    """A stake on an area."""

    wager: str
    amount: Annotated[int, msgspec.Meta(gt=0, description="whole minor units")]


class Slip(RequestBody, frozen=True):
    """Several stakes."""

    stakes: list[Stake]


@post(
    "/api/v1/slips",
    tags=["tables"],
    summary="Hand in a <slip>",
    opt={"examples": {"request": {"stakes": [{"wager": "small", "amount": 500}]}}},
    sync_to_thread=False,
)
def hand_in(data: JSONBody[Slip], dry: FromQuery[bool] = False) -> Slip:
    """Takes `stakes` & more."""
    return data


@pytest.fixture
def document() -> dict[str, Any]:
    return api_schema([hand_in, *status.handlers]).document


def test_the_description_is_openapi_with_problems_and_examples(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    operation = document["paths"]["/api/v1/slips"]["post"]
    assert "application/problem+json" in operation["responses"]["default"]["content"]
    assert operation["requestBody"]["content"]["application/json"]["examples"]["example"]["value"]["stakes"]
    assert "ProblemDetails" in document["components"]["schemas"]
    assert [tag["name"] for tag in document["tags"]] == ["tables", "status"]
    assert "status_code" not in msgspec.json.encode(document).decode()


def test_bodies_are_closed_to_fields_that_they_do_not_know(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    closed = {name for name, schema in schemas.items() if schema.get("additionalProperties") is False}
    assert {name.rpartition("_")[2] for name in closed} >= {"Slip", "Stake"}


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    text = msgspec.json.encode(document).decode()
    for name in re.findall(r'"#/components/schemas/([^"]+)"', text):
        assert name in document["components"]["schemas"]


def test_the_page_has_every_operation_parameter_and_schema(document: dict[str, Any]) -> None:
    page = render_reference(document)
    assert "/api/v1/slips" in page
    assert "<code>dry</code>" in page
    assert "whole minor units" in page
    assert "&#34;wager&#34;: &#34;small&#34;" in page
    for name in document["components"]["schemas"]:
        assert f'id="schema-{name}"' in page


def test_the_page_is_escaped_and_needs_no_script(document: dict[str, Any]) -> None:
    page = render_reference(document)
    assert "Hand in a &lt;slip&gt;" in page
    for forbidden in ("<script", "style=", "onclick", "http://", "https://", "<slip>"):
        assert forbidden not in page


def test_every_link_of_the_page_leads_somewhere(document: dict[str, Any]) -> None:
    page = render_reference(document)
    places = re.findall(r'id="([^"]+)"', page)
    assert len(places) == len(set(places))
    for place in re.findall(r'href="#([^"]+)"', page):
        assert place in places


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer"}, "whole number"),
        ({"type": "array", "items": {"type": "string"}}, "list of text"),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, "text or nothing"),
        ({"enum": ["a", "b"]}, "<code>a</code> or <code>b</code>"),
        ({"$ref": "#/components/schemas/Slip"}, '<a href="#schema-Slip">Slip</a>'),
        ({"type": ["string", "null"]}, "text or nothing"),
        ({}, "anything"),
    ],
)
def test_schemas_are_described_in_words(schema: dict[str, Any], words: str) -> None:
    assert kind(schema) == words


def test_prose_keeps_code_and_nothing_else() -> None:
    assert prose("a `b` <c>\n\nd") == "<p>a <code>b</code> &lt;c&gt;</p>\n<p>d</p>"


@pytest.mark.anyio
async def test_the_pages_are_served_from_this_origin(house_app: HouseApp) -> None:
    async with house_app.client(*reference.handlers) as client:
        sheet = await client.get("/api/v1/reference.css")
    assert sheet.status_code == 200
    assert sheet.headers["content-type"].startswith("text/css")
    assert "url(" not in sheet.text
