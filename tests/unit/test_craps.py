"""Craps from the command line's side: bets, calls and take-downs over rolls, against a table written out by hand."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.analysis.lint import lint
from pitbook.dice import Roll, parse_rolls, rolls
from pitbook.engine.analyse import analyse
from pitbook.engine.illuminate import illuminate
from pitbook.engine.play import Bet, Outcome, play
from pitbook.engine.progress import advance, initial_progress
from pitbook.engine.standing import new_standing, take_down_refused
from pitbook.errors import InputError
from pitbook.money import Cents, Favour, Odds, settle_stake
from pitbook.rulebooks.catalogue import HOUSE_BOOKS, PACKAGED, build, load, packaged_raw
from pitbook.rulebooks.errors import InvalidBook
from pitbook.rulebooks.model import Rulebook
from pitbook.rulebooks.table_needs import missing_for_table
from pitbook.wager.machine import machine_of
from tests.clauses.copies import played

CRAPS = load("craps")
POINTS = (4, 5, 6, 8, 9, 10)
F = Fraction


def results(bets: str, dice: str, acts: str = "", book: Rulebook = CRAPS) -> list[tuple[str, float]]:
    return [(one.result, one.net / 100) for one in played(book, bets, dice, acts).outcomes]


HANDS = {
    "natural": ("pass-line=10 dont-pass=10", "5-6", "", [("win", 10), ("lose", -10)]),
    "craps": ("pass-line=10 dont-pass=10", "1-2", "", [("lose", -10), ("win", 10)]),
    "bar 12": ("pass-line=10 dont-pass=10", "6-6", "", [("lose", -10), ("push", 0)]),
    "point made": ("pass-line=10 pass-line-odds=30@2", "2-2 1-1 3-1", "", [("win", 10), ("win", 60)]),
    "seven-out": ("pass-line=10 pass-line-odds=30@2", "2-2 1-1 3-4", "", [("lose", -10), ("lose", -30)]),
    "laid odds": ("dont-pass=10 dont-pass-odds=60@2", "4-5 3-4", "", [("win", 10), ("win", 40)]),
    "running": ("pass-line=10", "2-2 1-1", "", [("running", 0)]),
    "a come bet travels": ("pass-line=10 come=5@2", "4-4 2-3 1-4", "", [("running", 0), ("win", 5)]),
    "two come bets on two numbers": (
        "pass-line=10 come=5@2 come=5@3",
        "4-4 2-3 4-5 2-3 4-5",
        "",
        [("running", 0), ("win", 5), ("win", 5)],
    ),
    "a come-out seven returns come odds": (
        "pass-line=10 come=10@2 come-odds/5=40@3",
        "4-4 2-3 4-4 3-4",
        "",
        [("win", 10), ("lose", -10), ("push", 0)],
    ),
    "the number on a come-out roll pays the flat bet and returns the odds": (
        "pass-line=10 come=10@2 come-odds/5=40@3",
        "4-4 2-3 4-4 1-4",
        "",
        [("win", 10), ("win", 10), ("push", 0)],
    ),
    "come odds called on": (
        "pass-line=10 come=10@2 come-odds/5=40@3",
        "4-4 2-3 4-4 1-4",
        "on come-odds/5@4",
        [("win", 10), ("win", 10), ("win", 60)],
    ),
    "come odds called off": (
        "pass-line=10 come=10@2 come-odds/5=40@3",
        "4-4 2-3 1-4",
        "off come-odds/5@3",
        [("running", 0), ("win", 10), ("push", 0)],
    ),
    "place stays up": ("pass-line=10 place/6=12@2", "4-4 3-3 4-2 3-4", "", [("lose", -10), ("lose", 28 - 12)]),
    "place is off on a come-out roll": ("place/6=12", "3-4 3-3 3-4", "", [("lose", -12)]),
    "place called on": ("place/6=12", "3-3 1-1", "on place/6@1", [("running", 14)]),
    "place called off": ("place/6=12@2", "4-4 3-4", "off place/6@2", [("running", 0)]),
    "place taken down": ("place/6=12@2", "4-4 3-3 3-4", "take down place/6@3", [("taken-down", 14)]),
    "place moved": (
        "place/6=12@2 place/9=10@3",
        "4-4 1-1 4-5",
        "take down place/6@3",
        [("taken-down", 0), ("running", 14)],
    ),
    "buy": ("buy/4=20@2", "4-4 2-2", "", [("running", 39)]),
    "lay works on a come-out roll": ("lay/4=40", "3-4", "", [("running", 19)]),
    "big works on a come-out roll": ("big/6=5", "3-3 3-4", "", [("lose", 0)]),
    "hard the easy way": ("hard/6=5@2", "4-4 4-2", "", [("lose", -5)]),
    "hard": ("hard/6=5@2", "4-4 3-3", "", [("running", 45)]),
    "field": ("field=5 field=5@2 field=5@3", "1-1 4-5 3-4", "", [("win", 10), ("win", 5), ("lose", -5)]),
    "parts": ("horn=4 world=5 c-and-e=2", "1-1", "", [("win", 27), ("win", 26), ("win", 6)]),
    "a seven pushes the world": ("world=5 horn=4", "3-4", "", [("push", 0), ("lose", -4)]),
    "hop": ("hop/1-2=1 hop/3-3=1@2 hop/1-5=1@2", "2-1 3-3", "", [("win", 15), ("win", 30), ("lose", -1)]),
    "don't pass taken down with its odds": (
        "dont-pass=10 dont-pass-odds=60@2",
        "4-5 4-5",
        "take down dont-pass@2",
        None,
    ),
    "rounded down once": ("place/6=0.05@2 buy/4=0.33@2", "4-4 3-3 2-2", "", [("running", 0.05), ("running", 0.64)]),
}


@pytest.mark.parametrize("name", HANDS)
def test_a_hand_worked_out_on_paper_settles_as_written(name: str) -> None:
    bets, dice, acts, wanted = HANDS[name]
    if wanted is None:
        taken = played(CRAPS, "dont-pass=10 dont-pass-odds=60@2", "4-5 1-1 4-5", "take down dont-pass@3")
        assert [one.result for one in taken.outcomes] == ["taken-down", "taken-down"]
        return
    assert results(bets, dice, acts) == wanted


REFUSED = {
    "come without a point": ("come=10", "1-1", "", "3.1"),
    "don't come without a point": ("dont-come=10", "1-1", "", "3.3"),
    "pass line on a point": ("pass-line=10 pass-line=5@2", "2-2 1-1", "", "2.2"),
    "don't pass on a point": ("dont-pass=5@2", "2-2 1-1", "", "2.6"),
    "odds on a come-out roll": ("pass-line=10 pass-line-odds=10", "2-2", "", "4.1"),
    "odds without a bet": ("pass-line-odds=10@2", "2-2 1-1", "", "4.1"),
    "odds above the multiple": ("pass-line=10 pass-line-odds=31@2", "2-2 1-1", "", "4.5"),
    "odds above the multiple in two bets": (
        "pass-line=10 pass-line-odds=20@2 pass-line-odds=11@2",
        "2-2 1-1",
        "",
        "4.5",
    ),
    "laid odds above the win": ("dont-pass=10 dont-pass-odds=61@2", "3-2 1-1", "", "4.5"),
    "come odds on another number": ("pass-line=10 come=10@2 come-odds/5=10@3", "2-2 4-4 1-1", "", "4.2"),
    "come odds before the bet has travelled": ("pass-line=10 come=10@2 come-odds/5=10@2", "2-2 4-1", "", "4.2"),
    "taking down a pass line": ("pass-line=10", "2-2 1-1", "take down pass-line@2", "2.2"),
    "taking down a come bet on its number": ("pass-line=5 come=5@2", "2-2 4-4 1-1", "take down come@3", "3.4"),
    "calling the pass line off": ("pass-line=10", "2-2 1-1", "off pass-line@2", "2.1"),
    "calling a lay bet off": ("lay/4=10", "4-4 1-1", "off lay/4@2", "5.5"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_rules_forbid_is_refused_with_its_clause(name: str) -> None:
    bets, dice, acts, clause = REFUSED[name]
    with pytest.raises(InputError) as refused:
        played(CRAPS, bets, dice, acts)
    assert clause in str(refused.value).rpartition("(")[2].rstrip(")").split(", ")


@pytest.mark.parametrize(
    ("bets", "acts", "says"),
    [
        ("place/6=12", "take down place/6@9", "only 1 roll was given"),
        ("place/6=12", "take down place/8@1", "no place/8 bet is on"),
        ("place/6=12", "off place/5@2", "no place/5 bet is on"),
        ("place/2=12", "", "'place/2' is not offered here"),
    ],
)
def test_an_act_on_nothing_is_refused(bets: str, acts: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        played(CRAPS, bets, "1-1", acts)


def test_a_pass_line_bet_can_be_taken_down_before_a_point() -> None:
    bet = new_standing(initial_progress(CRAPS), CRAPS.wagers["pass-line"], Cents(1000))
    assert take_down_refused(CRAPS, initial_progress(CRAPS), bet) is None


def test_with_the_option_put_the_pass_line_can_be_made_on_a_point() -> None:
    put = load("craps", options={"put": "on"})
    assert results("pass-line=10@2 pass-line-odds=30@2", "2-2 1-3", "", put) == [("win", 10), ("win", 60)]


def test_crapless_makes_points_of_the_outer_numbers() -> None:
    crapless = load("craps", options={"crapless": "on"})
    hand = results("pass-line=10 pass-line-odds=30@2 place/12=10@2", "1-1 6-6 1-1", "", crapless)
    assert hand == [("win", 10), ("win", 180), ("running", 55)]
    for wager in ("dont-pass", "dont-come", "dont-come-odds/4"):
        with pytest.raises(InputError, match="not offered here"):
            crapless.wager(wager)


def test_payments_can_be_rounded_to_the_smallest_chip() -> None:
    chips = load("craps", options={"rounding": "chip"})
    assert results("place/6=5@2", "4-4 3-3", "", chips) == [("running", 5)]
    assert results("place/6=5@2", "4-4 3-3") == [("running", 5.83)]


@given(st.integers(1, 10**9), st.fractions(0, 40), st.integers(1, 500))
def test_winnings_are_rounded_down_to_whole_units_and_by_less_than_one(stake: int, gain: Fraction, unit: int) -> None:
    paid = settle_stake(Cents(stake), Odds(gain), Favour.HOUSE, unit)
    assert paid.net % unit == 0
    assert 0 <= stake * gain - paid.net < unit


# ---------------------------------------------------------------- a table written out by hand


class PaperTable:
    """One player's bets on a craps table, bet by bet and without any book."""

    TRUE: ClassVar = {4: F(2), 5: F(3, 2), 6: F(6, 5), 8: F(6, 5), 9: F(3, 2), 10: F(2)}
    PLACE: ClassVar = {4: F(9, 5), 5: F(7, 5), 6: F(7, 6), 8: F(7, 6), 9: F(7, 5), 10: F(9, 5)}

    def __init__(self) -> None:
        self.point = 0
        self.bets: list[dict[str, Any]] = []

    def bet(self, name: str, stake: int) -> None:
        kind, _, selection = name.partition("/")
        self.bets.append(
            {"kind": kind, "n": int(selection or 0), "stake": stake, "at": 0, "net": 0, "result": "running"}
        )

    def roll(self, a: int, b: int) -> None:
        total, point = a + b, self.point
        for bet in [bet for bet in self.bets if bet["result"] == "running"]:
            won = self._won(bet, total, a == b, point)
            if won is None:
                continue
            bet["net"] += floor(bet["stake"] * won)
            if not (won > 0 and bet["kind"] in ("place", "buy", "lay", "hard", "big")):
                bet["result"] = "win" if won > 0 else "lose" if won < 0 else "push"
        if point == 0 and total in POINTS:
            self.point = total
        elif total in (point, 7):
            self.point = 0

    def _won(self, bet: dict[str, Any], total: int, pair: bool, point: int) -> Fraction | None:
        kind, n = bet["kind"], bet["n"]
        if kind in ("pass-line", "dont-pass", "come", "dont-come"):
            right = kind in ("pass-line", "come")
            at = point if kind in ("pass-line", "dont-pass") else bet["at"]
            if at == 0:
                if total in (7, 11):
                    return F(1) if right else F(-1)
                if total in (2, 3, 12):
                    return F(-1) if right else F(0) if total == 12 else F(1)
                bet["at"] = total
                return None
            if total not in (at, 7):
                return None
            return F(1) if right == (total == at) else F(-1)
        if kind == "pass-line-odds":
            return self.TRUE[point] if total == point else F(-1) if total == 7 else None
        if kind == "dont-pass-odds":
            return 1 / self.TRUE[point] if total == 7 else F(-1) if total == point else None
        if kind == "come-odds":
            if total not in (n, 7):
                return None
            return F(0) if point == 0 else self.TRUE[n] if total == n else F(-1)
        if kind == "dont-come-odds":
            return 1 / self.TRUE[n] if total == 7 else F(-1) if total == n else None
        if kind == "lay":
            return F(19, 20) / self.TRUE[n] if total == 7 else F(-1) if total == n else None
        if kind == "big":
            return F(1) if total == n else F(-1) if total == 7 else None
        if kind == "field":
            return F(2) if total in (2, 12) else F(1) if total in (3, 4, 9, 10, 11) else F(-1)
        if point == 0:
            return None
        if kind == "hard":
            return F(7 if n in (4, 10) else 9) if total == n and pair else F(-1) if total in (n, 7) else None
        pays = self.PLACE[n] if kind == "place" else self.TRUE[n] - F(1, 20)
        return pays if total == n else F(-1) if total == 7 else None

    def may(self, name: str, stake: int) -> bool:
        kind, _, selection = name.partition("/")
        running = [bet for bet in self.bets if bet["result"] == "running"]
        if kind in ("pass-line", "dont-pass"):
            return self.point == 0
        if kind in ("come", "dont-come"):
            return self.point != 0
        if not kind.endswith("-odds"):
            return True
        parent, n = kind.removesuffix("-odds"), int(selection or self.point)
        flat = sum(bet["stake"] for bet in running if bet["kind"] == parent and (not selection or bet["at"] == n))
        laid = sum(bet["stake"] for bet in running if bet["kind"] == kind and (not selection or bet["n"] == n)) + stake
        most = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}.get(n, 0) * flat
        return flat > 0 and n in POINTS and (laid if parent in ("pass-line", "come") else laid / self.TRUE[n]) <= most


