"""The pages in Chinese: no English sentence is left that is not marked as one."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import violations
from tests.browser.conftest import Visit
from tests.browser.people import signed_in

Picture = Callable[[Page, str], None]

TOLD = """() => {
  const told = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest('[lang="en"], script, style, noscript')) continue;
    if (node.nodeType === Node.TEXT_NODE) told.push(node.data);
    else for (const name of ["aria-label", "title", "placeholder", "alt"]) told.push(node.getAttribute(name) ?? "");
  }
  return told;
}"""
SENTENCE = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b|\b(to|for) 1\b")
"""Two plain words after each other; names are written with capitals."""


def english(page: Page) -> set[str]:
    """What a page tells in English, to the eye or to a screen reader."""
    return {text.strip() for text in page.evaluate(TOLD) if SENTENCE.search(text)}


def test_a_players_table_has_no_english_sentence(visit: Visit, demo_address: str, picture: Picture) -> None:
    page = signed_in(visit, "demo-ann", "/", language="zh")
    for table in ("massachusetts", "maryland", "singapore", "dice-ology", "dice-works"):
        page.goto(f"/tables/{table}")
        expect(page.locator("[data-wager]").first).to_be_visible()
        page.locator("[data-wager]").last.hover()
        assert english(page) == set(), table
        picture(page, f"chinese-{table}")


def test_a_dealers_console_says_in_chinese_what_is_due_with_the_books_words_beneath(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    page = signed_in(visit, "demo-dealer", "/tables/singapore", language="zh")
    page.goto("/tables/massachusetts/dealer")
    due = page.locator(".due-says")
    expect(due).to_contain_text(re.compile(r"[\u4e00-\u9fff]"))
    expect(due.locator('[lang="en"]')).to_be_visible()
    assert english(page) - {"骰子：demo set 1"} == set(), "but for the name of a set of dice"
    assert violations(page) == []
    picture(page, "chinese-dealer")


def test_a_refusal_is_told_in_chinese_with_the_servers_sentence_beneath(
    visit: Visit, demo_address: str, picture: Picture
) -> None:
    page = visit("/sign-in", language="zh")
    page.locator("input").nth(0).fill("demo-ann")
    page.locator("input[type=password]").fill("not this one")
    page.keyboard.press("Enter")
    note = page.get_by_role("alert").filter(has_text="名稱與密碼不符")
    expect(note).to_be_visible()
    expect(note.locator('[lang="en"]')).to_contain_text("do not fit")
    picture(page, "chinese-refused")
