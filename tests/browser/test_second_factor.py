"""The second step of signing in: an authenticator app, recovery codes, a passkey of the browser; and its policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pitbook.server.demo import PASSWORD
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser
from tests.browser.test_lobby import fits
from tests.server.authenticators import code_of

pytestmark = pytest.mark.own_house

VIRTUAL = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module", autouse=True)
def policy(manager: ApiUser) -> None:
    """Require a second factor of auditors and supervisors."""
    chosen = manager.client.get("/api/v1/policy").json()
    del chosen["money"]
    roles = ["auditor", "casino-supervisor"]
    response = manager.client.put("/api/v1/policy", json={**chosen, "factor_roles": roles})
    assert response.status_code == 200, response.text


def sign_in(page: Page, name: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").first.fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def gate(page: Page) -> Any:
    return page.locator("dialog.gate")


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_second_step_has_nothing_wrong(
    visit: Visit, picture: Callable[[Page, str], None], language: str, demo_address: str
) -> None:
    for width in (360, 1440):
        page = visit("/sign-in", width=width, language=language)
        page.locator("input[autocomplete=username]").fill("demo-casino-supervisor-2")
        page.locator("input[type=password]").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(gate(page).get_by_role("heading")).to_be_visible()
        gate(page).get_by_role("button").first.click()
        expect(gate(page).locator("svg.qr")).to_be_visible()
        assert fits(page)
        assert violations(page) == []
        picture(page, f"second-factor-enrol-{language}-{width}")


def test_an_auditor_sets_up_an_app_then_signs_in_with_it_or_a_recovery_code(
    visit: Visit, demo_address: str, picture: Callable[[Page, str], None]
) -> None:
    page = visit("/sign-in")
    page.get_by_role("button", name="Demo auditor").click()
    expect(gate(page).get_by_role("heading", name="Set up a second factor")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(gate(page).get_by_role("heading", name="Set up a second factor")).to_be_visible()
    gate(page).get_by_role("button", name="Set up an authenticator app").click()
    gate(page).get_by_text("Can’t scan it?").click()
    secret = gate(page).locator(".totp-secret").inner_text().replace(" ", "")
    gate(page).get_by_label("Code", exact=True).fill("000000")
    gate(page).get_by_role("button", name="Add").click()
    expect(gate(page).get_by_role("alert")).to_contain_text("This code is wrong or has expired")
    gate(page).get_by_label("Code", exact=True).fill(code_of(secret, datetime.now(UTC)))
    gate(page).get_by_role("button", name="Add").click()
    expect(gate(page).get_by_role("heading", name="Save your recovery codes")).to_be_visible()
    codes = gate(page).locator(".recovery-codes code").all_inner_texts()
    assert len(codes) == 10
    picture(page, "second-factor-codes")
    gate(page).get_by_role("button", name="I’ve saved them").click()
    expect(page).to_have_url(f"{demo_address}/audit")
    expect(gate(page)).not_to_be_visible()

    page.get_by_role("banner").get_by_role("button", name="Sign out").click()
    page.goto("/sign-in?to=%2Fbooks")
    sign_in(page, "demo-auditor")
    expect(gate(page).get_by_role("heading", name="Confirm it’s you")).to_be_visible()
    assert violations(page) == []
    picture(page, "second-factor-confirm")
    gate(page).get_by_label("Code", exact=True).fill("000000")
    gate(page).get_by_role("button", name="Confirm").click()
    expect(gate(page).get_by_role("alert")).to_contain_text("The second factor is wrong")
    page.reload()
    expect(gate(page).get_by_role("heading", name="Confirm it’s you")).to_be_visible()
    gate(page).get_by_role("button", name="Use a recovery code").click()
    gate(page).get_by_label("Recovery code").fill(codes[0].upper())
    gate(page).get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Audit", exact=True)).to_be_visible()
    expect(gate(page)).not_to_be_visible()


def test_a_supervisor_sets_up_a_passkey_and_confirms_with_it(visit: Visit, demo_address: str) -> None:
    page = visit("/sign-in", fresh=True)
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    made = devices.send("WebAuthn.addVirtualAuthenticator", {"options": VIRTUAL})
    local = demo_address.replace("127.0.0.1", "localhost")
    page.goto(f"{local}/sign-in")
    sign_in(page, "demo-casino-supervisor")
    gate(page).get_by_role("button", name="Set up a passkey").click()
    gate(page).get_by_label("Name of this device").fill("Desk key")
    gate(page).get_by_role("button", name="Add").click()
    gate(page).get_by_role("button", name="I’ve saved them").click()
    expect(page).to_have_url(re.compile("/floor$"))

    page.goto(f"{local}/me")
    card = page.get_by_role("region", name="Second factor")
    expect(card.get_by_text("Desk key")).to_be_visible()
    page.get_by_role("banner").get_by_role("button", name="Sign out").click()
    page.goto(f"{local}/sign-in")
    sign_in(page, "demo-casino-supervisor")
    gate(page).get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(re.compile("/floor$"))
    (key,) = devices.send("WebAuthn.getCredentials", {"authenticatorId": made["authenticatorId"]})["credentials"]
    assert key["rpId"] == "localhost"
    assert key["signCount"] >= 1

    page.get_by_role("banner").get_by_role("button", name="Sign out").click()
    page.goto(f"{local}/sign-in")
    sign_in(page, "demo-casino-supervisor")
    devices.send("WebAuthn.setUserVerified", {"authenticatorId": made["authenticatorId"], "isUserVerified": False})
    gate(page).get_by_role("button", name="Use a passkey").click()
    expect(gate(page).get_by_role("alert")).to_contain_text("The passkey didn’t work")


def test_a_manager_sees_and_resets_a_persons_factors(
    visit: Visit, demo_address: str, picture: Callable[[Page, str], None]
) -> None:
    with ApiUser(demo_address, "demo-floorperson-2", fresh=True).client as client:
        secret = client.post("/api/v1/me/factors/totp").json()["secret"]
        first = {"code": code_of(secret, datetime.now(UTC)), "name": "Old phone"}
        assert client.post("/api/v1/me/factors/totp/confirmation", json=first).status_code == 200
    page = visit("/floor/people/demo-floorperson-2", name="demo-manager")
    card = page.locator(".card", has=page.get_by_role("heading", name="Second factors"))
    expect(card.get_by_text("Old phone")).to_be_visible()
    picture(page, "second-factor-person")
    card.get_by_label("Reason (recorded)").fill("lost the phone")
    card.get_by_role("button", name="Reset second factors").click()
    expect(page.get_by_text("Second factors reset.")).to_be_visible()
    expect(card).to_be_hidden()


def test_a_manager_chooses_the_policy_of_sign_ins(visit: Visit, picture: Callable[[Page, str], None]) -> None:
    page = visit("/floor/people", name="demo-manager")
    form = page.get_by_role("group", name="Roles that need a second factor")
    expect(form.get_by_label("Auditor")).to_be_checked()
    picture(page, "second-factor-policy")
    minutes = page.get_by_label("Lock an idle screen after (minutes)")
    minutes.fill("500")
    expect(page.get_by_text("Enter a whole number from 0 to 120.")).to_be_visible()
    minutes.fill("7")
    page.get_by_role("button", name="Save sign-in policy").click()
    expect(page.get_by_text("Policy saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Lock an idle screen after (minutes)")).to_have_value("7")
