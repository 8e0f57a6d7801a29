"""Dice-Ology: three side bets, worked by hand. One test per clause.

Hands are written as totals. A hand begins on the come-out: "4 6 4" sets the point 4 and makes it; "4 7" sevens out.
"""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest

from pitbook.dice import parse_rolls
from pitbook.engine.play import Bet, play
from pitbook.engine.progress import lammers
from pitbook.engine.settle import check_stake, settle
from pitbook.errors import InputError
from pitbook.money import Cents
from pitbook.rulebooks.catalogue import build
from pitbook.rulebooks.errors import InvalidBook
from tests.clauses.clause_marks import holds
from tests.clauses.copies import Copy, patched

DICE_OLOGY = "dice-ology"

LITTLE, BIG, BOOM = "2 3 4 5 6", "8 9 10 11 12", "2 3 4 5 6 8 9 10 11 12"
HANDS = {"little-ones": LITTLE, "big-ones": BIG, "boom-or-bust": BOOM}
"""The shortest hand that wins each; behind its first 4, 8 or 4 the shooter has a point."""
OFF = {"rebet": "off"}


def dice(totals: str) -> str:
    """Rolls that show these totals: "4 12" -> "1-3 6-6"."""
    return " ".join(f"{max(1, total - 6)}-{min(6, total - 1)}" for total in map(int, totals.split()))


def came(copy: Copy, bet: str, totals: str, **choices: Any) -> tuple[str, int | None]:
    """How a bet came out, and on which roll."""
    outcome = copy.outcome(bet, dice(totals), **choices)
    return outcome.result, outcome.decided_by_roll


def progress_after(copy: Copy, wager: str, totals: str, **choices: Any) -> list[int] | str:
    """The lammers on the wager's area after these rolls, with nobody betting; or that it is paid."""
    standing = lammers(*copy.after(dice(totals), **choices))[wager]
    return "paid" if standing["paid"] else list(standing["marked"])


def refused(copy: Copy, wager: str, totals: str = "", **choices: Any) -> str | None:
    """On what ground the wager is refused after these rolls; None if it is taken."""
    closed = copy.closed(wager, dice(totals), **choices)
    if closed is None:
        return None
    grounds = {"come-out": "come-out only", "marked": "marked", "won": "paid"}
    return next(ground for word, ground in grounds.items() if word in closed.message.id)


def who(copy: Copy, act: str) -> set[str]:
    """The positions whose act it is."""
    return {role for step in copy.rules.procedure.round if step.act == act for role in step.who}


@holds(DICE_OLOGY, "(2)")
def test_do_2_three_separate_optional_wagers_in_an_amount_set_by_the_licensee(copy: Copy) -> None:
    assert list(copy.rules.wagers) == ["little-ones", "big-ones", "boom-or-bust"]
    assert list(copy.under(options={"groups": "dice-ology"}).wagers) == list(copy.rules.wagers)
    # Optional: a craps table may go without it.
    without = copy.under(options={"groups": ""})
    assert not without.wagers
    with pytest.raises(InputError, match="not offered here"):
        without.wager("little-ones")
    # A licensee that specifies $2 to $5 at the table takes $2 and $5, and neither $1 nor $6.
    limits = {"stake_min": 2, "stake_max": 5, "payoff_max": 170}
    narrow = {f"wager.{wager}.limits.{name}": value for wager in HANDS for name, value in limits.items()}
    house = build(patched(copy.raw, narrow), "licensee.toml", base=copy.raw)
    for wager in house.wagers.values():
        check_stake(house, wager, house.cents(2))
        check_stake(house, wager, house.cents(5))
        with pytest.raises(InputError, match="under"):
            check_stake(house, wager, house.cents(1))
        with pytest.raises(InputError, match="over"):
            check_stake(house, wager, house.cents(6))


