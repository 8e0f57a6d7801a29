"""Translations beside the books: the packaged ones are whole, those of a house are checked, and none of them binds."""

from __future__ import annotations

import pickle
import re
from copy import deepcopy
from pathlib import Path

import pytest

from pitbook.rulebooks.catalogue import PACKAGED, SHIPPED, load, packaged_raw
from pitbook.rulebooks.composition import compose
from pitbook.rulebooks.editions import Editions
from pitbook.rulebooks.patches import set_key
from pitbook.rulebooks.text import BookText
from pitbook.rulebooks.translation_check import check_translation, texts
from pitbook.rulebooks.translations import Translated, packaged, translate, translation_path
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


BRANDED = ("dice-works", "dice-ology", "craps-bonus")
TITLE = 'book.title = { en = "Sic Bo at Harbour House", zh = "海港骰寶" }'


def written(path: Path, entries: str, own: str = OWN, of: str = "harbour-house") -> Path:
    """A book of a house at that path, with a translation beside it."""
    path.write_text(own, encoding="utf-8")
    translation_path(path).write_text(f'of = "{of}"\nlanguage = "zh"\n{entries}\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("book", SHIPPED)
def test_every_text_of_a_packaged_book_has_its_chinese_by_its_key(book: str) -> None:
    found = check_translation(book)
    assert (found.problems, found.missing) == ([], [])
    by_key = {key: (text.en, text.zh) for key, text in texts(load(book)).items()}
    assert found.texts == len(by_key) > 30
    assert {key: text for key, text in packaged(book).items() if not key.endswith(".name")} == {
        key: text for key, text in by_key.items() if not key.endswith(".name")
    }


@pytest.mark.parametrize("book", PACKAGED)
def test_no_digest_of_a_packaged_book_has_changed(book: str) -> None:
    assert load(book).digest == DIGESTS[book]


@pytest.mark.parametrize("book", SHIPPED)
def test_a_packaged_book_has_a_short_name_outside_of_its_digest(book: str) -> None:
    short, title = load(book).identity.short, load(book).identity.title
    assert short is not None
    assert len(short.en) <= min(20, len(title.en))
    assert "short" not in packaged_raw(book)["book"]


def test_a_house_names_its_own_book_briefly_in_the_book_or_beside_it(tmp_path: Path) -> None:
    path = written(tmp_path / "harbour.toml", TITLE)
    assert load(path).identity.short is None  # that of the book it extends names another book
    beside_it = written(path, f'{TITLE}\nbook.short = {{ en = "Harbour", zh = "海港" }}')
    short = load(beside_it).identity.short
    assert short is not None
    assert (short.en, short.zh) == ("Harbour", "海港")
    assert check_translation(beside_it).problems == []
    before = load(path).digest
    inside = written(path, TITLE, OWN + 'short = "Harbour"\n')
    assert load(inside).identity.short == "Harbour"
    assert load(inside).digest != before


def test_books_on_one_hand_are_named_briefly_together() -> None:
    assert load("craps+dice-works").identity.short == "Craps + Dice Works"


def test_the_same_words_have_the_same_translation_in_every_book() -> None:
    """Beside words that mean another thing in another place there is none that needs two."""
    known: dict[str, set[str]] = {}
    for book in SHIPPED:
        for text in packaged(book).values():
            known.setdefault(text.en, set()).add(text.zh)
    assert {english: chinese for english, chinese in known.items() if len(chinese) > 1} == {}


@pytest.mark.parametrize("book", SHIPPED)
def test_a_translation_is_chinese_with_the_figures_and_clauses_of_the_text(book: str) -> None:
    for text, described in packaged(book).values():
        assert re.search(HAN, described) or not re.search("[a-z]{4}", text), described
        words = re.sub(r"\(\d+\)|\d\([a-z]\)", "", described)
        assert not re.search(rf"{HAN} ?[,;:?!()]|[,;:?!()] ?{HAN}|{HAN}\.", words), described
        assert sorted(set(re.findall(r"\d{2,}", text))) == sorted(set(re.findall(r"\d{2,}", described))), described


@pytest.mark.parametrize("book", SHIPPED)
def test_a_translation_ends_as_its_text_ends(book: str) -> None:
    assert [texts for text, texts in packaged(book).values() if text.endswith(".") != texts.endswith("。")] == []


def test_a_choice_brings_the_chinese_of_the_text_that_it_sets() -> None:
    raw = translate(packaged_raw("dice-ology"), [])
    changed = "laid beside the numbers"
    raw["option"]["rebet"]["choices"]["on"]["set"] = {"equipment.lammers.says": changed}
    editions = Editions()
    key = 'option.rebet.choices.on.set."equipment.lammers.says"'
    digest = editions.add(raw, "changed.toml", None, [{key: Translated(changed, "放在數目旁")}])
    off, on = (editions.recorded("dice-ology", digest, {}, {"rebet": one}) for one in ("off", "on"))
    assert on.equipment["lammers"].says.zh == "放在數目旁"
    assert off.equipment["lammers"].says.zh == packaged("dice-ology")["equipment.lammers.says"].zh
    assert texts(on)[key].zh == "放在數目旁"


def test_a_house_translates_its_own_words_and_takes_the_rest_from_the_extended_book(tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", TITLE)
    found = check_translation(book)
    assert (found.file, found.problems) == (str(tmp_path / "harbour.zh.toml"), [])
    assert found.missing == ["book.authority"]
    rules = load(book)
    assert (rules.identity.title, rules.identity.title.zh) == ("Sic Bo at Harbour House", "海港骰寶")
    assert rules.identity.about.zh == packaged("maryland-sic-bo")["book.about"].zh


def test_a_text_that_has_changed_is_shown_in_english_and_never_with_its_old_chinese(tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", TITLE, OWN.replace("at Harbour House", "at the Pier"))
    assert load(book).identity.title.zh == "Sic Bo at the Pier"
    (problem,) = check_translation(book).problems
    assert (problem.key, problem.problem_text) == ("book.title", "the book says 'Sic Bo at the Pier'")
    older = translate(packaged_raw("maryland-sic-bo"), [])
    set_key(older, "procedure.round.shake-manual.says", "shake it twice")
    editions = Editions()
    rules = editions.recorded("maryland-sic-bo", editions.add(older, "older.toml"), {}, {})
    (shake,) = (step for step in rules.procedure.round if step.id == "shake-manual")
    assert shake.says.zh == shake.says == "shake it twice"
    assert rules.identity.title.zh == packaged("maryland-sic-bo")["book.title"].zh


def test_books_on_one_hand_keep_the_chinese_of_each() -> None:
    rules = compose([load("craps"), load("dice-ology")])
    assert rules.identity.title.zh == "花旗骰（場方規則） + Dice-Ology 骰學"
    assert rules.identity.title == "Craps (house rules) + Dice-Ology"
    assert {key: text for key, text in texts(rules).items() if text.zh == text.en} == {}


def test_a_text_of_a_book_is_its_english_and_is_copied_with_its_chinese() -> None:
    text = BookText("roll", "擲骰")
    assert (text, text.zh, text.label.zh_hans) == ("roll", "擲骰", "掷骰")
    assert pickle.loads(pickle.dumps(text)).zh == deepcopy(text).zh == "擲骰"
    assert (type(text.en), BookText("roll").zh) == (str, "roll")


def test_a_translation_corrects_the_chinese_of_a_name_and_keeps_the_digest(tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", 'wager.small.name = { en = "Small", zh = "細" }')
    assert check_translation(book).problems == []
    assert (load(book).wagers["small"].name.zh, load("maryland-sic-bo").wagers["small"].name.zh) == ("細", "小")


def test_brand_names_stay_in_english_beside_their_meaning() -> None:
    names = {wager.name.en: wager.name.zh for book in BRANDED for wager in load(book).wagers.values()}
    generic = {english for english in names if english.startswith("Repeating ")}
    for english, chinese in names.items():
        assert english in generic or re.fullmatch(rf"{re.escape(english)}（.+）", chinese), chinese
    for book in ("dice-works", "dice-ology"):
        title = load(book).identity.title
        assert title.zh.startswith(title.en.partition(" (")[0])


def test_a_translation_does_not_touch_the_digest_of_a_book(tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", TITLE)
    before = load(book).digest
    translation_path(book).unlink()
    assert load(book).digest == before


ABOUT = packaged("maryland-sic-bo")["book.about"].en


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ('book.titel = { en = "Sic Bo", zh = "骰寶" }', "book.titel", "has no text here"),
        (
            'procedure.round.shaek.says = { en = "Shake", zh = "搖骰" }',
            "procedure.round.shaek.says",
            "has no text here",
        ),
        ('book.title = { en = "Sic Bo", zh = "骰寶" }', "book.title", "says 'Sic Bo at Harbour House'"),
        (f'book.about = {{ en = "{ABOUT}", zh = "骰寶" }}', "book.about", "the packaged book translates it"),
        ('book.authority = { en = "Harbour House", zh = "" }', "book.authority", "not a text in two languages"),
        ('book.authority = { zh = "海港" }', "book.authority", "not a text in two languages"),
        ('book.authority = "海港"', "book.authority", "not a text in two languages"),
        ("[titles]", "titles", "no such key"),
        ('book.authority = "海港', "syntax", ""),
    ],
)
def test_problems_of_a_translation_are_reported(tmp_path: Path, text: str, key: str, says: str) -> None:
    (problem,) = check_translation(written(tmp_path / "harbour.toml", text)).problems
    assert problem.key == key
    assert says in problem.problem_text
    assert "harbour.zh.toml" in problem.file


def test_a_translation_of_another_book_is_not_taken(tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", TITLE, of="maryland-sic-bo")
    assert [problem.key for problem in check_translation(book).problems] == ["of"]
    assert load(book).identity.title.zh == "Sic Bo at Harbour House"


def test_check_tells_the_problems_of_a_translation_and_counts_what_is_missing(run: Run, tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", TITLE.replace("title", "titel"))
    result = run("check", str(book))
    assert result.code == 1
    assert "has no text here" in result.out
    written(tmp_path / "harbour.toml", TITLE)
    result = run("check", str(book))
    assert (result.code, result.out.splitlines()[1]) == (0, "1 text has no Chinese, and will be shown in English.")
    assert run("check", str(book), "--json").json["not_translated"] == ["book.authority"]


def test_a_translation_is_not_a_book(run: Run, tmp_path: Path) -> None:
    book = written(tmp_path / "harbour.toml", "")
    result = run("check", str(translation_path(book)))
    assert result.code == 2
    assert "harbour.toml" in result.err
