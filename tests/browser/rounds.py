"""Rounds in several windows: a player clicks on the layout, a dealer works by keyboard, a board hangs on the wall."""

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
from tests.browser.people import Somebody, signed_in

WITH_DICE = ("announce dice", "enter dice", "roll")
STEPS_MAX = 20
FOLLOWS = ("press deal", "reset", "clear", "mark", "remove lammers")
"""Steps of the equipment, and lammers, which the console takes together with the step before them."""


def follows(told: dict[str, Any], taken: str) -> bool:
    """Whether the console takes the step that is due on its own."""
    view = told["view"]
    act = next((step["act"] for step in view["procedure"] if step["id"] == view["due"]), None)
    if act == "enter dice":
        return taken == "announce dice"  # the dice were typed then
    return act in FOLLOWS or (act == "pay winners" and not told["staff"]["settlement"]["pay"])


def until(found: Callable[[], Any], what: str, window: Page | None = None) -> Any:
    """Waits for a condition that no page shows; what a window says meanwhile may tell why it does not come."""
    try:
        return waiting.until(found, what)
    except AssertionError as error:
        said = window.locator("[class*=toast]").all_inner_texts() if window else []
        raise AssertionError(f"{error}; {said}") from None


def until_held(page: Page, held: list[Any]) -> Any:
    """A request of a page's that a test holds. Playwright hears of it only while it is asked something."""
    return until(lambda: (page.evaluate("1"), held)[1], "the request")[0]


def minor(shown: Locator) -> int:
    """An amount as it is shown, in minor units."""
    return int(re.sub(r"\D", "", shown.inner_text()))


