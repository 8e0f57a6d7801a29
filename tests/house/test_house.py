"""The house over a real journal: restarts in every phase, power failures by the book, keys, and commands that race."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Unpack

import pytest

from pitbook.audit import audit
from pitbook.house.answers import Answer
from pitbook.house.house import CommandOptions, House
from pitbook.house.stores import open_store
from pitbook.journal.decisions import Outcome
from pitbook.journal.group_commit import KEY_REUSED
from pitbook.journal.runner import Settings
from pitbook.ledger.accounts import escrow
from pitbook.table import commands as c
from pitbook.table.people import Person
from pitbook.table.refusals import Reason
from pitbook.table.state import Table, phase
from pitbook.testing import START, JournalTable, due_command
from tests.audit.journals import BOOKS, CRAPS
from tests.house.racing import hold_first_write
from tests.house.replay import folded
from tests.waiting import HANG

MASSACHUSETTS, MARYLAND, SINGAPORE, DICE_WORKS, DICE_OLOGY = BOOKS
ANN, BEN = Person("ann", "player"), Person("ben", "player")
WAGERS = {
    MASSACHUSETTS: ("small", "big"),
    MARYLAND: ("small", "big"),
    SINGAPORE: ("small", "big"),
    DICE_WORKS: ("all-lows", "high-roller"),
    DICE_OLOGY: ("little-ones", "big-ones"),
}
SIC_BO_THROWS = ((1, 2, 3), (6, 6, 5))
CRAPS_THROWS = ((2, 2), (1, 1), (1, 2), (1, 4), (5, 1), (3, 4), (6, 6))


@dataclass
class SentCommand:
    """A command that was sent to a table."""

    person: Person
    command: c.Command
    key: str | None


@dataclass
class Place:
    """A journal whose house can be closed and opened again; its clock continues by a second with every command."""

    where: str
    settings: Settings = field(default_factory=Settings)
    sent: list[SentCommand] = field(default_factory=list)
    seconds: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        self.house = _Recording(self)

    def restart(self) -> None:
        self.house.close()
        self.open()

    def floor(self, book: str, **changes: object) -> JournalTable:
        """Return a table that is ready, where ann and ben have chips."""
        table = JournalTable(self.house, book, "t1", **changes)
        for player in ("ann", "ben"):
            table.buy_in(player)
        return table

    def send(self, command: SentCommand) -> Answer:
        answer = self.house.ask("t1", command.person, command.command, key=command.key)
        assert answer.refused is None, (command, answer)
        return answer

    def deal(self, dice: tuple[int, ...]) -> Answer:
        """Take the step that is due."""
        return JournalTable(self.house).take_step(dice)

    def deal_to(self, now: str, dice: tuple[int, ...]) -> None:
        """Take steps until the round is in a phase."""
        while phase(self.house.table("t1")) != now:
            self.deal(dice)

    def finish(self, dice: tuple[int, ...]) -> None:
        """Take steps until the round is over."""
        JournalTable(self.house).take_steps(dice)


class _Recording(House):
    def __init__(self, place: Place) -> None:
        def clock() -> datetime:
            return START + timedelta(seconds=next(place.seconds))

        super().__init__(open_store(place.where), place.settings, clock=clock)
        self.place = place

    def ask(
        self,
        table: str,
        person: Person,
        command: c.Command,
        *,
        timeout: float | None = 30,
        **options: Unpack[CommandOptions],
    ) -> Answer:
        self.place.sent.append(SentCommand(person, command, options.get("key")))
        return super().ask(table, person, command, timeout=timeout, **options)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Callable[..., Place]]:
    """Return a factory of places; close them afterwards."""
    made: list[Place] = []

    def make(settings: Settings | None = None) -> Place:
        made.append(Place(str(tmp_path / f"house-{len(made)}.db"), settings or Settings()))
        return made[-1]

    yield make
    for one in made:
        one.house.close()


def play(place: Place, book: str) -> range:
    """A table is opened and some rounds are played, with bets that win and bets that lose.

    What was asked in the first round of Sic Bo, or in all rolls of craps.
    """
    table = place.floor(book)
    first, last = len(place.sent), 0
    for number, dice in enumerate(CRAPS_THROWS if book in CRAPS else SIC_BO_THROWS):
        table.open_betting()
        if book not in CRAPS or number in (0, len(CRAPS_THROWS) - 1):
            place.send(SentCommand(ANN, c.PlaceBets((c.BetRequest(WAGERS[book][0], 500),)), f"ann-{number}"))
            place.send(SentCommand(BEN, c.PlaceBets((c.BetRequest(WAGERS[book][1], 700),)), f"ben-{number}"))
        place.finish(dice)
        last = len(place.sent) if book in CRAPS or not last else last
    return range(first, last)


def head(place: Place) -> bytes:
    return place.house.store.head("t1").hash


# ---------------------------------------------------------------- restarts


@pytest.mark.parametrize("book", BOOKS)
def test_a_restart_in_any_phase_changes_nothing(book: str, place: Callable[..., Place]) -> None:
    whole = place()
    cuts = play(whole, book)
    last, balances = whole.house.table("t1"), whole.house.store.all_balances()
    phases = set()
    for cut in cuts:
        other = place()
        for number, command in enumerate(whole.sent):
            if number == cut:
                before = other.house.table("t1")
                other.restart()
                assert other.house.table("t1") == before == folded(other.house.store, "t1")
                phases.add(phase(before))
            other.send(command)
        assert other.house.table("t1") == last
        assert other.house.store.all_balances() == balances
        assert head(other) == head(whole)  # to the last byte of the record
        other.house.close()
    expected = {"betting", "revealed", "settling"} if book in CRAPS else set(PHASES[book])
    assert phases >= expected


@pytest.mark.parametrize("book", BOOKS)
def test_snapshots_and_a_restart_after_everything_equal_a_full_replay(book: str, place: Callable[..., Place]) -> None:
    whole = place()
    play(whole, book)
    other = place(Settings(snapshot_every=5))
    for command in whole.sent:
        other.send(command)
        live = other.house.table("t1")
        other.restart()
        assert other.house.table("t1") == live == folded(other.house.store, "t1")
    snapshot = other.house.store.snapshot("t1")
    assert snapshot is not None
    assert snapshot.sequence > other.house.store.head("t1").sequence - 8
    assert head(other) == head(whole)
    report = audit(other.where)
    assert report.good, str(report)
    assert report.snapshots >= 1


# ---------------------------------------------------------------- after a power failure

PHASES = {
    MASSACHUSETTS: ("betting", "closed", "thrown", "revealed", "settling"),
    MARYLAND: ("betting", "thrown", "closed", "revealed", "settling"),
    SINGAPORE: ("betting", "thrown", "closed", "revealed", "settling"),
}
POWER = "power-failure"
SHAKER = "shaker-malfunction"

CUT_OFF = [
    *((MASSACHUSETTS, "manual", now, POWER) for now in ("betting", "closed")),
    *((MASSACHUSETTS, "manual", now, None) for now in ("thrown", "revealed", "settling")),
    *((MASSACHUSETTS, "automated", now, POWER) for now in ("betting", "closed")),
    *((MASSACHUSETTS, "automated", now, None) for now in ("revealed", "settling")),
    (MARYLAND, "manual", "betting", POWER),
    *((MARYLAND, "manual", now, None) for now in ("thrown", "closed", "revealed", "settling")),
    (MARYLAND, "automated", "betting", POWER),
    *((MARYLAND, "automated", now, SHAKER) for now in ("thrown", "closed")),
    *((MARYLAND, "automated", now, None) for now in ("revealed", "settling")),
    *((SINGAPORE, "automated", now, "power-failure-before") for now in ("betting", "thrown", "closed")),
    *((SINGAPORE, "automated", now, None) for now in ("revealed", "settling")),
]


@pytest.mark.parametrize(("book", "shaker", "now", "called"), CUT_OFF)
def test_sic_bo_cut_off_by_a_power_failure(
    book: str, shaker: str, now: str, called: str | None, place: Callable[..., Place]
) -> None:
    here = place()
    table = here.floor(book, shaker=shaker)
    table.open_betting()
    for who, wager in ((ANN, "small"), (BEN, "big")):
        here.send(SentCommand(who, c.PlaceBets((c.BetRequest(wager, 500),)), None))
    here.deal_to(now, (1, 2, 3))
    before = here.house.table("t1")
    here.restart()
    assert here.house.after_restart() == ({"t1": called} if called else {})
    after = here.house.table("t1")
    lines = 2
    if called is None:
        assert after == before
    elif called == SHAKER:  # void: the wagers went back, and the shaker is out of use
        assert not after.bets
        assert after.round.number == before.round.number + 1
        assert "automated-shaker" in after.failed
        lines = 0
    elif book == SINGAPORE:  # a player may withdraw all bets, and the round is finished
        assert after.power_failed
        assert after.bets == before.bets
        assert here.house.after_restart() == {}
        here.send(SentCommand(BEN, c.Withdraw(), None))
        here.send(SentCommand(table.crew["dealer"], c.Resume(), None))
        lines = 1
    else:  # nothing was thrown: betting resumes, and the wagers stand
        assert phase(after) == "betting"
        assert after.bets == before.bets
        assert not after.failed
        here.send(SentCommand(ANN, c.PlaceBets((c.BetRequest("big", 100),)), None))
        lines = 3
    if called != SHAKER:
        here.finish((1, 2, 3))
    here.house.close()
    report = audit(here.where)
    assert report.good, str(report)
    assert report.lines == lines
    here.open()


@pytest.mark.parametrize("book", CRAPS)
def test_craps_cut_off_by_a_power_failure(book: str, place: Callable[..., Place]) -> None:
    here = place()
    table = here.floor(book)
    first, fresh = WAGERS[book]
    here.send(SentCommand(ANN, c.PlaceBets((c.BetRequest(first, 500),)), None))
    here.finish((1, 1))
    here.restart()
    assert here.house.after_restart() == {}  # a running wager keeps its lammers and continues
    here.send(SentCommand(BEN, c.PlaceBets((c.BetRequest(fresh, 500),)), None))
    here.restart()
    assert here.house.after_restart() == {"t1": POWER}
    assert here.house.after_restart() == {}
    here.send(SentCommand(BEN, c.Withdraw(), None))
    here.send(SentCommand(table.crew["stick-person"], c.Resume(), None))
    here.finish((2, 2))
    here.deal((3, 4))
    before = here.house.table("t1")
    assert phase(before) == "revealed"
    here.restart()
    assert here.house.after_restart() == {}
    assert here.house.table("t1") == before
    here.finish((3, 4))
    here.house.close()
    report = audit(here.where)
    assert report.good, str(report)
    assert report.lines == 1
    here.open()


# ---------------------------------------------------------------- keys and steps

CLOSE = c.TakeStep("close")
DEALER = Person("dealer-1", "dealer")


def bet(amount: int, wager: str = "small") -> c.PlaceBets:
    return c.PlaceBets((c.BetRequest(wager, amount),))


def now(table: Table) -> tuple[int, int]:
    return table.round.number, table.step


def test_the_same_key_is_answered_the_same_even_after_a_restart(place: Callable[..., Place]) -> None:
    here = place()
    here.floor(MASSACHUSETTS)
    first = here.house.ask("t1", ANN, bet(500), key="k")
    assert (first.refused, first.events, first.repeated) == (None, ("BetPlaced",), False)
    for _ in range(2):
        again = here.house.ask("t1", ANN, bet(500), key="k")
        assert (again.refused, again.events, again.repeated) == (None, ("BetPlaced",), True)
        here.restart()
    assert [one.amount for one in here.house.table("t1").bets.values()] == [500]


def test_a_repeated_answer_names_the_first_entry_however_far_the_table_has_come(
    place: Callable[..., Place],
) -> None:
    here = place()
    here.floor(MASSACHUSETTS)
    first = here.house.ask("t1", ANN, bet(500), key="k")
    refused = here.house.ask("t1", ANN, bet(10**9), key="too much")
    here.house.ask("t1", ANN, bet(700, "big"))
    assert here.house.ask("t1", ANN, bet(500), key="k") == replace(first, repeated=True)
    assert here.house.ask("t1", ANN, bet(10**9), key="too much") == replace(refused, repeated=True)


def test_a_repeated_answer_of_several_events_names_the_last_of_them(place: Callable[..., Place]) -> None:
    here = place()
    here.floor(MASSACHUSETTS)
    for number in range(20):
        step = due_command(here.house.table("t1"), (1, 2, 3))
        assert step is not None
        first = here.house.ask("t1", *step, key=f"step {number}")
        if len(first.events) > 1:
            break
    else:
        pytest.fail("no step had several events")
    assert first.events[-1] == "Illuminated"
    here.deal((1, 2, 3))
    assert here.house.ask("t1", *step, key=f"step {number}") == replace(first, repeated=True)


def test_a_refusal_is_answered_the_same_too(place: Callable[..., Place]) -> None:
    here = place()
    here.floor(MASSACHUSETTS)
    first = here.house.ask("t1", ANN, bet(10**9), key="k")
    assert first.refused == Reason.NO_FUNDS
    here.restart()
    here.send(SentCommand(ANN, c.BuyIn(10**10), None))
    again = here.house.ask("t1", ANN, bet(10**9), key="k")
    assert again == replace(first, sequence=again.sequence, repeated=True)
    assert not here.house.table("t1").bets


@pytest.mark.parametrize(("who", "other"), [(ANN, bet(600)), (ANN, c.BuyIn(500)), (BEN, bet(500))])
def test_another_request_under_a_used_key_is_refused(
    who: Person, other: c.Command, place: Callable[..., Place]
) -> None:
    here = place()
    here.floor(MASSACHUSETTS)
    here.send(SentCommand(ANN, bet(500), "k"))
    before = here.house.table("t1")
    answer = here.house.ask("t1", who, other, key="k")
    assert answer.refused == KEY_REUSED
    assert answer.says
    assert here.house.table("t1") == before


def test_a_dealer_s_command_for_another_step_is_stale(place: Callable[..., Place]) -> None:
    here = place()
    here.floor(MASSACHUSETTS)
    seen = now(here.house.table("t1"))
    here.send(SentCommand(ANN, bet(500), None))  # moves no step
    assert here.house.ask("t1", DEALER, CLOSE, expected=seen).refused is None
    shake = c.TakeStep("shake-manual", shakes=3)
    assert here.house.ask("t1", DEALER, shake, expected=seen).refused == Reason.STALE_STEP
    assert here.house.ask("t1", DEALER, shake, expected=now(here.house.table("t1"))).refused is None


# ---------------------------------------------------------------- races

REOPEN = c.Call("power-failure", "again")


def late(house: House) -> list[int]:
    """The bets that were accepted while betting was closed, by the journal's own order."""
    closed, found = False, []
    for entry in house.store.entries("t1"):
        if entry.kind == "StepTaken":
            closed = True
        elif entry.kind in ("BettingReopened", "RoundEnded"):
            closed = False
        elif entry.kind == "BetPlaced" and closed:
            found.append(entry.sequence)
    return found


