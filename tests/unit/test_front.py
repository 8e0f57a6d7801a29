"""The Python front: books, wagers, sessions, tables, games of one's own, and what a user's type checker says of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import pitbook
from pitbook.engine.bankroll import bets_session
from pitbook.engine.session import bets_risk_of_ruin
from pitbook.money import Cents
from pitbook.results import Result

BOOK = pitbook.rulebook("massachusetts-sic-bo")
WORKS = pitbook.rulebook("dice-works")
CRAPS = pitbook.rulebook("craps")
F = Fraction
ROOT = Path(__file__).parents[2]
"""What mypy found out about the package the last time, without which it takes seven times as long."""

SAMPLE = """
from fractions import Fraction
import pitbook

book = pitbook.rulebook("massachusetts-sic-bo")
edge: Fraction = book["small"].edge
edges: dict[str, Fraction] = {one.wager.id: one.house_edge for one in book.analyse()}
other: list[Fraction] = book.compare(pitbook.rulebook("maryland-sic-bo"))[0].edges
nets: dict[int, Fraction] = dict(book.spread({"small": 5, "total/4": "2.50"}).nets)
evening = pitbook.Session(book, {"small": 5}, bankroll=100, rounds=20)
ruin: Fraction | float = evening.ruined
rules: list[str] = [finding.rule for finding in book.lint("75%")]
craps = pitbook.rulebook("craps")
lasting: Fraction | float = pitbook.Session(craps, "three-point-molly", bankroll=300, rounds=4).expected_rounds
line = [pitbook.Rule("pass-line", 1000), pitbook.Rule("pass-line-odds", "most")]
average: float = craps.simulate(line, hands=10, rolls=5).mean


def follow(layout: pitbook.Layout) -> list[pitbook.Wish]:
    return [] if layout.bets else [pitbook.Wish("field", 500)]


ahead: Fraction | float = craps.session(follow, bankroll=50, rounds=3).ahead
off: Fraction = book.design("total/4", edge="8%").off_by
proved: bool = book.design("total/4", edge="8%", hit_frequency="2%", variance=50.0, denominators=2).proof.met
gained: int = book.settle({"small": 5}, "1-2-3").net
estimated: float = book.simulate({"small": 5}, hands=100).house_edge.value
table = pitbook.Table(book)
table.buy_in("ann", 100)
table.bet("ann", {"small": 20})
roll: pitbook.Roll = table.throw("1-2-3")
won: int = table.settle()["small"].net


class Doubles(pitbook.Game):
    rows = ("win", "lose")

    def step(self, state: None, seen: pitbook.Roll) -> pitbook.End:
        return pitbook.End("win" if seen.same else "lose")


