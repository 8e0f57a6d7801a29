"""What patrons read at a table: odds with their words, announcements, names, limits, the odds sign."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from pitbook.server.demo import FACILITY
from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.floors import CHIPS, Floor
from tests.browser.people import ApiUser, signed_in
from tests.browser.test_layout import covered, cut, tables_of
from tests.browser.test_lobby import fits
from tests.browser.windows import REST, resize

MASSACHUSETTS, MARYLAND, SINGAPORE = "massachusetts", "maryland", "singapore"
ANN, BEN, DEALER, PIT, BOSS = "demo-ann", "demo-ben", "demo-dealer", "demo-pit-supervisor", "demo-manager"
REAL = "singapore-real"
Picture = Callable[[Page, str], None]

pytestmark = pytest.mark.own_house


@pytest.fixture(scope="module")
def floor(floor: Floor) -> Floor:
    """Singapore's table is dealt by hand, and Massachusetts' has limits of its own for three of a kind."""
    floor.reopen(SINGAPORE, automatic=None)
    floor.command(PIT, "pit-supervisor", SINGAPORE, type="PutDice", set="set 1")
    floor.check_all(SINGAPORE, PIT, "pit-supervisor")
    floor.command(DEALER, "dealer", SINGAPORE, type="TakeOver")
    floor.command(DEALER, "dealer", SINGAPORE, type="BuyIn", amount=CHIPS, player=ANN)
    setup = floor.page(MASSACHUSETTS, BOSS)["rules"]["setup"]
    limits = {"*": _limit(500, 50_000), "three-of-a-kind": _limit(100, 5_000)}
    floor.command(BOSS, "manager", MASSACHUSETTS, type="ChangeSetup", setup={**setup, "limits": limits})
    return floor


def _limit(least: int, most: int) -> dict[str, int]:
    return {"stake_min": least, "stake_max": most}


# ------------------------------------------------------------ odds

AREAS = """all => all.map(touch => {
  const area = touch.parentElement;
  const box = area.querySelector(".area-ground").getBoundingClientRect();
  const texts = [...area.querySelectorAll(".area-pays, .step-pay")];
  const inside = texts.flatMap(text => [...text.children]).every(line => {
    const at = line.getBoundingClientRect();
    return at.left >= box.left - 0.5 && at.right <= box.right + 0.5 && at.bottom <= box.bottom + 0.5;
  });
  const lines = texts.map(text => [...text.children].map(line => line.textContent).join(" "));
  const note = area.closest("figure").querySelector(".block-note")?.textContent ?? "";
  return { wager: touch.dataset.wager, lines, note, inside };
})"""
WORDED = {
    "en": re.compile(r"[\d,/ …]+ (to|for) 1|1 wins? [\d,/ …]+|\d+ to \d+( ?/ ?\d+ to \d+)*"),
    "zh": re.compile(r"1[賠得贏] ?[\d,/ …]+|\d+賠\d+( ?/ ?\d+賠\d+)*"),
}
UNPAID = ("–", "push", "和局")


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "widths"), [("en", (1440, 820, 360, 320)), ("zh", (1440, 320))])
def test_ma_4a_odds_keep_their_words_on_every_area_of_every_book(
    visit: Visit, demo_address: str, language: str, widths: tuple[int, ...]
) -> None:
    page = visit(REST, language=language)
    for table in tables_of(demo_address):
        page.goto(f"/tables/{table['id']}")
        expect(page.locator("[data-wager]").first).to_be_visible()
        book = loopback.get(f"{demo_address}/api/v1/books/{table['book']}").json()
        of_the_point = {one["wager"] for one in book["wagers"] if one["parent"] and one["selection"] is None}
        """Odds behind a line bet, which are printed once there is a point."""
        for width in widths:
            resize(page, width)
            areas = {area["wager"]: area for area in visible_areas(page)}
            for wager in areas.keys() - of_the_point:
                assert_worded(areas[wager], WORDED[language])
            assert set(areas) == {wager["wager"] for wager in book["wagers"]}, (table["id"], width)


def visible_areas(page: Page) -> Iterator[dict[str, Any]]:
    """Yield every area of a layout, opening its tabs and blocks in turn."""
    tabs = page.get_by_role("tab")
    for place in range(max(1, tabs.count())):
        if tabs.count():
            tabs.nth(place).click()
            expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
        for folded in page.locator(".block-folded:not([open]) > summary").all():
            folded.click()
        yield from page.locator("[data-wager]:visible").evaluate_all(AREAS)


def assert_worded(area: dict[str, Any], worded: re.Pattern[str]) -> None:
    """Every line on the area, or else the note of its block, has the odds in words."""
    lines = [line for line in area["lines"] if line not in UNPAID]
    if not lines:
        assert worded.search(area["note"]), area
    for line in lines:
        assert worded.fullmatch(line), area
    assert area["inside"], area


@pytest.mark.thorough
def test_ma_4a_chips_never_cover_the_name_or_the_odds_of_an_area(visit: Visit, floor: Floor) -> None:
    game = floor.table(MASSACHUSETTS)
    wagers = [one["wager"] for one in floor.who(ANN).client.get("/api/v1/books/massachusetts-sic-bo").json()["wagers"]]
    own, shared, others = wagers[::2], wagers[::4], wagers[1::2]
    for player, chosen in ((ANN, own), (BEN, [*shared, *others])):
        bets = [{"wager": wager, "amount": 500} for wager in chosen]
        response = floor.who(player).client.post(f"/api/v1/tables/{MASSACHUSETTS}/bets", json={"bets": bets})
        assert response.status_code == 200, response.text
    page = signed_in(visit, ANN, f"/tables/{MASSACHUSETTS}")
    for width in (1440, 1024, 390, 320):
        resize(page, width)
        expect(page.locator(".own-chip")).to_have_count(len(own))
        expect(page.locator(".others")).to_have_count(len(shared) + len(others))
        assert covered(page) == [], width
        assert cut(page) == [], width
    game.play_round()


@pytest.mark.thorough
@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_a_player_sees_whole_results_and_how_to_bet_with_their_device(visit: Visit, floor: Floor, width: int) -> None:
    touch = width < 700
    game = floor.table(MASSACHUSETTS)
    while game.view["round"] <= 4:
        game.play_round()
    page = signed_in(visit, ANN, f"/tables/{MASSACHUSETTS}", width=width)
    expect(page.locator(".strip > li").nth(3)).to_be_attached()
    assert cut(page) == []
    rail = page.locator(".rail").bounding_box()
    assert rail is not None
    assert touch or rail["height"] < 80, "one line"
    note = page.locator(".table-note")
    expect(note.get_by_text("Tap to bet; hold to remove.")).to_be_visible(visible=touch)
    expect(note.get_by_text("Click to bet; right-click to remove.")).to_be_visible(visible=not touch)
    expect(page.locator(".rail-chip kbd").first).to_be_visible(visible=not touch)


# ------------------------------------------------------------ announcements


@pytest.mark.thorough
def test_sg_3_1_and_3_2_announcements_are_shown_word_for_word_to_late_visitors_too(
    visit: Visit, floor: Floor, picture: Picture
) -> None:
    game = floor.table(SINGAPORE)
    early = [visit(f"/tables/{SINGAPORE}"), visit(f"/tables/{SINGAPORE}/board")]
    for act, words in (("open", "Place your bets, please"), ("close", "No more bets")):
        game.take_steps(until=act)
        game.take(act)
        late = [visit(f"/tables/{SINGAPORE}"), visit(f"/tables/{SINGAPORE}/board")]
        for page in (*early, *late):
            expect(page.locator(".announcement")).to_have_text(words)
            expect(page.locator(".announcement-original")).to_have_count(0)
    game.take_steps(until="collect")
    for page in early:
        expect(page.locator(".announcement-original")).to_have_text("No more bets")
    assert violations(early[0]) == []
    picture(early[1], "board-announced")
    game.play_round()


@pytest.mark.thorough
def test_in_chinese_the_english_announcement_stands_under_its_translation(visit: Visit, floor: Floor) -> None:
    game = floor.table(SINGAPORE)
    game.take_steps(until="open")
    game.take("open")
    for address in (f"/tables/{SINGAPORE}", f"/tables/{SINGAPORE}/board"):
        page = visit(address, language="zh")
        expect(page.locator(".announcement")).to_have_text("請下注")
        expect(page.locator(".announcement-original q[lang=en]")).to_have_text("Place your bets, please")
    game.play_round()


@pytest.mark.thorough
def test_ma_6a_no_roll_is_shown_until_no_more_bets(visit: Visit, floor: Floor) -> None:
    game = floor.table(MASSACHUSETTS)
    floor.bet(MASSACHUSETTS, ANN, small=1000)
    game.take_steps(until="announce-dice")
    pages = [visit(f"/tables/{MASSACHUSETTS}"), visit(f"/tables/{MASSACHUSETTS}/board")]
    floor.command(DEALER, "dealer", MASSACHUSETTS, type="Call", irregularity="no-roll")
    pages.append(visit(f"/tables/{MASSACHUSETTS}"))
    for page in pages:
        expect(page.locator(".announcement")).to_have_text("Place your bets")
        expect(page.locator(".announcement-original")).to_have_text("No Roll")
    floor.bet(MASSACHUSETTS, ANN, small=1000)
    game.take("close")
    for page in pages:
        expect(page.locator(".announcement")).to_have_text("No more bets")
        expect(page.locator(".announcement-original")).to_have_count(0)
    game.play_round()


# ------------------------------------------------------------ names and limits


@pytest.mark.thorough
def test_md_1C1_the_name_of_the_facility_is_on_the_layout_and_the_board(visit: Visit) -> None:
    for address in (f"/tables/{MARYLAND}", f"/tables/{MARYLAND}/board"):
        page = visit(address, width=1920, height=1080)
        for width in (1920, 1440, 820, 360):
            resize(page, width, 1080)
            expect(page.locator(".layout .block-facility")).to_have_text(FACILITY)
            assert fits(page)
            if address.endswith("/board"):
                expect(page.locator(".board-facility")).to_have_text(FACILITY)


@pytest.mark.usefixtures("floor")
def test_limits_that_differ_are_shown_by_family_and_for_each_area(visit: Visit) -> None:
    card = visit("/").locator(".table-card").filter(has_text="Massachusetts")
    expect(card).to_contain_text("US$1–US$50 Three of a kind; US$5–US$500 other areas")
    page = visit(f"/tables/{MASSACHUSETTS}")
    expect(page.locator(".table-facts")).to_contain_text("US$1–US$50 Three of a kind; US$5–US$500 other areas")
    for wager, limits in (("three-of-a-kind/2", "limits US$1–US$50"), ("small", "limits US$5–US$500")):
        page.locator(f'[data-wager="{wager}"]').hover()
        expect(page.locator(".area-info")).to_contain_text(limits)
    board = visit(f"/tables/{MASSACHUSETTS}/board").locator(".board-limits")
    expect(board).to_contain_text("Three of a kind")
    expect(board).to_contain_text("US$1–US$50")
    chinese = visit(f"/tables/{MASSACHUSETTS}", language="zh").locator(".table-facts")
    expect(chinese).to_contain_text("圍骰 US$1–US$50；其他注區 US$5–US$500")


# ------------------------------------------------------------ the odds sign

MEDIA_BOX = re.compile(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")
FORMATS = {"a4": (595, 842), "wall": (1191, 842)}
PRINTED = """sign => {
  const width = sign.getBoundingClientRect().right;
  const inside = one => [...one.getClientRects()].every(at => at.right <= width + 1);
  return {
    points: parseFloat(getComputedStyle(sign).fontSize) * 0.75,
    height: sign.getBoundingClientRect().height,
    cut: [...sign.querySelectorAll("th, td, li")].filter(one => !inside(one)).map(one => one.textContent),
  };
}"""
SHEETS: dict[str, ViewportSize] = {"a4": {"width": 703, "height": 1032}, "wall": {"width": 1497, "height": 1032}}
"""A4 and A3 less margins of 12 mm, in pixels of CSS."""


@pytest.mark.thorough
def test_md_1C3_every_table_has_a_sign_with_all_its_odds(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit(REST)
    for table in tables_of(demo_address):
        page.goto(f"/tables/{table['id']}/sign")
        sign = page.locator(".odds-sign")
        expect(sign).to_contain_text(FACILITY)
        expect(sign).to_contain_text(table["title"]["en"])
        expect(sign.locator("time")).to_have_text(re.compile("In force since .*20[0-9][0-9]"))
        book = loopback.get(f"{demo_address}/api/v1/books/{table['book']}").json()
        odds = sign.locator(".odds-sign-odds").all_text_contents()
        paid = {
            pays
            for wager in book["wagers"]
            for row, pays in wager["paytables"][0]["pays"].items()
            if wager["paytables"][0]["gains"][row]["value"] > 0
        }
        assert paid <= set(odds), table["id"]
        assert violations(page) == []
        picture(page, f"sign-{table['id']}")


@pytest.mark.thorough
@pytest.mark.usefixtures("floor")
@pytest.mark.parametrize("form", FORMATS)
def test_the_sign_prints_on_a4_and_in_the_wall_format(visit: Visit, form: str) -> None:
    page = visit(f"/tables/{MASSACHUSETTS}/sign?format={form}")
    sign = page.locator(f".odds-sign-{form}")
    row = sign.locator("tr").filter(has_text="Three of a kind 1")
    expect(row).to_contain_text("150 to 1")
    expect(row).to_contain_text("US$1–US$50")
    expect(sign).to_contain_text("Two of a kind: two or more dice: a triple wins too")
    page.emulate_media(media="print")
    expect(page.locator(".sign-controls")).to_be_hidden()
    sheets = MEDIA_BOX.findall(page.pdf(prefer_css_page_size=True))
    page.emulate_media(media="screen")
    assert [tuple(round(float(side)) for side in sheet) for sheet in sheets] == [FORMATS[form]]


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_sign_fills_one_page_in_legible_type(visit: Visit, demo_address: str, language: str) -> None:
    page = visit(REST, language=language)
    for table in tables_of(demo_address):
        for form, sheet in SHEETS.items():
            page.goto(f"/tables/{table['id']}/sign?format={form}")
            sign = page.locator(f".odds-sign-{form}")
            expect(sign.locator("time")).to_be_visible()
            page.set_viewport_size(sheet)
            page.emulate_media(media="print")
            assert len(MEDIA_BOX.findall(page.pdf(prefer_css_page_size=True))) == 1, (table["id"], form)
            printed = sign.evaluate(PRINTED)
            page.emulate_media(media="screen")
            assert printed["points"] >= 7, (table["id"], form, printed)
            assert 0.75 < printed["height"] / sheet["height"] <= 1, (table["id"], form, printed)
            assert printed["cut"] == [], (table["id"], form)


def test_the_sign_says_how_often_before_what_it_pays(visit: Visit) -> None:
    sign = visit("/tables/dice-works/sign").locator(".odds-sign")
    expect(sign.locator("tr").filter(has_text="High Roller")).to_contain_text(
        "points made when the seven-out comes3: 4 to 14: 9 to 1"
    )
    expect(sign).to_contain_text("Repeating 2x2, 12x2 with envy")


def test_the_sign_of_craps_has_whole_names_in_chinese(visit: Visit) -> None:
    sign = visit("/tables/craps/sign", language="zh").locator(".odds-sign")
    expect(sign.get_by_text("硬點", exact=True)).to_be_visible()
    expect(sign.locator("tr").filter(has_text="High Roller")).to_contain_text("七點出局時，擲中目標點次數3 次")


@pytest.mark.thorough
def test_the_sign_is_linked_from_the_floor_and_the_board_and_speaks_chinese(visit: Visit) -> None:
    desk = signed_in(visit, BOSS, f"/floor/tables/{MARYLAND}")
    desk.get_by_role("link", name="Odds sign").click()
    expect(desk.locator(".odds-sign-a4")).to_be_visible()
    board = visit(f"/tables/{MARYLAND}/board")
    board.get_by_role("link", name="Odds sign").click()
    expect(board.locator(".odds-sign-wall")).to_contain_text("Sic Bo (Maryland)")
    board.get_by_role("button", name="繁體中文").click()
    sign = board.locator(".odds-sign")
    expect(sign.locator("tr").filter(has_text="圍骰")).to_contain_text("1賠150")
    expect(sign).to_contain_text("起生效")


def test_the_chinese_sign_has_no_space_between_words(visit: Visit) -> None:
    sign = visit("/tables/massachusetts/sign", language="zh").locator(".odds-sign")
    expect(sign).to_contain_text("擲出所選點數")
    expect(sign).not_to_contain_text(re.compile(r"\s所選|日 起"))


def test_a_sign_follows_a_change_of_the_set_up(visit: Visit, floor: Floor) -> None:
    page = visit(f"/tables/{MARYLAND}/sign?format=wall")
    expect(page.locator(".odds-sign")).to_contain_text("Limits for every bet: US$1–US$500")
    setup = floor.page(MARYLAND, BOSS)["rules"]["setup"]
    floor.command(BOSS, "manager", MARYLAND, type="ChangeSetup", setup={**setup, "limits": {"*": _limit(200, 20_000)}})
    expect(page.locator(".odds-sign")).to_contain_text("Limits for every bet: US$2–US$200")
    floor.command(BOSS, "manager", MARYLAND, type="ChangeSetup", setup=setup)


# ------------------------------------------------------------ the electronic form


def test_players_read_which_clauses_the_electronic_tumbler_replaces(visit: Visit, manager: ApiUser) -> None:
    response = manager.client.put("/api/v1/policy", json={"registration": True, "real_money_automatic": True})
    assert response.status_code == 200, response.text
    setup = manager.client.get("/api/v1/tables/dice-ology").json()["rules"]["setup"] | {"number": None}
    run = {"betting_seconds": 600, "real_money": True}
    refused = manager.command("manager", {"type": "OpenTable", "setup": {**setup, "automatic": run}}, REAL)
    assert refused.json()["type"] == "/problems/configuration"
    approved = {**setup, "automatic": {**run, "approval": "SD 2026-17"}}
    opened = manager.command("manager", {"type": "OpenTable", "setup": approved}, REAL)
    assert opened.status_code == 200, opened.text

    page = visit(f"/tables/{REAL}")
    page.get_by_role("button", name="Electronic tumbler").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("SD 2026-17")
    expect(dialog).to_contain_text("Clause (7)")
    expect(dialog).to_contain_text("Instead")
    assert violations(page) == []
    note = visit(f"/tables/{REAL}/board").locator(".electronic-note")
    clauses = "(1), (5), (6), (7), (8), (9)(a), (9)(b), (10), preamble"
    expect(note).to_contain_text(f"replaces clauses {clauses}. Approval SD 2026-17")


def test_a_manager_enters_the_approval_of_a_table_for_real_money(visit: Visit, manager: ApiUser) -> None:
    manager.client.put("/api/v1/policy", json={"registration": True, "real_money_automatic": True})
    page = signed_in(visit, BOSS, "/floor/open")
    page.get_by_role("radio", name="Dice-Ology").check()
    page.get_by_label("Table ID").fill("approved")
    page.get_by_role("radio", name="The electronic tumbler").check()
    page.get_by_label("Play for real money").check()
    reference = page.get_by_label("Approval reference")
    expect(reference).to_be_visible()
    expect(page.get_by_role("button", name="Open table")).to_be_disabled()
    reference.fill("SD 2026-18")
    page.get_by_role("button", name="Open table").click()
    expect(page).to_have_url(re.compile("/floor/tables/approved$"))
    page.get_by_role("tab", name="Terms").click()
    expect(page.get_by_text("SD 2026-18")).to_be_visible()
