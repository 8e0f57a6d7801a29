"""The books to read, their figures, other pays for them, and rounds worked out again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pytest
from playwright.sync_api import Locator, Page, expect

import pitbook
from pitbook.tumbler.mapping import commitment, throw
from pitbook.tumbler.proof import Proof
from tests import loopback
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.houses import House
from tests.browser.live_house import open_automatic_table, throw_dice
from tests.browser.people import ApiUser
from tests.browser.rounds import until
from tests.browser.test_lobby import SIZES, fits
from tests.browser.windows import REST, resize
from tests.soaking import thorough

pytestmark = pytest.mark.own_house

Picture = Callable[[Page, str], None]
PARTS = ("Layout", "Bets", "Procedure", "Irregularities", "Equipment", "Roles", "Readings", "House options")


def books_of(address: str) -> list[str]:
    return [book["book"] for book in loopback.get(f"{address}/api/v1/books").json()["books"]]


def book_of(address: str, game: str) -> str:
    books = loopback.get(f"{address}/api/v1/books").json()["books"]
    found: str = next(book["book"] for book in books if book["game"] == game)
    return found


def a_proof() -> Proof:
    """Return the proof of a round of an automatic table."""
    seed = bytes(range(32))
    close, nonces = "ab" * 32, ("a nonce of mine",)
    dice = throw(seed, table="anywhere", round=7, close=close, nonces=nonces, dice=3)
    return Proof("anywhere", 7, 1, 3, commitment(seed), seed.hex(), close, nonces, dice, False)


def assert_sound(page: Page, picture: Picture, name: str) -> None:
    """Check that a page fits the window and can be used by everyone, on a desk and on a phone."""
    for width in SIZES:
        resize(page, width)
        assert fits(page)
        assert violations(page) == []
        picture(page, f"{name}-{width}")


@pytest.mark.thorough
def test_all_books_are_on_one_page(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit("/books")
    expect(page.get_by_role("link", name="Read the rules")).to_have_count(len(books_of(demo_address)))
    assert all(issuer[0].isupper() for issuer in page.locator(".book-authority").all_inner_texts())
    assert_sound(page, picture, "books")


@pytest.mark.thorough
def test_every_book_can_be_read_whole(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit(REST)
    for book in books_of(demo_address):
        body = loopback.get(f"{demo_address}/api/v1/books/{book}").json()
        resize(page, 1440)
        page.goto(f"/books/{book}")
        expect(page.get_by_role("heading", level=1)).to_have_text(body["identity"]["title"]["en"])
        for part in PARTS:
            expect(page.get_by_role("heading", level=2, name=part, exact=True)).to_be_visible()
        expect(page.locator("#wagers tbody tr")).to_have_count(len(body["wagers"]))
        expect(page.locator("#register tbody tr")).to_have_count(len(body["clauses"]))
        expect(page.locator("#irregularities .rule-card")).to_have_count(len(body["irregularities"]))
        expect(page.locator("#readings .rule-card")).to_have_count(len(body["readings"]))
        for reading in body["readings"].values():
            expect(page.locator("#readings")).to_contain_text(reading["printed"]["en"])
        assert_sound(page, picture, f"book-{book}")


@pytest.mark.thorough
def test_figures_are_exact_and_sorted_by_edge(visit: Visit, demo_address: str, picture: Picture) -> None:
    book = book_of(demo_address, "sic-bo")
    body = loopback.get(f"{demo_address}/api/v1/books/{book}/analysis").json()["wagers"]
    page = visit(f"/books/{book}/analysis")
    table = page.locator("#figures")
    expect(table.locator("tbody tr")).to_have_count(len(body))
    table.get_by_role("button", name="House edge").click()
    expect(table.get_by_role("columnheader", name="House edge")).to_have_attribute("aria-sort", "descending")
    highest = max(body, key=lambda one: one["house_edge"]["value"])["house_edge"]
    first = table.locator("tbody tr").first
    expect(first).to_contain_text(f"{highest['value']:.2%}")
    expect(first.get_by_title(highest["exact"], exact=True).first).to_be_visible()
    table.get_by_role("button", name="Fractions").click()
    expect(first).to_contain_text(highest["exact"])
    table.get_by_role("button", name="House edge").click()
    lowest = min(body, key=lambda one: one["house_edge"]["value"])["house_edge"]
    expect(first).to_contain_text(lowest["exact"])
    table.get_by_role("button", name="Percentages").click()
    expect(page.locator(".edge-chart li").first).to_be_visible()
    diagram = page.locator(".machine img")
    expect(diagram).to_have_js_property("complete", True)
    for chosen, drawn in (("felt", re.compile("invert")), ("paper", "none")):
        page.get_by_label("Appearance").select_option(chosen)
        expect(diagram).to_have_css("filter", drawn)
    assert_sound(page, picture, "analysis")


@pytest.mark.thorough
def test_a_changed_pay_changes_the_edge_at_once_and_is_held_against_the_text(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    book = book_of(demo_address, "sic-bo")
    page = visit(f"/books/{book}/analysis?wager=total/4")
    edge = page.locator('[data-figure="edge"]')
    expect(edge).to_contain_text("7/24")
    pay = page.get_by_label("Your odds: the total is 4")
    pay.fill("64 to 1")
    expect(edge).to_contain_text("9.72% 7/72")
    expect(page.locator(".verdict")).to_contain_text("allowed")
    expect(page.locator(".pay-row")).to_contain_text("Break-even 71.00 to 1")
    pay.fill("49 to 1")
    expect(page.locator(".verdict")).to_contain_text("not allowed")
    expect(page.locator(".pay-row")).to_contain_text("Book requires at least 50 to 1")
    picture(page, "designer-below-minimum")
    pay.fill("fifty")
    expect(page.get_by_role("alert").filter(has_text="are not odds")).to_be_visible()
    page.get_by_role("button", name="Reset to the book's pays").click()
    expect(edge).to_contain_text("7/24")
    page.get_by_label("Find pays for a house edge").fill("8%")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(pay).to_have_value("65 to 1")
    expect(edge).to_contain_text("1/12")
    assert violations(page) == []


def test_pay_tables_and_readings_are_chosen_and_kept_in_the_address(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    book = book_of(demo_address, "craps")
    page = visit(f"/books/{book}/analysis")
    rows = page.locator("#figures tbody tr")
    expect(rows.first).to_be_visible()
    before = rows.count()
    page.get_by_text("Readings, options and pay tables").click()
    page.get_by_label(re.compile("^Pay table for")).first.select_option(index=1)
    expect(rows).not_to_have_count(before)
    assert "paytable=" in page.url
    after = rows.count()
    page.reload()
    expect(rows).to_have_count(after)
    assert_sound(page, picture, "analysis-craps")
    page.get_by_role("button", name="Reset to defaults").click()
    expect(rows).to_have_count(before)


def test_a_session_is_explored_and_downloaded(visit: Visit, picture: Picture) -> None:
    page = visit("/books/massachusetts-sic-bo/analysis?wager=small")
    explorer = page.locator("#session")
    explorer.get_by_label("Stake").fill("5")
    explorer.get_by_label("Bankroll").fill("50")
    explorer.get_by_label("Rounds").fill("40")
    explorer.get_by_role("button", name="Calculate").click()
    result = explorer.get_by_role("status")
    expect(result).to_contain_text("15.32")
    expect(result.get_by_role("img")).to_have_count(2)
    lines = downloaded(page, explorer, "Download CSV: Session").read_text(encoding="utf-8-sig").splitlines()
    assert lines[0] == "low,high,probability"
    assert sum(float(line.split(",")[2]) for line in lines[1:]) == pytest.approx(1)
    net, facts, ruin = sheets(downloaded(page, explorer, "Download XLSX: Session"))
    assert [cell.value for cell in net[1]] == ["low", "high", "probability"]
    assert net.max_row == len(lines)
    assert {row[0].value: row[1].value for row in facts.rows}["Rounds"] == 40
    assert [cell.value for cell in ruin[41]] == [40, pytest.approx(0.1532, abs=5e-5)]
    drawing = downloaded(page, explorer, "Download SVG: Net result").read_text()
    assert ElementTree.fromstring(drawing).tag.endswith("svg")
    expect(page.get_by_role("link", name="Download report as XLSX")).to_have_count(1)
    assert_sound(page, picture, "session")
    explorer.get_by_label("Bankroll").fill("2")
    explorer.get_by_role("button", name="Calculate").click()
    expect(explorer).to_contain_text("does not cover")


def downloaded(page: Page, part: Locator, name: str) -> Path:
    """Press a button that saves a file, and return the file."""
    with page.expect_download() as downloading:
        part.get_by_role("button", name=name, exact=True).click()
    return downloading.value.path()


def sheets(path: Path) -> list[Any]:
    """Return the sheets of a workbook; what the browser saved has no ending."""
    return list(openpyxl.load_workbook(BytesIO(path.read_bytes())).worksheets)


@pytest.mark.parametrize(
    ("lang", "add", "stake", "calculate", "remove"),
    [*thorough(("en", "Add a bet", "Stake", "Calculate", "Remove")), ("zh", "加一注", "注額", "計算", "移除")],
)
def test_a_session_of_several_bets_is_that_of_the_python_front(
    visit: Visit, lang: str, add: str, stake: str, calculate: str, remove: str
) -> None:
    page = visit("/books/massachusetts-sic-bo/analysis?wager=small", language=lang)
    explorer = page.locator("#session")
    explorer.get_by_role("button", name=add).click()
    explorer.locator("select").nth(1).select_option("any-three-of-a-kind")
    explorer.get_by_label(stake).nth(1).fill("1")
    explorer.get_by_role("button", name=calculate).click()
    exact = pitbook.rulebook("massachusetts-sic-bo").session(
        {"small": 5, "any-three-of-a-kind": 1}, bankroll=100, rounds=60
    )
    expect(explorer.get_by_role("status")).to_contain_text(f"{float(exact.ruined):.2%}")
    explorer.get_by_role("button", name=re.compile(remove)).last.click()
    expect(explorer.get_by_label(stake)).to_have_count(1)
    assert violations(page) == []


@pytest.mark.parametrize(
    ("lang", "calculate", "stake", "rolls"),
    [("en", "Calculate", "Stake on Place 6", "Rolls"), *thorough(("zh", "計算", "押點 6注額", "擲骰數"))],
)
def test_a_strategy_is_played_from_a_bankroll(
    visit: Visit, picture: Picture, lang: str, calculate: str, stake: str, rolls: str
) -> None:
    page = visit("/books/craps/analysis", language=lang)
    explorer = page.locator("#session")
    explorer.locator("select:has(option[value=six-and-eight])").select_option("six-and-eight")
    explorer.get_by_label(stake).fill("18")
    explorer.get_by_label(rolls).fill("12")
    explorer.get_by_role("button", name=calculate).click()
    played = [pitbook.Rule("place/6", 1800), pitbook.Rule("place/8", 1200)]
    exact = pitbook.rulebook("craps").session(played, bankroll=100, rounds=12)
    expect(explorer.get_by_role("status")).to_contain_text(f"{float(exact.ahead):.2%}")
    assert violations(page) == []
    explorer.scroll_into_view_if_needed()
    picture(page, f"strategy-{lang}")


@pytest.mark.parametrize(
    ("lang", "labels", "find", "proof", "name"),
    [
        *thorough(
            (
                "en",
                ("Find pays for a house edge", "Hit frequency", "Variance", "Odds"),
                "Find",
                "pay tables",
                "Proposed pays",
            )
        ),
        ("zh", ("依莊家優勢求賠率", "贏出頻率", "方差", "賠率形式"), "求解", "個賠率表", "建議賠率"),
    ],
)
def test_a_ladder_is_designed_for_several_targets_with_a_proof(
    visit: Visit, picture: Picture, lang: str, labels: tuple[str, ...], find: str, proof: str, name: str
) -> None:
    page = visit("/books/dice-works/analysis?wager=high-roller", language=lang)
    form = page.locator("form.target")
    edge, hits, variance, odds = (form.get_by_label(label, exact=True) for label in labels)
    edge.fill("12%")
    hits.fill("10%")
    variance.fill("25")
    odds.select_option("2")
    form.get_by_role("button", name=find, exact=True).click()
    found = page.locator(".proposal")
    exact = pitbook.rulebook("dice-works").design(
        "high-roller", edge="12%", hit_frequency="10%", variance=25, denominators=2
    )
    expect(found).to_contain_text(proof)
    expect(found).to_contain_text(f"{exact.proof.examined:,}")
    expect(found.locator("tbody tr")).to_have_count(sum(end.odds.wins for end in exact.proposal.ends))
    expect(page.locator('[data-figure="edge"]')).to_contain_text(str(exact.proposal.house_edge))
    body = json.loads(
        downloaded(page, found, ("下載 JSON：" if lang == "zh" else "Download JSON: ") + name).read_text()
    )
    assert body["proof"]["examined"] == exact.proof.examined
    assert not re.search("[。，；：] ", found.inner_text()), "no space after full-width punctuation"
    assert violations(page) == []
    found.scroll_into_view_if_needed()
    picture(page, f"design-{lang}")


def test_odds_are_shown_and_typed_in_chinese(visit: Visit) -> None:
    page = visit("/books/massachusetts-sic-bo/analysis?wager=total/4", language="zh")
    edge = page.locator('[data-figure="edge"]')
    expect(edge).to_contain_text("7/24")
    pay = page.get_by_label("您的賠率：總點數為 4")
    expect(pay).to_have_value("1賠50")
    pay.fill("1賠64")
    expect(edge).to_contain_text("7/72")
    pay.fill("49 to 1")
    expect(page.locator(".verdict")).to_contain_text("違反條文")
    page.get_by_role("button", name="回復規則書的賠率").click()
    expect(pay).to_have_value("1賠50")
    page.get_by_label("依莊家優勢求賠率").fill("50%")
    page.get_by_role("button", name="求解", exact=True).click()
    expect(pay).to_have_value("1賠35")
    expect(edge).to_contain_text("1/2")


def test_the_edition_of_a_book_is_in_the_readers_language(visit: Visit) -> None:
    expect(visit("/books/craps", language="zh").locator(".identity")).to_contain_text("第 1 版")
    expect(visit("/books/craps").locator(".identity")).to_contain_text("edition 1")


def test_odds_other_than_to_one_are_designed(visit: Visit) -> None:
    page = visit("/books/craps/analysis?wager=place/6")
    form = page.locator("form.target")
    form.get_by_label("Find pays for a house edge").fill("1/66")
    form.get_by_label("Odds", exact=True).select_option("6")
    form.get_by_role("button", name="Find", exact=True).click()
    expect(page.locator(".proposal strong").first).to_have_text("7 to 6")
    expect(page.locator(".proof")).to_contain_text("no printable odds lie between")


@pytest.mark.thorough
def test_two_books_are_compared_bet_by_bet(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit("/analysis")
    rows = page.locator("#compare tbody tr")
    expect(rows.first).to_be_visible()
    left, right = (page.get_by_label(name).input_value() for name in ("First book", "Second book"))
    body = loopback.get(f"{demo_address}/api/v1/compare", params={"left": left, "right": right}).json()
    expect(rows).to_have_count(len(body["bets"]))
    part = page.locator("#compare")
    expect(part.locator(".edge-chart li").first.locator("svg")).to_have_count(2)
    assert json.loads(downloaded(page, part, "Download JSON").read_text()) == body
    (table,) = sheets(downloaded(page, part, "Download XLSX"))
    assert table.max_row == 1 + len(body["bets"])
    drawing = ElementTree.parse(downloaded(page, part, "Download SVG: House edge by bet")).getroot()
    assert len(drawing.findall("{*}rect")) == 2 * part.locator(".edge-chart li").count()
    assert_sound(page, picture, "compare")


def test_everything_that_the_analysis_shows_can_be_downloaded(visit: Visit) -> None:
    page = visit("/books/massachusetts-sic-bo/analysis?wager=total/4", language="zh")
    for part, about in (
        ("#designer", "各種結局"),
        ("#designer", "莊家贏率（按分出勝負的次數）：90%、95% 及 99%"),
        ("#chart", "各投注的莊家優勢"),
    ):
        text = downloaded(page, page.locator(part), f"下載 CSV：{about}").read_text(encoding="utf-8-sig")
        assert len(text.splitlines()) > 1
    with page.expect_download() as downloading:
        page.get_by_role("link", name="下載 SVG：狀態圖").click()
    assert downloading.value.path().read_text().startswith("<svg")


@pytest.mark.thorough
def test_a_proof_is_worked_out_step_by_step(visit: Visit, picture: Picture, tmp_path: Path) -> None:
    page = visit("/verify")
    page.get_by_role("tab", name="By proof").click()
    proof = json.loads(a_proof().to_json())
    page.get_by_label("Proof", exact=True).fill(json.dumps(proof))
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.locator(".checked-verdict")).to_contain_text("Verified")
    expect(page.locator(".checks").get_by_role("img", name="correct").first).to_be_visible()
    expect(page.locator(".checks").get_by_role("img", name="wrong")).to_have_count(0)
    assert_sound(page, picture, "verify-right")
    forged = tmp_path / "proof.json"
    forged.write_text(json.dumps(proof | {"result": [proof["result"][0] % 6 + 1, *proof["result"][1:]]}))
    page.get_by_label("Or upload a proof file").set_input_files(forged)
    expect(page.locator(".checked-verdict")).to_contain_text("Verification failed")
    expect(page.locator(".checks").get_by_role("img", name="wrong")).to_have_count(1)
    assert_sound(page, picture, "verify-wrong")
    page.get_by_label("Proof", exact=True).fill("nonsense")
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("Not valid JSON")


def test_a_round_of_an_automatic_table_is_fetched_and_right(
    visit: Visit, own_house: House, ann: ApiUser, picture: Picture
) -> None:
    table = open_automatic_table(own_house.address)
    played = a_round_of(ann, table, own_house)
    page = visit(f"/verify?table={table}")
    expect(page.get_by_label("Table", exact=True)).to_have_value(table)
    page.get_by_label("Round", exact=True).fill(str(played))
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.locator(".checked-verdict")).to_contain_text(f"these dice.Automatic 1, round {played}")
    expect(page.locator(".checks")).to_contain_text("as the house reports")
    picture(page, "verify-round")
    page.reload()
    expect(page.locator(".checked-verdict")).to_contain_text("Verified")
    page.get_by_label("Round", exact=True).fill("1000000")
    page.get_by_role("button", name="Verify", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="1000000")).to_be_visible()


def a_round_of(player: ApiUser, table: str, house: House) -> int:
    """Return the number of a round that was bet on and has its dice."""
    until(lambda: player.view(table)["betting"], "the first round")
    assert player.bets("small", 500, table).status_code == 200

    number = player.view(table)["round"]
    throw_dice(house, lambda: player.view(table))
    return int(number)


@pytest.mark.thorough
def test_the_pages_about_books_speak_chinese(visit: Visit, demo_address: str, picture: Picture) -> None:
    book = book_of(demo_address, "sic-bo")
    page = visit(f"/books/{book}/analysis", language="zh")
    expect(page.get_by_role("heading", level=1)).to_have_text("數據")
    expect(page.locator("#figures tbody tr").first).to_be_visible()
    assert violations(page) == []
    picture(page, "analysis-chinese")
    page.goto(f"/books/{book}")
    expect(page.get_by_role("heading", name="異常")).to_be_visible()
    assert violations(page) == []
    picture(page, "book-chinese")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("language", "house", "nobody", "inferred"),
    [
        ("en", "House rules", "No authority named", "Massachusetts Gaming Commission (not in the text itself)"),
        ("zh", "場方規則", "未註明頒布機構", "（原文未載明）"),
    ],
)
def test_a_book_without_an_authority_says_so(
    visit: Visit, language: str, house: str, nobody: str, inferred: str
) -> None:
    page = visit("/books", language=language)
    for book, authority in (("craps", house), ("dice-works", nobody)):
        card = page.locator(".book-card", has=page.locator(f"h2 a[href='/books/{book}']"))
        expect(card.locator(".book-authority")).to_have_text(authority)
    page.goto("/books/dice-works")
    expect(page.locator(".identity dd").first).to_have_text(nobody)
    page.goto("/books/massachusetts-sic-bo")
    expect(page.locator(".identity dd").first).to_contain_text(inferred)
