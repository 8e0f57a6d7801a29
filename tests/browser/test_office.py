"""The office: money by two persons, hold and dice, disputes, approvals and people."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Locator, Page, expect

from pitbook.server.demo import PASSWORD
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import ApiUser, signed_in
from tests.browser.test_chinese import QUOTED, all_chinese, english
from tests.browser.test_lobby import wholly_shown

pytestmark = pytest.mark.own_house

TABLE = "massachusetts"
NAME = "Table 1"
DESK = f"/floor/tables/{TABLE}"
SUPERVISOR = "demo-casino-supervisor"
Picture = Callable[[Page, str], None]


def card(page: Page, title: str) -> Locator:
    """Return a section of the page by its heading."""
    return page.locator(".card", has=page.get_by_role("heading", name=title))


def fact(page: Page, name: str) -> Locator:
    """Return the value below a label."""
    return page.locator(".office-facts > div", has=page.locator("dt", has_text=name)).locator("dd").first


def comes_to_fit(page: Page) -> None:
    """Check that the loaded page has no horizontal overflow."""
    assert page.viewport_size is not None
    expect(page.locator("html")).to_have_js_property("scrollWidth", page.viewport_size["width"])


@pytest.mark.thorough
def test_exposure_rises_with_bets_and_the_worst_throw_is_named(
    visit: Visit, ann: ApiUser, dealer: ApiUser, picture: Picture
) -> None:
    page = signed_in(visit, "demo-manager", f"{DESK}/money")
    expect(page.get_by_text("No bets: no exposure")).to_be_visible()
    assert ann.bets("three-of-a-kind/6", 1000).status_code == 200
    expect(fact(page, "On the layout")).to_have_text("US$10.00")
    worst = fact(page, "Worst throw")
    expect(worst.get_by_role("img")).to_have_attribute("aria-label", "Dice 6, 6, 6")
    first = worst.locator(".amount").inner_text()
    assert first.startswith("−US$")
    expect(page.locator(".heat-cell")).to_have_count(56)
    expect(page.locator(".heat-worst")).to_have_attribute("data-throw", "6-6-6")
    assert ann.bets("three-of-a-kind/6", 2000).status_code == 200
    expect(fact(page, "On the layout")).to_have_text("US$30.00")
    expect(worst.locator(".amount")).not_to_have_text(first)
    page.get_by_text("All throws as a table").click()
    rows = page.locator("details .figures tbody tr")
    expect(rows).to_have_count(56)
    expect(rows.first).to_contain_text("−US$")
    assert violations(page) == []
    picture(page, "office-exposure")
    dealer.table(TABLE).play_round(1, 2, 3)
    expect(page.get_by_text("No bets: no exposure")).to_be_visible()


def test_a_fill_and_a_credit_are_signed_by_a_second_person_in_a_second_window(visit: Visit, picture: Picture) -> None:
    page = signed_in(visit, SUPERVISOR, f"{DESK}/money")
    before = fact(page, "Float").inner_text()
    filled = page.locator('.inventory tbody [data-name="Fills"]')
    expect(filled).to_have_text(["US$50,000.00"] * 2)  # the day began before the shift and its first fill
    expect(page.get_by_text("Each row counts from its own start")).to_be_visible()
    form = page.locator("form.carrying")
    for width, height in ((1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        for label in ("Action", "Second person"):
            assert wholly_shown(form.get_by_label(label)), (width, label)
    form.get_by_label("Amount").fill("five hundred")
    form.get_by_role("button", name="Request signature").click()
    expect(form.get_by_text("Enter a valid amount")).to_be_visible()
    form.get_by_label("Amount").fill("1,500")
    form.get_by_role("button", name="Request signature").click()
    own = page.locator(".card-wanted", has_text="US$1,500.00 in chips, from the cage")
    expect(own).to_contain_text("This is your own request: someone else must approve it.")
    expect(own.get_by_role("button", name="Approve")).to_have_count(0)

    second = signed_in(visit, f"{SUPERVISOR}-2", "/floor/approvals")
    waiting = second.locator(".card-wanted", has_text="US$1,500.00 in chips, from the cage")
    expect(waiting).to_contain_text("Requested by Casino supervisor 1")
    assert violations(second) == []
    picture(second, "office-approvals")
    waiting.get_by_role("button", name="Approve").click()
    expect(second.get_by_text("No approvals pending")).to_be_visible()
    expect(second.locator(".lately li").first).to_contain_text("done")

    expect(fact(page, "Float")).not_to_have_text(before)
    row = card(page, "Recent movements").locator("tbody tr", has_text="+US$1,500.00")
    expect(row).to_contain_text("Casino supervisor 2")

    form.get_by_label("Action").select_option("Credit")
    form.get_by_label("Amount").fill("200")
    form.get_by_role("button", name="Request signature").click()
    leaving = second.locator(".card-wanted", has_text="US$200.00 in chips, from Table 1")
    leaving.get_by_role("button", name="Reject…").click()
    leaving.get_by_label("Reason").fill("the slip says 250")
    leaving.get_by_role("button", name="Reject request").click()
    expect(page.locator(".lately li").first).to_contain_text("the slip says 250")
    expect(page.locator(".lately li").first).to_contain_text("rejected")
    assert violations(page) == []
    picture(page, "office-money")


def test_what_the_table_refuses_is_shown_with_its_reason_and_can_be_withdrawn(visit: Visit) -> None:
    page = signed_in(visit, SUPERVISOR, f"{DESK}/money")
    form = page.locator("form.carrying")
    form.get_by_label("Action").select_option("Credit")
    form.get_by_label("Amount").fill("900000000")
    form.get_by_role("button", name="Request signature").click()
    expect(form.get_by_role("alert")).to_contain_text("in the float.")
    form.get_by_label("Action").select_option("closing")
    form.get_by_label("Amount counted").fill("1")
    # Two clicks before the page is drawn again are one request.
    form.get_by_role("button", name="Request signature").evaluate("button => { button.click(); button.click(); }")
    own = page.locator(".card-wanted", has_text="Closing count")
    expect(own).to_have_count(1)
    own.get_by_role("button", name="Withdraw").click()
    expect(own).to_have_count(0)
    expect(page.locator(".lately li").first).to_contain_text("withdrawn")


@pytest.mark.thorough
def test_hold_and_fairness_are_drawn_after_rounds_have_been_played(
    visit: Visit, ann: ApiUser, dealer: ApiUser, manager: ApiUser, picture: Picture
) -> None:
    random = Random(5)
    for _ in range(8):
        for wager in ("small", "total/9", "one-of-a-kind/3"):
            assert ann.bets(wager, 500).status_code == 200
        dice = random.choices(range(1, 7), k=3)
        dealer.table(TABLE).play_round(dice[0], dice[1], dice[2])
    hold = manager.client.get(f"/api/v1/tables/{TABLE}/hold").json()
    throws = hold["whole"]["throws"]
    assert throws >= 8
    page = signed_in(visit, "demo-manager", f"{DESK}/hold")
    expect(page.get_by_role("heading", name="Within the expected range")).to_be_visible()
    chart = page.locator(".chart svg")
    expect(chart).to_have_attribute("aria-label", re.compile(f"After {throws} throws the house is"))
    expect(chart.locator(".chart-band")).to_have_count(1)
    expect(page.get_by_role("row", name="One of a kind 1–6")).to_contain_text("inside")
    expect(page.get_by_role("row", name="Total 4–17")).to_be_visible()
    assert violations(page) == []
    picture(page, "office-hold")
    page.get_by_label("Period").select_option(label=f"Gaming day {hold['days'][-1]['day']}")
    expect(chart).to_have_attribute("aria-label", re.compile(f"After {throws} throws"))
    page.get_by_text("Chart data").click()
    expect(page.locator("details .figures tbody tr")).to_have_count(throws)

    page.goto(f"{DESK}/fairness")
    expect(page.get_by_role("heading", name="demo set 1: no evidence against these dice")).to_be_visible()
    thrown = fact(page, "Throws").inner_text()
    expect(page.locator(".chart-alarm")).to_contain_text("Alarm")
    counts = page.locator(".faces tbody td:nth-child(3)").all_inner_texts()
    assert sum(map(int, counts)) == 3 * int(thrown)
    assert violations(page) == []
    picture(page, "office-fairness")


def test_a_dispute_is_raised_and_decided_and_the_round_is_resettled(
    visit: Visit, ann: ApiUser, dealer: ApiUser, picture: Picture
) -> None:
    assert ann.bets("small", 500).status_code == 200
    number = dealer.table(TABLE).play_round(6, 6, 5)
    page = signed_in(visit, "demo-floorperson", f"{DESK}/disputes")
    expect(page.get_by_text("No disputes")).to_be_visible()
    raising = card(page, "Raise a dispute")
    raising.get_by_label("What is disputed?").fill("Ann says the last die was a one")
    raising.get_by_role("button", name="Raise dispute").click()
    frozen = card(page, "Open disputes")
    expect(frozen.get_by_role("link", name=f"Round {number}")).to_have_attribute(
        "href", f"/tables/{TABLE}/rounds/{number}"
    )
    expect(frozen.get_by_role("img")).to_have_attribute("aria-label", "Dice 5, 6, 6")
    expect(fact(page, "Staked in the round")).to_have_text("US$5.00")

    correcting = card(page, "Misread dice")
    correcting.get_by_label("Correct dice").fill("1 2 6")
    correcting.get_by_label("How do you know?").fill("the recording")
    correcting.get_by_role("button", name="Propose").click()
    expect(correcting.get_by_role("alert")).to_contain_text("is disputed, so its money is frozen")
    assert violations(page) == []
    picture(page, "office-disputes")

    frozen.get_by_label("Your ruling").fill("The recording shows 1 2 6")
    frozen.get_by_role("button", name="Uphold the claim").click()
    expect(page.get_by_text("No disputes")).to_be_visible()
    expect(card(page, "Decided disputes")).to_contain_text("The recording shows 1 2 6")
    correcting.get_by_role("button", name="Propose").click()
    expect(page.get_by_text("This is your own proposal: someone else must approve it.")).to_be_visible()

    second = signed_in(visit, SUPERVISOR, "/floor/approvals")
    waiting = second.locator(".card-wanted", has_text=f"Resettle round {number} at {NAME}")
    expect(waiting).to_contain_text("Requested by Floorperson 1")
    waiting.get_by_role("button", name="Approve").click()
    expect(waiting).to_have_count(0)
    expect(card(page, "Resettled rounds")).to_contain_text("approved by Casino supervisor 1")


def test_a_role_is_given_and_taken_and_a_conflict_is_explained(visit: Visit, picture: Picture) -> None:
    page = signed_in(visit, "demo-manager", "/floor/people")
    expect(page.locator(".persons li").first).to_be_visible()
    shown = page.locator(".persons a").all_inner_texts()
    assert shown == sorted(shown, key=str.casefold)
    assert violations(page) == []
    picture(page, "office-people")
    page.get_by_label("Name", exact=True).fill("audit")
    expect(page.locator(".persons li")).to_have_count(1)
    page.get_by_label("Name", exact=True).fill("")
    page.get_by_label("Role", exact=True).select_option(label="Player")
    expect(page.locator(".persons li")).to_have_count(3)
    page.get_by_label("Sign-in name").fill("lee")
    page.get_by_label("Display name").fill("Lee Wong")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="Lee Wong")).to_be_visible()

    roles = card(page, "Roles")
    roles.get_by_label("Role", exact=True).select_option(label="Dealer")
    roles.get_by_label("Where").select_option(TABLE)
    roles.get_by_role("button", name="Assign role").click()
    held = roles.locator(".grants li", has_text=f"at {NAME}")
    expect(held).to_contain_text("Dealer")
    roles.get_by_label("Role", exact=True).select_option(label="Player")
    roles.get_by_label("Where").select_option(TABLE)
    roles.get_by_role("button", name="Assign role").click()
    expect(roles.get_by_role("alert")).to_contain_text("Nobody can play at a table where they work")
    held.get_by_role("button", name="Remove role Dealer").click()
    expect(held).to_have_count(0)

    page.get_by_role("button", name="Create link").click()
    expect(page.locator(".one-time-link")).to_contain_text("#code=")
    assert violations(page) == []
    picture(page, "office-person")
    page.get_by_role("button", name="I've copied it").click()
    expect(page.locator(".one-time-link")).to_have_count(0)
    page.get_by_label("Reason").fill("left the house")
    page.get_by_role("button", name="Close account").click()
    expect(page.get_by_text("This account is closed")).to_be_visible()
    page.get_by_role("button", name="Reopen account").click()
    expect(page.get_by_role("button", name="Close account")).to_be_visible()


def test_a_role_is_given_to_several_people_at_once_with_a_result_for_each(
    visit: Visit, manager: ApiUser, picture: Picture
) -> None:
    page = signed_in(visit, "demo-manager", "/floor/people")
    page.get_by_label("Name", exact=True).fill("floorperson")
    for name in ("Floorperson 1", "Floorperson 2"):
        page.get_by_label(f"Select {name}", exact=True).check()
    page.get_by_label("Name", exact=True).fill("auditor")
    page.get_by_label("Select Demo auditor").check()
    several = page.locator(".several")
    expect(several).to_contain_text("3 people selected")
    several.get_by_label("Role", exact=True).select_option(label="Dealer")
    several.get_by_label("Where").select_option(TABLE)
    several.get_by_role("button", name="Assign role").click()
    results = several.locator(".several-results li")
    expect(results).to_have_count(3)
    expect(results.nth(0)).to_have_text(re.compile("✓ Floorperson 1"))
    expect(results.nth(1)).to_have_text(re.compile("✓ Floorperson 2"))
    expect(results.nth(2)).to_have_text(re.compile("✗ Demo auditor.*auditor"))
    assert violations(page) == []
    picture(page, "office-several")
    entries = manager.client.get("/api/v1/journal/house", params={"kind": "RoleGiven", "before": 2**53}).json()[
        "entries"
    ]
    assert [one["event"]["person"] for one in entries[-2:]] == ["demo-floorperson", "demo-floorperson-2"]
    several.get_by_role("button", name="Remove role").click()
    expect(several.get_by_role("heading", name="removed")).to_be_visible()
    expect(results.nth(1)).to_have_text(re.compile("✓ Floorperson 2"))
    page.get_by_role("button", name="Clear selection").click()
    expect(several.get_by_role("button", name="Assign role")).to_have_count(0)


def test_an_exclusion_can_be_made_longer_and_not_shorter(visit: Visit, ben: ApiUser) -> None:
    until = {"until": "2098-01-31T12:00:00+00:00", "password": PASSWORD}
    assert ben.client.post("/api/v1/me/exclusion", json=until).status_code == 200
    page = signed_in(visit, "demo-manager", "/floor/people/demo-ben")
    limits = card(page, "Personal limits")
    limits.get_by_label("Excluded until").fill("2097-01-31")
    limits.get_by_role("button", name="Extend").click()
    expect(limits.get_by_role("alert")).to_contain_text("Nobody can shorten that")
    limits.get_by_label("Excluded until").fill("2099-01-31")
    limits.get_by_role("button", name="Extend").click()
    expect(limits).to_contain_text("2099")


def test_dice_that_agree_too_often_raise_an_alarm_and_the_hold_leaves_its_band(
    visit: Visit, ann: ApiUser, dealer: ApiUser, picture: Picture
) -> None:
    page = signed_in(visit, "demo-auditor", "/floor/alarms")
    expect(page.get_by_text("No alarms")).to_be_visible()
    assert violations(page) == []
    for face in (6, 1, 5, 2, 6, 3, 4):
        assert ann.bets("any-three-of-a-kind", 500, "maryland").status_code == 200
        dealer.table("maryland").play_round(face, face, face)
    page.reload()
    raised = card(page, "Dice are very unlikely to be fair")
    expect(raised).to_contain_text("Remove the set")
    assert violations(page) == []
    picture(page, "office-alarms")
    raised.get_by_role("link", name="Go to table").click()
    expect(page.get_by_role("heading", name="demo set 2: very unlikely to be fair")).to_be_visible()
    expect(page.locator(".kinds li").first).to_contain_text("Too many triples")
    expect(page.locator(".fairness").get_by_role("alert")).to_contain_text("have it measured")
    assert violations(page) == []
    picture(page, "office-fairness-alarm")
    page.goto("/floor/tables/maryland/hold")
    expect(page.get_by_role("heading", name="Outside the expected range")).to_be_visible()
    expect(page.locator(".hold").get_by_role("alert")).to_contain_text("less than expected")
    expect(page.get_by_role("row", name="Any three of a kind")).to_contain_text("outside")
    assert violations(page) == []
    picture(page, "office-hold-outside")
    page.get_by_role("button", name="繁體中文").click()
    page.goto("/floor/alarms")
    raised = card(page, "骰子極可能不公平")
    expect(raised).to_contain_text("骰子「demo set 2」極可能並不公平（於第")
    all_chinese(page)
    assert english(page, QUOTED) == set()
    picture(page, "office-alarms-zh")


def test_at_craps_the_rest_of_the_hand_is_described(visit: Visit, ann: ApiUser, picture: Picture) -> None:
    assert ann.bets("all-lows", 500, "dice-works").status_code == 200
    page = signed_in(visit, "demo-manager", "/floor/tables/dice-works/money")
    expect(fact(page, "Maximum loss over the rest of the hand")).to_contain_text("−US$")
    expect(page.locator(".heat-cell")).to_have_count(21)
    picture(page, "office-craps")


def test_an_auditor_reads_and_changes_nothing(visit: Visit) -> None:
    page = signed_in(visit, "demo-auditor", "/floor/people")
    expect(page.get_by_label("Visitors can create their own accounts")).to_be_disabled()
    expect(page.get_by_role("button", name="Add", exact=True)).to_have_count(0)
    page.goto(f"{DESK}/money")
    expect(fact(page, "Float")).to_be_visible()
    expect(page.locator(".office form")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_office_fits_a_phone(visit: Visit, ann: ApiUser, dealer: ApiUser, picture: Picture, language: str) -> None:
    assert ann.bets("big", 500).status_code == 200
    dealer.table(TABLE).play_round(2, 4, 5)
    assert ann.bets("big", 500).status_code == 200
    page = signed_in(visit, "demo-manager", f"{DESK}/money", width=360, height=780, language=language)
    for name, here in {
        "money": ".money .inventory",
        "hold": ".chart-line",
        "fairness": ".faces",
        "disputes": ".office .card",
    }.items():
        page.goto(f"{DESK}/{name}")
        expect(page.locator(here).first).to_be_visible()
        comes_to_fit(page)
        assert violations(page) == []
        picture(page, f"office-{name}-360-{language}")
    for address, here in {"people": ".persons li", "people/demo-ann": ".grants li", "approvals": ".office"}.items():
        page.goto(f"/floor/{address}")
        expect(page.locator(here).first).to_be_visible()
        comes_to_fit(page)
        assert violations(page) == []
        picture(page, f"office-{address.replace('/', '-')}-360-{language}")