def together(*acts: Callable[[], Answer]) -> list[Answer]:
    """Run all in threads that start at the same time."""
    gate = threading.Barrier(len(acts))

    def one(act: Callable[[], Answer]) -> Answer:
        gate.wait(HANG)
        return act()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(one, acts))


def test_a_close_overtakes_the_bets_that_wait(place: Callable[..., Place]) -> None:
    here = place()
    here.floor(MASSACHUSETTS)
    seen = now(here.house.table("t1"))
    begun, all_there = hold_first_write()
    bets = [here.house.submit("t1", ANN, bet(100), key="first")]
    assert begun.wait(HANG)
    bets += [here.house.submit("t1", ANN, bet(100), key=f"bet {number}") for number in range(500)]
    closing = here.house.submit("t1", DEALER, CLOSE, expected=seen)
    all_there.set()
    closed = closing.result(HANG)
    assert closed.refused is None
    outcomes = [future.result(HANG) for future in bets]
    assert closed.sequence == outcomes[0].sequence + 1
    assert [one.refused for one in outcomes] == [None] + [Reason.BETTING_CLOSED] * 500
    assert len(here.house.table("t1").bets) == 1


def test_no_bet_is_accepted_after_the_close_in_any_race(tmp_path: Path) -> None:
    path = str(tmp_path / "house.db")
    taken = refused = 0
    with House(open_store(path), Settings(group_max=4)) as house:
        journal_table = JournalTable(house, MASSACHUSETTS)
        journal_table.buy_in("ann", 10**9)
        for race in range(200):
            seen = now(house.table("t1"))
            bets: list[Future[Outcome]] = []

            def flood(bets: list[Future[Outcome]] = bets) -> None:
                bets += [house.submit("t1", ANN, bet(100)) for _ in range(8)]

            flooding = threading.Thread(target=flood)
            flooding.start()
            for _ in range(race % 9):
                threading.Event().wait(0.0001)
            closed = house.ask("t1", DEALER, CLOSE, expected=seen)
            assert closed.refused is None, closed  # no flood makes it stale
            flooding.join()
            for future in bets:
                outcome = future.result(HANG)
                assert outcome.refused in (None, Reason.BETTING_CLOSED)
                assert (outcome.refused is None) == (outcome.sequence < closed.sequence)
                taken += outcome.refused is None
                refused += outcome.refused is not None
            assert house.ask("t1", DEALER, REOPEN).refused is None
        assert late(house) == []
        table = house.table("t1")
        assert sum(one.amount for one in table.bets.values()) == 100 * taken
        assert house.store.all_balances()[escrow("t1")] == 100 * taken
    assert taken
    assert refused
    report = audit(path)
    assert report.good, str(report)


