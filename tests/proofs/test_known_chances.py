"""Chances that are published or were worked out elsewhere, as exact fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

import pitbook


@pytest.mark.parametrize(
    ("book", "wager", "chance"),
    [
        ("massachusetts-sic-bo", "small", Fraction(105, 216)),
        ("massachusetts-sic-bo", "two-of-a-kind/4", Fraction(16, 216)),
        ("massachusetts-sic-bo", "one-of-a-kind/6", Fraction(91, 216)),
        ("maryland-sic-bo", "two-dice-combination/2-5", Fraction(30, 216)),
        ("maryland-sic-bo", "total/10", Fraction(27, 216)),
        ("singapore-mbs-sic-bo-v6", "three-from-four/2356", Fraction(24, 216)),
        ("singapore-mbs-sic-bo-v6", "double-and-single/113", Fraction(3, 216)),
        ("dice-works", "all-lows", Fraction(20049, 760760)),
        ("dice-works", "all-highs", Fraction(20049, 760760)),
        ("dice-works", "the-works", Fraction(126538525259, 24067258815600)),
        ("dice-works", "parlay/2x2", Fraction(1, 49)),
        ("dice-works", "parlay/8x6", Fraction(5, 11) ** 6),
        ("dice-works", "parlay-envy/2-3-11-12x7", Fraction(1, 2) ** 7),
        ("dice-ology", "boom-or-bust", Fraction(126538525259, 24067258815600)),
    ],
)
def test_the_chance_from_the_start(book: str, wager: str, chance: Fraction) -> None:
    assert pitbook.rulebook(book).wager(wager).chance == chance


def test_exactly_two_of_a_kind_under_the_other_reading() -> None:
    book = pitbook.rulebook("massachusetts-sic-bo", readings={"double-with-triple": "exactly-two"})
    assert book.wager("two-of-a-kind/1").chance == Fraction(15, 216)
