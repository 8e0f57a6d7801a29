"""Every entry of a record has its sentences in both languages, written from its data."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from pitbook.dice_register import events as dice
from pitbook.dice_register.event_text import describe as describe_dice
from pitbook.house.books import HouseBooks
from pitbook.messages import Sentence
from pitbook.people.event_text import describe as describe_people
from pitbook.rulebooks.catalogue import load
from pitbook.table import events as table
from pitbook.table.event_text import Scene, describe
from pitbook.table.evolve import evolve
from pitbook.table.people import ELECTRONIC_TUMBLER, Person
from pitbook.table.refusals import Refusal
from pitbook.table.transcript import refused
from tests.people.test_records import EVENTS as PEOPLE_EVENTS
from tests.playthroughs.scripts import PLAYS
from tests.playthroughs.test_transcripts import SCRIPTS

assert SCRIPTS  # they register their plays

FREE = re.compile("「[^」]*」|［[^］]*］")
"""What people said, names that a house or a book gives, ids and clauses."""
SIDE_BETS = [load("dice-works"), load("dice-ology")]
LABELS = [
    label
    for book in SIDE_BETS
    for label in (*(one.name for one in book.wagers.values()), *(one.name for one in book.groups.values()))
]
BRANDS = sorted({"Dice-Ology", *(label.en for label in LABELS if label.en in label.zh)}, key=len, reverse=True)
"""Names of games and bets that stay in English, beside a gloss."""
ENGLISH = re.compile("[A-Za-z]{3,}")
CURRENCIES = ("USD", "SGD", "UTC", "PIN", "API")
NAMES = {"ann", "ben", "cas", "pam", "pia", "flo", "abe", "fay", "bob", "sue", "Test", "House"}
MAX = Person("max", "manager")


def sentences(book: str) -> Iterator[tuple[str, set[str], list[Sentence]]]:
    """Yield the kind of every entry of every script of a book, the names in it, and its sentences."""
    for play in (one for one in PLAYS if one.book == book):
        stage = play.perform()
        state = HouseBooks().new_table("t1")
        people = NAMES | {text.person.name for text in stage.record}
        for text in stage.record:
            what = text.what
            if isinstance(what, Refusal):
                yield "refused", people, [refused(text.person, what)]
                continue
            after = evolve(state, what)
            scene = Scene(state, after, text.person, text.transfers)
            yield type(what).__name__, people, describe(what, scene)
            state = after


def left_in_english(text: str, names: set[str]) -> list[str]:
    left = re.sub("|".join(map(re.escape, BRANDS)), "", FREE.sub("", text))
    found = ENGLISH.findall(left)
    return [word for word in found if word not in names and word not in CURRENCIES]


@pytest.mark.parametrize("book", sorted({play.book for play in PLAYS}))
def test_every_entry_of_every_script_has_a_sentence_in_each_language(book: str) -> None:
    for kind, people, lines in sentences(book):
        assert lines, kind
        for line in lines:
            assert line.text("en")
            chinese = line.text("zh-Hant")
            assert left_in_english(chinese, people) == [], (kind, chinese)


def test_the_scripts_cover_most_kinds_of_events() -> None:
    described = {kind for play in {one.book for one in PLAYS} for kind, _, _ in sentences(play)}
    missing = {event.__name__ for event in table.EVENTS} - described
    automatic = {"SeedCommitted", "CountdownStarted", "NonceGiven", "BettingClosed", "SeedRevealed", "TumblerFailed"}
    automatic |= {"TumblerRepaired", "Paused", "Unpaused", "VoidProposed", "ClockCorrected"}
    assert missing - automatic - OTHERS == set()


OTHERS = {"DayStarted", "DealerLeft", "RailJoined", "RailLeft", "DiceRefused"}
SAMPLES: list[table.Event] = [
    table.DayStarted("Monday"),
    table.DealerLeft(),
    table.RailLeft("ann"),
    table.DiceRefused("ann"),
    table.ClockCorrected("the battery was empty"),
    table.NonceGiven("ann", "lucky"),
    table.BettingClosed(3),
    table.TumblerRepaired(),
    table.Paused("a spill", 7.0),
    table.Paused("a spill", None),
    table.Unpaused("2026-03-01T12:00:00+00:00"),
    table.Unpaused(None),
    table.CountdownStarted(3, "2026-03-01T12:00:00+00:00"),
]


@pytest.mark.parametrize("event", SAMPLES, ids=lambda event: type(event).__name__)
def test_events_of_automatic_tables_have_sentences(event: table.Event) -> None:
    state = HouseBooks().new_table("t1")
    for person in (MAX, ELECTRONIC_TUMBLER):
        for line in describe(event, Scene(state, state, person)):
            assert "{" not in line.text("en")
            assert left_in_english(line.text("zh-Hant"), {"max", "ann"}) == []


def test_the_houses_own_events_have_sentences() -> None:
    for event in PEOPLE_EVENTS:
        for message in describe_people(event, MAX):
            assert message.text("en")
            assert left_in_english(message.text("zh-Hant"), {"max", "ann", "bob", "eve", "house"}) == []


DICE: list[dice.Event] = [
    dice.DiceReceived("set 1", "", "max", ("A1", "A2")),
    dice.DiceUsed("set 1", "", "max", "t1", "manual", ""),
    dice.DiceUsed("set 1", "", "max", "t1", "", ""),
    dice.DiceReturned("set 1", "", "max", "t1", "the table closes"),
    dice.DiceReturned("set 1", "", "max", "t1", "chipped", "destroyed"),
    dice.DiceRetired("set 1", "", "max", "cancelled", "worn"),
]


def test_the_dice_register_has_sentences_and_reasons_in_the_readers_language() -> None:
    described = [describe_dice(event, MAX) for event in DICE]
    assert described[3].text() == "max (manager) took the dice “set 1” out at t1: the table closed"
    assert described[3].text("zh-Hant") == "max（經理）在 t1 取出骰子「set 1」：收檯"
    assert described[4].text("zh-Hans").endswith("：“chipped”；该组骰子已销毁")
    for message in described:
        assert left_in_english(message.text("zh-Hant"), {"max"}) == []
