"""Signing in and out."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pitbook.server.demo import MANAGER_NAME, PASSWORD
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser, signed_in
from tests.browser.test_lobby import LOOKS, SIZES, fits
from tests.browser.windows import resize


@pytest.mark.thorough
@pytest.mark.parametrize("look", LOOKS)
def test_the_sign_in_page_has_nothing_wrong(visit: Visit, picture: Callable[[Page, str], None], look: str) -> None:
    page = visit("/sign-in", look=look)
    expect(page.get_by_role("heading", name="Demo house")).to_be_visible()
    for width in SIZES:
        resize(page, width)
        assert fits(page)
        assert violations(page) == []
        picture(page, f"sign-in-{look}-{width}")


def test_a_person_signs_in_by_password_stays_signed_in_and_signs_out(visit: Visit) -> None:
    page = visit("/sign-in?to=%2Fbooks")
    page.get_by_label("Name", exact=True).fill("demo-ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/books")
    page.reload()
    expect(page.get_by_role("link", name="Ann")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()


def test_a_wrong_password_is_explained_in_words(visit: Visit, picture: Callable[[Page, str], None]) -> None:
    page = visit("/sign-in")
    page.get_by_label("Name", exact=True).fill("demo-ann")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="Wrong name or password")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("demo-ann")
    picture(page, "sign-in-refused")


def test_a_demo_house_lets_a_visitor_be_anyone(visit: Visit) -> None:
    page = visit("/sign-in")
    page.get_by_role("button", name="Demo manager").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Floor")).to_be_visible()
    expect(page.get_by_role("banner").get_by_role("link", name="Audit", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("person", "place", "way"),
    [
        ("Demo manager", "/floor", "Floor"),
        ("Floorperson 1", "/floor", "Floor"),
        ("Demo auditor", "/audit", "Audit"),
        ("Dealer 1", "/tables/[a-z-]+/dealer", "Console"),
        ("Ann", "/", "Tables"),
    ],
)
def test_people_land_where_they_work_and_find_the_way_back(
    visit: Visit, demo_address: str, person: str, place: str, way: str
) -> None:
    page = visit("/sign-in")
    page.locator(".person").filter(has=page.get_by_text(person, exact=True)).click()
    workplace = re.compile(f"^{re.escape(demo_address)}{place}$")
    expect(page).to_have_url(workplace)
    ways = page.get_by_role("banner").get_by_role("navigation")
    expect(ways.get_by_role("link", name=way, exact=True)).to_have_attribute("aria-current", "page")
    ways.get_by_role("link", name="Books").click()
    ways.get_by_role("link", name=way, exact=True).click()
    expect(page).to_have_url(workplace)


def test_a_dealer_lands_at_the_console_that_the_browser_showed_last(visit: Visit, demo_address: str) -> None:
    page = signed_in(visit, "demo-dealer", "/tables/massachusetts/dealer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Dealer console")
    page.context.clear_cookies()
    page.goto("/sign-in")
    page.locator(".person").filter(has=page.get_by_text("Dealer 1", exact=True)).click()
    expect(page).to_have_url(f"{demo_address}/tables/massachusetts/dealer")


def test_a_link_works_once_and_leaves_the_address(visit: Visit, demo_address: str) -> None:
    manager = ApiUser(demo_address, MANAGER_NAME)
    with manager.client as client:  # for a person that no other test uses
        assert client.post("/api/v1/people", json={"name": "lin", "shown": "Lin", "roles": []}).status_code == 201
        link = client.post("/api/v1/people/lin/link").json()["link"]
    page = visit("/sign-in#" + link.partition("#")[2])
    page.get_by_label("New password").fill("a new password for lin")
    expect(page).to_have_url(f"{demo_address}/sign-in")
    page.get_by_role("button", name="Use the link").click()
    expect(page.get_by_role("link", name="Lin")).to_be_visible()


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_nobody_is_led_away_by_the_address(visit: Visit, demo_address: str, to: str) -> None:
    page = visit(f"/sign-in?to={to}")
    page.get_by_role("button", name="Chen").click()
    expect(page.get_by_role("link", name="Chen")).to_be_visible()
    expect(page).to_have_url(f"{demo_address}/")


@pytest.mark.parametrize(
    "to", ["//evil.example", "/%5Cevil.example", "/%09/evil.example", "/%0A/evil.example", "/..//evil.example"]
)
def test_after_the_sign_in_nobody_is_led_to_another_house(visit: Visit, demo_address: str, to: str) -> None:
    page = visit(f"/sign-in?to={to}")
    page.get_by_role("button", name="Demo manager").click()
    page.wait_for_url(f"{demo_address}/")
    page.goto(f"/sign-in?to={to}")
    assert page.get_by_role("link", name="Continue").evaluate("link => link.href") == f"{demo_address}/"


@pytest.mark.parametrize("address", ["/floor/%E0%A4%A", "/audit/%FF/x", "/tables/%FF"])
def test_an_address_that_is_not_text_leads_to_page_not_found(visit: Visit, address: str) -> None:
    expect(visit(address).get_by_role("heading", name="Page not found")).to_be_visible()


@pytest.mark.thorough
def test_a_page_whose_session_ends_says_so_and_links_to_the_sign_in(visit: Visit) -> None:
    page = signed_in(visit, "demo-manager", "/floor")
    expect(page.get_by_role("heading", name="Floor")).to_be_visible()
    page.context.clear_cookies()
    data = page.get_by_role("alert").filter(has_text="Your session has ended")
    expect(data).to_be_visible()
    expect(page.get_by_role("heading", name="Floor")).to_be_visible()
    data.get_by_role("button", name="Sign in again").click()
    page.get_by_role("dialog").get_by_role("link", name="Other ways").click()
    expect(page).to_have_url(re.compile(r"/sign-in\?to=%2Ffloor"))
    expect(data).to_have_count(0)