@holds(DICE_OLOGY, "(3)")
def test_do_3_bets_from_1_to_10_dollars_and_no_more_than_340_or_1750_paid(copy: Copy) -> None:
    rules = copy.rules
    for wager_id, payoff in (("little-ones", 340), ("big-ones", 340), ("boom-or-bust", 1750)):
        wager = rules.wagers[wager_id]
        for cents in (100, 250, 999, 1000):
            check_stake(rules, wager, Cents(cents))
        for cents, ground in ((1, "under the minimum"), (99, "under the minimum"), (1001, "over the maximum")):
            with pytest.raises(InputError, match=rf"{ground}.*\(3\)"):
                check_stake(rules, wager, Cents(cents))
        with pytest.raises(InputError, match="over the maximum"):
            copy.play(f"{wager_id}=11", dice(HANDS[wager_id]))

        # The greatest stake wins exactly the cap on pay table 1; nothing is taken off.
        ten = settle(rules, wager, Cents(1000), "win")
        assert (ten.net, ten.capped) == (payoff * 100, 0)
        assert "(3)" not in ten.clauses
        # A stake above the limits is paid up to the cap.
        eleven = settle(rules, wager, Cents(1100), "win")
        assert (eleven.net, eleven.capped) == (payoff * 100, payoff * 10)
        assert "(3)" in eleven.clauses
        # On pay table 2 the cap is not reached.
        assert settle(rules, wager, Cents(1000), "win", "PT2").capped == 0
        # A loss is a loss.
        assert settle(rules, wager, Cents(1000), "lose").net == -1000

        # A licensee may set narrower limits, never wider.
        for name, narrower, wider in (
            ("stake_min", 2, None),
            ("stake_max", 9, 11),
            ("payoff_max", payoff - 1, payoff + 1),
        ):
            key = f"wager.{wager_id}.limits.{name}"
            build(patched(copy.raw, {key: narrower}), "licensee.toml", base=copy.raw)
            with pytest.raises(InvalidBook, match=r"\(3\)"):
                build(patched(copy.raw, {key: wider}), "licensee.toml", base=copy.raw)


@holds(DICE_OLOGY, "(4)")
def test_do_4_wagers_are_independent_and_made_on_the_come_out_roll_or_at_a_re_bet(copy: Copy) -> None:
    #  after these rolls  little-ones      big-ones         boom-or-bust
    cases: dict[str, tuple[str | None, str | None, str | None]] = {
        "": (None, None, None),
        "7": (None, None, None),
        "4": ("come-out only", "come-out only", "come-out only"),
        "8": ("come-out only", "come-out only", "come-out only"),
        "4 8": ("come-out only", "come-out only", "come-out only"),
        "3": ("marked", None, "marked"),
        "12": (None, "marked", "marked"),
        "4 4": ("marked", None, "marked"),
        "8 8": (None, "marked", "marked"),
        "4 8 4": ("marked", "marked", "marked"),
        "4 8 7": (None, None, None),
        "4 8 4 7": (None, None, None),
    }
    for rolls, expected in cases.items():
        assert tuple(refused(copy, wager, rolls) for wager in HANDS) == expected, rolls
    # At a re-bet: behind the point, until the wager's next number is marked.
    for wager, hand, own, foreign in (("little-ones", LITTLE, 4, 9), ("big-ones", BIG, 9, 5)):
        assert refused(copy, wager, hand) is None
        assert refused(copy, wager, f"{hand} {foreign} {foreign}") is None
        assert refused(copy, wager, f"{hand} {foreign} {own}") is not None
        assert refused(copy, wager, hand, options=OFF) == "paid"
    assert refused(copy, "boom-or-bust", BOOM) is None

    # The other reading: on the come-out roll lammers may stand, and count for the newcomer.
    may_stand = {"dice-ology-window": "may-stand"}
    for rolls in ("3", "12", "4 4", "8 8", "4 8 4"):
        assert [refused(copy, wager, rolls, readings=may_stand) for wager in HANDS] == [None] * 3
    assert [refused(copy, wager, "4 8", readings=may_stand) for wager in HANDS] == ["come-out only"] * 3
    assert refused(copy, "little-ones", LITTLE, readings=may_stand, options=OFF) == "paid"
    assert came(copy, "little-ones=1@3", "4 4 2 3 5 6", readings=may_stand) == ("win", 6)
    with pytest.raises(InputError, match=r"already marked\. \(reading dice-ology-window\)"):
        copy.play("little-ones=1@3", dice("4 4 2 3 5 6"))

    # Each comes out alone as it does beside the others.
    for rolls in (LITTLE, BIG, BOOM, "2 3 8 9 7", "6 8 6 7", f"{LITTLE} 7"):
        together = copy.play("little-ones=1 big-ones=2 boom-or-bust=3", dice(rolls)).outcomes
        alone = [copy.outcome(bet, dice(rolls)) for bet in ("little-ones=1", "big-ones=2", "boom-or-bust=3")]
        assert list(together) == alone