NAMES = [
    *("pass-line", "dont-pass", "come", "dont-come", "pass-line-odds", "dont-pass-odds", "field", "big/6", "big/8"),
    *(f"{kind}/{n}" for kind in ("come-odds", "dont-come-odds", "place", "buy", "lay") for n in POINTS),
    *(f"hard/{n}" for n in (4, 6, 8, 10)),
]
turns = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from(NAMES), st.integers(1, 50_000)), max_size=5), st.sampled_from(rolls(2))
    ),
    min_size=1,
    max_size=15,
)


@settings(max_examples=60, deadline=None)
@given(turns)
def test_every_bet_gains_what_it_gains_at_a_table_written_out_by_hand(evening: list[Any]) -> None:
    paper = PaperTable()
    bets: list[Bet] = []
    dice: list[Roll] = []
    for number, (wanted, roll) in enumerate(evening, 1):
        for name, stake in wanted:
            refused = None
            try:
                play(CRAPS, [*bets, Bet(name, Cents(stake), number)], dice)
            except InputError as mistake:
                refused = mistake
            assert (refused is None) == paper.may(name, stake), (name, stake, refused)
            if refused is None:
                bets.append(Bet(name, Cents(stake), number))
                paper.bet(name, stake)
        paper.roll(*roll.faces)
        dice.append(roll)
    found = play(CRAPS, bets, dice)
    assert [(one.result, one.net) for one in found.outcomes] == [(bet["result"], bet["net"]) for bet in paper.bets]
    _laws(found.outcomes)


