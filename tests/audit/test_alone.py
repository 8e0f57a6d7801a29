"""The auditor is independent: what it imports, and that it reads the books as the engine does."""

from __future__ import annotations

import ast
import sys
from itertools import chain
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from iso4217 import Currency

import pitbook.audit
from pitbook.audit import ed25519, patterns, side_bets
from pitbook.audit.books import Book
from pitbook.audit.currencies import DECIMALS
from pitbook.audit.money import can_stay_positive
from pitbook.audit.shelf import NamedBook, Shelf
from pitbook.audit.side_bets import Area
from pitbook.dice import rolls
from pitbook.engine.progress import PAID, advance, initial_progress, marks
from pitbook.rulebooks.catalogue import PACKAGED, load
from pitbook.rulebooks.model import Rulebook
from pitbook.wager.hand import Hand
from pitbook.wager.machine import machine_of
from tests.soaking import thorough

FOLDER = Path(pitbook.audit.__file__).parent
CRAPS = ("dice-works", "dice-ology", "craps-bonus")
DRIVERS = {"apsw", "psycopg"}


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.stem)
def test_the_auditor_imports_the_standard_library_and_the_drivers_only(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            first = name.partition(".")[0]
            own = name == "pitbook.audit" or name.startswith("pitbook.audit.")
            assert own or first in DRIVERS or first in sys.stdlib_module_names, name


def variants(book: str) -> list[tuple[dict[str, str], dict[str, str]]]:
    """Yield every choice of every reading and option, one at a time."""
    base = load(book)
    readings: list[tuple[dict[str, str], dict[str, str]]]
    options: list[tuple[dict[str, str], dict[str, str]]]
    readings = [({name: choice}, {}) for name, one in base.readings.items() for choice in one.choices]
    options = [({}, {name: choice}) for name, one in base.options.items() for choice in one.choices]
    return [({}, {}), *readings, *options]


def both(book: str, readings: dict[str, str], options: dict[str, str]) -> tuple[Rulebook, Book]:
    """Return a book as the engine and as the auditor read it."""
    rules = load(book, readings=readings, options=options)
    named = [NamedBook(book, rules.digest)]
    mine = Shelf().book_of(named, tuple(sorted(readings.items())), tuple(sorted(options.items())))
    return rules, mine


@pytest.mark.parametrize("book", PACKAGED)
def test_both_readings_of_a_book_agree_under_every_choice(book: str) -> None:
    for readings, options in variants(book):
        rules, mine = both(book, readings, options)
        assert mine.offered == set(rules.wagers)
        for wager in rules.wagers.values():
            own = mine.every[wager.id]
            assert list(own.pays) == list(wager.paytables)
            for table, rows in wager.pays.items():
                assert {row: odds.gain for row, odds in own.pays[table].items()} == {
                    row: odds.gain for row, odds in rows.items()
                }
        if mine.craps:
            continue
        for roll in rolls(3):
            assert patterns.rows_reached(mine, roll.faces) == advance(rules, initial_progress(rules), roll).ended


@pytest.mark.parametrize("book", ["craps-bonus", *thorough(*(book for book in CRAPS if book != "craps-bonus"))])
def test_the_numbers_of_states_in_snapshots_are_read_rightly(book: str) -> None:
    for readings, options in variants(book):
        rules, mine = both(book, readings, options)
        for wager in rules.wagers.values():
            machine, own = machine_of(wager.spec, 2), mine.every[wager.id]
            numbers = side_bets.state_numbers(own, mine.hand)
            assert machine.size == len(set(numbers.values()))
            for number, state in enumerate(machine.states):
                marked, hand = state if isinstance(state, tuple) else (state, Hand())
                assert numbers[side_bets.state_key(own, marked, hand.point)] == number


@pytest.mark.parametrize("book", CRAPS)
def test_both_follow_the_same_rolls_in_the_same_way(book: str) -> None:
    thrown = [2, 3, 4, 4, 5, 6, 6, 11, 8, 9, 10, 12, 12, 7, 7, 5, 5, 9, 9, 2, 2, 11, 3, 4, 6, 8, 8, 7, 6, 7, 2, 7]
    for readings, options in variants(book):
        rules, mine = both(book, readings, options)
        theirs, point, areas = initial_progress(rules), None, side_bets.new_areas(mine)
        for total in thrown:
            dice = next(roll for roll in rolls(2) if roll.total == total)
            step, own = advance(rules, theirs, dice), side_bets.roll(mine, point, areas, dice.faces)
            moved = marks(rules, theirs, step)
            assert (dict(step.ended), str(step.call)) == (own.ended, own.call)
            assert (frozenset(moved.placed), frozenset(moved.cleared)) == (own.placed, own.cleared)
            theirs, point, areas = step.progress, own.point, own.areas
            assert theirs.hand.point == point
            for name, area in theirs.areas.items():
                assert (area.state == PAID, area.just_won) == (areas[name].paid, areas[name].just_won)


def test_by_hand_all_lows_is_won_waits_for_a_seven_and_is_free_again() -> None:
    _, book = both("dice-works", {}, {})
    point, areas = None, side_bets.new_areas(book)
    for total in (2, 3, 4, 5):
        point, areas = (rolled := side_bets.roll(book, point, areas, (1, total - 1))).point, rolled.areas
        assert "all-lows" not in rolled.ended
    won = side_bets.roll(book, point, areas, (1, 5))
    assert won.ended["all-lows"] == "win"
    assert won.areas["all-lows"].paid
    freed = side_bets.roll(book, won.point, won.areas, (1, 6))
    assert "all-lows" not in freed.ended
    assert freed.areas["all-lows"] == Area(frozenset())


@pytest.mark.parametrize("length", [0, 1, 64, 1000])
def test_signatures_are_verified_as_by_the_library(length: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(length % 200, length % 200 + 32)))
    public, message = key.public_key().public_bytes_raw(), bytes(index % 251 for index in range(length))
    signature = key.sign(message)
    assert ed25519.verify(public, message, signature)
    assert not ed25519.verify(public, message + b"x", signature)
    for place in chain(range(0, 64, 7), [63]):
        assert not ed25519.verify(public, message, _flipped(signature, place))
    assert not ed25519.verify(_flipped(public, 3), message, signature)
    assert not ed25519.verify(public, message, signature[:63])
    # A signature whose scalar is not reduced is another spelling of the same: RFC 8032 refuses it.
    scalar = int.from_bytes(signature[32:], "little") + ed25519.ORDER
    assert not ed25519.verify(public, message, signature[:32] + scalar.to_bytes(32, "little"))


def _flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def test_a_signature_of_the_standard_is_verified() -> None:
    """RFC 8032, 7.1, test 2."""
    public = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    signature = bytes.fromhex(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    assert ed25519.verify(public, b"\x72", signature)


MOVES = st.lists(st.lists(st.integers(-5, 5), max_size=4), max_size=3)


@given(MOVES)
def test_players_at_several_tables_are_judged_in_any_order(moves: list[list[int]]) -> None:
    assert can_stay_positive(moves) == _some_order(0, tuple(map(tuple, moves)))


def _some_order(held: int, left: tuple[tuple[int, ...], ...]) -> bool:
    """Yield every interleaving of the sequences."""
    if held < 0:
        return False
    ways = []
    for place, sequence in enumerate(left):
        if sequence:
            ways.append((sequence[0], (*left[:place], sequence[1:], *left[place + 1 :])))
    return not ways or any(_some_order(held + move, rest) for move, rest in ways)


def test_the_auditors_own_table_of_currencies_is_that_of_iso_4217() -> None:
    published = {one.code: one.exponent for one in Currency if one.exponent is not None}
    assert {code: DECIMALS.get(code, 2) for code in published} == published
    assert set(DECIMALS) <= set(published)
