"""Simulated nights in the browser: composed, uploaded, run, watched, stopped, looked at."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser, signed_in
from tests.browser.rounds import until_held
from tests.browser.test_books import book_of, downloaded, sheets
from tests.browser.test_chinese import all_chinese, english
from tests.browser.test_lobby import fits
from tests.simulation.nights import SCENARIO
from tests.waiting import until

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
LONG = SCENARIO.replace("nights = 6", "nights = 10000").replace("hours = 2.5", "hours = 500")


@pytest.fixture(scope="module")
def finished(demo_address: str) -> str:
    """Return a finished run."""
    manager = ApiUser(demo_address, "demo-manager").client
    try:
        run: str = manager.post("/api/v1/simulations", json={"toml": SCENARIO}).json()["run"]
        until(lambda: manager.get(f"/api/v1/simulations/{run}").json()["state"] != "running", "the run to end")
        body = manager.get(f"/api/v1/simulations/{run}").json()
        assert body["state"] == "done", body
        return run
    finally:
        manager.close()


CHECK = "**/api/v1/simulations/check"


def file_shown(page: Page) -> str:
    return page.get_by_label("Scenario file").input_value()


def test_a_night_is_composed_run_and_looked_at(
    visit: Visit, demo_address: str, picture: Picture, tmp_path: Path
) -> None:
    book = book_of(demo_address, "craps")
    page = signed_in(visit, "demo-manager", f"/books/{book}")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(CHECK, hold)
    page.get_by_role("link", name="Simulate these bets").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Simulate nights")
    expect(page.get_by_label("Book", exact=True)).to_have_value(book)
    file = page.get_by_label("Scenario file")
    until_held(page, held)
    expect(file).to_have_attribute("placeholder", "Loading…")
    expect(file).to_have_value("")
    for route in held:
        route.continue_()
    page.unroute(CHECK)
    expect(file).to_have_value(re.compile("players"))
    expect(file).not_to_have_attribute("placeholder", "Loading…")
    page.get_by_role("button", name="Doubling up").click()
    expect(file).to_have_value(re.compile("progression"))
    names = [group.input_value() for group in page.get_by_label("Name", exact=True).all()]
    assert names == ["Steady players", "Doublers"]
    page.get_by_label("Nights", exact=True).fill("4")
    page.get_by_label("Hours", exact=True).fill("2")
    page.get_by_label("Name", exact=True).first.fill("regulars")
    page.get_by_role("button", name="Add a bet").first.click()
    page.get_by_label("Bet type").nth(1).select_option(index=3)
    page.get_by_label("Strategy").nth(1).select_option("list")
    page.get_by_label("Stakes, separated by commas").fill("1, 2, 2.50")
    expect(file).to_have_value(re.compile(r'stakes = \[1, 2, "2\.50"\]'))
    expect(page.get_by_text("Ready: 8 players, 4 nights.")).to_be_visible()
    data = tomllib.loads(file_shown(page))
    assert (data["book"], data["nights"], data["players"][0]["name"]) == (book, 4, "regulars")
    assert violations(page) == []
    picture(page, "simulation-composed")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("heading", name="House", exact=True)).to_be_visible()
    expect(page.locator(".plot")).not_to_have_count(0)
    for name in ("House win by hour", "Worst hour per night", "regulars: bankroll over the night"):
        expect(page.get_by_role("img", name=re.compile(f"^{name}"))).to_be_visible()
    expect(page.locator("#exact tbody tr").first).to_contain_text("%")
    expect(page.locator("#ends tbody tr")).not_to_have_count(0)
    for name, ending in (("Report", "html"), ("Scenario", "toml"), ("Players (Parquet)", "parquet")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name, exact=True).click()
        path = tmp_path / f"file.{ending}"
        download.value.save_as(path)
        assert path.stat().st_size > 100
    assert tomllib.loads((tmp_path / "file.toml").read_text()) == data
    house = page.locator("#house")
    assert json.loads(downloaded(page, house, "Download JSON: House").read_text())["groups"][0]["name"] == "regulars"
    hours = downloaded(page, house, "Download CSV: House win by hour").read_text(encoding="utf-8-sig").splitlines()
    assert hours[0].startswith("hours,5%,25%,50%,75%,95%")
    assert downloaded(page, house, "Download SVG: House win by hour").read_text().startswith("<svg")
    (ends,) = sheets(downloaded(page, page.locator("#ends"), "Download XLSX"))
    assert ends.max_row == 1 + page.locator("#ends tbody tr").count()
    assert violations(page) == []
    picture(page, "simulation-result")
    page.get_by_role("link", name="Edit and run again").click()
    expect(page.get_by_label("Scenario file")).to_have_value(re.compile("regulars"))
    page.get_by_role("button", name="Show in the form").click()
    expect(page.get_by_label("Name", exact=True).first).to_have_value("regulars")


def test_an_uploaded_file_is_used_as_it_is_and_all_its_problems_are_listed(
    visit: Visit, picture: Picture, tmp_path: Path
) -> None:
    page = signed_in(visit, "demo-auditor", "/simulation")
    expect(page.get_by_text(re.compile("^✓ Ready"))).to_be_visible()
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(SCENARIO.replace("hours = 2.5", "hours = 0").replace('"all-lows"', '"all-lovs"') + "# mine\n")
    page.get_by_label("Choose a file").set_input_files(wrong)
    expect(page.get_by_label("Scenario file")).to_have_value(wrong.read_text())
    found = page.locator(".wrongs li")
    expect(found.filter(has_text="hours")).to_contain_text("write a number above 0")
    expect(found.filter(has_text="players[1].bets[1].wager")).to_contain_text("did you mean all-lows")
    expect(page.get_by_role("button", name="Start", exact=True)).to_be_disabled()
    assert violations(page) == []
    picture(page, "simulation-wrong")
    page.get_by_role("button", name="Show in the form").click()
    expect(page.get_by_label("Hours", exact=True)).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Hours", exact=True).fill("2.5")
    expect(page.get_by_label("Hours", exact=True)).not_to_have_attribute("aria-invalid", "true")


def test_one_run_at_a_time_is_watched_and_stopped(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-manager", "/simulation")
    expect(page.get_by_text(re.compile("^✓ Ready"))).to_be_visible()
    file = page.get_by_label("Scenario file")
    file.fill(LONG)
    expect(page.get_by_text("Ready: 7 players, 10,000 nights.")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()
    bar = page.get_by_role("progressbar", name="Progress of the run")
    expect(bar).to_have_attribute("aria-valuetext", re.compile("nights per second"))
    expect(page.locator(".run-how")).to_contain_text("left")
    assert violations(page) == []
    picture(page, "simulation-running")
    other = signed_in(visit, "demo-auditor", "/simulation")
    expect(other.get_by_text("A simulation is running.")).to_be_visible()
    expect(other.get_by_text(re.compile("^✓ Ready"))).to_be_visible()
    other.get_by_role("button", name="Start", exact=True).click()
    expect(other.get_by_role("alert").filter(has_text="demo-manager")).to_contain_text("is in progress")
    picture(other, "simulation-refused")
    other.close()
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("nights were simulated before it was stopped")).to_be_visible()
    expect(page.get_by_role("heading", name="House", exact=True)).to_be_visible()


@pytest.mark.thorough
def test_the_pages_fit_a_phone(visit: Visit, finished: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-manager", "/simulation", width=360, height=800)
    expect(page.get_by_text(re.compile("^✓ Ready"))).to_be_visible()
    expect(page.locator(".recent-runs li").first).to_be_visible()
    assert fits(page)
    assert violations(page) == []
    picture(page, "simulation-phone")
    page.goto(f"/simulation?run={finished}")
    expect(page.locator(".plot").first).to_be_visible()
    assert fits(page)
    assert violations(page) == []
    picture(page, "simulation-result-phone")


def test_the_pages_speak_chinese(visit: Visit, finished: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-manager", "/simulation", language="zh")
    expect(page.get_by_role("heading", level=1)).to_have_text("模擬營業")
    expect(page.get_by_text(re.compile("^✓ 可以開始"))).to_be_visible()
    expect(page.get_by_label("名稱", exact=True)).to_have_value("平注玩家")
    expect(page.get_by_label("本金（USD）", exact=True)).to_be_visible()
    assert english(page) == set()
    picture(page, "simulation-chinese")
    page.get_by_label("本金").first.fill("much")
    wrong = page.locator(".wrongs li")
    expect(wrong.first).to_contain_text("不是金額")
    expect(wrong.first.locator('[lang="en"]')).to_have_count(0)
    expect(page.locator(".players-card, main").get_by_text("不是金額").first).to_be_visible()
    all_chinese(page)
    assert english(page) == set()
    picture(page, "simulation-wrong-chinese")
    page.goto(f"/simulation?run={finished}")
    expect(page.get_by_role("heading", name="莊家", exact=True)).to_be_visible()
    assert english(page) == set()
    assert violations(page) == []
    picture(page, "simulation-result-chinese")


def test_a_player_reads_whom_the_page_is_for(visit: Visit) -> None:
    page = signed_in(visit, "demo-ann", "/simulation")
    expect(page.get_by_text("Simulations are for managers and auditors")).to_be_visible()
    expect(page.get_by_role("link", name="Simulation", exact=True)).to_have_count(0)