def _laws(outcomes: tuple[Outcome, ...]) -> None:
    standing = [one.standing for one in outcomes if one.standing]
    for bet in standing:
        tied = CRAPS.wagers[bet.wager].tied
        if tied:
            assert any(other.wager == tied.parent for other in standing), "odds never outlive their parent"
    for one in outcomes:
        for paid in (*one.paid, *([one.settlement] if one.settlement else [])):
            exact = paid.stake * paid.odds.gain
            assert paid.net == floor(exact), "one rounding for each payment, down"
            assert paid.net >= -paid.stake
        assert one.net == sum(paid.net for paid in one.paid) + (one.settlement.net if one.settlement else 0)


# ---------------------------------------------------------------- the layout, the books, composition


def test_areas_light_by_where_the_hand_stands() -> None:
    come_out = illuminate(CRAPS, parse_rolls("3-3", 2)[0])
    assert "big/6" in come_out
    assert not {"place/6", "hard/6", "pass-line"} & set(come_out)
    progress = advance(CRAPS, initial_progress(CRAPS), parse_rolls("3-3", 2)[0]).progress
    lit = set(illuminate(CRAPS, parse_rolls("3-3", 2)[0], progress))
    assert {"place/6", "buy/6", "hard/6", "pass-line", "pass-line-odds", "hop/3-3"} <= lit
    assert not {"come", "dont-pass", "place/8"} & lit


