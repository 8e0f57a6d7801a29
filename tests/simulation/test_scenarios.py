"""Scenario files: all errors are reported at once, with their places."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitbook.errors import InputError
from pitbook.simulation.scenario import load_scenario, read_scenario
from pitbook.simulation.validation import InvalidScenario
from tests.simulation.nights import SCENARIO


def flawed(text: str) -> InvalidScenario:
    with pytest.raises(InvalidScenario) as found:
        read_scenario(text, "night.toml")
    return found.value


def problems(text: str) -> tuple[str, ...]:
    return flawed(text).lines


def test_every_problem_of_a_file_is_reported_at_once() -> None:
    found = problems("""
book = "dice-works"
hours = "eight"
rolls_per_hour = -1
tabels = 3
[limits.all-lovs]
least = 1
[[players]]
name = ""
bankroll = 100
[[players.bets]]
wager = "all-lows"
plan = "double"
[[players]]
bankroll = 1.5
[[players.bets]]
wager = "all-hihgs"
stake = 5
""")
    output = "\n".join(found)
    for part in (
        "hours: 'eight' is not valid",
        "rolls_per_hour: -1 is not valid",
        "tabels: is not a key of scenarios",
        "limits.all-lovs: unknown wager 'all-lovs' in dice-works; did you mean all-lows",
        "players[1].name",
        "players[1].bets[1].plan: 'double' is not valid",
        "players[2].name: is missing",
        "players[2].bankroll: 1.5 is not an amount",
        "players[2].bets[1].wager: unknown wager 'all-hihgs' in dice-works; did you mean all-highs",
    ):
        assert part in output
    assert len(found) == 9, found
    assert all(line.startswith("night.toml: ") for line in found)


WRONG = """
book = "dice-ology"
hours = 1
rolls_per_hour = 0.1
nights = 1000000
paytables = { little-ones = "PT9" }
limits = { big-ones = { least = 3, greatest = "a few" } }
[[players]]
name = "one"
count = 90000
bankroll = "1.234"
bets = [
  { wager = "little-ones", stake = 11 },
  { wager = "little-ones", plan = "list" },
  { wager = "boom", stake = 1 },
]
[[players]]
name = "one"
count = 90000
bankroll = 10
stop_win = 0
bets = [{ wager = "boom-or-bust", plan = "flat", stake = 1, factor = 2.0, after = "win" }]
"""


def test_what_is_wrong_has_its_kind() -> None:
    kinds = {flaw.place: flaw.kind for flaw in flawed(WRONG).flaws if flaw.place != "players"}
    assert kinds == {
        "paytables.little-ones": "paytable",
        "limits.big-ones.greatest": "amount",
        "nights": "too many",
        "rolls_per_hour": "no rolls",
        "players[1].bankroll": "amount",
        "players[1].bets": "planned twice",
        "players[1].bets[1].stake": "stake",
        "players[1].bets[2].stakes": "missing in plan",
        "players[1].bets[3].wager": "wager",
        "players[2].stop_win": "amount",
        "players[2].bets[1].factor": "not in plan",
        "players[2].bets[1].after": "not in plan",
    }


def test_everything_that_does_not_fit_the_book_is_reported_at_once() -> None:
    found = problems(WRONG)
    for part in (
        "paytables.little-ones: ",
        "limits.big-ones.greatest: 'a few' is not an amount",
        "players: 180,000 in all; at most 100,000 are possible",
        "nights: 180,000 players × 1,000,000 nights",
        "rolls_per_hour: less than one roll",
        "players: 'one' appears twice",
        "players[1].bankroll: '1.234' is not an amount",
        "players[1].bets: little-ones appears twice",
        "players[1].bets[1].stake: 11.00 USD on little-ones is over the maximum of 10 (3)",
        "players[1].bets[2].stakes: is missing from the plan 'list'",
        "players[1].bets[3].wager: unknown wager 'boom' in dice-ology",
        "players[2].stop_win: the amount '0' must be more than 0",
        "players[2].bets[1].factor: does not belong in the plan 'flat'",
        "players[2].bets[1].after: does not belong in the plan 'flat'",
    ):
        assert any(part in line for line in found), (part, found)
    assert len(found) == 14


def test_a_stake_outside_the_houses_own_limits_is_a_problem() -> None:
    found = problems(SCENARIO.replace("least = 1\n", "least = 6\n"))
    assert found == ("night.toml: players[1].bets[1].stake: is outside the house's limits for all-lows",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("book = ", "is not TOML"),
        ('book = "dice-wroks"', "did you mean dice-works"),
        ("", "book: is missing"),
        ('book = "dice-works"\nreadings = { "no-such" = "x" }', "book: "),
        ("a = " + "[" * 5000, "is not TOML"),
        ("a = " + "[" * 200 + "]" * 200, "nested too deeply"),
        ("a = " + "{a = " * 100 + "1" + "}" * 100, "nested too deeply"),
        ("a." * 60_000 + "a = 1", "key of more than 16 parts"),
        ("[" + "a . " * 40_000 + "a]", "key of more than 16 parts"),
        ('\'a\'."\\"b".' * 15_000 + "a = 1", "key of more than 16 parts"),
        ("nights = " + "9" * 5000, "more than 64 bits"),
        ("nights = 0x" + "f" * 5000, "more than 64 bits"),
    ],
)
def test_a_file_that_is_not_a_scenario_is_refused_in_one_sentence(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_scenario(text)


def test_problems_of_a_scenario_are_in_chinese_too() -> None:
    lines = flawed(WRONG).text("zh-Hant").splitlines()
    assert "night.toml：players[1].bets[2].stakes：打法「list」須有此項" in lines
    assert "night.toml：players：合共 180,000 人；最多 100,000 人" in lines
    wrong = flawed(SCENARIO.replace("hours = ", "hours = 0 # "))
    assert wrong.text("zh-Hant") == "night.toml：hours：0 不適用；請寫大於 0 的數"
    with pytest.raises(InputError) as broken:
        read_scenario("book = ")
    assert broken.value.text("zh-Hant") == "scenario 並非 TOML：TOML 語法錯誤，在檔案結尾：Invalid value"


def test_a_file_that_cannot_be_read_gets_its_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read the scenario"):
        load_scenario(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8 text"):
        load_scenario(tmp_path / "bytes.toml")
