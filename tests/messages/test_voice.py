"""One term for each thing, and no phrase that was retired."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from pitbook.messages.catalogue import Entry
from pitbook.messages.patterns import Choice, Pattern
from pitbook.rulebooks.catalogue import SHIPPED
from pitbook.rulebooks.translations import packaged
from tests.messages.test_catalogue import ALL

WAGER = r"\b[Ww]agers?\b"
"""The word of rulebooks, where it is a key: the command line and errors about input use it, pages say bet."""
RETIRED = {
    "en": {
        r"\banew\b": "again, or re-: resettled",
        WAGER: "bet",
        r"\b[Ss]omebody\b|\b[Aa]nybody\b|\b[Ee]verybody\b": "someone, anyone, everyone",
        r"\bfor ever\b": "permanently",
        r"\b[Ll]ook(s|ing)? on\b": "watch",
        r"\bis no amount\b|\bno amount\b": "Enter a valid amount.",
        r"\bis none\b|\bis nobody\b": "say what is wrong",
        r"\bputs? (it|them|the dice|dice) right\b|\bput right\b": "correct",
        r"\bby itself\b|\bby themselves\b": "automatic, on its own",
        r"\bworked? out\b": "calculate, compute",
        r"\bgo(es)? on\b": "continue",
        r"\bgo(es)? back\b|\bwent back\b": "return",
        r"\bgive roles?\b|\bgives roles\b": "assign",
        r"\bpresent (clock|password|time)\b": "current",
        r"\bthe text's\b": "the book's",
        r"\bWho (is|are|has) .* (may|must|can)\b": "You",
        r"\bThis waits\b|\bIt waits\b": "Waiting for",
        r"\bhold it against\b|\bHeld against\b": "compare",
        r"\bone another\b|\bthe one before\b": "previous",
        r"\bmake (an account|a key|a link|a checkpoint)\b": "create",
        r"\b(least|greatest) stake\b": "minimum, maximum stake",
        r"\bis no (roll|line|percentile|law|book|checkpoint)\b": "is not a",
        r"\b(holds|names|knows|says) no\b": "has no, doesn't name",
        r"\bmakes? no sense\b": "is not valid",
        r"\bthere is a file\b": "the file … already exists",
        r"\bof its own\b|\bof their own\b": "its own, separate",
        r"\b(is|are) told\b|\btells (it|you|whether)\b": "is notified, shows",
        r"\bunder way\b": "running, in progress",
        r"\bnobody can tell\b": "it is unknown",
    },
    "zh": {
        "開局擲": "出場擲",
        "(?<!彩)色碼": "彩色籌碼",
        "荷官檯": "荷官控制台",
        "骰果": "開骰結果",
        "顆": "粒",
        "PIN 碼": "PIN",
        "世界時(?!（)": "UTC",
        "中彩": "勝出組合",
        "執棒員": "持棒荷官",
        "你(?!們)": "您",
        "這不是金額": "請輸入有效金額",
        "(?<!伺服器)日誌": "帳簿",
        "中獎|開彩|開獎": "勝出, 開骰",
        "出局 7|此擲無效": "七點出局, 擲骰無效",
        "釋義": "解讀",
        "宣告|宣佈": "宣布",
        "繳碼|點碼": "退碼, 點算",
        "隔離": "禁制",
        "員工": "職員",
        "關檯": "收檯",
        "截止下注|截止投注|停止投注|截注": "停止下注",
        "揭盅": "開盅",
        "電力中斷": "停電",
        "核實|查證": "驗證",
        "裁決": "裁定",
        "場所政策": "場方政策",
        "身份": "身分",
        r"\d 賠 \d": "1賠2",
        "中點(?!數)": "擲中目標點",
    },
}
TERMS = {
    "API token": "權杖",
    "base dealer": "檯邊荷官",
    "box person": "坐檯主任",
    "cage": "帳房",
    "checkpoint": "檢查點",
    "colour chip": "彩色籌碼",
    "come-out": "出場擲",
    "credit": "退碼",
    "dealer console": "荷官控制台",
    "dispute": "爭議",
    "drop box": "錢箱|收箱",
    "electronic tumbler": "電子骰盅",
    "fill": "補碼",
    "float": "籌碼盤",
    "floorperson": "區域主任",
    "gaming day": "博彩日",
    "hash": "雜湊|SHA-256",
    "house edge": "莊家優勢",
    "irregularity": "異常",
    "journal": "帳簿",
    "lammer": "標記牌",
    "no roll(?!s)": "擲骰無效",
    "pay table": "賠率表",
    "pit supervisor": "賭區主任",
    "play money": "遊戲幣",
    "power failure": "停電",
    "puck": "標盤",
    "rulebook": "規則書",
    "seed": "種子|seed",
    "seven-out": "七點出局",
    "shift manager": "當值經理",
    "stick person": "持棒荷官",
    "points? made": "擲中.*目標點",
    "the point is": "目標點",
    "tip": "小費|打賞",
    "void": "作廢",
    "walk-in": "散客",
    "webhook": "接收地址",
    "winning combination": "勝出組合",
}
"""A term in English, and what every message and every text of a book with it must have in Chinese."""
LONGEST = 260
"""Characters of a message, with the names of its parameters and the longest forms of its plurals."""


class Text(NamedTuple):
    """A message, or a text of a packaged book."""

    id: str
    en: str
    zh: str


def without_places(entry: Entry) -> Text:
    """Return the text without its placeholders, whose names are words, too."""
    place = re.compile("|".join([rf"\{{{name}\}}" for name in entry.params] or ["(?!)"]))
    return Text(entry.id, place.sub("", entry.en), place.sub("", entry.zh))


MESSAGES = [without_places(entry) for entry in ALL]
BOOKS = [Text(f"{book}: {key}", *text) for book in SHIPPED for key, text in packaged(book).items()]


@pytest.mark.parametrize("phrase", RETIRED["en"])
def test_no_retired_phrase_is_used_in_english(phrase: str) -> None:
    texts = [one for one in MESSAGES if phrase != WAGER or not one.id.startswith(("cli.", "errors."))]
    found = {text.id for text in texts if re.search(phrase, text.en)}
    assert found == set(), f"write instead: {RETIRED['en'][phrase]}"


@pytest.mark.parametrize("phrase", RETIRED["zh"])
def test_no_retired_phrase_is_used_in_chinese(phrase: str) -> None:
    found = {text.id for text in MESSAGES + BOOKS if re.search(phrase, text.zh)}
    assert found == set(), f"write instead: {RETIRED['zh'][phrase]}"


@pytest.mark.parametrize("term", TERMS)
def test_a_term_has_one_word_in_chinese_in_messages_and_books(term: str) -> None:
    with_it = [text for text in MESSAGES + BOOKS if re.search(rf"\b{term}s?\b", text.en, re.IGNORECASE)]
    assert with_it
    assert {text.id: text.zh for text in with_it if not re.search(TERMS[term], text.zh)} == {}


def test_the_ids_that_messages_name_have_one_name_in_all_areas() -> None:
    """A colour, a call or a kind of chips is named in the server's area and in pages that do without it."""
    names = {entry.id.removeprefix("names."): entry.zh for entry in ALL if entry.id.startswith("names.")}
    same = {"play.seat.colours": "colour", "console.desk.calls": "call", "office.alarms.kinds": "alarm"}
    for place, kind in same.items():
        found = {entry.id.removeprefix(f"{place}."): entry.zh for entry in ALL if entry.id.startswith(f"{place}.")}
        assert found
        assert {name: zh for name, zh in found.items() if names.get(f"{kind}.{name}", zh) != zh} == {}


def length(pattern: Pattern) -> int:
    """Return the length of the longest text of a pattern."""
    total = 0
    for part in pattern:
        match part:
            case str():
                total += len(part)
            case Choice():
                total += max(map(length, part.cases.values()))
            case _:
                total += len(part.name)
    return total


def test_english_is_short_and_ends_as_a_sentence_or_a_label() -> None:
    for entry in ALL:
        assert length(entry.pattern("en")) <= LONGEST, entry.id
        assert "  " not in entry.en, entry.id
        assert "..." not in entry.en, f"{entry.id}: an ellipsis is one character"
        assert not re.search(r" [.,;:!?](?!\w)", entry.en.strip()), entry.id
        sentences = [one for one in re.split(r"(?<=[a-z][.!?]) ", entry.en) if one]
        if len(sentences) > 1:
            assert re.search(r"[.!?…:}”]$|\)$", entry.en.strip()), (
                f"{entry.id}: the last of several sentences has no stop"
            )
