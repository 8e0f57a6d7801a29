"""Webhooks: a manager adds one, watches its deliveries, tests, pauses and removes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House, Houses
from tests.browser.people import ApiUser, signed_in
from tests.browser.test_chinese import QUOTED, all_chinese, english
from tests.browser.test_office import TABLE, comes_to_fit, fact
from tests.browser.windows import resize
from tests.server.webhooks.receiver import Receiver
from tests.soaking import thorough

pytestmark = pytest.mark.own_house

PAGE = "/floor/webhooks"
SETTLED = 3
"""The messages of a round: losers collected, winners paid, round ended."""
Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def own_house(houses: Houses) -> Iterator[House]:
    """Start a house that may send webhooks to this machine."""
    with houses.open(PITBOOK_WEBHOOK_NETWORKS="127.0.0.0/8") as house:
        yield house


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as one:
        yield one


@pytest.fixture
def webhook(manager: ApiUser, receiver: Receiver) -> Iterator[str]:
    """Add a webhook to the receiver and return its secret; remove it afterwards."""
    added = manager.client.post("/api/v1/webhooks", json={"url": receiver.url, "topics": ["settlements"]}).json()
    yield added["secret"]
    manager.client.delete(f"/api/v1/webhooks/{added['id']}")


def one_webhook(page: Page, url: str) -> Locator:
    return page.get_by_role("region", name=url)


def test_a_manager_adds_a_webhook_and_sees_its_secret_once(
    visit: Visit, receiver: Receiver, dealer: ApiUser, ann: ApiUser
) -> None:
    page = signed_in(visit, "demo-manager", PAGE)
    expect(page.get_by_text("No webhooks")).to_be_visible()
    page.get_by_role("button", name="Add webhook").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Address").fill("http://cage.example/hook")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("https")
    dialog.get_by_label("Address").fill(receiver.url)
    dialog.get_by_role("button", name="Add", exact=True).click()
    secret = page.get_by_role("textbox", name="Signing secret").input_value()
    assert secret.startswith("whsec_")
    dialog.get_by_role("button", name="Close").last.click()
    expect(page.get_by_text(secret)).to_have_count(0)

    added = one_webhook(page, receiver.url)
    expect(added.get_by_text("Up to date")).to_be_visible()
    expect(fact(page, "Last delivery")).to_have_text("None yet")
    assert ann.bets("small", 500).status_code == 200
    dealer.table(TABLE).play_round(1, 2, 3)
    receiver.until(lambda found: len(found) == SETTLED)
    assert all(one.signed_by(secret) for one in receiver.received)
    expect(fact(page, "Delivered")).to_have_text(str(SETTLED))
    added.get_by_text("Recent deliveries").click()
    rows = added.locator("tbody tr")
    expect(rows).to_have_count(SETTLED)
    expect(rows.first).to_contain_text("Settlements")
    expect(rows.first).to_contain_text("200")

    added.get_by_role("button", name="New secret").click()
    page.get_by_role("dialog").get_by_role("button", name="New secret").click()
    new = page.get_by_role("textbox", name="Signing secret").input_value()
    assert new not in ("", secret)
    page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    added.get_by_role("button", name="Send test").click()
    expect(added.get_by_role("status")).to_have_text("Test accepted: the receiver answered 200.")
    assert receiver.received[-1].signed_by(new)
    assert receiver.received[-1].payload["type"] == "test"

    added.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No webhooks")).to_be_visible()


def test_a_paused_webhook_shows_what_waits_and_sends_it_when_it_is_resumed(
    visit: Visit, receiver: Receiver, webhook: str, dealer: ApiUser, ann: ApiUser
) -> None:
    page = signed_in(visit, "demo-manager", PAGE)
    one = one_webhook(page, receiver.url)
    one.get_by_role("button", name="Pause").click()
    expect(one.get_by_text("Paused")).to_be_visible()
    assert ann.bets("small", 500).status_code == 200
    dealer.table(TABLE).play_round(1, 2, 3)
    expect(fact(page, "Pending")).to_have_text(str(SETTLED))
    assert receiver.received == []
    one.get_by_role("button", name="Resume").click()
    receiver.until(lambda found: len(found) == SETTLED)
    expect(fact(page, "Pending")).to_have_text("0")
    expect(one.get_by_text("Up to date")).to_be_visible()
    assert all(found.signed_by(webhook) for found in receiver.received)


@pytest.mark.parametrize("look", ["paper", *thorough("felt")])
def test_a_failing_webhook_says_since_when_and_why_in_both_languages(
    visit: Visit, receiver: Receiver, webhook: str, dealer: ApiUser, picture: Picture, look: str
) -> None:
    receiver.status = 503
    dealer.table(TABLE).play_round(4, 5, 6)
    receiver.until(len)
    for language in ("en", "zh-Hant"):
        page = signed_in(visit, "demo-manager", PAGE, look=look, language=language)
        one = one_webhook(page, receiver.url)
        since, why, test = {
            "en": ("Failing since", "The receiver didn't accept the message.", "Send test"),
            "zh-Hant": ("未能送達，始於", "接收系統沒有接受通知。", "傳送測試"),
        }[language]
        expect(fact(page, since)).to_be_visible()
        one.locator("summary").click()
        expect(one.locator("tbody tr").first).to_contain_text(why)
        one.get_by_role("button", name=test).click()
        expect(one.get_by_role("status")).to_contain_text("503")
        if language != "en":
            all_chinese(page)
            assert english(page, QUOTED) == set()
        for width in (1440, 390):
            resize(page, width)
            comes_to_fit(page)
            assert violations(page) == []
            picture(page, f"webhooks-{width}-{look}-{language}")


def test_an_auditor_reads_and_changes_nothing(visit: Visit, receiver: Receiver, webhook: str) -> None:
    page = signed_in(visit, "demo-auditor", PAGE)
    one = one_webhook(page, receiver.url)
    expect(one).to_be_visible()
    expect(page.get_by_text("Only managers can add or change webhooks.")).to_be_visible()
    expect(page.locator("main").get_by_role("button")).to_have_count(0)


def test_others_find_no_such_page(visit: Visit) -> None:
    page = signed_in(visit, "demo-dealer", PAGE)
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
