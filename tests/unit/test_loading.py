"""Loading books: all problems at once, licensees' own books, readings and options."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pitbook.errors import InputError
from pitbook.money import Odds
from pitbook.rulebooks.catalogue import PACKAGED, build, digest, load, packaged_raw
from pitbook.rulebooks.errors import InvalidBook
from pitbook.rulebooks.patches import get_key, join_key, merged, split_key
from tests.clauses.copies import patched

AREAS = {
    "massachusetts-sic-bo": 50,
    "maryland-sic-bo": 50,
    "singapore-mbs-sic-bo-v6": 104,
    "dice-works": 3 + 1 + 1 + 10 + 14,
    "dice-ology": 3,
}


def problems(raw: dict[str, Any]) -> dict[str, str]:
    """Key -> what is wrong and what would be right, for a broken book."""
    with pytest.raises(InvalidBook) as broken:
        build(raw, "mine.toml")
    return {problem.key: f"{problem.problem_text}; {problem.solution_text}" for problem in broken.value.problems}


@pytest.fixture
def raw() -> dict[str, Any]:
    return deepcopy(packaged_raw("massachusetts-sic-bo"))


@pytest.mark.parametrize("book", PACKAGED)
def test_every_packaged_book_has_all_its_areas(book: str) -> None:
    assert len(load(book).wagers) == AREAS[book]


@pytest.mark.parametrize("book", PACKAGED)
def test_every_choice_of_every_reading_and_option_can_be_chosen(book: str) -> None:
    rules = load(book)
    for name, reading in rules.readings.items():
        for choice in reading.choices:
            assert load(book, readings={name: choice}).readings_chosen[name] == choice
    for name, option in rules.options.items():
        for choice in option.choices:
            assert load(book, options={name: choice}).options_chosen[name] == choice
    load(book, as_printed=True)


def test_as_printed_takes_exactly_the_printed_figures() -> None:
    massachusetts = load("massachusetts-sic-bo", as_printed=True)
    assert massachusetts.wagers["one-of-a-kind/1"].pays[None]["one die"] == Odds.parse("1 to 10")
    assert massachusetts.readings_chosen["double-with-triple"] == "at-least-two"
    works = load("dice-works", as_printed=True)
    changed = {name for name, choice in works.readings_chosen.items() if choice != works.readings[name].default}
    assert changed == {"high-roller-three", "works-seven", "parlay-seven", "roll-the-line-seven"}
    assert works.wagers["high-roller"].pays["PT1"]["3"] == Odds.to_one(43)


def test_a_broken_book_reports_every_problem_at_once(raw: dict[str, Any]) -> None:
    raw["wager"]["small"]["wins"] = "totl 4..10"
    raw["wager"]["big"]["pays"] = "one to one"
    raw["wager"]["total"]["pays"].pop("4")
    raw["wager"]["any-three-of-a-kind"]["colour"] = "red"
    raw["wager"]["two-of-a-kind"]["clause"] = "2(a)(99)"
    raw["book"].pop("title")
    raw["book"]["dice"] = 4
    raw["reading"]["ranks"]["default"] = "whoever"
    raw["procedure"]["round"][1]["who"] = ["deeler"]
    raw["clauses"]["3(b)"]["by"] = ["wager.small.wins"]
    raw["sections"] = {}
    found = problems(raw)
    assert "column 1" in found["wager.small.wins"]
    assert "34 to 1" in found["wager.big.pays"]
    assert "'4'" in found["wager.total.pays"]
    assert "no such key" in found["wager.any-three-of-a-kind.colour"]
    assert "did you mean 2(a)(" in found["wager.two-of-a-kind.clause"]
    assert "missing" in found["book.title"]
    assert "2 or 3" in found["book.dice"]
    assert "the-position-named" in found["reading.ranks.default"]
    assert "did you mean dealer?" in found["procedure.close.who"]
    assert "name keys" in found["clauses.3(b)"]
    assert "no such section" in found["sections"]
    assert "layout.blocks" not in found, "a broken wager is reported once"


def test_every_line_of_a_broken_book_names_file_key_wrong_and_right(raw: dict[str, Any]) -> None:
    raw["wager"]["small"]["pays"] = "2 for 1"
    with pytest.raises(InvalidBook) as broken:
        build(raw, "mine.toml")
    (problem,) = broken.value.problems
    assert str(problem) == (
        'mine.toml: wager.small.pays: "2 for 1" is worded with "for"; state odds with "to" or "win" (4(a), 4(b))'
    )


@pytest.mark.parametrize(
    ("key", "value", "where", "says"),
    [
        ("wager.total.pays", {"4": "50 to 1", "99": "1 to 1"}, "wager.total.pays", "'99'"),
        ("wager.total.pays", {}, "wager.total.pays", "empty"),
        ("wager.small.family", "collect", "wager.small.wins", "has no 'wins'"),
        ("wager.small.group", "nobody", "wager.small.group", "there is no group"),
        ("wager.two-of-a-kind.selections", ["1", "1"], "wager.two-of-a-kind.selections", "twice"),
        ("wager.two-of-a-kind.wins", "count({face}) = 2", "wager.two-of-a-kind.wins", "{number}"),
        ("wager.small.wins", "total {number}", "wager.small.wins", "has none"),
        ("layout.blocks.main.rows", [["small"]], "layout.blocks", "is not drawn"),
        ("layout.blocks.main.rows", [["small", "small"]], "layout.blocks", "is not drawn"),
        ("layout.blocks.main.bands", [{}], "layout.blocks.main.bands", "only a felt has bands"),
        ("layout.blocks.main.shape", "felt", "layout.blocks.main.bands", "there are 0 bands for"),
        ("procedure.round.close.after", ["pay"], "procedure.round.close.after", "no step 'pay' before it"),
        ("irregularity.no-roll.remedy", "shrug", "irregularity.no-roll.remedy", "one of"),
        ("inspection.shaker-each-shift.equipment", "shaker", "inspection.shaker-each-shift.equipment", "did you mean"),
        ("book.inferred", ["colour"], "book.inferred", "the section [book] has no key"),
        ("clauses.6(a).by", ["wager.tiny"], "clauses.6(a).by", "tiny"),
        ("wager", [], "wager", "not a table"),
        ("inspection", {}, "inspection", "not a list"),
    ],
)
def test_each_kind_of_problem_is_found_at_its_key(
    raw: dict[str, Any], key: str, value: object, where: str, says: str
) -> None:
    *path, last = split_key(key)
    (get_key(raw, join_key(path)) if path else raw)[last] = value
    assert says in problems(raw)[where]


def test_a_ladder_must_cover_every_count_once() -> None:
    raw = deepcopy(packaged_raw("dice-works"))
    rows = raw["wager"]["high-roller"]["rows"]
    for label, span, says in [
        ("9", "8", "already"),
        ("9", "x", "span"),
        ("10 or more", "10", "cover"),
        ("9", "9..", "second"),
    ]:
        broken = deepcopy(raw)
        broken["wager"]["high-roller"]["rows"] = {**rows, label: span}
        assert any(says in text for key, text in problems(broken).items() if key.startswith("wager.high-roller.rows"))


def licensee(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_licensee_may_pay_more_and_offer_less(tmp_path: Path) -> None:
    path = licensee(
        tmp_path,
        """
        [book]
        id = "our-sic-bo"
        title = "Our Sic Bo"
        extends = "massachusetts-sic-bo"
        [wager.three-of-a-kind]
        pays = "180 to 1"
        [wager.total.pays]
        4 = "60 to 1"
        [offer]
        leaves_out = ["any-three-of-a-kind", "one-of-a-kind"]
        """,
    )
    book = load(path)
    assert book.id == "our-sic-bo"
    assert book.wagers["three-of-a-kind/1"].pays[None]["win"] == Odds.to_one(180)
    assert book.wagers["total/4"].pays[None]["win"] == Odds.to_one(60)
    assert book.wagers["total/5"].pays[None]["win"] == Odds.to_one(18)
    assert len(book.wagers) == 50 - 1 - 6
    with pytest.raises(InputError, match="leaves it out"):
        book.wager("one-of-a-kind/3")
    assert book.digest != load("massachusetts-sic-bo").digest


def test_pays_below_the_regulators_minimum_are_refused_with_the_clause(tmp_path: Path) -> None:
    path = licensee(
        tmp_path,
        """
        [book]
        id = "mean"
        extends = "maryland-sic-bo"
        [wager.total.pays]
        4 = "49 to 1"
        [wager.one-of-a-kind.pays]
        "three dice" = "2 to 1"
        """,
    )
    with pytest.raises(InvalidBook) as broken:
        load(path)
    text = str(broken.value)
    assert "6.A.4 requires at least 50 to 1" in text
    assert "6.A.21.c requires at least 3 to 1" in text


def test_fixed_odds_may_not_be_changed_at_all(tmp_path: Path) -> None:
    path = licensee(tmp_path, '[book]\nid="x"\nextends="singapore-mbs-sic-bo-v6"\n[wager.small]\npays="2 to 1"\n')
    with pytest.raises(InvalidBook, match=r"4\.1\.1 fixes 1 to 1"):
        load(path)


def test_limits_may_be_narrowed_and_never_widened(tmp_path: Path) -> None:
    narrow = (
        '[book]\nid="x"\nextends="dice-ology"\n[wager.little-ones.limits]\nstake_min=2\nstake_max=5\npayoff_max=170\n'
    )
    assert load(licensee(tmp_path, narrow)).wagers["little-ones"].limits.stake_max == 5  # type: ignore[union-attr]
    wide = '[book]\nid="x"\nextends="dice-ology"\n[wager.little-ones.limits]\nstake_max=50\npayoff_max=1000\n'
    with pytest.raises(InvalidBook) as broken:
        load(licensee(tmp_path, wide))
    assert "(3): 10 or less" in str(broken.value)
    assert "(3): 340 or less" in str(broken.value)


def test_an_extending_book_may_not_rewrite_the_regulators_rules(tmp_path: Path) -> None:
    text = '[book]\nid="x"\nextends="dice-ology"\n[wager.little-ones]\ncollects=[2]\n[clauses."(1)"]\nsays="nothing"\n'
    with pytest.raises(InvalidBook) as broken:
        load(licensee(tmp_path, text))
    assert {problem.key for problem in broken.value.problems} == {"wager.little-ones.collects", "clauses.(1).says"}


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"[book\n", "TOML"), (b"\xff\xfe", "UTF-8"), (b"", "missing"), (b"[book]\nextends='nobody'", "nobody")],
)
def test_a_file_that_is_not_a_book_is_refused_with_a_reason(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(InvalidBook, match=says):
        load(path)


def test_wrong_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean massachusetts-sic-bo"):
        load("masachusetts-sic-bo")
    with pytest.raises(InputError, match="did you mean double-with-triple"):
        load("massachusetts-sic-bo", readings={"double-with-tripel": "exactly-two"})
    with pytest.raises(InputError, match="exactly-two"):
        load("massachusetts-sic-bo", readings={"double-with-triple": "exactly-too"})
    with pytest.raises(InputError, match="groups"):
        load("dice-works", options={"group": "parlay"})
    with pytest.raises(InputError, match="did you mean parlay"):
        load("dice-works", options={"groups": "parley"})
    with pytest.raises(InputError, match="cannot read"):
        load("no/such/file.toml")


def test_groups_are_offered_in_any_combination() -> None:
    book = load("dice-works", options={"groups": "dice-works,roll-the-line"})
    assert set(book.wagers) == {"all-lows", "all-highs", "the-works", "roll-the-line"}
    with pytest.raises(InputError, match="the house offers only dice-works, roll-the-line"):
        book.wager("high-roller")


def test_the_digest_depends_on_content_and_not_on_layout(raw: dict[str, Any]) -> None:
    reordered = {key: raw[key] for key in reversed(raw)}
    assert digest(reordered) == digest(raw) == load("massachusetts-sic-bo").digest
    assert digest(patched(raw, {"wager.small.pays": "2 to 1"})) != digest(raw)


def test_patches_leave_the_original_alone(raw: dict[str, Any]) -> None:
    before = deepcopy(raw)
    assert get_key(patched(raw, {"wager.small.pays": "2 to 1"}), "wager.small.pays") == "2 to 1"
    assert merged(raw, {"wager": {"small": {"pays": "2 to 1"}}})["wager"]["small"]["pays"] == "2 to 1"
    assert raw == before
    assert split_key('clauses."3.5.1".by') == ("clauses", "3.5.1", "by")


def test_loading_a_book_imports_nothing_heavy() -> None:
    import subprocess
    import sys

    code = "import sys; from pitbook.rulebooks.catalogue import load; load('dice-works'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numpy", "matplotlib", "rich", "cyclopts", "numba"} & set(loaded)


def test_an_extending_book_tells_all_its_problems_at_once(tmp_path: Path) -> None:
    text = """
    [book]
    id = "x"
    titel = "Ours"
    extends = "maryland-sic-bo"
    [wager.small]
    pays = "1 to 2"
    wins = "total 4"
    [wager.big]
    pays = "even"
    """
    with pytest.raises(InvalidBook) as broken:
        load(licensee(tmp_path, text))
    found = {problem.key: f"{problem.problem_text}; {problem.solution_text}" for problem in broken.value.problems}
    assert "did you mean title" in found["book.titel"]
    assert "an extending book can't change this" in found["wager.small.wins"]
    assert "not odds" in found["wager.big.pays"]


def test_what_a_licensee_states_is_no_longer_inferred(tmp_path: Path) -> None:
    text = '[book]\nid="x"\nauthority="Our Commission"\nextends="massachusetts-sic-bo"\n'
    assert load(licensee(tmp_path, text)).identity.inferred == ["currency"]


def test_a_wrong_condition_does_not_hide_a_wrong_pay(raw: dict[str, Any]) -> None:
    raw["wager"]["small"]["wins"] = "totl 4"
    raw["wager"]["small"]["pays"] = "evens"
    assert {"wager.small.wins", "wager.small.pays"} <= set(problems(raw))
