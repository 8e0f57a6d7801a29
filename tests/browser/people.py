"""People of the demo house, in the browser and beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx
from playwright.sync_api import Page

from pitbook.server.demo import PASSWORD
from tests import loopback
from tests.http_table import HttpTable


@dataclass(frozen=True)
class Session:
    """What someone has who is signed in."""

    address: str
    cookies: dict[str, str]
    csrf: str

    def for_browser(self) -> list[Any]:
        """The cookies as a browser takes them."""
        return [{"name": name, "value": value, "url": self.address} for name, value in self.cookies.items()]


_kept: dict[tuple[str, str], Session] = {}


def keep_session(name: str, session: Session) -> None:
    _kept[session.address, name] = session


def session_of(address: str, name: str) -> Session:
    """Someone's session in a house: one for all who ask; again if it was ended."""
    kept = _kept.get((address, name))
    if kept is None or not _holds(address, name, kept):
        kept = new_session(address, name)
        keep_session(name, kept)
    return kept


def new_session(address: str, name: str) -> Session:
    """A session that nobody else has."""
    with loopback.client(address) as client:
        answer = client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    return Session(address, dict(answer.cookies), answer.json()["csrf"])


def _holds(address: str, name: str, session: Session) -> bool:
    with loopback.client(address, cookies=session.cookies) as client:
        me = client.get("/api/v1/me")
    return me.status_code == 200 and me.json()["name"] == name


def signed_in(visit: Callable[..., Page], name: str, address: str, **window: Any) -> Page:
    """An address of the house, as somebody sees it who has signed in; how that goes on the page is proved elsewhere."""
    page: Page = visit(address, name=name, **window)
    return page


class Somebody:
    """A person of the demo house who uses the API."""

    def __init__(self, address: str, name: str, *, anew: bool = False) -> None:
        session = new_session(address, name) if anew else session_of(address, name)
        self.address = address
        self.client = loopback.client(address, cookies=session.cookies, headers={"X-CSRF-Token": session.csrf})

    def bets(self, wager: str, amount: int, table: str = "massachusetts") -> httpx.Response:
        return self.client.post(f"/api/v1/tables/{table}/bets", json={"bets": [{"wager": wager, "amount": amount}]})

    def asks(self, role: str, command: dict[str, Any], table: str = "massachusetts") -> httpx.Response:
        """Ask for a command; a player whose chips it moves consents."""
        answer = self.client.post(f"/api/v1/tables/{table}/commands", json={"role": role, "command": command})
        if answer.status_code == 202 and "player" in command:
            player = Somebody(self.address, command["player"])
            with player.client:
                return player.consents()
        return answer

    def consents(self) -> httpx.Response:
        """Agree to what staff want to do with one's chips."""
        (waiting,) = self.client.get("/api/v1/approvals").json()["approvals"]
        return self.client.post(f"/api/v1/approvals/{waiting['id']}/approve", json={})

    def sees(self, table: str = "massachusetts") -> dict[str, Any]:
        return self.table(table).view

    def table(self, name: str) -> HttpTable:
        """A table that this person deals alone."""

        def page() -> dict[str, Any]:
            found: dict[str, Any] = self.client.get(f"/api/v1/tables/{name}").json()
            return found

        return HttpTable(page, lambda role, command: self.asks(role, command, name))


People = Callable[[str], Somebody]
"""The people of a house by their names."""


def table_of(people: People, name: str) -> HttpTable:
    """A table that the demo house's people deal, each in their own role."""
    seen = people("demo-dealer").table(name)
    return HttpTable(seen.page, lambda role, command: people(f"demo-{role}").asks(role, command, name))
