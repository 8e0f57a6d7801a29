"""Translations beside the books: the packaged ones are whole, those of a house are checked, and none of them binds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitbook.rulebooks import translations
from pitbook.rulebooks.catalogue import HOUSE_BOOKS, PACKAGED, load
from pitbook.rulebooks.translations import beside, house, packaged, sentences, translated
from tests.unit.test_cli import Run, run

DIGESTS = {
    "massachusetts-sic-bo": "c77ec81bf56ae5319ccc7e81196450c42bd6a538e943d8bf867e6ad62b46261f",
    "maryland-sic-bo": "a316cb27cccc79f03a5152bd64cc969b8efd9b393fe7d602c24faa85b6060941",
    "singapore-mbs-sic-bo-v6": "cd48f84709bfee3d3460035978c3e255085a9b069aa07c1c17aa09d36ddc2aaf",
    "dice-works": "a2449af8dbac1c7b3787b66b11050d069cc19ea55d188cf49a4c6a89db128c73",
    "dice-ology": "7778a4c48f9b35f247f8920fc819ba7f8b5ddac9f95ff1091de657491c14b87e",
}
"""As the journals of running houses name them: whatever is written beside a book, these stay."""

OWN = """
[book]
id        = "harbour-house"
extends   = "maryland-sic-bo"
title     = "Sic Bo at Harbour House"
authority = "Harbour House"
"""
__all__ = ["run"]
HAN = r"[\u3400-\u9fff]"


def written(path: Path, sentences: str, of: str = "harbour-house") -> Path:
    """A book of a house at that path, with a translation beside it."""
    path.write_text(OWN, encoding="utf-8")
    beside(path).write_text(f'of = "{of}"\nlanguage = "zh"\n[sentences]\n{sentences}\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("book", PACKAGED)
def test_every_sentence_of_a_packaged_book_has_its_chinese_and_no_other_has(book: str) -> None:
    found = translated(book)
    assert (found.problems, found.missing) == ([], [])
    assert found.sentences == len(packaged(book)) > 50


@pytest.mark.parametrize("book", PACKAGED)
def test_no_digest_of_a_packaged_book_has_changed(book: str) -> None:
    assert load(book).digest == DIGESTS[book]


def test_one_sentence_has_one_translation_whichever_book_says_it() -> None:
    told = house({})
    for book in PACKAGED:
        assert {sentence: told[sentence] for sentence in packaged(book)} == packaged(book)


@pytest.mark.parametrize("book", PACKAGED)
def test_a_translation_is_chinese_with_the_figures_and_clauses_of_the_sentence(book: str) -> None:
    for sentence, said in packaged(book).items():
        assert re.search(HAN, said) or not re.search("[a-z]{4}", sentence), said
        words = re.sub(r"\(\d+\)|\d\([a-z]\)", "", said)
        assert not re.search(rf"{HAN} ?[,;:?!()]|[,;:?!()] ?{HAN}|{HAN}\.", words), said
        assert sorted(set(re.findall(r"\d{2,}", sentence))) == sorted(set(re.findall(r"\d{2,}", said))), said


@pytest.mark.parametrize("book", PACKAGED)
def test_a_translation_ends_as_its_sentence_ends(book: str) -> None:
    wrong = [said for sentence, said in packaged(book).items() if sentence.endswith(".") != said.endswith("。")]
    assert wrong == []


def test_what_a_reading_or_an_option_changes_in_a_sentence_wants_its_chinese_too() -> None:
    rules = load("dice-ology")
    option = rules.options["rebet"]
    choice = option.choices["on"].model_copy(update={"set": {"equipment.lammers.says": "laid beside the numbers"}})
    changed = option.model_copy(update={"choices": {**option.choices, "on": choice}})
    object.__setattr__(rules, "options", {"rebet": changed})
    assert "laid beside the numbers" in sentences(rules)


def test_a_house_translates_its_own_words_and_takes_the_rest_from_the_extended_book(tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", '"Sic Bo at Harbour House" = "海港骰寶"')
    found = translated(book)
    assert (found.file, found.problems, found.missing) == (str(tmp_path / "harbour.zh.toml"), [], ["Harbour House"])


def test_a_translation_does_not_touch_the_digest_of_a_book(tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", '"Sic Bo at Harbour House" = "海港骰寶"')
    before = load(book).digest
    beside(book).unlink()
    assert load(book).digest == before


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ('"Sic Bo at Harbor House" = "海港骰寶"', "sentences.'Sic Bo at Harbor House'", "does not say this"),
        ('"No more bets" = "買定離手"', "sentences.'No more bets'", "a packaged book has it as '停止下注'"),
        ('"Harbour House" = ""', "sentences.'Harbour House'", "not a sentence"),
        ('"Harbour House" = 1', "sentences.'Harbour House'", "not a sentence"),
        ("[titles]", "titles", "no such key"),
        ('"Harbour House" = "海港', "syntax", ""),
    ],
)
def test_what_is_wrong_with_a_translation_is_told(tmp_path: Path, text: str, key: str, says: str) -> None:
    (problem,) = translated(written(tmp_path / "harbour.toml", text)).problems
    assert problem.key == key
    assert says in problem.wrong
    assert "harbour.zh.toml" in problem.file


def test_a_translation_of_another_book_is_not_taken(tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", '"Harbour House" = "海港"', of="maryland-sic-bo")
    assert [problem.key for problem in translated(book).problems] == ["of"]
    assert translations.translation_beside(book)[1] == {}


def test_check_tells_the_problems_of_a_translation_and_counts_what_is_missing(run: Run, tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", '"Sic Bo at Harbor House" = "海港骰寶"')
    result = run("check", str(book))
    assert result.code == 1
    assert "does not say this" in result.out
    written(tmp_path / "harbour.toml", '"Sic Bo at Harbour House" = "海港骰寶"')
    result = run("check", str(book))
    assert (result.code, result.out.splitlines()[1]) == (0, "1 sentence has no Chinese, and will be shown in English")
    assert run("check", str(book), "--json").json["not_translated"] == ["Harbour House"]


def test_a_translation_is_no_book(run: Run, tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", "")
    result = run("check", str(beside(book)))
    assert result.code == 2
    assert "harbour.toml" in result.err


@pytest.mark.parametrize("book", HOUSE_BOOKS)
def test_the_house_books_of_craps_are_translated_whole(book: str) -> None:
    found = translated(book)
    assert (found.problems, found.missing) == ([], [])
    known = {sentence: words for other in PACKAGED for sentence, words in packaged(other).items()}
    assert [one for one, words in packaged(book).items() if known.get(one, words) != words] == []
