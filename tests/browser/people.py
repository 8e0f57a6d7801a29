"""People of the demo house, in the browser and beside it."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import Page

from pitbook.server.demo import PASSWORD
from tests.browser.conftest import Visit


def signed_in(visit: Visit, name: str, address: str, **window: Any) -> Page:
    """An address of the house, as somebody sees it who has signed in; how that goes on the page is proved elsewhere."""
    page: Page = visit(address, name=name, **window)
    return page


class Somebody:
    """A person of the demo house who uses the API."""

    def __init__(self, address: str, name: str) -> None:
        self.client = httpx.Client(base_url=address)
        me = self.client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD}).json()
        self.client.headers["X-CSRF-Token"] = me["csrf"]

    def bets(self, wager: str, amount: int, table: str = "massachusetts") -> httpx.Response:
        return self.client.post(f"/api/v1/tables/{table}/bets", json={"bets": [{"wager": wager, "amount": amount}]})

    def asks(self, role: str, command: dict[str, Any], table: str = "massachusetts") -> httpx.Response:
        return self.client.post(f"/api/v1/tables/{table}/commands", json={"role": role, "command": command})

    def sees(self, table: str = "massachusetts") -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"/api/v1/tables/{table}").json()["view"]
        return found
