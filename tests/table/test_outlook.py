"""What each roll would do to a player's bets, held against what it does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pitbook.dice import Roll, rolls
from pitbook.table import commands as c
from pitbook.table import events as e
from pitbook.table.standing import forecast_bets, odds_of
from tests.table.craps import BASE, STICK, CrapsTable, craps_table, lines_of, placed

WAGERS = (
    *("pass-line", "dont-pass", "come", "dont-come", "field", "place/6", "place/9", "buy/4", "lay/10", "big/8"),
    *("hard/6", "hard/8", "any-seven", "horn", "c-and-e", "hop/2-3", "hop/3-3"),
)
PLAYERS = ("ann", "ben")
Hands = list[tuple[list[tuple[str, str, int]], bool, Roll]]
BETS = st.lists(st.tuples(st.sampled_from(PLAYERS), st.sampled_from(WAGERS), st.integers(1, 12)), max_size=6)


def thrown(table: CrapsTable, roll: Roll) -> list[e.Event]:
    """Roll these dice and see to everything that follows."""
    if table.table.shooter is None:
        table.shooter("ann")
    dice = tuple(int(face) for face in roll.faces)
    return [*table.does(STICK, c.TakeStep("roll", dice)).events, *table.finish()]


def take_odds(table: CrapsTable) -> None:
    """Put the most odds behind every bet that can have some."""
    for bet in list(table.table.bets.values()):
        found = odds_of(table.table, bet)
        if found and found.room:
            table.bet(bet.player, f"{found.wager}={found.room / 100}")


@settings(max_examples=25, deadline=None)
@given(hands=st.lists(st.tuples(BETS, st.booleans(), st.sampled_from(rolls(2))), min_size=1, max_size=4))
def test_a_roll_does_to_each_bet_what_was_predicted(hands: Hands) -> None:
    table = craps_table("craps", *PLAYERS)
    table.bet("ann", "pass-line=10")
    for bets, odds, roll in hands:
        for name, wager, units in bets:
            table.ask(BASE, placed(f"{wager}={units * 5}", "cash", name))
        if odds:
            take_odds(table)
        if table.table.point is None:
            table.bet("ann", "pass-line=10")
        expected = {name: forecast_bets(table.table, name, roll) for name in PLAYERS}
        owners = {bet.id: bet.player for bet in table.table.bets.values()}
        happened = thrown(table, roll)
        (rolled,) = [one for one in happened if isinstance(one, e.Rolled)]
        for name, effects in expected.items():
            nets = {line.bet: line.net for line in lines_of(happened) if line.player == name}
            points = {one.bet: one.point for one in rolled.bets if one.point is not None and owners[one.bet] == name}
            assert {one.bet: one.net for one in effects if one.result != "travels"} == nets
            assert {one.bet: one.point for one in effects if one.result == "travels"} == points


def test_hard_and_easy_differ_and_bets_that_are_off_stay() -> None:
    table = craps_table("craps")
    table.bet("ann", "pass-line=10 hard/6=5")

    def net(*dice: int) -> int:
        return sum(one.net for one in forecast_bets(table.table, "ann", Roll.of(*dice)))

    assert (net(5, 6), net(1, 1), net(3, 3)) == (10_00, -10_00, 0)
    table.rolls("6")
    assert (net(3, 3), net(2, 4), net(3, 4)) == (10_00 + 45_00, 10_00 - 5_00, -15_00)
