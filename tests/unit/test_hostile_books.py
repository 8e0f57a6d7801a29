"""Malicious books: nothing crashes, hangs or is accepted by mistake."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pitbook.analysis.lint import lint
from pitbook.dice import rolls
from pitbook.engine.analyse import analyse_book
from pitbook.engine.bank import Bank
from pitbook.engine.progress import advance, initial_progress, lammers
from pitbook.rulebooks.catalogue import PACKAGED, build, digest, load, packaged_raw
from pitbook.rulebooks.errors import InvalidBook
from pitbook.rulebooks.model import Rulebook
from tests.soaking import SOAK, thorough
from tests.unit.test_cli import Run, run

__all__ = ["run"]

WEIRD: list[Any] = [
    None, 0, -1, 10**30, 1.5, float("nan"), True, "", "x", "\n", "{", "{selection}", [], [[]], ["x"], [1], [{}],
    {}, {"x": 1}, {"": ""}, {"a.b": "c"}, date(2020, 1, 1), "34 to 1", "push", ", to 1", "9" * 5000, "(" * 2000,
    "not " * 3000 + "triple", {"says": "x", "set": 5}, {"a": {"says": "x", "set": {"": 1, "wager": 5}}},
    {"lose": "1 to 1"}, ["1 to 1"] * 3, "0..99999999",
]  # fmt: skip


def places(data: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where a value stands in a book."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [place for key, value in items for place in [(*above, key), *places(value, (*above, key))]]


BOOKS = 600 if SOAK else 60
"""So many books are broken by each seed; where it soaks, by other seeds each time."""


@pytest.mark.parametrize("seed", [4 * SOAK, *thorough(*range(4 * SOAK + 1, 4 * SOAK + 4))])
def test_a_book_with_any_part_replaced_is_read_or_refused_with_its_problems(
    seed: int, record_property: Callable[[str, object], None]
) -> None:
    record_property("examples", BOOKS)
    chance = random.Random(seed)
    for _ in range(BOOKS):
        book = chance.choice(PACKAGED)
        raw = deepcopy(packaged_raw(book))
        for _ in range(chance.choice([1, 1, 2])):
            *path, last = chance.choice(places(raw))
            holder: Any = raw
            for key in path:
                holder = holder[key]
            holder[last] = deepcopy(chance.choice(WEIRD))
        try:
            rules = build(raw, "mine.toml", base=chance.choice([None, packaged_raw(book)]), as_printed=bool(seed % 2))
        except InvalidBook as broken:
            lines = str(broken).splitlines()
            data = len(broken.problems)
        else:
            lines, data = [""], 0
            use(rules)
        assert len(lines) == data + 1, "one line for each problem, and their number"


def use(rules: Rulebook) -> None:
    """All that is done with a book once it is read."""
    lint(rules)
    assert len(analyse_book(rules)) >= len(rules.wagers)
    progress = initial_progress(rules)
    for roll in rolls(rules.dice):
        progress = advance(rules, progress, roll).progress
    lammers(rules, progress)
    if rules.wagers:
        Bank(rules)


def problems(path: Path, text: str | bytes) -> dict[str, str]:
    """Key -> what is wrong, of a file."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InvalidBook) as broken:
        load(path)
    return {problem.key: f"{problem.problem_text}; {problem.solution_text}" for problem in broken.value.problems}


@pytest.mark.parametrize(
    ("text", "key", "says"),
    [
        ("a = " + "[" * 3000 + "]" * 3000, "syntax", "too deep"),
        ("[" + ".".join(["wager", *"x" * 3000]) + "]\ny = 1", "wager.x", "deep"),
        ("a = " + "9" * 5000, "syntax", "too long"),
        ("# " + "x" * 1_000_001, "size", "larger than"),
        ('[book]\ntitle = "\\u001b[31mred"', "book.title", "control character"),
    ],
)
def test_a_file_that_no_book_needs_is_refused_at_once(tmp_path: Path, text: str, key: str, says: str) -> None:
    (found,) = problems(tmp_path / "mine.toml", text).items()
    assert found[0].startswith(key)
    assert says in found[1]


def test_a_device_without_end_and_a_name_without_a_file_are_no_books(run: Run) -> None:
    assert "larger than" in run("check", "/dev/zero").out
    assert "unknown book" in run("show", "x" * 5000).err
    assert run("show", "x" * 300 + ".toml").err.count("\n") == 1


def extending(path: Path, base: str, text: str) -> dict[str, str]:
    return problems(path, f'[book]\nid = "house"\nextends = "{base}"\n{text}')


SNEAKS = [
    ("massachusetts-sic-bo", '[wager.total.limits]\nclause="4(b)"\npayoff_max=10', "wager.total.limits.payoff_max"),
    ("dice-works", '[wager.parlay.limits]\nclause="parlay/paid"\npayoff_max=1', "wager.parlay.limits.payoff_max"),
    ("dice-ology", '[wager.big-ones.limits]\nclause="(10)"', "wager.big-ones.limits.clause"),
    ("dice-ology", '[offer]\n[wager.little-ones]\nafter_win="open again"', "wager.little-ones.after_win"),
    ("maryland-sic-bo", '[reading."x.default"]\nclause="6.A"', 'reading."x.default".clause'),
    ("maryland-sic-bo", '[wager."x.pays"]\nwins="triple"', 'wager."x.pays".wins'),
    ("maryland-sic-bo", "[wager.small]\nwins={}", "wager.small.wins"),
    ("maryland-sic-bo", '[wager.small.pays]\nlose="1 to 1"', "wager.small.pays"),
]


@pytest.mark.parametrize(("base", "text", "key"), SNEAKS)
def test_a_licensee_slips_no_rule_past_the_regulator(tmp_path: Path, base: str, text: str, key: str) -> None:
    assert key in extending(tmp_path / "house.toml", base, text)


