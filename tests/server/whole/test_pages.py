"""Lists: the same limit and the same cursor everywhere, and what is deprecated says so."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import pytest

from pitbook.server.app import api_schema
from pitbook.server.http.deprecation import NOTICE_DAYS
from pitbook.server.http.pages import PAGE_MAX
from pitbook.server.routes import collect
from tests import loopback
from tests.server.whole.dealing import whole_round
from tests.server.whole.deployment import Deployment

TABLE = "massachusetts"
LISTS = {
    "/tables": None,
    "/books": "books",
    "/people": "people",
    "/roles": None,
    "/floor": "tables",
    "/journal": "records",
    "/dice": "sets",
    "/me/balances": None,
    f"/tables/{TABLE}/events": "events",
    f"/journal/{TABLE}": "entries",
    f"/tables/{TABLE}/money": "movements",
    f"/tables/{TABLE}/rounds": "rounds",
}
"""Lists with more than one item in a demo house, and the field that has them."""


def items(answer: httpx.Response, field: str | None) -> list[Any]:
    assert answer.status_code == 200, answer.text
    found: list[Any] = answer.json() if field is None else answer.json()[field]
    return found


def pages(house: Deployment, name: str, path: str, field: str | None) -> list[Any]:
    """All items of a list, two at a time, by following its links."""
    visitor, found, seen = house.visitor(name), [], set()
    address: str | None = f"{path}?limit=2"
    while address is not None:
        assert address not in seen
        seen.add(address)
        response = visitor.get(address)
        page = items(response, field)
        assert len(page) <= 2
        found += page
        link = re.fullmatch(r'</api/v1(.*)>; rel="next"', response.headers.get("link", ""))
        address = link[1] if link else None
    return found


@pytest.fixture(scope="module")
def played(demo_house: Deployment) -> Deployment:
    for _ in range(3):
        whole_round(demo_house.visitor("demo-dealer"), TABLE, (1, 2, 3))
    return demo_house


@pytest.mark.parametrize("path", LISTS)
def test_the_pages_of_a_list_are_the_list(played: Deployment, path: str) -> None:
    name = "demo-ann" if path == "/me/balances" else "demo-manager"
    whole = items(played.visitor(name).get(f"{path}?limit={PAGE_MAX}"), LISTS[path])
    assert len(whole) > 1
    assert pages(played, name, path, LISTS[path]) == whole


def test_every_list_has_the_one_limit_and_a_cursor() -> None:
    paths = api_schema().document["paths"]
    limited = {}
    for path, item in paths.items():
        for parameter in item.get("get", {}).get("parameters", ()):
            if parameter["name"] == "limit":
                limited[path] = parameter
                schema = parameter["schema"]
                assert (schema["minimum"], schema["maximum"], parameter["required"]) == (1, PAGE_MAX, False), path
                assert "Link" in item["get"]["responses"]["200"]["headers"], path
                assert "after" in {one["name"] for one in item["get"]["parameters"]}, path
    named = {path for path, item in paths.items() if item.get("get", {}).get("operationId", "").startswith("list_")}
    parts = {f"/api/v1/books/{{book_id}}/{name}" for name in ("wagers", "strategies")}
    few = {"/api/v1/simulations/examples", "/api/v1/me/factors"}
    unlimited = few | parts  # parts of one book
    assert named - unlimited <= set(limited)


def test_bad_limits_and_unknown_cursors_are_refused(demo_house: Deployment) -> None:
    manager = demo_house.visitor("demo-manager")
    for query in ("limit=0", f"limit={PAGE_MAX + 1}", "limit=two", "after=", "after=no-such-table", "afer=1"):
        response = manager.get(f"/tables?{query}")
        assert response.status_code == 400, query
    assert "start without" in manager.get("/tables?after=no-such-table").json()["detail"]


def test_what_is_deprecated_is_marked_and_announced_for_long_enough(played: Deployment) -> None:
    found = [handler.opt["deprecation"] for handler in collect() if "deprecation" in getattr(handler, "opt", {})]
    assert found
    for one in found:
        assert (one.sunset - one.since).days >= NOTICE_DAYS
        assert one.instead
    path = f"/api/v1/tables/{TABLE}/rounds"
    parameters = api_schema().document["paths"]["/api/v1/tables/{table}/rounds"]["get"]["parameters"]
    assert {one["name"] for one in parameters if one.get("deprecated")} == {"below"}
    address = played.process.open_at + path
    old, new = loopback.get(f"{address}?below=3"), loopback.get(f"{address}?after=3")
    assert old.json() == new.json()
    since = datetime.fromtimestamp(int(old.headers["deprecation"].removeprefix("@")), UTC)
    assert (parsedate_to_datetime(old.headers["sunset"]) - since).days >= NOTICE_DAYS
    assert 'rel="deprecation"' in old.headers["link"]
    assert "deprecation" not in new.headers
    assert "sunset" not in loopback.get(address).headers
