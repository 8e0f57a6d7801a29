"""A server that stops and restarts: the page reports it and catches up without a gap."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests import loopback
from tests.browser.houses import House
from tests.browser.live_house import open_automatic_table, wait_for_betting
from tests.browser.people import ApiUser, session_of
from tests.browser.rounds import until
from tests.browser.windows import TIMEOUT_MS

pytestmark = pytest.mark.own_house


def test_a_page_outlives_its_server_and_catches_up(browser: Browser, own_house: House) -> None:
    address = own_house.address
    table = next(one for one in loopback.get(f"{address}/api/v1/tables").json() if not one["automatic"])
    page = browser.new_page(base_url=address)
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"/tables/{table['id']}")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    wager = page.locator("[data-wager]").first.get_attribute("data-wager")
    assert wager is not None
    own_house.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    own_house.restart()
    ann = ApiUser(address, "demo-ann")
    response = ann.bets(wager, 500, table["id"])
    ann.client.close()
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    if response.status_code == 200:  # a power failure may have closed betting: then there is nothing to see
        expect(page.locator(".others")).to_have_count(1)
    page.close()


LOSES = """
const read = ReadableStreamDefaultReader.prototype.read;
ReadableStreamDefaultReader.prototype.read = async function () {
  const found = await read.call(this);
  if (typeof found.value !== "string" || !window.losing || !found.value.includes('"BetPlaced"')) return found;
  window.losing = false;
  return { done: false, value: ": lost on its way\\n\\n" };
};
"""


def test_an_entry_that_is_lost_on_its_way_is_requested_again(browser: Browser, demo_address: str) -> None:
    table = open_automatic_table(demo_address)
    context = browser.new_context(base_url=demo_address)
    context.add_init_script(LOSES)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"/tables/{table}")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    wait_for_betting(page)
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url) if "/stream" in request.url else None)
    page.evaluate("window.losing = true")  # its response shows that requests are reported, too
    ben = ApiUser(demo_address, "demo-ben")
    for wager in ("total/9", "total/12"):
        assert ben.bets(wager, 300, table).status_code == 200

    def missed() -> list[str]:
        """Return the missed entries: a gap is noticed with the next entry."""
        page.evaluate("1")
        if not requested:
            assert ben.bets("small", 100, table).status_code == 200
        return requested

    until(missed, "the stream is asked for again")
    for wager in ("total/9", "total/12"):
        expect(page.locator(f'[data-wager="{wager}"]')).to_have_attribute("aria-label", re.compile("others ◇3"))
    assert len(requested) == 1, "the stream continues after the last entry that was seen"
    assert page.evaluate("window.losing") is False
    ben.client.close()
    context.close()


STALLS = """
const read = ReadableStreamDefaultReader.prototype.read;
ReadableStreamDefaultReader.prototype.read = async function () {
  const found = await read.call(this);
  return window.stalled ? new Promise(() => {}) : found;
};
"""


def test_a_silent_server_is_noticed_within_five_seconds_and_bets_are_in_doubt(
    browser: Browser, own_house: House
) -> None:
    table = open_automatic_table(own_house.address)
    context = browser.new_context(base_url=own_house.address)
    context.add_cookies(session_of(own_house.address, "demo-ann").for_browser())
    context.add_init_script(STALLS)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.clock.install()
    page.goto(f"/tables/{table}")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    wait_for_betting(page)
    page.route("**/bets", lambda _: None)
    page.evaluate("window.stalled = true")
    page.locator('.layout [data-wager="big"]').click()
    expect(page.locator(".pending-chip")).to_have_count(1)
    page.clock.run_for(5_000)
    expect(page.get_by_text("Slow connection")).to_be_visible()
    expect(page.locator(".doubtful-chip")).to_have_count(1)
    expect(page.locator('.layout [data-wager="big"]')).to_have_attribute("aria-label", re.compile("in doubt"))
    context.close()


def test_once_the_dice_are_too_old_the_page_asks_whether_bets_are_still_taken(
    browser: Browser, demo_address: str
) -> None:
    page = browser.new_page(base_url=demo_address)
    page.clock.install()
    page.goto("/tables/maryland")
    expect(page.get_by_text("Live", exact=True)).to_be_visible()
    with page.expect_request("**/api/v1/tables/maryland"):
        page.clock.fast_forward("24:00:10")
    page.close()
