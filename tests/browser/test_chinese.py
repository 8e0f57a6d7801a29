"""The pages in Chinese: no English sentence is left that is not marked as one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pitbook.rulebooks.catalogue import PACKAGED
from pitbook.server.demo import TABLES
from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import signed_in
from tests.soaking import thorough
from tests.tumbler.test_proof import proof
from tests.waiting import until

Picture = Callable[[Page, str], None]

TOLD = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest('[lang="en"], [translate="no"], script, style, noscript, pre, code')) continue;
    if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
    else for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(node.getAttribute(name) ?? "");
  }
  return found;
}"""
ENGLISH = "main [lang='en']:not(.exact)"
"""What a page says in English where it has no Chinese for it; a small line beneath its Chinese is another thing."""
SENTENCE = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b|\b(to|for) 1\b")
"""Two plain words after each other; names are written with capitals."""


NOTHING = re.compile("$^")
QUOTED = re.compile(r"「[^」]*」|［[^］]*］|Gaming shift manager \d")
"""Names of people, what they said, and clauses, which name their book where a hand has several."""
HAN = re.compile(r"[\u4e00-\u9fff]")


def english(page: Page, names: re.Pattern[str] = NOTHING) -> set[str]:
    """Return the English text of a page, visible or for screen readers, except names."""
    return {text.strip() for text in page.evaluate(TOLD) if SENTENCE.search(names.sub("", text))}


def all_chinese(page: Page) -> None:
    """Wait for the books' Chinese texts and check that no English is left."""
    expect(page.locator("h1").first).to_contain_text(HAN)
    expect(page.locator("main .waiting")).to_have_count(0)
    words = page.locator(ENGLISH).filter(has_text=re.compile("[a-z]{2}"))  # figures and PT1 are the same in Chinese
    expect(words, page.url).to_have_text([])


@pytest.mark.parametrize(
    ("locale", "language", "heading"),
    [
        ("zh-SG", "zh-Hans", "赌台"),
        ("zh-HK", "zh-Hant", "賭檯"),
        *thorough(*((locale, "zh-Hans", "赌台") for locale in ("zh-CN", "zh-MY"))),
        *thorough(*((locale, "zh-Hant", "賭檯") for locale in ("zh-TW", "zh-MO", "zh-Hant"))),
        *thorough(("en-SG", "en", "Tables")),
    ],
)
def test_the_browsers_locale_chooses_the_script(visit: Visit, locale: str, language: str, heading: str) -> None:
    page = visit("/", language=locale)
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("h1").first).to_contain_text(heading)