def test_a_bet_that_is_off_has_an_idle_state() -> None:
    place, big = (machine_of(CRAPS.wagers[name].spec, 2) for name in ("place/6", "big/6"))
    assert (place.size, set(place.idle)) == (7, {0})
    assert (big.size, set(big.idle)) == (1, set())


@pytest.mark.parametrize("book", HOUSE_BOOKS)
def test_every_house_book_can_run_a_table(book: str) -> None:
    assert missing_for_table(load(book)) == []
    assert book not in PACKAGED


@pytest.mark.parametrize("book", PACKAGED)
def test_every_packaged_book_can_run_a_table(book: str) -> None:
    assert missing_for_table(load(book)) == []


def test_everything_that_a_table_needs_is_listed_at_once() -> None:
    raw = deepcopy(packaged_raw("massachusetts-sic-bo"))
    raw["procedure"]["round"] = [
        step for step in raw["procedure"]["round"] if step["act"] not in ("shake", "pay winners")
    ]
    done = {step["id"] for step in raw["procedure"]["round"]}
    for step in raw["procedure"]["round"]:
        step["after"] = [name for name in step.get("after", []) if name in done]
    del raw["clauses"]
    raw["clauses"] = packaged_raw("massachusetts-sic-bo")["clauses"] | {}
    for clause in raw["clauses"]:
        entry = raw["clauses"][clause]
        raw["clauses"][clause] = {**entry, "kind": "definition"} if "by" in entry else entry
        raw["clauses"][clause].pop("by", None)
    assert missing_for_table(build(raw, "own.toml")) == ["a step to shake the dice", "a step to pay winning bets"]


