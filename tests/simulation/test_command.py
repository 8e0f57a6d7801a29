"""`pitbook simulate`, as people use it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from pitbook.cli import main
from pitbook.engine.analyse import analyse
from pitbook.rulebooks.catalogue import load
from tests.simulation.nights import SCENARIO
from tests.waiting import HANG, until


def output(capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> str:
    with pytest.raises(SystemExit) as left:
        main(["simulate", *words])
    printed = capsys.readouterr()
    assert left.value.code == code, printed.err
    return printed.out if code == 0 else printed.err


def test_bets_on_the_same_dice_with_exact_values_beside_them(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dice-works", "--bet", "all-lows=5", "--bet", "roll-the-line=10", "--hands", "1e5", "--seed", "7"]
    printed = output(capsys, *words)
    for part in ("100,000 hands of dice-works, seed 7", "all together", "7.7613%", "9.2792%", "on the same dice"):
        assert part in printed
    assert "method: every roll of every hand, each wager to its end" in printed


def test_the_same_seed_gives_the_same_json_on_any_number_of_threads(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["dice-works", "--bet", "all-lows=5", "--hands", "3e6", "--seed", "7", "--json", "--threads"]
    first, second = (output(capsys, *words, threads) for threads in ("1", "3"))
    assert first == second
    data = json.loads(first)
    assert data["hands"] == sum(end["count"] for end in data["bets"][0]["ends"]) == 3_000_000
    assert abs(data["bets"][0]["house_edge"]["z"]) < 4
    book = load("dice-works")
    assert data["together"]["mean"]["exact"] == str(-500 * analyse(book, book.wager("all-lows")).house_edge)


def test_one_roll_wagers_say_that_they_were_drawn_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    printed = output(capsys, "massachusetts-sic-bo", "--bet", "small=5", "--hands", "1e9")
    assert "one multinomial draw for each block of rounds, because only totals are needed" in printed


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["dice-works"], "no bets given"),
        ([], "name a book and its bets"),
        (["dice-works", "--bet", "all-lows=5", "--hands", "1.5"], "--hands '1.5' is not a whole number"),
        (["dice-works", "--bet", "all-lows=5", "--hands", "0"], "choose 1 to"),
        (["dice-works", "--bet", "all-lows=5@2"], "leave out @2"),
        (["dice-works", "--bet", "all-lows=5", "--seed", "-1"], "the seed -1 must be 0 or more"),
        (["dice-works", "--bet", "all-lows=5", "--threads", "0"], "--threads 0 is out of range; choose 1 to 1,024"),
        (["dice-works", "--bet", "all-lows=5", "--html", "x"], "work only with a scenario"),
        (["dice-works", "--scenario", "x.toml"], "leave them out"),
        (["--scenario", "none.toml"], "cannot read the scenario none.toml"),
        (["dice-ology", "--bet", "little-ones=50"], "over the maximum of 10"),
    ],
)
def test_what_cannot_be_simulated_is_reported_in_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    printed = output(capsys, *words, code=2)
    assert told in printed
    assert printed.count("\n") == 1


def test_a_scenario_with_report_and_parquet(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    file, page, folder = tmp_path / "night.toml", tmp_path / "night.html", tmp_path / "results"
    file.write_text(SCENARIO, encoding="utf-8")
    printed = output(capsys, "--scenario", str(file), "--html", str(page), "--parquet", str(folder))
    assert "6 nights of 2.5 hours, 2 tables of dice-works, seed 7" in printed
    text = page.read_text(encoding="utf-8")
    assert text.count("data:image/svg+xml;base64,") == 8  # a distribution and a fan for each group, two of the house
    assert "http" not in text.replace("http-equiv", "")
    players = pq.read_table(folder / "players.parquet")
    assert players.num_rows == 6 * 7
    house = pq.read_table(folder / "house.parquet")
    assert house.num_rows == 6 * 3
    data = json.loads(output(capsys, "--scenario", str(file), "--json"))
    assert sum(house["win"].to_pylist()) == -sum(players["net"].to_pylist()) - data["house"]["envy"]
    assert sum(pq.read_table(folder / "ends.parquet")["count"].to_pylist()) == data["bets"]
    assert data["seed"] == 7
    assert json.loads(output(capsys, "--scenario", str(file), "--seed", "8", "--json"))["groups"] != data["groups"]


def modified_at(path: Path) -> int:
    """Nanoseconds, or 0 while there is no such file."""
    return path.stat().st_mtime_ns if path.exists() else 0


def has_changed(path: Path, since: int) -> bool:
    return modified_at(path) not in (0, since)


def test_ctrl_c_stops_cleanly_and_a_checkpoint_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "run"
    words = ["dice-works", "--bet", "all-lows=5", "--hands", "1e12", "--checkpoint", str(path)]
    hands = []
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-m", "pitbook", "simulate", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        until(partial(has_changed, path, modified_at(path)), "a checkpoint")
        os.kill(process.pid, signal.SIGINT)
        text, error = process.communicate(timeout=HANG)
        assert process.returncode == 130, error
        assert f"stopped: {text.split()[0]} of 1,000,000,000,000 hands done" in text
        hands.append(int(text.split()[0].replace(",", "")))
    assert 0 < hands[0] < hands[1]
