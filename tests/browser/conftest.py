"""A real browser and demo houses. With `--pictures`, screenshots are written to build/screenshots."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.floors import Console, Consoles, Floor
from tests.browser.houses import NO_RATE_LIMITS, House, Houses
from tests.browser.people import ApiUser, People
from tests.browser.windows import TIMEOUT_MS, Visit, Windows
from tests.nodejs import NODE

__all__ = ["NO_RATE_LIMITS", "PICTURES", "ROOT", "TIMEOUT_MS", "Visit"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PICTURES = ROOT / "build" / "screenshots"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
expect.set_options(timeout=TIMEOUT_MS)

LONGEST = (
    "shift",
    "rounds_books",
    "remedies",
    "office",
    "audit",
    "books",
    "tutorials",
    "rounds_irregularities",
    "dealer",
)
"""The modules that begin first: none of them is to be left over when all others are done."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest modules of this folder first, each as a whole."""
    here = [item for item in items if HERE in item.path.parents]
    ranks = {f"test_{name}": rank for rank, name in enumerate(LONGEST)}
    ordered = iter(sorted(here, key=lambda item: ranks.get(item.path.stem, len(ranks))))
    items[:] = [next(ordered) if HERE in item.path.parents else item for item in items]


# ------------------------------------------------------------ houses


@pytest.fixture(scope="session")
def houses(tmp_path_factory: pytest.TempPathFactory) -> Houses:
    """Return a factory of demo houses that start quickly."""
    return Houses(tmp_path_factory.mktemp("houses"))


@pytest.fixture(scope="session")
def shared_house(houses: Houses) -> Iterator[House]:
    """Start a house for all tests that do not affect each other."""
    with houses.open() as house:
        yield house


@pytest.fixture(scope="module")
def own_house(houses: Houses) -> Iterator[House]:
    """Start a house for a module whose tests change its tables or its people."""
    with houses.open() as house:
        yield house


@pytest.fixture(scope="module")
def demo_address(request: pytest.FixtureRequest) -> str:
    """Return the address of a demo house: the shared one, unless the module is marked `own_house`."""
    own = request.node.get_closest_marker("own_house") is not None
    house: House = request.getfixturevalue("own_house" if own else "shared_house")
    return house.address


# ------------------------------------------------------------ people beside the browser


@pytest.fixture(scope="module")
def people(demo_address: str) -> Iterator[People]:
    """Return the people of the house by name, for a whole module."""
    known: dict[str, ApiUser] = {}

    def user(name: str) -> ApiUser:
        if name not in known:
            known[name] = ApiUser(demo_address, name)
        return known[name]

    yield user
    for one in known.values():
        one.client.close()


@pytest.fixture(scope="module")
def ann(people: People) -> ApiUser:
    return people("demo-ann")


@pytest.fixture(scope="module")
def ben(people: People) -> ApiUser:
    return people("demo-ben")


@pytest.fixture(scope="module")
def chen(people: People) -> ApiUser:
    return people("demo-chen")


@pytest.fixture(scope="module")
def dealer(people: People) -> ApiUser:
    return people("demo-dealer")


@pytest.fixture(scope="module")
def manager(people: People) -> ApiUser:
    return people("demo-manager")


# ------------------------------------------------------------ the browser


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
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(NODE))  # Playwright's own Node needs libatomic1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*sandbox, *QUIET])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def windows(browser: Browser, demo_address: str) -> Iterator[Windows]:
    windows = Windows(browser, demo_address)
    yield windows
    windows.close()


@pytest.fixture
def visit(windows: Windows) -> Iterator[Visit]:
    """Opens an address in its own window, for someone who is signed in if a name is given; a script that fails
    fails the test."""
    yield windows.open
    assert windows.wipe() == []


@pytest.fixture(scope="module")
def floor(demo_address: str, people: People) -> Floor:
    return Floor(demo_address, people)


@pytest.fixture(scope="module")
def console(browser: Browser, floor: Floor) -> Iterator[Console]:
    consoles = Consoles(browser, floor)
    yield consoles.of
    consoles.close()


@pytest.fixture
def picture(pictures: bool) -> Callable[[Page, str], None]:
    """Write a screenshot of the page to build/screenshots if `--pictures` is given."""

    def write(page: Page, name: str) -> None:
        if pictures:
            PICTURES.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=PICTURES / f"{name}.png", full_page=True)

    return write
