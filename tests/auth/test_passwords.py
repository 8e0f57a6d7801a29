"""Passwords: the weak are refused with a reason, the others hashed, and nobody learns which people there are."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from statistics import median

import pytest
from argon2 import extract_parameters
from argon2.profiles import CHEAPEST, RFC_9106_LOW_MEMORY

from pitbook.auth.errors import Unavailable
from pitbook.auth.passwords import LENGTH_MAX, Passwords, password_weakness, pin_weakness
from tests.auth.racing import race

GOOD = "eleven-lucky-camels"


@pytest.fixture(scope="module")
def passwords() -> Passwords:
    return Passwords(CHEAPEST)


def test_the_right_password_is_right_and_others_are_wrong(passwords: Passwords) -> None:
    password_hash = passwords.hash_password(GOOD)
    assert password_hash != passwords.hash_password(GOOD)  # salted
    assert passwords.verify(GOOD, password_hash).matches
    for wrong in ("", GOOD[:-1], GOOD + " ", GOOD.upper(), "x" * 2000, "\ud800", "a\0b"):
        assert not passwords.verify(wrong, password_hash).matches


def test_by_default_it_is_argon2id_with_64_mebibytes() -> None:
    password_hash = Passwords().hash_password(GOOD)
    assert password_hash.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert extract_parameters(password_hash) == RFC_9106_LOW_MEMORY


def test_accents_count_the_same_however_a_keyboard_makes_them(passwords: Passwords) -> None:
    assert passwords.verify("cafe\u0301-de-la-paix", passwords.hash_password("caf\u00e9-de-la-paix")).matches


def test_odd_characters_are_hashed_too(passwords: Passwords) -> None:
    for odd in ("nul\0in-the-middle", "half\ud800of-a-character", "骰" * 12):
        assert passwords.verify(odd, passwords.hash_password(odd)).matches


def test_a_hash_with_weaker_parameters_is_replaced(passwords: Passwords) -> None:
    stronger = Passwords(replace(CHEAPEST, time_cost=2))
    old = passwords.hash_password(GOOD)
    verified = stronger.verify(GOOD, old)
    assert verified.matches
    assert verified.new_hash is not None
    assert stronger.verify(GOOD, verified.new_hash) == replace(verified, new_hash=None)
    assert stronger.verify("wrong-password", old).new_hash is None


@pytest.mark.parametrize("kept", [None, "", "$argon2id$", "plain", "$argon2id$v=19$m=8,t=1,p=1$broken"])
def test_without_a_good_hash_no_password_is_right(passwords: Passwords, kept: str | None) -> None:
    for password in (GOOD, "", kept or "x"):
        assert not passwords.verify(password, kept).matches


def test_unknown_people_take_as_long_as_known_ones() -> None:
    passwords = Passwords(replace(CHEAPEST, memory_cost=8192, time_cost=2))
    password_hash = passwords.hash_password(GOOD)

    def seconds(hashed: str | None) -> float:
        start = time.process_time()
        passwords.verify("wrong-password", hashed)
        return time.process_time() - start

    pairs = [(seconds(password_hash), seconds(None)) for _ in range(15)]
    known, unknown = (median(times) for times in zip(*pairs, strict=True))
    assert 0.5 < unknown / known < 2


def test_dummy_hashs_hash_opens_nothing(passwords: Passwords) -> None:
    guessed = Passwords(CHEAPEST)
    guessed._dummy_hash = passwords.hash_password(GOOD)
    assert not guessed.verify(GOOD, None).matches


def test_a_machine_that_cannot_hash_is_unavailable_and_no_password_is_wrong(passwords: Passwords) -> None:
    too_little = Passwords(replace(CHEAPEST, memory_cost=1))
    password_hash = passwords.hash_password(GOOD).replace("m=8,", "m=1,")
    for act in (partial(too_little.hash_password, GOOD), partial(passwords.verify, GOOD, password_hash)):
        with pytest.raises(Unavailable, match="cannot be checked now: Memory cost is too small"):
            act()


def test_many_at_once_wait_in_line() -> None:
    passwords = Passwords(CHEAPEST, at_once=2)
    password_hash = passwords.hash_password(GOOD)
    assert all(
        verified.matches for verified in race([partial(passwords.verify, GOOD, password_hash) for _ in range(12)])
    )


@pytest.mark.parametrize(
    "password", [GOOD, "correct horse battery", "ann likes the hard eight", "骰子总和十一点大小单双"]
)
def test_a_long_enough_password_will_do(password: str) -> None:
    assert password_weakness(password, "ann") is None


def test_the_shortest_and_the_longest_password_will_do(passwords: Passwords) -> None:
    longest = "abcdefgh" * 128
    assert password_weakness("ten-chars!", "ann") is None
    assert password_weakness("annabellaSix!Xs", "annabella") is None
    assert len(longest) == LENGTH_MAX
    assert password_weakness(longest, "ann") is None
    assert passwords.verify(longest, passwords.hash_password(longest)).matches


@pytest.mark.parametrize(
    ("password", "words"),
    [
        ("", "at least 10 characters; this one has 0"),
        ("nine-char", "at least 10 characters; this one has 9"),
        ("x" * 1025, "at most 1024 characters; this one has 1025"),
        ("1234567890", "first passwords that anyone would try"),
        ("Password123", "first passwords that anyone would try"),
        ("QWERTYUIOP ", "first passwords that anyone would try"),
        ("aaaaaaaaaaaaaa", "at least 5 different characters"),
        ("1212121212", "at least 5 different characters"),
        ("1234123412", "at least 5 different characters"),
        ("Annabella99", "little more than your name"),
        ("annabella5.Xs9", "little more than your name"),
        ("annabellaAnnabella", "little more than your name"),
        ("pitbook2026", "little more than our name"),
        ("Demo House, no secrets", "published password of demo houses"),
    ],
)
def test_a_weak_password_is_refused_with_a_reason(password: str, words: str) -> None:
    why = password_weakness(password, "annabella")
    assert why is not None
    assert words in str(why)
    assert "\n" not in str(why)
    assert len(password) < 5 or password not in str(why)


def test_a_password_that_is_too_long_is_not_hashed(passwords: Passwords) -> None:
    with pytest.raises(ValueError, match="too long") as caught:
        passwords.hash_password("z" * 1025)
    assert "zz" not in str(caught.value)


@pytest.mark.parametrize("pin", ["480263", "480263480263", "135790", "112233"])
def test_a_pin_of_six_to_twelve_digits_will_do(pin: str) -> None:
    assert pin_weakness(pin) is None


@pytest.mark.parametrize("pin", ["", "48026", "4802634802634", "48026a", "-48026", "٤٨٠٢٦٣", "480 263"])
def test_a_pin_has_six_to_twelve_digits_and_nothing_else(pin: str) -> None:
    assert str(pin_weakness(pin)) == "a PIN must be 6 to 12 digits and nothing else"


@pytest.mark.parametrize("pin", ["000000", "123456", "987654", "890123", "024680", "210987"])
def test_a_pin_is_not_a_run_of_digits(pin: str) -> None:
    assert str(pin_weakness(pin)) == f"a PIN must not be a run of digits like {pin}; choose another"
