"""Rounds in Chinese, on a phone, without a mouse, and under another reading of the book."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pitbook.rulebooks.catalogue import load
from pitbook.server.demo import PASSWORD
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import open_live_table
from tests.browser.people import ApiUser, signed_in
from tests.browser.rounds import PlayedRound, judged, minor, seated, until
from tests.browser.test_lobby import fits

Picture = Callable[[Page, str], None]
TOUCH = 40
WORDS = re.compile(r"[A-Za-z]{2,}(?:[\s,.;:'’-]+[A-Za-z]{2,})+")
"""Two Latin words that follow each other."""


@pytest.fixture(scope="module")
def demo_address(own_house: House) -> str:
    address = own_house.address
    open_live_table(address, "singapore-live", load("singapore-mbs-sic-bo-v6"), {"demo-ann": 100_000})
    printed = {"one-of-a-kind-single": "one-to-ten"}
    rules = load("massachusetts-sic-bo", readings=printed)
    open_live_table(address, "as-printed", rules, {}, readings=printed)
    return address


def english_on(page: Page, *names: str) -> set[str]:
    """Return the English text of a page, visible or for screen readers, except names."""
    element: list[str] = page.locator("main").evaluate(
        """main => {
            const found = [];
            const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const at = walker.currentNode.parentElement;
                if (!at.checkVisibility() || at.closest('[lang=en], [translate=no]')) continue;
                found.push(walker.currentNode.data);
            }
            for (const one of main.querySelectorAll('[aria-label], [title], [placeholder]'))
                for (const name of ['aria-label', 'title', 'placeholder'])
                    if (one.hasAttribute(name)) found.push(one.getAttribute(name));
            return found;
        }"""
    )
    left = set()
    for text in element:
        for name in names:
            text = text.replace(name, "")
        left |= set(WORDS.findall(text))
    return left


@pytest.mark.thorough
def test_a_whole_round_is_played_in_chinese(visit: Visit, demo_address: str, picture: Picture) -> None:
    bets = {"small": 1, "big": 1, "total/7": 1, "two-of-a-kind/2": 1, "one-of-a-kind/3": 2}
    with seated(visit, demo_address, "massachusetts", "demo-dealer", language="zh") as played:
        title = "Sic Bo (Massachusetts)"
        before = played.mine()["balance"]
        assert english_on(played.player, title) == set()
        played.place_bets(bets)
        played.area("one-of-a-kind/3").hover()
        assert english_on(played.player, title) == set()
        picture(played.player, "story-chinese-bets")
        assert played.take_step() == "close betting"
        expect(played.player.locator(".announcement-closed")).to_be_visible()
        assert english_on(played.player, title) == set()
        played.area("small").click()
        expect(played.player.locator(".refused-stake")).to_be_visible()
        picture(played.player, "story-chinese-late")
        played.take_steps_until("collect losers", "223")
        played.check_lit()
        assert english_on(played.player, title) == set()
        played.finish_round()
        assert played.mine()["balance"] == before + judged("massachusetts-sic-bo", bets, "2-2-3")
        played.check_rail()
        expect(played.player.locator(".result")).to_be_visible()
        assert english_on(played.player, title) == set()
        played.player.locator(".strip-round").first.click()
        expect(played.player.get_by_role("dialog")).to_be_visible()
        assert english_on(played.player, title) == set()
        assert violations(played.player) == []
        picture(played.player, "story-chinese-paid")


@pytest.mark.thorough
def test_a_hundred_areas_are_played_on_a_phone_by_touch(visit: Visit, demo_address: str, picture: Picture) -> None:
    with seated(visit, demo_address, "singapore-live", "demo-dealer", width=360, height=740) as played:
        page, before = played.player, played.mine()["balance"]
        if played.due()["act"] == "open betting":
            played.take_step()
        expect(page.locator(".announcement-open")).to_be_visible()
        tabs = page.locator(".layout").get_by_role("tab")
        areas, bets = set(), {}
        for place in range(tabs.count()):
            tabs.nth(place).tap()
            expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
            element = page.locator(".layout [data-wager]")
            expect(element.first).to_be_visible()
            boxes = element.evaluate_all(
                "all => all.map(one => { const box = one.getBoundingClientRect();"
                " return [one.dataset.wager, Math.min(box.width, box.height)] })"
            )
            assert min(size for _, size in boxes) >= TOUCH
            areas |= {wager for wager, _ in boxes}
            wager = boxes[len(boxes) // 2][0]
            played.area(wager).tap()
            bets[wager] = 1
            played.wait_for_bets(bets)
            assert fits(page)
        assert len(areas) == 104
        assert len(bets) > 1
        picture(page, "story-phone-bets")
        played.take_steps_until("collect losers", "124")
        expect(page.locator(".layout-lit")).to_be_visible()
        picture(page, "story-phone-lit")
        assert violations(page) == []
        played.finish_round()
        assert played.mine()["balance"] == before + judged("singapore-mbs-sic-bo-v6", bets, "1-2-4")
        played.check_rail()


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(f"the keyboard does not come to {selector}")


@pytest.mark.thorough
def test_a_player_comes_from_the_lobby_to_a_paid_bet_without_a_mouse(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    page = visit("/")
    expect(page.locator('a[href="/tables/maryland"]').first).to_be_visible()
    tab_to(page, 'a[href="/tables/maryland"]')
    page.keyboard.press("Enter")
    expect(page.locator(".layout [data-wager]").first).to_be_visible()
    tab_to(page, 'main a[href^="/sign-in"]')
    page.keyboard.press("Enter")
    expect(page.locator("input[type=password]")).to_be_visible()
    if not page.evaluate("document.activeElement.matches('main input')"):
        tab_to(page, "main input")
    page.keyboard.type("demo-ben")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator(".rail")).to_be_visible()
    assert page.url.endswith("/tables/maryland")

    played = PlayedRound(
        "maryland",
        player=page,
        console=signed_in(visit, "demo-dealer", "/tables/maryland/dealer"),
        board=page,
        ann=ApiUser(demo_address, "demo-ben"),
        dealer=ApiUser(demo_address, "demo-dealer"),
    )
    before = played.mine()["balance"]
    tab_to(page, ".layout [data-wager]")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    for _ in range(60):
        if page.evaluate("document.activeElement.dataset.wager") == "small":
            break
        page.keyboard.press("ArrowRight")
    wager = page.evaluate("document.activeElement.dataset.wager")
    assert wager == "small"
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.keyboard.press("Backspace")
    expect(page.locator(".rail-staked")).to_have_text("US$6.00")
    until(lambda: [one["amount"] for one in played.mine()["bets"]] == [600], "the bet")
    picture(page, "story-keyboard")
    played.take_steps_until("collect losers", "223")
    played.finish_round()
    assert played.mine()["balance"] == before + 600
    played.check_rail()
    assert minor(page.locator(".rail-balance")) == before + 600
    played.ann.client.close()
    played.dealer.client.close()


def test_a_table_that_reads_its_book_otherwise_is_drawn_as_it_reads(visit: Visit, picture: Picture) -> None:
    page = visit("/tables/as-printed")
    expect(page.locator(".layout [data-wager]")).to_have_count(50)
    label = page.locator('[data-wager="one-of-a-kind/1"]')
    expect(label).to_have_attribute("aria-label", re.compile("1 to 10"))
    picture(page, "story-as-printed")