# ---------------------------------------------------------------- several houses on one PostgreSQL


@pytest.fixture
def houses(postgres_url: str) -> Iterator[Sequence[House]]:
    """Open two houses on one database, with a table that is ready."""
    with ExitStack() as stack:
        both = [stack.enter_context(House(open_store(postgres_url), Settings(snapshot_every=20))) for _ in range(2)]
        table = JournalTable(both[0], MASSACHUSETTS)
        for player in ("ann", "ben"):
            table.buy_in(player, 10**9)
        yield both


def consistent(houses: Sequence[House], url: str) -> None:
    one, other = (house.table("t1") for house in houses)
    assert one == other == folded(houses[0].store, "t1")
    balances = houses[0].store.all_balances()
    assert sum(balances.values()) == 0
    assert balances.get(escrow("t1"), 0) == sum(bet.amount + bet.commission for bet in one.bets.values())
    assert late(houses[0]) == []
    report = audit(url)
    assert report.good, str(report)


def test_bets_at_one_house_race_the_close_at_another(houses: Sequence[House], postgres_url: str) -> None:
    taken = 0
    for race in range(25):
        seen = now(houses[0].table("t1"))
        bets = [partial(house.ask, "t1", who, bet(100)) for house in houses for who in (ANN, BEN)]
        *answers, closed = together(*bets, partial(houses[race % 2].ask, "t1", DEALER, CLOSE, expected=seen))
        assert closed.refused is None
        for answer in answers:
            assert answer.refused in (None, Reason.BETTING_CLOSED)
            assert (answer.refused is None) == (answer.sequence < closed.sequence)
            taken += answer.refused is None
        assert houses[1].ask("t1", DEALER, REOPEN).refused is None
    assert sum(lying.amount for lying in houses[0].table("t1").bets.values()) == 100 * taken
    consistent(houses, postgres_url)