@holds(DICE_OLOGY, "(7)")
def test_do_7_each_number_is_marked_repeats_do_nothing_and_a_seven_loses_all_bets(copy: Copy) -> None:
    for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        assert progress_after(copy, "little-ones", f"{number}") == ([number] if number < 7 else [])
        assert progress_after(copy, "big-ones", f"{number}") == ([number] if number > 7 else [])
        assert progress_after(copy, "boom-or-bust", f"{number}") == [number]
        # A repeated number has no effect.
        assert progress_after(copy, "boom-or-bust", f"{number} {number} {number}") == [number]
    assert came(copy, "little-ones=1", "2 2 3 3 4 4 5 5 5 6") == ("win", 10)
    # A seven loses all bets and clears all lammers: at once, behind the point, and on a later come-out roll.
    for rolls in ("7", "4 9 7", "4 9 4 7"):
        result = copy.play("little-ones=1 big-ones=2 boom-or-bust=3", dice(rolls))
        assert [outcome.net for outcome in result.outcomes] == [-100, -200, -300]
        assert {outcome.decided_by_roll for outcome in result.outcomes} == {len(rolls.split())}
        assert [progress_after(copy, wager, rolls) for wager in HANDS] == [[], [], []]
        assert all(outcome.settlement and "(7)" in outcome.settlement.clauses for outcome in result.outcomes)
    assert who(copy, "mark") == {"box-person", "stick-person", "base-dealer"}
    assert who(copy, "collect losers") == {"box-person", "stick-person", "base-dealer"}


def paid_then_bet_again(copy: Copy, wager: str, pays: int) -> None:
    """What (8), (9)(a) and (9)(b) have in common: payment, own lammers removed, then re-bet or wait for a seven."""
    hand = HANDS[wager]
    rolls = len(hand.split())
    settlement = copy.outcome(f"{wager}=5", dice(hand)).settlement
    assert settlement is not None
    assert settlement.net == 500 * pays
    # Re-bet: its lammers are removed, and it may be bet, won and paid again before a seven.
    assert progress_after(copy, wager, hand) == []
    assert refused(copy, wager, hand) is None
    first, second = copy.play(f"{wager}=5 {wager}=2@{rolls + 1}", dice(f"{hand} {hand}")).outcomes
    assert (first.net, first.decided_by_roll) == (500 * pays, rolls)
    assert (second.net, second.decided_by_roll) == (200 * pays, 2 * rolls)
    assert came(copy, f"{wager}=2@{rolls + 1}", f"{hand} 7") == ("lose", rolls + 1)
    # No re-bet: the area is paid, takes no bet, marks nothing, and waits for any seven.
    assert progress_after(copy, wager, hand, options=OFF) == "paid"
    assert progress_after(copy, wager, f"{hand} {hand}", options=OFF) == "paid"
    assert refused(copy, wager, hand, options=OFF) == "paid"
    assert progress_after(copy, wager, f"{hand} 7", options=OFF) == []
    assert refused(copy, wager, f"{hand} 7", options=OFF) is None
    # The base dealer pays, and only then the lammers are removed.
    assert who(copy, "pay winners") == {"base-dealer"}
    steps = {step.act: step for step in copy.rules.procedure.round}
    assert steps["pay winners"].id in steps["remove lammers"].after


@holds(DICE_OLOGY, "(8)")
def test_do_8_little_ones_pays_when_2_3_4_5_and_6_are_rolled_before_any_seven(copy: Copy) -> None:
    rules = copy.rules
    for order in permutations((2, 3, 4, 5, 6)):
        rolls = parse_rolls(dice(" ".join(map(str, order))), 2)
        assert play(rules, [Bet("little-ones", Cents(100))], rolls).outcomes[0].decided_by_roll == 5
    assert came(copy, "little-ones=1", "2 3 4 5 8 9 10 11 12") == ("running", None)
    assert came(copy, "little-ones=1", "2 3 4 5 8 9 10 11 12 6") == ("win", 10)
    paid_then_bet_again(copy, "little-ones", 34)
    # The lammers of the other two stay where they are.
    assert progress_after(copy, "big-ones", f"9 {LITTLE}") == [9]
    assert progress_after(copy, "boom-or-bust", f"9 {LITTLE}") == [2, 3, 4, 5, 6, 9]
    assert progress_after(copy, "boom-or-bust", f"9 {LITTLE}", options=OFF) == [2, 3, 4, 5, 6, 9]
    # Loses on the come-out seven as well.
    assert came(copy, "little-ones=1", "7") == ("lose", 1)
    assert came(copy, "little-ones=1", "4 2 3 4 5 7") == ("lose", 6)
    assert came(copy, "little-ones=1", "4 2 3 5 4 7 6") == ("lose", 6)


