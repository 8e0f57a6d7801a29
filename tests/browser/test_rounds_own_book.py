"""A house's own books from a folder: listed, drawn, analysed, dealt and paid like any other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pitbook.rulebooks.catalogue import load
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import Houses
from tests.browser.live_house import open_live_table
from tests.browser.people import ApiUser
from tests.browser.rounds import judged, seated, until
from tests.browser.sixth_book import LANTERNS, TWO_ENDS
from tests.browser.test_lobby import fits

Picture = Callable[[Page, str], None]
BETS = {"low-lantern": 2, "high-lantern": 1, "light/1": 1, "light/2": 3, "straight/1-2-3": 1, "even-light": 1}


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    (folder / "lantern-bay.toml").write_text(LANTERNS, encoding="utf-8")
    (folder / "two-ends.toml").write_text(TWO_ENDS, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def demo_address(houses: Houses, books: Path) -> Iterator[str]:
    """Start a house with two books of its own and a live table of each."""
    with houses.open("--books", str(books)) as house:
        for table, name in (("lanterns", "lantern-bay"), ("ends", "two-ends")):
            open_live_table(house.address, table, load(books / f"{name}.toml"), {"demo-ann": 100_000})
        yield house.address


@pytest.mark.thorough
def test_a_sixth_book_is_dealt_and_paid_in_three_windows(
    visit: Visit, demo_address: str, books: Path, picture: Picture
) -> None:
    with seated(visit, demo_address, "lanterns", "demo-dealer") as played:
        before = played.mine()["balance"]
        expect(played.player.get_by_role("heading", level=1)).to_contain_text("Three Lanterns")
        expect(played.player.locator(".layout [data-wager]")).to_have_count(13)
        assert violations(played.player) == []
        played.place_bets(BETS)
        assert [played.take_step() for _ in range(3)] == ["close betting", "shake", "reveal"]
        played.take_steps_until("collect losers", "122")
        assert played.check_lit() == {"low-lantern", "light/1", "light/2"}
        picture(played.player, "story-own-book-player")
        picture(played.board, "story-own-book-board")
        played.finish_round()
        won = judged(str(books / "lantern-bay.toml"), BETS, "1-2-2")
        assert won == 2 * 200 + 100 + 450 - 300
        assert played.mine()["balance"] == before + won
        played.check_rail()


def test_a_side_bet_of_the_house_is_won_over_several_rolls(
    visit: Visit, demo_address: str, books: Path, picture: Picture
) -> None:
    with seated(visit, demo_address, "ends", "demo-dealer") as played:
        before = played.mine()["balance"]
        played.console.get_by_label("Give the dice to").fill("demo-ann")
        played.console.keyboard.press("Enter")
        until(lambda: played.view()["has_shooter"], "a new shooter", played.console)
        played.place_bets({"two-ends": 2})
        for roll in ("11", "33"):
            played.finish_round(roll)
        expect(played.area("two-ends")).to_have_attribute("aria-label", re.compile("marked 2"))
        picture(played.player, "story-own-side-bet")
        played.finish_round("66")
        assert played.mine()["balance"] == before + judged(str(books / "two-ends.toml"), {"two-ends": 2}, "1-1 3-3 6-6")
        played.check_rail()


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_sixth_book_has_its_pages(visit: Visit, picture: Picture, language: str) -> None:
    page = visit("/books", language=language)
    page.get_by_role("link", name=re.compile("Three Lanterns")).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Three Lanterns")
    expect(page.locator("[data-wager]")).to_have_count(13)
    name = "高燈" if language == "zh" else "High lantern"
    expect(page.get_by_text(name).first).to_be_visible()
    assert fits(page)
    assert violations(page) == []
    picture(page, f"story-own-book-rules-{language}")
    page.goto("/books/lantern-bay/analysis")
    expect(page.get_by_role("cell", name="13.89%").first).to_be_visible()
    expect(page.get_by_role("cell", name=name).first).to_be_visible()
    assert violations(page) == []
    picture(page, f"story-own-book-analysis-{language}")


@pytest.mark.thorough
def test_an_audit_of_the_house_knows_its_own_books(demo_address: str) -> None:
    auditor = ApiUser(demo_address, "demo-auditor")
    with closing(auditor.client):
        assert auditor.client.post("/api/v1/audit", json={}).status_code == 202

        def over() -> Any:
            state = auditor.client.get("/api/v1/audit").json()
            return None if state["state"] == "running" else state

        state = until(over, "the end of the audit")
        assert state["report"] is not None, state
        assert state["report"]["findings"] == []