own: Fraction = pitbook.rulebook("craps").with_game("doubles", Doubles(), {"win": "4 to 1"})["doubles"].edge
"""


@pytest.mark.thorough
def test_a_users_program_passes_the_strictest_type_check_and_runs(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(SAMPLE)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(program)],  # with the cache of dev.py check
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout
    exec(compile(SAMPLE, str(program), "exec"), {"__name__": "program"})


def test_import_is_lazy() -> None:
    loaded = "import sys, pitbook; print('numpy' in sys.modules, 'pydantic' in sys.modules)"
    texts = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert texts.stdout.split() == ["False", "False"]


def settled_table() -> tuple[pitbook.Table, Result]:
    table = pitbook.Table(BOOK)
    table.buy_in("ann", 100)
    table.bet("ann", {"small": 20, "total/6": 5})
    table.throw("1-2-3")
    return table, table.settle()


RESULTS: dict[str, Callable[[], Result]] = {
    "played": lambda: WORKS.settle({"all-lows": 5, "roll-the-line": 10}, "3-1 6-6 2-2 4-3"),
    "outcome": lambda: BOOK.settle({"small": 5}, "1-2-3").outcomes[0],
    "round": lambda: settled_table()[1],
    "ledger": lambda: settled_table()[0].ledger,
    "analysis": BOOK["small"].analyse,
    "analyses": BOOK.analyse,
    "comparison": lambda: BOOK.compare(pitbook.rulebook("singapore-mbs-sic-bo-v6")),
    "spread": lambda: WORKS.spread({"all-lows": 5, "all-highs": 5}),
    "rounds": lambda: BOOK.spread({"small": 5}).after(100),
    "session": lambda: BOOK.session({"small": 5}, bankroll=50, rounds=40),
    "findings": lambda: pitbook.rulebook("dice-works", as_printed=True).lint(),
    "design": lambda: BOOK.design("total/4", edge="8%"),
    "estimates": lambda: BOOK.simulate({"small": 5, "total/4": 1}, hands=1000),
    "sessions": lambda: CRAPS.simulate("six-and-eight", hands=100, rolls=20),
    "duration": lambda: WORKS["all-lows"].duration(20),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_one_short_line_a_picture_a_frame_and_json(name: str) -> None:
    result = RESULTS[name]()
    assert len(repr(result)) < 120
    assert "\n" not in repr(result)
    html = result._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 1
    assert "<svg" in html
    assert "<script" not in html
    rows = result.rows()
    assert rows
    assert json.loads(result.to_json())
    pandas = result.to_frame("pandas")
    polars = result.to_frame("polars")
    assert list(pandas.columns) == list(polars.columns) == list(rows[0])
    assert len(pandas) == len(polars) == len(rows)


def test_reprs_of_books_wagers_and_machines_are_short() -> None:
    small, designed = BOOK["small"], BOOK.design("total/4", edge="8%")
    books: list[object] = [BOOK, BOOK.rules, small, small.wager, small.machine, pitbook.Table(BOOK)]
    parts: list[object] = [small.analyse().ends[0], small.pays()["win"], designed.proof, designed.steps[0]]
    parts += [pitbook.Bet("small", Cents(500)), pitbook.Rule("field", 500), pitbook.Roll.of(1, 2, 3), pitbook.Layout()]
    strategy = CRAPS.simulate("six-and-eight", hands=10, rolls=5)
    for one in (*books, *parts, strategy.chain):
        assert len(repr(one)) < 100
    assert "house edge" in BOOK._repr_html_()
    assert "<svg" in BOOK["small"]._repr_html_()
    assert WORKS["all-lows"].draw().startswith("<svg")


def test_frames_have_floats_or_exact_texts() -> None:
    frame = BOOK.analyse("small").to_frame("pandas")
    assert frame["house_edge"][0] == pytest.approx(1 / 36)
    assert BOOK.analyse("small").to_frame("pandas", exact=True)["house_edge"][0] == "1/36"
    assert json.loads(BOOK["small"].to_json())["rows"][0]["house_edge"] == "1/36"
    assert len(WORKS["all-lows"].to_frame()) == 2, "one row for each pay table"


def test_without_a_library_for_frames_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert BOOK.analyse("small").to_frame().columns, "polars steps in"
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(pitbook.InputError, match=r"pandas or polars, .* install pitbook\[frames\]"):
        BOOK.analyse("small").to_frame()
    with pytest.raises(pitbook.InputError, match="unknown data frame library 'spark'"):
        BOOK.analyse("small").to_frame("spark")  # type: ignore[arg-type]


def test_a_name_that_is_missing_is_answered_with_the_nearest() -> None:
    for ask in (lambda: BOOK["smal"], lambda: BOOK.analyse()["smal"]):
        with pytest.raises(pitbook.InputError, match="did you mean small"):
            ask()


WRONG: dict[str, tuple[Callable[[], object], str]] = {
    "bets as a list": (lambda: BOOK.spread(["small"]), "are not bets; give a dict"),  # type: ignore[arg-type]
    "no bets": (lambda: BOOK.simulate({}), "no bets given; name at least one wager"),
    "half a hand": (lambda: BOOK.simulate({"small": 5}, hands=0.5), "0.5 hands: give a whole number"),  # type: ignore[call-overload]
    "a name for a book": (lambda: BOOK.compare("maryland-sic-bo"), r"compare with one from `pitbook\.rulebook\(\)`"),  # type: ignore[arg-type]
    "a return of 300%": (lambda: BOOK.lint(3), "min_return 3 is not a share"),
    "no denominators": (
        lambda: BOOK.design("small", edge="8%", denominators=0),
        "denominators up to 0 are out of range; choose 1 to",
    ),
    "a strategy with pay tables": (
        lambda: CRAPS.session("pass-and-odds", bankroll=50, rounds=1, paytables={"field": "PT1"}),
        "has no pay tables to choose",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_input_is_refused_in_a_sentence(name: str) -> None:
    ask, says = WRONG[name]
    with pytest.raises(pitbook.InputError, match=says):
        ask()


def test_a_session_plays_under_the_pay_table_that_is_named() -> None:
    first, second = (
        WORKS.session({"all-lows": 5}, bankroll=50, rounds=2, paytables={"all-lows": name}) for name in ("PT1", "PT2")
    )
    edges = [WORKS["all-lows"].analyse(name).house_edge for name in ("PT1", "PT2")]
    assert [first.mean, second.mean] == [-2 * 500 * edge for edge in edges]
    assert first.risk_of_ruin(200) < second.risk_of_ruin(200)


# ---------------------------------------------------------------- sessions


@pytest.mark.parametrize("bets", [{"small": 5}, {"small": 3, "any-three-of-a-kind": 1}])
def test_a_session_of_bets_is_what_all_sequences_of_rounds_give(bets: dict[str, int | str]) -> None:
    one = BOOK.spread(bets)
    found = BOOK.session(bets, bankroll=10, rounds=4)
    nets: dict[int, Fraction] = {}
    ruined = F(0)
    for sequence in product(one.nets, repeat=4):
        cash, chance = 1000, F(1)
        for net in sequence:
            chance *= one.nets[net]
            cash += net if cash >= one.stake else 0
        nets[cash - 1000] = nets.get(cash - 1000, F(0)) + chance
        ruined += chance if cash < one.stake else 0
    assert found.nets == dict(sorted(nets.items()))
    assert found.ruined == ruined
    assert found.error == 0
    assert found.mean == sum(net * chance for net, chance in nets.items())


def test_a_long_session_in_floating_point_keeps_its_certified_error(monkeypatch: pytest.MonkeyPatch) -> None:
    one = WORKS.spread({"all-lows": 5})
    exact = bets_session(one.nets, one.stake, 20_000, 50)
    monkeypatch.setattr("pitbook.engine.bankroll.EXACT_BITS", 0)
    certified = bets_session(one.nets, one.stake, 20_000, 50)
    assert exact.error == 0 < certified.error < 1e-12
    assert list(exact.nets) == list(certified.nets)
    for net, chance in exact.nets.items():
        assert abs(F(certified.nets[net]) - F(chance)) <= certified.error
    for sure, near in zip(exact.ruined_by, certified.ruined_by, strict=True):
        assert abs(F(near) - F(sure)) <= certified.error
    assert exact.percentile(50) == certified.percentile(50)


def test_a_session_of_a_strategy_says_when_the_money_was_gone() -> None:
    found = pitbook.Session(CRAPS, [pitbook.Rule("any-seven", 500)], bankroll=12, rounds=4)
    assert found.ruined_by == [0, F(25, 36), F(25, 36), F(25, 36)]
    assert found.expected_rounds == 1 + 1 + 2 * (1 - F(25, 36))


@pytest.mark.parametrize(("bankroll", "target"), [(3, 5), (5, 10)])
def test_the_ruin_of_even_bets_is_the_gamblers(bankroll: int, target: int) -> None:
    ratio = F(37, 35)
    ruined = (ratio**bankroll - ratio**target) / (1 - ratio**target)
    assert BOOK.session({"small": 1}, bankroll=bankroll, rounds=1).risk_of_ruin(target) == ruined
    assert bets_risk_of_ruin(BOOK.spread({"small": 1}).nets, 100, bankroll * 100, target * 100) == ruined


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"bankroll": 4, "rounds": 5}, "does not cover"),
        ({"bankroll": 50, "rounds": 0}, "choose 1 to"),
        ({"bankroll": 2.5, "rounds": 5}, "not an amount"),
        ({"bankroll": "50.001", "rounds": 5}, "50.001"),
        ({"bankroll": 50, "rounds": 2.5}, "2.5 rounds: give a whole number"),
        ({"bankroll": 50, "rounds": 5, "paytables": {"small": "PT9"}}, "leave out 'PT9'"),
    ],
)
def test_a_session_that_cannot_be_is_refused_in_a_sentence(asked: dict[str, Any], says: str) -> None:
    with pytest.raises(pitbook.InputError, match=says):
        BOOK.session({"small": 5}, **asked)


# ---------------------------------------------------------------- tables


@pytest.mark.parametrize("book", pitbook.PACKAGED)
def test_a_table_keeps_its_ledger_balanced_through_many_rounds(book: str) -> None:
    table = pitbook.Table(book, seed=7)
    table.buy_in("ann", 10_000)
    wager = next(iter(table.book.wagers))
    before = table.chips("ann")
    net = 0
    for _ in range(6):
        if not table.bets:
            table.bet("ann", {wager: 10})
        table.throw()
        net += sum(line.net for line in table.settle())
    standing = sum(table.bets.get("ann", {}).values())
    assert table.chips("ann") + standing == before + net
    assert sum(table.balances.values()) == 0
    by_transfer: dict[int, int] = {}
    for entry in table.ledger:
        by_transfer[entry.number] = by_transfer.get(entry.number, 0) + entry.amount
    assert set(by_transfer.values()) == {0}
    assert "ann" in table.transcript()


def test_what_a_table_refuses_is_an_error_and_changes_nothing() -> None:
    table = pitbook.Table(BOOK)
    table.buy_in("ann", 10)
    with pytest.raises(pitbook.InputError, match="ann"):
        table.bet("ann", {"small": 20})
    with pytest.raises(pitbook.InputError, match="doesn't offer the bet smal"):
        table.bet("ann", {"smal": 5})
    assert (table.chips("ann"), table.bets) == (1000, {})


# ---------------------------------------------------------------- games of one's own


@dataclass(frozen=True)
class ThreeTimesLow(pitbook.Game):
    """Three totals below six in a row, before a seven: the state is how many there have been in a row."""

    wanted: int = 3
    rows: tuple[str, ...] = ("win", "lose")

    @property
    def starts(self) -> tuple[int]:
        return (0,)

    def sees(self, roll: pitbook.Roll) -> str:
        return "seven" if roll.total == 7 else "low" if roll.total < 6 else "other"

    def step(self, state: int, seen: str) -> int | pitbook.End:
        if seen == "seven":
            return pitbook.End("lose")
        if seen == "other":
            return 0
        return pitbook.End("win") if state + 1 == self.wanted else state + 1


def test_a_game_of_ones_own_is_analysed_simulated_and_drawn_like_the_rest() -> None:
    book = CRAPS.with_game("three-low", ThreeTimesLow(), {"win": "15 to 1"}, name="Three lows")
    low, seven = F(10, 36), F(6, 36)
    other = 1 - low - seven
    worth = low**3 / (1 - other * (1 + low + low**2))
    assert book["three-low"].chance == worth
    assert book["three-low"].edge == 1 - 16 * worth
    assert book.rules.digest != CRAPS.rules.digest
    assert book.rules.digest == CRAPS.with_game("three-low", ThreeTimesLow(), {"win": "15 to 1"}).rules.digest
    estimates = book.simulate({"three-low": 1}, hands=200_000, seed=3)
    assert abs(estimates.house_edge.z or 0) < 4
    assert book.spread({"three-low": 1, "field": 1}).mean == -100 * (book["three-low"].edge + book["field"].edge)
    assert book.settle({"three-low": 1}, "1-1 1-2 1-3").outcomes[0].net == 1500
    assert book["three-low"].draw().startswith("<svg")
    assert "three-low" not in CRAPS


class _Never(pitbook.Game):
    rows = ("win",)

    def step(self, state: None, seen: pitbook.Roll) -> None:
        return None


class _Endless(_Never):
    starts = (0,)

    def step(self, state: int, seen: pitbook.Roll) -> int:  # type: ignore[override]
        return state + 1


class _Unnamed(_Never):
    def step(self, state: None, seen: pitbook.Roll) -> pitbook.End:  # type: ignore[override]
        return pitbook.End("jackpot")


class _Unhashable(_Never):
    def step(self, state: None, seen: pitbook.Roll) -> list[int]:  # type: ignore[override]
        return [seen.total]


@pytest.mark.parametrize(
    ("game", "pays", "says"),
    [
        (_Never(), {"win": "1 to 1"}, "can never end"),
        (_Endless(), {"win": "1 to 1"}, "more than 100,000 states"),
        (_Unnamed(), {"win": "1 to 1"}, "'jackpot', which is not one of its rows"),
        (_Unhashable(), {"win": "1 to 1"}, "hashable"),
        (ThreeTimesLow(), {"wins": "1 to 1"}, "'wins' is not a row"),
        (ThreeTimesLow(), {}, "no row that wins"),
        (ThreeTimesLow(), {"win": "many"}, "are not odds"),
    ],
)
def test_a_game_that_cannot_be_compiled_is_refused_in_a_sentence(
    game: pitbook.Game, pays: dict[str, str], says: str
) -> None:
    with pytest.raises(pitbook.InputError, match=says):
        CRAPS.with_game("mine", game, pays)
    with pytest.raises(pitbook.InputError, match="already has a wager 'field'"):
        CRAPS.with_game("field", game, pays)


def test_an_error_in_a_games_own_code_is_not_explained_away() -> None:
    class Adds(_Never):
        def step(self, state: None, seen: pitbook.Roll) -> int:  # type: ignore[override]
            return state + 1  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand"):
        CRAPS.with_game("adds", Adds(), {"win": "1 to 1"})
