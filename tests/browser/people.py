"""People of the demo house, in the browser and over the API."""

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
        """Return the cookies in Playwright's format."""
        return [{"name": name, "value": value, "url": self.address} for name, value in self.cookies.items()]


_sessions: dict[tuple[str, str], Session] = {}


def keep_session(name: str, session: Session) -> None:
    _sessions[session.address, name] = session


def session_of(address: str, name: str) -> Session:
    """Someone's session in a house: one for all who ask; again if it was ended."""
    session = _sessions.get((address, name))
    if session is None or not _is_valid(address, name, session):
        session = new_session(address, name)
        keep_session(name, session)
    return session


def new_session(address: str, name: str) -> Session:
    """Start a session that is not shared."""
    with loopback.client(address) as client:
        response = client.post("/api/v1/sign-in", json={"name": name, "password": PASSWORD})
    assert response.status_code == 200, response.text
    return Session(address, dict(response.cookies), response.json()["csrf"])


def _is_valid(address: str, name: str, session: Session) -> bool:
    with loopback.client(address, cookies=session.cookies) as client:
        me = client.get("/api/v1/me")
    return me.status_code == 200 and me.json()["name"] == name


def signed_in(visit: Callable[..., Page], name: str, address: str, **window: Any) -> Page:
    """Open an address as a signed-in person; the sign-in page has its own tests."""
    page: Page = visit(address, name=name, **window)
    return page


class ApiUser:
    """A person of the demo house, as a client of the API."""

    def __init__(self, address: str, name: str, *, fresh: bool = False) -> None:
        session = new_session(address, name) if fresh else session_of(address, name)
        self.address = address
        self.client = loopback.client(address, cookies=session.cookies, headers={"X-CSRF-Token": session.csrf})

    def bets(self, wager: str, amount: int, table: str = "massachusetts") -> httpx.Response:
        return self.client.post(f"/api/v1/tables/{table}/bets", json={"bets": [{"wager": wager, "amount": amount}]})

    def command(self, role: str, command: dict[str, Any], table: str = "massachusetts") -> httpx.Response:
        """Send a command; a player whose chips it moves consents."""
        response = self.client.post(f"/api/v1/tables/{table}/commands", json={"role": role, "command": command})
        if response.status_code == 202 and "player" in command:
            player = ApiUser(self.address, command["player"])
            with player.client:
                return player.consent()
        return response

    def consent(self) -> httpx.Response:
        """Consent to what staff want to do with this player's chips."""
        (waiting,) = self.client.get("/api/v1/approvals").json()["approvals"]
        return self.client.post(f"/api/v1/approvals/{waiting['id']}/approve", json={})

    def view(self, table: str = "massachusetts") -> dict[str, Any]:
        return self.table(table).view

    def table(self, name: str) -> HttpTable:
        """Return a table that this person deals alone."""

        def page() -> dict[str, Any]:
            found: dict[str, Any] = self.client.get(f"/api/v1/tables/{name}").json()
            return found

        return HttpTable(page, lambda role, command: self.command(role, command, name))


People = Callable[[str], ApiUser]
"""The people of a house by their names."""


def table_of(people: People, name: str) -> HttpTable:
    """Return a table that the demo house's people deal, each in their own role."""
    seen = people("demo-dealer").table(name)
    return HttpTable(seen.page, lambda role, command: people(f"demo-{role}").command(role, command, name))
