"""Odds, amounts, and the only rounding."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitbook.currencies import format_amount
from pitbook.errors import InputError
from pitbook.money import (
    LOSE,
    PUSH,
    Cents,
    Favour,
    Odds,
    Wording,
    parse_amount,
    settle_stake,
)


@pytest.mark.parametrize(
    ("text", "gain", "printed"),
    [
        ("34 to 1", 34, "34 to 1"),
        ("40 for 1", 39, "40 for 1"),
        ("45,000 for 1", 44_999, "45,000 for 1"),
        ("1 to 10", Fraction(1, 10), "1 to 10"),
        ("3 to 2", Fraction(3, 2), "3 to 2"),
        ("1 wins 34", 34, "1 wins 34"),
        ("Push", 0, "push"),
        ("lose", -1, "lose"),
    ],
)
def test_odds_keep_their_wording(text: str, gain: int | Fraction, printed: str) -> None:
    odds = Odds.parse(text)
    assert odds.gain == gain
    assert str(odds) == printed


@pytest.mark.parametrize(
    "text", ["", "34", "34:1", "34 to", "0 to 1", "1 to 0", "1 for 1", "1 for 2", "-3 to 1", "x to 1"]
)
def test_what_are_not_odds_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Odds.parse(text)


@given(st.integers(2, 100_000))
def test_so_many_for_one_is_one_less_to_one(pays: int) -> None:
    assert Odds.for_one(pays) == Odds.to_one(pays - 1)
    assert hash(Odds.for_one(pays)) == hash(Odds.to_one(pays - 1))
    assert Odds.parse(str(Odds.for_one(pays))) == Odds.for_one(pays)


@given(st.integers(2, 100_000), st.sampled_from([[Wording.TO], [Wording.WIN], [Wording.TO, Wording.WIN]]))
def test_for_is_never_printed_where_it_is_forbidden(pays: int, allowed: list[Wording]) -> None:
    printed = Odds.for_one(pays).printed(allowed)
    assert "for" not in printed
    assert Odds.parse(printed) == Odds.for_one(pays)


def test_a_push_gives_the_stake_back_and_a_loss_takes_it() -> None:
    assert settle_stake(Cents(500), PUSH, Favour.HOUSE).net == 0
    assert settle_stake(Cents(500), LOSE, Favour.PLAYER).net == -500


@given(
    st.integers(1, 10**12),
    st.integers(1, 50),
    st.integers(1, 50),
    st.sampled_from(Favour),
    st.sampled_from([1, 25, 100]),
)
def test_rounding_is_less_than_a_unit_and_in_the_stated_favour(
    stake: int, pays: int, per: int, favour: Favour, unit: int
) -> None:
    payment = settle_stake(Cents(stake), Odds(Fraction(pays, per)), favour, unit)
    assert payment.net - payment.rounding == stake * Fraction(pays, per)
    if favour is Favour.PLAYER:
        assert 0 <= payment.rounding < unit
    else:
        assert -unit < payment.rounding <= 0


@pytest.mark.parametrize(("text", "cents"), [("5", 500), ("2.50", 250), ("0.01", 1), (" 7.5 ", 750)])
def test_amounts_are_read_in_minor_units(text: str, cents: int) -> None:
    assert parse_amount(text) == cents


@pytest.mark.parametrize("text", ["", "0", "-1", "1.005", "1e3", "nan", "inf", "1,000", "five", "٥", "9" * 30])
def test_what_is_not_an_amount_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_amount(text)


@given(st.integers(1, 10**14), st.sampled_from([0, 2, 3]))
def test_an_amount_printed_is_read_back(cents: int, decimals: int) -> None:
    assert parse_amount(format_amount(cents, decimals).replace(",", ""), decimals) == cents