@holds(DICE_OLOGY, "(9)(a)")
def test_do_9a_big_ones_pays_when_8_9_10_11_and_12_are_rolled_before_any_seven(copy: Copy) -> None:
    rules = copy.rules
    for order in permutations((8, 9, 10, 11, 12)):
        rolls = parse_rolls(dice(" ".join(map(str, order))), 2)
        assert play(rules, [Bet("big-ones", Cents(100))], rolls).outcomes[0].decided_by_roll == 5
    assert came(copy, "big-ones=1", "8 9 10 11 2 3 4 5 6") == ("running", None)
    assert came(copy, "big-ones=1", "8 9 10 11 2 3 4 5 6 12") == ("win", 10)
    paid_then_bet_again(copy, "big-ones", 34)
    assert progress_after(copy, "little-ones", f"5 {BIG}") == [5]
    assert progress_after(copy, "boom-or-bust", f"5 {BIG}") == [5, 8, 9, 10, 11, 12]
    assert came(copy, "big-ones=1", "7") == ("lose", 1)
    assert came(copy, "big-ones=1", "8 9 10 11 7") == ("lose", 5)
    assert came(copy, "big-ones=1", "8 9 10 11 8 7 12") == ("lose", 6)


@holds(DICE_OLOGY, "(9)(b)")
def test_do_9b_boom_or_bust_pays_when_all_ten_numbers_are_rolled_before_a_seven(copy: Copy) -> None:
    ten = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    for last in ten:
        nine = " ".join(str(number) for number in ten if number != last)
        assert came(copy, "boom-or-bust=1", f"{nine} {nine}") == ("running", None)
        assert came(copy, "boom-or-bust=1", f"{nine} {last}") == ("win", 10)
        assert came(copy, "boom-or-bust=1", f"{nine} 7") == ("lose", 10)
    paid_then_bet_again(copy, "boom-or-bust", 175)
    # Its win leaves the lammers of the other two: both were won on the way, and 3 and 12 came again since.
    rolls = f"{LITTLE} 3 8 9 11 12 12 10"
    assert progress_after(copy, "boom-or-bust", rolls) == []
    assert progress_after(copy, "little-ones", rolls) == [3]
    assert progress_after(copy, "big-ones", rolls) == []
    rolls = f"{LITTLE} 8 9 10 11 12 12 3"
    assert [progress_after(copy, wager, rolls) for wager in HANDS] == [[3], [12], [3, 12]]
    # (9)(b) does not repeat "including the come out"; (7) says all bets.
    assert came(copy, "boom-or-bust=1", "7") == ("lose", 1)
    assert came(copy, "boom-or-bust=1", "4 4 7") == ("lose", 3)
    assert came(copy, "boom-or-bust=1", "4 5 7") == ("lose", 3)


@holds(DICE_OLOGY, "(10)")
def test_do_10_two_pay_schedules_and_the_one_in_use_is_displayed(copy: Copy) -> None:
    rules = copy.rules
    schedule = {"little-ones": (34, 30), "big-ones": (34, 30), "boom-or-bust": (175, 150)}
    for (wager, pays), stake in product(schedule.items(), (1, 10)):
        assert rules.wagers[wager].paytables == ("PT1", "PT2")
        for paytable, to_one in zip(("PT1", "PT2"), pays, strict=True):
            outcome = copy.outcome(f"{wager}={stake}", dice(HANDS[wager]), paytable=paytable)
            assert outcome.net == stake * 100 * to_one
            assert rules.printed(copy.odds(wager, "win", paytable)) == f"{to_one} to 1"
        # Without a choice it is pay table 1.
        assert copy.outcome(f"{wager}={stake}", dice(HANDS[wager])).net == stake * 100 * pays[0]
        more = [f"{pays[0] + 1} to 1", f"{pays[1]} to 1"]
        with pytest.raises(InvalidBook, match=r"\(10\) fixes"):
            build(patched(copy.raw, {f"wager.{wager}.pays": more}), "licensee.toml", base=copy.raw)
    signs = [thing for thing in rules.equipment.values() if thing.kind == "sign"]
    assert [need.says for sign in signs for need in sign.requires if need.clause == ["(10)"]] == [
        "it shows the pay schedule in use, or the payouts that follow from it"
    ]