def test_of_two_dealers_who_race_one_is_late(houses: Sequence[House], postgres_url: str) -> None:
    for number in range(1, 4):
        houses[0].ask("t1", ANN, bet(500))
        houses[1].ask("t1", BEN, bet(500, "big"))
        while (table := houses[0].table("t1")).round.number == number:
            step = due_command(table, (1, 2, 3))
            assert step is not None
            answers = together(*(partial(house.ask, "t1", *step, expected=now(table)) for house in houses))
            assert sorted((answer.refused for answer in answers), key=str) == [None, Reason.STALE_STEP]
    consistent(houses, postgres_url)
    settled = [entry for entry in houses[0].store.entries("t1") if entry.kind in ("LosersCollected", "WinnersPaid")]
    assert len(settled) == 6


def test_the_same_key_at_both_houses_is_done_once(houses: Sequence[House], postgres_url: str) -> None:
    for number in range(15):
        answers = together(*(partial(house.ask, "t1", ANN, bet(100), key=str(number)) for house in houses))
        assert [answer.refused for answer in answers] == [None, None]
        assert sorted(answer.repeated for answer in answers) == [False, True]
    assert len([entry for entry in houses[0].store.entries("t1") if entry.kind == "BetPlaced"]) == 15
    consistent(houses, postgres_url)
