"""Every message is there in both languages, with the same parameters, in the words that were agreed on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pitbook.messages import Message
from pitbook.messages.catalogue import areas, page_areas
from pitbook.messages.languages import LANGUAGES
from pitbook.messages.patterns import Argument, Choice, Pattern, walk

ALL = [entry for area in (*areas().values(), *page_areas().values()) for entry in area]
HAN = r"[\u3400-\u9fff]"
PLURALS = {"en": {"one", "other"}, "zh-Hant": {"other"}, "zh-Hans": {"other"}}


def test_the_catalogue_has_messages_for_the_pages_and_for_the_server() -> None:
    assert len(ALL) > 2000
    assert set(page_areas()) >= {"common", "play", "console", "floor", "office", "audit", "books", "account"}


def test_every_message_uses_each_of_its_parameters_in_every_language() -> None:
    """A count that only decides a plural is not needed in Chinese."""
    for entry in ALL:
        assert {place.name for place in walk(entry.pattern("en"))} == set(entry.params), entry.id
        displayed = {place.name for place in walk(entry.pattern("en")) if isinstance(place, Argument)}
        for language in LANGUAGES:
            places = {place.name for place in walk(entry.pattern(language))}
            assert displayed <= places <= set(entry.params), (entry.id, language)


def test_plurals_have_the_forms_of_their_language_and_only_counts_decide_them() -> None:
    for entry in ALL:
        for language in LANGUAGES:
            for place in walk(entry.pattern(language)):
                if isinstance(place, Choice) and place.plural:
                    forms = {case for case in place.cases if not case.startswith("=")}
                    assert forms <= PLURALS[language], (entry.id, language)
                    assert entry.params[place.name] == "count", entry.id


def test_a_count_before_a_noun_has_a_singular() -> None:
    """`{count} rolls` without a plural would say 1 rolls."""
    plain = re.compile(r"\{(\w+)\} [a-z]+s\b")
    for entry in ALL:
        for found in plain.finditer(entry.en):
            assert entry.params[found[1]] != "count", entry.id


def texts(pattern: Pattern) -> Iterator[str]:
    """Yield the text of a pattern without its places, and that of each of its cases."""
    yield "".join(part for part in pattern if isinstance(part, str))
    for place in walk(pattern):
        if isinstance(place, Choice):
            for case in place.cases.values():
                yield from texts(case)


def test_chinese_sentences_have_chinese_punctuation() -> None:
    wrong = re.compile(rf"{HAN} ?[,;:?!()]|[,;:?!()] ?{HAN}|{HAN}\.")
    for entry in ALL:
        for text in texts(entry.pattern("zh-Hant")):
            assert not wrong.search(text), entry.id


def test_simplified_chinese_has_no_traditional_character_left() -> None:
    traditional = re.compile("[賭檯籌碼號結單雙開關請還碼帳員設個點擲區這來說過為與對時會體們從東車門]")
    assert [entry.id for entry in ALL if traditional.search(entry.text("zh-Hans"))] == []


def test_simplified_chinese_has_its_own_words_for_codes_and_fields() -> None:
    """A recovery code is not a code that undoes something, and a field of the API is not a field of a form."""
    assert Message("names.sign-in.recovery").text("zh-Hans") == "恢复码"
    assert (
        Message("events.house.factor.codes", {"person": "ann", "count": 3}).text("zh-Hans") == "ann 取得 3 个新恢复码"
    )
    assert Message("errors.requests.field.unknown", {"nearest": "…"}).text("zh-Hans") == "没有这个字段；…"
    assert Message("cli.help.serve.port").text("zh-Hans") == "监听的端口；0 为任何空闲的端口。"
    assert Message("cli.help.simulate.threads").text("zh-Hans") == "线程数目；默认为所有核心。"
