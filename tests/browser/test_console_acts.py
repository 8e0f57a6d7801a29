"""Acts of staff on the console: dice taken out or not flat, checks point by point, rulings, claims, witnesses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pitbook.server.demo import PASSWORD
from tests.browser.axe import violations
from tests.browser.floors import CHIPS, Console, Floor, open_dialog

pytestmark = pytest.mark.own_house

MASSACHUSETTS, MARYLAND, SINGAPORE = "massachusetts", "maryland", "singapore"
ANN, DEALER, PIT, BOSS = "demo-ann", "demo-dealer", "demo-pit-supervisor", "demo-manager"
Picture = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def floor(floor: Floor) -> Floor:
    """Singapore's table is dealt by hand."""
    floor.reopen(SINGAPORE, automatic=None)
    floor.command(PIT, "pit-supervisor", SINGAPORE, type="PutDice", set="set 1")
    floor.check_all(SINGAPORE, PIT, "pit-supervisor")
    floor.command(DEALER, "dealer", SINGAPORE, type="TakeOver")
    floor.command(DEALER, "dealer", SINGAPORE, type="BuyIn", amount=CHIPS, player=ANN)
    return floor


@pytest.mark.thorough
def test_ma_1_dice_are_taken_out_with_a_reason_and_destroyed(floor: Floor, console: Console, picture: Picture) -> None:
    dealers = console(MASSACHUSETTS)
    dealers.get_by_role("button", name="Remove the dice").tap()
    dialog = dealers.get_by_role("dialog")
    expect(dialog.get_by_label("Reason")).to_be_visible()
    expect(dialog.get_by_label("What happens to the set?")).to_have_count(0)
    dialog.get_by_role("button", name="Cancel").tap()
    page = console(MASSACHUSETTS, "demo-casino-supervisor")
    page.get_by_role("button", name="Remove the dice").tap()
    dialog = page.get_by_role("dialog")
    go = dialog.get_by_role("button", name="Remove the dice")
    expect(go).to_be_disabled()
    dialog.get_by_label("Reason").fill("a chipped corner")
    dialog.get_by_label("What happens to the set?").select_option("destroyed")
    picture(page, "console-take-out")
    assert violations(page) == []
    go.tap()
    expect(dialog).to_be_hidden()
    assert floor.page(MASSACHUSETTS)["staff"]["equipment"]["dice"] is None
    sets = floor.who(BOSS).client.get("/api/v1/dice").json()["sets"]
    assert [one["standing"] for one in sets if one["set"] == "demo set 1"] == ["destroyed"]
    floor.command("demo-casino-supervisor", "casino-supervisor", MASSACHUSETTS, type="PutDice", set="another set")
    expect(page.get_by_text("another set")).to_be_visible()


def test_ma_6a_a_die_that_is_not_flat_is_called_at_the_reveal(floor: Floor, console: Console, picture: Picture) -> None:
    game = floor.table(MASSACHUSETTS)
    floor.bet(MASSACHUSETTS, ANN, small=1000)
    before = floor.balance(MASSACHUSETTS, ANN)
    game.take_steps(until="uncover")
    page = console(MASSACHUSETTS)
    due = page.locator(".due")
    expect(due).to_contain_text("Are all dice flat?")
    due.get_by_role("button", name="No N", exact=True).tap()
    expect(due).to_contain_text("A die isn't flat.")
    picture(page, "console-not-flat")
    due.get_by_role("button", name="Call “No Roll”").tap()
    expect(page.locator(".due")).to_contain_text("No more bets")
    assert floor.balance(MASSACHUSETTS, ANN) == before + 1000


@pytest.mark.thorough
def test_md_5A_a_point_that_is_not_met_stops_play_with_its_clause(
    floor: Floor, console: Console, picture: Picture
) -> None:
    floor.reopen(MARYLAND)
    floor.command(DEALER, "dealer", MARYLAND, type="TakeOver")
    floor.command("demo-floorperson", "floorperson", MARYLAND, type="PutDice", set="Maryland set")
    page = console(MARYLAND, "demo-floorperson")
    page.get_by_role("button", name="Check").first.tap()
    dialog = page.get_by_role("dialog")
    boxes = dialog.get_by_role("checkbox")
    expect(dialog.get_by_role("status")).to_contain_text("not met")
    for place in range(1, boxes.count()):
        boxes.nth(place).check()
    expect(dialog.get_by_role("status")).to_have_text("1 point not met")
    picture(page, "console-check-points")
    assert violations(page) == []
    dialog.get_by_role("button", name="Record").tap()
    expect(dialog).to_be_hidden()
    checked = floor.page(MARYLAND)["staff"]["equipment"]["to_check"]
    (failed,) = [thing for thing in checked if thing["result"] == "failed"]
    assert (failed["points"][0]["result"], failed["points"][0]["clause"]) == ("failed", ["2.A"])
    expect(page.get_by_text("failed").first).to_be_visible()