def test_a_base_game_and_side_bets_stand_on_one_hand() -> None:
    both = load("craps+dice-works+craps-bonus")
    hand = played(both, "pass-line=10 all-lows=5 fire-bet=5 high-roller=5", "3-3 4-2 5-3 5-3 3-4")
    assert [one.result for one in hand.outcomes] == ["win", "lose", "running", "running"]
    assert hand.lammers["fire-bet"]["marked"] == [6, 8]
    assert hand.outcomes[1].settlement is not None
    assert hand.outcomes[1].settlement.clauses[0].startswith("dice-works ")
    assert list(both.wagers)[:2] == ["pass-line", "dont-pass"]


def test_side_bets_follow_the_hand_of_the_base_game() -> None:
    usual, crapless = load("craps+dice-works"), load("craps+dice-works", options={"crapless": "on"})
    chances = [
        analyse(book, book.wagers["high-roller"]).ends[-1].probability for book in (load("dice-works"), usual, crapless)
    ]
    assert chances[0] == chances[1] != chances[2]


@pytest.mark.parametrize(
    ("books", "options", "says"),
    [
        ("craps+maryland-sic-bo", {}, "its game is sic-bo, not craps"),
        ("craps+craps", {}, "named twice"),
        ("craps+dice-works+craps-bonus", {"groups": "fire"}, "write dice-works.groups"),
        ("craps+dice-works", {"nothing": "on"}, "nothing"),
    ],
)
def test_books_that_do_not_fit_together_are_refused(books: str, options: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        load(books, options=options)


def test_an_option_of_one_book_of_several_is_named_with_its_book() -> None:
    both = load("craps+dice-works+craps-bonus", options={"craps-bonus.groups": "fire", "odds": "10x"})
    assert "fire-bet" in both.wagers
    assert "small" not in both.wagers


PLACE_TO_LOSE = {
    "name": {"en": "Place {selection} to lose", "zh": "反押 {selection}"},
    "clause": "5.5",
    "family": "phases",
    "selections": ["4", "5", "6"],
    "pays": {"4": "5 to 11", "5": "5 to 8", "6": "4 to 5"},
    "pays_clause": "5.5",
    "window": {"clause": "5.5", "rolls": "any roll", "clear": "none"},
    "phases": {"any roll": {"win": "total 7", "lose": "total {number}"}},
}


def own_book(**changes: Any) -> Rulebook:
    """The house's book with its own bet."""
    raw = deepcopy(packaged_raw("craps"))
    raw["wager"]["place-to-lose"] = PLACE_TO_LOSE | changes
    raw["layout"]["blocks"][-1]["rows"].append(
        [f"place-to-lose/{n}" for n in raw["wager"]["place-to-lose"]["selections"]]
    )
    return build(raw, "own.toml")


def test_a_licensee_leaves_out_a_bet_and_cannot_offer_what_the_rules_exclude(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('[book]\nextends = "craps"\nid = "own"\n[offer]\nleaves_out = ["field"]\n', encoding="utf-8")
    for options, excluded in (({}, "place/2"), ({"crapless": "on"}, "dont-pass")):
        book, whole = load(own, options=options), load("craps", options=options)
        assert set(whole.wagers) - set(book.wagers) == {"field"}
        assert book.not_offered("field") == ()
        assert book.not_offered(excluded) == ["9.3"]
    beside = load(f"craps-bonus+{own}")
    assert beside.not_offered("place/2") == ["own 9.3"]
    own.write_text('[book]\nextends = "craps"\nid = "own"\n[excludes]\nwagers = []\n', encoding="utf-8")
    with pytest.raises(InvalidBook, match=r"excludes\.wagers: an extending book can't change this"):
        load(own)


def test_a_bet_of_ones_own_is_data() -> None:
    book = own_book()
    edges = [analyse(book, book.wagers[f"place-to-lose/{n}"]).house_edge for n in (4, 5, 6)]
    assert edges == [F(1, 33), F(1, 40), F(1, 55)]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"phases": {"any roll": {"win": "total 2 and total 3"}}}, "never decided by any roll"),
        ({"phases": {"any roll": {"win": "total {point}"}}}, "there is no point in this phase"),
        ({"phases": {"any roll": {"win": "total 7", "lose": "total 7"}}}, "matches several rows"),
        ({"phases": {"any roll": {"win": "total 7"}, "point": {"lose": "total 7"}}}, "not the phases of a hand"),
        ({"own_point": True}, "decided in both"),
        ({"calls": {"clause": "5.3"}}, "never off"),
        ({"tied": {"clause": "4.1", "parent": "nothing", "multiple": 2}}, "cannot be a parent"),
        ({"tied": {"clause": "4.1", "parent": "come", "multiple": {"4": 2}}}, "nothing is given for 5"),
        ({"tied": {"clause": "4.1", "parent": "come", "multiple": 0}}, "write 1 or more"),
        ({"tied": {"clause": "4.1", "parent": "pass-line", "multiple": 2}}, "is on the shooter's point"),
        ({"pays": None}, "missing"),
        ({"window": {"clause": "5.5", "rolls": "any roll"}}, "no lammers"),
        ({"parts": ["two", "three"]}, "parts"),
        ({"family": "pattern", "wins": "total 7", "after_win": "stays up", "phases": None}, "cannot stay up"),
    ],
)
def test_a_bet_that_makes_no_sense_is_a_problem_of_the_book(changes: dict[str, Any], wrong: str) -> None:
    with pytest.raises(InvalidBook, match=wrong):
        own_book(**changes)


