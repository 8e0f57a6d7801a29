"""When a row is reached, in words of two languages."""

from __future__ import annotations

import pytest

from pitbook.rulebooks.catalogue import load
from pitbook.rulebooks.conditions import parse_condition
from pitbook.rulebooks.wagers import Collect, Count, Pattern, Repeat
from pitbook.server.books.wording import describe_rows


@pytest.mark.parametrize(
    ("condition", "english", "chinese"),
    [
        ("triple", "a triple", "圍骰"),
        ("total 9", "the total is 9", "總點數為 9"),
        ("total 4..5", "the total is 4 or 5", "總點數為 4 或 5"),
        ("total odd and not triple", "the total is odd, and no triple", "總點數為單數，且非圍骰"),
        ("count(3) >= 2", "3 on at least 2 dice", "至少 2 粒骰子擲出 3"),
        ("count(3) < 1", "3 on fewer than 1 die", "少於 1 粒骰子擲出 3"),
        ("shows 1 and 2", "the dice show 1 and 2", "同時擲出 1、2"),
        ("exactly 3 1 1", "the dice show exactly 1, 1 and 3", "骰子恰為 1、1、3"),
        ("three of 1 2 3 4", "three different numbers out of 1, 2, 3 and 4", "1、2、3、4 之中三個不同點數"),
        ("not total even", "not (the total is even)", "並非（總點數為雙數）"),
        (
            "(total 4 or total 17) and not triple",
            "(the total is 4, or the total is 17), and no triple",
            "（總點數為 4，或總點數為 17），且非圍骰",
        ),
    ],
)
def test_a_condition_is_described_in_both_languages(condition: str, english: str, chinese: str) -> None:
    spec = Pattern((("win", parse_condition(condition, 3)),))
    assert describe_rows(spec, "en") == {"win": english, "lose": "anything else"}
    assert describe_rows(spec, "zh-Hant") == {"win": chinese, "lose": "其他結果"}


def test_come_bets_are_decided_by_the_next_roll_or_on_their_number() -> None:
    wagers = load("craps").wagers
    assert describe_rows(wagers["come"].spec, "en") == {
        "win": "on the next roll: the total is 7, or the total is 11; once moved to a number: that number",
        "lose": "on the next roll: the total is 2 or 3, or the total is 12; once moved to a number: the total is 7",
    }
    assert describe_rows(wagers["come"].spec, "zh-Hant")["win"] == (
        "下一擲：總點數為 7，或總點數為 11；移至號碼後：該號碼"
    )
    assert describe_rows(wagers["pass-line"].spec, "en")["win"].startswith("on the come-out roll: ")


def test_side_bets_are_described() -> None:
    lows = Collect(frozenset({2, 3}), "any seven")
    assert describe_rows(lows, "en") == {
        "win": "each of the totals 2 and 3 before a seven",
        "lose": "a seven comes first",
    }
    assert describe_rows(lows, "zh-Hant") == {"win": "擲出 7 之前，總點數 2、3 全部出現", "lose": "先擲出 7"}
    often = Repeat(frozenset({2, 12}), 3, "seven-out")
    assert describe_rows(often, "en")["win"] == "a total of 2 or 12 3 times before the seven-out"
    ladder = Count("points made", "seven-out", ("none", "one", "more"))
    assert describe_rows(ladder, "en") == {
        "none": "0 points made when the seven-out comes",
        "one": "1 point made when the seven-out comes",
        "more": "2 or more points made when the seven-out comes",
    }
    assert describe_rows(ladder, "zh-Hant")["more"] == "七點出局時，擲中目標點 2 次或以上"


def test_a_pair_of_two_dice_is_not_called_a_triple() -> None:
    hard = Pattern((("win", parse_condition("total 6 and pair", 2)), ("easy", parse_condition("not pair", 2))))
    assert describe_rows(hard, "en") == {
        "win": "the total is 6, and a pair",
        "easy": "no pair",
        "lose": "anything else",
    }
    assert describe_rows(hard, "zh-Hant")["win"] == "總點數為 6，且一對"


def test_a_ladder_of_numbers_or_points_is_described_by_how_many_came() -> None:
    fire = Collect(frozenset({4, 5, 6}), "seven-out", collected="points made", rows=("few", "few", "two", "all"))
    assert describe_rows(fire, "en") == {
        "few": "0 to 1 different points made when the seven-out comes",
        "two": "2 different points made when the seven-out comes",
        "all": "3 different points made when the seven-out comes",
    }
    assert describe_rows(fire, "zh-Hans")["few"] == "七点出局时，掷中不同的目标点 0 至 1 个"
    hot = Collect(frozenset({2, 3}), "any seven", rows=("none", "one", "both"))
    assert describe_rows(hot, "en")["one"] == "1 of its numbers when a seven comes"
    assert describe_rows(hot, "zh-Hant")["one"] == "擲出 7 時，已擲出所列數目 1 個"
    every_point = Collect(frozenset({4, 5}), "seven-out", collected="points made")
    assert describe_rows(every_point, "en")["win"] == "all 2 different points made before the seven-out"
    assert describe_rows(every_point, "zh-Hant")["win"] == "七點出局之前，擲中全部 2 個不同的目標點"
