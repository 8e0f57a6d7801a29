"""Staff and a player's chips: the player consents on their own page, and sees bets that were placed for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.floors import Floor
from tests.browser.people import signed_in
from tests.browser.windows import Visit

Picture = Callable[[Page, str], None]

DEALER, ANN, TABLE = "demo-dealer", "demo-ann", "massachusetts"


pytestmark = pytest.mark.own_house


def buys(console: Page, player: str, amount: str) -> None:
    """Enter a purchase as the dealer."""
    console.get_by_role("button", name="Chips for a player").click()
    panel = console.locator("dialog").filter(has=console.get_by_label("Player", exact=True))
    panel.get_by_label("Player", exact=True).fill(player)
    panel.get_by_label("Amount").fill(amount)
    panel.get_by_role("button", name="Buy in").last.click()
    expect(panel).to_be_hidden()


@pytest.mark.thorough
@pytest.mark.parametrize("width", [1440, 390])
def test_a_player_agrees_on_their_page(visit: Visit, floor: Floor, picture: Picture, width: int) -> None:
    before = floor.balance(TABLE, ANN)
    seat = signed_in(visit, ANN, f"/tables/{TABLE}", width=width)
    expect(seat.locator(".rail")).to_be_visible()
    console = signed_in(visit, DEALER, f"/tables/{TABLE}/dealer", width=width)
    buys(console, ANN, "25")
    card = seat.locator(".behalf")
    expect(card).to_contain_text("Dealer 1 (Dealer) asks for your consent to: buy US$25 in chips for you")
    waiting = console.locator(".approvals")
    expect(waiting).to_contain_text("Ann's consent, or a second person's approval")
    assert violations(seat) == []
    picture(seat, f"consent-player-{width}")
    picture(console, f"consent-console-{width}")
    card.get_by_role("button", name="Agree").click()
    expect(card).to_have_count(0)
    expect(waiting).to_have_count(0)
    assert floor.balance(TABLE, ANN) == before + 25_00


def test_a_player_declines_and_the_dealer_reads_it(visit: Visit, floor: Floor) -> None:
    before = floor.balance(TABLE, ANN)
    console = signed_in(visit, DEALER, f"/tables/{TABLE}/dealer")
    seat = signed_in(visit, ANN, f"/tables/{TABLE}")
    buys(console, ANN, "25")
    expect(console.locator(".approvals")).to_be_visible()
    seat.locator(".behalf").get_by_role("button", name="Decline").click()
    expect(console.get_by_text("Ann declined: Buy-in")).to_be_visible()
    assert floor.balance(TABLE, ANN) == before


def test_a_bet_by_the_dealer_is_shown_at_once_and_taken_off(visit: Visit, floor: Floor, picture: Picture) -> None:
    seat = signed_in(visit, ANN, f"/tables/{TABLE}")
    expect(seat.locator(".rail")).to_be_visible()
    bets = [{"wager": "small", "amount": 10_00}]
    floor.command(DEALER, "dealer", TABLE, type="PlaceBets", bets=bets, player=ANN)
    card = seat.locator(".behalf")
    expect(card).to_contain_text("Dealer 1 placed US$10 on Small for you.")
    picture(seat, "consent-bet")
    card.get_by_role("button", name="Remove it").click()
    expect(card).to_have_count(0)
    assert floor.bets_of(TABLE, ANN) == {}


@pytest.mark.thorough
def test_a_walk_in_is_shown_as_one(visit: Visit) -> None:
    console = signed_in(visit, DEALER, f"/tables/{TABLE}/dealer")
    buys(console, "Bob", "25")
    console.get_by_role("button", name="Chips for a player").click()
    expect(console.get_by_role("button", name="Bob (walk-in)")).to_be_visible()
