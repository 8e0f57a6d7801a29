"""Rounds in several windows: a player on the layout, a dealer at the keyboard, a display board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from playwright.sync_api import Locator, Page, expect

from pitbook import rulebook
from tests import waiting
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser, signed_in

WITH_DICE = ("announce dice", "enter dice", "roll")
STEPS_MAX = 20
FOLLOWS = ("press deal", "reset", "clear", "mark", "remove lammers")
"""Steps of the equipment, and lammers, which the console takes together with the step before them."""


def follows(page: dict[str, Any], taken: str) -> bool:
    """Whether the console takes the step that is due on its own."""
    view = page["view"]
    act = next((step["act"] for step in view["procedure"] if step["id"] == view["due"]), None)
    if act == "enter dice":
        return taken == "announce dice"  # the dice have been typed
    return act in FOLLOWS or (act == "pay winners" and not page["staff"]["settlement"]["pay"])


def until(found: Callable[[], Any], what: str, window: Page | None = None) -> Any:
    """Wait for a condition that no page shows; a failure includes the toasts of the window."""
    try:
        return waiting.until(found, what)
    except AssertionError as error:
        texts = window.locator("[class*=toast]").all_inner_texts() if window else []
        raise AssertionError(f"{error}; {texts}") from None


def until_held(page: Page, held: list[Any]) -> Any:
    """Wait for a request that a test holds back. Playwright handles events only during a call."""
    return until(lambda: (page.evaluate("1"), held)[1], "the request")[0]


HOLDS = """
const read = ReadableStreamDefaultReader.prototype.read;
ReadableStreamDefaultReader.prototype.read = async function () {
  const found = await read.call(this);
  await window.held;
  if (typeof found.value === "string") window.brought += found.value;
  return found;
};
window.brought = "";
window.hold = () => { window.held = new Promise(release => { window.release = release; }); };
"""
"""A script that keeps from a page what its streams bring, from `hold()` until `release()`; `brought` is what it has."""


def minor(lit_wagers: Locator) -> int:
    """Return a displayed amount in minor units."""
    return int(re.sub(r"\D", "", lit_wagers.inner_text()))


@dataclass
class PlayedRound:
    """A table, the windows that show it, and the API clients of their people."""

    table: str
    player: Page
    console: Page
    board: Page
    ann: ApiUser
    dealer: ApiUser
    floor: Page | None = None
    """The window of someone above the dealers, where a story needs one."""

    def view(self) -> dict[str, Any]:
        return self.dealer.view(self.table)

    def mine(self) -> dict[str, Any]:
        """Return the player's own bets and chips from the API."""
        found: dict[str, Any] = self.ann.client.get(f"/api/v1/tables/{self.table}").json()["mine"]
        return found

    def staff_page(self) -> dict[str, Any]:
        """Return the table's page as its dealer gets it from the API."""
        found: dict[str, Any] = self.dealer.client.get(f"/api/v1/tables/{self.table}").json()
        return found

    # ------------------------------------------------------------ the player

    def area(self, wager: str, window: Page | None = None) -> Locator:
        return (window or self.player).locator(f'.layout [data-wager="{wager}"]').first

    def place_bets(self, bets: Mapping[str, int], chip: int = 1) -> None:
        """Click chips of one kind onto each area and wait until the table has them all."""
        self.player.keyboard.press(str(chip))
        for wager, chips in bets.items():
            for _ in range(chips):
                self.area(wager).click()
        self.wait_for_bets(bets)

    def wait_for_bets(self, bets: Mapping[str, int]) -> None:
        until(lambda: set(bets) <= {one["wager"] for one in self.mine()["bets"]}, f"a bet on each of {list(bets)}")
        self.check_rail()

    def check_rail(self) -> None:
        """Check that the window shows the same amounts as the API."""

        def same() -> bool:
            mine = self.mine()
            lying = sum(one["amount"] for one in mine["bets"])
            lit_wagers = (minor(self.player.locator(".rail-balance")), minor(self.player.locator(".rail-staked")))
            return lit_wagers == (mine["balance"], lying)

        until(same, "the rail as the API tells it")

    # ------------------------------------------------------------ the dealer

    def due(self, page: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the step that is due; confirming bets comes first."""
        page = page or self.staff_page()
        view = page["view"]
        if any(not bet["confirmed"] for bet in page["staff"]["bets"]):
            book = self.dealer.client.get(f"/api/v1/books/{view['book']}").json()
            step = next(step for step in book["procedure"]["round"] if step["act"] == "confirm bet")
            return {**step, "says": step["says"]["en"]}
        return next(step for step in view["procedure"] if step["id"] == view["due"])

    def take_step(self, dice: str = "") -> str:
        """Take the step that is due by keyboard; return its act."""
        body = self.staff_page()
        view, step = body["view"], self.due(body)
        expect(self.console.locator(".due-says")).to_have_text(re.compile(re.escape(step["says"]), re.IGNORECASE))
        called = step["act"] == "enter dice" and body["staff"]["announced"]  # the announced dice are entered
        if step["act"] in WITH_DICE and not called:
            # Two rolls may follow each other: the dice typed for the last one are cleared.
            expect(self.console.locator(".due .typed")).to_have_attribute("aria-label", "No dice yet")
            self.console.keyboard.type(dice)
            typed = f"Dice {', '.join(dice)}"
            expect(self.console.locator(".due .typed")).to_have_attribute("aria-label", typed)
        done = self.console.locator(".due button.button-main")
        witness = self.console.locator(".due").get_by_label("Confirmed by")
        envy = step["act"] == "pay winners" and any(one.get("envy") for one in body["staff"]["settlement"]["pay"])
        if envy:
            expect(witness).to_be_visible()  # a supervisor confirms what the dealers get
            expect(done).to_be_disabled()
            witness.select_option(label="Floorperson 1 · Floorperson")
            expect(done).to_be_enabled()
            done.focus()
        expect(done).to_be_enabled()
        self.console.keyboard.press("Enter")
        if envy:
            assert self.floor is not None
            self.floor.get_by_role("button", name="Approve", exact=True).click()
        if step["act"] == "confirm bet":
            until(lambda: self.due()["act"] != "confirm bet", "every bet is confirmed")
        else:
            before = (view["round"], view["step"])

            def moved() -> bool:
                """Whether the step was taken, and with it what follows on its own."""
                now = self.staff_page()
                return before != (now["view"]["round"], now["view"]["step"]) and not follows(now, step["act"])

            until(moved, f"the step {step['id']}", self.console)
        act: str = step["act"]
        return act

    def take_steps_until(self, act: str, dice: str = "") -> None:
        """Take all steps before the first one with this act."""
        for _ in range(STEPS_MAX):
            if self.due()["act"] == act:
                return
            self.take_step(dice)
        raise AssertionError(f"no step to {act} came")

    def finish_round(self, dice: str = "") -> list[str]:
        """Take all remaining steps of the round; return their acts."""
        number, acts = self.view()["round"], []
        while self.view()["round"] == number:
            acts.append(self.take_step(dice))
            assert len(acts) < STEPS_MAX, acts
        return acts

    # ------------------------------------------------------------ what all windows show

    def check_lit(self) -> set[str]:
        """Check that every window lights the areas that the API reports."""
        lit = set(self.view()["lit"])
        assert lit
        for window in (self.player, self.console, self.board):
            until(partial(shows_lit, window, lit), "the winning areas are lit", window)
        return lit


def shows_lit(window: Page, lit: set[str]) -> bool:
    """Return whether exactly these areas are lit, over all blocks if one is shown at a time."""
    lit_areas = window.locator(".layout .area-lit [data-wager]")

    def lit_wagers() -> set[str]:
        return set(lit_areas.evaluate_all("all => all.map(one => one.dataset.wager)"))

    tabs = window.locator(".layout").get_by_role("tab").all()
    if not tabs:
        return lit_wagers() == lit
    found: set[str] = set()
    for tab in tabs:
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        found |= lit_wagers()
    window.evaluate("document.activeElement.blur()")
    return found == lit


@contextmanager
def seated(
    visit: Visit, address: str, table: str, dealer: str, player: str = "demo-ann", **window: Any
) -> Iterator[PlayedRound]:
    """Open three windows on a table; `window` configures the player's."""
    played = PlayedRound(
        table,
        player=signed_in(visit, player, f"/tables/{table}", **window),
        console=signed_in(visit, dealer, f"/tables/{table}/dealer"),
        board=visit(f"/tables/{table}/board", width=1920, height=1080),
        ann=ApiUser(address, player),
        dealer=ApiUser(address, dealer),
    )
    try:
        expect(played.player.locator(".rail")).to_be_visible()
        yield played
    finally:
        played.ann.client.close()
        played.dealer.client.close()


def judged(book: str, bets: Mapping[str, int], rolls: str) -> int:
    """Return the net result of the bets in minor units, as the engine settles them without a table."""
    played = rulebook(book).settle(dict(bets), rolls)
    return sum(outcome.net for outcome in played.outcomes)
