"""A whole round, or a whole hand, of every packaged book: a player, a dealer and a board, each in a window."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pitbook.rulebooks.catalogue import load
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import open_live_table
from tests.browser.people import signed_in
from tests.browser.rounds import Story, judged, minor, seated, until

Picture = Callable[[Page, str], None]
CHIPS = 100_000

SIC_BO = {
    "massachusetts": (
        "massachusetts-sic-bo",
        {"small": 2, "big": 1, "total/7": 1, "two-of-a-kind/2": 1, "two-dice-combination/2-3": 1, "one-of-a-kind/2": 1},
        ["close betting", "shake", "reveal"],
    ),
    "maryland": (
        "maryland-sic-bo",
        {"small": 2, "big": 1, "total/7": 1, "two-of-a-kind/2": 1, "one-of-a-kind/3": 3},
        ["shake", "close betting", "reveal"],
    ),
    "singapore-live": (
        "singapore-mbs-sic-bo-v6",
        {"small": 2, "big": 1, "odd": 1, "double-and-single/223": 1, "single-die/2": 1, "three-from-four/1234": 1},
        ["open betting", "shake", "close betting", "reveal", "check dice"],
    ),
}


@pytest.fixture(scope="module")
def demo_address(own_house: House) -> str:
    """A house with a live table of every book."""
    for table, book in (("singapore-live", "singapore-mbs-sic-bo-v6"), ("dice-ology-live", "dice-ology")):
        open_live_table(own_house.address, table, load(book), {"demo-ann": CHIPS})
    return own_house.address


@pytest.mark.parametrize("table", SIC_BO)
def test_a_round_of_sic_bo_from_the_first_chip_to_the_last_payment(
    visit: Visit, demo_address: str, picture: Picture, table: str
) -> None:
    book, bets, order = SIC_BO[table]
    with seated(visit, demo_address, table, "demo-dealer") as story:
        before, number = story.mine()["balance"], story.sees()["round"]
        acts = []
        while story.due()["act"] == "open betting":
            acts.append(story.takes())
        for window in (story.player, story.board):
            expect(window.locator(".announcement-open")).to_be_visible()
        story.lays(bets)
        expect(story.console.locator(".lines li", has_text="Ann")).to_have_count(len(bets))
        expect(story.board.locator(".others")).to_have_count(len(bets))

        while len(acts) < len(order):
            acts.append(story.takes())
            if acts[-1] == "close betting":
                for window in (story.player, story.board):
                    expect(window.locator(".announcement-closed")).to_be_visible()
        assert acts == order
        story.takes_until("collect losers", "223")
        lit = story.all_light()
        picture(story.player, f"story-{table}-player-lit")
        picture(story.board, f"story-{table}-board-lit")
        story.takes()
        picture(story.console, f"story-{table}-console-collected")
        story.ends_round()

        assert story.sees()["round"] == number + 1
        won = judged(book, bets, "2-2-3")
        assert story.mine()["balance"] == before + won
        story.rail_is_right()
        assert minor(story.player.locator(".rail-balance")) == before + won
        expect(story.player.locator(".result")).to_contain_text(f"${abs(won) / 100:,.2f}".removesuffix(".00"))
        told = story.ann.client.get(f"/api/v1/tables/{table}/rounds/{number}").json()
        assert {line["wager"] for line in told["lines"] if line["net"] > 0} == lit & set(bets)
        assert sum(line["net"] for line in told["lines"]) == won
        picture(story.player, f"story-{table}-player-paid")


def give_the_dice(story: Story, player: str = "demo-ann") -> None:
    """By keyboard, where nobody has them."""
    if not story.sees()["has_shooter"]:
        story.console.get_by_label("Give the dice to").fill(player)
        story.console.keyboard.press("Enter")
        until(lambda: story.sees()["has_shooter"], "a new shooter", story.console)


def lammers_are_seen(story: Story, wager: str, marked: list[int]) -> None:
    """In the player's window and on the board: of the numbers that came, just these."""
    until(lambda: story.sees()["lammers"][wager]["marked"] == marked, f"lammers on {marked}")
    words = " ".join(map(str, marked))
    for window in (story.player, story.board):
        expect(story.area(wager, window)).to_have_attribute("aria-label", re.compile(rf"\b{words}\b"))


