"""Irregularities during a round, shown in every window: a power failure and a late bet."""

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
    """Kill and restart the house; every window reports it and recovers without a reload."""
    for window in windows:
        window.evaluate("window.stillTheSame = true")
    house.kill()
    for window in windows:
        expect(window.get_by_text(LOST)).to_be_visible()
    house.restart()
    for window in windows:
        expect(window.get_by_text(LOST)).to_be_hidden()
        assert window.evaluate("window.stillTheSame") is True


@pytest.mark.thorough
def test_after_a_power_failure_players_withdraw_all_or_stay_and_the_round_ends(
    visit: Visit, house: House, picture: Picture
) -> None:
    """Singapore 5.13.1: there was no outcome yet."""
    bets = {"small": 2, "odd": 1}
    with seated(visit, house.address, "singapore-live", "demo-dealer") as played:
        if played.due()["act"] == "open betting":
            played.take_step()
        before, number = played.mine()["balance"], played.view()["round"]
        ben = signed_in(visit, "demo-ben", "/tables/singapore-live")
        expect(ben.locator(".rail")).to_be_visible()
        bens = minor(ben.locator(".rail-balance"))
        played.place_bets(bets)
        ben.keyboard.press("1")
        played.area("big", ben).click()
        played.area("even", ben).click()
        expect(ben.locator(".rail-staked")).to_have_text(re.compile(r"2\.00"))
        until(lambda: played.view()["staked"] == 500, "all bets on the layout")
        played.take_step()

        power_fails(house, played.player, played.console, played.board, ben)
        for window in (played.player, ben):
            notice = window.get_by_role("alert").filter(has_text="power")
            expect(notice).to_contain_text("5.13.1")
            expect(notice.get_by_role("button")).to_be_visible()
            expect(window.get_by_role("button", name="Clear")).to_be_disabled()
        expect(played.console.get_by_text("Power failure")).to_be_visible()
        expect(played.console.locator(".due button.button-main")).to_be_disabled()
        for window in (played.player, played.board):
            expect(window.locator(".announcement-closed")).to_have_text("Power failure")
        assert violations(played.player) == []
        picture(played.player, "story-power-player")
        picture(played.console, "story-power-console")
        picture(played.board, "story-power-board")

        played.area("small").click()
        expect(played.player.locator(".refused-stake .clause").first).to_be_visible()
        played.check_rail()
        ben.get_by_role("alert").filter(has_text="power").get_by_role("button").click()
        expect(ben.locator(".rail-staked")).to_have_text(re.compile(r"\b0\.00"))
        assert minor(ben.locator(".rail-balance")) == bens
        expect(played.console.locator(".lines li", has_text="Ben")).to_have_count(0)

        played.console.get_by_role("button", name=re.compile("resume", re.IGNORECASE)).click()
        expect(played.player.get_by_role("alert").filter(has_text="power")).to_have_count(0)
        played.take_steps_until("collect losers", "124")
        played.check_lit()
        played.finish_round()
        assert played.view()["round"] == number + 1
        assert played.mine()["balance"] == before + judged("singapore-mbs-sic-bo-v6", bets, "1-2-4")
        played.check_rail()
        assert minor(ben.locator(".rail-balance")) == bens


@pytest.mark.thorough
def test_where_betting_resumes_the_players_read_by_which_reading(visit: Visit, house: House, picture: Picture) -> None:
    """Massachusetts is silent on a power failure before the throw: the reading decides."""
    with seated(visit, house.address, "massachusetts", "demo-dealer") as played:
        before = played.mine()["balance"]
        played.place_bets({"small": 1})
        played.take_step()
        expect(played.player.locator(".announcement-closed")).to_be_visible()
        power_fails(house, played.player, played.console, played.board)
        element = played.player.locator(".called")
        expect(element).to_contain_text("The power fails before the throw")
        expect(element).to_contain_text("betting resumes")
        expect(element).to_contain_text("power-failure-us")
        expect(played.player.locator(".announcement-open")).to_be_visible()
        picture(played.player, "story-power-betting-resumes")
        played.place_bets({"big": 2})
        played.take_steps_until("collect losers", "356")
        played.finish_round()
        won = judged("massachusetts-sic-bo", {"small": 1, "big": 2}, "3-5-6")
        assert played.mine()["balance"] == before + won
        played.check_rail()
        expect(element).to_have_count(0)


@pytest.mark.thorough
def test_a_chip_that_comes_after_the_close_returns_to_the_rail_with_the_clause(
    visit: Visit, house: House, picture: Picture
) -> None:
    """The dealer closes betting while the player's click is on its way."""
    with seated(visit, house.address, "massachusetts", "demo-dealer") as played:
        before = played.mine()["balance"]
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        played.player.route("**/bets", hold)
        played.player.keyboard.press("2")
        played.area("big").click()
        expect(played.player.locator(".rail-staked")).to_have_text("US$5.00")
        late = until_held(played.player, held)
        assert played.take_step() == "close betting"
        expect(played.player.locator(".announcement-closed")).to_be_visible()
        late.continue_()
        refused = played.player.locator(".refused-stake")
        expect(refused.locator(".clause")).to_contain_text("5(c)")
        expect(played.player.locator(".rail-staked")).to_have_text("US$0.00")
        expect(played.player.locator(".own-chip")).to_have_count(0)
        assert minor(played.player.locator(".rail-balance")) == before
        picture(played.player, "story-late-bet")
        played.player.unroute("**/bets")
        played.take_steps_until("collect losers", "124")
        played.finish_round()
        assert played.mine()["balance"] == before
