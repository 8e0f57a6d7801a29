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
from tests.browser.rounds import PlayedRound, judged, minor, seated, until

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
    """Start a house with a live table of every book."""
    for table, book in (("singapore-live", "singapore-mbs-sic-bo-v6"), ("dice-ology-live", "dice-ology")):
        open_live_table(own_house.address, table, load(book), {"demo-ann": CHIPS})
    return own_house.address


@pytest.mark.thorough
@pytest.mark.parametrize("table", SIC_BO)
def test_a_round_of_sic_bo_from_the_first_chip_to_the_last_payment(
    visit: Visit, demo_address: str, picture: Picture, table: str
) -> None:
    book, bets, order = SIC_BO[table]
    with seated(visit, demo_address, table, "demo-dealer") as played:
        before, number = played.mine()["balance"], played.view()["round"]
        acts = []
        while played.due()["act"] == "open betting":
            acts.append(played.take_step())
        for window in (played.player, played.board):
            expect(window.locator(".announcement-open")).to_be_visible()
        played.place_bets(bets)
        expect(played.console.locator(".lines li", has_text="Ann")).to_have_count(len(bets))
        expect(played.board.locator(".others")).to_have_count(len(bets))

        while len(acts) < len(order):
            acts.append(played.take_step())
            if acts[-1] == "close betting":
                for window in (played.player, played.board):
                    expect(window.locator(".announcement-closed")).to_be_visible()
        assert acts == order
        played.take_steps_until("collect losers", "223")
        lit = played.check_lit()
        picture(played.player, f"story-{table}-player-lit")
        picture(played.board, f"story-{table}-board-lit")
        played.take_step()
        picture(played.console, f"story-{table}-console-collected")
        played.finish_round()

        assert played.view()["round"] == number + 1
        won = judged(book, bets, "2-2-3")
        assert played.mine()["balance"] == before + won
        played.check_rail()
        assert minor(played.player.locator(".rail-balance")) == before + won
        expect(played.player.locator(".result")).to_contain_text(f"${abs(won) / 100:,.2f}".removesuffix(".00"))
        body = played.ann.client.get(f"/api/v1/tables/{table}/rounds/{number}").json()
        assert {line["wager"] for line in body["lines"] if line["net"] > 0} == lit & set(bets)
        assert sum(line["net"] for line in body["lines"]) == won
        picture(played.player, f"story-{table}-player-paid")


def give_the_dice(played: PlayedRound, player: str = "demo-ann") -> None:
    """Give the dice to a shooter by keyboard, if nobody has them."""
    if not played.view()["has_shooter"]:
        played.console.get_by_label("Give the dice to").fill(player)
        played.console.keyboard.press("Enter")
        until(lambda: played.view()["has_shooter"], "a new shooter", played.console)


def lammers_are_seen(played: PlayedRound, wager: str, marked: list[int]) -> None:
    """Check the lammers in the player's window and on the board."""
    until(lambda: played.view()["lammers"][wager]["marked"] == marked, f"lammers on {marked}")
    words = " ".join(map(str, marked))
    for window in (played.player, played.board):
        expect(played.area(wager, window)).to_have_attribute("aria-label", re.compile(rf"\b{words}\b"))


@pytest.mark.thorough
def test_a_whole_hand_of_dice_works_with_every_kind_of_side_bet(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    bets = {"all-lows": 2, "all-highs": 1, "the-works": 1, "high-roller": 1, "roll-the-line": 1, "parlay/2x2": 1}
    bets |= {"parlay-envy/2x2": 2}
    hand = ["22", "11", "12", "31", "23", "11", "33", "55", "34"]
    with seated(visit, demo_address, "dice-works", "demo-dealer") as played:
        played.floor = signed_in(visit, "demo-floorperson", "/tables/dice-works/dealer")
        before = played.mine()["balance"]
        give_the_dice(played)
        played.place_bets(bets)
        marked: list[int] = []
        for number, roll in enumerate(hand, 1):
            played.take_steps_until("roll")
            acts = played.finish_round(roll)
            assert acts[0] == "roll"
            if number == 3:
                lammers_are_seen(played, "all-lows", [2, 3, 4])
                for window in (played.player, played.board):
                    expect(window.get_by_label("ON: the point is 4")).to_be_visible()
                picture(played.player, "story-dice-works-lammers")
                picture(played.board, "story-dice-works-board")
                marked = played.view()["lammers"]["the-works"]["marked"]
                assert marked == [2, 3, 4]
        won = judged("dice-works", bets, " ".join("-".join(roll) for roll in hand))
        assert won > 0
        until(lambda: played.mine()["balance"] == before + won, "the balance that the judge comes to")
        assert played.mine()["bets"] == []
        played.check_rail()
        assert played.view()["lammers"]["all-lows"]["marked"] == []
        picture(played.player, "story-dice-works-seven-out")


@pytest.mark.thorough
def test_a_dice_ology_win_is_paid_and_bet_again_in_the_middle_of_the_hand(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    """Clauses (4) and (8): a win clears its own lammers, and it may be bet again on any roll until the next mark."""
    bets = {"little-ones": 2, "boom-or-bust": 1}
    with seated(visit, demo_address, "dice-ology-live", "demo-base-dealer") as played:
        before = played.mine()["balance"]
        give_the_dice(played)
        played.place_bets(bets)
        assert not any(one["confirmed"] for one in played.mine()["bets"])
        first = ["22", "11", "12", "23", "33"]
        for roll in first[:-1]:
            played.take_steps_until("roll")
            played.finish_round(roll)
        lammers_are_seen(played, "little-ones", [2, 3, 4, 5])
        expect(played.player.locator(".own-bet-running").first).to_contain_text("%")
        picture(played.player, "story-dice-ology-one-to-come")
        played.area("little-ones").click()
        expect(played.player.locator(".refused-stake .clause")).to_be_visible()  # it can't be bet now

        played.take_steps_until("roll")
        played.finish_round(first[-1])
        won = 34 * 200
        until(lambda: played.mine()["balance"] == before - 300 + 200 + won, "the win of little-ones")
        assert played.view()["point"] == 4
        assert played.view()["lammers"]["little-ones"]["marked"] == []
        assert played.view()["lammers"]["boom-or-bust"]["marked"] == [2, 3, 4, 5, 6]
        played.check_rail()
        picture(played.player, "story-dice-ology-won")

        played.place_bets({"little-ones": 1})
        played.take_steps_until("roll")
        played.finish_round("56")
        played.take_steps_until("roll")
        played.finish_round("61")
        assert played.mine()["bets"] == []
        assert played.mine()["balance"] == before + won - 100 - 100
        played.check_rail()
        picture(played.player, "story-dice-ology-bet-again-lost")