def test_a_whole_hand_of_dice_works_with_every_kind_of_side_bet(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    bets = {"all-lows": 2, "all-highs": 1, "the-works": 1, "high-roller": 1, "roll-the-line": 1, "parlay/2x2": 1}
    bets |= {"parlay-envy/2x2": 2}
    hand = ["22", "11", "12", "31", "23", "11", "33", "55", "34"]
    with seated(visit, demo_address, "dice-works", "demo-dealer") as story:
        story.floor = signed_in(visit, "demo-floorperson", "/tables/dice-works/dealer")
        before = story.mine()["balance"]
        give_the_dice(story)
        story.lays(bets)
        marked: list[int] = []
        for number, roll in enumerate(hand, 1):
            story.takes_until("roll")
            acts = story.ends_round(roll)
            assert acts[0] == "roll"
            if number == 3:
                lammers_are_seen(story, "all-lows", [2, 3, 4])
                for window in (story.player, story.board):
                    expect(window.get_by_label("ON: the point is 4")).to_be_visible()
                picture(story.player, "story-dice-works-lammers")
                picture(story.board, "story-dice-works-board")
                marked = story.sees()["lammers"]["the-works"]["marked"]
                assert marked == [2, 3, 4]
        won = judged("dice-works", bets, " ".join("-".join(roll) for roll in hand))
        assert won > 0
        until(lambda: story.mine()["balance"] == before + won, "the balance that the judge comes to")
        assert story.mine()["bets"] == []
        story.rail_is_right()
        assert story.sees()["lammers"]["all-lows"]["marked"] == []
        picture(story.player, "story-dice-works-seven-out")


def test_a_dice_ology_win_is_paid_and_bet_again_in_the_middle_of_the_hand(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    """Clauses (4) and (8): a win clears its own lammers, and it may be bet again on any roll until the next mark."""
    bets = {"little-ones": 2, "boom-or-bust": 1}
    with seated(visit, demo_address, "dice-ology-live", "demo-base-dealer") as story:
        before = story.mine()["balance"]
        give_the_dice(story)
        story.lays(bets)
        assert not any(one["confirmed"] for one in story.mine()["bets"])
        first = ["22", "11", "12", "23", "33"]
        for roll in first[:-1]:
            story.takes_until("roll")
            story.ends_round(roll)
        lammers_are_seen(story, "little-ones", [2, 3, 4, 5])
        expect(story.player.locator(".own-bet-running").first).to_contain_text("%")
        picture(story.player, "story-dice-ology-one-to-come")
        story.area("little-ones").click()
        expect(story.player.locator(".refused-stake .clause")).to_be_visible()  # its window is shut

        story.takes_until("roll")
        story.ends_round(first[-1])
        won = 34 * 200
        until(lambda: story.mine()["balance"] == before - 300 + 200 + won, "the win of little-ones")
        assert story.sees()["point"] == 4
        assert story.sees()["lammers"]["little-ones"]["marked"] == []
        assert story.sees()["lammers"]["boom-or-bust"]["marked"] == [2, 3, 4, 5, 6]
        story.rail_is_right()
        picture(story.player, "story-dice-ology-won")

        story.lays({"little-ones": 1})
        story.takes_until("roll")
        story.ends_round("56")
        story.takes_until("roll")
        story.ends_round("61")
        assert story.mine()["bets"] == []
        assert story.mine()["balance"] == before + won - 100 - 100
        story.rail_is_right()
        picture(story.player, "story-dice-ology-bet-again-lost")
