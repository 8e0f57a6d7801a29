"""Size limits of commands: the largest that is taken, and the smallest that is refused."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from pitbook.server.commands.size_limits import check_bets, check_command, check_key, check_table_name
from pitbook.server.http.problems import Problem
from pitbook.table import commands as c
from pitbook.table.people import Person

MOST = 10**14
FAY = Person("fay", "floorperson")


def refused(check: Callable[[], object]) -> tuple[str, list[tuple[str, str]]]:
    """Return the kind of a problem, and what is wrong where."""
    with pytest.raises(Problem) as caught:
        check()
    problem = caught.value
    if problem.errors:
        assert str(problem.message).startswith(f"{problem.errors[0].place}: {problem.errors[0].message}")
        return problem.kind.name, [(one.place, str(one.message)) for one in problem.errors]
    return problem.kind.name, [("", str(problem.message))]


@pytest.mark.parametrize("count", [1, 200])
@pytest.mark.parametrize("bet", [c.BetRequest("small", MOST), c.BetRequest("small", -MOST), c.BetRequest("x" * 200, 1)])
def test_bets_within_the_limits_are_taken(count: int, bet: c.BetRequest) -> None:
    check_bets((bet,) * count)
    check_command(c.PlaceBets((bet,) * count))


def test_at_most_200_bets_come_at_once() -> None:
    bets = (c.BetRequest("small", 1),) * 201
    wanted = ("bad-request", [("", "body.bets: at most 200 at once, not 201")])
    assert refused(lambda: check_bets(bets)) == wanted
    assert refused(lambda: check_command(c.PlaceBets(bets))) == wanted


@pytest.mark.parametrize(
    ("bet", "place", "says"),
    [
        (c.BetRequest("small", MOST + 1), "amount", f"must be between -{MOST} and {MOST}"),
        (c.BetRequest("small", -MOST - 1), "amount", f"must be between -{MOST} and {MOST}"),
        (c.BetRequest("x" * 201, 1), "wager", "must have at most 200 characters, not 201"),
        (c.BetRequest("a\0b", 1), "wager", "must not contain control characters or unpaired surrogates"),
    ],
)
def test_a_bet_that_no_table_would_need_is_refused(bet: c.BetRequest, place: str, says: str) -> None:
    bets = (c.BetRequest("small", 1), bet)
    wanted = ("bad-request", [(f"body.bets[1].{place}", says)])
    assert refused(lambda: check_bets(bets)) == wanted
    assert refused(lambda: check_command(c.PlaceBets(bets))) == wanted


def test_a_wager_has_no_line_breaks() -> None:
    bets = (c.BetRequest("a\nb", 1),)
    assert refused(lambda: check_bets(bets)) == (
        "bad-request",
        [("body.bets[0].wager", "must not contain control characters")],
    )


@pytest.mark.parametrize(
    "command",
    [
        c.BuyIn(MOST, "Ann Lee"),
        c.BuyIn(1, "x" * 200),
        c.BuyIn(1, "walk-in:" + "x" * 192),
        c.BuyIn(1, None, marker=True),
        c.NewShooter("Ann Lee"),
        c.Call("x" * 200, "x" * 2_000),
        c.Call("device-malfunction", "two lines\n\tand an unusual\u3000space"),
        c.Call("device-malfunction", present=(FAY,) * 400),
    ],
)
def test_a_command_within_the_limits_is_taken(command: c.Command) -> None:
    check_command(command)


@pytest.mark.parametrize(
    ("command", "place", "says"),
    [
        (c.Call("x" * 201), "body.irregularity", "must have at most 200 characters, not 201"),
        (c.Call("x", "x" * 2_001), "body.words", "must have at most 2,000 characters, not 2,001"),
        (c.Call("x", "a\x07b"), "body.words", "must not contain control characters or unpaired surrogates"),
        (c.Call("x", "a\0b"), "body.words", "must not contain control characters or unpaired surrogates"),
        (c.Call("x", bets=(1,) * 401), "body.bets", "must have at most 400 items, not 401"),
        (c.Call("x", bets=(1, MOST + 1)), "body.bets[1]", f"must be between -{MOST} and {MOST}"),
        (c.Call("x", bets=(1,) * 399 + (-MOST - 1,)), "body.bets[399]", f"must be between -{MOST} and {MOST}"),
        (
            c.Call("x", present=(Person("a\nb", "x" * 201),)),
            "body.present[0].role",
            "must have at most 200 characters, not 201",
        ),
    ],
)
def test_a_command_that_is_too_large_says_where(command: c.Command, place: str, says: str) -> None:
    assert refused(lambda: check_command(command)) == ("bad-request", [(place, says)])


def test_at_most_20_parts_are_listed() -> None:
    kind, errors = refused(lambda: check_command(c.Call("x", bets=(MOST + 1,) * 30)))
    assert (kind, len(errors)) == ("bad-request", 20)


@pytest.mark.parametrize("name", ["", " ", " Ann", "Ann ", "a:b", "walk-in:a:b", "a\nb"])
@pytest.mark.parametrize("make", [c.NewShooter, lambda name: c.BuyIn(1, name)])
def test_a_player_for_whom_staff_act_has_a_name_on_one_line(make: Callable[[str], c.Command], name: str) -> None:
    says = "must be one line without colons or surrounding spaces"
    assert refused(lambda: check_command(make(name))) == ("bad-request", [("body.player", says)])


def test_a_name_that_is_too_long_is_reported_once() -> None:
    assert refused(lambda: check_command(c.BuyIn(1, "x" * 201))) == (
        "bad-request",
        [("body.player", "must have at most 200 characters, not 201")],
    )


def test_an_idempotency_key_belongs_to_its_person() -> None:
    assert check_key(FAY, None) is None
    assert check_key(FAY, "k") == "fay/k"
    assert check_key(FAY, "k" * 200) == "fay/" + "k" * 200
    for wrong in ("", "k" * 201, "a\nb"):
        assert refused(partial(check_key, FAY, wrong)) == (
            "bad-request",
            [("", "Idempotency-Key: must be 1 to 200 printable characters")],
        )


def test_a_table_is_called_by_what_no_other_table_looks_like() -> None:
    check_table_name("t1", ["t1", "t2"])
    check_table_name("t3", ["t1", "t2"])
    assert refused(lambda: check_table_name("T2", ["t1", "t2"])) == (
        "unprocessable",
        [("", "there is a table 't2'; choose a name that differs by more than its case")],
    )
    assert refused(lambda: check_table_name("house", [])) == (
        "unprocessable",
        [("", "house is a reserved name. Choose another.")],
    )
    kind, ((_, says),) = refused(lambda: check_table_name("x" * 300, []))
    assert (kind, says) == ("unprocessable", "A name must have 1 to 40 characters.")
