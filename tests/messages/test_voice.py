"""One term for each thing, and no phrase that was retired."""

from __future__ import annotations

import re

import pytest

from pitbook.messages.catalogue import Entry
from tests.messages.test_catalogue import ALL

RETIRED = {
    "en": {
        r"\banew\b": "again, or re-: resettled",
        r"\b[Ww]agers?\b": "bet",
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
    },
    "zh": {
        "開局擲": "出場擲",
        "(?<!彩)色碼": "彩色籌碼",
        "荷官檯": "荷官控制台",
        "中彩": "勝出組合",
        "執棒員": "持棒荷官",
        "你(?!們)": "您",
        "這不是金額": "請輸入有效金額",
    },
}
TERMS = {
    "come-out": "出場擲",
    "colour chip": "彩色籌碼",
    "the point is": "目標點",
    "dealer console": "荷官控制台",
    "electronic tumbler": "電子骰盅",
    "house edge": "莊家優勢",
    "pay table": "賠率表",
    "drop box": "錢箱",
    "void": "作廢",
}
"""A term in English, and what every message with it must have in Chinese."""
LONGEST = 260


def texts(entries: list[Entry], language: str) -> list[tuple[str, str]]:
    return [(entry.id, entry.en if language == "en" else entry.zh) for entry in entries]


@pytest.mark.parametrize(("language", "phrase"), [(one, phrase) for one in RETIRED for phrase in RETIRED[one]])
def test_no_retired_phrase_is_used(language: str, phrase: str) -> None:
    found = {place for place, text in texts(ALL, language) if re.search(phrase, re.sub(r"\{\w+\}", "", text))}
    assert found == set(), f"write instead: {RETIRED[language][phrase]}"


@pytest.mark.parametrize("term", TERMS)
def test_a_term_has_one_word_in_chinese(term: str) -> None:
    with_it = [entry for entry in ALL if re.search(rf"\b{term}s?\b", entry.en, re.IGNORECASE)]
    assert with_it
    assert {entry.id: entry.zh for entry in with_it if TERMS[term] not in entry.zh} == {}


def test_english_is_short_and_ends_as_a_sentence_or_a_label() -> None:
    for entry in ALL:
        assert len(entry.en) <= LONGEST or "plural" in entry.en, entry.id
        assert "  " not in entry.en, entry.id
        assert "..." not in entry.en, f"{entry.id}: an ellipsis is one character"
        assert not re.search(r" [.,;:!?](?!\w)", entry.en.strip()), entry.id
        sentences = [one for one in re.split(r"(?<=[a-z][.!?]) ", entry.en) if one]
        if len(sentences) > 1:
            assert re.search(r"[.!?…:}”]$|\)$", entry.en.strip()), (
                f"{entry.id}: the last of several sentences has no stop"
            )