@pytest.mark.thorough
def test_a_players_table_has_no_english_sentence(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-ann", "/", language="zh")
    for table in TABLES:
        page.goto(f"/tables/{table}")
        expect(page.locator("[data-wager]").first).to_be_visible()
        page.locator("[data-wager]:visible").last.hover()
        assert english(page) == set(), table
        picture(page, f"chinese-{table}")


TRADITIONAL = re.compile("[賭檯籌碼號單雙開關請還帳員設個點擲區這來說過為與對時會們從門結賠總數莊圍]")


@pytest.mark.parametrize("place", ["/tables/singapore", "/tables/dice-ology", "/books/singapore-sic-bo", "/verify"])
def test_simplified_chinese_has_no_traditional_character(visit: Visit, place: str, picture: Picture) -> None:
    page = visit(place, language="zh-Hans")
    expect(page.locator("main")).to_contain_text(HAN)
    expect(page.locator("main .waiting")).to_have_count(0)
    if "/tables/" in place:
        expect(page.locator("[data-wager]").first).to_be_visible()

    def left() -> set[str]:
        return {text.strip() for text in page.evaluate(TOLD) if TRADITIONAL.search(text)} - {"繁體中文"}

    until(lambda: left() == set(), "the books' names in Simplified Chinese")
    picture(page, f"simplified{place.replace('/', '-')}")


@pytest.mark.thorough
def test_a_dealers_console_says_in_chinese_what_is_due_with_the_books_words_beneath(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    page = signed_in(visit, "demo-dealer", "/tables/singapore", language="zh")
    page.goto("/tables/massachusetts/dealer")
    due = page.locator(".due-says")
    expect(due).to_contain_text(HAN)
    expect(due.locator('[lang="en"]')).to_be_visible()
    assert english(page) - {"骰子：demo set 1"} == set(), "except the name of a set of dice"
    assert violations(page) == []
    picture(page, "chinese-dealer")


@pytest.mark.thorough
def test_a_refusal_is_in_chinese_without_english_beneath(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit("/sign-in", language="zh")
    page.locator("input").nth(0).fill("demo-ann")
    page.locator("input[type=password]").fill("not this one")
    page.keyboard.press("Enter")
    note = page.get_by_role("alert").filter(has_text="名稱或密碼不正確")
    expect(note).to_be_visible()
    expect(note.locator('[lang="en"]')).to_have_count(0)
    picture(page, "chinese-refused")


@pytest.mark.parametrize("locale", ["zh-TW", "zh-HK", "zh-CN"])
def test_times_are_those_of_the_24_hour_clock(visit: Visit, locale: str) -> None:
    page = signed_in(visit, "demo-ann", "/me", language=locale)
    expect(page.locator(".own-list time").first).to_have_text(re.compile(r"^2\d{3}年\d{1,2}月\d{1,2}日 \d\d:\d\d$"))


def test_a_button_to_choose_a_file_has_no_words_of_the_browser(visit: Visit, tmp_path: Path) -> None:
    page = visit("/verify", language="zh")
    page.get_by_role("tab", name="按證明").click()
    chooser = page.locator(".file-field")
    expect(chooser).to_contain_text("未選擇檔案")
    file = tmp_path / "proof.json"
    file.write_text("not JSON")
    with page.expect_file_chooser() as choosing:
        chooser.get_by_text("選擇檔案", exact=True).click()
    choosing.value.set_files(file)
    expect(chooser).to_contain_text("proof.json")
    box = page.get_by_label("或上載證明檔案").bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) <= (1, 1)


def test_english_beneath_chinese_is_a_choice_off_for_players_and_on_for_staff(visit: Visit, demo_address: str) -> None:
    book = f"/books/{PACKAGED[0]}"
    player = signed_in(visit, "demo-ann", book, language="zh")
    beneath = player.locator("#procedure .exact").first
    expect(player.locator("#procedure .step-says").first).to_contain_text(HAN)
    expect(beneath).to_be_hidden()
    player.goto("/me")
    player.get_by_label("在中文下方顯示英文").check()
    player.goto(book)
    expect(beneath).to_be_visible()
    staff = signed_in(visit, "demo-dealer", book, language="zh")
    expect(staff.locator("#procedure .exact").first).to_be_visible()


def test_every_title_and_every_sentence_of_the_books_is_there_in_chinese(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    page = visit("/", language="zh")
    for place in ("/", "/books", "/analysis", *(f"/books/{book}" for book in PACKAGED)):
        page.goto(place)
        all_chinese(page)
    picture(page, "chinese-book")
    steps = page.locator("#procedure .step-says")
    expect(steps.first).to_contain_text("玩家將注碼交予檯邊荷官或持棒荷官")
    expect(steps.first.locator(".exact")).to_have_text(
        "players give their wagers to the base dealer or the stick person"
    )
    assert violations(page) == []


@pytest.mark.thorough
def test_the_analysis_names_readings_and_doubts_in_chinese(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = visit("/books/dice-works/analysis?reading=works-seven:seven-out", language="zh")
    expect(page.locator(".findings li").first).to_contain_text("玩家佔優勢")
    expect(page.get_by_label("Dice Works：哪個 7 輸")).to_contain_text("只有七點出局才輸")
    all_chinese(page)
    machine = page.locator(".machine img")
    machine.scroll_into_view_if_needed()
    expect(machine).to_have_js_property("complete", True)
    assert machine.evaluate("async image => (await fetch(image.src)).text()").count("贏") > 0
    picture(page, "chinese-analysis")


def test_who_calls_an_irregularity_reads_it_in_chinese_with_the_books_words_beneath(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    page = signed_in(visit, "demo-floorperson", "/tables/maryland/dealer", language="zh")
    page.get_by_role("button", name="電子顯示裝置故障").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("在區域主任或以上職級面前按骰子結算")
    expect(dialog.locator(".exact").first).to_contain_text("Settle by the dice before a floorperson or above")
    picture(page, "chinese-irregularity")


def test_the_floor_opens_a_table_by_terms_in_chinese(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-manager", "/floor/open", language="zh")
    for title in ("骰寶（麻省）", "Dice Works 骰數齊全（花旗骰旁注）"):
        page.get_by_role("radio", name=title).check()
        expect(page.locator(".doubt").first).to_be_visible()
        all_chinese(page)
    picture(page, "chinese-opening")
    for place in ("/floor", "/floor/tables/maryland/terms", "/floor/tables/singapore/equipment"):
        page.goto(place)
        all_chinese(page)
        if place.endswith("/terms"):
            expect(page.get_by_role("row", name="全圍")).to_contain_text("1賠")
            expect(page.locator("main [lang='en']:not(.exact)")).to_have_count(0)


@pytest.mark.thorough
def test_every_record_is_written_in_chinese(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-auditor", "/audit", language="zh")
    expect(page.locator("#records td").first).to_be_visible()
    assert english(page) == set()
    for table in ("house", *TABLES):
        page.goto(f"/audit/journal/{table}")
        element = page.locator(".audit-says > p")
        expect(element.first).to_contain_text(HAN)
        all_chinese(page)
        assert english(page, QUOTED) == set(), table
        assert [text for text in element.all_inner_texts() if not HAN.search(text)] == []
        expect(page.locator(".audit-says .exact")).to_have_count(0)
    picture(page, "chinese-journal")
    page.goto("/audit/rounds/massachusetts/1")
    page.get_by_role("button", name="下一步").click()
    expect(page.locator(".replay-entry .audit-says > p")).to_contain_text(HAN)
    assert english(page, QUOTED) == set()
    picture(page, "chinese-replay")


@pytest.mark.parametrize("right", [True, False])
def test_the_check_of_a_draw_is_written_in_chinese(visit: Visit, picture: Picture, right: bool) -> None:
    page = visit("/verify", language="zh")
    page.get_by_role("tab").last.click()
    given = proof() if right else proof(result=(1, 1, 1), commitment="00" * 32)
    page.locator("textarea").fill(given.to_json().decode())
    page.get_by_role("button", name="驗證", exact=True).click()
    steps = page.locator(".checks")
    expect(steps).to_contain_text("與場方所稱相同" if right else "場方稱骰子為 1-1-1")
    expect(steps.locator(".exact")).to_have_count(0)
    all_chinese(page)
    assert english(page) == set()
    picture(page, f"chinese-verify-{right}")