@pytest.mark.thorough
def test_sg_5_9_the_equipment_is_reset_before_the_dice_are_entered(
    floor: Floor, console: Console, picture: Picture
) -> None:
    game = floor.table(SINGAPORE)
    game.take_steps(until="open")
    game.take("open")
    floor.bet(SINGAPORE, ANN, small=1000)
    game.take_steps(until="press-deal")
    floor.command(DEALER, "dealer", SINGAPORE, type="Call", irregularity="deal-not-pressed")
    game.take_steps(until="reset-equipment")
    page = console(SINGAPORE)
    due = page.locator(".due")
    expect(due).to_contain_text("Reset")
    picture(page, "console-reset")
    due.get_by_role("button", name="Done").tap()
    expect(due).to_contain_text("Enter the numbers")
    assert game.due() == "enter-dice"
    game.play_round()


@pytest.mark.thorough
def test_sg_6_1_a_ruling_in_words_returns_one_wager(floor: Floor, console: Console, picture: Picture) -> None:
    game = floor.table(SINGAPORE)
    game.take_steps(until="open")
    game.take("open")
    floor.bet(SINGAPORE, ANN, small=1000, big=500)
    before = floor.balance(SINGAPORE, ANN)
    game.take_steps(until="collect")
    floor.command(DEALER, "dealer", SINGAPORE, type="Call", irregularity="not-covered", words="a glass fell on Big")
    page = console(SINGAPORE, "demo-gaming-shift-manager")
    form = page.locator(".rulings form")
    form.get_by_label("Reason").fill("the glass covered Big: that wager is returned")
    form.get_by_label("Big").select_option("returned")
    picture(page, "console-ruling")
    assert violations(page) == []
    form.get_by_role("button", name="Record ruling").tap()
    expect(page.locator(".rulings")).to_have_count(0)
    game.play_round()
    assert floor.balance(SINGAPORE, ANN) == before + 500 + 2000


@pytest.mark.thorough
def test_two_claims_are_decided_apart_and_one_is_refused_with_a_reason(
    floor: Floor, console: Console, picture: Picture
) -> None:
    game, rounds = floor.table(SINGAPORE), []
    for _ in range(2):
        game.take_steps(until="open")
        game.take("open")
        rounds.append(floor.page(SINGAPORE)["view"]["round"])
        floor.bet(SINGAPORE, ANN, small=1000)
        game.play_round()
        floor.command(ANN, "player", SINGAPORE, type="Dispute", round=rounds[-1], words="the second die was a four")
    page = console(SINGAPORE, PIT)
    first, second = (page.locator(".question").filter(has_text=f"Round {one} is disputed") for one in rounds)
    first.get_by_label("Reason").fill("the recording shows a two")
    expect(second.get_by_label("Reason")).to_have_value("")
    expect(second.get_by_role("button", name="Reject the claim")).to_be_disabled()
    picture(page, "console-claims")
    first.get_by_role("button", name="Reject the claim").tap()
    expect(first).to_have_count(0)
    expect(second).to_be_visible()
    assert floor.page(SINGAPORE)["staff"]["disputed"] == [rounds[1]]
    body = floor.who(BOSS).client.get(f"/api/v1/journal/{SINGAPORE}", params={"kind": "DisputeSettled"}).json()
    assert body["entries"][-1]["event"]["upheld"] is False


def test_a_witness_confirms_with_a_pin_at_the_console(floor: Floor, console: Console, picture: Picture) -> None:
    manager, witness = floor.who(BOSS).client, floor.who("demo-casino-supervisor").client
    assert (
        manager.put(
            "/api/v1/policy", json={"registration": True, "real_money_automatic": False, "witness": "confirmed"}
        ).status_code
        == 200
    )
    assert witness.put("/api/v1/me/pin", json={"password": PASSWORD, "pin": "480263"}).status_code == 200
    setup = floor.page(MASSACHUSETTS, BOSS)["rules"]["setup"]
    floor.command(BOSS, "manager", MASSACHUSETTS, type="ChangeSetup", setup={**setup, "witness": "confirmed"})
    floor.table(MASSACHUSETTS).take_steps(until="announce-dice")
    page = console(MASSACHUSETTS)
    expect(page.locator(".due")).to_contain_text("Call the value of each die")
    dialog = open_dialog(page, page.get_by_role("button", name="Call… The electrical device fails"))
    dialog.get_by_role("checkbox", name="Casino supervisor 1").check()
    pin = dialog.get_by_label("Casino supervisor 1's PIN")
    pin.fill("111222")
    picture(page, "console-witness-pin")
    dialog.get_by_role("button", name="Call it").tap()
    expect(dialog.get_by_role("alert")).to_contain_text("PIN")
    assert floor.page(MASSACHUSETTS)["staff"]["called"] == []
    pin.fill("480263")
    dialog.get_by_role("button", name="Call it").tap()
    expect(dialog.get_by_text("Result")).to_be_visible()
    assert floor.page(MASSACHUSETTS)["staff"]["called"] == ["device-malfunction"]