def test_limits_stated_in_a_currency_keep_it(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    assert "(3) states limits in USD" in extending(path, "dice-ology", 'currency = "KWD"')["book.currency"]
    path.write_text('[book]\nid = "house"\nextends = "maryland-sic-bo"\ncurrency = "CAD"\n')
    assert load(path).identity.currency == "CAD"


def test_a_licensees_book_has_an_id_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    assert "give your book its own id" in problems(path, '[book]\nextends = "maryland-sic-bo"')["book.id"]
    assert "packaged" in problems(path, '[book]\nextends = "maryland-sic-bo"\nid = "dice-works"')["book.id"]


def test_what_a_licensee_pays_holds_under_every_reading(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    start = '[book]\nid = "house"\nextends = "massachusetts-sic-bo"\n'
    for text in ('[wager.one-of-a-kind]\npays = "3 to 1"', '[wager.one-of-a-kind.pays]\n"one die" = "3 to 1"'):
        path.write_text(start + text)
        assert str(load(path, as_printed=True).wagers["one-of-a-kind/1"].pays[None]["one die"]) == "3 to 1"


def test_all_kinds_of_problems_of_an_extending_book_are_reported_at_once(tmp_path: Path) -> None:
    text = """
    [reading.one-of-a-kind-single]
    default = "whatever"
    [wager.small]
    pays = "1 to 2"
    [wager.big]
    wins = "triple"
    pays = "evens"
    [offer]
    leaves_out = ["tiny", "huge"]
    """
    found = extending(tmp_path / "house.toml", "massachusetts-sic-bo", text)
    assert set(found) == {
        "reading.one-of-a-kind-single.default", "wager.small.pays", "wager.big.wins", "wager.big.pays",
        "offer.leaves_out",
    }  # fmt: skip


def test_check_tells_the_problems_of_other_choices_beside_those_of_the_defaults(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        '[book]\nid="x"\nextends="dice-works"\n[wager.all-lows]\npays=["40 to 1","30 to 1"]\n'
        '[reading.high-roller-nine]\ndefault="one-ninety-nine"\n[wager.high-roller.pays]\n9="199 to 1"\n'
    )
    keys = [problem["key"] for problem in run("check", str(path), "--json").json["problems"]]
    assert "wager.all-lows.pays" in keys
    assert "wager.high-roller.pays (with reading high-roller-nine=one-ninety)" in keys
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("key", "value", "where"),
    [
        ("selections", ["a/b"], "wager.two-of-a-kind.selections"),
        ("selections", [""], "wager.two-of-a-kind.selections"),
        ("selections", [str(number) for number in range(100_000)], "wager.two-of-a-kind.selections"),
        ("wins", {"lose": "triple", "a": "total 4"}, "wager.two-of-a-kind.wins"),
        ("wins", {"a": "total 4", "b": "total 4..5"}, "wager.two-of-a-kind.wins"),
        ("wins", {}, "wager.two-of-a-kind.wins"),
    ],
)
def test_names_and_rows_that_would_be_mistaken_are_refused(key: str, value: Any, where: str) -> None:
    raw = deepcopy(packaged_raw("massachusetts-sic-bo"))
    raw["wager"]["two-of-a-kind"][key] = value
    with pytest.raises(InvalidBook) as broken:
        build(raw, "mine.toml")
    assert where in {problem.key for problem in broken.value.problems}


def test_two_readings_may_not_change_one_key() -> None:
    raw = deepcopy(packaged_raw("massachusetts-sic-bo"))
    other = deepcopy(raw["reading"]["double-with-triple"])
    raw["reading"]["another"] = other
    with pytest.raises(InvalidBook, match=r"reading\.double-with-triple also changes wager\.two-of-a-kind\.wins"):
        build(raw, "mine.toml")


def test_a_book_full_of_errors_gets_a_limited_number_of_messages() -> None:
    raw = deepcopy(packaged_raw("massachusetts-sic-bo"))
    raw["layout"]["blocks"][0]["rows"].append([f"nothing-{number}" for number in range(20_000)])
    with pytest.raises(InvalidBook, match="more than 500 problems"):
        build(raw, "mine.toml")


def test_missing_sections_are_reported_in_a_fixed_order(tmp_path: Path) -> None:
    assert list(problems(tmp_path / "mine.toml", ""))[:4] == ["book", "odds", "procedure", "ranks"]


def test_square_brackets_in_a_book_are_text(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "[house].toml"
    path.write_text(
        '[book]\nid = "x"\nextends = "dice-ology"\ntitle = "[/b] [bold"\n[offer]\nleaves_out = ["big-ones"]'
    )
    for command in (["show"], ["wagers"], ["clauses"], ["check"], ["analyse"], ["lint"]):
        assert run(*command, str(path)).code == 0
    assert "[/b] [bold" in run("show", str(path)).out


def test_a_wager_that_pays_nothing_is_analysed_and_not_designed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = (Path(__file__).parents[2] / "src/pitbook/books/massachusetts-sic-bo.toml").read_text(encoding="utf-8")
    start = text.index("[wager.small]")
    path.write_text(text[:start] + text[start:].replace('"1 to 1"', '"push"', 1), encoding="utf-8")
    assert run("analyse", str(path), "small").code == 0
    assert "no pay to design" in run("design", str(path), "small", "--target-edge", "3%").err


def test_a_caller_cannot_change_what_others_load() -> None:
    before = digest(packaged_raw("dice-works"))
    choice = load("dice-works").readings["works-window"].choices["none-of-the-ten"]
    choice.set["wager.all-lows.window.clear"].append("nobody")
    assert digest(packaged_raw("dice-works")) == before
