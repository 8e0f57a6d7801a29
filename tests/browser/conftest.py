"""A real browser, and a demo house to look at. Pictures of what it shows go to build/screenshots."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from pitbook.server.demo import PASSWORD
from tests.server.conftest import Serving

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "build" / "screenshots"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
PATIENCE = 20_000
"""Milliseconds for what should come at once, even on a machine that has much else to do."""
expect.set_options(timeout=PATIENCE)
UNHURRIED = {"PITBOOK_BET_RATE": "0", "PITBOOK_REQUEST_RATE": "0", "PITBOOK_SIGN_IN_RATE": "0"}


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or whichever is on PATH; not for longer than this package, for its event loop is in the way of
    tests that have one of their own."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        missing = "no Chromium on PATH; python3 dev.py test says how to install one"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*sandbox, *QUIET])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def demo_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a demo house is open: one for all tests that change nothing for each other."""
    serving = Serving(tmp_path_factory.mktemp("demo"), ["--port", "0", "--demo"], UNHURRIED)
    try:
        yield serving.address()
    finally:
        serving.close()


Visit = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, demo_address: str) -> Iterator[Visit]:
    """Opens an address in a browser window of its own, for somebody who is signed in if a name is given; a script that
    fails fails the test."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def open_page(
        address: str = "/",
        *,
        name: str | None = None,
        width: int = 1440,
        height: int = 900,
        look: str | None = None,
        language: str = "en",
        still: bool = True,
    ) -> Page:
        context = browser.new_context(
            base_url=demo_address,
            viewport={"width": width, "height": height},
            locale="zh-TW" if language == "zh" else "en-US",
            reduced_motion="reduce" if still else "no-preference",
            has_touch=width < 700,
        )
        contexts.append(context)
        if look is not None:
            context.add_init_script(f"localStorage.setItem('pitbook.look', '{look}')")
        if name is not None:
            told = context.request.post("/api/v1/sign-in", data={"name": name, "password": PASSWORD})
            assert told.ok, told.text()
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.extend(complaint(message)))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def complaint(message: ConsoleMessage) -> list[str]:
    """What the browser complains of: above all, what the policy of the pages forbids.

    Not that the server said no, which pages tell in their own words.
    """
    if message.type != "error" or message.text.startswith("Failed to load resource"):
        return []
    return [message.text]


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Writes what a page shows to build/screenshots."""

    def write(page: Page, name: str) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"{name}.png", full_page=True)

    return write
