"""Tables of the demo house that a test sets up and deals over the API before a browser takes over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect

from tests.browser.people import People, session_of, table_of
from tests.browser.windows import TIMEOUT_MS
from tests.http_table import HttpTable
from tests.waiting import until

CHIPS = 100_000
Console = Callable[..., Page]
"""Someone's console at a table."""


class Floor:
    """A demo house and its people."""

    def __init__(self, address: str, people: People) -> None:
        self.address, self.who = address, people

    def command(self, name: str, role: str, table: str, **command: Any) -> dict[str, Any]:
        """Send a command that must be accepted."""
        answer = self.who(name).command(role, command, table)
        assert answer.status_code == 200, (command, answer.text)
        found: dict[str, Any] = answer.json()
        return found

    def page(self, table: str, name: str = "demo-dealer") -> dict[str, Any]:
        """All that someone sees of a table."""
        found: dict[str, Any] = self.who(name).client.get(f"/api/v1/tables/{table}").json()
        return found

    def table(self, table: str) -> HttpTable:
        """A table that everyone in the demo house who works there deals."""
        return table_of(self.who, table)

    def balance(self, table: str, player: str) -> int:
        """Return a player's balance."""
        return int(self.page(table, player)["mine"]["balance"])

    def bets_of(self, table: str, player: str) -> dict[str, int]:
        """Return a player's bets by area."""
        return {bet["wager"]: bet["amount"] for bet in self.page(table, player)["mine"]["bets"]}

    def reopen(self, table: str, **changes: Any) -> None:
        """Closes a table and opens it again with another set-up."""
        setup = self.page(table, "demo-manager")["rules"]["setup"]
        self.command("demo-manager", "manager", table, type="CloseTable")
        self.command("demo-manager", "manager", table, type="OpenTable", setup={**setup, **changes})

    def check_all(self, table: str, name: str, role: str) -> None:
        """Someone finds every item on the book's checklists in order."""
        for thing in self.page(table, name)["staff"]["equipment"]["to_check"]:
            points = [True] * len(thing["points"])
            self.command(name, role, table, type="CheckEquipment", equipment=thing["id"], points=points)

    def bet(self, table: str, player: str, **stakes: int) -> None:
        bets = [{"wager": wager.replace("_", "-"), "amount": amount} for wager, amount in stakes.items()]
        response = self.who(player).client.post(f"/api/v1/tables/{table}/bets", json={"bets": bets})
        assert response.status_code == 200, response.text


class Consoles:
    """Dealers' consoles on touch screens, each opened once per module."""

    def __init__(self, browser: Browser, floor: Floor) -> None:
        self._browser, self._floor = browser, floor
        self._pages: dict[tuple[str, str], Page] = {}
        self._wrong: list[str] = []

    def of(self, table: str, name: str = "demo-dealer") -> Page:
        if (table, name) not in self._pages:
            self._pages[table, name] = self._opened(table, name)
        return self._pages[table, name]

    def close(self) -> None:
        for page in self._pages.values():
            page.context.close()
        assert self._wrong == []

    def _opened(self, table: str, name: str) -> Page:
        page = self._browser_of(name).new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: self._wrong.append(str(error)))
        page.goto(f"/tables/{table}/dealer")
        expect(page.locator(".desk")).to_be_visible()
        return page

    def _browser_of(self, name: str) -> BrowserContext:
        """Return a context per console: browsers limit connections per server, and a console reads two streams."""
        context = self._browser.new_context(
            base_url=self._floor.address,
            viewport={"width": 1024, "height": 768},
            locale="en-US",
            reduced_motion="reduce",
            has_touch=True,
        )
        context.add_cookies(session_of(self._floor.address, name).for_browser())
        return context


def open_dialog(page: Page, button: Locator) -> Locator:
    """Tap a button until its dialog is open: a tap is ignored while the list moves under it."""
    dialog = page.get_by_role("dialog")

    def tapped() -> bool:
        if not dialog.is_visible():
            with suppress(Error):  # the dialog of the previous tap may cover the button
                button.tap(timeout=2_000)
        return dialog.is_visible()

    until(tapped, "the dialog")
    return dialog