def test_lint_finds_an_odds_bet_that_favours_the_player_on_one_point_only() -> None:
    raw = deepcopy(packaged_raw("craps"))
    raw["wager"]["pass-line-odds"]["pays"]["5"] = "8 to 5"
    findings = [found for found in lint(build(raw, "own.toml")) if found.wager == "pass-line-odds"]
    assert [(found.rule, "on a point of 5" in found.says) for found in findings] == [("player-edge", True)]


def test_lint_finds_a_bet_without_an_edge_and_none_in_the_house_books() -> None:
    book = own_book(pays={"4": "1 to 2", "5": "5 to 8", "6": "4 to 5"})
    assert next((found.rule, found.wager) for found in lint(book)) == ("no-house-edge", "place-to-lose/4")
    assert lint(CRAPS) == []
    assert [found.rule for found in lint(load("craps-bonus"))] == ["mixed-wording"]


def test_a_game_of_two_dice_needs_no_hand() -> None:
    raw = deepcopy(packaged_raw("craps"))
    raw["book"]["game"] = "sic-bo"
    one_roll = {
        "field",
        "any-seven",
        "any-craps",
        "two",
        "three",
        "eleven",
        "twelve",
        "horn",
        "world",
        "c-and-e",
        "hop",
    }
    raw["wager"] = {name: wager for name, wager in raw["wager"].items() if name in one_roll}
    raw["layout"]["blocks"] = [block for block in raw["layout"]["blocks"] if block["id"] != "table"]
    raw["layout"]["blocks"][0]["rows"][1] = ["field"]
    for section in ("hand", "excludes", "option"):
        raw.pop(section)
    raw["clauses"] = {number: {"kind": "definition", "says": one["says"]} for number, one in raw["clauses"].items()}
    book = build(raw, "own.toml")
    assert analyse(book, book.wagers["horn"]).house_edge == F(1, 8)
    assert missing_for_table(book) == [
        "a step to close betting",
        "a step to shake the dice",
        "a step to enter the dice",
    ]