@dataclass
class Story:
    """A table, the windows that look at it, and the people behind them who can also ask the API."""

    table: str
    player: Page
    console: Page
    board: Page
    ann: Somebody
    dealer: Somebody
    floor: Page | None = None
    """The window of someone above the dealers, where a story needs one."""

    def sees(self) -> dict[str, Any]:
        return self.dealer.sees(self.table)

    def mine(self) -> dict[str, Any]:
        """What the API tells the player of themselves."""
        found: dict[str, Any] = self.ann.client.get(f"/api/v1/tables/{self.table}").json()["mine"]
        return found

    def told(self) -> dict[str, Any]:
        """All that the API tells who works there."""
        found: dict[str, Any] = self.dealer.client.get(f"/api/v1/tables/{self.table}").json()
        return found

    # ------------------------------------------------------------ the player

    def area(self, wager: str, window: Page | None = None) -> Locator:
        return (window or self.player).locator(f'.layout [data-wager="{wager}"]').first

    def lays(self, bets: Mapping[str, int], chip: int = 1) -> None:
        """Clicks: so many chips of one kind on each area; and waits until the table has them all."""
        self.player.keyboard.press(str(chip))
        for wager, chips in bets.items():
            for _ in range(chips):
                self.area(wager).click()
        self.table_has(bets)

    def table_has(self, bets: Mapping[str, int]) -> None:
        until(lambda: set(bets) <= {one["wager"] for one in self.mine()["bets"]}, f"a bet on each of {list(bets)}")
        self.rail_is_right()

    def rail_is_right(self) -> None:
        """The window shows the money that the API tells, to the cent."""

        def same() -> bool:
            mine = self.mine()
            lying = sum(one["amount"] for one in mine["bets"])
            shown = (minor(self.player.locator(".rail-balance")), minor(self.player.locator(".rail-staked")))
            return shown == (mine["balance"], lying)

        until(same, "the rail as the API tells it")

    # ------------------------------------------------------------ the dealer

    def due(self, told: dict[str, Any] | None = None) -> dict[str, Any]:
        """The step that is due; where bets wait to be confirmed, that."""
        told = told or self.told()
        view = told["view"]
        if any(not bet["confirmed"] for bet in told["staff"]["bets"]):
            book = self.dealer.client.get(f"/api/v1/books/{view['book']}").json()
            step = next(step for step in book["procedure"]["round"] if step["act"] == "confirm bet")
            return {**step, "says": step["says"]["en"]}
        return next(step for step in view["procedure"] if step["id"] == view["due"])

    def takes(self, dice: str = "") -> str:
        """The step that is due, by keyboard; its act."""
        told = self.told()
        view, step = told["view"], self.due(told)
        expect(self.console.locator(".due-says")).to_have_text(re.compile(re.escape(step["says"]), re.IGNORECASE))
        called = step["act"] == "enter dice" and told["staff"]["announced"]  # what was called is entered
        if step["act"] in WITH_DICE and not called:
            # Two rolls may follow each other: what was typed for the last one goes with it.
            expect(self.console.locator(".due .typed")).to_have_attribute("aria-label", "No dice yet")
            self.console.keyboard.type(dice)
            typed = f"Dice {', '.join(dice)}"
            expect(self.console.locator(".due .typed")).to_have_attribute("aria-label", typed)
        done = self.console.locator(".due button.button-main")
        witness = self.console.locator(".due").get_by_label("Confirmed by")
        envy = step["act"] == "pay winners" and any(one.get("envy") for one in told["staff"]["settlement"]["pay"])
        if envy:
            expect(witness).to_be_visible()  # what the dealers get is confirmed by someone above them
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
                now = self.told()
                return before != (now["view"]["round"], now["view"]["step"]) and not follows(now, step["act"])

            until(moved, f"the step {step['id']}", self.console)
        act: str = step["act"]
        return act

    def takes_until(self, act: str, dice: str = "") -> None:
        """All steps before the first of that kind."""
        for _ in range(STEPS_MAX):
            if self.due()["act"] == act:
                return
            self.takes(dice)
        raise AssertionError(f"no step to {act} came")

    def ends_round(self, dice: str = "") -> list[str]:
        """All steps that are left; what was done."""
        number, acts = self.sees()["round"], []
        while self.sees()["round"] == number:
            acts.append(self.takes(dice))
            assert len(acts) < STEPS_MAX, acts
        return acts

    # ------------------------------------------------------------ what all windows show

    def all_light(self) -> set[str]:
        """The same areas are lit in every window, and are those that the API tells."""
        lit = set(self.sees()["lit"])
        assert lit
        for window in (self.player, self.console, self.board):
            until(partial(shows_lit, window, lit), "the winning areas are lit", window)
        return lit


def shows_lit(window: Page, lit: set[str]) -> bool:
    """Whether exactly these areas are lit, in all blocks where one is shown at a time."""
    lit_areas = window.locator(".layout .area-lit [data-wager]")

    def shown() -> set[str]:
        return set(lit_areas.evaluate_all("all => all.map(one => one.dataset.wager)"))

    tabs = window.locator(".layout").get_by_role("tab").all()
    if not tabs:
        return shown() == lit
    found: set[str] = set()
    for tab in tabs:
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        found |= shown()
    window.evaluate("document.activeElement.blur()")
    return found == lit


@contextmanager
def seated(
    visit: Visit, address: str, table: str, dealer: str, player: str = "demo-ann", **window: Any
) -> Iterator[Story]:
    """Three windows on a table; more about the player's, if wanted."""
    story = Story(
        table,
        player=signed_in(visit, player, f"/tables/{table}", **window),
        console=signed_in(visit, dealer, f"/tables/{table}/dealer"),
        board=visit(f"/tables/{table}/board", width=1920, height=1080),
        ann=Somebody(address, player),
        dealer=Somebody(address, dealer),
    )
    try:
        expect(story.player.locator(".rail")).to_be_visible()
        yield story
    finally:
        story.ann.client.close()
        story.dealer.client.close()


def judged(book: str, bets: Mapping[str, int], rolls: str) -> int:
    """What the bets come to, in minor units, as the book's judge settles them without any table."""
    played = rulebook(book).settle(dict(bets), rolls)
    return sum(outcome.net for outcome in played.outcomes)
