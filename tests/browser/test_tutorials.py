"""Every tutorial in docs/tutorials is walked through, step by step, and its pictures are taken on the way."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from tests import loopback
from tests.browser.conftest import Visit
from tests.browser.floors import Floor
from tests.browser.houses import House
from tests.browser.lessons import TUTORIALS, Lesson
from tests.browser.live_house import BETTING, REST, end_betting, open_betting, reopen_betting, throw_dice
from tests.browser.rounds import until

pytestmark = pytest.mark.own_house

SIC_BO = "massachusetts"
AUTOMATIC = "singapore"
CRAPS, AUTOMATIC_CRAPS = "craps", "craps-automatic"
LIKED = ("small", "big", "total/9", "total/11", "one-of-a-kind/3")
Lessons = Callable[[str], Lesson]


@pytest.fixture(scope="module")
def floor(floor: Floor) -> Floor:
    """People have played a while, so that there is something to look at; where nobody deals, it continues when a test
    lets time pass."""
    for table in (AUTOMATIC, AUTOMATIC_CRAPS):
        setup = floor.page(table, "demo-manager")["rules"]["setup"]
        calm = {**setup["automatic"], "betting_seconds": BETTING, "rest_seconds": REST}
        floor.command("demo-manager", "manager", table, type="ChangeSetup", setup={**setup, "automatic": calm})
    assert floor.who("demo-ben").bets("even", 500, AUTOMATIC).status_code == 200
    assert floor.who("demo-ben").bets("little-ones", 100, "dice-ology").status_code == 200
    random = Random(11)
    for table in (SIC_BO, SIC_BO, SIC_BO, "maryland"):
        for player in ("demo-ben", "demo-chen"):
            for wager in random.sample(LIKED, 2):
                assert floor.who(player).bets(wager, random.choice((500, 1000, 2500)), table).status_code == 200
        floor.table(table).play_round(*random.choices(range(1, 7), k=3))
    return floor


@pytest.fixture
def lesson(visit: Visit, pictures: bool, update: bool) -> Lessons:
    return lambda name: Lesson(name, visit, pictures, update)


def test_every_tutorial_is_walked_through() -> None:
    walked = {name.removeprefix("test_the_").removesuffix("s_tutorial") for name in globals()}
    assert {page.stem.replace("-", "_") for page in TUTORIALS.glob("*.md")} <= walked


def due(page: Page, words: str) -> None:
    """Wait until this step is due and can be taken."""
    expect(page.locator(".due:not(.due-fresh) .due-says")).to_contain_text(words)


@pytest.mark.thorough
def test_the_dealers_tutorial(lesson: Lessons, floor: Floor) -> None:
    with lesson("dealer") as dealer:
        page = dealer.window()
        dealer.sign_in(page, "Dealer 1")
        dealer.press(page, "Floor")
        dealer.press(page.locator(f".floor-row[data-table={SIC_BO}]"), "Console")
        due(page, "Close betting")
        dealer.types(page, "b")
        form = page.get_by_role("dialog")
        dealer.fill(form, "Player", "demo-ann")
        dealer.select(form, "Area", "Small")

        dealer.fill(form, "Amount", "10")
        dealer.press(form, "Place bet")
        lines = page.locator(".lines li", has_text="Ann")
        expect(lines).to_have_count(1)
        expect(form).to_have_count(0)
        expect(page.locator(".acts [aria-keyshortcuts='b']")).to_be_enabled()
        dealer.types(page, "b")
        form.get_by_label("Player").first.fill("demo-ann")
        form.get_by_label("Area").select_option(label="Big")
        form.get_by_label("Amount").fill("5")
        dealer.done.append("Big")
        form.get_by_role("button", name="Place bet").click()
        expect(lines).to_have_count(2)
        expect(form).to_have_count(0)
        dealer.take_picture(page, "dealer-betting")
        dealer.types(page, "Enter")
        due(page, "shake it at least three times")
        dealer.types(page, "Enter")
        due(page, "Take the cover off")
        dealer.types(page, "Enter")
        due(page, "Call the value")
        dealer.types(page, "123")
        expect(page.locator(".typed")).to_have_attribute("aria-label", "Dice 1, 2, 3")
        dealer.take_picture(page, "dealer-dice")
        dealer.types(page, "Enter")
        due(page, "collect every losing wager")
        board = dealer.window(f"/tables/{SIC_BO}/board")
        lit = floor.page(SIC_BO)["view"]["lit"]
        expect(board.locator(".area-lit")).to_have_count(len(lit))
        dealer.take_picture(board, "dealer-board")
        dealer.take_picture(page, "dealer-pay", height=1000)
        for now in ("pay every winning wager", "Close betting"):
            dealer.types(page, "Enter")
            due(page, now)


@pytest.mark.thorough
def test_the_floors_tutorial(lesson: Lessons, floor: Floor) -> None:
    with lesson("floor") as night:
        page = night.window()
        night.sign_in(page, "Floorperson 1")
        night.press(page, "Floor")
        expect(page.locator(f".floor-row[data-table={SIC_BO}]")).to_be_visible()
        night.take_picture(page, "floor-tables", height=720)
        night.press(page.locator(f".floor-row[data-table={SIC_BO}]"), "Manage")
        night.press(page, "Money")
        form = page.locator("form.carrying")
        night.fill(form, "Amount", "1500")
        night.press(form, "Request signature")
        wanted = page.locator(".card-wanted", has_text="US$1,500.00")
        expect(wanted).to_contain_text("someone else must approve it")
        night.take_picture(page, "floor-fill", wanted)
        second = night.window()
        night.sign_in(second, "Casino supervisor 1")
        night.press(second, "Floor")
        night.press(second, "Approvals", exact=False)
        waiting = second.locator(".card-wanted", has_text="US$1,500.00")
        expect(waiting).to_be_visible()
        night.take_picture(second, "floor-approval")
        night.press(waiting, "Approve")
        expect(page.locator("tbody tr", has_text="+US$1,500.00")).to_contain_text("Casino supervisor")
        night.press(page, "Disputes")
        night.fill(page, "What is disputed?", "Ann says the last die was a one")
        night.press(page, "Raise dispute")
        expect(page.get_by_role("button", name="Uphold the claim")).to_be_visible()
        night.take_picture(page, "floor-dispute")
        night.fill(page, "Your ruling", "The recording shows the dice as called")
        night.press(page, "Uphold the claim")
        expect(page.get_by_text("No disputes")).to_be_visible()


def view_of(floor: Floor, table: str) -> dict[str, Any]:
    found: dict[str, Any] = floor.page(table)["view"]
    return found


def area(page: Page, name: str) -> Locator:
    return page.locator(f'.table-main > .layout [data-wager][aria-label^="{name}, "]')


@pytest.mark.thorough
def test_the_players_tutorial(lesson: Lessons, floor: Floor, own_house: House) -> None:
    with lesson("player") as player:
        page = player.window()
        expect(page.get_by_role("link", name="Go to table")).to_have_count(7)
        card = page.locator(".table-card", has_text="Singapore")
        rounds = f"/api/v1/tables/{AUTOMATIC}/rounds"
        own_house.advance_clock(BETTING)  # the bet of the fixture has started a countdown
        until(lambda: floor.who("demo-ann").client.get(rounds).json()["rounds"], "a round")
        expect(card.get_by_text("No results yet")).to_have_count(0)
        player.take_picture(page, "player-lobby", height=1000)
        player.press(card, "Go to table")
        expect(page.locator("[data-wager]").first).to_be_visible()
        player.sign_in(page, "Ann")
        reopen_betting(own_house, page)
        before = floor.who("demo-ann").client.get(rounds).json()["rounds"][0]["number"]
        player.types(page, "2")
        for name in ("Big", "Odd", "Total 11"):
            player.click(area(page, name), name)
        area(page, "Total 11").click(button="right")
        expect(page.locator(".rail-staked")).to_have_text("◇10.00")
        expect(page.locator(".countdown")).to_be_visible()
        expect(page.locator(".rail-most")).to_have_text("+◇10.00")
        player.take_picture(page, "player-bets")
        end_betting(own_house, page)
        expect(page.locator(".layout-lit")).to_be_visible()
        expect(page.locator(".result")).to_be_visible()
        player.take_picture(page, "player-lit")
        # The previous round is first for a moment: hers is the newest.
        hers = page.locator(".strip-round").first.filter(has=page.get_by_text(f"Round {before + 1}", exact=True))
        player.click(hers, "the newest one")
        expect(page.locator(".recall-lines tr")).to_have_count(2)
        expect(page.locator(".recall .area-lit").first).to_be_visible()
        player.take_picture(page, "player-round")
        player.press(page, "Link to this round")
        player.press(page, "Verify the dice yourself")
        expect(page.locator(".checked-verdict")).to_contain_text("Verified")
        player.take_picture(page, "player-proof")


@pytest.mark.thorough
def test_the_craps_players_tutorial(lesson: Lessons, floor: Floor, own_house: House) -> None:
    def view() -> dict[str, Any]:
        return view_of(floor, AUTOMATIC_CRAPS)

    with lesson("craps-player") as player:
        page = player.window(f"/tables/{AUTOMATIC_CRAPS}")
        player.sign_in(page, "Ann")
        open_betting(own_house, view)
        player.types(page, "2")
        player.click(area(page, "Pass line"), "Pass line")
        bets = page.locator(".hand-bets li")
        expect(bets).to_have_count(1)
        player.take_picture(page, "craps-player-line")
        throw_dice(own_house, view)
        open_betting(own_house, view)
        while view()["point"] is None:
            area(page, "Pass line").click()
            throw_dice(own_house, view)
            open_betting(own_house, view)
        player.press(page, "Odds on Pass line", exact=False)
        expect(bets).to_have_count(2)
        player.click(area(page, "Come"), "Come")
        expect(bets).to_have_count(3)
        player.take_picture(page, "craps-player-odds")
        player.press(page, "Roll 7", exact=False)
        expect(page.locator(".outlook-bets")).to_contain_text("Come")
        player.take_picture(page, "craps-player-seven", height=1000)
        player.press(page, "Remove bet on Pass line odds")
        expect(bets).to_have_count(2)
        throw_dice(own_house, view)
        expect(page.locator(".countdown")).to_have_count(0)
        player.take_picture(page, "craps-player-roll")


@pytest.mark.thorough
def test_the_craps_crews_tutorial(lesson: Lessons) -> None:
    with lesson("craps-crew") as crew:
        page = crew.window(f"/tables/{CRAPS}/dealer")
        crew.sign_in(page, "Stick person 1")
        crew.fill(page, "Give the dice to", "demo-ann")
        crew.press(page, "Change shooter")
        due(page, "The shooter rolls")
        crew.types(page, "b")
        form = page.get_by_role("dialog")
        crew.fill(form, "Player", "demo-ann")
        crew.select(form, "Area", "Pass line")
        crew.fill(form, "Amount", "10")
        crew.press(form, "Place bet")
        expect(form).to_have_count(0)
        lines = page.locator(".lines li")
        expect(lines).to_have_count(1)
        crew.take_picture(page, "craps-crew-line")
        crew.types(page, "42")
        expect(page.locator(".typed")).to_have_attribute("aria-label", "Dice 4, 2")
        crew.types(page, "Enter")
        orders = page.locator(".roll-orders")
        expect(orders.locator(".stick-call")).to_contain_text("The point is 6")
        crew.take_picture(page, "craps-crew-point")
        rolls_again(page)
        page.keyboard.press("b")
        form.get_by_label("Player").first.fill("demo-ben")
        form.get_by_label("Area").select_option(label="Come")
        form.get_by_label("Amount").fill("10")
        crew.done.append("Come")
        form.get_by_role("button", name="Place bet").click()
        expect(form).to_have_count(0)
        expect(lines).to_have_count(2)
        crew.types(page, "54")
        expect(page.locator(".typed")).to_have_attribute("aria-label", "Dice 5, 4")
        crew.types(page, "Enter")
        expect(orders).to_contain_text("Move the Come bet of Ben to 9")
        crew.take_picture(page, "craps-crew-travel")
        rolls_again(page)
        crew.types(page, "n")
        crew.press(form, "A die left the table", exact=False)
        with page.expect_response(drawn_anew()):
            crew.press(form, "Call “No roll”")
        expect(form).to_have_count(0)
        due(page, "The shooter rolls")
        crew.types(page, "43")
        expect(page.locator(".typed")).to_have_attribute("aria-label", "Dice 4, 3")
        crew.types(page, "Enter")
        expect(page.locator(".due:not(.due-fresh) .due-says")).not_to_contain_text("The shooter rolls")
        crew.take_picture(page, "craps-crew-seven", height=1000)
        while not page.get_by_label("Give the dice to").is_visible():
            step = page.locator(".due:not(.due-fresh) .due-says").inner_text()
            page.keyboard.press("Enter")
            expect(page.locator(".due:not(.due-fresh) .due-says")).not_to_have_text(step)


def drawn_anew() -> Callable[[Response], bool]:
    """Return a check that the table was read again after a command, which redraws the step that is due."""
    posted: list[str] = []

    def read_again(answer: Response) -> bool:
        if answer.request.method == "POST":
            posted.append(answer.url)
        return bool(posted) and re.search(r"/api/v1/tables/[\w-]+$", answer.url) is not None

    return read_again


def rolls_again(page: Page) -> None:
    """Take every step that a roll leaves, until the next roll is due."""
    says = page.locator(".due:not(.due-fresh) .due-says")
    expect(says).to_be_visible()
    while "The shooter rolls" not in (step := says.inner_text()):
        page.keyboard.press("Enter")
        expect(says).not_to_have_text(step)


@pytest.mark.thorough
def test_the_managers_tutorial(lesson: Lessons, floor: Floor) -> None:
    with lesson("manager") as manager:
        page = manager.window()
        manager.sign_in(page, "Demo manager")
        manager.press(page, "Floor")
        manager.press(page, "Open a table")
        manager.press(page, "Sic Bo (Maryland)", exact=False)
        manager.fill(page, "Table ID", "north-1")
        manager.fill(page, "Maximum", "300")
        manager.fill(page, "Payout limit per throw", "20000")
        manager.press(page, "Exactly two dice: a triple loses", exact=False)
        expect(page.get_by_text("Ready to open.")).to_be_visible()
        expect(page.get_by_text("edge 33.33% → 37.50%")).to_be_visible()
        manager.take_picture(page, "manager-readings")
        manager.press(page, "Open table")
        page.wait_for_url("**/floor/tables/north-1")
        expect(page.get_by_role("heading", name="Before a round can start")).to_be_visible()
        manager.take_picture(page, "manager-opened")
        manager.press(page, "People")
        manager.fill(page, "Name", "demo-dealer")
        manager.press(page, "Dealer 1")
        roles = page.locator(".card", has=page.get_by_role("heading", name="Roles"))
        manager.select(roles, "Role", "Dealer")
        manager.select(roles, "Where", "Table 8")
        manager.press(roles, "Assign role")
        expect(roles.locator(".grants li", has_text="at Table 8")).to_contain_text("Dealer")
        manager.take_picture(page, "manager-person")
        assert floor.who("demo-ann").bets("three-of-a-kind/6", 200).status_code == 200
        assert floor.who("demo-ben").bets("small", 2500).status_code == 200
        manager.press(page, "Floor")
        manager.press(page.locator(f".floor-row[data-table={SIC_BO}]"), "Manage")
        manager.press(page, "Money")
        expect(page.locator(".heat-worst")).to_have_attribute("data-throw", "6-6-6")
        manager.take_picture(page, "manager-exposure", height=1000)
        floor.table(SIC_BO).play_round(2, 4, 5)
        manager.press(page, "Hold")
        expect(page.locator(".chart-band")).to_have_count(1)
        manager.take_picture(page, "manager-hold", height=1100)
        manager.press(page, "Fairness")
        expect(page.get_by_role("heading", name="no evidence against these dice")).to_be_visible()


@pytest.mark.thorough
def test_the_auditors_tutorial(lesson: Lessons, floor: Floor) -> None:
    assert floor.who("demo-ann").bets("small", 1000).status_code == 200
    assert floor.who("demo-ann").bets("big", 500).status_code == 200
    floor.table(SIC_BO).play_round(1, 2, 3)
    with lesson("auditor") as auditor:
        page = auditor.window()
        auditor.sign_in(page, "Demo auditor")
        auditor.press(page, "Audit")
        with page.expect_download():
            auditor.press(page, "Create checkpoint")
        auditor.press(page, "Verify journal")
        expect(page.get_by_text("The journal is correct")).to_be_visible()
        auditor.take_picture(page, "auditor-right")
        auditor.press(page, "Table 1 · Sic Bo (MA)")
        auditor.fill(page, "Person", "demo-ann")
        auditor.press(page, "Search")
        bet = page.locator(".audit-entry", has_text="Bet placed").first
        expect(bet).to_contain_text("Ann’s chips −US$5.00")
        auditor.take_picture(page, "auditor-journal")
        auditor.click(bet.get_by_text("Details"), "Details")
        auditor.click(bet.get_by_role("link", name=re.compile("^Round")), "its round")
        forth = page.get_by_role("button", name="Next step")
        auditor.press(page, "Next step")
        lines = page.locator(".replay-stage table")
        for _ in range(20):
            if lines.is_visible():
                break
            forth.click()
        expect(lines).to_contain_text("Ann")
        auditor.take_picture(page, "auditor-replay")


@pytest.mark.thorough
def test_the_mathematicians_tutorial(lesson: Lessons, floor: Floor) -> None:
    with lesson("mathematician") as reader:
        page = reader.window()
        reader.press(page, "Books")
        reader.press(page.locator("li, article", has_text="Sic Bo (Massachusetts)").last, "Figures and pays")
        figures = page.locator("#figures")
        expect(figures.locator("tbody tr")).to_have_count(50)
        reader.press(figures, "House edge", exact=False)
        expect(figures.locator("tbody tr").first).to_contain_text("47.22%")
        reader.press(figures, "Fractions")
        expect(figures.locator("tbody tr").first).to_contain_text("17/36")
        reader.take_picture(page, "mathematician-figures")
        reader.press(figures, "Total 4")
        reader.fill(page, "Find pays for a house edge", "8%")
        reader.press(page, "Find")
        expect(page.get_by_label("Your odds: the total is 4")).to_have_value("65 to 1")
        expect(page.locator('[data-figure="edge"]')).to_contain_text("1/12")
        expect(page.locator(".verdict")).to_contain_text("allowed")
        reader.take_picture(page, "mathematician-designer")
        reader.press(page, "Analysis")
        reader.select(page, "Second book", "Sic Bo, version 6 (Marina Bay Sands, Singapore)")
        expect(page.locator("#compare tbody tr", has_text="180 to 1").first).to_be_visible()
        reader.take_picture(page, "mathematician-compare")
        reader.sign_in(page, "Demo manager")
        reader.press(page, "Simulation")
        expect(page.get_by_text(re.compile("^✓ Ready"))).to_be_visible()
        reader.press(page, "Doubling up")
        expect(page.get_by_label("Scenario file")).to_have_value(re.compile("progression"))
        reader.fill(page, "Nights", "1000")
        expect(page.get_by_text(re.compile("Ready: .*, 1,000 nights"))).to_be_visible()
        reader.press(page, "Start")
        expect(page.get_by_role("heading", name="House", exact=True)).to_be_visible()
        expect(page.locator(".plot").first).to_be_visible()
        reader.take_picture(page, "mathematician-nights")


@pytest.mark.thorough
def test_the_developers_tutorial(lesson: Lessons, floor: Floor, own_house: House) -> None:
    with lesson("developer") as developer:
        page = developer.window()
        developer.sign_in(page, "Ann")
        developer.press(page.get_by_role("banner"), "Ann")
        keys = page.locator("section, .card", has=page.get_by_role("heading", name="API tokens")).last
        developer.press(keys, "Create a token")
        dialog = page.get_by_role("dialog")
        developer.fill(dialog, "Name", "my first bot")
        developer.press(dialog, "Play", exact=False)
        developer.press(dialog, "Create a token")
        key = dialog.get_by_label("Token").input_value()
        developer.take_picture(page, "developer-key", dialog)
        developer.press(dialog, "I've copied it")
        program = loopback.client(floor.address, headers={"Authorization": f"Bearer {key}"})
        with program:
            assert program.get("/api/v1/me/balances").status_code == 200
            open_betting(own_house, lambda: view_of(floor, AUTOMATIC))
            bet = {"bets": [{"wager": "big", "amount": 500}]}
            placed = program.post(
                f"/api/v1/tables/{AUTOMATIC}/bets", json=bet, headers={"Idempotency-Key": "first"}
            ).json()
            assert placed["events"] == ["BetPlaced"]
            headers = {"Last-Event-ID": str(placed["sequence"] - 1)}
            with program.stream("GET", f"/api/v1/tables/{AUTOMATIC}/stream", headers=headers) as stream:
                assert any("BetPlaced" in line for line in stream.iter_lines())
        page = developer.window("/api/v1/reference")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        developer.take_picture(page, "developer-reference")
