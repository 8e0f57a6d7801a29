"""Bets by number and by player, shared between states: as a plain dictionary would have them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from pitbook.table.bets import Bets
from pitbook.table.state import Bet

NAMES = some.sampled_from(["ann", "ben", "cy", "Ⅳ"])
AREAS = some.sampled_from(["small", "big", "total/6"])
BETS = some.builds(
    Bet, some.integers(1, 200), NAMES, AREAS, some.integers(1, 9), some.just("cash"), some.booleans(), some.booleans()
)
PUT = some.lists(BETS, max_size=8)
TAKEN = some.lists(some.integers(1, 200), max_size=8)


def same(bets: Bets, plain: dict[int, Bet]) -> None:
    assert bets == plain
    assert len(bets) == len(plain)
    assert bool(bets) == bool(plain)
    assert bets.fresh == any(not bet.running for bet in plain.values())
    assert sorted(bets, key=int) == sorted(plain)
    assert {bet.id: bet for bet in bets.values()} == plain
    for player in ("ann", "ben", "cy", "Ⅳ", "nobody"):
        own = [bet for _, bet in sorted(plain.items()) if bet.player == player]
        assert bets.of(player) == own
        for area in ("small", "big", "total/6"):
            found = sorted(bets.on(player, area), key=lambda bet: bet.id)
            assert found == [bet for bet in own if bet.wager == area]


@given(some.lists(PUT | TAKEN, max_size=30))
def test_bets_are_what_a_dictionary_would_hold_and_the_older_ones_stay(changes: list[list[Bet] | list[int]]) -> None:
    plain: dict[int, Bet] = {}
    bets = Bets()
    history = [(bets, plain)]
    for change in changes:
        plain = dict(plain)
        put = [one for one in change if isinstance(one, Bet)]
        gone = {one for one in change if isinstance(one, int)}
        bets = bets.put(put).without(gone)
        plain |= {bet.id: bet for bet in put}
        plain = {number: bet for number, bet in plain.items() if number not in gone}
        history.append((bets, plain))
    for then, before in history:
        same(then, before)
        same(Bets(before.values()), before)


def test_bets_that_are_made_one_after_the_other_come_in_their_order() -> None:
    bets = Bets()
    for number in range(1, 300):
        bets = bets.put([Bet(number, f"player {number % 7}", "small", 5, "cash", confirmed=True)])
    bets = bets.without(range(60, 140)).put([Bet(5, "player 5", "small", 10, "cash", confirmed=True)])
    assert list(bets) == [*range(1, 60), *range(140, 300)] == [bet.id for bet in bets.values()]
    assert bets[5].amount == 10


def test_a_bet_among_thousands_shares_what_it_does_not_touch() -> None:
    bets = Bets(Bet(number, f"player {number // 20}", "small", 5, "cash", confirmed=True) for number in range(1, 5_001))
    more = bets.put([Bet(5_001, "ann", "small", 5, "cash", confirmed=True)])
    shared = sum(more._shelves[place] is shelf for place, shelf in bets._shelves.items())
    assert shared >= len(bets._shelves) - 1
    assert sum(one is other for one, other in zip(more._drawers, bets._drawers, strict=True)) == len(bets._drawers) - 1
    assert (len(bets), len(more)) == (5_000, 5_001)
