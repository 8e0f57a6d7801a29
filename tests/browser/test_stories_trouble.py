"""What goes wrong in the middle of a round: the power, and a chip that comes too late. Every window says so."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from pitbook.rulebooks.catalogue import load
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import open_live_table
from tests.browser.people import signed_in
from tests.browser.rounds import judged, minor, seated, until, until_held

Picture = Callable[[Page, str], None]
LOST = "Connection lost"


@pytest.fixture(scope="module")
def house(own_house: House) -> House:
    chips = {"demo-ann": 100_000, "demo-ben": 100_000}
    open_live_table(own_house.address, "singapore-live", load("singapore-mbs-sic-bo-v6"), chips)
    return own_house


@pytest.fixture(scope="module")
def demo_address(house: House) -> str:
    return house.address


def power_fails(house: House, *windows: Page) -> None:
    """Every window says that the connection is lost, and finds back without being loaded again."""
    for window in windows:
        window.evaluate("window.stillTheSame = true")
    house.loses_power()
    for window in windows:
        expect(window.get_by_text(LOST)).to_be_visible()
    house.comes_back()
    for window in windows:
        expect(window.get_by_text(LOST)).to_be_hidden()
        assert window.evaluate("window.stillTheSame") is True


def test_after_a_power_failure_players_withdraw_all_or_stay_and_the_round_ends(
    visit: Visit, house: House, picture: Picture
) -> None:
    """Singapore 5.13.1: there was no outcome yet."""
    bets = {"small": 2, "odd": 1}
    with seated(visit, house.address, "singapore-live", "demo-dealer") as story:
        if story.due()["act"] == "open betting":
            story.takes()
        before, number = story.mine()["balance"], story.sees()["round"]
        ben = signed_in(visit, "demo-ben", "/tables/singapore-live")
        expect(ben.locator(".rail")).to_be_visible()
        bens = minor(ben.locator(".rail-balance"))
        story.lays(bets)
        ben.keyboard.press("1")
        story.area("big", ben).click()
        story.area("even", ben).click()
        expect(ben.locator(".rail-staked")).to_have_text(re.compile(r"2\.00"))
        until(lambda: story.sees()["staked"] == 500, "all bets on the layout")
        story.takes()

        power_fails(house, story.player, story.console, story.board, ben)
        for window in (story.player, ben):
            notice = window.get_by_role("alert").filter(has_text="power")
            expect(notice).to_contain_text("5.13.1")
            expect(notice.get_by_role("button")).to_be_visible()
            expect(window.get_by_role("button", name="Clear")).to_be_disabled()
        expect(story.console.get_by_text("Power failure")).to_be_visible()
        expect(story.console.locator(".due button.button-main")).to_be_disabled()
        for window in (story.player, story.board):
            expect(window.locator(".announcement-closed")).to_have_text("Power failure")
        assert violations(story.player) == []
        picture(story.player, "story-power-player")
        picture(story.console, "story-power-console")
        picture(story.board, "story-power-board")

        story.area("small").click()
        expect(story.player.locator(".refused-stake .clause").first).to_be_visible()
        story.rail_is_right()
        ben.get_by_role("alert").filter(has_text="power").get_by_role("button").click()
        expect(ben.locator(".rail-staked")).to_have_text(re.compile(r"\b0\.00"))
        assert minor(ben.locator(".rail-balance")) == bens
        expect(story.console.locator(".lines li", has_text="Ben")).to_have_count(0)

        story.console.get_by_role("button", name=re.compile("resume", re.IGNORECASE)).click()
        expect(story.player.get_by_role("alert").filter(has_text="power")).to_have_count(0)
        story.takes_until("collect losers", "124")
        story.all_light()
        story.ends_round()
        assert story.sees()["round"] == number + 1
        assert story.mine()["balance"] == before + judged("singapore-mbs-sic-bo-v6", bets, "1-2-4")
        story.rail_is_right()
        assert minor(ben.locator(".rail-balance")) == bens


def test_where_betting_resumes_the_players_are_told_by_which_reading(
    visit: Visit, house: House, picture: Picture
) -> None:
    """Massachusetts is silent on a power failure before the throw: the reading decides."""
    with seated(visit, house.address, "massachusetts", "demo-dealer") as story:
        before = story.mine()["balance"]
        story.lays({"small": 1})
        story.takes()
        expect(story.player.locator(".announcement-closed")).to_be_visible()
        power_fails(house, story.player, story.console, story.board)
        told = story.player.locator(".called")
        expect(told).to_contain_text("The power fails before the throw")
        expect(told).to_contain_text("betting resumes")
        expect(told).to_contain_text("power-failure-us")
        expect(story.player.locator(".announcement-open")).to_be_visible()
        picture(story.player, "story-power-betting-resumes")
        story.lays({"big": 2})
        story.takes_until("collect losers", "356")
        story.ends_round()
        won = judged("massachusetts-sic-bo", {"small": 1, "big": 2}, "3-5-6")
        assert story.mine()["balance"] == before + won
        story.rail_is_right()
        expect(told).to_have_count(0)


def test_a_chip_that_comes_after_the_close_returns_to_the_rail_with_the_clause(
    visit: Visit, house: House, picture: Picture
) -> None:
    """The dealer closes betting while the player's click is on its way."""
    with seated(visit, house.address, "massachusetts", "demo-dealer") as story:
        before = story.mine()["balance"]
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        story.player.route("**/bets", hold)
        story.player.keyboard.press("2")
        story.area("big").click()
        expect(story.player.locator(".rail-staked")).to_have_text("US$5.00")
        late = until_held(story.player, held)
        assert story.takes() == "close betting"
        expect(story.player.locator(".announcement-closed")).to_be_visible()
        late.continue_()
        refused = story.player.locator(".refused-stake")
        expect(refused.locator(".clause")).to_contain_text("5(c)")
        expect(story.player.locator(".rail-staked")).to_have_text("US$0.00")
        expect(story.player.locator(".own-chip")).to_have_count(0)
        assert minor(story.player.locator(".rail-balance")) == before
        picture(story.player, "story-late-bet")
        story.player.unroute("**/bets")
        story.takes_until("collect losers", "124")
        story.ends_round()
        assert story.mine()["balance"] == before
