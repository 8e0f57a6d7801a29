"""Invalid commands and calls, by accident or on purpose."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitbook
from pitbook.engine import rounds
from pitbook.engine.analyse import analyse
from pitbook.engine.chance import chance
from pitbook.engine.duration import duration
from pitbook.engine.progress import PAID, advance, initial_progress
from pitbook.engine.spread import spread
from pitbook.errors import InputError, quoted
from pitbook.money import Cents, Odds, parse_amount
from pitbook.rulebooks.catalogue import load
from pitbook.rulebooks.conditions import parse_condition
from tests.unit.test_cli import Run, run

__all__ = ["run"]

WORKS = load("dice-works")
LONG = "9" * 5000


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["settle", "maryland-sic-bo", "--bet", f"small=5@{LONG}", "--rolls", "1-2-3"], "like @3"),
        (["settle", "maryland-sic-bo", "--bet", f"small={LONG}", "--rolls", "1-2-3"], "10 trillion"),
        (["settle", "maryland-sic-bo", "--bet", f"small=1.{'0' * 40}1", "--rolls", "1-2-3"], "at most 2 decimals"),
        (["settle", "maryland-sic-bo", "--bet", "--rolls", "1-2-3"], "no bets given"),
        (["settle", "maryland-sic-bo", "--bet", "small=5", "--rolls", "1" * 9999], "not a roll"),
        (["design", "maryland-sic-bo", "small", "--target-edge", "1e999999999"], "not a share"),
        (["design", "maryland-sic-bo", "small", "--target-edge", f"{LONG}%"], "not a share"),
        (["lint", "maryland-sic-bo", "--min-return", ""], "not a share"),
        (["analyse", "dice-works", "--after", ""], "no rolls given"),
        (["draw", "maryland-sic-bo", "small", "--output", "/nowhere/at/all.svg"], "cannot write"),
        (["show", "a/\nb.toml"], "cannot read 'a/\\nb.toml'"),
        (["show", LONG], "unknown book"),
    ],
)
def test_the_answer_is_one_short_line(run: Run, arguments: list[str], says: str) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert says in result.err
    assert result.err.count("\n") == 1
    assert len(result.err) < 400


def test_a_negative_target_needs_no_sign_of_equality(run: Run) -> None:
    proposal = run("design", "maryland-sic-bo", "total/4", "--target-edge", "-8%", "--json").json
    assert proposal["target_edge"] == "-2/25"


def pitbook_process(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pitbook", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, env={**os.environ, **environment})


@pytest.mark.parametrize("arguments", [["show", "dice-works"], ["show", "dice-works", "--json"]])
def test_a_reader_who_stops_early_causes_no_noise(arguments: list[str]) -> None:
    with pitbook_process(*arguments) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.thorough
def test_output_fits_whatever_the_terminal_can_write() -> None:
    for arguments in (["show", "maryland-sic-bo", "--json"], ["show", "maryland-sic-bo"]):
        out, err = pitbook_process(*arguments, PYTHONIOENCODING="ascii").communicate()
        assert err == b""
        if "--json" in arguments:
            assert json.loads(out.decode("ascii"))["wagers"][0]["name"]["zh"].startswith("圍")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_reported_in_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pitbook", "show", "dice-works", "--json"],
            stdout=full, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == b"pitbook: cannot write the output: No space left on device\n"


BOOK = pitbook.rulebook("maryland-sic-bo")


@pytest.mark.parametrize(
    ("bets", "rolls"),
    [
        ({"small": 10**5000}, "1-2-3"),
        ({"small": 5.0}, "1-2-3"),
        ([pitbook.Bet("small", 5.5)], "1-2-3"),  # type: ignore[arg-type]
        ([pitbook.Bet("small", True)], "1-2-3"),  # type: ignore[arg-type]
        ([pitbook.Bet("small", Cents(5), 1.5)], "1-2-3"),  # type: ignore[arg-type]
        ([("small", 5, 2)], "1-2-3"),
        ({"small": 5}, [pitbook.Roll.of(1, 2)]),
        ({"small": 5}, [pitbook.Roll((3, 2, 1))]),  # type: ignore[arg-type]
        ({"small": 5}, [None]),
    ],
)
def test_calls_that_make_no_sense_are_mistakes(bets: Any, rolls: Any) -> None:
    with pytest.raises(InputError):
        BOOK.settle(bets, rolls)


def test_rolls_may_be_texts_and_faces_are_checked() -> None:
    assert BOOK.settle({"small": 5}, ["1-2-3"]).net == 500
    with pytest.raises(InputError, match="1 to 6"):
        pitbook.Roll.of(0, 7, 9)
    with pytest.raises(InputError, match="3 dice"):
        BOOK.illuminate(pitbook.Roll.of(1, 2))


def test_a_paid_area_has_no_figures() -> None:
    wager = WORKS.wagers["all-lows"]
    for ask in (
        lambda: chance(WORKS, wager, PAID),
        lambda: analyse(WORKS, wager, state=PAID),
        lambda: duration(WORKS, wager, 1, state=PAID),
        lambda: analyse(WORKS, wager, state=10_000),
    ):
        with pytest.raises(InputError, match=r"no running state|is not running"):
            ask()


def test_a_spread_needs_stakes() -> None:
    for stake in (0, -5):
        with pytest.raises(InputError, match="at least one minor unit"):
            spread(load("maryland-sic-bo"), {"small": Cents(stake)})


def test_a_machine_cannot_be_changed_by_whoever_reads_it() -> None:
    machine = BOOK.wager("small").machine
    with pytest.raises(ValueError, match="read-only"):
        machine.table[0, 0] = 0
    assert isinstance(machine.rows[0], tuple)


def test_everything_can_be_copied_and_sent_to_another_process() -> None:
    step = advance(WORKS, initial_progress(WORKS), pitbook.Roll.of(1, 1))
    for value in (step, step.progress, Odds.for_one(40)):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
    assert pickle.loads(pickle.dumps(WORKS)).digest == WORKS.digest


@pytest.mark.parametrize("text", [", to 1", "1,2 to 1", "\uff13 to 1", f"{LONG} to 1", "1000000000000000 to 1"])
def test_figures_of_odds_are_plain_numbers(text: str) -> None:
    with pytest.raises(InputError, match="are not odds"):
        Odds.parse(text)


def test_no_amount_is_rounded_when_it_is_read() -> None:
    assert parse_amount("0005.10") == 510
    assert parse_amount("5.000") == 500
    with pytest.raises(InputError, match="at most 2 decimals"):
        parse_amount("1.0000000000000000000000000000000000001")


@pytest.mark.parametrize(
    "text", ["(" * 5000, "not " * 5000 + "triple", "triple or " * 5000 + "triple", f"total {LONG}"]
)
def test_a_condition_without_end_is_a_mistake(text: str) -> None:
    with pytest.raises(InputError, match="expected"):
        parse_condition(text, 3)


def test_every_roll_can_be_named_in_one_condition() -> None:
    text = " or ".join(f"exactly {' '.join(map(str, roll.faces))}" for roll in pitbook.dice.rolls(3))
    assert all(parse_condition(text, 3).holds(roll) for roll in pitbook.dice.rolls(3))


def test_long_values_are_shown_short() -> None:
    assert len(quoted("x" * 10**6)) == 80
    assert quoted("a\nb") == "'a\\nb'"


@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_certified_results_keep_their_word(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    for nets in (
        {-1: Fraction(215, 216), 180: Fraction(1, 216)},
        {-1: Fraction(1, 2), 1: Fraction(1, 2)},
        {-3: Fraction(10**9 - 1, 10**9), 70: Fraction(1, 10**9)},
        {0: Fraction(1, 4), 2: Fraction(1, 4), 5: Fraction(1, 2)},
    ):
        monkeypatch.setattr(rounds, "EXACT_BITS", 10**12)
        exact = rounds.after_rounds(nets, count)
        monkeypatch.setattr(rounds, "EXACT_BITS", 0)
        certified = rounds.after_rounds(nets, count)
        assert (exact.method, certified.method) == ("exact", "certified")
        for net in certified.nets:
            off = Fraction(exact.chance(high=net)) - Fraction(certified.chance(high=net))
            assert abs(off) <= Fraction(certified.error)
        for percent in (1, 25, 50, 75, 99):
            assert certified.percentile(percent) == exact.percentile(percent)
